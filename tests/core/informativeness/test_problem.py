"""Labels of the first ranks and the problems they pose, from real and made-up rankings."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.informativeness.choices import PAPER
from core.informativeness.problem import choose_systems, choose_topics, label_rankings
from core.informativeness.targets import read_target
from core.measures.ranking import Rankings, compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.informativeness.problems import QRELS, RUNS


@pytest.fixture
def small() -> Rankings:
    return compile_rankings(RUNS, put_on_scale(QRELS))


def test_labels_by_intent(small: Rankings):
    labels = label_rankings(small, 3, by_intent=True)
    assert labels.topics == ("t1", "t2")
    assert labels.count == 4
    rows = zip(labels.ranking, labels.intent, labels.actual.T.tolist(), strict=True)
    assert list(rows) == [
        (0, 0, [1, 0, 0]),
        (0, 1, [0, 0, 0]),
        (1, 0, [0, 0, 0]),
        (2, 0, [1, 0, 0]),
        (2, 1, [1, 0, 0]),
        (3, 0, [1, 0, 0]),
    ]
    assert labels.relevant.tolist() == [2, 2, 1, 2, 2, 1]
    assert labels.probability.tolist() == [0.5, 0.5, 1, 0.5, 0.5, 1]
    assert labels.united.tolist() == [3, 1, 3, 1]


def test_relevance_to_any_intent(small: Rankings):
    labels = label_rankings(small, 4)
    assert labels.intents == ("any",)
    assert labels.actual.T.tolist() == [[1, 0, 0, 1], [0] * 4, [1, 0, 0, 1], [1, 0, 0, 0]]
    assert labels.relevant.tolist() == [3, 1, 3, 1]


def test_the_level_decides(small: Rankings):
    labels = label_rankings(small, 4, level=2)
    assert labels.relevant.tolist() == [1, 1, 1, 1]
    with pytest.raises(TooLittleData, match="no document is judged 3 or higher"):
        label_rankings(small, 4, level=3)


def test_intents_may_have_probabilities(small: Rankings):
    given = pd.DataFrame(
        [("t1", "1", 0.6), ("t1", "2", 0.2), ("t1", "3", 0.2), ("t2", "1", 0.5), ("t9", "1", 1.0)],
        columns=["topic_id", "subtopic_id", "probability"],
    )
    labels = label_rankings(small, 3, by_intent=True, probabilities=given)
    np.testing.assert_allclose(labels.probability, [0.75, 0.25, 1, 0.75, 0.25, 1])
    with pytest.raises(BadInput, match=r"intent 2 of topic t1 .* no probability"):
        label_rankings(small, 3, by_intent=True, probabilities=given.drop(index=1))


def test_systems_and_topics_can_be_chosen(small: Rankings):
    labels = label_rankings(small, 2, systems=["b"], topics={"t2"})
    assert (labels.systems, labels.topics) == (("b",), ("t2",))
    assert labels.actual.T.tolist() == [[1, 0]]
    with pytest.raises(BadInput, match="system c is not among the rankings"):
        label_rankings(small, 2, systems=["a", "c"])
    with pytest.raises(BadInput, match="at least one topic"):
        label_rankings(small, 2, topics=[])
    with pytest.raises(TooLittleData):
        label_rankings(small, 2, topics=["t3"])


def test_choice_by_relevant_documents(small: Rankings):
    assert choose_systems(small, 1) == ("b",)
    assert choose_systems(small, 5) == ("a", "b")
    assert choose_topics(small, 1) == ("t1",)
    assert choose_topics(small, 2, level=2) == ("t1", "t2")
    with pytest.raises(BadInput, match="at least one"):
        choose_topics(small, 0)


def test_one_ranking_alone(small: Rankings):
    labels = label_rankings(small, 3, by_intent=True)
    own = labels.only(2)
    assert (own.systems, own.topics, own.count) == (("b",), ("t1",), 1)
    assert own.actual.tolist() == labels.actual[:, 3:5].tolist()
    assert own.united.tolist() == [3]


GRADED = ("DCG", "ERR", "nCG@3", "nDCG", "nDCG(gain='exp')@5")
TEXTS = dict.fromkeys([*PAPER, "P-IA@5", "RBP", "alpha-DCG(intents='any')", *GRADED])


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("collection", ["simulated", "web09", "dl19"])
def test_posed_values_are_the_measures_own(
    text: str, collection: str, request: pytest.FixtureRequest
):
    rankings = request.getfixturevalue(collection)
    level = 1 if collection != "dl19" else 2
    target = read_target(text, level=level)
    labels = label_rankings(rankings, level=level, by_intent=target.by_intent)
    topic = [rankings.topics.index(name) for name in labels.topics]
    binary = rankings
    if level > 1 and text in GRADED:
        # Measures of levels see the binary labels only in binary judgements.
        binary = _binarise(rankings, level)
    scores = target.measure.score(binary).reshape(len(rankings.systems), -1)[:, topic].ravel()
    np.testing.assert_allclose(labels.pose(target).value, scores, rtol=0, atol=1e-12)


def _binarise(rankings: Rankings, level: int) -> Rankings:
    def cut(cells):
        return replace(cells, level=(cells.level >= level).astype(np.int32))

    levels = {"retrieved": cut(rankings.retrieved), "ideal": cut(rankings.ideal)}
    return replace(rankings, **levels, gmax=1)
