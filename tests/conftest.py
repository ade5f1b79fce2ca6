"""Fixtures shared by the whole suite."""

import gc
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Page, expect, sync_playwright

from core.command.main import main
from core.store import store as stores
from core.store.store import Store
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.engines import FILE, Places, run_cluster
from tests.patience import PATIENCE

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", UNHURRIED, max_examples=10, derandomize=True)
settings.register_profile("long", UNHURRIED, max_examples=100)

ROOT = Path(__file__).parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take --long: here, as options are known before the conftest of a folder is read."""
    parser.addoption("--long", action="store_true", help="run the fault suite in full")
    parser.addoption(
        "--engine",
        choices=("file", "postgresql"),
        default="file",
        help="open what tests name by a file in PostgreSQL",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Try laws on the same examples each time, and with --long on more, new each time."""
    settings.load_profile("long" if config.getoption("--long") else "short")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked ``long``, unless the suite runs in full."""
    if config.getoption("--long"):
        return
    kept: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        kept[item.get_closest_marker("long") is None].append(item)
    items[:] = kept[True]
    config.hook.pytest_deselected(items=kept[False])


def pytest_collection_finish() -> None:
    """Spare what was imported from being looked through for garbage again and again."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests counted: ``record_property("counts", …)``."""
    for report in (*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")):
        for name, value in report.user_properties:
            if name == "counts":
                terminalreporter.write_line(f"{report.nodeid.rpartition('/')[2]}: {value}")


@pytest.fixture(scope="session")
def long_form(request: pytest.FixtureRequest) -> bool:
    """Whether the suite runs in full."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real research data; skip where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data sets are not beside this checkout")
    return folder


@pytest.fixture(scope="session")
def places(request: pytest.FixtureRequest) -> Iterator[Places | None]:
    """What opens a store for tests, where it is not a file."""
    if request.config.getoption("--engine") == FILE:
        yield None
    else:
        with run_cluster() as cluster:
            yield Places(cluster, compares=request.config.getoption("--long"))


@pytest.fixture(autouse=True)
def on_engine(
    places: Places | None, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Open stores where ``--engine`` says; tests of what only a file has are left out then."""
    if places is None:
        yield
        return
    if request.node.get_closest_marker("file_only"):
        pytest.skip("is about stores in a file")
    monkeypatch.setattr(stores, "open_place", places.open)
    yield
    places.drop()


@pytest.fixture(scope="session")
def blank_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store to be copied: that is quicker than to make one."""
    path = tmp_path_factory.mktemp("blank") / "store.duckdb"
    Store(path).close()
    return path


@pytest.fixture
def store(tmp_path: Path, blank_store: Path) -> Iterator[Store]:
    """An empty store of the test's own."""
    with closing(Store(Path(shutil.copy(blank_store, tmp_path)))) as opened:
        yield opened


@pytest.fixture(scope="session")
def browser(long_form: bool) -> Iterator[Browser]:
    """A real Chromium, one for each process: a second one beside it would not start."""
    path = find_chromium(bare=not long_form)
    assert path, "no Chromium: run 'python -m tests', which gets one"
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(1000 * PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def dl19(shared_data: Path) -> Path:
    return shared_data / "dl19"


@pytest.fixture(scope="session")
def dl19_store(dl19: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store that holds the whole data set, imported by the command; do not change it."""
    return import_study(dl19, tmp_path_factory.mktemp("dl19") / "dl19.duckdb")


def import_study(folder: Path, store: Path) -> Path:
    """Import topics, documents, runs and labels by the command, as the collection 'dl19'."""
    for kind, *files in (
        ("topics", folder / "topics.tsv"),
        ("documents", folder / "documents.jsonl.gz"),
        ("runs", *sorted((folder / "runs").iterdir())),
        ("labels", folder / "labels.tsv"),
    ):
        words = ["import", kind, *files, "--store", store, "--collection", "dl19", "--create"]
        assert main([str(word) for word in words]) == 0
    return store
