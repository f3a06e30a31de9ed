"""Binds the API's routes to the host's dashboard."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from astrbot.api.star import Context
from astrbot.api.web import error_response, json_response, request

from ..domain.errors import ClosedError, InvalidInputError, LtmError, NotFoundError, RefusedError
from ..service import Service
from ..web import Json, Request, Route

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

STATUS_OF: Mapping[type[LtmError], int] = {
    InvalidInputError: 422,
    NotFoundError: 404,
    RefusedError: 409,
    ClosedError: 503,
}


def register(context: Context, prefix: str, routes: Sequence[Route[Service]], service: Service) -> None:
    """Register every route. The host never unregisters one: after `service` is closed they answer 503."""
    for route in routes:
        context.register_web_api(
            f"/{prefix}/{route.path}", _view(route, service), [route.method], route.summary
        )


def _view(route: Route[Service], service: Service) -> Callable[..., Awaitable[object]]:
    async def view(**path: str) -> object:
        try:
            service.require_open()
            body = await route.handler(service, Request(query=_query(), path=path))
        except LtmError as error:
            field: Json = error.field if isinstance(error, InvalidInputError) else None
            return error_response(
                str(error), status_code=STATUS_OF.get(type(error), 503), data={"field": field}
            )
        except Exception:
            logger.exception("The route %s failed.", route.path)
            return error_response("internal error, see the log", status_code=500)
        return json_response(body)

    return view


def _query() -> Mapping[str, str]:
    return {key: request.query[key] for key in request.query.keys()}  # noqa: SIM118  not a mapping
