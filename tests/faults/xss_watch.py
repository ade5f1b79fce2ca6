"""What a browser does that a text must never make it do: counted as it happens."""

import contextlib
import socket
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Dialog, Frame, Page, Request

COUNTED = ("executions", "requests", "connections", "navigations", "popups", "markup")
"""A connection is one on which nothing was asked: browsers make some ahead of a request."""

_SILENT = "a connection"

OURS = ("about:", "blob:", "data:", "chrome-error:")

_REPORT = """
for (const name of ["alert", "confirm", "prompt", "print"])
  window[name] = () => window.__hit(name);
"""

_SCAN = r"""
() => {
  const found = [], here = location.origin;
  const outside = text => {
    const tidy = text.replace(/[\u0000-\u0020]/g, "");
    if (/^(javascript|vbscript):/i.test(tidy)) return true;
    if (/^data:/i.test(tidy)) return !/^data:(image|font)\//i.test(tidy);
    try {
      const to = new URL(text, document.baseURI);
      return /^(https?|wss?|ftp|file):$/.test(to.protocol) && to.origin !== here;
    } catch { return false; }
  };
  const note = (what, node) => found.push(`${what}: ${node.outerHTML.slice(0, 160)}`);
  const look = root => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) look(node.shadowRoot);
      for (const {name, value} of node.attributes) {
        if (/^on/i.test(name)) note("handler", node);
        if (/^(href|xlink:href|src|action|formaction|data|poster|background|ping)$/i.test(name)
            && outside(value)) note("address", node);
        if (name === "srcset" && value.split(",").some(outside)) note("address", node);
        if (name === "style" && /url\(/i.test(value) && !/url\("?(data:image|#|blob:)/i.test(value))
          note("style", node);
      }
      if (/^(object|embed|applet|frame|frameset|marquee|portal|base|math)$/i.test(node.localName))
        note("element", node);
      if (node.localName === "meta" && node.httpEquiv) note("meta", node);
      if (/\b(katex|stMarkdown(Colored|Badge|Small)\w*)\b/.test(node.classList.value))
        note("directive", node);
      if (node.dataset?.testid === "stIconMaterial" && node.textContent.includes("skull"))
        note("icon", node);
      if (node.childElementCount === 0 && /😄|🎉/u.test(node.textContent)) note("emoji", node);
    }
  };
  look(document);
  return found;
}
"""

_OWN = ("streamlit.io", "plotly.com", "plot.ly", "w3.org")


class Bare(ThreadingHTTPServer):
    """A server without any guard: a page for each text, and pages of frames with those pages."""

    FRAMES = 25

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__(("127.0.0.1", 0), _Unguarded)
        self.texts = texts
        self.address = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, *_: object) -> None:
        """Say nothing of browsers that go away."""

    def page(self, path: str) -> str:
        """Return the page at ``/raw/N`` or ``/frames/N``; an empty one elsewhere."""
        _, what, number, *_ = f"{path}//".split("/")
        start = int(number) if number.isdecimal() else 0
        if what == "raw":
            return f"<!doctype html><body>{self.texts[start]}"
        shown = self.texts[start : start + self.FRAMES]
        places = [start + place for place, text in enumerate(shown) if "top" not in text]
        frames = "".join(f"<iframe src=/raw/{place}></iframe>" for place in places)
        return frames if what == "frames" else ""


class _Unguarded(BaseHTTPRequestHandler):
    server: Bare

    def do_GET(self) -> None:
        body = self.server.page(self.path).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


_CAUGHT = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n"
    b"Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\ncaught"
)


class Catcher:
    """A server that nobody should ask; it remembers whoever does."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                asker, _ = self._socket.accept()
                threading.Thread(target=self._answer, args=(asker,), daemon=True).start()

    def _answer(self, asker: socket.socket) -> None:
        with asker, contextlib.suppress(OSError):
            asker.settimeout(2)
            said = [_SILENT]
            self.asked.append(said)
            said[0] = asker.recv(4096).partition(b"\r\n")[0].decode("latin-1") or _SILENT
            asker.sendall(_CAUGHT)


class Watch:
    """Everything that pages of a browser context did beyond showing text."""

    def __init__(self, context: BrowserContext, address: str, catcher: Catcher) -> None:
        self.address, self.catcher = address, catcher
        self.counts: Counter[str] = Counter(dict.fromkeys(COUNTED, 0))
        self.seen: list[str] = []
        self.pages = 0
        self.own_formulas = False
        self._opening = 0
        context.expose_binding("__hit", lambda source, *_: self._note("executions", source["page"]))
        context.add_init_script(_REPORT)
        context.on("page", self._follow)
        context.on("request", self._request)
        context.on("dialog", self._dialog)
        self.context = context

    def open(self) -> Page:
        """Return a new page, which is not a popup."""
        self._opening += 1
        page = self.context.new_page()
        page.on("framenavigated", lambda frame: self._navigated(page, frame))
        page.on("websocket", lambda one: self._foreign("requests", one.url))
        page.on("download", lambda one: self._note("requests", one.url))
        return page

    def scan(self, page: Page) -> None:
        """Look for markup that a text became."""
        self.pages += 1
        for fault in page.evaluate(_SCAN):
            if self.own_formulas and "katex" in fault:
                continue
            if not any(own in fault for own in _OWN):
                self._note("markup", fault)

    def total(self) -> dict[str, int]:
        """Return what happened, with those who reached the server that nobody should ask."""
        asked, self.catcher.asked = self.catcher.asked, []
        for (line,) in asked:
            self._note("connections" if line == _SILENT else "requests", line)
        return dict(self.counts)

    def _note(self, what: str, seen: object) -> None:
        self.counts[what] += 1
        self.seen.append(f"{what}: {seen}")

    def _foreign(self, what: str, url: str) -> None:
        host = urlsplit(self.address).netloc
        if not url.startswith(OURS) and urlsplit(url).netloc != host:
            self._note(what, url)

    def _follow(self, page: Page) -> None:
        self._opening -= 1
        if self._opening < 0:
            self._opening = 0
            self._note("popups", page.url)

    def _request(self, request: Request) -> None:
        # What a policy stops was never sent; the catcher would know better.
        if urlsplit(request.url).netloc != self.catcher.host:
            self._foreign("requests", request.url)

    def _dialog(self, dialog: Dialog) -> None:
        self._note("executions", dialog.message)
        dialog.dismiss()

    def _navigated(self, page: Page, frame: Frame) -> None:
        if frame == page.main_frame or not frame.url.startswith(OURS):
            self._foreign("navigations", frame.url)


@contextlib.contextmanager
def catch() -> Iterator[Catcher]:
    """Run a server that nobody should ask."""
    catcher = Catcher()
    yield catcher
    catcher.close()
