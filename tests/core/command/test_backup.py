import zipfile

import pytest

from tests.short import long


@pytest.fixture
def backup(dissent, dl19_store, tmp_path):
    result = dissent("backup", tmp_path / "b.zip", "--store", dl19_store, "--format", "json")
    assert result.json["written"]["labels"] == 5438
    return tmp_path / "b.zip"


def test_a_restored_store_holds_the_same(dissent, backup, dl19_store, tmp_path):
    new = tmp_path / "new.duckdb"
    restored = dissent("restore", backup, "--store", new)
    assert restored.status == 0
    assert "5,438 labels" in restored.out
    words = ("export", "labels", "--names", "--collection", "dl19", "--store")
    assert dissent(*words, new).out == dissent(*words, dl19_store).out


def test_nothing_is_overwritten(dissent, backup, dl19_store, tmp_path):
    content = backup.read_bytes()
    again = dissent("backup", backup, "--store", dl19_store)
    assert again.status == 1
    assert "never overwrites" in again.err
    assert backup.read_bytes() == content
    refused = dissent("restore", backup, "--store", dl19_store)
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


def test_a_backup_that_cannot_be_written_leaves_nothing(dissent, dl19_store, tmp_path):
    result = dissent("backup", tmp_path / "no" / "b.zip", "--store", dl19_store)
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
def test_counts_are_told_for_people_and_programs(dissent, backup, dl19_store, tmp_path):
    told = dissent("backup", tmp_path / "second.zip", "--store", dl19_store).out
    assert told.startswith(f"{tmp_path / 'second.zip'}: ")
    assert "75,450 run lines" in told
    new = tmp_path / "new.duckdb"
    restored = dissent("restore", backup, "--store", new, "--format", "json").json
    assert (restored["store"], restored["written"]["topics"]) == (str(new), 22)
