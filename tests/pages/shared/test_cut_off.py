"""While the store is cut off, pages show old numbers, and nobody's name."""

import re

import pytest

from core.store.store import Store

NAME = re.compile(r"\ba1\b")
"""Of an assessor; as a word, as codes are of random signs."""


def told(at) -> str:
    frames = [str(one.value) for one in at.dataframe]
    return " ".join([*(str(one.value) for one in at.markdown), *frames])


@pytest.mark.parametrize("page", ["people", "assignments", "audit", "export"])
def test_what_is_for_organisers_is_shut(page, open_page, organiser, store, filled, monkeypatch):
    open_page(page, organiser)
    monkeypatch.setattr(Store, "is_cut_off", lambda _: True)
    at = open_page(page, organiser)
    assert not NAME.search(told(at))
    assert not at.button


def test_numbers_are_shown_without_names(open_page, organiser, store, filled, monkeypatch):
    assert NAME.search(told(open_page("agreement", organiser)))
    monkeypatch.setattr(Store, "is_cut_off", lambda _: True)
    shown = told(open_page("agreement", organiser))
    assert "κ" in shown
    assert not NAME.search(shown)
