"""What admins may ask of memory as a whole: its mode, that nothing be written, another try at what failed."""

from ..domain.words import Mode
from ..manager import LTMManager
from .command import Command, UsageError

_ON = frozenset({"on", "开", "开启", "打开"})
_OFF = frozenset({"off", "关", "关闭"})

_CHINESE = {"试运行": "shadow", "影子": "shadow", "自动": "auto", "手动": "manual"}


async def mode(manager: LTMManager, command: Command) -> str:
    """`mode` tells what automatic writing may do, `mode <mode>` changes it."""
    say = command.say
    if not command.argument:
        return say.text("mode.current", mode=say.text(f"mode.{manager.mode}"))
    word = _CHINESE.get(command.word, command.word)
    if word not in list(Mode):
        raise UsageError
    wanted = Mode(word)
    key = "mode.same" if wanted is manager.mode else "mode.changed"
    await manager.set_mode(wanted, actor=command.operator)
    return say.text(key, mode=say.text(f"mode.{wanted}"))


async def readonly(manager: LTMManager, command: Command) -> str:
    """`readonly` tells whether nothing is written, `readonly on` and `readonly off` switch it."""
    say, switches = command.say, manager.switches
    if not command.argument:
        return say.text("readonly.is_on" if switches.read_only else "readonly.is_off")
    if command.word not in (*_ON, *_OFF):
        raise UsageError
    on = command.word in _ON
    changed = await switches.set_read_only(on=on, actor=command.operator)
    if on:
        return say.text("readonly.on" if changed else "readonly.same_on")
    return say.text("readonly.off" if changed else "readonly.same_off")


async def retry(manager: LTMManager, command: Command) -> str:
    """`retry`: read the messages again that the extraction gave up on."""
    tried = await manager.jobs.retry(actor=command.operator)
    return command.say.text("retry.done", count=tried) if tried else command.say.text("retry.none")
