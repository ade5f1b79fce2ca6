import numpy as np
import pandas as pd
import pytest

from core.disagreement.combined import (
    combined_ratings,
    combined_weights,
    find_missed_pages,
    missed_pages_by_engine,
)
from core.errors import BadInput, TooLittleData
from tests.core.agreement.leaving_out import limits_of_share
from tests.each import each


@pytest.fixture(scope="session")
def judge(make_labels):
    """Return a function from rows of both facets to labels."""

    def build(snippets, pages):
        above = make_labels([(t, d, name, level) for t, d, _, name, level in snippets])
        above["facet"] = "snippet"
        above["engine"] = pd.Series([row[2] for row in snippets], dtype="str")
        return pd.concat([above, make_labels(pages)], ignore_index=True)

    return build


SNIPPETS = [
    ("t", "d", "e1", "a", 2),
    ("t", "d", "e2", "a", 1),
    ("t", "d", "e1", "b", 0),
    ("t", "d", "e2", "b", 2),
    ("t", "x", "e1", "a", 2),
    ("u", "d", "e1", "a", 1),
    ("u", "d", "e1", "c", 1),
    ("u", "y", "e1", "b", 0),
]
PAGES = [
    ("t", "d", "a", 1),
    ("t", "d", "b", 0),
    ("u", "d", "a", 1),
    ("u", "z", "b", 1),
    ("u", "z", "only pages", 0),
]


def weigh(labels, users=3, at_least=1, scales=((0, 1, 2), (0, 1)), **options):
    combined = combined_ratings(labels, *scales)
    return combined_weights(combined, users=users, at_least=at_least, **options)


