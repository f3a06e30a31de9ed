"""Lets the host find the command in messages that only nearly begin with it."""

from contextlib import suppress
from typing import override

from astrbot.api.event import AstrMessageEvent
from astrbot.core.config import AstrBotConfig
from astrbot.core.star.filter.custom_filter import CustomFilter

from ..commands.spelling import narrow, separated
from .adapters import command_names


class NearlyTheCommand(CustomFilter):
    """Rewrites "/LTM pause", "/记忆暂停" and "／记忆 暂停" for the host's own filter, which comes next.

    That one compares the name exactly. What it does not find, the model is asked and may be learnt from.
    """

    def __init__(self, module: str, raise_error: bool = True) -> None:  # noqa: FBT001, FBT002  as the host calls it
        super().__init__(raise_error)
        self._module = module

    @override
    def filter(self, event: AstrMessageEvent, cfg: AstrBotConfig) -> bool:
        """Always passes. Without a prefix it is ordinary talk, unless the host finds the command in it."""
        with suppress(Exception):  # the host would answer each message with the error
            said = event.message_obj.message_str.strip()
            prefixes = sorted({"/", *map(str, cfg["wake_prefix"])} - {""}, key=len, reverse=True)
            prefix = next((each for each in prefixes if narrow(said).startswith(each)), "")
            if prefix and event.is_at_or_wake_command:
                told = separated(said[len(prefix) :].lstrip(), command_names(self._module))
                event.message_str = told or event.message_str
        return True
