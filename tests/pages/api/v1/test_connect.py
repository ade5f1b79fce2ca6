"""``dissent.connect``: the frames of a running server are those of its store, to the last dtype."""

import inspect
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from pandas.testing import assert_frame_equal
from starlette.applications import Starlette

import dissent
from core.analysis.collection.collection_frames import CollectionFrames
from core.api.calls.served_store import ServedStore
from core.collection.aspects import Aspect
from core.collection.records import numeric_scale
from core.errors import DissentError, NotAllowed
from core.store.content.aspects import add_aspect
from core.store.content.collections import create_collection, list_collections
from core.store.people.members import add_viewer
from core.store.people.people import add_person
from core.store.people.tokens import end_token, list_tokens, make_token
from core.store.store import Store
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.api.v1.results import FRAMES
from tests.short import few, long

CALLS: list[Any] = [
    *((name, {}) for name in FRAMES if name != "qrels"),
    pytest.param("labels", {"everybody": True}, marks=long),
    pytest.param("labels", {"discussed": True}, marks=long),
    pytest.param("labels", {"aspect": "trust"}, marks=long),
    pytest.param("preferences", {"everybody": True, "discussed": True}, marks=long),
    pytest.param("qrels_versions", {"facet": "snippet"}, marks=long),
    pytest.param("qrels", {"version": "all, median"}, marks=long),
    pytest.param("qrels", {"version": "UDM", "facet": "snippet"}, marks=long),
    pytest.param("qrels", {"version": "all, maximum", "discussed": True}, marks=long),
]


@contextmanager
def served() -> Iterator[str]:
    """Serve the routes of this process on a port of their own."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
        running = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
        thread = threading.Thread(target=running.run, args=([taken],))
        thread.start()
        while not running.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
        running.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def address(lasting_demo: Store) -> Iterator[str]:
    collection_id = list_collections(lasting_demo)[0].collection_id
    aspect = Aspect("trust", ("page",), "Do you trust it?", numeric_scale(range(3)))
    add_aspect(lasting_demo, collection_id, aspect)
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def token(lasting_demo: Store, address: str) -> str:
    return make_token(lasting_demo, add_person(lasting_demo, "Olga", "organiser"), "r", ["read"])


@pytest.fixture(scope="module", params=few([False, True]), ids=["codes", "names"])
def both(
    lasting_demo: Store,
    address: str,
    token: str,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[tuple[CollectionFrames, ServedStore]]:
    """A copy of the store with its key, opened here, and the server that has the store itself."""
    assert lasting_demo.secret
    lasting_demo.cursor().execute("FORCE CHECKPOINT")
    folder = tmp_path_factory.mktemp("beside")
    copy = Path(shutil.copy(lasting_demo.path, folder))
    shutil.copy(f"{lasting_demo.path}.key", folder)
    with closing(dissent.open_store(copy, names=request.param)) as store:
        yield store, dissent.connect(address, token, names=request.param)


@pytest.mark.parametrize(("name", "options"), CALLS, ids=str)
def test_the_frames_are_the_same(
    both: tuple[CollectionFrames, ServedStore], name: str, options: dict[str, Any]
):
    here, there = (getattr(one, name)(**options) for one in both)
    assert_frame_equal(here, there)
    assert list(here.dtypes) == list(there.dtypes)


def test_collections_and_files_are_the_same(both: tuple[CollectionFrames, ServedStore]):
    here, there = both
    assert_frame_equal(here.collections(), there.collections())
    assert here.declaration() == there.declaration()
    for kind, options in {"labels": {"everybody": True}, "preferences": {}}.items():
        assert here.export(kind, **options) == there.export(kind, **options)


def test_every_method_of_an_open_store_is_there_with_its_parameters():
    names = [one for one in vars(CollectionFrames) if not one.startswith("_")]
    assert {*FRAMES, "collections", "declaration", "export"} == set(names)
    for name in names:
        own, other = (
            inspect.signature(getattr(kind, name)) for kind in (CollectionFrames, ServedStore)
        )
        assert own == other, name


def test_errors_are_those_of_an_open_store(both: tuple[CollectionFrames, ServedStore]):
    calls: list[tuple[str, dict[str, Any]]] = [
        ("qrels", {"version": "nothing"}),
        ("labels", {"collection": "Nowhere"}),
        ("labels", {"aspect": "nothing"}),
        ("qrels_versions", {"facet": "nothing"}),
    ]
    for name, options in calls:
        raised = []
        for one in both:
            with pytest.raises(DissentError) as caught:
                getattr(one, name)(**options)
            raised.append(type(caught.value))
        assert raised[0] is raised[1], (name, raised)


def test_tokens_are_answered_for_what_they_are(lasting_demo: Store, address: str):
    vera = add_person(lasting_demo, "Vera", "viewer")
    add_viewer(lasting_demo, list_collections(lasting_demo)[0].collection_id, vera)
    token = make_token(lasting_demo, vera, "v", ["read"])
    store = dissent.connect(f"{address}/", token)
    assert len(store.runs()) == 700
    with pytest.raises(NotAllowed, match="organisers"):
        store.labels()
    with pytest.raises(NotAllowed, match="organisers"):
        dissent.connect(address, token, names=True).qrels_versions()
    create_collection(lasting_demo, "Empty")
    assert len(store.collections()) == 1
    end_token(lasting_demo, list_tokens(lasting_demo, vera)[0].token_id)
    with pytest.raises(NotAllowed, match="dissent token"):
        store.runs()
    assert token not in repr(store)


def test_what_is_no_server_of_dissent_gets_no_token_twice():
    seen: list[str] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/stolen")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        with pytest.raises(DissentError, match="status 302"):
            dissent.connect(url, "dissent_x").collections()
        server.shutdown()
        thread.join()
    assert seen == ["/api/v1/frames/collections"]
    with pytest.raises(DissentError, match="cannot be reached"):
        dissent.connect(url, "dissent_x").collections()
    for wrong in ("judge.example", "file:///etc/passwd", "https://"):
        with pytest.raises(dissent.BadInput, match="no address"):
            dissent.connect(wrong, "dissent_x")
