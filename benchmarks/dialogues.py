"""`python -m benchmarks.dialogues --data FILE_OR_DIR... --memory URL --bot URL`: whole dialogues on a host.

The dialogues are YAML files with `conversation_histories` (each with `messages` of `role` and `content`),
`user_question` and `evaluation_criteria`. A separate person plays each in a private chat, with every talk in
a new conversation and the bot's side as recorded. The plugin asks the model `memory` at `--memory`, an
OpenAI-compatible endpoint. The final question begins a new conversation. It goes to the model `bot` at
`--bot` without tools, so that only the memory block can answer it. A reader judges the report.

The player waits for extraction after every `--turns` messages, between talks and before the question. The
plugin runs on its defaults except for mode `auto`, a short `idle_seconds`, no daily token cap and no tools;
`--config` changes more. All dialogues share one host, so also `max_writes_per_hour`, the audit and the
figures of the models.
"""

import argparse
import json
import re
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any
from zlib import crc32

import httpx
import yaml

from tests.host.harness.answers import Answerable, Fail
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.plugin_files import PLUGIN, copy_plugin
from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import OFFLINE, HostSettings, merged
from tests.host.harness.waiting import wait_for

PATIENCE = 3_000
"""Seconds: whoever answers in a model's place may be slow."""
PLUGIN_CONFIG: Mapping[str, Any] = {
    "write_policy": {"mode": "auto"},
    "extraction_provider_id": "memory",
    "extraction": {"idle_seconds": 5, "daily_token_cap": 1_000_000_000},
    "tools": {"memory": False, "session_search": False},
}
_OPENAI = {"provider": "openai", "type": "openai_chat_completion", "provider_type": "chat_completion"}
_SOURCE: Mapping[str, Any] = {"id": "memory-source", "enable": True, "key": ["none"], "timeout": PATIENCE}
_MODEL = {"id": "memory", "provider_source_id": "memory-source", "enable": True, "model": "memory"}
PATIENT = {
    "host/adapters.py": ("EXTRACTION_TIMEOUT", f"timedelta(seconds={PATIENCE})"),
    # Extraction and verification of a batch are under one lease; once it has ended both are asked again.
    "policies/back_off.py": ("LEASE", f"timedelta(seconds={3 * PATIENCE})"),
    # Else the end of each talk waits for half a minute for each second of `idle_seconds`.
    "storage/event_queue.py": ("REST", "1"),
}
"""Constants of the plugin that do not suit slow readers and short talks: file, name, and the value here."""
STANDING = {"active": "active", "shadow": "waiting", "pending": "waiting"}
SHOWN = ("type", "fact", "origin", "status", "reason", "person", "slot", "fact_key", "confidence")
ASKED = ("calls", "prompt_tokens", "answer_tokens")

type Report = dict[str, Any]


