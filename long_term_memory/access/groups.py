"""Which groups are listened to where nobody spoke to the bot (design 5.1)."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class GroupRules:
    """Which groups are listened to where nobody spoke to the bot."""

    passive_capture: bool = False
    only: frozenset[str] = frozenset()
    """Ids of groups, bare or as their scope has them; empty is every group."""
    but: frozenset[str] = frozenset()
    """Ids of groups that are never listened to."""

    def listens_to(self, *names: str) -> bool:
        """Whether the group that goes by these names is listened to; `but` wins over `only`."""
        if not self.passive_capture or not self.but.isdisjoint(names):
            return False
        return not self.only or not self.only.isdisjoint(names)
