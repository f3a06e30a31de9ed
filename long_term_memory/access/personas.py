"""Memories by persona: a scope beside the one without a persona (design 8, `identity.per_persona`).

Its id is `!p{persona}:{id}`. No other id begins like that, for in an escaped platform id `!` is followed by
`!` or `.`; and the persona is escaped as well, so the first `:` ends it.
"""

from dataclasses import replace

from ..domain.chat import ScopeRef
from .ids import escaped, unescaped

MARK = "!p"
"""How the ids of personas' scopes begin."""


def of_persona(ref: ScopeRef, persona_id: str) -> ScopeRef:
    """The scope in which this persona keeps what belongs to `ref`; `ref` itself for the default persona."""
    return replace(ref, scope_id=f"{MARK}{escaped(persona_id)}:{ref.scope_id}") if persona_id else ref


def persona_of(ref: ScopeRef) -> str:
    """The persona that keeps this scope; empty when it is without one."""
    return unescaped(ref.scope_id[len(MARK) :].partition(":")[0]) if ref.scope_id.startswith(MARK) else ""


def without_persona(ref: ScopeRef) -> ScopeRef:
    """The scope of the same person or group without a persona."""
    return replace(ref, scope_id=ref.scope_id.partition(":")[2]) if ref.scope_id.startswith(MARK) else ref
