"""Room on the disk is asked for beforehand, and running out of it is said in a sentence."""

import errno
from pathlib import Path

import duckdb
import pytest

from core.errors import StoreFull
from core.store.file import disk
from core.store.file.disk import expect_room, flush, put_in_place, require_room


def test_too_little_room_is_refused_beforehand(tmp_path: Path):
    require_room(tmp_path, 1000, "Unpacking b.zip")
    with pytest.raises(StoreFull, match=r"^Unpacking b\.zip needs 1,000,064\.0 MB on the disk of "):
        require_room(tmp_path, 10**12, "Unpacking b.zip")


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        duckdb.IOException("IO Error: Could not write file: No space left on device"),
    ],
    ids=str,
)
def test_a_full_disk_is_a_sentence(tmp_path: Path, error: Exception):
    with pytest.raises(StoreFull, match="no room left on the disk of"), expect_room(tmp_path):
        raise error


@pytest.mark.parametrize(
    "error", [OSError(errno.EACCES, "Permission denied"), duckdb.IOException("IO Error: gone")]
)
def test_other_errors_stay_what_they_are(tmp_path: Path, error: Exception):
    with pytest.raises(type(error)) as caught, expect_room(tmp_path):
        raise error
    assert caught.value is error


def test_a_file_is_put_in_place_whole(tmp_path: Path):
    (tmp_path / "inner").mkdir()
    draft = tmp_path / "inner" / "draft"
    draft.write_text("all of it")
    put_in_place(draft, tmp_path / "name")
    assert (tmp_path / "name").read_text() == "all of it"
    assert not draft.exists()


def test_a_folder_that_needs_no_flushing_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(_: int) -> None:
        raise OSError(code, "refused")

    monkeypatch.setattr(disk.os, "fsync", refuse)
    code = errno.EINVAL
    flush(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="refused"):
        flush(tmp_path / "file")
    code = errno.EIO
    with pytest.raises(OSError, match="refused"):
        flush(tmp_path)
