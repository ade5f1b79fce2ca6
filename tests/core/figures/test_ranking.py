"""Figures of orders: traces, axes, data."""

import pandas as pd
import pytest

from core.figures.ranking import draw_rank_lines, draw_tau_matrix

RANKED = pd.DataFrame(
    {
        "version": ["v1"] * 3 + ["v0"] * 3,
        "system": ["a", "b", "c", "b", "a", "c"],
        "rank": [1, 2, 3, 1, 2, 3],
        "value": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
    }
)


def test_movers_have_lines_of_their_own_and_the_rest_share_a_thin_one():
    figure = draw_rank_lines(RANKED, ["b"])
    rest, mover, *_ = figure.data
    assert mover.name == "b"
    assert list(mover.x) == ["v1", "v0"]
    assert list(mover.y) == [2, 1]
    assert mover.line.width > rest.line.width
    assert mover.marker.size > rest.marker.size
    shown = [y for y in rest.y if y == y]
    assert shown == [1, 2, 3, 3]
    assert [row[0] for row in rest.customdata] == ["a"] * 3 + ["c"] * 3
    assert rest.y[2] != rest.y[2]
    assert not rest.connectgaps


def test_every_system_is_named_at_both_sides():
    *_, first, last = draw_rank_lines(RANKED, ["b"]).data
    assert [text.strip() for text in first.text] == ["a", "c", "<b>b</b>"]
    assert list(first.y) == [1, 3, 2]
    assert list(last.y) == [2, 3, 1]
    assert set(first.x) == {"v1"}
    assert set(last.x) == {"v0"}


def test_conditions_keep_their_order_and_the_best_is_on_top():
    figure = draw_rank_lines(RANKED.rename(columns={"version": "measure"}), ["b"], by="measure")
    assert list(figure.layout.xaxis.categoryarray) == ["v1", "v0"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert figure.layout.annotations[0].text == "measure"
    assert draw_rank_lines(RANKED, []).layout.annotations[0].text == "Qrels version"


def test_names_of_equal_rank_move_apart():
    tied = RANKED.assign(rank=1)
    *_, first, _ = draw_rank_lines(tied, []).data
    assert sorted(first.y) == pytest.approx([0.3, 1.0, 1.7])


def test_all_may_move_and_one_condition_is_enough():
    figure = draw_rank_lines(RANKED, ["a", "b", "c"])
    assert [trace.name for trace in figure.data[1:4]] == ["a", "b", "c"]
    assert len({trace.line.dash for trace in figure.data[1:4]}) == 3
    alone = draw_rank_lines(RANKED[:3], [])
    assert alone.layout.xaxis.range == (0, 0.5)


def test_many_systems_share_the_height():
    def height(systems: int) -> int:
        many = pd.DataFrame(
            {
                "version": "v",
                "system": [f"s{n}" for n in range(systems)],
                "rank": range(1, systems + 1),
                "value": 0.5,
            }
        )
        return int(draw_rank_lines(many, []).layout.height)

    assert height(37) < 525
    assert height(30) < 37 * 17
    assert height(5) > 200


def test_tau_is_written_in_every_cell():
    pairs = pd.DataFrame({"first": ["x", "x"], "second": ["y", "z"], "tau": [0.9, float("nan")]})
    cells, _ = draw_tau_matrix(pairs, ["x", "y", "z"]).data
    assert list(cells.x) == ["x", "y", "z"]
    assert cells.text.tolist() == [
        ["1.000", "0.900", "–"],
        ["0.900", "1.000", "–"],
        ["–", "–", "1.000"],
    ]
    assert cells.customdata[1][0] == pytest.approx(0.9)
    assert cells.z[0][0] > cells.z[0][1]
