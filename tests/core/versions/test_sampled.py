"""Judgements with what they are a sample of: by topic, and only where just the sample counts."""

import pandas as pd

from core.versions.sampled import (
    LACKING,
    NONE,
    OTHERS,
    SEVERAL,
    SampledQrels,
    add_samples,
    without_samples,
)
from tests.each import each

SAMPLE = ["round_id", "topic_id", "document_id", "stratum", "probability", "is_drawn", "fault"]
QRELS = ["topic_id", "iteration", "document_id", "level"]
DRAWN = [
    ("r", "t", "a", "0", 1.0, True, ""),
    ("r", "t", "b", "1", 0.5, True, ""),
    ("r", "t", "c", "1", 0.5, False, ""),
]


def qrels(*rows: tuple[str, str, float]) -> pd.DataFrame:
    frame = pd.DataFrame([(topic, "0", *rest) for topic, *rest in rows], columns=QRELS)
    return frame.astype({name: "str" for name in QRELS[:3]})


def add(judged: pd.DataFrame, *rows: tuple[object, ...]) -> SampledQrels:
    return add_samples(judged, pd.DataFrame(rows, columns=SAMPLE))


@each("levels", [(2, 0), (0.5, 1.25)])
def test_the_pool_of_a_sample_is_listed(levels):
    judged = qrels(("t", "a", levels[0]), ("t", "b", levels[1]))
    found = add(judged, *DRAWN)
    assert found.reasons == {}
    assert found.frame.values.tolist() == [
        ["t", "0", "a", levels[0], "0", 1.0],
        ["t", "0", "b", levels[1], "1", 0.5],
        ["t", "0", "c", -1, "1", 0.5],
    ]
    assert found.frame["level"].dtype == judged["level"].dtype
    assert found.sampled.equals(found.frame)


@each(
    ("rows", "drawn", "reason"),
    [
        ([("t", "a", 1)], [], NONE),
        ([("t", "a", 1)], [("r", "u", *DRAWN[0][2:])], NONE),
        ([("t", "a", 1), ("t", "b", 1)], [*DRAWN, ("q", *DRAWN[0][1:])], SEVERAL),
        ([("t", "a", 1), ("t", "b", 1)], [(*one[:-1], "broken") for one in DRAWN], "broken"),
        ([("t", "a", 1)], DRAWN, LACKING),
        ([("t", "a", 1), ("t", "b", 1), ("t", "c", 1)], DRAWN, OTHERS),
        ([("t", "a", 1), ("t", "b", 1), ("t", "z", 1)], DRAWN, OTHERS),
    ],
)
def test_a_topic_without_a_sample_says_why(rows, drawn, reason):
    judged = qrels(*rows)
    found = add(judged, *drawn)
    assert found.reasons == {"t": reason}
    assert found.frame[QRELS].equals(judged)
    assert found.frame[["stratum", "probability"]].isna().all(axis=None)
    assert found.sampled.empty


def test_each_topic_stands_for_itself():
    found = add(qrels(("t", "a", 1), ("t", "b", 0), ("u", "a", 1)), *DRAWN)
    assert found.reasons == {"u": NONE}
    assert found.frame["topic_id"].tolist() == ["t", "t", "t", "u"]
    assert set(found.sampled["topic_id"]) == {"t"}


def test_rounds_of_different_topics_do_not_overlap():
    other = [("q", "u", *one[2:]) for one in DRAWN]
    rows = [(topic, document, 1) for topic in "tu" for document in "ab"]
    found = add(qrels(*rows), *DRAWN, *other)
    assert found.reasons == {}
    assert len(found.frame) == 6


def test_a_version_without_samples_has_one_reason():
    judged = qrels(("t", "a", 1), ("u", "b", 1))
    found = without_samples(judged, "why")
    assert found.reasons == {"t": "why", "u": "why"}
    assert found.frame is judged
    assert found.sampled.empty
