"""What the plugin's command is called: operators rename commands in the dashboard, and give them aliases."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

from collections.abc import Sequence

from astrbot.core.star.filter.command import CommandFilter
from astrbot.core.star.star_handler import star_handlers_registry


def command_names(module: str) -> Sequence[str]:
    """All names that wake the commands of this module at the moment; none when the host has none of it."""
    handlers = star_handlers_registry.get_handlers_by_module_name(module)
    filters = [each for handler in handlers for each in handler.event_filters]
    commands = [each for each in filters if isinstance(each, CommandFilter)]
    return [str(name) for command in commands for name in command.get_complete_command_names()]
