"""A web server on loopback that lives in a thread, so that tests may be synchronous."""

import asyncio
import threading

from aiohttp import web


class LoopbackServer:
    """Runs a web application in a thread with an event loop of its own."""

    def __init__(self, application: web.Application) -> None:
        self._application = application
        self._loop = asyncio.new_event_loop()
        self._runner: web.AppRunner | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, name="loopback-server", daemon=True)
        self.port = 0

    def start(self) -> None:
        """Serve on a free port."""
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._serve(), self._loop).result(timeout=10)

    def close(self) -> None:
        """Stop serving and drop the requests still held."""
        if self._runner is not None:
            asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(timeout=10)
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout=10)
        self._loop.close()

    async def _serve(self) -> None:
        self._runner = web.AppRunner(self._application, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
