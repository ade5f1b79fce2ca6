import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.agreement import ratings as ratings_module
from core.agreement.base import COEFFICIENTS, suggest_coefficients
from core.agreement.multi_rater_counts import level_counts
from core.agreement.overall import NO_RANK, NONE_SHOWN, agreement_by_part, panel_agreement
from core.agreement.ratings import rank_items, ratings_from_labels
from core.errors import BadInput
from tests.each import each

ROWS = [
    ("t2", "d1", "zoe", 2),
    ("t1", "d2", "ann", 0),
    ("t1", "d2", "zoe", 3),
    ("t1", "d1", "ann", 2),
]


def test_labels_become_codes_sorted_by_item_and_assessor(make_labels):
    ratings = ratings_from_labels(make_labels(ROWS), "page", [0, 1, 2, 3])
    assert ratings.assessors == ("ann", "zoe")
    assert ratings.topics == ("t1", "t2")
    assert ratings.levels == (0, 1, 2, 3)
    assert ratings.items.to_numpy().tolist() == [
        ["t1", "d1", ""],
        ["t1", "d2", ""],
        ["t2", "d1", ""],
    ]
    assert ratings.item.tolist() == [0, 1, 1, 2]
    assert ratings.assessor.tolist() == [0, 0, 1, 1]
    assert ratings.level.tolist() == [2, 0, 3, 2]
    assert ratings.topic.tolist() == [0, 0, 0, 1]


def test_without_a_scale_the_levels_are_those_that_occur(make_labels):
    ratings = ratings_from_labels(make_labels(ROWS), "page")
    assert ratings.levels == (0, 2, 3)
    assert ratings.level.tolist() == [1, 0, 2, 1]


def test_a_level_given_only_in_a_repeat_is_on_the_scale(make_labels):
    again = make_labels([*ROWS, ("t1", "d1", "ann", 1)], occasion=[0, 0, 0, 0, 1])
    ratings = ratings_from_labels(again, "page")
    assert ratings.levels == (0, 1, 2, 3)
    assert ratings.level.tolist() == [2, 0, 3, 2]


