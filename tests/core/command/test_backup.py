import contextlib
import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest

from core.command.main import main
from tests.conftest import import_study
from tests.core.api.made_up import write_study
from tests.short import few, long


@pytest.fixture(scope="module", params=few(["made up", "dl19_store"]))
def study(request, tmp_path_factory):
    """A store, and how many labels, run lines and topics it has."""
    if request.param == "dl19_store":
        return request.getfixturevalue(request.param), (5_438, 75_450, 22)
    folder = tmp_path_factory.mktemp("made-up")
    store = import_study(write_study(folder / "files"), folder / "study.duckdb")
    return store, (240, 600, 8)


@pytest.fixture(scope="module")
def store(study):
    return study[0]


@pytest.fixture(scope="module")
def counts(study):
    return study[1]


@pytest.fixture(scope="module")
def written(store, counts, tmp_path_factory):
    path = tmp_path_factory.mktemp("backup") / "b.zip"
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["backup", str(path), "--store", str(store), "--format", "json"]) == 0
    assert json.loads(out.getvalue())["written"]["labels"] == counts[0]
    return path


@pytest.fixture
def backup(written, tmp_path):
    return Path(shutil.copy(written, tmp_path))


def test_a_restored_store_holds_the_same(dissent, backup, store, counts, tmp_path):
    new = tmp_path / "new.duckdb"
    restored = dissent("restore", backup, "--store", new)
    assert restored.status == 0
    assert f"{counts[0]:,} labels" in restored.out
    words = ("export", "labels", "--names", "--collection", "dl19", "--store")
    assert dissent(*words, new).out == dissent(*words, store).out


def test_nothing_is_overwritten(dissent, backup, store, tmp_path):
    content = backup.read_bytes()
    again = dissent("backup", backup, "--store", store)
    assert again.status == 1
    assert "never overwrites" in again.err
    assert backup.read_bytes() == content
    refused = dissent("restore", backup, "--store", store)
    assert refused.status == 1
    assert "into a new file only" in refused.err


def test_a_damaged_backup_leaves_no_store(dissent, backup, tmp_path):
    with zipfile.ZipFile(backup) as source, zipfile.ZipFile(tmp_path / "bad.zip", "w") as bad:
        for name in source.namelist():
            content = source.read(name)
            bad.writestr(name, content[:-9] if name == "labels.parquet" else content)
    result = dissent("restore", tmp_path / "bad.zip", "--store", tmp_path / "new.duckdb")
    assert result.status == 1
    assert "table labels is damaged" in result.err
    assert not (tmp_path / "new.duckdb").exists()


def test_a_backup_that_cannot_be_written_leaves_nothing(dissent, store, tmp_path):
    result = dissent("backup", tmp_path / "no" / "b.zip", "--store", store)
    assert result.status == 1
    assert result.err == (
        f"dissent: there is no folder {tmp_path / 'no'}; make it first, or choose another\n"
    )


def test_what_is_no_backup_is_refused(dissent, tmp_path):
    (tmp_path / "notes.zip").write_text("no archive")
    result = dissent("restore", tmp_path / "notes.zip", "--store", tmp_path / "new.duckdb")
    assert result.status == 1
    assert "not a Dissent backup" in result.err
    missing = dissent("restore", tmp_path / "none.zip", "--store", tmp_path / "new.duckdb")
    assert missing.err == f"dissent: {tmp_path / 'none.zip'}: no such file or directory\n"


@long
def test_counts_are_told_for_people_and_programs(dissent, backup, store, counts, tmp_path):
    told = dissent("backup", tmp_path / "second.zip", "--store", store).out
    assert told.startswith(f"{tmp_path / 'second.zip'}: ")
    assert f"{counts[1]:,} run lines" in told
    new = tmp_path / "new.duckdb"
    restored = dissent("restore", backup, "--store", new, "--format", "json").json
    assert (restored["store"], restored["written"]["topics"]) == (str(new), counts[2])
