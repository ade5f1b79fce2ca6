"""A stock Firefox, driven over WebDriver BiDi as a person drives it: by keys, clicks, addresses.

It starts with an empty profile and reaches the loopback interface only: what it would fetch of its
own accord is switched off, whatever else leaves goes to a port that the caller names, and Firefox
ends at once should it connect to another machine all the same.
"""

import base64
import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.patience import PATIENCE

NAMES = ("firefox-esr", "firefox")
OLDEST = 153
"""The oldest version that was tried."""

NOBODY = 9
"""A port on which nobody listens."""

_PREFERENCES = {
    **dict.fromkeys(
        (
            "app.normandy.enabled",
            "app.update.auto",
            "browser.discovery.enabled",
            "browser.newtabpage.enabled",
            "browser.safebrowsing.blockedURIs.enabled",
            "browser.safebrowsing.downloads.enabled",
            "browser.safebrowsing.downloads.remote.enabled",
            "browser.safebrowsing.malware.enabled",
            "browser.safebrowsing.phishing.enabled",
            "browser.search.update",
            "browser.shell.checkDefaultBrowser",
            "browser.topsites.contile.enabled",
            "datareporting.healthreport.uploadEnabled",
            "datareporting.policy.dataSubmissionEnabled",
            "dom.push.connection.enabled",
            "extensions.blocklist.enabled",
            "extensions.getAddons.cache.enabled",
            "extensions.systemAddon.update.enabled",
            "extensions.update.enabled",
            "geo.enabled",
            "media.gmp-manager.updateEnabled",
            "media.peerconnection.enabled",
            "network.captive-portal-service.enabled",
            "network.connectivity-service.enabled",
            "network.manage-offline-status",
            "network.predictor.enabled",
            "network.prefetch-next",
            "network.proxy.allow_bypass",
            "nimbus.rollouts.enabled",
            "toolkit.telemetry.enabled",
            "toolkit.telemetry.unified",
        ),
        False,
    ),
    "app.update.disabledForTesting": True,
    "browser.region.network.url": "",
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "network.dns.disablePrefetch": True,
    "network.dns.disablePrefetchFromHTTPS": True,
    "network.http.speculative-parallel-limit": 0,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.type": 1,
    "network.trr.mode": 5,
    # These very words tell it that there is no server to ask.
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.server": "",
}

_EVENTS = (
    "browsingContext.contextCreated",
    "browsingContext.userPromptOpened",
    "log.entryAdded",
    "script.message",
)

_KEYS = {
    "Backspace": "\ue003",
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Control": "\ue009",
    "Escape": "\ue00c",
    "Space": " ",
    "PageUp": "\ue00e",
    "PageDown": "\ue00f",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}

_FIND = """(selector, text) => {
  const fits = (one) => one.matches(selector) && one.textContent.includes(text);
  const look = (root) => [...root.querySelectorAll("*")].flatMap((one) => [
    ...(fits(one) && one.checkVisibility() ? [one] : []),
    ...(one.shadowRoot ? look(one.shadowRoot) : []),
  ]);
  return look(document);
}"""

_PLACE = """(selector, text) => {
  const [one] = find(selector, text);
  if (!one) return null;
  one.scrollIntoView({block: "center", behavior: "instant"});
  const {x, y, width, height} = one.getBoundingClientRect();
  const at = [Math.round(x + width / 2), Math.round(y + height / 2)];
  return one.contains(one.getRootNode().elementFromPoint(...at)) ? at : null;
}"""


def find_firefox() -> str | None:
    """Return a browser's path: the one that DISSENT_FIREFOX names, or an installed one."""
    return os.environ.get("DISSENT_FIREFOX") or next(filter(None, map(shutil.which, NAMES)), None)


class Refused(Exception):
    """Firefox could not do what it was asked for."""


