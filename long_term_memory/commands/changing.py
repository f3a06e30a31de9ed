"""`add`, `forget`, `undo`, `share`, `unshare` and `erase`. What nobody can undo is asked for twice."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from ..domain.enums import LIVE_STATUSES, WAITING, Audience, MemoryType, Scope, Status
from ..domain.errors import NotFoundError
from ..domain.memory import Item
from ..manager import LTMManager
from ..manager.confirmation_codes import CONFIRM_LENGTH, CONFIRM_LIFE
from ..manager.erasing import Erased
from ..manager.sharing import NotSharedError
from ..manager.undo import UNDO_FOR
from ..messages import TYPED, Messages
from ..policies.slots import same_question
from ..text_analysis.quotes import MAX_QUOTE
from ..text_analysis.word_forms import simplified
from ..write.tool_save import Saved
from .accounts import pause_or_resume
from .command import MAX_NAMED, SHORT_ID, Command, UsageError, facts_of, refuse_while_read_only, short

_UNFINISHED = re.compile(TYPED.text("unfinished"), re.IGNORECASE)
"""A sentence that breaks off, or none at all: "I am", "me"."""
_EVERYTHING = re.compile(TYPED.text("everything"), re.IGNORECASE)
_SECONDS = int(CONFIRM_LIFE.total_seconds())
_WITH_CODE = re.compile(rf"(.+?)(?:\s+(\d(?:\s*\d){{{CONFIRM_LENGTH - 1}}}))?")
"""An account, which may hold blanks, and the code after it."""
_THAT = re.compile(r"that (?=(i|i'm|i've|i'll|my|we|we're|our|you|your|he|she|they|there)\b)", re.IGNORECASE)
"""How a sentence begins that was asked for: "remember that my ..."."""
_QUOTED = re.compile(r"""\A["“”„「『]([^"“”「」『』]+)["”“」』]\Z""")
"""A fact between quotation marks: they are none of it."""
_SAFETY = re.compile(TYPED.text("safety"), re.IGNORECASE)
"""In a memory of any type: what a correction does not drop, an allergy or the like."""
MINUTES = int(UNDO_FOR.total_seconds() / 60)


async def add(manager: LTMManager, command: Command) -> str:
    """`add <fact>`, `correct <id> <fact>`: keep it in the person's own words, and forget what it corrects."""
    fact = " ".join(command.argument.split())
    if (is_question := fact.endswith(("?", "？"))) or _UNFINISHED.fullmatch(simplified(fact)):
        return command.say.text("add.question" if is_question else "add.unfinished", fact=fact)
    if fact.strip("#.。第条号").isdecimal():
        return command.say.text("add.number", fact=fact)
    fact = _QUOTED.sub(r"\1", fact)
    fact = fact.removeprefix(found[0]) if (found := _THAT.match(fact)) else fact
    if len(fact) > MAX_QUOTE:
        return command.say.text("add.too_long", length=len(fact), most=MAX_QUOTE)
    old = None
    with suppress(NotFoundError):  # it may be gone
        old = await manager.own_item(command.chat, *command.ids) if command.ids else None
    message = object()  # with what it corrects one step of undoing
    saved = await manager.save(
        command.chat,
        fact=fact,
        said=command.said,
        message_id=command.message_id,
        kind="correct" if command.ids else "note",
        message=message,
    )
    say, item = command.say, saved.item
    key = "add.known" if saved.known else "add.saved"
    key = key if item.status is Status.ACTIVE else "add.pending"
    lines = [say.text(key, fact=item.fact, id=short(item))]
    lines += [say.text("add.replaces", facts=facts_of(saved.replaced, say))] if saved.replaced else []
    if old and item.status is Status.ACTIVE:  # until then it serves
        with suppress(NotFoundError):
            lines += await _forget_corrected(manager, command, saved, old, message)
    before = {one.audience for one in (*saved.replaced, old or item)}
    if item.status is Status.ACTIVE and item.audience is not Audience.EVERYWHERE in before:
        lines.append(say.text("add.unshared", id=short(item)))
    lines += await beside(manager, command, [item] if item.status is Status.ACTIVE else [])
    if not command.chat.private:
        lines.append(say.text("add.shared" if item.audience is Audience.EVERYWHERE else "add.in_group"))
    return "\n".join(lines)


async def beside(manager: LTMManager, command: Command, items: Sequence[Item]) -> list[str]:
    """The other answers that stay in use in other chats, a line each."""
    others = await manager.used_beside(command.chat, items)
    return [command.say.text("add.beside", fact=other.fact, id=short(other)) for other in others]


