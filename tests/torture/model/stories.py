"""What happens to everybody, each with a look at what is promised: played the same in each run."""

from collections.abc import Sequence

from astrbot_plugin_ltm.long_term_memory.domain.enums import Status

from tests.torture.model.facts import Fact
from tests.torture.model.moving import Moving
from tests.torture.model.people import BY_NAME

_ALICE, _ALICIA, _BOB = "alice in private", "alicia in private", "bob in private"
_KITCHEN = "alice in kitchen"


def everyday(trial: Moving) -> None:
    """People say things, again and otherwise, forget some of them, and time passes."""
    trial.talk(_ALICE, ["User lives in Oslo", "User likes green tea"])
    trial.all_is_as_promised()
    trial.talk(_KITCHEN, ["User likes green tea", "User used to row for the county"])
    trial.all_is_as_promised()
    trial.talk(_ALICE, ["User lives in Bergen", "User likes green tea"])
    trial.all_is_as_promised()
    for pick in range(2):
        trial.forget(_KITCHEN, pick)
    trial.all_is_as_promised()
    trial.talk(_KITCHEN, ["User likes green tea", "User used to row for the county"])
    trial.all_is_as_promised()
    trial.tell([(_BOB, "User used to row for the county")])
    trial.pause(_BOB)
    trial.talk(_BOB, ["User is allergic to peanuts", "Eva mends violins"])
    trial.all_is_as_promised()
    trial.resume(0)
    trial.all_is_as_promised()
    trial.pause(_BOB)
    trial.sleep(90)
    trial.all_is_as_promised()


def decisions(trial: Moving) -> None:
    """People and operators decide, one after the other, whatever can be decided."""
    trial.talk(_ALICE, ["User likes green tea", "User is allergic to peanuts", "User bakes 40 loaves a week"])
    trial.all_is_as_promised()
    trial.save(_ALICE, "my bicycle has a blue frame")
    trial.save_under_a_key(_ALICE, "User's dentist is Dr Zhou")
    trial.share(_ALICE, _pick(trial.promise.listed(BY_NAME[_ALICE]), "User likes green tea"))
    trial.all_is_as_promised()
    trial.unshare(_ALICE, 0)
    trial.all_is_as_promised()
    trial.approve(0)
    trial.reword(0, "User has the use of a rowing boat")
    trial.all_is_as_promised()
    trial.switch_off(0)
    trial.bring_back(0)
    trial.delete(0)
    trial.reject(0)
    trial.delete_a_key(_ALICE, "User's dentist is Dr Zhou")
    trial.all_is_as_promised()
    trial.pause_or_resume_a_group(_KITCHEN, rarely=True)
    trial.pause_or_resume_a_group(_KITCHEN, rarely=True)
    trial.turn_read_only(rarely=True)
    trial.all_is_as_promised()
    trial.turn_read_only(rarely=True)


def what_lasts(trial: Moving) -> None:
    """What was decided outlives a reload, another model, an export and an import, until it is taken back."""
    trial.talk(_BOB, ["User lives in Oslo", "User used to row for the county"])
    trial.all_is_as_promised()
    trial.pause(_BOB)
    trial.reload()
    trial.talk(_BOB, ["Eva mends violins"])
    trial.all_is_as_promised()
    trial.resume(0)
    trial.another_embedding_model("second")
    trial.rest()
    trial.all_is_as_promised()
    trial.export()
    trial.import_again(0)
    trial.import_into_another_store(0)
    trial.snapshot()
    trial.restore(0)
    trial.all_is_as_promised()
    trial.join_or_part_accounts()
    trial.talk(_ALICIA, ["User likes green tea"])
    trial.all_is_as_promised()
    trial.join_or_part_accounts()
    trial.talk(_ALICIA, ["User lives in Bergen", "Eva mends violins"])
    trial.all_is_as_promised()
    trial.erase(_BOB)
    trial.all_is_as_promised()


def what_is_refused(trial: Moving) -> None:
    """What is refused is read all the same; the same words about two people are two facts."""
    trial.save_under_a_key(_KITCHEN, "User's locker is 114")
    trial.rest()
    trial.switch_off(0)
    trial.save_under_a_key(_KITCHEN, "User's locker is 117")
    trial.rest()
    trial.all_is_as_promised()
    trial.talk(_ALICE, ["Eva mends violins", "User used to row for the county"])
    trial.all_is_as_promised()
    for _ in range(2):
        trial.reword(0, "User has the use of a rowing boat")
        trial.all_is_as_promised()


def what_comes_back(trial: Moving) -> None:
    """An earlier wording that is said again is no history any more, and has a history of its own."""
    for rejected in (True, False):
        trial.talk(_KITCHEN, ["User used to row for the county"])
        trial.all_is_as_promised()
        trial.reword(0, "User has the use of a rowing boat")
        trial.all_is_as_promised()
        if rejected:
            trial.reject(0)
    over = [one for one in trial.promise.facts if one.status is not Status.ACTIVE]
    trial.bring_back(_pick(over, "User used to row for the county"))
    trial.all_is_as_promised()


STORIES = (everyday, what_lasts, decisions, what_is_refused, what_comes_back)


def _pick(facts: Sequence[Fact], fact: str) -> int:
    return next(at for at, one in enumerate(facts) if one.what.fact == fact)