class Firefox:
    """A running Firefox.

    Parameters
    ----------
    path : str
        The program.
    folder : Path
        An empty folder for its profile, and whatever else it writes.
    outside : int
        A port of the loopback interface that stands for all other machines.
    """

    def __init__(self, path: str, folder: Path, outside: int = NOBODY) -> None:
        self.path, self.folder, self.outside = path, folder, outside
        self.version = 0
        self.events: list[dict[str, Any]] = []
        self.front = ""
        self._numbers = itertools.count(1)
        self._exits = contextlib.ExitStack()

    def __enter__(self) -> "Firefox":
        """Start it, and wait until it takes orders."""
        with self._exits:
            self._launch()
            self._socket = self._exits.enter_context(
                connect(f"ws://127.0.0.1:{self._wait_for_port()}/session", max_size=None)
            )
            wishes = {"alwaysMatch": {"unhandledPromptBehavior": {"default": "dismiss"}}}
            begun = self.ask("session.new", capabilities=wishes)
            self.version = int(begun["capabilities"]["browserVersion"].partition(".")[0])
            self.ask("session.subscribe", events=list(_EVENTS))
            self._exits = self._exits.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it, and every process that it has started."""
        self._exits.close()

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give one order and return its result; what happens meanwhile is kept as events."""
        number = next(self._numbers)
        try:
            self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
            while (said := json.loads(self._socket.recv(PATIENCE))).get("id") != number:
                self.events.append(said)
        except (ConnectionClosed, TimeoutError) as error:
            raise Refused(f"{method}: Firefox does not answer.\n{self._last_words()}") from error
        if said["type"] == "error":
            raise Refused(f"{method}: {said['error']}: {said['message']}")
        return dict(said["result"])

    def visit(self) -> "Tab":
        """Return a tab in a browser of its own, as it were: without cookies, storage or cache."""
        return self.open(self.ask("browser.createUserContext")["userContext"])

    def open(self, visit: str) -> "Tab":
        """Return another tab of a visit."""
        made = self.ask("browsingContext.create", type="tab", userContext=visit)
        self.front = made["context"]
        return Tab(self, visit, self.front)

    def _launch(self) -> None:
        own = {
            **_PREFERENCES,
            "network.proxy.http_port": self.outside,
            "network.proxy.ssl_port": self.outside,
        }
        lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in own.items())
        (self.folder / "user.js").write_text("".join(lines), encoding="utf-8")
        environment = {
            **{name: text for name, text in os.environ.items() if "proxy" not in name.lower()},
            "HOME": str(self.folder),
            "MOZ_CRASHREPORTER_DISABLE": "1",
            "MOZ_DISABLE_NONLOCAL_CONNECTIONS": "1",
        }
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [self.path, "--headless", "--no-remote", "--profile", str(self.folder),
                 "--remote-debugging-port", "0", "about:blank"],
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )  # fmt: skip
        self._exits.callback(self._end)

    def _wait_for_port(self) -> int:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._process.poll() is None:
            with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
                said = (self.folder / "WebDriverBiDiServer.json").read_text(encoding="utf-8")
                return int(json.loads(said)["ws_port"])
            time.sleep(0.05)
        raise Refused(f"{self.path} did not start.\n{self._last_words()}")

    def _last_words(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")[-2_000:]

    def _end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE)