async def _forget_corrected(
    manager: LTMManager, command: Command, saved: Saved, old: Item, message: object
) -> list[str]:
    """Forget the memory that was named, but no group's, and no constraint for what may be none."""
    item = saved.item
    is_over = old.memory_id in {item.memory_id, *(one.memory_id for one in saved.replaced)}
    if is_over or old.fact_key == item.fact_key:  # the same words at another level are one memory
        return []
    is_safety = old.type is MemoryType.CONSTRAINT or bool(_SAFETY.search(old.fact))
    is_other = is_safety and item.type is not MemoryType.CONSTRAINT and not same_question(item, old)
    if is_other or old.owner.scope is Scope.GROUP:
        return [command.say.text("add.other", fact=old.fact, id=short(old))]
    lines = [await forget(manager, command, message=message)]
    command.listed.corrected[old.memory_id] = item.memory_id
    return lines


async def present(manager: LTMManager, command: Command, memory_id: str) -> Item | None:
    """The memory of this id, or what has replaced or corrected it since; None if that is gone."""
    trail = [memory_id]
    for each in trail:  # which grows
        later = command.listed.corrected.get(each)
        with suppress(NotFoundError):  # what was forgotten is not found
            item = await manager.own_item(command.chat, each)
            if item.status in LIVE_STATUSES:
                return item
            later = item.superseded_by or later
        trail += [later] if later and later not in trail else []
    return None


async def forget(manager: LTMManager, command: Command, *, message: object = None) -> str:
    """`forget <id|number|words>`, several numbers too. `forget all`: everything."""
    if of_everything(command):
        return await forget_all(manager, command)
    say, (gone, replaced) = command.say, await manager.forget(command.chat, *command.ids, message=message)
    # Of a correction the last line tells it.
    key = "forget.done" if message is None else "undo.forgotten"
    lines = [say.text(key, fact=facts_of(gone, say), minutes=MINUTES)]
    found = {item.memory_id for item in gone}
    lines += await _missing(manager, command, [each for each in command.ids if each not in found])
    lines += [say.text("forget.replaced", facts=facts_of(replaced, say))] if replaced else []
    return "\n".join(lines)


async def undo(manager: LTMManager, command: Command) -> str:
    """`undo`: take back what was forgotten, accepted, shared, noted, paused or resumed last."""
    say, undone = command.say, await manager.undo(command.chat)
    lines = [await pause_or_resume(manager, command, undoing=undone.switched)] if undone.switched else []
    changed = {"undo.forgotten": undone.forgotten, "undo.kept": undone.waiting, "undo.done": undone.restored}
    facts = [(key, facts_of(items, say)) for key, items in changed.items() if items]
    again = " ".join(map(short, undone.waiting))
    if len(undone.waiting) > MAX_NAMED:
        every = {one.memory_id for one in (await manager.own_waiting(command.chat)).undisputed}
        again = say.text("word.all") if every == {one.memory_id for one in undone.waiting} else again
    lines += [say.text(key, fact=fact, id=again) for key, fact in facts]
    for item, is_taken, other in undone.kept:
        key = "undo.taken" if other else "undo.taken_hidden" if is_taken else "undo.changed"
        key = "undo.taken_same" if other and other.fact == item.fact else key
        lines.append(say.text(key, fact=item.fact, other=other.fact if other else ""))
    for item in undone.sharing:
        key = "unshare.done" if item.audience is Audience.EVERYWHERE else "share.done"
        lines.append(say.after(say.text("undo.switched"), say.text(key, fact=item.fact, id=short(item))))
    lines += [say.text("undo.erased", count=undone.erased)] if undone.erased else []
    lines += [say.text("undo.opted_out")] if undone.opted_out else []
    if undone.following:
        kind, items = undone.following
        lines.append(say.text("undo.following", what=say.text(f"step.{kind}", facts=facts_of(items, say))))
    none = ["undo.none" if command.chat.private else "undo.none_here"]
    none += ["undo.none_admin"] if command.admin else []
    return "\n".join(lines or [say.text(key, minutes=MINUTES) for key in none])


