"""Of somebody of whom little is known, all of it comes with a question, but for what is private."""

from collections.abc import Callable, Mapping

import pytest

from tests.host.harness.asking import block_given
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel

type Newcomer = Callable[[str], Person]


@pytest.mark.parametrize(
    ("facts", "asked", "code", "others"),
    [
        (
            {
                "User owns a rowing boat": "profile",
                "User collects stamps": "profile",
                "User's bank account number ends in 5518": "profile",
                "User had the roof mended": "episode",
                "User must not lift anything heavy": "constraint",
                "User has to send the photos to the embassy": "task_state",
                "User told nobody about the surprise party": "constraint",
            },
            "Which boat of mine is it, and is there anything that I forget?",
            "5518",
            ("Which account number did I give you?", "Who knows of the surprise party?", "dinner ideas?"),
        ),
        (
            {
                "用户有一条划艇": "profile",
                "用户收集邮票": "profile",
                "用户的银行卡号尾号是5518": "profile",
                "用户请人修好了屋顶": "episode",
                "用户不能提重物": "constraint",
                "用户要把照片寄给使馆": "task_state",
                "用户瞒着家人准备惊喜派对": "constraint",
            },
            "我的划艇是哪一条？我还忘了什么吗？",
            "5518",
            ("我告诉过你的卡号是多少？", "惊喜派对我瞒着谁？", "周末去哪玩好呢"),
        ),
    ],
    ids=["en", "zh"],
)
def test_the_rest_of_a_small_memory_comes_along_what_is_to_be_heeded_first_and_what_is_private_when_asked(
    spare_host: Host,
    model: ScriptedModel,
    newcomer: Newcomer,
    facts: Mapping[str, str],
    asked: str,
    code: str,
    others: tuple[str, str, str],
) -> None:
    host, person, said = spare_host, newcomer("Ines"), ". ".join(facts)
    found = [
        {"type": kind, "fact": fact, "fact_key": fact, "confidence": 0.9, "importance": 0.5, "quote": fact}
        for fact, kind in facts.items()
    ]
    model.extraction.always(lambda request: found if said in request.prompt else [])
    host.say(person, said)
    host.memories.wait_for(person, *facts)
    host.new_conversation(person)
    block = block_given(host, model, person, asked)
    boat, stamps, _, roof, heavy, photos, secret = facts
    given = sorted((boat, stamps, roof, heavy, photos), key=block.find)
    assert (given[0], {*given[1:3]}) == (boat, {heavy, photos})
    assert all(fact in block for fact in given)
    assert code not in block
    assert secret not in block
    of_code, of_secret, advice = (block_given(host, model, person, each) for each in others)
    assert code in of_code
    assert secret in of_secret
    assert (roof in advice, photos in advice, code in advice) == (True, True, False)
