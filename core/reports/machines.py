"""Machine judges beside people: each question one table, of all machines together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from core.agreement.base import Coefficient, PairCoefficient, suggest_coefficients
from core.agreement.coefficients import Kappa
from core.agreement.ratings import ratings_from_labels
from core.collection.labels.counted_labels import counted_labels
from core.errors import BadInput, TooLittleData
from core.machines.alternative_test import AlternativeTest, alternative_test
from core.machines.audit import (
    agreement_of_people,
    agreement_with_machine,
    agreement_with_machine_by_topic,
    compare_with_people,
    describe_comparison,
    describe_sampling,
    level_shift,
)
from core.machines.choices import EPSILON
from core.machines.joined_labels import JoinedLabels, join_labels
from core.machines.levels import level_distribution, near_levels

LINEAR = Kappa("linear")


@dataclass(frozen=True, eq=False)
class MachineAudit:
    """How far the labels of machines agree with those of people, in one facet.

    Tables are computed when first asked for. Each has 95 % limits, and says beside them what they
    take for sampled: topics, but for `topics`, which has one each. What people say among
    themselves is always taken on the items that the machine in the same row judged.

    Parameters
    ----------
    labels : DataFrame
        Canonical labels of people, levels as counted.
    machines : mapping of str to DataFrame
        By name, ``topic_id, document_id, level`` and perhaps ``engine``: one label for an item.
    facet : str
    levels : sequence of int, optional
        All levels of the scale; those that people gave, without it.
    coefficients : sequence of Coefficient, optional
        All that are suggested, without it.
    epsilon, scoring, fewest_items
        Of `alternative_test`.
    chosen : {'unknown', 'random', 'selected'}
        How the judged items were chosen.

    Raises
    ------
    BadInput, TooLittleData
        As `join_labels`; with the first table that is asked for, or by `check`.
    """

    labels: pd.DataFrame
    machines: Mapping[str, pd.DataFrame]
    facet: str
    levels: Sequence[int] | None = None
    coefficients: Sequence[Coefficient] = ()
    epsilon: float = EPSILON
    scoring: str = "accuracy"
    fewest_items: int = 1
    chosen: str = "unknown"

    @cached_property
    def scale(self) -> tuple[int, ...]:
        """The levels that count as valid, ascending."""
        return ratings_from_labels(self.labels, self.facet, self.levels).levels

    @cached_property
    def joined(self) -> dict[str, JoinedLabels]:
        """By machine, its labels beside those of people."""
        people = counted_labels(self.labels, self.facet)
        if people.empty:
            raise TooLittleData(f"no person gave a {self.facet} a level")
        if not self.machines:
            raise BadInput("there is no machine to look at; name one with its labels")
        return {
            name: join_labels(people, self.scale, name, given)
            for name, given in self.machines.items()
        }

    def check(self) -> None:
        """Raise what `joined` and `sampling` raise: nothing is to be found out later."""
        _ = self.joined, self.sampling

    @property
    def sampling(self) -> str:
        """What the figures hold for, by how the items were chosen; raises BadInput."""
        return describe_sampling(self.chosen)

    @property
    def coverage(self) -> pd.DataFrame:
        """How many labels each machine gave, and on how many items people did.

        ``machine, labels, items, people, invalid, only_machine, only_people``: ``items`` have a
        valid level and a label of one of the ``people``.
        """
        rows = [
            (
                *(one.machine, one.labels, one.items, len(one.people), len(one.invalid)),
                *(one.only_machine, one.only_people),
            )
            for one in self.joined.values()
        ]
        names = "machine labels items people invalid only_machine only_people"
        return pd.DataFrame(rows, columns=names.split())

    @property
    def invalid(self) -> pd.DataFrame:
        """Labels that are not on the scale: ``machine, topic_id, document_id, value, people``."""
        return self._of_all(lambda one: one.invalid.assign(machine=one.machine))[
            ["machine", "topic_id", "document_id", "value", "people"]
        ]

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The columns of `agreement_with_machine`: each machine with each person."""
        return self._of_all(lambda one: agreement_with_machine(one, self._chosen_coefficients))

    @cached_property
    def people(self) -> pd.DataFrame:
        """The columns of `agreement_of_people`: every two people, on the items of each machine."""
        return self._of_all(lambda one: agreement_of_people(one, self._chosen_coefficients))

    @cached_property
    def differences(self) -> pd.DataFrame:
        """The columns of `compare_with_people`: machine with people, less people themselves."""
        two = [one for one in self._chosen_coefficients if isinstance(one, PairCoefficient)]
        return self._of_all(lambda one: compare_with_people(one, two))

    @property
    def verdicts(self) -> dict[str, str]:
        """By machine, what the comparison of linear weighted κ comes to, as a sentence."""
        rows = self._of_all(lambda one: compare_with_people(one, [LINEAR])).to_dict("records")
        return {row["machine"]: describe_comparison(row) for row in rows}

    @cached_property
    def shifts(self) -> pd.DataFrame:
        """The columns of `level_shift`: how much higher each machine judges than each person."""
        return self._of_all(level_shift)

    @cached_property
    def topics(self) -> pd.DataFrame:
        """Linear weighted κ of each machine with each person on every topic."""
        return self._of_all(lambda one: agreement_with_machine_by_topic(one, [LINEAR]))

    @cached_property
    def distributions(self) -> pd.DataFrame:
        """The columns of `level_distribution`: levels of each machine by those of people."""
        return self._of_all(level_distribution)

    @cached_property
    def near(self) -> pd.DataFrame:
        """The columns of `near_levels`: shares within one level of people."""
        return self._of_all(near_levels)

    @cached_property
    def alternative_tests(self) -> dict[str, AlternativeTest]:
        """By machine, the alternative annotator test."""
        return {
            name: alternative_test(
                one, self.epsilon, scoring=self.scoring, fewest_items=self.fewest_items
            )
            for name, one in self.joined.items()
        }

    @property
    def _chosen_coefficients(self) -> Sequence[Coefficient]:
        if self.coefficients:
            return self.coefficients
        return [one for part in suggest_coefficients(self.scale) for one in part]

    def _of_all(self, tabulate: Callable[[JoinedLabels], pd.DataFrame]) -> pd.DataFrame:
        """Return the tables of all machines as one."""
        return pd.concat([tabulate(one) for one in self.joined.values()], ignore_index=True)
