"""Which tools the operator has let a request have: by the persona that answers, and by name."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass

from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import ProviderRequest

from .personas import Personas

type Preference = Callable[[str, object], Awaitable[object]]
"""One of the host's global preferences by its key, or what is to be said when it has none."""

OFF = "inactivated_llm_tools"
"""The host's preference with the names of tools that are switched off."""
PERMISSIONS = "tool_permissions"
"""The host's preference that says, under `_default`, which names only admins may use."""


@dataclass(frozen=True, kw_only=True)
class _ByName:
    """What the host keeps about tools by their names."""

    off: frozenset[str]
    for_admins: frozenset[str]


class Allowed:
    """Reads the host's decisions, which the host applies only to tools that are registered with it."""

    def __init__(self, personas: Personas, preference: Preference) -> None:
        self._personas = personas
        self._preference = preference
        self._kept: _ByName | None = None

    async def among(
        self, names: Collection[str], event: AstrMessageEvent, request: ProviderRequest
    ) -> Collection[str]:
        """Those of these tools that the request may have; none where the host itself gives no tools.

        Names that are switched off or kept for admins are read once: the dashboard changes them only for
        tools that it lists. Raises TimeoutError when the persona cannot be told.
        """
        if request.func_tool is None or request.conversation is None:
            return ()
        chosen = await self._personas.tools(event, request.conversation.persona_id)
        named = set(names) if chosen is None else set(names) & set(chosen)
        kept = await self._by_name()
        return named - kept.off - (frozenset[str]() if event.is_admin() else kept.for_admins)

    async def _by_name(self) -> _ByName:
        if self._kept is None:
            off, permissions = await self._preference(OFF, []), await self._preference(PERMISSIONS, {})
            defaults = permissions.get("_default") if isinstance(permissions, Mapping) else None
            roles = defaults if isinstance(defaults, Mapping) else {}
            self._kept = _ByName(
                off=frozenset(map(str, off)) if isinstance(off, list) else frozenset(),
                for_admins=frozenset(str(name) for name, role in roles.items() if role == "admin"),
            )
        return self._kept
