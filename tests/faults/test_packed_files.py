"""Small files that unpack to very much take neither memory nor time, and honest ones are read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.packed_files import GZIP, JSON, PARQUET, PDF, PICTURES, Made
from tests.faults.read_apart import on_linux, take
from tests.short import long

SHORT = {
    *("a text of 16 MB in 256 rows", "a list of 40 million zeros", "many members"),
    *("objects without a field", "another field in each object"),
    *("forms within forms", "a picture in colour", "a PNG like a thread"),
}


def of_kind(kind: str, files: dict[str, Made]) -> Iterator[object]:
    for name, make in files.items():
        marks = () if name in SHORT else long
        yield pytest.param(kind, make, marks=marks, id=f"{kind}: {name}")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "documents.tsv"
    path.write_text("id\ttext\nd1\ta cat\n")
    return path


@on_linux
@pytest.mark.parametrize(
    ("kind", "make"),
    [
        *of_kind("documents", PARQUET),
        *of_kind("runs", GZIP),
        *of_kind("labels", JSON),
        *of_kind("documents", PDF),
        *of_kind("documents", PICTURES),
    ],
)
def test_a_small_file_takes_little_memory(
    kind: str, make: Made, small: Path, tmp_path: Path, record_property
):
    take(make(), kind, small, tmp_path, record_property)
