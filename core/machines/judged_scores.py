"""Scores of the same systems on topics that people judged and on topics that a machine judged."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.agreement.intervals import Floats
from core.errors import BadInput, TooLittleData

Integers = npt.NDArray[np.int64]

LEAST_HUMAN = 2
"""Topics that people judged, at least: one has no spread."""


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """Scores by topic, of systems or of pairs of them.

    Parameters
    ----------
    human : array, shape (n_human, n_columns)
        Scores by people's labels.
    paired : array, shape (n_human, n_columns)
        Scores by the machine's labels on the same topics.
    machine : array, shape (n_machine, n_columns)
        Scores by the machine's labels on topics that no person judged.

    Raises
    ------
    BadInput
        The shapes do not fit, or a score is not a finite number.
    TooLittleData
        Fewer than two topics that people judged, or none that only the machine did.
    """

    human: Floats
    paired: Floats
    machine: Floats

    def __post_init__(self) -> None:
        if self.human.shape != self.paired.shape or self.human.shape[1:] != self.machine.shape[1:]:
            raise BadInput("people's and the machine's scores are not of the same topics")
        if not all(np.isfinite(one).all() for one in (self.human, self.paired, self.machine)):
            raise BadInput("a score is not a finite number")
        if len(self.human) < LEAST_HUMAN:
            raise TooLittleData(
                "intervals need two topics at least that both people and the machine judged; "
                f"there is {len(self.human)}"
            )
        if not len(self.machine):
            raise TooLittleData("there is no topic that only the machine judged")

    @property
    def n_human(self) -> int:
        """How many topics people judged."""
        return len(self.human)

    @property
    def n_machine(self) -> int:
        """How many topics only the machine judged."""
        return len(self.machine)

    @property
    def every(self) -> Floats:
        """The machine's scores on all topics, shape (n_human + n_machine, n_columns)."""
        return np.concatenate([self.paired, self.machine])

    @property
    def unknown_share(self) -> float:
        """The share of topics that no person judged, in (0, 1)."""
        return self.n_machine / (self.n_human + self.n_machine)

    def subtract_pairs(self) -> "JudgedScores":
        """Return the differences of every two columns, in the order of `numpy.triu_indices`."""
        first, second = np.triu_indices(self.human.shape[1], k=1)
        return self._change(lambda scores: scores[:, first] - scores[:, second])

    def choose(self, columns: Integers) -> "JudgedScores":
        """Return some columns, in the order given."""
        return self._change(lambda scores: scores[:, columns])

    def _change(self, change: Callable[[Floats], Floats]) -> "JudgedScores":
        return JudgedScores(*map(change, (self.human, self.paired, self.machine)))
