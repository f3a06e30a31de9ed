"""`list`, `search` and `keep`: one's own memories as numbered lists, and accepting pending ones."""

import re
from collections.abc import Sequence
from itertools import count

from ..access.persons import is_of_group
from ..domain.enums import LISTED_TYPES, Audience, ListedType, Scope, Status
from ..domain.memory import Item, Page
from ..manager import LTMManager
from ..manager.own_memories import AcceptResult, OwnWaiting
from ..manager.status import Unread
from ..messages import ARGUMENTS, Messages
from ..policies.token_cap import is_for_tokens
from ..read.transcript import excerpt
from .changing import beside
from .command import (
    MAX_NAMED,
    PAGE_SIZE,
    SHORT_ID,
    Command,
    UsageError,
    facts_of,
    means_all,
    page_number,
    pages_of,
    short,
    type_of,
)

SUBJECT = re.compile(r"(?:the )?users?|用户", re.IGNORECASE)
"""Whom nearly every memory is about: no search looks for it."""
MAX_IN_GROUP = 64
"""Characters of a fact in a list in a group: there a list is short."""


async def list_own(manager: LTMManager, command: Command) -> str:
    """`list [type] [page]`: one's own memories, last changed first."""
    say = command.say
    kind, page = _list_arguments(command)
    found = await manager.own_items(command.chat, kind=kind, page=page, page_size=PAGE_SIZE)
    called = say.text(f"type.{kind}") if kind else ""
    paused = await manager.paused_by(command.chat)
    unread = unread_line(await manager.unread(command.chat), say, paused=bool(paused))
    if not found.total:
        empty = say.text("list.empty_type", type=called) if kind else say.text("list.empty")
        return "\n".join((*paused_line(paused, say), empty, *unread))
    if page > pages_of(found):
        return say.text("list.no_page", pages=pages_of(found), size=PAGE_SIZE)
    lines = paused_line(paused, say)
    lines += await _page(manager, command, found, of=kind or "", kind=called, page=f"{called} {page + 1}")
    waiting = await manager.own_waiting(command.chat)
    at_once = await manager.keeps_at_once(command.chat, waiting)
    waits = _waits_line(waiting, say, at_once=at_once, read_only=manager.switches.read_only)
    waits = [say.text("waits.of_all_types", waits=line) if kind else line for line in waits]
    return "\n".join((*lines, *unread, *waits))


async def search(manager: LTMManager, command: Command) -> str:
    """`search <words> [page]`: one's own memories, those with most of the words first."""
    words, found = await _found(manager, command)
    if not found.total:
        key = "search.subject" if SUBJECT.fullmatch(words) else "search.none"
        return command.say.text(key, words=words, command=command.shown)
    following = {"words": words, "page": found.page + 1}
    return "\n".join(await _page(manager, command, found, of=words, kind="", **following))


async def keep(manager: LTMManager, command: Command) -> str:
    """`keep <id>` for one pending memory, `keep all` for all whose evidence is not in doubt."""
    say = command.say
    if means_all(command.argument):
        kept, waiting = await manager.keep_all(command.chat)
        others = "keep.none_yours" if waiting.others else "keep.nothing"
        nothing = "keep.none" if waiting.acceptable else others
        done = await _kept(manager, command, kept) or [say.text(nothing)]
        done += [say.text("keep.contested", facts=facts_of(kept.left, say))] if kept.left else []
        more = bool(kept.used) and len(waiting.undisputed) > len(kept.left)
        return "\n".join((*done, *_waits_line(waiting, say, at_once=more)))
    kept, waiting = await manager.keep(command.chat, *command.ids), await manager.own_waiting(command.chat)
    told = await _kept(manager, command, kept)
    return "\n".join((*told, *(_not_kept(item, waiting, say) for item in kept.left)))


async def _kept(manager: LTMManager, command: Command, kept: AcceptResult) -> list[str]:
    say = command.say
    key = "keep.one" if len(kept.used) <= MAX_NAMED else "keep.done"
    lines = [say.text(key, fact=facts_of(kept.used, say), count=len(kept.used))]
    lines += [say.text("add.replaces", facts=facts_of(kept.replaced, say))] if kept.replaced else []
    shared = (one for one in kept.replaced if one.audience is Audience.EVERYWHERE)
    lines += [say.text("add.unshared", id=(one.superseded_by or "")[:SHORT_ID]) for one in shared]
    return [*lines, *await beside(manager, command, kept.used)] if kept.used else []


def _not_kept(item: Item, waiting: OwnWaiting, say: Messages) -> str:
    keys = {Status.ACTIVE: "keep.used", Status.DISABLED: "keep.disabled"}
    reason = admin_reason(item, waiting, say) or say.rule(item.reason)
    return say.text(keys.get(item.status, "keep.admin"), fact=item.fact, reason=reason)


def admin_reason(item: Item, waiting: OwnWaiting, say: Messages) -> str:
    """Why only an admin may accept it; empty where that is not so."""
    rule = waiting.others.get(item.memory_id, "")
    if rule in {"of_group", "about", "not_own"}:
        return say.text(f"keep.{rule}", person=item.person)
    return say.rule(item.reason if rule == "disputed" else rule) if rule else ""


