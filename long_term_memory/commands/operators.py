"""What admins may ask: `status`, `mode`, `readonly` and `retry` of memory, and decisions on what waits."""

from collections.abc import Iterator, Mapping, Sequence

from ..domain.enums import Mode, Status
from ..domain.errors import AmbiguousError, LtmError, NotFoundError
from ..domain.memory import Item
from ..domain.review import WaitingFilter, WaitingItem
from ..manager import LTMManager
from ..manager.bulk_review import CONTESTED, NEWER, UNSURE, ApprovedError, HiddenError, WaitingHere
from ..manager.status import Counts
from ..messages import Messages
from ..policies.token_cap import is_for_tokens
from ..service import STORE, Report
from ..write.transitions import REJECTED
from .changing import MINUTES
from .choosing import ID
from .command import (
    BETWEEN,
    PAGE_SIZE,
    Command,
    UsageError,
    approving,
    facts_of,
    list_numbers,
    means_all,
    page_number,
    pages_of,
    short,
    type_of,
)


async def mode(manager: LTMManager, command: Command) -> str:
    """`mode` tells what automatic writing may do, `mode <mode>` changes it."""
    say = command.say
    if not command.argument:
        return say.text("mode.current", mode=say.text(f"mode.{manager.mode}"))
    if command.word not in list(Mode):
        raise UsageError
    wanted = Mode(command.word)
    key = "mode.same" if wanted is manager.mode else f"mode.now_{wanted}"
    await manager.policy_changes.set_mode(wanted, actor=command.operator)
    lines = [say.text(key, mode=say.text(f"mode.{wanted}"))]
    waiting = (await manager.review.waiting(WaitingFilter(page_size=1))).total
    lines += [say.text("mode.waits", count=waiting)] if wanted is Mode.AUTO and waiting else []
    return "\n".join(lines)


async def readonly(manager: LTMManager, command: Command) -> str:
    """`readonly` tells whether nothing is written, `readonly on` and `readonly off` switch it."""
    say, switches = command.say, manager.switches
    if not command.argument:
        return say.text("readonly.is_on" if switches.read_only else "readonly.is_off")
    if command.word not in ("on", "off"):
        raise UsageError
    changed = await switches.set_read_only(on=command.word == "on", actor=command.operator)
    return say.text(f"readonly.{command.word}" if changed else f"readonly.same_{command.word}")


async def retry(manager: LTMManager, command: Command) -> str:
    """`retry`: read the messages again that the extraction gave up on."""
    tried = await manager.failed_extractions.retry(actor=command.operator)
    return command.say.text("retry.done", count=tried) if tried else command.say.text("retry.none")


async def pending(manager: LTMManager, command: Command) -> str:
    """`pending [page]`: what waits, of whom and why, oldest first; each reason once on a page."""
    say = command.say
    page = page_number(command.argument or "1")
    if page is None:
        raise UsageError
    here = await manager.review.waiting_for(command.chat, page=page, page_size=PAGE_SIZE)
    found, pages = here.found, pages_of(here.found)
    if not found.total:
        return say.text("approve.none")
    if page > pages:
        return say.text("list.no_page", pages=pages, size=PAGE_SIZE)
    lines = [say.text("pending.header", total=found.total, page=page, pages=pages)]
    shown = [row for row in found.rows if row.item.memory_id in here.readable]
    for reason in dict.fromkeys(_reason(row.item) for row in shown):
        lines.append(say.text("pending.reason", reason=say.rule(reason)))
        for row in (each for each in shown if _reason(each.item) == reason):
            # What it replaces may be of a higher level.
            others = approving(row.replaces, row.otherwise, say) if command.chat.private else []
            lines += [_line(row, here, say), *others]
    lines += [say.text("pending.more", page=page + 1)] if page < pages else []
    if hidden := len(found.rows) - len(shown):
        lines.append(say.text("pending.private", count=hidden))
    lines.append(say.text("pending.decide"))
    return "\n".join(lines)


