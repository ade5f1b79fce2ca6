"""Figures of clicks: lines by level, limits, and what is examined."""

import numpy as np
import pytest

from core.clicks.click_rates import rates_by_level_and_rank, rates_by_rank
from core.figures.clicks import draw_click_rates, draw_examination, name_level
from tests.core.clicks.worlds import LEVELS, draw_log


def test_rates_have_a_line_a_level_with_limits():
    rates = rates_by_level_and_rank(draw_log("PBM", 200), LEVELS)
    figure = draw_click_rates(rates, {0.0: "Non"})
    assert [line.name for line in figure.data] == ["Non", "1", "2", "unjudged"]
    own = rates[rates["level"] == 1]
    line = figure.data[1]
    assert list(line.y) == own["value"].tolist()
    assert line.error_y.array == pytest.approx((own["high"] - own["value"]).to_numpy())
    assert np.abs(line.x - own["rank"].to_numpy()).max() < 0.5
    assert figure.layout.showlegend


def test_rates_of_all_results_are_one_line():
    figure = draw_click_rates(rates_by_rank(draw_log("PBM", 200)))
    assert [line.name for line in figure.data] == ["all results"]
    assert list(figure.data[0].x) == [1, 2, 3, 4]
    assert not figure.layout.showlegend


def test_examination_is_a_line_a_name():
    figure = draw_examination({"PBM": np.array([1, 0.5]), "true": np.array([1, 0.4])})
    assert [list(line.y) for line in figure.data] == [[1, 0.5], [1, 0.4]]
    assert list(figure.data[0].x) == [1, 2]


def test_levels_are_called_by_their_name_or_number():
    assert [name_level(one, {1.0: "Rel"}) for one in (1.0, 2.5, np.nan)] == [
        "Rel", "2.5", "unjudged",
    ]  # fmt: skip
