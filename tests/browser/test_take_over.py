"""A page on another port of the same host goes after the websocket of a signed-in visitor."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Page
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState

from core.store.people.people import add_person, begin_session, invite
from core.store.store import Store
from tests.browser.firefox import Tab
from tests.browser.running import Running, wait_until
from tests.faults.xss_watch import Bare
from tests.short import few

pytestmark = pytest.mark.browser

SECRET = "Wilhelmina Zyxwv"
ATTACK = """<script>
window.came = "";
window.ended = false;
const socket = new WebSocket("ADDRESS", ["streamlit"]);
socket.binaryType = "arraybuffer";
socket.onopen = () => socket.send(new Uint8Array(MESSAGE));
socket.onmessage = (one) => { window.came += new TextDecoder("latin1").decode(one.data); };
socket.onclose = () => { window.ended = true; };
</script>"""


TEXT = "() => document.body?.innerText ?? ''"


class Visitor(Protocol):
    """A person in a browser, as far as a page of Playwright and a tab of Firefox agree."""

    def goto(self, address: str, /) -> Any: ...

    def click(self, selector: str, /) -> Any: ...

    def evaluate(self, function: str, /) -> Any: ...


@dataclass
class Scene:
    """The link by which an organiser comes in, and the page next door."""

    is_guarded: bool
    link: str
    neighbour: str


@pytest.fixture(params=few([True, False]), ids=["guarded", "without its guard"])
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    store = Store(tmp_path / "store.duckdb")
    organiser = add_person(store, "Olga", "organiser")
    begin_session(store, organiser)  # else the server makes a link of its own, which ends this one
    token = invite(store, organiser)
    add_person(store, SECRET, "assessor")
    store.close()
    server = Running(store.path, tmp_path / "server.log", {"UNGUARDED": "gate,origins"})
    if not request.param:
        server.app = "tests.faults.unguarded:app"
    server.start()
    message = BackMsg(rerun_script=ClientState(page_name="people")).SerializeToString()
    address = f"ws://127.0.0.1:{server.port}/_stcore/stream"
    page = ATTACK.replace("ADDRESS", address).replace("MESSAGE", str(list(message)))
    neighbour = Bare([page])
    yield Scene(request.param, f"{server.address}/enter/{token}", f"{neighbour.address}/raw/0")
    neighbour.close()
    server.kill()


def test_chromium_hands_nobody_the_session(scene: Scene, page: Page):
    visit(scene, page)


@pytest.mark.usefixtures("only_in_full")
def test_firefox_hands_nobody_the_session(scene: Scene, tab: Tab):
    visit(scene, tab)


def visit(scene: Scene, visitor: Visitor) -> None:
    """Sign in, then open the page next door, which asks for the list of people."""
    visitor.goto(scene.link)
    visitor.click("button")
    wait_until(lambda: "This store is empty" in visitor.evaluate(TEXT))
    visitor.goto(scene.neighbour)
    if scene.is_guarded:
        wait_until(lambda: visitor.evaluate("() => window.ended"))
        assert visitor.evaluate("() => window.came") == ""
    else:
        wait_until(lambda: SECRET in visitor.evaluate("() => window.came"))
