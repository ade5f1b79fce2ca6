"""Scores by people and by a machine: what fits together."""

import numpy as np
import pytest

from core.errors import BadInput, TooLittleData
from core.machines.judged_scores import JudgedScores
from tests.each import each

PEOPLE = np.array([[0.1, 0.4, 0.3], [0.5, 0.2, 0.9]])
MACHINE = np.array([[0.3, 0.3, 0.2]])


def test_pairs_are_subtracted_in_order():
    pairs = JudgedScores(PEOPLE, PEOPLE / 2, MACHINE).subtract_pairs()
    assert pairs.human[0].tolist() == pytest.approx([-0.3, -0.2, 0.1])
    assert pairs.machine[0].tolist() == pytest.approx([0, 0.1, 0.1])
    assert (pairs.n_human, pairs.n_machine) == (2, 1)


def test_every_topic_has_a_score_of_the_machine():
    scores = JudgedScores(PEOPLE, PEOPLE / 2, MACHINE)
    assert scores.every.tolist() == [*(PEOPLE / 2).tolist(), *MACHINE.tolist()]
    assert scores.unknown_share == pytest.approx(1 / 3)


def test_columns_are_chosen_in_the_order_given():
    chosen = JudgedScores(PEOPLE, PEOPLE / 2, MACHINE).choose(np.array([2, 0]))
    assert chosen.human.tolist() == [[0.3, 0.1], [0.9, 0.5]]
    assert chosen.machine.tolist() == [[0.2, 0.3]]


@each(
    ("human", "paired", "machine", "error", "said"),
    [
        (PEOPLE, PEOPLE[:1], MACHINE, BadInput, "not of the same topics"),
        (PEOPLE, PEOPLE, MACHINE[:, :2], BadInput, "not of the same topics"),
        (PEOPLE, PEOPLE * np.nan, MACHINE, BadInput, "not a finite number"),
        (PEOPLE[:1], PEOPLE[:1], MACHINE, TooLittleData, "two topics at least"),
        (PEOPLE, PEOPLE, MACHINE[:0], TooLittleData, "only the machine"),
    ],
)
def test_what_does_not_fit_is_refused(human, paired, machine, error, said):
    with pytest.raises(error, match=said):
        JudgedScores(human, paired, machine)
