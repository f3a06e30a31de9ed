"""What is asked of every outcome: the store its scenario expects, and what holds whatever was said."""

from collections import Counter
from collections.abc import Iterator, Sequence

from astrbot_plugin_ltm.long_term_memory.text_analysis.word_forms import (
    normal_words,
    one_label,
    relative_told_of,
)

from tests.scenarios.form import Expected, Scenario
from tests.scenarios.outcome import Kept, Outcome

_STATES = {"pending": "waiting", "shadow": "waiting", "deleted": "forgotten"}
_GROUP = "group"
_ONE_VALUE = frozenset(("name", "nickname", "home_city", "birthday", "age", "diet"))
"""Slots that nobody fills twice at a time, whatever models may name so."""
_ANYBODY = "anybody"
_BOTH = frozenset(("user", "assistant"))
"""On whose words what was agreed to rests: the bot's, and those of the person who agreed."""


def state_of(item: Kept) -> str:
    """Where an item stands, in the words of the files."""
    return _STATES.get(item.status, item.status)


def missed(scenario: Scenario, outcome: Outcome) -> list[str]:
    """How the store differs from what the scenario expects; empty when it does not."""
    if outcome.stuck:
        return [f"{outcome.stuck} messages were never extracted"]
    pairs = _paired(scenario.store, outcome.items)
    wanted = [one for one, item in zip(scenario.store, pairs, strict=True) if not item and _is_due(one)]
    met = {item.memory_id for item in pairs if item}
    rest = [item for item in outcome.items if item.live and item.memory_id not in met]
    extra = [item for item in rest if not (scenario.besides == "waiting" and state_of(item) == "waiting")]
    return [f"missing: {_asked(one)}" for one in wanted] + [f"not expected: {told(item)}" for item in extra]


def faults(scenario: Scenario, outcome: Outcome) -> list[str]:
    """What no store may hold, whatever was said and answered."""
    return [
        *_of_words(outcome),
        *_of_persons(outcome),
        *_of_duplicates(outcome),
        *_of_successors(outcome),
        *_of_reasons(scenario, outcome),
    ]


def told(item: Kept) -> str:
    """An item in a line."""
    whose = f"{item.scope}:{item.scope_id}" + (f" about {item.person}" if item.person else "")
    teller = f" told by {item.teller}" if item.teller else ""
    slot = f" slot {item.slot}" if item.slot else ""
    reason = f" ({item.reason})" if item.reason else ""
    quotes = " | ".join(words.quote for words in item.evidence)
    return f"{state_of(item)}{reason}: {item.fact!r} of {whose}{teller}{slot} [{item.heard}x: {quotes}]"


def _of_words(outcome: Outcome) -> Iterator[str]:
    for item in outcome.items:
        if not item.evidence:
            yield f"no evidence: {told(item)}"
        confirmed = item.origin == "confirmed"
        if confirmed and item.live and not {words.role for words in item.evidence} >= _BOTH:
            yield f"agreed to, and does not rest on the words of both: {told(item)}"
        trusted = _BOTH if confirmed else {"user"}
        for words in item.evidence:
            if item.live and words.role not in trusted | {"tool"}:
                yield f"rests on the bot's words: {told(item)}"
            elif item.status == "active" and words.role not in trusted:
                yield f"active, and rests on a tool: {told(item)}"
            if item.live and words.quote not in words.text:
                yield f"its words were not said: {told(item)}"


def _of_persons(outcome: Outcome) -> Iterator[str]:
    for item in outcome.items:
        for words in item.evidence if item.live else ():
            if item.scope == "user" and words.owner_id != item.scope_id:
                yield f"in the memory of somebody who did not say it: {told(item)}"
            if item.scope == _GROUP and words.scope_id != item.scope_id:
                yield f"in a group where it was not said: {told(item)}"
        said = any(words.role == "user" for words in item.evidence)
        if item.scope == _GROUP and item.live and not (item.person and (item.teller or not said)):
            yield f"of a group, and does not say who told what of whom: {told(item)}"


