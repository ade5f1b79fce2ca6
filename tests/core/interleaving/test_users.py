"""Simulated users click as often as the tables say, and stop."""

import numpy as np
import pytest

from core.errors import BadInput
from core.interleaving.users import USERS, LevelUser, average_by_level, parse_user

every_user = pytest.mark.parametrize("text", USERS.names())
NUMBER = 40_000


@every_user
def test_a_user_prints_parses_and_wants_something(text: str):
    user = parse_user(text)
    assert str(user) == text
    assert user.wants


@every_user
def test_clicks_and_stops_are_those_of_the_table(text: str):
    user = parse_user(text)
    assert list(user.clicks) == sorted(user.clicks)
    for grade, click, stop in zip((0, 0.25, 0.5, 0.75, 1), user.clicks, user.stops, strict=True):
        shown = np.full((NUMBER, 2), grade)
        clicked = user.click(shown, np.random.default_rng(3))
        assert clicked[:, 0].mean() == pytest.approx(click, abs=0.01)
        again = click * (1 - click * stop)
        assert clicked[:, 1].mean() == pytest.approx(again, abs=0.01)


def test_scales_of_two_levels_are_those_that_were_published():
    published = {"perfect": (0, 1), "navigational": (0.05, 0.95), "informational": (0.4, 0.9)}
    for text, rates in published.items():
        user = parse_user(text)
        assert (user.clicks[0], user.clicks[-1]) == rates


def test_between_grades_chances_are_interpolated():
    clicked = parse_user("perfect").click(np.full((NUMBER, 1), 0.625), np.random.default_rng(1))
    assert clicked.mean() == pytest.approx(0.6, abs=0.01)


@every_user
def test_nothing_is_clicked_where_a_list_is_at_its_end(text: str):
    shown = np.array([[1.0, np.nan, np.nan]] * 200)
    assert not parse_user(text).click(shown, np.random.default_rng(0))[:, 1:].any()


def test_an_unknown_user_is_refused():
    with pytest.raises(BadInput, match="informational"):
        parse_user("nobody")


def test_a_click_model_clicks_on_the_nearest_level():
    seen = []

    def draw(kind: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        seen.append(kind)
        return kind == 2

    user = LevelUser(np.array([0.0, 0.5, 1.0]), draw)
    shown = np.array([[0.0, 0.2, 0.3, 0.9, np.nan]])
    clicked = user.click(shown, np.random.default_rng(0))
    assert seen[0].tolist() == [[0, 0, 1, 2, -1]]
    assert clicked.tolist() == [[False, False, False, True, False]]


def test_what_has_a_level_is_averaged_over_it():
    levels, means = average_by_level(np.array([0.1, 0.3, 0.9, 0.5]), np.array([0, 0, 3, np.nan]))
    assert levels.tolist() == [0, 3]
    assert means == pytest.approx([0.2, 0.9])
