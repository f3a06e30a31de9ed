"""Binds the API's routes to the host's dashboard."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import override

from astrbot.api.star import Context
from astrbot.api.web import PluginUploadFile, error_response, request
from astrbot.core.utils.upload import UploadTooLargeError
from starlette.responses import FileResponse, Response
from starlette.types import Receive, Scope, Send

from ..domain import errors
from ..domain.log import logger
from ..service import Service
from ..storage.files import forget, reason_of
from ..web import Download, Request, Route, Upload

STATUS_OF: Mapping[type[errors.LtmError], int] = {
    errors.InvalidInputError: 422,
    errors.TooLargeError: 413,
    errors.NotFoundError: 404,
    errors.RefusedError: 409,
    errors.ClosedError: 503,
}


def register(context: Context, prefix: str, routes: Sequence[Route[Service]], service: Service) -> None:
    """Register every route. The host never unregisters one: after `service` is closed they answer 503."""
    for route in routes:
        view = _view(route, service)
        context.register_web_api(f"/{prefix}/{route.path}", view, [route.method], route.summary)
        if route.twin:
            context.register_web_api(f"/{prefix}/{route.twin}", view, ["POST"], route.summary)


async def save(field: str, file: PluginUploadFile, to: Path, max_bytes: int) -> None:
    """As `Upload.save`."""
    try:
        await file.save(to, max_bytes=max_bytes)
    except UploadTooLargeError:
        raise errors.TooLargeError(field, f"must have at most {max_bytes} bytes") from None
    except OSError as error:
        raise errors.UnavailableError(f"the file cannot be kept: {reason_of(error)}") from error


def _view(route: Route[Service], service: Service) -> Callable[..., Awaitable[object]]:
    async def view(**path: str) -> object:
        try:
            service.require_open()
            answer = await route.handler(service, await _asked(route, path))
            if isinstance(answer, Download):
                return PassingFile(answer.path, filename=answer.filename)
            # The host's own encoder looks at each value first, which holds up all chats for a page of 200.
            text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            return Response(text.encode(), media_type="application/json")
        except errors.LtmError as error:
            field = error.field if isinstance(error, errors.InvalidInputError) else None
            status = next((STATUS_OF[kind] for kind in type(error).__mro__ if kind in STATUS_OF), 503)
            return error_response(str(error), status_code=status, data={"field": field})
        except Exception:
            logger.exception("The route %s failed.", route.path)
            return error_response("internal error, see the log", status_code=500)

    return view


class PassingFile(FileResponse):
    """A file that is gone once it is sent, or could not be."""

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            forget(Path(self.path))  # somebody else may hold it; the next start removes it


async def _asked(route: Route[Service], path: Mapping[str, str]) -> Request:
    return Request(
        query={key: request.query[key] for key in request.query.keys()},  # noqa: SIM118  not a mapping
        path=path,
        body=await request.body() if route.body else b"",
        files=await _files(route.file) if route.file else {},
        actor=f"operator:{request.username}" if request.username else "operator",
    )


async def _files(field: str) -> Mapping[str, Upload]:
    try:
        found = (await request.files()).get(field)
    except Exception:  # noqa: BLE001  the framework's parsers raise what they like at a damaged form
        found = None
    return {field: Upload(name=found.filename or "", save=partial(save, field, found))} if found else {}
