"""A server on a store of its own, and pages drawn on it without a browser."""

import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner
from streamlit.util import calc_hash

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.demo import load_demo, load_live_demo
from core.measures.ranking import Rankings, compile_rankings
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.frames import read_labels, read_runs
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion, qrels_from_labels
from pages.server.running import server, stop
from tests.patience import PATIENCE

# AppTest looks through every installed package at each run, longer than most pages take.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def _wait_for_end(runner: LocalScriptRunner, timeout: float) -> None:
    """Wait for the thread that draws; AppTest would ask a thousand times a second."""
    assert runner._script_thread is not None
    runner._script_thread.join(timeout)
    if runner._script_thread.is_alive():
        runner.request_stop()
        pytest.fail(f"the page was not drawn in {timeout} s")


local_script_runner.require_widgets_deltas = _wait_for_end

MAIN = Path(__file__).parent.parent.parent / "pages" / "main.py"

FILES = {
    "topics": "id\tquery\nt1\tjaguar\nt2\tעברית\n",
    "documents": '{"id": "d1", "title": "Cats", "url": "http://c.example", "text": "A cat."}\n'
    '{"id": "d2", "title": "Cars", "text": "A car."}\n{"id": "d3"}\n',
    "results": "topic\tengine\tdocument\trank\tsnippet\nt1\te1\td1\t1\tBig cats\n"
    "t1\te2\td1\t1\tCats, *big*\nt1\te1\td2\t2\tFast cars\nt2\te1\td2\t1\tCars\n",
    "runs": "t1 Q0 d1 1 2.5 s1\nt1 Q0 d3 2 1.5 s1\nt2 Q0 d2 1 3.5 s1\n",
    "labels": "assessor\ttopic\tdocument\tlevel\na1\tt1\td1\t2\na2\tt1\td1\t3\na1\tt1\td2\t0\n",
}

OpenPage = Callable[..., AppTest]


@pytest.fixture(scope="session")
def filled_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store to be copied, and the id of the small collection in it."""
    store = Store(tmp_path_factory.mktemp("filled") / "store.duckdb")
    collection_id = create_collection(store, "Small *one*", guidelines="Be kind.")
    for kind, text in FILES.items():
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        imported = read_import(kind, Source(f"{kind}.txt", text.encode()), **options)
        write_import(store, collection_id, imported)
    store.close()
    return store.path, collection_id


@pytest.fixture(scope="session")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store to be copied that holds the demo, and the id of its collection."""
    with closing(Store(tmp_path_factory.mktemp("demo") / "store.duckdb")) as made:
        return made.path, load_demo(made)


@pytest.fixture(scope="session")
def live_demo_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store to be copied that holds the demo with its simulated round."""
    with closing(Store(tmp_path_factory.mktemp("live") / "store.duckdb")) as made:
        return made.path, load_live_demo(made)


@contextmanager
def serve_copy(path: Path, folder: Path, *, demo: bool = False) -> Iterator[Store]:
    """Have the pages of this process open a copy of a store, as the demo or as one's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISSENT_STORE", shutil.copy(path, folder))
        patch.setenv("DISSENT_DEMO", "1" if demo else "")
        stop()
        yield server().store
        stop()


@pytest.fixture
def store(
    tmp_path: Path,
    blank_store: Path,
    request: pytest.FixtureRequest,
) -> Iterator[Store]:
    """A store that the pages of this process open; empty unless one of the filled is asked for."""
    asked = [name for name in ("filled", "demo", "live_demo") if name in request.fixturenames]
    path = request.getfixturevalue(f"{asked[0]}_store")[0] if asked else blank_store
    with serve_copy(path, tmp_path, demo=asked == ["live_demo"]) as opened:
        yield opened


@pytest.fixture(scope="module")
def lasting_store(blank_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """An empty store for a whole module, in which no test changes what another one sees."""
    with serve_copy(blank_store, tmp_path_factory.mktemp("lasting")) as opened:
        yield opened


@pytest.fixture(scope="module")
def lasting_filled(
    filled_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """As `lasting_store`, with the small collection."""
    with serve_copy(filled_store[0], tmp_path_factory.mktemp("lasting")) as opened:
        yield opened


@pytest.fixture(scope="module")
def lasting_demo(
    demo_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """As `lasting_store`, with the demo."""
    with serve_copy(demo_store[0], tmp_path_factory.mktemp("lasting")) as opened:
        yield opened


@pytest.fixture(scope="module")
def lasting_live_demo(
    live_demo_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """As `lasting_store`, with the demo as its server shows it."""
    with serve_copy(live_demo_store[0], tmp_path_factory.mktemp("lasting"), demo=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def lasting_organiser(store: Store) -> str:
    """The organiser where ``store`` is a lasting one."""
    return add_person(store, "Olga", "organiser")


@pytest.fixture
def organiser(store: Store) -> str:
    return add_person(store, "Olga", "organiser")


@pytest.fixture
def filled(store: Store, filled_store: tuple[Path, str]) -> str:
    """A small collection with a bit of everything; its id."""
    return filled_store[1]


@pytest.fixture
def demo(store: Store, demo_store: tuple[Path, str]) -> str:
    """The demo; the id of its collection."""
    return demo_store[1]


@pytest.fixture
def live_demo(store: Store, live_demo_store: tuple[Path, str]) -> str:
    """The demo as its server shows it, with a simulation; the id of its collection."""
    return live_demo_store[1]


@pytest.fixture
def open_page(store: Store) -> OpenPage:
    """Draw the page at an address for a person, as the main script does."""
    return partial(draw_page, store)


def draw_page(
    store: Store,
    path: str,
    person_id: str,
    collection_id: str = "",
    *,
    address: Mapping[str, str] | None = None,
    **state: Any,
) -> AppTest:
    """Draw the page at an address of the store that this process serves."""
    at = AppTest.from_file(MAIN, default_timeout=PATIENCE)
    at.session_state["session_token"] = begin_session(store, person_id)
    if collection_id:
        at.query_params["collection"] = collection_id
    for name, value in (address or {}).items():
        at.query_params[name] = value
    for key, value in state.items():
        at.session_state[key] = value
    # AppTest switches between page files only; pages that are functions go by this hash.
    at._page_hash = calc_hash(path)
    return at.run()


@pytest.fixture
def judged(store, filled) -> str:
    """The small collection with a second topic judged: d2 is relevant to t2, d1 is not."""
    for document, level in (("d2", 2), ("d1", 0)):
        key = Key("t2", document, "page", "", "a1", 0)
        event = LabelEvent(str(uuid.uuid4()), None, key, "level", level)
        store.labels.append(filled, [event])
    return filled


@pytest.fixture
def version(store, judged) -> QrelsVersion:
    return qrels_from_labels(read_labels(store, judged), QrelsRule("all, maximum"))


@pytest.fixture
def rankings(store, judged, version) -> Rankings:
    return compile_rankings(read_runs(store, judged), version)
