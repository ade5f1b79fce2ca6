"""Figures of clicks: lines by level, limits, and what is examined."""

import numpy as np
import pandas as pd
import pytest

from core.clicks.click_rates import rates_by_level_and_rank, rates_by_rank
from core.figures.clicks import draw_click_rates, draw_examination, draw_perplexity, name_level
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


def test_rates_of_few_showings_are_left_out_unless_all_are():
    rates = rates_by_level_and_rank(draw_log("PBM", 200), LEVELS)
    least = int(rates["shown"].median())
    kept = rates[rates["shown"] >= least]
    figure = draw_click_rates(rates, least=least)
    drawn = [value for line in figure.data for value in line.y]
    assert sorted(drawn) == sorted(kept["value"])
    assert 0 < len(drawn) < len(rates)
    every = draw_click_rates(rates, least=10_000)
    assert sum(len(line.y) for line in every.data) == rates["value"].notna().sum()


def test_rates_of_all_results_are_one_line():
    figure = draw_click_rates(rates_by_rank(draw_log("PBM", 200)))
    assert [line.name for line in figure.data] == ["all results"]
    assert list(figure.data[0].x) == [1, 2, 3, 4]
    assert not figure.layout.showlegend


def test_examination_is_a_line_a_name():
    figure = draw_examination({"PBM": np.array([1, 0.5]), "true": np.array([1, 0.4])})
    assert [list(line.y) for line in figure.data] == [[1, 0.5], [1, 0.4]]
    assert list(figure.data[0].x) == [1, 2]


def test_perplexity_is_a_line_a_model_in_the_order_of_ranks():
    by_rank = pd.DataFrame(
        {"model": ["b", "b", "a", "a"], "rank": [2, 1] * 2, "perplexity": [1.2, 1.5, 1.1, 1.4]}
    )
    figure = draw_perplexity(by_rank)
    assert [(line.name, list(line.y)) for line in figure.data] == [
        ("b", [1.5, 1.2]),
        ("a", [1.4, 1.1]),
    ]


def test_levels_are_called_by_their_name_or_number():
    assert [name_level(one, {1.0: "Rel"}) for one in (1.0, 2.5, np.nan)] == [
        "Rel", "2.5", "unjudged",
    ]  # fmt: skip
