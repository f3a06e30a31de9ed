"""The benchmarks of reading on made-up talk: what they measure is right, and they still run."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.at_once import question_vector
from benchmarks.bulk import Texts, stored, vectors
from benchmarks.datasets import ADVERSARIAL, as_facts, locomo, memdaily
from benchmarks.embedders import RememberingEmbedder, Vectors
from benchmarks.figures import flat, report
from benchmarks.floor import Floor
from benchmarks.measures import Asked, figures_of
from benchmarks.recall import measure
from benchmarks.silence import measure as measure_silence
from benchmarks.timing import Measuring, alone, cold, in_turn, memory_of, prepared, ratio, summaries

LOCOMO = [
    {
        "sample_id": "talk",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a greyhound called Biscuit!"},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Look at my boat", "blip_caption": "a red boat"},
            ],
            "session_2_date_time": "9:00 am on 1 June, 2023",
            "session_2": [
                {"speaker": "Ben", "dia_id": "D2:1", "text": "I failed the driving test on Monday"}
            ],
        },
        "observation": {
            "session_1_observation": {
                "Ann": [["Ann adopted a greyhound called Biscuit.", "D1:1"]],
                "Ben": [["Ben owns a red boat.", ["D1:2"]], ["Ben is tall.", "D9:9"]],
            },
            "session_2_observation": {"Ben": [["Ben failed the driving test.", "D2:1"]]},
        },
        "qa": [
            {"question": "Which greyhound did Ann adopt? ", "evidence": ["D1:1"], "category": 4},
            {"question": "What about Ben's boat and test?", "evidence": ["D1:2", "D2:1"], "category": 1},
            {"question": "When did Ann sell the boat?", "evidence": ["D1:2"], "category": 5},
            {"question": "Where is it?", "evidence": ["D:nowhere"], "category": 4},
        ],
    }
]
MEMDAILY = {
    "noise": ["王芳喜欢集邮。", "李雷的手机是黑色的。", "赵敏今年三十岁。"],
    "trajectories": [
        {
            "kind": "simple",
            "message_list": [
                {"mid": 0, "message": "我同事的老家是成都的。", "time": "2024年04月01日 周一 08:03"},
                {"mid": 1, "message": "我舅妈今年45岁。", "time": "2024年04月03日 周三 07:15"},
            ],
            "question_list": [
                {"question": "同事老家在哪？", "target_step_id": [0], "time": "2024年04月08日 周一 10:12"}
            ],
        }
    ],
}


def written(folder: Path, value: object) -> Path:
    file = folder / "data.json"
    file.write_text(json.dumps(value), "utf-8")
    return file


def asked(*found: str, answered_by: str = "ab", category: str = "1") -> Asked:
    results = [frozenset(each) for each in found]
    return Asked(
        category=category,
        answered_by=frozenset(answered_by),
        found=results,
        blocks={"recall_800": results[:1]},
    )


class Letters:
    """A model whose vectors say which letters a text has."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        return np.array([[1.0, *(text.count(each) for each in "etaoin")] for text in texts], np.float32)

    def questions(self, texts: Sequence[str]) -> Vectors:
        return -self.passages(texts)


def test_a_conversation_becomes_a_pool_with_facts_on_turns(tmp_path: Path) -> None:
    (pool,) = locomo(written(tmp_path, LOCOMO))
    assert [(turn.id, turn.session, turn.at.month) for turn in pool.messages] == [
        ("D1:1", 1, 5),
        ("D1:2", 1, 5),
        ("D2:1", 2, 6),
    ]
    assert pool.messages[1].text == "Look at my boat [image: a red boat]"
    assert [(fact.person, fact.covers) for fact in pool.facts] == [
        ("Ann", {"D1:1"}),
        ("Ben", {"D1:2"}),
        ("Ben", {"D2:1"}),
    ]
    assert [question.category for question in pool.questions] == ["4", "1", "5"]
    assert all(question.at == pool.messages[-1].at for question in pool.questions)


def test_a_rival_without_a_transcript_keeps_the_turns_as_facts(tmp_path: Path) -> None:
    (pool,) = map(as_facts, locomo(written(tmp_path, LOCOMO)))
    assert [fact.covers for fact in pool.facts] == [{"D1:1"}, {"D1:2"}, {"D2:1"}]
    assert pool.facts[2].text == "Ben: I failed the driving test on Monday"


def test_a_trajectory_is_filled_up_with_the_noise_of_others(tmp_path: Path) -> None:
    (pool,) = memdaily(written(tmp_path, MEMDAILY), size=4)
    assert len(pool.facts) == 4
    assert {"0", "1"} < {message.id for message in pool.messages}
    assert [message.at for message in pool.messages] == sorted(message.at for message in pool.messages)
    assert pool.questions[0].answered_by == {"0"}


