"""Machine judges beside people, drawn: told apart by shape, with their intervals."""

import numpy as np
import pandas as pd
import pytest

from core.figures.machines import (
    PEOPLE,
    draw_halves,
    draw_level_shift,
    draw_machine_agreement,
    draw_machine_levels,
)

NAN = float("nan")


@pytest.fixture
def pairs() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "machine": ["m", "m", "o"],
            "person": ["ann", "<b>", "ann"],
            "n": [40, 1200, 7],
            "value": [0.5, 0.4, NAN],
            "low": [0.4, NAN, NAN],
            "high": [0.7, NAN, NAN],
        }
    )


@pytest.fixture
def people() -> pd.DataFrame:
    return pd.DataFrame(
        {
            **{"machine": ["m"], "first": ["ann"], "second": ["<b>"], "n": [40]},
            **{"value": [0.45], "low": [0.2], "high": [0.6]},
        }
    )


def test_machines_and_people_differ_in_shape(pairs, people):
    figure = draw_machine_agreement(pairs, people, x="κ")
    machine, others = figure.data
    assert (machine.name, others.name) == ("m", PEOPLE)
    assert list(machine.y) == ["m × ann", "m × &lt;b>"]
    assert list(others.y) == ["ann × &lt;b> (items of m)"]
    assert machine.marker.symbol != others.marker.symbol == "circle-open"
    assert machine.error_x.array[0] == pytest.approx(0.2)
    assert machine.error_x.arrayminus[0] == pytest.approx(0.1)
    assert [list(one) for one in machine.customdata] == [[40, " [0.400, 0.700]"], [1200, ""]]
    assert figure.layout.xaxis.title.text == "κ"
    assert figure.layout.showlegend
    assert list(figure.layout.yaxis.categoryarray) == [*machine.y, *others.y]


def test_several_machines_have_shapes_of_their_own(pairs, people):
    pairs.loc[2, ["value", "low", "high"]] = (0.1, 0, 0.2)
    symbols = [one.marker.symbol for one in draw_machine_agreement(pairs, people).data]
    assert len(set(symbols)) == 3


def test_the_items_need_no_name_with_one_machine(pairs, people):
    figure = draw_machine_agreement(pairs[pairs["machine"] == "m"], people)
    assert list(figure.data[1].y) == ["ann × &lt;b>"]
    (alone,) = draw_machine_agreement(pairs, people[:0]).data
    assert alone.name == "m"


def test_levels_of_a_machine_by_those_of_people():
    rows = pd.DataFrame(
        {
            "machine": "m",
            "level": [0, 0, 10, 10],
            "machine_level": [0, 10, 0, 10],
            "n": [3, 1, 0, 0],
            "value": [0.75, 0.25, NAN, NAN],
        }
    )
    named = draw_machine_levels(rows, {0: "Non", 10: "Key"}).data[0]
    assert (list(named.y), list(named.x)) == (["Non", "Key"], ["Non", "Key"])
    figure = draw_machine_levels(rows)
    drawn, written = figure.data
    assert (list(drawn.y), list(drawn.x)) == (["0", "10"], ["0", "10"])
    assert list(written.text) == ["3<br>75%", "1<br>25%", "0", "0"]
    assert figure.layout.yaxis.title.text == "level by people"
    assert figure.layout.xaxis.title.text == "level by m"


def test_the_shift_reaches_as_far_as_it_goes(pairs):
    rows = pairs.assign(value=[1.5, -0.25, 0], low=[0.5, -1, NAN], high=[2.5, 0.5, NAN])
    figure = draw_level_shift(rows)
    (dots,) = figure.data
    assert list(dots.y) == ["m × ann", "m × &lt;b>", "o × ann"]
    assert list(dots.x) == [1.5, -0.25, 0]
    low, high = figure.layout.xaxis.range
    assert low < -1
    assert high > 2.5
    assert "more lenient" in figure.layout.xaxis.title.text
    assert "beyond the axis" not in figure.layout.xaxis.title.text


ROWS = pd.DataFrame(
    {
        "question": ["revised", "towards"],
        "shown": [0.5, 0.25],
        "shown_items": [10, 12],
        "other": [0.25, np.nan],
        "other_items": [8, 0],
    }
)


def test_it_has_both_halves_and_joins_those_that_are_defined():
    figure = draw_halves(ROWS)
    assert [trace.name for trace in figure.data] == ["shown", "not shown"]
    assert list(figure.data[0].x) == [0.5, 0.25]
    assert list(figure.data[0].customdata) == [10, 12]
    (join,) = figure.layout.shapes
    assert (join.x0, join.x1, join.y0) == (0.25, 0.5, "revised")
    assert figure.layout.xaxis.title.text == "share of labels"
