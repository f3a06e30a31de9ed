"""Work amid which the host may end the plugin: how it begins, where its middle is, what is due after it."""

from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.torture.lifecycle.scene import Scene


class Work:
    """One kind of work; this one is none."""

    filled = False
    """Whether the store holds the long document before."""
    in_background = False
    """Whether it goes on after its call."""

    async def prepare(self, scene: Scene, memory: LTMManager) -> None:
        """Bring about what it needs."""

    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        """The call of the host that it is, or that sets the background to work."""

    def is_amid(self, scene: Scene, memory: LTMManager) -> bool:  # noqa: ARG002  of some kinds it tells
        """Whether the middle of it has come."""
        return scene.reader.gate.held + scene.embedding.gate.held + scene.keeping.held > 0

    def has_left(self, scene: Scene) -> bool:  # noqa: ARG002  as above
        """Whether the store and the folder are as they should be once the plugin has ended."""
        return True

    async def again(self, scene: Scene, memory: LTMManager) -> None:
        """After a second start: the host calls again, or it is done by itself. It is done on return."""