def test_a_time_in_another_form_is_refused(tmp_path: Path) -> None:
    raw: Any = json.loads(json.dumps(MEMDAILY))
    raw["trajectories"][0]["message_list"][0]["time"] = "yesterday"
    with pytest.raises(ValueError, match="yesterday"):
        memdaily(written(tmp_path, raw))


def test_recall_is_the_share_of_what_answers_that_the_best_results_cover() -> None:
    figures = figures_of([asked("x", "a", "x", "x", "x", "b")])
    assert (figures["recall@5"], figures["recall@10"], figures["mrr"], figures["recall_800"]) == (
        0.5,
        1,
        0.5,
        0,
    )


def test_a_category_can_stand_apart_from_the_mean() -> None:
    figures: Any = figures_of([asked("ab"), asked(category=ADVERSARIAL)], apart=ADVERSARIAL)
    assert (figures["n"], figures["recall@5"]) == (1, 1)
    assert figures["by_category"][ADVERSARIAL] == {
        "n": 1,
        "recall@5": 0,
        "recall@10": 0,
        "recall@15": 0,
        "mrr": 0,
        "recall_800": 0,
    }
    assert figures_of([]) == {"n": 0, "by_category": {}}


def test_a_text_is_embedded_once_and_a_question_as_a_question() -> None:
    embedder = RememberingEmbedder("letters", Letters(), ["tea?"])
    told, question = embedder.vectors(["tea", "tea?"])
    assert (told == -question).all()
    assert (embedder.vectors(["tea?"])[0] == question).all()


async def test_an_embedder_is_idle_once_nobody_asks_any_more() -> None:
    embedder = RememberingEmbedder("letters", Letters(), [])
    assert await embedder.embed(["tea"]) == [[1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]]
    await embedder.idle()


def test_figures_are_printed_flat_and_written_as_they_are(tmp_path: Path) -> None:
    figures = {"a": {"b": 1, "name": "x"}, "c": 0.5}
    report(figures, tmp_path / "figures.json")
    assert dict(flat(figures)) == {"a b": 1, "c": 0.5}
    assert json.loads((tmp_path / "figures.json").read_text("utf-8")) == figures


async def test_recall_goes_through_the_plugin(tmp_path: Path) -> None:
    sets = {
        "locomo_facts": locomo(written(tmp_path, LOCOMO)),
        "memdaily": memdaily(written(tmp_path, MEMDAILY), size=4),
    }
    figures: Any = await measure(sets, "none", None, tmp_path)
    assert figures["foreign"] == 0
    assert figures["locomo_facts"]["n"] == 2
    assert figures["locomo_facts"]["recall@15"] == 1
    assert figures["locomo_facts"]["recall_800"] == 1
    assert figures["locomo_transcript"]["recall@15"] == 1
    assert figures["memdaily"]["recall@5"] == 1
    assert figures["locomo_transcript"]["n"] == 2
    assert figures["locomo_transcript"]["recall@15"] == 1
    assert figures["locomo_transcript"]["recall_800"] == 1


async def test_silence_counts_what_a_question_brings(tmp_path: Path) -> None:
    figures: Any = await measure_silence(tmp_path, "none", 20, show=True)
    assert figures["near_duplicates"]["n"] == 120
    assert figures["gate"]["zh"]["related"] == figures["gate"]["en"]["unrelated"] == 30
    assert figures["gate"]["en"]["related_injected"] > figures["gate"]["en"]["unrelated_injected"]


async def test_a_filled_store_is_recalled_from_and_timed_beside_the_floor(tmp_path: Path) -> None:
    await stored(tmp_path / "bulk.db", {"p0": 30, "p1": 5})
    measuring = Measuring(3, 1)
    first = await cold(tmp_path / "bulk.db", ["p0", "p1"], measuring, "cold")
    floor = Floor(tmp_path / "floor.db", Texts(0).questions(30), vectors(30))
    async with memory_of(tmp_path / "bulk.db") as memory:

        async def ours(question: str) -> float:
            return await prepared(memory, "p0", question)

        async def bare(question: str) -> float:
            return floor.search(question, question_vector())

        taken = await in_turn({"hot": ours, "floor": bare}, 3)
        await alone(ours, measuring, "hot")
    floor.close()
    assert len(first) == 2
    assert ratio(taken["hot"], taken["floor"]) > 0
    assert set(summaries(taken)) == {"hot_median_ms", "hot_p95_ms", "floor_median_ms", "floor_p95_ms"}
    assert set(measuring.stalls) == {"cold", "hot"}