class Tab:
    """One tab, and what a person does there.

    Elements are found by a CSS selector, also within open shadow roots, and by a part of their
    text; those that cannot be seen are passed over.
    """

    def __init__(self, firefox: Firefox, visit: str, context: str, frame: str = "") -> None:
        self.firefox, self.visit, self.tab = firefox, visit, context
        self.context = frame or context

    def goto(self, address: str) -> None:
        """Open an address and wait until it is loaded."""
        self._go("browsingContext.navigate", url=address)

    def reload(self) -> None:
        """Load the page again."""
        self._go("browsingContext.reload")

    def go_back(self) -> None:
        """Go to the page before, as the browser's button does."""
        self._ask("browsingContext.traverseHistory", delta=-1)

    def resize(self, width: int, height: int) -> None:
        """Make the window's inside so large."""
        self._ask("browsingContext.setViewport", viewport={"width": width, "height": height})

    def frames(self) -> "list[Tab]":
        """Return the frames of the page, each to be used as if it were a tab."""
        tree = self.firefox.ask("browsingContext.getTree", root=self.context)["contexts"][0]
        found = [one["context"] for one in tree["children"]]
        return [Tab(self.firefox, self.visit, self.tab, one) for one in found]

    def close(self) -> None:
        """Close the tab; its visit goes on."""
        self._ask("browsingContext.close")

    def leave(self) -> None:
        """End the visit: all its tabs, cookies and storage."""
        self.firefox.ask("browser.removeUserContext", userContext=self.visit)

    def set_offline(self, offline: bool) -> None:
        """Take the network away, or give it back."""
        conditions = {"type": "offline"} if offline else None
        self.firefox.ask(
            "emulation.setNetworkConditions",
            networkConditions=conditions,
            contexts=[self.context],
        )

    def set_cookie(self, name: str, value: str, host: str = "127.0.0.1") -> None:
        """Give the visit a cookie."""
        cookie = {"name": name, "value": {"type": "string", "value": value}, "domain": host}
        partition = {"type": "storageKey", "userContext": self.visit}
        self.firefox.ask("storage.setCookie", cookie=cookie, partition=partition)

    def evaluate(self, function: str, *values: Any) -> Any:
        """Call a function of the page's language with plain values; returns a plain value.

        ``find(selector, text)`` gives it elements.
        """
        called = self._ask(
            "script.callFunction",
            functionDeclaration=f"""async (...values) => {{
              const find = {_FIND};
              return JSON.stringify((await ({function})(...values)) ?? null);
            }}""",
            arguments=[_as_argument(value) for value in values],
            target={"context": self.context},
            awaitPromise=True,
        )
        if called["type"] == "exception":
            raise Refused(called["exceptionDetails"]["text"])
        return json.loads(called["result"]["value"])

    def wait_for(self, function: str, *values: Any) -> Any:
        """Return what a function gives once this is true; fails when it never is."""
        end = time.monotonic() + PATIENCE
        given: Any = None
        while time.monotonic() < end:
            try:
                if given := self.evaluate(function, *values):
                    return given
            except Refused as error:  # between two pages there is none
                given = error
            time.sleep(0.02)
        raise AssertionError(f"{function} with {values} was last {given!r}")

    def see(self, selector: str, text: str = "") -> str:
        """Wait for an element and return its text."""
        self.wait_for("(...wanted) => find(...wanted).length", selector, text)
        return str(self.evaluate("(...wanted) => find(...wanted)[0]?.innerText", selector, text))

    def see_none(self, selector: str, text: str = "") -> None:
        """Wait until there is no such element."""
        self.wait_for("(...wanted) => !find(...wanted).length", selector, text)

    def count(self, selector: str, text: str = "") -> int:
        """Return how many such elements are to be seen."""
        return int(self.evaluate("(...wanted) => find(...wanted).length", selector, text))

    def attribute(self, selector: str, name: str) -> str | None:
        """Return an attribute of the first such element, if there is one."""
        read = "(selector, name) => find(selector, '')[0]?.getAttribute(name)"
        found: str | None = self.evaluate(read, selector, name)
        return found

    def press(self, *keys: str) -> None:
        """Press keys one after the other, such as ``a``, ``Enter`` or ``Shift+ArrowLeft``."""
        for key in keys:
            held = [_KEYS.get(one, one) for one in (key.split("+") if len(key) > 1 else [key])]
            down = [{"type": "keyDown", "value": one} for one in held]
            up = [{"type": "keyUp", "value": one} for one in reversed(held)]
            self._act({"type": "key", "id": "keyboard", "actions": [*down, *up]})

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        self.press(*("Enter" if letter == "\n" else letter for letter in text))

    def click(self, selector: str, text: str = "", times: int = 1) -> None:
        """Click into the middle of an element, once it is there and nothing lies over it."""
        self.point(*self.wait_for(_PLACE, selector, text), times)

    def hover(self, selector: str, text: str = "") -> None:
        """Move the pointer over the middle of an element."""
        self.point(*self.wait_for(_PLACE, selector, text), 0)

    def point(self, x: int, y: int, times: int = 1) -> None:
        """Move the pointer, and click so many times."""
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act(
            {
                "type": "pointer",
                "id": "mouse",
                "parameters": {"pointerType": "mouse"},
                "actions": [{"type": "pointerMove", "x": x, "y": y}, *press * times],
            }
        )

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press the mouse at one place, move it, and let it go at another."""
        places = [start, ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2), end]
        first, *others = ({"type": "pointerMove", "x": x, "y": y} for x, y in places)
        down, up = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
        parameters = {"pointerType": "mouse"}
        actions = [first, down, *others, up]
        self._act({"type": "pointer", "id": "mouse", "parameters": parameters, "actions": actions})

    def fill(self, selector: str, text: str) -> None:
        """Click into an empty field and type a text."""
        self.click(selector)
        self.type(text)

    def shoot(self) -> bytes:
        """Return what is to be seen as a PNG."""
        return base64.b64decode(self._ask("browsingContext.captureScreenshot")["data"])

    def _go(self, method: str, **parameters: Any) -> None:
        # Should the old page change its address meanwhile, Firefox takes that for the arrival.
        self.evaluate("() => { window.isLeft = true; }")
        self._ask(method, wait="complete", **parameters)
        self.wait_for("() => !window.isLeft && document.readyState === 'complete'")

    def _act(self, source: dict[str, Any]) -> None:
        if self.firefox.front != self.tab:
            self.firefox.ask("browsingContext.activate", context=self.tab)
            self.firefox.front = self.tab
        self._ask("input.performActions", actions=[source])

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self.firefox.ask(method, context=self.context, **parameters)


def _as_argument(value: Any) -> dict[str, Any]:
    """Return a plain value as the protocol writes it."""
    if value is None:
        return {"type": "null"}
    if isinstance(value, list | tuple):
        return {"type": "array", "value": [_as_argument(one) for one in value]}
    kind = {bool: "boolean", int: "number", float: "number", str: "string"}[type(value)]
    return {"type": kind, "value": value}
