"""The page in a frame like the dashboard's, without a host: the host's own bridge, its sandbox, its headers.

What the real dashboard does around the page is tested in `test_frame.py`; here an API that is faked in the
browser answers (`fake_api.py`).
"""

import importlib.util
import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from aiohttp import web

from tests.host.harness.plugin_files import REPOSITORY
from tests.host.harness.server import LoopbackServer
from tests.page.bundle import bundled
from tests.page.fake_api import BASE

PAGE = REPOSITORY / "pages" / "memory"
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
    "X-Frame-Options": "SAMEORIGIN",
    "Content-Security-Policy": "frame-ancestors 'self'; object-src 'none'; base-uri 'self'",
}
"""The host's, for each file of a page."""

_AROUND = """<!doctype html>
<html>
  <head>
    <meta charset="utf-8">
    <link rel="icon" href="data:,">
    <style>
      body { margin: 0; padding: 41px 7px 7px 246px; }
      iframe { border: 0; display: block; height: calc(100vh - 48px); width: 100%; }
      @media (max-width: 960px) { body { padding: 41px 0 0; } iframe { height: calc(100vh - 41px); } }
    </style>
  </head>
  <body>
    <script type="module">
      const channel = 'astrbot-plugin-page';
      const { locale, theme } = Object.fromEntries(new URLSearchParams(location.search));
      const frame = Object.assign(document.createElement('iframe'), { className: 'plugin-view-frame' });
      const tell = (message, to) => frame.contentWindow?.postMessage({ channel, ...message }, '*');
      const context = { locale, isDark: theme === 'dark', i18n: {i18n} };
      const present = () => tell({ kind: 'context', context });

      const asked = {
        'api:get': ({ endpoint, params }) => [endpoint, { params }],
        'api:post': ({ endpoint, body }) => [endpoint, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body ?? {}),
        }],
        'files:upload': ({ endpoint, fileName, fileType, fileBuffer }) => {
          const body = new FormData();
          body.append('file', new File([fileBuffer], fileName, { type: fileType }), fileName);
          return [endpoint, { method: 'POST', body }];
        },
      };
      async function answer(request) {
        const { requestId, action } = request;
        try {
          const [path, { params, ...options }] = asked[action](request);
          const url = new URL(`{base}${path}`, location);
          url.search = new URLSearchParams(params);
          const given = await (await fetch(url, options)).json();
          if (given.status === 'error') throw new Error(given.message);
          tell({ kind: 'response', requestId, ok: true, data: given.data ?? given });
        } catch (error) {
          tell({ kind: 'response', requestId, ok: false, error: error.message });
        }
      }

      addEventListener('message', ({ source, data }) => {
        if (source !== frame.contentWindow || data?.channel !== channel) return;
        if (data.kind === 'ready') present();
        if (data.kind === 'request') answer(data);
      });
      frame.sandbox = 'allow-scripts allow-forms allow-downloads';
      frame.referrerPolicy = 'no-referrer';
      frame.onload = present;
      frame.src = `/views/memory/index.html?theme=${theme}${location.hash}`;
      document.body.append(frame);
    </script>
  </body>
</html>
""".replace("{base}", BASE)


@contextmanager
def staged() -> Generator[str]:
    """Serve the page in its frame; the address takes `locale` and `theme`."""
    application = web.Application()
    application.router.add_get("/", _around)
    application.router.add_get("/bridge.js", _bridge)
    application.router.add_get("/views/memory/{path:.+}", _file)
    server = LoopbackServer(application)
    server.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.close()


async def _around(_: web.Request) -> web.Response:
    files = (REPOSITORY / ".astrbot-plugin" / "i18n").glob("*.json")
    i18n = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
    return web.Response(text=_AROUND.replace("{i18n}", json.dumps(i18n)), content_type="text/html")


async def _bridge(_: web.Request) -> web.FileResponse:
    astrbot = importlib.util.find_spec("astrbot")
    assert astrbot
    assert astrbot.origin
    return web.FileResponse(
        Path(astrbot.origin).parent / "dashboard" / "plugin_page_bridge.js", headers=HEADERS
    )


async def _file(request: web.Request) -> web.StreamResponse:
    """A file of the page; into its document the host puts the theme and the bridge."""
    file = PAGE / request.match_info["path"]
    if file.name == "main.js":
        return web.Response(text=bundled(file), content_type="text/javascript", headers=HEADERS)
    if file.name != "index.html":
        return web.FileResponse(file, headers=HEADERS)
    theme = request.query["theme"]
    text = file.read_text(encoding="utf-8").replace('data-theme="light"', f'data-theme="{theme}"')
    text = text.replace("<script ", '<script src="/bridge.js"></script>\n    <script ', 1)
    return web.Response(text=text, content_type="text/html", headers=HEADERS)
