"""Who leads, and who is not shown to differ from it."""

import numpy as np
import pandas as pd
import pytest

from core.analysis.base.study import Study
from core.analysis.results.leaderboard import answer_leaderboard, rank_means
from core.analysis.results.qrels_choices import list_choices
from core.analysis.results.scores import scores_of
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.comparison.conditions import examine_condition
from core.comparison.significance_test import SignificanceTest
from core.reports.user_model import UserModel
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.store import Store
from tests.each import each
from tests.short import long

TEST = SignificanceTest()


def means(*rows: tuple[str, float, float, object], untested: str = "") -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["system", "value", "rank", "differs"])
    return frame.assign(
        measure="AP",
        low=frame["value"] - 0.1,
        high=frame["value"] + 0.1,
        topics=20,
        differs=frame["differs"].astype("boolean"),
        untested=untested,
    )


@each(
    ("rows", "answer"),
    [
        (
            means(("a", 0.5, 1, None), ("b", 0.4, 2, False), ("c", 0.1, 3, True)),
            "**a** leads with AP **0.500** [0.400, 0.600] over 20 topics; **1 of 2 others** is not "
            "shown to differ from it (randomised max-t test, α = 0.05).",
        ),
        (
            means(("a", 0.5, 1, None), ("b", 0.4, 2, True), ("c", 0.1, 3, True)),
            "**a** leads with AP **0.500** [0.400, 0.600] over 20 topics; **all 2 others are shown "
            "to be worse**.",
        ),
        (
            means(("a", 0.5, 1, None), ("b", 0.4, 2, True)),
            "**a** leads with AP **0.500** [0.400, 0.600] over 20 topics; **the other is shown to "
            "be worse**.",
        ),
        (
            means(("a", 0.5, 1, None)),
            "**a** is the only system: AP **0.500** [0.400, 0.600] over 20 topics.",
        ),
        (
            means(("a", 0.5, 1, None), ("b", 0.5, 1, False)),
            "**a** and **b** share the first rank with AP **0.500** [0.400, 0.600] over 20 topics.",
        ),
        (
            means(*((name, 0.5, 1, None if name == "a" else False) for name in "abcd")),
            "**4 systems** share the first rank with AP **0.500** [0.400, 0.600] over 20 topics.",
        ),
        (
            means(("a*", 0.5, 1, None), ("b", 0.4, 2, None), untested="one topic is too few"),
            r"**a\*** leads with AP **0.500** [0.400, 0.600] over 20 topics; differences are not "
            "tested: one topic is too few.",
        ),
    ],
)
def test_the_answer_says_who_leads_and_how_sure_that_is(rows, answer):
    assert answer_leaderboard(rows, TEST) == answer


def test_a_mean_without_limits_is_told_without_them():
    rows = means(("a", 0.5, 1, None)).assign(low=np.nan)
    assert (
        answer_leaderboard(rows, TEST) == "**a** is the only system: AP **0.500** over 20 topics."
    )


@pytest.fixture
def study(store: Store) -> Study:
    """Twelve topics with one relevant document each; s1 finds it first, the others late."""
    made = create_collection(store, "Ranked", scales={"page": numeric_scale(range(2))})
    topics = [f"t{number}" for number in range(12)]
    qrels = "".join(f"{topic} 0 d{n} {int(n == 0)}\n" for topic in topics for n in range(9))
    lines = "".join(
        f"{topic} Q0 d{(n + shift + at * (shift > 0) % 2) % 9} {n + 1} {9 - n} {system}\n"
        for system, shift in (("s1", 0), ("s2", 5), ("s3", 4))
        for at, topic in enumerate(topics)
        for n in range(9)
    )
    for kind, text in (("qrels", qrels), ("runs", lines)):
        write_import(store, made, read_import(kind, Source(f"{kind}.txt", text.encode())))
    return Study(store, made, False)


def test_each_system_is_tested_against_the_best(study):
    (choice,) = (
        one for one in list_choices(study, "page", UserModel(1)).values() if one.rule is None
    )
    rows = rank_means(study, choice, "RR", ())
    scores = scores_of(study, choice, ("RR",))
    pairs = examine_condition("RR", scores, TEST).pairs
    assert rows["system"].iloc[0] == "s1"
    assert rows["rank"].tolist()[0] == 1
    assert pd.isna(rows["differs"].iloc[0])
    for row in rows.iloc[1:].itertuples():
        own = pairs[(pairs[["first", "second"]] == row.system).any(axis=1)]
        own = own[(own[["first", "second"]] == "s1").any(axis=1)]
        assert row.p == own["p"].item()
        assert row.differs == (row.p < TEST.alpha)
    assert rows["differs"].iloc[1:].any()


@long
def test_without_scores_there_is_no_row(study):
    (choice,) = (
        one for one in list_choices(study, "page", UserModel(1)).values() if one.rule is None
    )
    assert rank_means(study, choice, "P(rel=2)@5", ()).empty