NOT_SEEN: Mapping[type[LtmError], str] = {
    AmbiguousError: "error.ambiguous",
    ApprovedError: "why.approved",
    HiddenError: "error.private_only",
}
"""Why there is nothing to decide about, other than that there is none."""


async def approve(manager: LTMManager, command: Command) -> str:
    """`approve <id>`, and `approve all` for what nothing speaks against."""
    say = command.say
    if not means_all(command.argument):
        return await decide(manager, command)
    decided = await manager.review.approve(None, actor=command.operator)
    left = [each for each in decided.left if each.why in (UNSURE, NEWER)]
    lines = [say.text("approve.done", count=len(decided.done), minutes=MINUTES)] if decided.done else []
    lines += await _replaced(manager, command, decided.replaced)
    if left:
        lines.append(say.text("approve.left" if decided.done else "approve.only_left", count=len(left)))
    if contested := sum(each.why == CONTESTED for each in decided.left):
        lines.append(say.text("approve.contested", count=contested))
    return "\n".join(lines) or say.text("approve.none")


async def decide(manager: LTMManager, command: Command) -> str:
    """`approve <id>`, `reject <id>`: about what the admin sees here; what is rejected is not learnt again."""
    named = [each for each in BETWEEN.split(command.argument) if each]
    if list_numbers(command.argument) or means_all(command.argument):
        raise UsageError  # what waits has no numbers
    if len(named) < 2 or not all(map(ID.fullmatch, named)):
        return await _decided(manager, command, command.argument)
    lines = list[str]()
    for each in dict.fromkeys(named):
        try:
            lines.append(await _decided(manager, command, each))
        except (NotFoundError, AmbiguousError) as error:
            why = NOT_SEEN.get(type(error), "error.not_found")
            lines.append(command.say.text(why, id=each, command=f"{command.shown} {each}"))
    return "\n".join(lines)


async def _decided(manager: LTMManager, command: Command, short_id: str) -> str:
    say, review = command.say, manager.review
    item, _ = await review.seen_one(command.chat, short_id)
    fact = say.text("decide.fact", fact=item.fact, id=short(item))
    change = review.approve_one if command.name == "approve" else review.reject_one
    try:
        made = await change(item.memory_id, actor=command.operator)
    except NotFoundError:
        why = say.rule(item.reason) if item.reason else say.text(f"item_status.{item.status}")
        told = say.text("decide.over", fact=fact, why=why)
        return say.after(told, say.text("decide.restore")) if item.reason == REJECTED else told
    told = say.text(f"decide.{command.name}", fact=fact)
    return "\n".join((told, *await _replaced(manager, command, made.replaced)))


async def _replaced(manager: LTMManager, command: Command, memory_ids: Sequence[str]) -> list[str]:
    """What gave way, in a line; only how many, where the chat may not show their words."""
    replaced = [*(await manager.browsing.by_id(memory_ids)).values()]
    if not replaced:
        return []
    is_shown = all(manager.review.readable(one, command.chat) for one in replaced)
    key = "add.replaces" if is_shown else "approve.replaced"
    return [command.say.text(key, facts=facts_of(replaced, command.say), count=len(replaced))]


def _reason(item: Item) -> str:
    return item.reason.partition(":")[0] or "mode"


def _line(row: WaitingItem, here: WaitingHere, say: Messages) -> str:
    item = row.item
    days = say.days(item.created_at, here.at)
    values = {
        "id": short(item),
        "type": type_of(item, say),
        "fact": _fact(item, here, say),
        "age": say.text("pending.age" if days else "pending.today", days=days),
    }
    if row.ends_soon and item.expires_at:
        return say.text("pending.line_ends", **values, day=say.day(item.expires_at))
    return say.text("pending.line", **values)


