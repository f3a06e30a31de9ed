"""Whatever is sent to the API, it answers as its document says: generated requests, the real dashboard."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# schemathesis's own signatures are only partly typed.

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.plugin_files import REPOSITORY

EXAMPLES = 10
"""Of each route and kind; all of it is to take less than a minute and a half."""
SEED = 20_261_122
CHECKS = [
    # A memory that does not run answers 503; this one runs.
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

type Operation = APIOperation[Any, Any, Any, Any]
type Case = schemathesis.Case[Any]


def _operations() -> Mapping[str, Operation]:
    document: dict[str, Any] = json.loads(
        (REPOSITORY / "dashboard_routes" / "openapi.json").read_text("utf-8")
    )
    # Who is logged in is the host's business: all of it is asked by an operator.
    del document["security"], document["components"]["securitySchemes"]
    results = list(schemathesis.openapi.from_dict(document).get_all_operations())
    found = [result.ok() for result in results if isinstance(result, Ok)]
    assert len(found) == len(results)
    return {operation.label: operation for operation in found}


OPERATIONS = _operations()
KINDS = [
    (label, kind)
    for label, operation in OPERATIONS.items()
    for kind in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    # Where nothing is taken, nothing can be wrong.
    if kind is GenerationMode.POSITIVE or operation.query or operation.body
]


@pytest.fixture(scope="module")
def host(spare_host: Host) -> Iterator[Host]:
    """It is erased, restored and switched about."""
    with spare_host.plugin.configured({}):
        person = Person("kim", "Kim")
        spare_host.say(person, "My name is Kim. I'm allergic to nuts")
        spare_host.memories.wait_for(person, "User is allergic to nuts")
        yield spare_host


@pytest.fixture(scope="module")
def known(host: Host) -> Mapping[str, Sequence[Any]]:
    """What there is, by the name under which it is asked for: made up, hardly anything is met."""
    export = host.plugin.get("export").content
    policy = host.plugin.get("policy").json()
    items = [item["memory_id"] for item in host.plugin.get("items").json()["items"]]
    recalls = host.plugin.get("recalls").json()["recalls"]
    return {
        "memory_id": items,
        "memory_ids": [items, [*items, "nobody"]],
        "recall_id": [recall["recall_id"] for recall in recalls],
        "import_id": [host.plugin.post("import", files={"file": export}).json()["import_id"]],
        "name": [host.plugin.post("snapshots/create").json()["name"]],
        "account": ["plat_a:kim", "plat_a:nobody"],
        "umo": ["plat_a:FriendMessage:kim", "plat_a:GroupMessage:kitchen"],
        "file": [export, export[:-9] + b"x" + export[-8:]],
        "write": [policy["write"], {**policy["write"], "mode": "manual"}],
        "read": [policy["read"], {**policy["read"], "max_items": 1}],
    }


@pytest.mark.parametrize(("label", "kind"), KINDS, ids=str)
def test_a_route_answers_as_its_document_says(
    host: Host, known: Mapping[str, Sequence[Any]], label: str, kind: GenerationMode
) -> None:
    chooser = random.Random(SEED)  # noqa: S311  the same each time

    @seed(SEED)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @given(case=OPERATIONS[label].as_strategy(generation_mode=kind))
    def answered(case: Case) -> None:
        real = chooser.random() < 0.5
        for part in (case.path_parameters, case.query, case.body):
            _take_what_there_is(part, known, chooser, share=1 if real else 0.3)
        if _is_ours(case):
            case.headers["Authorization"] = f"Bearer {host.dashboard.token}"
            response = case.call(base_url=f"{host.dashboard.url}/api/v1/plugins/extensions")
            case.validate_response(response, checks=CHECKS)

    # Else most of it would be refused once it has been switched.
    host.plugin.post("readonly", json={"on": False})
    answered()


def test_the_memory_outlives_it(host: Host) -> None:
    host.plugin.post("readonly", json={"on": False})
    health = host.plugin.get("health").json()
    assert (health["state"], health["failures"]) == ("running", {})
    assert not re.findall(r"The route .* failed\.", host.log())


def _take_what_there_is(
    part: Any, known: Mapping[str, Sequence[Any]], chooser: random.Random, *, share: float
) -> None:
    for name in known if isinstance(part, dict) else ():
        if name in part and known[name] and chooser.random() < share:
            part[name] = chooser.choice(known[name])


def _is_ours(case: Case) -> bool:
    """The host reads some as other paths, and answers those itself."""
    return all(
        value not in ("", ".", "..") and not {"/", "\n"} & set(unquote(str(value)))
        for value in case.path_parameters.values()
    )
