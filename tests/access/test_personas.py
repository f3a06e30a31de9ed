from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import LevelRules, access_of
from astrbot_plugin_ltm.long_term_memory.access.identity import (
    GLOBAL,
    MARK,
    IdentityRules,
    group_scope,
    legacy_scope,
    of_persona,
    persona_of,
    project_scope,
    user_scopes,
    without_persona,
)
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, Chat, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Scope
from hypothesis import given
from hypothesis import strategies as st

from .chats import IDS, in_group, private, with_persona

APART = IdentityRules(per_persona=True)
RULES = st.sampled_from(
    [
        IdentityRules(per_persona=True, user_scope_strategy=strategy)
        for strategy in ("platform_user", "unified_msg_origin")
    ]
)
PERSONAS = IDS | st.just("")
PLACES = st.builds(private, IDS, IDS) | st.builds(in_group, IDS, IDS, IDS)


def user(scope_id: str) -> ScopeRef:
    return ScopeRef(scope=Scope.USER, scope_id=scope_id)


def access(chat: Chat, rules: IdentityRules = APART, levels: LevelRules | None = None) -> Access:
    return access_of(chat, rules, levels or LevelRules(), Level.PUBLIC)


def test_a_persona_writes_to_its_own_and_reads_what_was_learnt_without_one() -> None:
    seen = access(with_persona(private("p", "bob"), "pirate"))
    assert seen.owner == user("!ppirate:p:bob")
    assert seen.readable == (user("!ppirate:p:bob"), user("p:bob"), user("p:FriendMessage:bob"), GLOBAL)


def test_the_default_persona_has_the_scopes_without_one() -> None:
    assert access(private("p", "bob")) == access(private("p", "bob"), IdentityRules())


def test_a_persona_counts_for_nothing_until_the_operator_wants_it() -> None:
    bob = in_group("p", "g", "bob")
    assert access(with_persona(bob, "pirate"), IdentityRules()) == access(bob, IdentityRules())


def test_what_was_said_in_a_group_before_was_said_there() -> None:
    seen = access(with_persona(in_group("p", "g", "bob"), "pirate"))
    without = ScopeRef(scope=Scope.GROUP, scope_id="p:GroupMessage:g")
    assert seen.group == ScopeRef(scope=Scope.GROUP, scope_id="!ppirate:p:GroupMessage:g")
    assert seen.also_here == (without,)
    assert {seen.group, without} <= set(seen.readable)
    assert access(in_group("p", "g", "bob")).also_here == ()


def test_the_level_of_a_group_is_that_of_the_group_whoever_answers() -> None:
    levels = LevelRules(chats={"p:GroupMessage:g": Level.CONFIDENTIAL})
    pirate = with_persona(in_group("p", "g", "bob", session="bob_g"), "pirate")
    assert access(pirate, levels=levels).level is Level.CONFIDENTIAL


def test_joined_accounts_are_joined_under_each_persona() -> None:
    rules = IdentityRules(per_persona=True, aliases={"b:bob2": "a:bob"})
    seen = access(with_persona(private("b", "bob2"), "pirate"), rules)
    assert seen.owner == user("!ppirate:a:bob")
    assert {user("!ppirate:b:bob2"), user("a:bob"), user("b:bob2")} <= set(seen.readable)


@given(PLACES, IDS, RULES)
def test_the_persona_and_whose_it_is_can_be_told_from_the_id(
    chat: Chat, persona: str, rules: IdentityRules
) -> None:
    for ref in (*user_scopes(chat, rules), group_scope(chat), legacy_scope(chat, rules)):
        if ref is not None:
            assert persona_of(ref) == ""
            assert without_persona(ref) == ref
            kept = of_persona(ref, persona)
            assert (persona_of(kept), without_persona(kept)) == (persona, ref)


@given(PLACES, RULES)
def test_no_id_without_a_persona_begins_as_those_with_one(chat: Chat, rules: IdentityRules) -> None:
    refs = (
        *user_scopes(chat, rules),
        group_scope(chat),
        legacy_scope(chat, rules),
        project_scope(chat),
        GLOBAL,
    )
    assert not any(ref.scope_id.startswith(MARK) for ref in refs if ref)


@given(PLACES, PERSONAS, PLACES, PERSONAS, RULES)
def test_what_one_persona_learns_of_somebody_no_other_persona_and_nobody_else_reads(
    one: Chat, persona: str, other: Chat, their_persona: str, rules: IdentityRules
) -> None:
    mine = access(with_persona(one, persona), rules).owner
    reader = access(with_persona(other, their_persona), rules)
    same_person = user_scopes(one, rules)[0] in (*user_scopes(other, rules), legacy_scope(other, rules))
    may_read = same_person and persona in ("", their_persona)
    assert (mine in reader.readable) == may_read


@given(st.tuples(IDS, IDS, PERSONAS), st.tuples(IDS, IDS, PERSONAS))
def test_two_groups_or_two_personas_never_write_to_one_scope(
    one: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    groups = [
        access(with_persona(in_group(platform, group, "x"), persona)).group
        for platform, group, persona in (one, other)
    ]
    assert (one == other) == (groups[0] == groups[1])