def _fact(item: Item, here: WaitingHere, say: Messages) -> str:
    """Whose it is, the words with what of them is in doubt, and of whom and by whom they were said."""
    owner = here.names.get(item.owner.scope_id, item.owner.scope_id)
    doubt = item.reason.partition(":")[2].strip()
    key = "pending.fact_doubt" if doubt else "pending.fact"
    fact = say.text(key, owner=owner, fact=item.fact, doubt=doubt)
    if not (item.person or item.teller):
        return fact
    parts = [name for name, there in (("about", item.person), ("told", item.teller)) if there]
    key = f"pending.{'_'.join(parts)}"
    return say.text(key, fact=fact, person=item.person, teller=item.teller)


def status(report: Report, say: Messages) -> str:
    """The whole answer."""
    lines = [say.text("status.title", version=report.version), say.text(f"status.{report.state}")]
    for each in report.problems:
        why = say.text(f"problem.{each.rule}", **each.values) if each.rule else each.why
        of = {STORE: "store", "": "whole"}.get(each.key, "setting")
        key = say.text(f"status.of_{of}", name=say.setting(each.key))
        lines.append(say.text("status.problem", key=key, why=why))
    lines += [say.text("status.failures", count=sum(report.failures.values()))] if report.failures else []
    if report.counts:
        figures = _figures(report.counts, say)
        lines.extend(say.text(f"status.{key}", **values) for when, key, values in figures if when)
    return "\n".join(lines)


def _figures(counts: Counts, say: Messages) -> Iterator[tuple[object, str, dict[str, str | float]]]:
    """Whether a line is told, its text and what stands in it."""
    statuses = {status.value: counts.items.get(status.value, 0) for status in Status}
    failed, error = counts.events.get("failed", 0), counts.embedding_error
    provider = "chat_provider_out" if counts.outages else "chat_provider"
    next_at = counts.next_reading_at
    model, not_all = counts.embedding_model, counts.embedded < counts.embeddable

    yield counts.read_only, "read_only", {}
    yield True, "mode", {"mode": say.text(f"mode.{counts.mode}")}
    yield counts.unknown_tools, "unknown_tools", {"names": ", ".join(counts.unknown_tools)}
    yield counts.memory_plugins, "memory_plugins", {"names": ", ".join(counts.memory_plugins)}
    yield counts.paused_people, "paused_people", {"count": counts.paused_people}
    yield counts.paused_groups, "paused_groups", {"count": counts.paused_groups}
    yield True, "counts", {**statuses}
    yield counts.waiting, "pending", {**statuses, "count": counts.waiting}
    for reason, count in sorted(counts.waiting_reasons.items(), key=lambda entry: -entry[1]):
        yield count, "pending_reason", {"count": count, "reason": say.rule(reason)}
    yield counts.waiting_expire_soon, "pending_expire", {"count": counts.waiting_expire_soon}
    yield True, "events", {"waiting": counts.events.get("pending", 0)}
    key = "next_reading_spent" if next_at and is_for_tokens(next_at) else "next_reading"
    yield next_at, key, {"at": say.instant(next_at) if next_at else ""}
    yield failed, "failed", {"count": failed}
    yield counts.passed_over, "passed_over", {"count": counts.passed_over}
    when = say.instant(counts.last_error_at) if counts.last_error_at else ""
    yield counts.last_error, "last_error", {"error": say.rule(counts.last_error), "when": when}
    yield True, provider if counts.chat_provider else "no_chat_provider", {}
    yield True, "tokens", {"spent": counts.tokens_today, "cap": counts.token_cap, "calls": counts.calls_today}
    yield counts.recall_log, "recalls", {"count": counts.recalls, "empty": counts.recalls_empty}
    yield True, "embedding" if model else "no_embedding", {"provider": model or ""}
    yield model and not_all, "embedded", {"done": counts.embedded, "total": counts.embeddable}
    yield counts.not_embeddable, "not_embeddable", {"count": counts.not_embeddable, "error": error}
    yield error and not counts.not_embeddable, "embedding_error", {"error": error}
