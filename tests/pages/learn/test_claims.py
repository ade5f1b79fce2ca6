"""What the lecture pages claim in words is computed here."""

import numpy as np
import pytest

from core.agreement.pairwise import agreement_weights
from core.disagreement.user_disagreement import relevance_weight
from pages.learn.worked_examples import DEPTH, TOPICS, list_shown, score
from tests.each import each
from tests.pages.conftest import lasting_organiser, lasting_store
from tests.short import few, long

store, organiser = lasting_store, lasting_organiser

RANKS = range(1, DEPTH + 1)


@pytest.fixture
def told(open_page, organiser):
    """Return the texts of a page as one."""

    def read(address: str) -> str:
        at = open_page(address, organiser)
        return " ".join(one.value for one in (*at.markdown, *at.caption))

    return read


def by_rank(measure: str, topic: str) -> np.ndarray:
    return np.array([score(f"{measure}@{rank}")[topic] for rank in RANKS])


@pytest.mark.parametrize("topic", few(TOPICS))
def test_recall_never_falls_and_precision_falls_once_something_is_found(told, topic):
    assert "recall stays or rises" in told("precision-recall")
    assert "Once something relevant is found, precision falls" in told("precision-recall")
    precision, recall = by_rank("P", topic), by_rank("R", topic)
    assert (np.diff(recall) >= 0).all()
    missed = list_shown(topic)["level"].to_numpy()[1:DEPTH] == 0
    found = precision[:-1] > 0
    assert (np.diff(precision)[missed & found] < 0).all()


@pytest.mark.parametrize("topic", few(TOPICS))
def test_f_is_one_less_e_for_b_1_only(told, topic):
    assert "F = 1 − E for b = 1 only" in told("one-number")
    even, slanted = by_rank("E(b=1)", topic), by_rank("E(b=3)", topic)
    np.testing.assert_allclose(by_rank("F", topic), 1 - even)
    assert not np.allclose(by_rank("F", topic), 1 - slanted)
    # Here the lowest E and the highest F are at different ranks.
    if topic == "q1":
        assert slanted.argmin() != by_rank("F", topic).argmax()


@each("levels", [3, 4, 5])
def test_a_near_miss_counts_1_less_the_share_of_a_step(levels):
    weights = agreement_weights("linear", range(levels))
    assert weights[0, 1] == pytest.approx(1 - 1 / (levels - 1))
    assert weights[0, levels - 1] == 0


@pytest.mark.parametrize(
    ("users", "at_least", "sign"),
    [(6, 1, -1), pytest.param(6, 4, 1, marks=long), pytest.param(3, 2, 1, marks=long)],
)
def test_where_items_divide_people_weights_are_lower_for_1_and_higher_for_more(
    told, users, at_least, sign
):
    assert "are lower than these for M = 1, and for larger M higher where p is small" in told(
        "disagreeing-users"
    )
    rng = np.random.default_rng(3)
    chances = rng.beta(0.5, 2, 20_000)
    measured = np.mean([relevance_weight(p, False, users, at_least) for p in chances])
    assert sign * (measured - relevance_weight(chances.mean(), False, users, at_least)) > 0.01
