"""Everything is embedded anew when the operator changes the embedding model in the dashboard."""

import threading
from collections.abc import Callable
from typing import Any

from tests.host.harness.answers import Answerable, Hold, Say
from tests.host.harness.asking import block_given
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import EMBEDDING_PROVIDER, embedding_provider
from tests.host.harness.vectors import VectorSpace
from tests.host.harness.waiting import wait_for
from tests.hosts import DIMENSION

ADMIN = Person("admin")
FACTS = ("User loves alpinism", "User loves ballet", "User loves chess")

type Newcomer = Callable[[str], Person]


def test_another_model_embeds_all_anew_through_a_reload_while_words_answer(
    spare_host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    host, anna = spare_host, newcomer("Anna")
    old, new = "scripted-embedding/scripted-model", "scripted-embedding/wide"
    for thing in ("alpinism", "ballet", "chess"):
        host.say(anna, f"I love {thing}")
    host.memories.wait_for(anna, *FACTS)
    config, release = embedding_provider(model.endpoint, DIMENSION), threading.Event()
    data(host.dashboard.post("providers", json={"config": config}))
    try:
        host.plugin.reload()
        all_embedded(host, old)
        model.vectors = VectorSpace(dimension=2 * DIMENSION)

        def held_when_old(request: RecordedRequest) -> Answerable:
            return Hold(release, Say("")) if any("love" in text for text in request.embedded) else Say("")

        model.embeddings.always(held_when_old)
        before = len(model.embedded)
        with host.provider_changed(EMBEDDING_PROVIDER, {"embedding_model": "wide"}):
            host.plugin.reload()
            wait_for(lambda: any("alpinism" in text for text in model.embedded[before:]))
            number = health(host)["embeddable"]
            assert (health(host)["embedding_model"], health(host)["embedded"]) == (new, 0)
            assert f"0 of {number}" in host.say(ADMIN, "/ltm status")
            assert FACTS[0] in block_given(host, model, anna, "Alpinism?")
            release.set()
            model.embeddings.reset()
            host.plugin.reload()
            all_embedded(host, new)
            # Housekeeping removes those of the old model at its own time.
            assert tags(host).items() >= dict.fromkeys((new, f"{new}#fact"), number).items()
            assert FACTS[1] in block_given(host, model, anna, "Ballet?")
    finally:
        release.set()
        model.vectors = VectorSpace()
        data(host.dashboard.delete(f"providers/{EMBEDDING_PROVIDER}"))
        host.plugin.reload()


def all_embedded(host: Host, tag: str) -> None:
    """Wait until each memory has its vector of this model."""
    wait_for(lambda: tags(host).get(tag) == health(host)["embeddable"] == health(host)["embedded"])


def health(host: Host) -> dict[str, Any]:
    """With the counts, which are missing while the store does not answer in time."""
    return wait_for(lambda: now if "embeddable" in (now := data(host.plugin.get("health"))) else None)


def tags(host: Host) -> dict[str, int]:
    """How many vectors there are under each tag."""
    rows = host.memories.rows("select model_id, count(*) as number from ltm_vectors group by model_id")
    return {row["model_id"]: row["number"] for row in rows}