def test_order_of_rows_does_not_matter(make_labels):
    one = ratings_from_labels(make_labels(ROWS), "page")
    other = ratings_from_labels(make_labels(ROWS[::-1]), "page")
    for name in ("item", "assessor", "level", "topic"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_many_ids_and_categories_change_nothing(make_labels, monkeypatch):
    labels = make_labels(ROWS, engine="one")
    one = ratings_from_labels(labels, "page")
    ids = ["topic_id", "document_id", "assessor_id", "engine", "facet", "state"]
    coded = ratings_from_labels(labels.astype(dict.fromkeys(ids, "category")), "page")
    monkeypatch.setattr(ratings_module, "_KEYS_AT_ONCE", 0)
    for other in (coded, ratings_from_labels(labels, "page")):
        assert (one.assessors, one.topics) == (other.assessors, other.topics)
        pd.testing.assert_frame_equal(one.items, other.items)
        for name in ("item", "assessor", "level", "topic"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_only_first_levels_of_the_facet_are_taken(make_labels):
    labels = pd.concat(
        [
            make_labels([("t", "d", "a", 1)]),
            make_labels([("t", "d", "a", 0)], occasion=1),
            make_labels([("t", "d", "b", float("nan"))], state="cannot judge"),
            make_labels([("t", "d", "c", float("nan"))], state="later"),
            make_labels([("t", "d", "d", 2)], facet="snippet", engine="e1"),
        ]
    )
    ratings = ratings_from_labels(labels, "page")
    assert ratings.assessors == ("a",)
    assert ratings.level.tolist() == [1]
    assert ratings.levels == (0, 1)


def test_each_engines_snippet_is_its_own_item(make_labels):
    labels = make_labels([("t", "d", "a", 1), ("t", "d", "a", 2)], facet="snippet")
    labels["engine"] = pd.Series(["e1", "e2"], dtype="str")
    items = ratings_from_labels(labels, "snippet").items
    assert items["engine"].tolist() == ["e1", "e2"]


def test_a_missing_engine_is_no_engine(make_labels):
    labels = make_labels(ROWS, engine=pd.Series([None] * 4, dtype="str"))
    assert set(ratings_from_labels(labels, "page").items["engine"]) == {""}


def test_nullable_integer_levels_are_read(make_labels):
    labels = make_labels(ROWS).astype({"level": "Int64"})
    assert ratings_from_labels(labels, "page").levels == (0, 2, 3)


@each("levels", [None, [0, 1]])
def test_nothing_judged_gives_empty_ratings(make_labels, levels):
    ratings = ratings_from_labels(make_labels([]), "page", levels)
    assert len(ratings.item) == len(ratings.items) == 0
    assert ratings.levels == tuple(levels or ())


def test_a_level_off_the_scale_is_refused(make_labels):
    with pytest.raises(BadInput, match=r"3 is not a level of the scale 0, 1, 2"):
        ratings_from_labels(make_labels(ROWS), "page", [0, 1, 2])


@each("level", [float("nan"), 1.5, float("inf")])
def test_a_level_that_is_no_grade_is_refused(make_labels, level):
    with pytest.raises(BadInput, match="is not a level"):
        ratings_from_labels(make_labels([*ROWS, ("t", "d", "a", level)]), "page")
    with pytest.raises(BadInput, match="is not a level"):
        ratings_from_labels(make_labels([*ROWS, ("t", "d", "a", level)]), "page", [0, 1, 2, 3])


def test_a_missing_id_is_refused(make_labels):
    labels = make_labels(ROWS)
    labels.loc[1, "assessor_id"] = None
    with pytest.raises(BadInput, match="assessor_id"):
        ratings_from_labels(labels, "page")


def test_two_labels_of_one_assessor_on_one_item_are_refused(make_labels):
    with pytest.raises(BadInput, match="ann has more than one label on topic t1, document d1"):
        ratings_from_labels(make_labels([*ROWS, ("t1", "d1", "ann", 0)]), "page")


def test_some_items_keep_assessors_topics_and_levels(make_labels):
    ratings = ratings_from_labels(make_labels(ROWS), "page")
    chosen = ratings.select((ratings.items["document_id"] == "d1").to_numpy())
    assert chosen.items.to_numpy().tolist() == [["t1", "d1", ""], ["t2", "d1", ""]]
    assert chosen.items.index.tolist() == chosen.item.tolist() == [0, 1]
    assert [ratings.assessors[code] for code in chosen.assessor] == ["ann", "zoe"]
    assert [ratings.topics[code] for code in chosen.topic] == ["t1", "t2"]
    assert [ratings.levels[code] for code in chosen.level] == [2, 2]
    for name in ("assessors", "topics", "levels"):
        assert getattr(chosen, name) == getattr(ratings, name)


APART = {
    "nominal": lambda a, b, _: float(a != b),
    "interval": lambda a, b, _: float((a - b) ** 2),
    "ordinal": lambda a, b, labels: (
        (sum(labels[min(a, b) : max(a, b) + 1]) - (labels[a] + labels[b]) / 2) ** 2
    ),
}
# One row for each item, one column for each assessor; −1 is no label.
TABLES = arrays(np.int64, (6, 3), elements=st.integers(-1, 2))
RANKS = st.lists(st.sampled_from([None, 1, 2, 3, 7]), min_size=6, max_size=6)


def rate(make_labels, table):
    rows = [
        (f"t{item // 3}", f"d{item}", "abc"[at], float(table[item, at]))
        for item, at in np.argwhere(table >= 0)
    ]
    rows += [("t9", f"only {name}", name, 0.0) for name in "ab"]
    return ratings_from_labels(make_labels(rows), "page", (0, 1, 2))


def show(ranks):
    """Return two runs: the ranks, and every item four ranks further down."""
    rows = [
        (system, f"t{item // 3}", f"d{item}", rank + further)
        for system, further in (("s", 0), ("r", 4))
        for item, rank in enumerate(ranks)
        if rank
    ]
    rows.append(("s", "t0", "nobody judged", 1))
    return pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])


def alpha_slowly(table, weights, metric):
    """Krippendorff's α, label by label; every label counts as much as its item."""
    items = [(row[row >= 0].tolist(), w) for row, w in zip(table, weights, strict=True)]
    items = [(labels, w) for labels, w in items if len(labels) > 1 and w > 0]
    total = sum(w for _, w in items)
    items = [(labels, w * len(items) / total) for labels, w in items]
    number = [sum(w * labels.count(level) for labels, w in items) for level in range(3)]
    everything = sum(number)
    observed = sum(
        w * APART[metric](one, other, number) / (len(labels) - 1)
        for labels, w in items
        for at, one in enumerate(labels)
        for place, other in enumerate(labels)
        if at != place
    )
    expected = sum(
        number[one] * number[other] * APART[metric](one, other, number)
        for one in range(3)
        for other in range(3)
    )
    return 1 - observed * (everything - 1) / expected if expected > 1e-9 else np.nan


