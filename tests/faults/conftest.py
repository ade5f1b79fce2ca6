"""The fault suite: hostile input, faults and load, in a short form and with --long in full."""

import pytest

from tests.pages import conftest as pages

store, filled, open_page = pages.store, pages.filled, pages.open_page
filled_store = pages.filled_store


@pytest.fixture(scope="session")
def only_in_full(long_form: bool) -> None:
    """Leave out, in the short form, what takes minutes."""
    if not long_form:
        pytest.skip("runs with --long: it takes minutes")