@dataclass
class Player:
    """Plays dialogues on a running host, several threads at the same time; the options are the program's."""

    host: Host
    model: ScriptedModel
    bot: str
    turns: int
    one_at_a_time: threading.Lock = field(default_factory=threading.Lock)
    """Whose turn it is says which reply is meant; a turn takes a moment, reading takes minutes."""

    def play(self, dialogue: Mapping[str, Any]) -> Report:
        """Play one dialogue from its first message to the final answer, and report."""
        # The same id in every run: recorded answers to the same prompts can be used again.
        person, before = Person(f"p{crc32(dialogue['name'].encode()) % 1000}"), _ledger(self.host)
        talks = [_turns(talk["messages"]) for talk in dialogue["conversation_histories"]]
        astray = [text for talk in talks for text in self._talk(person, talk)]
        held = {**_held(self.host, person), **_spent(self.host, person, before)}
        self.host.new_conversation(person)
        # A host that has no answer records no turn: nobody reads the question for memories.
        request = self._turn(person, dialogue["user_question"], Fail(400))
        return {
            "name": dialogue["name"],
            **held,
            "astray": astray,
            "block": "\n".join(request.memory_blocks) if request else "",
            "request": request.messages if request else [],
            "question": dialogue["user_question"],
            "answer": self._answer(request) if request else "",
            "criteria": dialogue.get("evaluation_criteria", ""),
        }

    def _talk(self, person: Person, talk: Sequence[tuple[str, str]]) -> list[str]:
        """Play one talk until all of it is read; returns the messages that never reached the model."""
        self.host.new_conversation(person)
        astray: list[str] = []
        for number, (text, reply) in enumerate(talk, 1):
            astray += [] if self._turn(person, text, reply) else [text]
            if number == len(talk) or (self.turns and number % self.turns == 0):
                self._until_read(person)
        return astray

    def _turn(self, person: Person, text: str, reply: Answerable) -> RecordedRequest | None:
        """Say something, have the model reply so, and return the host's request; None without one."""
        with self.one_at_a_time:
            self.model.reset()
            self.model.chat.will_answer(reply)
            self.host.turn(person, text, streaming=False, timeout=120)
            return next(iter(self.model.chat_requests), None)

    def _answer(self, request: RecordedRequest) -> str:
        body = {key: value for key, value in request.body.items() if key not in ("tools", "tool_choice")}
        body, url = {**body, "model": "bot"}, f"{self.bot.rstrip('/')}/chat/completions"
        try:
            answer = httpx.post(url, json=body, timeout=PATIENCE, trust_env=False)
            return str(answer.raise_for_status().json()["choices"][0]["message"]["content"])
        except (httpx.HTTPError, ValueError, LookupError) as error:
            return f"({error!r})"

    def _until_read(self, person: Person) -> None:
        """Wait for the plugin; what it could not read is in the report."""
        memories, session = self.host.memories, self.host.session_of(person)
        pending = "select 1 from ltm_events where extraction = 'pending' and session_id = ?"
        with suppress(TimeoutError):
            memories.wait_until_written()
            wait_for(lambda: not memories.rows(pending, session), 3 * PATIENCE, every=0.5)


def main() -> int:
    """Play, print what came of each dialogue, and write JSON where `--json` says, anew after each."""
    options = _options()
    dialogues = [each for path in options.data for each in _read(path) if options.only in each["name"]]
    reports: list[Report] = []
    with ScriptedModel() as model, tempfile.TemporaryDirectory() as folder:
        host = _host(options.root or Path(folder), model, options.memory, json.loads(options.config))
        with host.running(), ThreadPoolExecutor(options.at_once) as threads:
            player = Player(host, model, options.bot, options.turns)
            playing = {threads.submit(player.play, each): each["name"] for each in dialogues}
            for played in as_completed(playing):
                error = played.exception()
                report = {"name": playing[played], "error": repr(error)} if error else played.result()
                reports.append(report)
                print(_as_text(report), flush=True)
                if options.json:
                    options.json.write_text(json.dumps(reports, ensure_ascii=False, indent=2), "utf-8")
            print("== in all:", _ledger(host))
    return int(any("error" in report for report in reports))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.dialogues", description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="YAML files, or folders of them")
    parser.add_argument("--memory", required=True, help="base URL (http://.../v1) of the plugin's own model")
    parser.add_argument("--bot", required=True, help="base URL of the model that answers the final question")
    parser.add_argument("--only", default="", help="play the files whose name contains this")
    parser.add_argument("--at-once", type=int, default=1, help="dialogues played at the same time (1)")
    parser.add_argument("--turns", type=int, default=8, help="messages until all is read; 0: whole talks (8)")
    parser.add_argument("--config", default="{}", help="JSON to change the plugin's settings with")
    parser.add_argument("--root", type=Path, help="a new folder to keep the host's files and log in")
    parser.add_argument("--json", type=Path, help="where to write the reports")
    return parser.parse_args()


def _read(path: Path) -> list[dict[str, Any]]:
    """The dialogues of a file or a folder, each with the `name` of its file."""
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    return [{**yaml.safe_load(each.read_bytes()), "name": each.stem} for each in files]


