"""GET health: whether it works, and if not, why."""

from collections.abc import Mapping

from .core import Json, Request, Route, Service


async def health(service: Service, request: Request) -> Mapping[str, Json]:  # noqa: ARG001  same shape for all
    """The state of the plugin; answers while it is paused too."""
    report = await service.health()
    body: dict[str, Json] = {
        "state": report.state.value,
        "version": report.version,
        "problems": [{"key": problem.key, "why": problem.why} for problem in report.problems],
        "failures": dict(report.failures),
        "notes": list(report.notes),
    }
    if report.counts:
        body |= {
            "mode": report.counts.mode.value,
            "read_only": report.counts.read_only,
            "chat_provider": report.counts.chat_provider,
            "embedding_model": report.counts.embedding_model,
            "embedding_error": report.counts.embedding_error,
            "events": dict(report.counts.events),
            "items": dict(report.counts.items),
            "last_error": report.counts.last_error,
            "late_writes": report.counts.late_writes,
            "background_jobs": report.counts.background_jobs,
        }
    return body


ROUTES = (Route(path="health", method="GET", summary="State, problems and counts", handler=health),)
