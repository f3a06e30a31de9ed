"""`status`: how the memory is doing, line by line."""

from collections.abc import Callable, Iterator
from itertools import chain

from ..config_form import SettingsProblem
from ..domain.words import Status
from ..manager.status import Counts
from ..messages import Messages
from ..service import STORE, Report, State

_STATE_KEYS = {
    State.RUNNING: "status.on",
    State.DISABLED: "status.off",
    State.PAUSED: "status.paused",
    State.CLOSED: "error.closed",
}


def status(report: Report, say: Messages) -> str:
    """The whole answer."""
    lines = [say.text("status.title", version=report.version), say.text(_state_key(report))]
    lines.extend(say.text("status.problem", key=p.key, why=_why(p, say)) for p in report.problems)
    if report.failures:
        lines.append(say.text("status.failures", count=sum(report.failures.values())))
    if report.counts:
        lines.extend(chain.from_iterable(part(report.counts, say) for part in _PARTS))
    return "\n".join(lines)


def _why(problem: SettingsProblem, say: Messages) -> str:
    return say.text(f"problem.{problem.rule}", **problem.values) if problem.rule else problem.why


def _state_key(report: Report) -> str:
    problems = report.problems
    if report.state is State.PAUSED and problems and all(problem.key == STORE for problem in problems):
        return "status.paused_store"
    return _STATE_KEYS[report.state]


def _switches(counts: Counts, say: Messages) -> Iterator[str]:
    if counts.read_only:
        yield say.text("status.read_only")
    yield say.text("status.mode", mode=say.text(f"mode.{counts.mode}"))
    if counts.unknown_tools:
        yield say.text("status.unknown_tools", names=", ".join(counts.unknown_tools))
    if counts.memory_plugins:
        yield say.text("status.memory_plugins", names=", ".join(counts.memory_plugins))
    if counts.paused_people or counts.paused_groups:
        yield say.text("status.pauses", people=counts.paused_people, groups=counts.paused_groups)


def _items(counts: Counts, say: Messages) -> Iterator[str]:
    yield say.text("status.counts", **{status.value: counts.items.get(status.value, 0) for status in Status})
    if not counts.waiting:
        return
    yield say.text("status.pending", count=counts.waiting)
    for reason, count in sorted(counts.waiting_reasons.items(), key=lambda entry: -entry[1]):
        yield say.text("status.pending_reason", count=count, reason=say.rule(reason or "mode"))
    if counts.waiting_expire_soon:
        yield say.text("status.pending_expire", count=counts.waiting_expire_soon)


def _events(counts: Counts, say: Messages) -> Iterator[str]:
    yield say.text("status.events", waiting=counts.events.get("pending", 0))
    if counts.next_reading_at:
        yield say.text("status.next_reading", at=say.instant(counts.next_reading_at))
    if failed := counts.events.get("failed", 0):
        yield say.text("status.failed", count=failed)
    if counts.passed_over:
        yield say.text("status.passed_over", count=counts.passed_over)
    if counts.last_error:
        when = say.instant(counts.last_error_at) if counts.last_error_at else ""
        yield say.text("status.last_error", error=say.rule(counts.last_error), when=when)


def _models(counts: Counts, say: Messages) -> Iterator[str]:
    provider = "chat_provider_out" if counts.outages else "chat_provider"
    yield say.text(f"status.{provider}" if counts.chat_provider else "status.no_chat_provider")
    yield say.text("status.tokens", spent=counts.tokens_today, cap=counts.token_cap, calls=counts.calls_today)
    if counts.recall_log:
        yield say.text("status.recalls", count=counts.recalls, empty=counts.recalls_empty)
    if counts.embedding_model:
        yield say.text("status.embedding", provider=counts.embedding_model)
        if counts.embedded < counts.embeddable:
            yield say.text("status.embedded", done=counts.embedded, total=counts.embeddable)
    else:
        yield say.text("status.no_embedding")
    if counts.not_embeddable:
        yield say.text("status.not_embeddable", count=counts.not_embeddable, error=counts.embedding_error)
    elif counts.embedding_error:
        yield say.text("status.embedding_error", error=counts.embedding_error)


_PARTS: tuple[Callable[[Counts, Messages], Iterator[str]], ...] = (_switches, _items, _events, _models)