def _turns(messages: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
    """Messages in pairs; several of one side in a row are one, and what the bot says first is left out."""
    grouped = groupby(messages, key=lambda message: message["role"])
    said = [(role, "\n".join(message["content"] for message in group)) for role, group in grouped]
    replies = [*said[1:], ("assistant", "OK.")]
    return [(text, reply) for (role, text), (_, reply) in zip(said, replies, strict=True) if role == "user"]


def _host(root: Path, model: ScriptedModel, memory: str, config: Mapping[str, Any]) -> Host:
    providers = {"provider_sources": [{**_SOURCE, **_OPENAI, "api_base": memory}], "provider": [_MODEL]}
    settings = HostSettings(chat=model.endpoint, platforms=("plat_a",), overrides=merged(OFFLINE, providers))
    plugin, source = merged(PLUGIN_CONFIG, config), _patient(root / "plugin")
    return Host(root / "host", settings, plugin_config=plugin, plugin_source=source)


def _patient(folder: Path) -> Path:
    """A copy of the plugin that waits for slow readers. Raises LookupError when a constant has moved."""
    copy_plugin(folder)
    for file, (name, value) in PATIENT.items():
        path = folder / PLUGIN / "long_term_memory" / file
        text, found = re.subn(rf"(?m)^{name} = .*$", f"{name} = {value}", path.read_text("utf-8"))
        if found != 1:
            raise LookupError(f"{name} is not in {file}")
        path.write_text(text, "utf-8")
    return folder / PLUGIN


def _ledger(host: Host) -> Mapping[str, int]:
    """What models were asked so far, and the last line of the audit."""
    days: list[dict[str, int]] = data(host.plugin.get("stats"))["tokens"]
    [audit] = host.memories.rows("select coalesce(max(id), 0) as id from ltm_audit")
    return {**{key: sum(day[key] for day in days) for key in ASKED}, "audit": audit["id"]}


def _spent(host: Host, person: Person, before: Mapping[str, int]) -> Report:
    """What models were asked since, and the lines of the audit about the person or about nothing stored."""
    after = _ledger(host)
    own = "memory_id in (select memory_id from ltm_items where scope_id = ?)"
    query = f"select action, reason from ltm_audit where id > ? and (memory_id = '' or {own})"  # noqa: S608
    lines = host.memories.rows(query, str(before["audit"]), f"plat_a:{person.id}")
    audit = Counter(f"{line['action']} {line['reason'].partition(' ')[0]}".strip() for line in lines)
    return {"asked": {key: after[key] - before[key] for key in ASKED}, "audit": dict(audit.most_common())}


def _held(host: Host, person: Person) -> Report:
    """The person's memories by status, oldest first, and how many messages were read."""
    query = "select extraction, last_error from ltm_events where session_id = ?"
    events = host.memories.rows(query, host.session_of(person))
    read = Counter(f"{event['extraction']} {event['last_error']}".strip() for event in events)
    held: Report = {"active": [], "waiting": [], "gone": [], "events": dict(read)}
    for item in host.memories.items(scope="user", scope_id=f"plat_a:{person.id}", sort="created"):
        held[STANDING.get(item["status"], "gone")].append(_item(host, item))
    return held


def _item(host: Host, item: Mapping[str, Any]) -> Report:
    evidence = host.memories.evidence(item["memory_id"])
    stance = evidence[-1]["extraction_meta"].get("stance", "")
    quotes = [f"{piece['role']}: {piece['quote']}" for piece in evidence]
    return {**{key: item[key] for key in SHOWN}, "stance": stance, "quotes": quotes}


def _as_text(report: Report) -> str:
    if "error" in report:
        return f"== {report['name']}: {report['error']}"
    lines = [f"== {report['name']}"]
    for kind in ("active", "waiting", "gone"):
        lines += [f"-- {kind}: {len(report[kind])}", *map(_line, report[kind])]
    lines += [f"-- {key}: {report[key]}" for key in ("events", "audit", "asked", "astray")]
    lines += [f"-- {key}:\n{report[key]}" for key in ("block", "question", "answer", "criteria")]
    return "\n".join(lines)


def _line(item: Mapping[str, Any]) -> str:
    words = (item["type"], item["origin"], item["stance"], item["person"] and f"about {item['person']}")
    state = "" if item["status"] == "active" else f" <{item['status']}: {item['reason']}>"
    return f"   [{', '.join(filter(None, words))}] {item['fact']}{state}"


if __name__ == "__main__":
    sys.exit(main())
