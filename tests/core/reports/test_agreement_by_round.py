"""Agreement within rounds is that of their labels alone."""

import numpy as np
import pandas as pd
import pytest

import dissent
from core.agreement.base import COEFFICIENTS
from core.agreement.overall import measure_agreement
from core.agreement.ratings import ratings_from_labels
from core.reports.agreement import Agreement, read_facet

CHOSEN = [COEFFICIENTS.parse(name) for name in ("kappa(linear)", "alpha(ordinal)")]
LEVELS = [0, 1, 2]


def by_round(labels: pd.DataFrame) -> pd.DataFrame:
    return Agreement(read_facet(labels, "page", LEVELS)).by_round(CHOSEN)


@pytest.fixture
def labels() -> pd.DataFrame:
    """Three topics judged by two people in each of two rounds, and one label of a third round."""
    rng = np.random.default_rng(4)
    rows = [
        {"topic_id": f"t{topic}", "document_id": f"d{item}", "assessor_id": who,
         "round_id": name, "level": int(np.clip(level + rng.integers(0, far + 1), 0, 2))}
        for name, people, far in (("one", "ab", 0), ("two", "cd", 2))
        for topic in range(3)
        for item, level in enumerate(rng.integers(0, 3, 12))
        for who in people
    ]  # fmt: skip
    rows += [
        {"topic_id": "t1", "document_id": "d1", "assessor_id": "e", "round_id": name, "level": 1}
        for name in ("three", "")
    ]
    frame = pd.DataFrame(rows).drop_duplicates(["topic_id", "document_id", "assessor_id"])
    return frame.assign(facet="page", engine="", occasion=0, state="level", group="")


def test_each_round_has_the_agreement_of_its_own_labels(labels):
    found = by_round(labels).set_index(["part", "coefficient"])
    assert found.index.get_level_values("part").unique().tolist() == ["one", "two", "three"]
    for name in ("one", "two"):
        own = ratings_from_labels(labels[labels["round_id"] == name], "page", LEVELS)
        expected = measure_agreement(own, CHOSEN).set_index("coefficient")
        pd.testing.assert_frame_equal(found.loc[name], expected)
    assert found.loc[("one", "kappa(linear)"), "value"] == 1
    assert found.loc[("two", "kappa(linear)"), "value"] < 0.9


def test_a_round_of_one_person_says_why_it_has_no_value(labels):
    found = by_round(labels)
    alone = found[found["part"] == "three"]
    assert alone["value"].isna().all()
    assert alone["n"].tolist() == [0, 0]
    assert (alone["reason"] != "").all()


def test_labels_that_name_no_round_have_no_row(labels):
    without = labels.drop(columns="round_id")
    assert by_round(without).empty
    assert by_round(labels.assign(round_id="")).empty


def test_in_a_notebook_rounds_are_a_table(labels):
    runs = pd.DataFrame(
        {"system": "s", "topic_id": "t1", "document_id": [f"d{n}" for n in range(12)],
         "score": 1.0, "rank": range(1, 13)}
    )  # fmt: skip
    found = dissent.agreement(labels, ["kappa(linear)", "alpha(ordinal, p=0.8)"], runs=runs)
    table = found.rounds.set_index(["part", "coefficient"])
    assert table.loc[("one", "kappa(linear)"), "value"] == 1
    ranked = [name for _, name in table.index if name.startswith("alpha")]
    assert table.loc[("one", ranked[0]), "n"] == 12
