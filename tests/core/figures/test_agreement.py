"""Intervals of pairs, the matrix of assessors, and the confusion matrix as figures."""

import pandas as pd
import pytest

from core.figures.agreement import draw_confusion, draw_intervals, draw_pair_matrix


@pytest.fixture
def rows() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "name": ["a – b", "a – c", "b – c"],
            "n": [40, 40, 5],
            "value": [0.6, 0.4, 0.1],
            "low": [0.5, 0.1, -0.5],
            "high": [0.7, 0.7, 0.7],
            "counted": [True, True, False],
        }
    )


def test_intervals_reach_from_low_to_high_and_few_items_are_hollow(rows):
    solid, hollow = draw_intervals(rows).data
    assert list(solid.x) == [0.6, 0.4]
    assert list(solid.y) == ["a – b", "a – c"]
    assert list(solid.error_x.array) == pytest.approx([0.1, 0.3])
    assert list(solid.error_x.arrayminus) == pytest.approx([0.1, 0.3])
    assert solid.marker.symbol == "circle"
    assert (list(hollow.x), hollow.marker.symbol) == ([0.1], "circle-open")
    assert list(hollow.customdata[0]) == [5, " [−0.500, 0.700]"]


def test_a_limit_that_is_infinite_is_beyond_the_axis_and_written_as_such(rows):
    rows.loc[0, ["low", "high"]] = [-float("inf"), float("inf")]
    rows.loc[1, ["low", "high"]] = float("nan")
    (solid, _) = draw_intervals(rows, reach=8).data
    assert solid.error_x.array[0] == solid.error_x.arrayminus[0] == 1e6
    assert [one[1] for one in solid.customdata] == [" [−∞, ∞]", ""]
    assert list(draw_intervals(rows, reach=8).layout.xaxis.range) == [-8, 8]


def test_intervals_stand_in_the_order_of_the_rows_and_name_the_axis(rows):
    figure = draw_intervals(rows, x="κ")
    assert list(figure.layout.yaxis.categoryarray) == ["a – b", "a – c", "b – c"]
    assert list(figure.layout.yaxis.range) == [2.5, -0.5]
    assert figure.layout.xaxis.title.text == "κ"
    assert figure.layout.shapes[0].x0 == 0


def test_a_long_list_grows_and_has_its_axis_on_top(rows):
    many = pd.concat([rows[rows["counted"]]] * 20, ignore_index=True)
    many["name"] = [f"pair {n}" for n in range(40)]
    figure = draw_intervals(many)
    assert len(figure.data) == 1
    assert figure.layout.xaxis.side == "top"
    assert figure.layout.height > 40 * 18
    assert draw_intervals(rows).layout.xaxis.side == "bottom"


def test_the_matrix_of_assessors_is_symmetric_with_gaps():
    pairs = pd.DataFrame(
        {
            "first": ["b", "a", "a"],
            "second": ["c", "b", "c"],
            "n": [12, 30, 0],
            "value": [0.25, 0.5, float("nan")],
        }
    )
    figure = draw_pair_matrix(pairs, measure="κ")
    cells, _ = figure.data
    assert (list(cells.x), list(cells.y)) == (["a", "b", "c"], ["a", "b", "c"])
    assert cells.z[0][1] == cells.z[1][0] == 0.5
    assert [" ".join(row) for row in cells.text] == [" 0.500 ", "0.500  0.250", " 0.250 "]
    assert cells.customdata[1][2] == 12
    assert figure.layout.yaxis.autorange == "reversed"
    assert "κ" in figure.layout.xaxis.title.text


def test_many_assessors_get_more_room_and_smaller_numbers():
    names = [f"a{n:02d}" for n in range(30)]
    pairs = pd.DataFrame({"first": names[0], "second": names[1:], "n": 9, "value": -0.52})
    figure, small = draw_pair_matrix(pairs), draw_pair_matrix(pairs.head(3))
    assert figure.layout.height > 2 * small.layout.height
    assert figure.data[1].textfont.size < small.data[1].textfont.size
    assert (figure.data[0].text[0][1], small.data[0].text[0][1]) == ("−.5", "−0.520")


def test_the_confusion_matrix_writes_counts_and_shares_under_level_names():
    cells = pd.DataFrame(
        {
            "first": ["No", "No", "Yes", "Yes"],
            "second": ["No", "Yes", "No", "Yes"],
            "items": [3, 1, 0, 0],
            "share": [0.75, 0.25, float("nan"), float("nan")],
            "written": ["3<br>75%", "1<br>25%", "0", "0"],
        }
    )
    figure = draw_confusion(cells, ["No", "Yes"], "anna", "bob")
    drawn, written = figure.data
    assert (list(drawn.y), list(drawn.x)) == (["No", "Yes"], ["No", "Yes"])
    assert [list(row) for row in drawn.z] == [[0.75, 0.25], [0, 0]]
    assert [list(row) for row in drawn.text] == [["3<br>75%", "1<br>25%"], ["0", "0"]]
    assert [list(row) for row in drawn.customdata] == [[3, 1], [0, 0]]
    assert figure.layout.yaxis.title.text == "level by anna"
    assert figure.layout.xaxis.title.text == "level by bob"
    assert figure.layout.xaxis.type == "category"
    assert list(written.text) == ["3<br>75%", "1<br>25%", "0", "0"]


def test_every_value_is_on_the_axis_however_far(rows):
    far = rows.assign(value=[-1.16, 0.1, 1.15], low=[-1.3, 0, 1], high=[-1, 0.2, 2])
    low, high = draw_intervals(far).layout.xaxis.range
    assert low < -1.3
    assert 2 < high < 2.1


def test_intervals_that_leave_the_axis_are_counted(rows):
    far = rows.assign(low=[0.5, -7, -0.5], high=[0.7, 0.7, float("inf")])
    figure = draw_intervals(far, x="leniency")
    low, high = figure.layout.xaxis.range
    assert (low, high) == pytest.approx((-1.05, 1.05))
    assert figure.layout.xaxis.title.text == (
        "leniency<br>2 intervals go beyond the axis;<br>limits under the pointer and in the data"
    )
    one = draw_intervals(rows.assign(low=[0.5, -7, -0.5]), x="leniency")
    assert "<br>1 interval goes beyond" in one.layout.xaxis.title.text


def test_an_axis_follows_intervals_where_it_can_show_all(rows):
    """As with two people of dl19, who differ from the others by more than a step."""
    figure = draw_intervals(rows.assign(low=[0.5, -1.9, -0.5]), x="leniency")
    assert figure.layout.xaxis.range[0] < -1.9
    assert figure.layout.xaxis.title.text == "leniency"
