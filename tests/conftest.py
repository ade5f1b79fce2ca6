"""Fixtures shared by the whole suite."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("dissent", deadline=None)
settings.load_profile("dissent")

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real research data; skip where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data sets are not beside this checkout")
    return folder
