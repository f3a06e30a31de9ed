"""What becomes of single lines of the host's log; `test_quiet_log.py` has a whole host write them."""

import logging
import signal
from collections.abc import Iterable
from typing import Any, Never

import pytest
from astrbot_plugin_ltm.long_term_memory.host.log_redaction import LogRedaction

from tests.cpu_limit import cpu_limit

UNSPACED = "/ltm\tadd\tqwyzzle's"
N = 80_000
"""Ten times what a message has."""
WIDE = "/记忆\u3000记\u3000qwyzzle"


def logged(line: str, *args: Any, module: str = "event_bus", level: int = logging.INFO) -> logging.LogRecord:
    return logging.LogRecord("astrbot", level, f"{module}.py", 1, line, args, None)


def kept(record: logging.LogRecord, *names: str) -> str:
    """What the log has of this line where the command goes by these names."""
    assert LogRedaction(lambda: names).filter(record)
    return record.getMessage()


@pytest.mark.parametrize(
    ("module", "line", "left"),
    [
        (
            "misskey_adapter",
            "[Misskey] 处理私聊消息: /ltm add my qwyzzle...",
            "[Misskey] 处理私聊消息: /ltm add …",
        ),
        ("client", "Received Slack event: {'text': 'ltm add my qwyzzle', 'ts': '1'}", None),
        ("wecom_adapter", "解析成功: TextMessage({'Content': '/记忆 记 我的qwyzzle'})", None),
        ("wecom_adapter", "abm: {'id': 7, 'message': [Plain(text='/ltm add my qwyzzle')]}", None),
        ("weixin_offacc_adapter", "wx start task: user=u msg_id=1 preview=/ltm add my qwyzzle", None),
        ("some_plugins_event", "heard: /ltm add my qwyzzle", "heard: /ltm add …"),
    ],
)
def test_what_adapters_log_of_a_command_has_not_its_words(module: str, line: str, left: str | None) -> None:
    said = kept(logged(line, module=module))
    assert "qwyzzle" not in said
    assert said.endswith(" …")
    assert left in (None, said)


@pytest.mark.parametrize("text", [UNSPACED, WIDE, "/ltm add\nmy qwyzzle"])
def test_words_that_a_line_shows_by_their_repr_are_kept_back_as_well(text: str) -> None:
    event = {"text": text}
    assert "qwyzzle" not in kept(logged(f"Received Slack event: {event}", module="client"))


@pytest.mark.parametrize("module", ["misskey_adapter", "client", "event_bus"])
def test_lines_without_a_command_stay_as_they_are(module: str) -> None:
    line = logged("WebSocket of %s is there (try %d)", "astrbot_plugin", 3, module=module)
    before = dict(line.__dict__)
    assert LogRedaction(tuple).filter(line)
    assert line.__dict__ == before


def test_other_modules_may_name_the_command() -> None:
    line = "Plugin astrbot_plugin_ltm (0.1.0) by somebody: remembers qwyzzle"
    assert kept(logged(line, module="star_manager")) == line
    assert kept(logged("/ltm add my qwyzzle", level=logging.WARNING)) == "/ltm add my qwyzzle"


@pytest.mark.parametrize(
    ("names", "told", "left"),
    [
        (["mem"], "/mem add my qwyzzle", "/mem add …"),
        (["mem", "忆"], "/忆 记 我的qwyzzle", "/忆 记 …"),
        (["my memory"], "/my  memory add the qwyzzle", "/my  memory add …"),
        (["m+m (1)"], "/m+m (1) add the qwyzzle", "/m+m (1) add …"),
        (["mem"], "/ltm add my qwyzzle", None),
        (["ltm"], "/Ltm forget the qwyzzle", "/Ltm forget …"),
        (["记忆"], "/记忆忘记 qwyzzle", "/记忆忘记 …"),
        (["记忆"], "/记忆忘记qwyzzle", "/记忆忘记 …"),
        (["记忆"], "/记忆列表", None),
        (["记忆", "記憶"], "/記憶忘記 qwyzzle", "/記憶忘記 …"),
        (["记忆"], "/記憶 記 我的qwyzzle", "/記憶 記 …"),
        (["记忆"], "/记忆记我的qwyzzle", "/记忆记 …"),
        (["ltm"], "/ltmadd my qwyzzle", "/ltmadd …"),
        (["ltm"], "/ltm、忘记qwyzzle", "/ltm、忘记 …"),
        (["ltm"], "astrbot_plugin_ltm_x is there", None),
        (["记忆"], "记忆力 很 好", None),
        ([" ", ""], "/ltm add my qwyzzle", "/ltm add …"),
    ],
)
def test_a_command_is_known_by_the_name_that_the_operator_gave_it(
    names: list[str], told: str, left: str | None
) -> None:
    outline = f"[default] [a(qq)] Quill/7: {told}"
    assert kept(logged(outline), *names) == outline.replace(told, left or told)


@pytest.mark.parametrize("text", ["ltm" + " " * N, "ltm" + "\n" * N, "ltm" + "," * N, ":ltm" * N, "ltm " * N])
def test_no_message_holds_the_log_up(text: str) -> None:
    with cpu_limit():
        kept(logged(f"{text}x"))
        # The filter lets no error out, that of the bound neither: what is left of it tells.
        assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 0


def test_a_command_that_is_renamed_while_the_bot_runs_is_known_at_once() -> None:
    names = ["ltm"]
    log = LogRedaction(lambda: names)
    for name in ("ltm", "mem", "ltm"):
        names[:] = [name]
        line = logged(f"Quill/7: /{name} add my qwyzzle")
        assert log.filter(line)
        assert line.getMessage() == f"Quill/7: /{name} add …"


def test_where_the_host_does_not_tell_the_names_the_first_ones_count() -> None:
    def broken() -> Iterable[str]:
        raise RuntimeError("no registry")

    line = logged("Quill/7: /ltm add my qwyzzle")
    assert LogRedaction(broken).filter(line)
    assert line.getMessage() == "Quill/7: /ltm add …"


def test_a_line_that_cannot_be_put_together_is_left_to_the_handlers() -> None:
    line = logged("%s of %s", "one", module="misskey_adapter")
    assert LogRedaction(tuple).filter(line)
    assert (line.msg, line.args) == ("%s of %s", ("one",))


class Unreadable:
    def __str__(self) -> Never:
        raise RuntimeError("closed")


def test_a_line_that_raises_when_it_is_read_breaks_nothing() -> None:
    assert LogRedaction(tuple).filter(logged("%s", Unreadable()))


@pytest.mark.parametrize("module", ["misskey_event", "client", "stage"])
def test_while_an_answer_is_sent_no_module_logs_its_words(module: str) -> None:
    log = LogRedaction(tuple)
    with log.answering():
        line = logged("Sending: your safe is behind the qwyzzle", module=module)
        assert log.filter(line)
    assert line.getMessage() == "Sending: …"
