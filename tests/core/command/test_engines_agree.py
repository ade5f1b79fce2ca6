"""Every analysis of a store in PostgreSQL is byte for byte that of the same store in a file."""

import inspect
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

import dissent as api
from core.api.calls.store_frames import StoreFrames
from core.collection.export.exported_kinds import EXPORTED
from core.demo import load_demo
from core.errors import DissentError
from core.place import Address, Place, write_place
from core.store.content.collections import list_collections
from core.store.move.move import move_store
from core.store.store import Store
from tests.engines import run_cluster
from tests.postgres import Cluster
from tests.short import long

FRAMES = [
    name
    for name, method in inspect.getmembers(StoreFrames, inspect.isfunction)
    if not name.startswith("_") and name not in ("close", "export", "qrels")
]
QUICK = ("--permutations", "300")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with run_cluster() as made:
        yield made


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "store.duckdb"
    with closing(Store(path)) as store:
        load_demo(store)
    return path


@pytest.fixture(scope="module", params=["demo", pytest.param("dl19_store", marks=long)])
def both(request: pytest.FixtureRequest, cluster: Cluster) -> tuple[Path, Address, str]:
    """A store in a file, the same in a database, and the name of its collection."""
    path: Path = request.getfixturevalue(request.param)
    address = Address(cluster.make())
    move_store(path, address, lambda *_: None)
    with closing(Store(path)) as store:
        return path, address, list_collections(store)[0].name


def answer(ask: Callable[[], object]) -> object:
    """Return what is said, or the error."""
    try:
        return ask()
    except DissentError as error:
        return type(error).__name__, str(error)


@long
@pytest.mark.timeout(900)
def test_frames_and_exports_are_equal(both: tuple[Path, Address, str]):
    path, address, _ = both
    compared = 0
    with api.open_store(path) as one, api.open_store(address.url) as other:
        versions = one.qrels_versions()["version"].tolist()
        asks: list[Callable[[StoreFrames], object]] = [
            *(lambda frames, name=name: getattr(frames, name)() for name in FRAMES),
            *(lambda frames, kind=kind: frames.export(kind) for kind in EXPORTED),
            *(lambda frames, name=name: frames.qrels(name) for name in versions),
        ]
        for ask in asks:
            here, there = (answer(lambda frames=frames, ask=ask: ask(frames))
                           for frames in (one, other))  # fmt: skip
            if isinstance(here, pd.DataFrame):
                pd.testing.assert_frame_equal(here, there)  # type: ignore[arg-type]
                assert here.to_csv() == there.to_csv()  # type: ignore[attr-defined]
            else:
                assert here == there
            compared += 1
    assert compared > 25


@long
@pytest.mark.timeout(900)
def test_papers_and_bundles_are_equal(
    both: tuple[Path, Address, str], tmp_path: Path, dissent: Callable[..., object]
):
    """They have every table and figure of a study, computed from the store."""
    path, address, name = both
    packs = []
    for number, place in enumerate((path, address)):
        packs.append(write_all(place, name, tmp_path / str(number), dissent))
    one, other = packs
    assert one.keys() == other.keys()
    assert len(one) > 20
    assert [file for file in one if one[file] != other[file]] == []


def write_all(
    place: Place, name: str, folder: Path, dissent: Callable[..., object]
) -> dict[str, bytes]:
    """Return the files of a paper pack and of a bundle, but for when and what it was made of."""
    folder.mkdir()
    given = "--store", write_place(place), "--collection", name
    for words in (
        ("paper", folder / "paper", *given),
        ("bundle", folder / "b.zip", *given, "--labels", "--imported-labels", *QUICK),
    ):
        done = dissent(*words)
        assert done.status == 0, done.err  # type: ignore[attr-defined]
    files = {
        str(file.relative_to(folder)): file.read_bytes()
        for file in (folder / "paper").rglob("*")
        if file.is_file()
    }
    with zipfile.ZipFile(folder / "b.zip") as archive:
        files |= {one: archive.read(one) for one in archive.namelist()}
    return files
