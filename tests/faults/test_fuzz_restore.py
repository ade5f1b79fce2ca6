"""Backups that are spoiled, made up or made to burst: a store is restored whole, or not at all."""

import hashlib
import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import DissentError
from core.store.backup.backup import restore_backup, write_backup
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.people.people import add_person
from core.store.store import Store
from tests.faults.fuzz_mutations import spoiled_files
from tests.faults.fuzz_seeds import TARGETS
from tests.short import long

pytestmark = pytest.mark.timeout(3_600)

SHORT, LONG = 12, 1_500
"""Archives of each kind."""

VALUES = (None, True, -1, 0, 2.5, 10**30, "", "1", "x" * 300, [], {}, [[]], float("nan"))
NAMES = (
    "people",
    "labels",
    "migrations",
    "../people",
    "people'; DROP TABLE people; --",
    "é",
    "x.y",
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("backup")
    store = Store(folder / "store.duckdb")
    add_person(store, "Olga", "organiser")
    collection_id = create_collection(store, "Small")
    for target in TARGETS:
        if target.kind in ("topics", "documents", "results"):
            seed = target.seeds[0]
            source = Source("seed", seed.replace(b"t1", target.name[:2].encode() + b"1"))
            with_other_ids = read_import(target.kind, source, format_name=target.name)
            try:
                write_import(store, collection_id, with_other_ids)
            except DissentError:
                continue
    write_backup(store, folder / "backup.zip")
    store.close()
    return (folder / "backup.zip").read_bytes()


class Archive:
    """An archive that does not fill the screen when it is named."""

    def __init__(self, data: bytes) -> None:
        self.data = data


@st.composite
def _wrap(draw: st.DrawFn, files: st.SearchStrategy[bytes]) -> Archive:
    return Archive(draw(files))


def _is_restored(data: bytes, folder: Path) -> bool:
    """Restore an archive: either the whole store stands, or nothing is left behind."""
    given_, target = folder / "given.zip", folder / "new.duckdb"
    given_.write_bytes(data)
    try:
        counts = restore_backup(given_, target)
    except DissentError as error:
        str(error).encode()
        assert list(folder.iterdir()) == [given_]
        return False
    store = Store(target)
    held = store.cursor().execute("SELECT count(*) FROM people").fetchone()
    store.close()
    assert held == (counts.get("people", 0),)
    for part in folder.iterdir():
        part.unlink()
    return True


def _run(count: int, folder: Path, files: st.SearchStrategy[bytes]) -> Counter[str]:
    seen: Counter[str] = Counter()

    @settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(_wrap(files))
    def restore(archive: Archive) -> None:
        seen["restored" if _is_restored(archive.data, folder) else "refused"] += 1

    restore()
    return seen


def test_spoiled_archives(archive: bytes, tmp_path: Path, long_form: bool, record_property):
    assert _is_restored(archive, tmp_path)
    files = spoiled_files((archive,), ("PK", "manifest.json", "rows"))
    seen = _run(LONG if long_form else SHORT, tmp_path, files)
    record_property("counts", f"spoiled backups: {dict(seen)}")
    assert seen["refused"] > seen["restored"]


@long
def test_archives_with_another_manifest_or_other_tables(
    archive: bytes, tmp_path: Path, long_form: bool, record_property
):
    seen = _run(LONG if long_form else SHORT, tmp_path, _made_up(archive))
    record_property("counts", f"made-up backups: {dict(seen)}")
    assert seen["refused"]


@st.composite
def _made_up(draw: st.DrawFn, archive: bytes) -> bytes:
    """Return an archive whose hashes are right, but whose manifest or tables are not."""
    files = _open(archive)
    manifest = json.loads(files.pop("manifest.json"))
    what = draw(st.integers(0, 4))
    name = draw(st.sampled_from(sorted(manifest["tables"])))
    facts = manifest["tables"][name]
    if what == 0:
        manifest[draw(st.sampled_from(("migrations", "tables", "made_at")))] = _value(draw)
    elif what == 1:
        facts[draw(st.sampled_from(sorted(facts)))] = _value(draw)
    elif what == 2:
        manifest["tables"][draw(st.sampled_from(NAMES))] = manifest["tables"].pop(name)
    elif what == 3:
        other = draw(st.sampled_from(sorted(manifest["tables"])))
        files[f"{name}.parquet"] = files[f"{other}.parquet"]
    else:
        files[f"{name}.parquet"] = draw(spoiled_files((files[f"{name}.parquet"],), ("PAR1",)))
    if what >= 3:
        facts["sha256"] = hashlib.sha256(files[f"{name}.parquet"]).hexdigest()
        if draw(st.booleans()):
            facts.pop("content", None)
    return _pack(manifest, files, draw(st.sampled_from((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))))


def _value(draw: st.DrawFn) -> Any:
    return draw(st.sampled_from(VALUES))


def _open(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        return {name: source.read(name) for name in source.namelist()}


def _pack(
    manifest: dict[str, Any], files: dict[str, bytes], how: int = zipfile.ZIP_STORED
) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as target:
        target.writestr("manifest.json", json.dumps(manifest))
        for name, content in files.items():
            target.writestr(name, content)
    return out.getvalue()


def test_an_archive_that_bursts_is_refused(archive: bytes, tmp_path: Path):
    files = _open(archive)
    manifest = json.loads(files.pop("manifest.json"))
    files["people.parquet"] = bytes(64 * 2**20)
    data = _pack(manifest, files, zipfile.ZIP_DEFLATED)
    assert len(data) < 2**20
    given_ = tmp_path / "given.zip"
    given_.write_bytes(data)
    with pytest.raises(DissentError, match="unpacks to more than 20 times its size"):
        restore_backup(given_, tmp_path / "new.duckdb")


@long
def test_a_table_that_bursts_is_refused(archive: bytes, tmp_path: Path):
    """Twenty million equal rows, in a file as small as they pack; its hash is right."""
    files = _open(archive)
    manifest = json.loads(files.pop("manifest.json"))
    bomb = tmp_path / "bomb.parquet"
    with duckdb.connect() as memory:
        memory.execute(
            "COPY (SELECT 'x' AS name, 'y' AS value FROM range(20_000_000)) "
            f"TO '{bomb}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 10_000_000)"
        )
    files["settings.parquet"] = bomb.read_bytes()
    digest = hashlib.sha256(files["settings.parquet"]).hexdigest()
    manifest["tables"]["settings"] |= {"rows": 20_000_000, "sha256": digest}
    given_ = tmp_path / "given.zip"
    given_.write_bytes(_pack(manifest, files))
    assert given_.stat().st_size < 2**20
    with pytest.raises(DissentError, match="the rows of table settings"):
        restore_backup(given_, tmp_path / "new.duckdb")
    assert not (tmp_path / "new.duckdb").exists()