async def share(manager: LTMManager, command: Command) -> str:
    """`share <id>`, several too: use it everywhere; `unshare <id>`: in private and where it was said."""
    say, lines, missing, message = command.say, list[str](), list[str](), object()
    for memory_id in command.ids:
        try:
            on = command.name == "share"
            item = await manager.sharing.own(command.chat, memory_id, on=on, message=message)
            key = f"{command.name}.done"
        except NotSharedError as refused:
            if refused.item is None:
                raise
            item, key = refused.item, f"not_shared.{refused.why}"
        except NotFoundError:
            missing.append(memory_id)
            if len(missing) == len(command.ids):
                raise
            continue
        reason = [say.rule(item.reason).rstrip(".。")] if item.status in WAITING and item.reason else []
        status = say.joined([say.text(f"item_status.{item.status}"), *reason])
        lines.append(say.text(key, fact=item.fact, id=short(item), status=status))
        if key == "not_shared.not_in_use" and item.status in WAITING:
            lines.append(say.text("not_shared.accept", id=short(item)))
        lines += (await replaced_since(manager, command, [memory_id])).values()
    return "\n".join((*lines, *await _missing(manager, command, missing)))


async def replaced_since(manager: LTMManager, command: Command, ids: Sequence[str]) -> Mapping[str, str]:
    """Of which of these another memory has the place by now: a line each, with the way on."""
    say, lines, numbers = command.say, dict[str, str](), {each: n for n, each in command.listed.items()}
    for memory_id in ids:
        item = await present(manager, command, memory_id)
        if item and item.memory_id != memory_id:
            places = {"number": numbers.get(memory_id, memory_id[:SHORT_ID]), "id": short(item)}
            lines[memory_id] = say.text("forget.moved", **places, fact=item.fact, command=command.shown)
    return lines


async def _missing(manager: LTMManager, command: Command, ids: Sequence[str]) -> Sequence[str]:
    """That these are gone: what has replaced each, and the numbers of the others in the list."""
    lines = await replaced_since(manager, command, ids)
    left = {*ids}.difference(lines)
    numbers = [str(number) for number, each in command.listed.items() if each in left]
    gone = command.say.text("forget.missing", numbers=command.say.joined(numbers, short=True))
    return [*lines.values(), *([gone] if numbers else [])]


async def forget_all(manager: LTMManager, command: Command) -> str:
    """`forget all` gives a code, `forget all <code>` erases all that is kept of the speaker."""
    say = command.say
    if not command.chat.private:
        return say.text("error.private_only", command=f"{command.shown} {say.text('word.all')}")
    refuse_while_read_only(manager)
    asked = _EVERYTHING.fullmatch(command.argument)
    erased = partial(manager.erasing.own, command.chat)
    texts = ("forget.all_ask", "forget.all_wrong_code", "forget.all_done")
    return await _erased_by_code(command, "forget all", (asked and asked["code"]) or "", erased, texts)


async def erase(manager: LTMManager, command: Command) -> str:
    """`erase <platform:user>` gives a code; with it, all that is kept of that account is erased."""
    found = _WITH_CODE.fullmatch(command.argument)
    named, code = found.groups(default="") if found else ("", "")
    account = named.replace("：", ":")
    if not all(account.partition(":")):
        raise UsageError
    if not await manager.erasing.knows(account):
        return command.say.text("erase.unknown", account=account)
    erased = partial(manager.erasing.of, account, actor=command.operator)
    texts = ("erase.ask", "erase.wrong_code", "erase.done")
    return await _erased_by_code(command, f"erase {account}", code, erased, texts, account=account)


async def _erased_by_code(
    command: Command,
    what: str,
    code: str,
    erase: Callable[[], Awaitable[Erased]],
    texts: tuple[str, str, str],
    **of: str,
) -> str:
    """A code for what is asked for; with that code it is done."""
    (ask, wrong, done), say, confirming = texts, command.say, command.confirming
    if not code:
        return say.text(ask, **of, code=confirming.ask(command.chat, what), seconds=_SECONDS)
    if not confirming.confirmed(command.chat, what, code):
        return say.text(wrong, **of, seconds=_SECONDS)
    erased = await erase()
    done = done if erased.items or erased.events or erased.snapshots else "forget.nothing"
    done_line = say.text(done, **of, items=erased.items, events=erased.events)
    return "\n".join((done_line, *what_is_left(erased, say)))


def what_is_left(erased: Erased, say: Messages) -> Iterator[str]:
    """What an erasure took along, and did not reach, or not yet, a line each."""
    if erased.snapshots:
        yield say.text("erased.snapshots", snapshots=erased.snapshots)
    if not erased.overwritten:
        yield say.text("erased.later")
    yield say.text("erased.host_copy")


def of_everything(command: Command) -> bool:
    """Whether it is `forget`, meant for everything: behind the word stands a code or nothing."""
    return command.name == "forget" and _EVERYTHING.fullmatch(command.argument) is not None
