"""The README's pictures are there, are small, and show what is drawn today."""

import pytest
from PIL import Image

from tests.each import each
from tests.pages.conftest import OpenPage
from tests.pictures import (
    MOST,
    NAMES,
    PAGES,
    PICTURES,
    SIZE,
    THEMES,
    describe_page,
    describe_screen,
)

RENEW = "draw the pictures anew: python -m tests.pictures"


@pytest.fixture(scope="module")
def store(lasting_demo):
    return lasting_demo


@each("name", NAMES)
@each("theme", THEMES)
def test_there_is_a_picture_for_light_and_dark(name: str, theme: str):
    with Image.open(PICTURES / f"{name}-{theme}.webp") as seen:
        assert (seen.format, seen.size) == ("WEBP", SIZE)


def test_all_of_them_are_small():
    assert sum(path.stat().st_size for path in PICTURES.glob("*.webp")) <= MOST
    assert len(list(PICTURES.glob("*.webp"))) == len(NAMES) * len(THEMES)


@each("name", sorted(PAGES))
def test_a_pictured_page_says_what_it_said(name: str, open_page: OpenPage, lasting_organiser: str):
    told = (PICTURES / f"{name}.txt").read_text(encoding="utf-8")
    assert describe_page(open_page(PAGES[name], lasting_organiser)) == told, RENEW


def test_the_judging_screen_is_made_of_what_it_was():
    told = (PICTURES / "judging.txt").read_text(encoding="utf-8")
    assert describe_screen() == told, RENEW
