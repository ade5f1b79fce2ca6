"""Small bundles that unpack to very much take neither memory nor time."""

import pytest

from tests.faults.packed_bundles import ZIP
from tests.faults.read_apart import on_linux, take
from tests.short import few


@on_linux
@pytest.mark.parametrize("make", few(ZIP.values()), ids=list(ZIP))
def test_a_small_bundle_takes_little_memory(make, made, tmp_path, record_property):
    own = tmp_path / "own.zip"
    own.write_bytes(made.bundle)
    take(make(made.entries), "bundle", own, tmp_path, record_property)
