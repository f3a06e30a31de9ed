"""`python -m demo`: boot the host and keep it up until Ctrl-C; `--check` tries the memory by itself."""

import argparse
import shutil
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

from tests.host.harness.dashboard import DashboardError
from tests.host.harness.process import is_free
from tests.host.harness.scripted_model import Endpoint, ScriptedModel
from tests.host.harness.settings import PASSWORD, USERNAME

from .boot import demo_host, real_endpoint
from .self_check import self_check
from .stand_in import take_the_part

ROOT = Path(__file__).resolve().parents[1] / ".demo"

_TRY_THIS = """
Try this, in the dashboard's chat:
  1. My name is Alice and I'm allergic to peanuts
  2. /ltm list               (after a moment: what it would remember, held back until it is allowed)
  3. /ltm approve all
  4. Open a new chat and ask: What should I cook?
  5. /ltm list, then /ltm why and an id: what is remembered, and the words it rests on
Ctrl-C ends it; what was remembered is there the next time (--fresh wipes it).
"""


def main() -> int:
    """Run the demo or its self-check."""
    parser = argparse.ArgumentParser(prog="demo", description="A real AstrBot with the memory plugin on.")
    parser.add_argument("--fresh", action="store_true", help="wipe the demo's folder first")
    parser.add_argument("--port", type=int, default=6185, help="the dashboard's port (6185)")
    parser.add_argument("--check", action="store_true", help="hold the demo's conversation and judge it")
    options = parser.parse_args()
    if options.check:
        return 0 if self_check() else 1
    if not is_free(options.port):
        print(f"Port {options.port} is taken; choose another with --port.")
        return 1
    if options.fresh:
        shutil.rmtree(ROOT, ignore_errors=True)
    try:
        with ExitStack() as stack:
            serve(stack, options.port)
    except DashboardError as error:
        print(f"The dashboard refuses: {error}. If its password was changed, --fresh begins anew.")
        return 1
    return 0


def serve(stack: ExitStack, port: int) -> None:
    """Boot the host and keep it up until Ctrl-C or SIGTERM."""
    signal.signal(signal.SIGTERM, _end)
    endpoint = real_endpoint()
    if endpoint is None:
        endpoint = _stand_in(stack)
        print("A scripted stand-in answers for the model; it shows which memories it is given.")
        print("OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL put a real one in its place.")
    else:
        print(f"The model is {endpoint.model} at {endpoint.base_url}.")
    print(f"Everything it stores lies in {ROOT}; delete the folder to be rid of it.")
    print("Starting AstrBot ...", flush=True)
    host = stack.enter_context(demo_host(ROOT, endpoint).running(port))
    print(f"\nDashboard: {host.dashboard.url}\nUser:      {USERNAME}\nPassword:  {PASSWORD}")
    print(_TRY_THIS, flush=True)
    try:
        host.wait()
    except KeyboardInterrupt:
        print("\nStopping ...", flush=True)


def _end(*_: object) -> NoReturn:
    sys.exit(0)


def _stand_in(stack: ExitStack) -> Endpoint:
    model = stack.enter_context(ScriptedModel())
    take_the_part(model)
    return model.endpoint


if __name__ == "__main__":
    sys.exit(main())
