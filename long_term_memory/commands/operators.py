"""What admins may ask: `status`, `mode`, `readonly` and `retry` of memory, and decisions on what waits."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from ..config_form import SettingsProblem
from ..domain.memory import Item
from ..domain.review import WaitingItem
from ..domain.words import Mode, Status
from ..manager import LTMManager
from ..manager.bulk_review import UNSURE, WaitingHere
from ..manager.status import Counts
from ..messages import Messages
from ..service import STORE, Report, State
from .command import PAGE_SIZE, Command, UsageError, means_all, page_number, pages_of, short

_STATE_KEYS = {
    State.RUNNING: "status.on",
    State.DISABLED: "status.off",
    State.PAUSED: "status.paused",
    State.CLOSED: "error.closed",
}


async def mode(manager: LTMManager, command: Command) -> str:
    """`mode` tells what automatic writing may do, `mode <mode>` changes it."""
    say = command.say
    if not command.argument:
        return say.text("mode.current", mode=say.text(f"mode.{manager.mode}"))
    if command.word not in list(Mode):
        raise UsageError
    wanted = Mode(command.word)
    key = "mode.same" if wanted is manager.mode else "mode.changed"
    await manager.governing.set_mode(wanted, actor=command.operator)
    return say.text(key, mode=say.text(f"mode.{wanted}"))


async def readonly(manager: LTMManager, command: Command) -> str:
    """`readonly` tells whether nothing is written, `readonly on` and `readonly off` switch it."""
    say, switches = command.say, manager.switches
    if not command.argument:
        return say.text("readonly.is_on" if switches.read_only else "readonly.is_off")
    if command.word not in ("on", "off"):
        raise UsageError
    on = command.word == "on"
    changed = await switches.set_read_only(on=on, actor=command.operator)
    if on:
        return say.text("readonly.on" if changed else "readonly.same_on")
    return say.text("readonly.off" if changed else "readonly.same_off")


async def retry(manager: LTMManager, command: Command) -> str:
    """`retry`: read the messages again that the extraction gave up on."""
    tried = await manager.jobs.retry(actor=command.operator)
    return command.say.text("retry.done", count=tried) if tried else command.say.text("retry.none")


async def pending(manager: LTMManager, command: Command) -> str:
    """`pending [page]`: what waits, of whom and why, oldest first; each reason once on a page."""
    say = command.say
    page = page_number(command.argument or "1")
    if page is None:
        raise UsageError
    here = await manager.review.waiting_for(command.chat, page=page, page_size=PAGE_SIZE)
    found = here.found
    pages = pages_of(found)
    if not found.total:
        return say.text("approve.none")
    if page > pages:
        return say.text("list.no_page", pages=pages, size=PAGE_SIZE)
    lines = [say.text("pending.header", total=found.total, page=page, pages=pages)]
    for reason in dict.fromkeys(_reason(row.item) for row in found.rows):
        lines.append(say.text("pending.reason", reason=say.rule(reason)))
        lines.extend(_line(row, here, say) for row in found.rows if _reason(row.item) == reason)
    if page < pages:
        lines.append(say.text("pending.more", page=page + 1))
    return "\n".join(lines)


async def approve(manager: LTMManager, command: Command) -> str:
    """`approve <id>`, and `approve all` for what is in no doubt."""
    say = command.say
    if not means_all(command.argument):
        item = await manager.review.approve_one(command.argument, actor=command.operator)
        # Not the fact: whose it is may not be in this chat.
        return say.text("approve.one", id=short(item))
    decided = await manager.review.approve_all(actor=command.operator)
    left = [each for each in decided.left if each.why == UNSURE]
    lines = [say.text("approve.done", count=len(decided.done))] if decided.done else []
    if left:
        lines.append(say.text("approve.left", count=len(left)))
    return "\n".join(lines) or say.text("approve.none")


async def reject(manager: LTMManager, command: Command) -> str:
    """`reject <id>`: drop a memory, waiting or in use; it is not learnt again by itself."""
    item = await manager.review.reject_one(command.argument, actor=command.operator)
    return command.say.text("reject.done", id=short(item))


def _reason(item: Item) -> str:
    return item.reason.partition(":")[0] or "mode"


def _line(row: WaitingItem, here: WaitingHere, say: Messages) -> str:
    item = row.item
    readable = item.memory_id in here.readable
    days = say.days(item.created_at, here.at)
    values = {
        "id": short(item),
        "type": say.text(f"type.{item.type}"),
        "fact": _fact(item, here, say) if readable else say.text("pending.hidden"),
        "age": say.text("pending.age" if days else "pending.today", days=days),
    }
    if item.expires_at and row.ends_soon:
        return say.text("pending.line_ends", **values, day=say.day(item.expires_at))
    return say.text("pending.line", **values)


def _fact(item: Item, here: WaitingHere, say: Messages) -> str:
    """Whose it is, the words with what of them is in doubt, and of whom and by whom they were said."""
    owner = here.names.get(item.owner.scope_id, item.owner.scope_id)
    doubt = item.reason.partition(":")[2].strip()
    fact = say.text(
        "pending.fact_doubt" if doubt else "pending.fact", owner=owner, fact=item.fact, doubt=doubt
    )
    if not item.person:
        return fact
    key = "pending.about_told" if item.teller else "pending.about"
    return say.text(key, fact=fact, person=item.person, teller=item.teller)


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


def is_by_store(state: State, problems: Sequence[SettingsProblem]) -> bool:
    """Whether it is paused by the store alone, so that no setting ends that."""
    return state is State.PAUSED and bool(problems) and all(problem.key == STORE for problem in problems)


def _state_key(report: Report) -> str:
    by_store = is_by_store(report.state, report.problems)
    return "status.paused_store" if by_store else _STATE_KEYS[report.state]


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
