"""GET health and stats: whether it works, and how much there is of what."""

from .answers import ROUTES
from .core import LTMManager, Overview, Paging, Report, Service


@ROUTES.add("GET", "health", "State, problems and counts")
async def health(service: Service) -> Report:
    """The state of the plugin; answers while it is paused too."""
    return await service.health()


@ROUTES.add("GET", "stats", "Figures of scopes, types and days", key="scopes")
async def stats(manager: LTMManager, query: Paging) -> Overview:
    """The figures of the overview; every day of a span is there, and every type with its statuses."""
    return await manager.status.overview(**vars(query))
