"""A live page rests before it is drawn again, and waits for others, but not for ever."""

import time

import pytest

from pages.shared.session import Drawing


@pytest.mark.parametrize(
    ("drawing", "rests"),
    [(Drawing(), None), (Drawing(5.0), None), (Drawing(5.0, 6.0), 2.0), (Drawing(5.0, 95.0), 5.0)],
)
@pytest.mark.parametrize("waits", [0.0, 5.0])
def test_a_page_rests_twice_as_long_as_it_took(drawing, rests, waits, monkeypatch):
    """None rests longer than five seconds, or waits longer than five for one that is drawn."""
    ended = drawing.ended or 0.0
    for passed in (0.0, 1.9, 2.0, 4.9, 5.0, 6.9, 7.0, 10.0, 60.0):
        monkeypatch.setattr(time, "monotonic", lambda passed=passed: ended + passed)
        expected = rests is not None and passed >= rests + waits
        if waits:
            with Drawing():
                assert drawing.may_be_followed() == expected
        else:
            assert drawing.may_be_followed() == expected


def test_of_several_under_way_the_last_one_counts(monkeypatch):
    drawing = Drawing(0.0, 0.0)
    monkeypatch.setattr(time, "monotonic", lambda: 1.0)
    with Drawing():
        with Drawing():
            pass
        assert not drawing.may_be_followed()
    assert drawing.may_be_followed()
