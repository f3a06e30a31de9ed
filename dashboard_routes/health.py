"""GET health: whether it works, and if not, why."""

from collections.abc import Mapping

from .core import Counts, Json, Request, Route, Service
from .values import instant


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
    return body | _counts_json(report.counts) if report.counts else body


ROUTES = (Route(path="health", method="GET", summary="State, problems and counts", handler=health),)


def _counts_json(counts: Counts) -> dict[str, Json]:
    return {
        "mode": counts.mode.value,
        "read_only": counts.read_only,
        "chat_provider": counts.chat_provider,
        "embedding_model": counts.embedding_model,
        "embedding_error": counts.embedding_error,
        "embedded": counts.embedded,
        "embeddable": counts.embeddable,
        "not_embeddable": counts.not_embeddable,
        "events": dict(counts.events),
        "items": dict(counts.items),
        "waiting": counts.waiting,
        "waiting_reasons": dict(counts.waiting_reasons),
        "waiting_expire_soon": counts.waiting_expire_soon,
        "paused_people": counts.paused_people,
        "paused_groups": counts.paused_groups,
        "tokens_today": counts.tokens_today,
        "token_cap": counts.token_cap,
        "calls_today": counts.calls_today,
        "passed_over": counts.passed_over,
        "last_error": counts.last_error,
        "last_error_at": instant(counts.last_error_at),
        "recall_log": counts.recall_log,
        "recalls": counts.recalls,
        "recalls_empty": counts.recalls_empty,
        "late_writes": counts.late_writes,
        "background_jobs": counts.background_jobs,
    }
