"""Addresses of documents: read as they were signed, and not when they were not."""

import pytest

from core.assessment.intake.judging import Grant
from core.errors import NotAllowed
from pages.shared.addresses import page_address, read_page_address
from pages.shared.intake import sign_grant

PLACE = ("c", "d ü", "two words", "s")


@pytest.mark.usefixtures("store")
def test_an_address_holds_what_may_be_shown_in_which_session():
    address = page_address(*PLACE)
    assert address.startswith("/api/page/")
    assert read_page_address(address.removeprefix("/api/page/")) == (*PLACE, False)
    text = page_address(*PLACE, text_only=True).removeprefix("/api/page/")
    assert read_page_address(text) == (*PLACE, True)


@pytest.mark.usefixtures("store")
def test_no_other_token_is_one():
    token = page_address(*PLACE).removeprefix("/api/page/")
    for other in ("", token + "x", sign_grant(Grant("c", "anna"), "s")):
        with pytest.raises(NotAllowed):
            read_page_address(other)
