"""The lists that the page keeps of the plugin's words are those of the code."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    LIVE_STATUSES,
    STANDING_TYPES,
    Level,
    MemoryType,
    Origin,
    Scope,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.reading import NoVector
from astrbot_plugin_ltm.long_term_memory.domain.writing import MergeKind
from astrbot_plugin_ltm.long_term_memory.policies.succession import BY_POLICY

from tests.page.page_texts import PAGE, texts_of

PLUGIN = PAGE.parents[1] / "long_term_memory"
TEXTS = texts_of("en-US")
ITEM, OUTCOME, AUDIT, REVIEW = (
    Path(name)
    for name in ("components/item.js", "views/recall/outcome.js", "views/audit.js", "views/review.js")
)


def listed(path: Path, name: str) -> list[str]:
    """The words of a list in a file of the page."""
    found = re.search(rf"const {name} = (\[[^\]]*\])", (PAGE / path).read_text("utf-8"))
    assert found, name
    return json.loads(re.sub(r",\s*\]", "]", found[1].replace("'", '"')))


@pytest.mark.parametrize(
    ("path", "name", "of"),
    [
        (ITEM, "TYPES", MemoryType),
        (ITEM, "STATUSES", Status),
        (ITEM, "GONE", set(Status) - LIVE_STATUSES),
        (ITEM, "LEVELS", Level.__members__),
        (ITEM, "SCOPES", Scope),
        # An imported memory keeps the origin that its file names.
        (ITEM, "ORIGINS", set(Origin) - {Origin.IMPORT}),
        (OUTCOME, "STANDING", STANDING_TYPES),
        (OUTCOME, "WORDS_ALONE", NoVector),
        (REVIEW, "UNDISPUTED", BY_POLICY - {""}),
    ],
)
def test_a_list_of_the_page_has_the_words_of_the_code(path: Path, name: str, of: Iterable[str]) -> None:
    assert sorted(listed(path, name)) == sorted(of)


def test_the_rules_that_go_by_the_score_are_rules_that_leave_a_memory_out() -> None:
    rules = listed(OUTCOME, "BY_SCORE")
    assert rules
    assert [rule for rule in rules if f"left_out.{rule}" not in TEXTS] == []


TREES = [ast.parse(path.read_text("utf-8")) for path in sorted(PLUGIN.rglob("*.py"))]
CONSTANTS = {
    target.id: node.value.value
    for tree in TREES
    for node in tree.body
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    for target in node.targets
    if isinstance(target, ast.Name)
}


def places(trees: Iterable[ast.Module], *, private: bool) -> Iterator[tuple[str, int]]:
    """The functions that take an action by its place, and the place."""
    for node in (each for tree in trees for each in ast.walk(tree)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("_") is private:
            names = [each.arg for each in (*node.args.posonlyargs, *node.args.args) if each.arg != "self"]
            if "action" in names:
                yield node.name, names.index("action")


PLACES = dict(places(TREES, private=False))


def given(node: ast.AST, taken_at: Mapping[str, int]) -> Iterator[ast.expr]:
    """What a node of the code gives as an action."""
    match node:
        case ast.keyword(arg="action", value=value):
            yield value
        case ast.Call(func=ast.Name(id="partial"), args=[called, *values]):
            yield from given(ast.Call(func=called, args=values, keywords=[]), taken_at)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=values) if name in taken_at:
            yield from values[taken_at[name] : taken_at[name] + 1]
        case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
            named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
            yield from (default for each, default in named if each.arg == "action" and default)
        case _:
            pass


def words(value: ast.expr) -> Iterator[str]:
    match value:
        case ast.Constant(value=str(word)) if word:
            yield word
        case ast.Name(id=name) if name in CONSTANTS:
            yield str(CONSTANTS[name])
        case ast.IfExp(body=one, orelse=other):
            yield from (*words(one), *words(other))
        case _:
            return


def written() -> Iterator[str]:
    """The actions of audit lines."""
    for tree in TREES:
        taken_at = PLACES | dict(places([tree], private=True))
        yield from (
            word for node in ast.walk(tree) for value in given(node, taken_at) for word in words(value)
        )
    # Merging names what it did by its kind, and the lines of an import are written in SQL.
    yield from (MergeKind.CONFIRM, MergeKind.REVIVE, "import")


def test_the_audit_can_be_filtered_by_every_action_and_names_each() -> None:
    named = {key.split(".")[1] for key in TEXTS if key.startswith("audit_action.")}
    assert sorted(listed(AUDIT, "ACTIONS")) == sorted(set(written())) == sorted(named)
    assert {key.split(".")[1] for key in TEXTS if key.startswith("audit_many.")} <= named