def measure(ratings, *texts):
    table = panel_agreement(level_counts(ratings), [*map(COEFFICIENTS.parse, texts)])
    return table.set_index("coefficient")


@given(TABLES, RANKS, st.sampled_from([0.5, 0.9]), st.sampled_from(sorted(APART)))
def test_alpha_counts_labels_by_rank(make_labels, table, ranks, p, metric):
    text = f"alpha({metric}, p={p})"
    ratings = rank_items(rate(make_labels, table), show(ranks))
    found = measure(ratings, text).loc[text]
    weights = [p ** (rank - 1) if rank else 0 for rank in ranks]
    several = ((table >= 0).sum(axis=1) > 1) & (np.array(weights) > 0)
    assert found["n"] == several.sum()
    if not several.any():
        assert np.isnan(found["value"])
        return
    expected = alpha_slowly(table, weights, metric)
    assert found["value"] == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(TABLES)
def test_where_all_rank_alike_it_is_alpha(make_labels, table):
    ratings = rank_items(rate(make_labels, table), show([3] * 6))
    found = measure(ratings, "alpha(ordinal)", "alpha(ordinal, p=0.8)")
    plain, by_rank = found[["value", "low", "high"]].to_numpy()
    np.testing.assert_allclose(by_rank, plain, atol=1e-9)


def test_it_heeds_the_top(make_labels):
    """They agree on the first two items of either topic and not on the third."""
    table = np.array([[0, 0, -1], [2, 2, -1], [0, 2, -1]] * 2)
    ratings = rate(make_labels, table)
    plain = measure(ratings, "alpha(ordinal)")["value"].item()
    top, bottom = (
        measure(rank_items(ratings, show(order * 2)), "alpha(ordinal, p=0.5)")["value"].item()
        for order in ([1, 2, 3], [3, 2, 1])
    )
    assert bottom < plain < top


def test_what_is_not_known_is_said(make_labels):
    ratings = rate(make_labels, np.array([[0, 1, 2]] * 6))
    text = "alpha(nominal, p=0.8)"
    assert measure(ratings, text)["reason"].tolist() == [NO_RANK]
    assert measure(rank_items(ratings, show([None] * 6)), text)["reason"].tolist() == [NONE_SHOWN]


def test_snippets_rank_where_their_engine_shows_them(make_labels):
    labels = make_labels([("t0", "d0", name, 1.0) for name in "ab"], facet="snippet", engine="r")
    ratings = rank_items(ratings_from_labels(labels, "snippet", (0, 1)), show([2] + [None] * 5))
    assert ratings.items["rank"].tolist() == [6]


def test_parts_keep_their_ranks(make_labels):
    ratings = rank_items(rate(make_labels, np.array([[0, 1, 2], [1, 1, 1]] * 3)), show([1, 2] * 3))
    part = ratings.items["topic_id"].where(ratings.items["topic_id"] != "t9")
    found = agreement_by_part(ratings, part, [COEFFICIENTS.parse("alpha(ordinal, p=0.8)")])
    assert found["part"].tolist() == ["t0", "t1"]
    assert found["value"].notna().all()


def test_it_is_suggested_where_ranks_are_known():
    plain, ranked = (suggest_coefficients((0, 1), ranked=known)[1] for known in (False, True))
    assert [str(one) for one in ranked if one not in plain] == ["alpha(ordinal, p=0.8)"]


@each("p", ["0", "1", "1.5", "high"])
def test_p_is_between_0_and_1(p):
    with pytest.raises(BadInput, match="between 0 and 1"):
        COEFFICIENTS.parse(f"alpha(ordinal, p={p})")


def test_without_labels_there_is_nothing_to_rank(make_labels):
    empty = rank_items(ratings_from_labels(make_labels([]), "page"), show([1, 2]))
    assert empty.items.columns.tolist() == ["topic_id", "document_id", "engine", "rank"]
    assert len(empty.items) == 0