async def numbered(
    manager: LTMManager, command: Command, items: Sequence[Item], *, of: str = "", after: int = 0
) -> list[str]:
    """Number these items; later commands may use the numbers, across all pages of the same list `of`.

    Without `of` it is a question: numbers of the list before it go on to mean what they meant there.
    """
    listed, waiting = command.listed, await manager.own_waiting(command.chat)
    if not listed.of or (of and (not after or listed.of != of)):
        listed.clear()
        listed.corrected.clear()
    listed.of = of or listed.of
    known = {} if of else {memory_id: number for number, memory_id in listed.items()}
    free = count(after + 1 if of else max(listed, default=0) + 1)
    numbers = [known.get(item.memory_id) or next(free) for item in items]
    listed.update((number, item.memory_id) for number, item in zip(numbers, items, strict=True))
    return [_list_line(item, number, command, waiting) for number, item in zip(numbers, items, strict=True)]


def paused_line(rule: str, say: Messages) -> list[str]:
    """That nothing is learnt or recalled, and why; nothing while nobody has paused it."""
    key = "absent.paused_group" if rule == "paused_group" else "absent.paused"
    return [say.text(key, reason=say.rule(rule))] if rule else []


def unread_line(unread: Unread, say: Messages, *, paused: bool) -> list[str]:
    """How much of what the person said is not read yet, and when it will be; nothing when all is."""
    # Without a time it was read just now.
    if not unread.count or (unread.at is None and not (paused or unread.stopped)):
        return []
    if paused or unread.at is None:  # somebody else's words in the chat may be read while one is paused
        return [say.text("unread.paused" if paused else "unread.stopped", count=unread.count)]
    waits = "unread.soon" if unread.soon else "unread.waits"
    key = "unread.spent" if is_for_tokens(unread.at) else waits
    return [say.text(key, count=unread.count, at=say.instant(unread.at))]


async def _page(
    manager: LTMManager, command: Command, found: Page[Item], *, of: str, kind: str, **following: str | int
) -> list[str]:
    """A page of what `list` or `search` found, and how to see the following one."""
    say, pages = command.say, pages_of(found)
    key = "list.header_type" if kind else f"{command.name}.header"
    header = say.text(key, total=found.total, page=found.page, pages=pages, type=kind)
    before = (found.page - 1) * PAGE_SIZE
    lines = await numbered(manager, command, found.rows, of=f"{command.name} {of}", after=before)
    more = [say.text(f"{command.name}.more", **following)] if found.page < pages else []
    return [header, *lines, *more]


def _waits_line(waiting: OwnWaiting, say: Messages, *, at_once: bool, read_only: bool = False) -> list[str]:
    """One line: how much is pending for whom, and whether `keep all` helps; none if nothing is."""
    mine, others = len(waiting.acceptable), len(waiting.others)
    if read_only and mine + others:
        return [say.text("waits.read_only", count=mine + others)]
    if mine:
        how = say.text("waits.at_once" if at_once else "waits.each")
        return [say.text("waits.both" if others else "waits.you", count=mine, others=others, how=how)]
    return [say.text("waits.admin", count=others)] if others else []


def _list_line(item: Item, number: int, command: Command, waiting: OwnWaiting) -> str:
    say, notes = command.say, list[str]()
    if item.status is not Status.ACTIVE:
        notes.append(f"item_status.{item.status}")
        notes += ["list.waits_for_you"] if item in waiting.acceptable else []
    elif item.audience is Audience.EVERYWHERE:
        notes.append("list.shared")
    notes += ["list.groups_own"] if item.owner.scope is Scope.GROUP else []
    notes += ["list.of_group"] if command.chat.private and is_of_group(item.origin_umo) else []
    fact = item.fact if command.chat.private else excerpt(item.fact, (), most=MAX_IN_GROUP)
    values = {"number": number, "id": short(item), "type": type_of(item, say), "fact": fact}
    if not notes:
        return say.text("list.line", **values)
    return say.text("list.line_held", **values, status=say.joined(map(say.text, notes)))


def _list_arguments(command: Command) -> tuple[ListedType | None, int]:
    kinds: dict[str, ListedType] = {each: each for each in LISTED_TYPES}
    kinds |= {command.say.text(f"type.{each}"): each for each in LISTED_TYPES}
    words = [word for word in command.argument.lower().split() if word != "page"]
    numbers = {word: number for word in words if (number := page_number(word))}
    # What lists call a type may have two words.
    name = " ".join(word for word in words if word not in numbers)
    name = ARGUMENTS.get(name, name.removesuffix("s"))
    if name and name not in kinds:
        raise UsageError
    return kinds.get(name), next(iter(numbers.values()), 1)


async def _found(manager: LTMManager, command: Command) -> tuple[str, Page[Item]]:
    """The words and a page of what they find; a trailing number is a page if there is such a page."""
    words = command.argument
    before, _, last = words.rpartition(" ")
    page = page_number(last) or 1
    if before and page > 1:
        found = await manager.search_own(command.chat, before, page=page, page_size=PAGE_SIZE)
        if page <= pages_of(found):
            return before, found
    if not any(char.isalnum() for char in words):
        raise UsageError
    return words, await manager.search_own(command.chat, words, page=1, page_size=PAGE_SIZE)
