"""Many problems of one family side by side: each with its intents and the value they add up to."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.informativeness.families import Family
from core.measures.ranked import Floats, Integers, Mask


@dataclass(frozen=True, eq=False)
class Batch:
    """Problems of one family: find p with Σ_i p_i = Rret in each row and Σ weight · E = value.

    Parameters
    ----------
    family : Family
        Gives E, the value of one intent.
    value : array of float, shape (n_problems,)
        The observed value of each problem.
    problem : array of int, shape (n_rows,)
        Whose row it is, ascending from 0; a row is an intent. Every problem has a row.
    rret : array of int, shape (n_rows,)
        Relevant documents among the N ranks.
    weight : array of float, shape (n_rows,)
        What the row's E counts in the problem's value, above 0.
    """

    family: Family
    value: Floats
    problem: Integers
    rret: Integers
    weight: Floats

    @cached_property
    def starts(self) -> Integers:
        """The first row of each problem, shape (n_problems,)."""
        return np.searchsorted(self.problem, np.arange(len(self.value)))

    def total(self, values: Floats) -> Floats:
        """Return one value per row, weighed and added up, shape (n_problems,)."""
        return self.sum(self.weight * values)

    def sum(self, values: Floats) -> Floats:
        """Return one value per row added up, shape (n_problems,)."""
        return np.asarray(np.add.reduceat(values, self.starts))

    def largest(self, values: Floats) -> Floats:
        """Return the largest value of each problem's rows, shape (n_problems,)."""
        return np.asarray(np.maximum.reduceat(values, self.starts))

    def rows_of(self, problems: Mask) -> Mask:
        """Return which rows belong to these problems, shape (n_rows,)."""
        return problems[self.problem]

    def take(self, problems: Mask) -> "Batch":
        """Return these problems only."""
        return self.rest(problems, self.rows_of(problems), self.value)

    def part(self, start: int, stop: int) -> "Batch":
        """Return the problems from one number to the one before another."""
        ends = np.append(self.starts, len(self.problem))
        rows = slice(ends[start], ends[stop])
        return Batch(
            self.family,
            self.value[start:stop],
            self.problem[rows] - start,
            self.rret[rows],
            self.weight[rows],
        )

    def rest(self, problems: Mask, rows: Mask, value: Floats) -> "Batch":
        """Return some rows of the only problems that have such, which are to reach ``value``."""
        number = problems.cumsum() - 1
        return Batch(
            self.family,
            value[problems],
            number[self.problem[rows]],
            self.rret[rows],
            self.weight[rows],
        )
