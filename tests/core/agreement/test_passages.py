"""Agreement on passages: against sets of characters by definition, and another library."""

from itertools import combinations

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agreement.pairs import ONE_TOPIC
from core.agreement.passages import (
    ALPHA,
    F1,
    MARKED_WHOLE,
    NO_TWO_MARKED,
    code_passages,
    passage_agreement,
)
from tests.each import each
from tests.short import try_often

COLUMNS = [
    *("topic_id", "document_id", "engine", "facet", "assessor_id", "occasion", "state"),
    *("start", "end", "characters"),
]


def frame(*rows: tuple, **more: object) -> pd.DataFrame:
    """Return passages from (topic, document, assessor, start, end, characters)."""
    made = [
        (topic, document, "", "page", who, 0, "level", start, end, characters)
        for topic, document, who, start, end, characters in rows
    ]
    return pd.DataFrame(made, columns=COLUMNS).assign(**more)


def by_definition(passages: pd.DataFrame) -> tuple[float, float]:
    """Return F1 and α character by character."""
    means, columns = [], []
    people = sorted(passages["assessor_id"].unique())
    for _, own in passages.groupby(["topic_id", "document_id"]):
        sets: dict[str, set[int]] = {}
        for row in own.itertuples():
            sets.setdefault(row.assessor_id, set()).update(range(row.start, row.end))
        if len(sets) < 2:
            continue
        pairs = [2 * len(a & b) / (len(a) + len(b)) for a, b in combinations(sets.values(), 2)]
        means.append(np.mean(pairs))
        columns += [
            [float(at in sets[one]) if one in sets else np.nan for one in people]
            for at in range(own["characters"].iloc[0])
        ]
    data = np.array(columns).T
    return float(np.mean(means)), krippendorff.alpha(data, level_of_measurement="nominal")


def values(passages: pd.DataFrame) -> dict[str, dict]:
    table = passage_agreement(code_passages(passages, "page"))
    return table.set_index("coefficient").to_dict("index")


def test_an_example_by_hand():
    # a marks 0–10 and 20–30, b marks 5–15 of a text of 40: 5 in common of 20 and 10.
    found = values(
        frame(
            ("t1", "d1", "a", 0, 10, 40),
            ("t1", "d1", "a", 20, 30, 40),
            ("t1", "d1", "b", 5, 15, 40),
        )
    )
    assert found[F1]["value"] == pytest.approx(10 / 30)
    # 80 values, 30 of them marks; 20 characters divide the two: 40 of the coincidences.
    assert found[ALPHA]["value"] == pytest.approx(1 - 79 * 40 / (2 * 30 * 50))
    assert found[F1]["n"] == found[F1]["units"] == 1
    assert found[F1]["reason"] == found[ALPHA]["reason"] == ONE_TOPIC
    assert np.isnan(found[F1]["low"])


SPAN = st.tuples(st.integers(0, 11), st.integers(1, 6))
MARKS = st.dictionaries(
    st.tuples(st.sampled_from(["t1", "t2", "t3"]), st.sampled_from("xy"), st.sampled_from("abc")),
    st.lists(SPAN, min_size=1, max_size=3),
    min_size=4,
)


@try_often(2)
@given(MARKS)
def test_any_passages_as_by_definition(marks):
    rows = [
        (topic, document, who, start, start + size, 20)
        for (topic, document, who), spans in marks.items()
        for start, size in spans
    ]
    passages = frame(*rows)
    several = passages.groupby(["topic_id", "document_id"])["assessor_id"].nunique().max()
    if several < 2:
        assert values(passages)[F1]["reason"] == NO_TWO_MARKED
        return
    f1, alpha = by_definition(passages)
    found = values(passages)
    assert found[F1]["value"] == pytest.approx(f1)
    assert found[ALPHA]["value"] == pytest.approx(alpha)


def test_limits_hold_the_value_and_stay_in_range():
    rows = [
        (f"t{topic}", "d", who, place, place + 10, 100)
        for topic in range(6)
        for who, place in (("a", 0), ("b", 2 * topic))
    ]
    for name, least in ((F1, 0), (ALPHA, -1)):
        row = values(frame(*rows))[name]
        assert least <= row["low"] < row["value"] < row["high"] <= 1
        assert (row["units"], row["unit"], row["interval"]) == (6, "topic", "jackknife")
        assert row["reason"] == ""


def test_complete_agreement_and_none():
    same = [("t1", "d", who, 3, 9, 20) for who in "abc"]
    found = values(frame(*same))
    assert found[F1]["value"] == found[ALPHA]["value"] == 1
    apart = values(frame(("t1", "d", "a", 0, 10, 20), ("t1", "d", "b", 10, 20, 20)))
    assert apart[F1]["value"] == 0
    assert apart[ALPHA]["value"] < 0


def test_what_is_marked_whole_has_no_alpha():
    found = values(frame(*[("t1", "d", who, 0, 20, 20) for who in "ab"]))
    assert found[F1]["value"] == 1
    assert np.isnan(found[ALPHA]["value"])
    assert found[ALPHA]["reason"] == MARKED_WHOLE


@each(
    "change",
    [
        {"facet": "snippet"},
        {"occasion": 1},
        {"state": "cannot judge"},
        {"characters": 0},
        {"assessor_id": "a"},
    ],
)
def test_what_does_not_count(change):
    rows = [("t1", "d", "a", 0, 5, 20), ("t1", "d", "b", 0, 5, 20)]
    found = values(frame(*rows, **change))
    for name in (F1, ALPHA):
        assert found[name]["reason"] == NO_TWO_MARKED
        assert np.isnan(found[name]["value"])
        assert (found[name]["n"], found[name]["units"]) == (0, 0)


def test_snippets_of_two_engines_are_two_items():
    rows = frame(("t1", "d", "a", 0, 5, 20), ("t1", "d", "b", 0, 5, 20))
    other = rows.assign(engine="e2", characters=30)
    texts = code_passages(pd.concat([rows, other]), "page")
    assert texts.items[["engine", "assessors", "characters", F1]].to_numpy().tolist() == [
        ["", 2, 20, 1.0],
        ["e2", 2, 30, 1.0],
    ]
