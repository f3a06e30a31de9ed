"""Notes on each event what `events.chat_of` cannot find in it: the persona that answers, and the project."""

from astrbot.api.event import AstrMessageEvent

from . import events
from .personas import Personas
from .projects import Projects


class Places:
    """Asks the host once for each event, so that all hooks of one message agree."""

    def __init__(self, personas: Personas | None, projects: Projects) -> None:
        """Without `personas` they are not told apart."""
        self._personas = personas
        self._projects = projects

    async def note(self, event: AstrMessageEvent) -> None:
        """Note them, unless they are noted already. Raises TimeoutError when the persona cannot be told."""
        if events.is_placed(event):
            return
        persona_id = await self._personas.of(event) if self._personas else ""
        project_id = await self._projects.of(event)
        events.place(event, persona_id=persona_id, project_id=project_id)