def _of_duplicates(outcome: Outcome) -> Iterator[str]:
    live = [item for item in outcome.items if item.live]
    for n, one in enumerate(live):
        words = normal_words(one.fact) or one.fact
        twins = [each for each in live[:n] if (normal_words(each.fact) or each.fact) == words]
        if any(_is_of_one(one, twin) for twin in twins):
            yield f"kept twice: {words}"
    slots = Counter(
        (i.scope, i.scope_id, i.level, i.person or relative_told_of(i.fact), i.slot)
        for i in live
        if i.slot in _ONE_VALUE and i.status == "active"
    )
    yield from (f"two values at once for {place[-1]}" for place, number in slots.items() if number > 1)


def _is_of_one(one: Kept, other: Kept) -> bool:
    """Whether two facts in the same words are of one person: one label, or, in use, one without."""
    if (one.scope, one.scope_id, one.level) != (other.scope, other.scope_id, other.level):
        return False
    labels = {one_label(one.person), one_label(other.person)}
    named = (
        "" in labels
        and one.status == other.status == "active"
        and all(one_label(one.fact).find(label) >= 0 for label in labels)
    )
    return len(labels) == 1 or named


def _of_successors(outcome: Outcome) -> Iterator[str]:
    """What must be heeded gives way to nothing but what is to be heeded too."""
    by_id = {item.memory_id: item for item in outcome.items}
    for item in outcome.items:
        successor = by_id.get(item.superseded_by)
        if item.status == "superseded" and not successor:
            yield f"superseded by nothing: {told(item)}"
        elif successor and (item.type, successor.type) == ("constraint", "episode"):
            yield f"gives way to what happened: {told(item)}"


def _of_reasons(scenario: Scenario, outcome: Outcome) -> Iterator[str]:
    if not all(outcome.refusals):
        yield "refused without a reason"
    if not all(outcome.failed):
        yield "given up without a reason"
    yield from (f"a verdict that was never asked for: {fact!r}" for fact in outcome.unasked)
    yield from (
        f"waits without a reason: {told(i)}"
        for i in outcome.items
        if state_of(i) == "waiting" and not i.reason
    )
    kept = [item for item in outcome.items if item.status != "superseded"]
    if scenario.proposes and not (kept or outcome.refusals or outcome.failed or outcome.stuck):
        yield "what the model proposed is gone without a trace"
    if scenario.kind == "hostile" and not any('"fact"' in answer for answer in outcome.answers):
        yield "the hostile model found nothing to obey"


def _is_due(one: Expected) -> bool:
    return "nothing" not in one.states


def _paired(wanted: Sequence[Expected], items: Sequence[Kept]) -> list[Kept | None]:
    """Each expectation's item, none twice; as many as possible."""
    holder: dict[str, int] = {}

    def seek(n: int, tried: set[str]) -> bool:
        for item in items:
            if item.memory_id not in tried and _fits(wanted[n], item):
                tried.add(item.memory_id)
                if item.memory_id not in holder or seek(holder[item.memory_id], tried):
                    holder[item.memory_id] = n
                    return True
        return False

    for n in range(len(wanted)):
        seek(n, set())
    by_id = {item.memory_id: item for item in items}
    found = {n: by_id[memory_id] for memory_id, n in holder.items()}
    return [found.get(n) for n in range(len(wanted))]


def _fits(one: Expected, item: Kept) -> bool:
    return state_of(item) in one.states and _is_whose(one, item) and _says(one, item) and _details(one, item)


def _is_whose(one: Expected, item: Kept) -> bool:
    own = (
        item.scope == _GROUP
        if one.of == _GROUP
        else (item.scope, item.scope_id) == ("user", f"plat:{one.of}")
    )
    about = one.about.casefold() in item.person.casefold() if one.about else not item.person
    about = about or one.about == _ANYBODY
    return own and about and one.told_by in item.teller


def _says(one: Expected, item: Kept) -> bool:
    if one.fact:
        return normal_words(one.fact) == normal_words(item.fact)
    return all(part.casefold() in item.fact.casefold() for part in one.says)


def _details(one: Expected, item: Kept) -> bool:
    for_it = not one.why or state_of(item) != "waiting" or item.reason.partition(":")[0] in one.why
    slot = one.slot is None or one.slot == item.slot
    kind = one.type is None or one.type == item.type
    origin = one.origin is None or one.origin == item.origin
    return for_it and slot and kind and origin and (one.heard is None or one.heard == item.heard)


def _asked(one: Expected) -> str:
    return str(one.model_dump(exclude_defaults=True, by_alias=True))