def test_levels_are_pairs_of_one_assessor_and_pages_are_shared_by_engines(judge):
    combined = combined_ratings(judge(SNIPPETS, PAGES), (0, 1, 2), (0, 1))
    ratings = combined.ratings
    found = [
        (
            *ratings.items.iloc[item],
            ratings.assessors[assessor],
            (combined.snippet_levels[level // 2], combined.page_levels[level % 2]),
        )
        for item, assessor, level in zip(ratings.item, ratings.assessor, ratings.level, strict=True)
    ]
    assert found == [
        ("t", "d", "e1", "a", (2, 1)),
        ("t", "d", "e1", "b", (0, 0)),
        ("t", "d", "e2", "a", (1, 1)),
        ("t", "d", "e2", "b", (2, 0)),
        ("u", "d", "e1", "a", (1, 1)),
    ]
    assert combined.unpaired == 3
    assert ratings.levels == tuple(range(6))


def test_weights_by_hand(judge):
    # Two documents of each of two topics: a says (1, 1) where b says top, and the reverse once.
    snippets = [
        (t, d, "e", name, level) for t in "tu" for d in "dx" for name, level in (("a", 1), ("b", 2))
    ]
    pages = [(t, d, name, 1) for t in "tu" for d in "dx" for name in "ab"]
    pages[0] = ("t", "d", "a", 0)
    table = weigh(judge(snippets, pages), users=2).set_index(["snippet", "page"])
    assert table.loc[(1, 1), ["cases", "top_cases", "p", "weight"]].tolist() == [3, 3, 1, 1]
    assert table.loc[(2, 1), ["cases", "top_cases", "p", "weight"]].tolist() == [4, 0, 0, 1]
    assert table.loc[(1, 0), ["cases", "top_cases", "p", "weight"]].tolist() == [1, 1, 1, 0]
    assert np.isnan(table.loc[(2, 0), "p"])
    assert table.loc[(2, 0), "weight"] == 0
    assert np.isnan(table.loc[(0, 1), "weight"])
    assert table["few"].all()
    # Page labels alone: 0 once, beside a top one; 1 seven times, six beside a top one.
    assert table["page_weight"].groupby("page").unique().tolist() == [[0], [1]]


def test_rows_fall_with_weight_and_unknown_ones_come_last(judge):
    rng = np.random.default_rng(3)
    ids = [(f"t{t}", f"d{d}", name) for t in range(9) for d in range(9) for name in "ab"]
    snippets = [(t, d, "e", name, int(rng.integers(0, 3))) for t, d, name in ids]
    pages = [(t, d, name, int(rng.integers(0, 3))) for t, d, name in ids]
    table = weigh(judge(snippets, pages), scales=((0, 1, 2, 3), (0, 1, 2)), top=(2, 2))
    assert (
        " ".join(table.columns)
        == "snippet page cases top_cases pairs p low high topics few reason "
        "weight weight_low weight_high page_weight"
    )
    weights = table["weight"].dropna()
    assert weights.is_monotonic_decreasing
    assert table["weight"].isna().tolist() == [False] * len(weights) + [True] * (12 - len(weights))
    assert table.loc[0, ["snippet", "page"]].tolist() == [2, 2]
    assert (table[table["page"] == 0]["weight"] == 0).all()
    kept = weigh(
        judge(snippets, pages), scales=((0, 1, 2, 3), (0, 1, 2)), top=(2, 2), keep_lowest=True
    )
    judged = kept[(kept["page"] == 0) & (kept["snippet"] < 3)]
    assert (judged["weight"] > 0).all()
    assert (judged["page_weight"] > 0).all()


def test_estimates_equal_a_loop_over_double_judgements(judge):
    rng = np.random.default_rng(5)
    given = {(t, d, n): tuple(rng.integers(0, 3, 2)) for t in "tuv" for d in "defgh" for n in "ab"}
    labels = judge(
        [(t, d, "e", name, level) for (t, d, name), (level, _) in given.items()],
        [(*key, level) for key, (_, level) in given.items()],
    )
    table = weigh(labels, users=3, at_least=2, scales=(None, None)).set_index(["snippet", "page"])
    for pair in table.index:
        others = [
            given[t, d, "b" if name == "a" else "a"]
            for (t, d, name), own in given.items()
            if own == pair
        ]
        hits = sum(other == (2, 2) for other in others)
        assert (table.loc[pair, "cases"], table.loc[pair, "top_cases"]) == (len(others), hits)
        if others and pair[1] > 0:
            p = hits / len(others)
            expected = 1 - (1 - p) ** 2 if pair == (2, 2) else p**2
            assert table.loc[pair, "weight"] == pytest.approx(expected)


def test_a_page_label_with_an_engine_is_refused(judge):
    labels = judge(SNIPPETS, PAGES)
    labels.loc[labels["facet"] == "page", "engine"] = "e1"
    with pytest.raises(BadInput, match="field 'engine'"):
        combined_ratings(labels)


@each(("snippets", "pages", "facet"), [([], PAGES, "snippet"), (SNIPPETS, [], "page")])
def test_a_facet_without_labels_is_too_little(judge, snippets, pages, facet):
    with pytest.raises(TooLittleData, match=f"need {facet} labels"):
        weigh(judge(snippets, pages), scales=(None, None))


def test_scales_without_labels_are_undefined_throughout(judge):
    for labels in (judge([], []), judge(SNIPPETS, []), judge([], PAGES)):
        table = weigh(labels)
        assert len(table) == 6
        assert table["p"].isna().all()
        assert (table["reason"] != "").all()
    assert combined_ratings(judge(SNIPPETS, []), (0, 1, 2), (0, 1)).unpaired == len(SNIPPETS)


@each(("top", "facet"), [((9, 1), "snippet"), ((2, 9), "page")])
def test_a_top_grade_off_its_scale_is_refused(judge, top, facet):
    with pytest.raises(BadInput, match=f"9 is not a level of the {facet} scale"):
        weigh(judge(SNIPPETS, PAGES), top=top)


def test_numbers_of_users_are_checked(judge):
    with pytest.raises(BadInput, match="at_least"):
        weigh(judge(SNIPPETS, PAGES), users=2, at_least=3)


@pytest.fixture(scope="session")
def combined(make_labels):
    # Topic, document, engine, assessor, snippet level; then the page's level by assessor.
    snippets = [
        ("t", "d", "e1", "a", 0),
        ("t", "d", "e1", "b", 2),
        ("t", "d", "e2", "a", 2),
        ("u", "d", "e1", "a", 1),
        ("u", "f", "e1", "a", 0),
        ("u", "g", "e2", "a", 2),
    ]
    pages = [("t", "d", "a", 3), ("t", "d", "b", 3), ("u", "d", "a", 3), ("u", "f", "a", 1)]
    above = make_labels([(t, d, name, level) for t, d, _, name, level in snippets])
    above = above.assign(facet="snippet", engine=[row[2] for row in snippets])
    labels = pd.concat([above, make_labels(pages)], ignore_index=True)
    return combined_ratings(labels, (0, 1, 2), (0, 1, 3))


def test_top_pages_behind_poor_snippets_are_listed(combined):
    found = find_missed_pages(combined)
    assert found.to_numpy().tolist() == [
        ["t", "d", "e1", "a", 0, 3, True],
        ["t", "d", "e1", "b", 2, 3, False],
        ["t", "d", "e2", "a", 2, 3, False],
        ["u", "d", "e1", "a", 1, 3, True],
    ]
    names = "topic_id document_id engine assessor_id snippet page lost"
    assert " ".join(found.columns) == names
    assert find_missed_pages(combined, below=1)["lost"].tolist() == [True, False, False, False]
    assert len(find_missed_pages(combined, top=1)) == 5


def test_shares_by_engine(combined):
    table = missed_pages_by_engine(find_missed_pages(combined))
    assert table["engine"].tolist() == ["e1", "e2"]
    assert table[["top_pages", "lost"]].to_numpy().tolist() == [[3, 2], [1, 0]]
    assert table["share"].tolist() == [2 / 3, 0]
    # Of e1's topics, t loses one of two and u its only one: without t 1, without u 1/2.
    limits = limits_of_share(2 / 3, [1, 0.5], [2, 1])
    assert table.loc[0, ["low", "high"]].tolist() == pytest.approx(limits)
    assert table[["low", "high"]].isna().all(axis=1).tolist() == [False, True]
    assert table["reason"].tolist() == ["", "all top pages belong to one topic"]


def test_no_top_page_gives_no_row(combined, make_labels):
    empty = combined_ratings(make_labels([]))
    assert missed_pages_by_engine(find_missed_pages(empty)).empty
    assert find_missed_pages(empty).empty


def test_grades_off_their_scales_are_refused(combined):
    with pytest.raises(BadInput, match="2 is not a level of the scale 0, 1, 3"):
        find_missed_pages(combined, top=2)
    with pytest.raises(BadInput, match="field 'below'"):
        find_missed_pages(combined, below=3)
