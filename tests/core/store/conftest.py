"""An empty store, and one with a small collection."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.store.store import Store


@pytest.fixture
def store(tmp_path: Path, blank_store: Path) -> Iterator[Store]:
    opened = Store(Path(shutil.copy(blank_store, tmp_path)))
    yield opened
    opened.close()
