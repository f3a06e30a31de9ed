"""What admins may ask of memory as a whole: its mode, and another try at what failed."""

from ..domain.words import Mode
from ..manager import LTMManager
from .command import Command, UsageError


async def mode(manager: LTMManager, command: Command) -> str:
    """`mode` tells what automatic writing may do, `mode <mode>` changes it."""
    say = command.say
    if not command.argument:
        return say.text("mode.current", mode=say.text(f"mode.{manager.mode}"))
    if command.word not in list(Mode):
        raise UsageError
    wanted = Mode(command.word)
    key = "mode.same" if wanted is manager.mode else "mode.changed"
    await manager.set_mode(wanted, actor=command.operator)
    return say.text(key, mode=say.text(f"mode.{wanted}"))


async def retry(manager: LTMManager, command: Command) -> str:
    """`retry`: read the messages again that the extraction gave up on."""
    tried = await manager.retry_failed(actor=command.operator)
    return command.say.text("retry.done", count=tried) if tried else command.say.text("retry.none")
