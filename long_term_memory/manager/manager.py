"""LTMManager: all that the rest of the world may ask of memory."""

from collections.abc import Mapping, Sequence

from ..domain.enums import Mode
from ..settings import Injection
from .browsing import Browsing
from .bulk_review import BulkReview
from .components import Components
from .conversation import Conversation
from .erasing import Erasing
from .forgetting import Forgetting
from .linking import Linking
from .pausing import Pausing
from .policy_changes import PolicyChanges
from .recalls import Recalls
from .sharing import Sharing
from .status import StatusReport
from .switches import FailedExtractions, Switches
from .tool_memories import ToolMemories
from .transferring import Transferring


class LTMManager(Conversation, Forgetting):
    """Conversations and a person's own memories are its own verbs; each other subject has an object below.

    Who may see what is worked out from the `Chat` of each call; no caller passes a scope or a level.
    """

    injection: Injection
    """Where the block goes in a request."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self.injection = components.settings.injection
        self.zone = components.ports.zone
        """That of the operator's days."""
        self.health = components.store.health
        """How the file behind the store has answered."""
        self.levels = components.levels
        self.linking = Linking(components)
        self.pausing = Pausing(components)
        self.sharing = Sharing(components)
        self.tool_memories = ToolMemories(components)
        self.browsing = Browsing(components)
        self.review = BulkReview(components)
        self.erasing = Erasing(components)
        self.policy_changes = PolicyChanges(components)
        self.switches = Switches(components)
        self.failed_extractions = FailedExtractions(components)
        self.transferring = Transferring(components)
        self.status = StatusReport(components)
        self.recalls = Recalls(components)

    @property
    def mode(self) -> Mode:
        """What automatic writing may do."""
        return self._components.policies.write().mode

    @property
    def failures(self) -> Mapping[str, int]:
        """How much work came to nothing after the reply, or was passed over in a flood, by hook."""
        return self._components.scheduler.failures

    async def warnings(self) -> Sequence[str]:
        """What an operator should know although nothing is wrong."""
        parts = self._components
        warnings = list[str]()
        if await parts.store.scrubber.mark():
            warnings.append(
                "What was erased is not overwritten in the file yet; this is tried again by itself."
            )
        if names := ", ".join(parts.levels.unknown_tools(parts.ports.knows_tool)):
            warnings.append(f"AstrBot has no such tools now, though `levels.tools` names them: {names}")
        return warnings
