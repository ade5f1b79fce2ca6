"""The fault suite: hostile input, faults and load, in a short form and with --long in full."""

import pytest

from tests.browser.conftest import browser, page

__all__ = ["browser", "long_form", "page"]


@pytest.fixture(scope="session")
def long_form(request: pytest.FixtureRequest) -> bool:
    """Whether the suite runs in full."""
    return bool(request.config.getoption("--long"))
