"""Machine judges beside people: each question one table, of all machines together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import pandas as pd

from core.agreement.base import (
    Coefficient,
    PairCoefficient,
    name_coefficient,
    suggest_coefficients,
)
from core.agreement.coefficients import Kappa
from core.agreement.ratings import ratings_from_labels
from core.collection.labels.counted_labels import counted_labels
from core.errors import BadInput, TooLittleData
from core.machines.alternative_test import AlternativeTest, alternative_test, check_settings
from core.machines.audit import (
    agreement_of_people,
    agreement_with_machine,
    agreement_with_machine_by_topic,
    compare_with_people,
    describe_comparison,
    describe_sampling,
    level_shift,
)
from core.machines.choices import EPSILON, FEWEST_PEOPLE
from core.machines.joined_labels import JoinedLabels, join_labels
from core.machines.levels import level_distribution, near_levels
from core.numerals import ABSENT, write_p
from core.reports.report import Column, Estimated, Report
from core.wording import mark_fact

LINEAR = Kappa("linear")

_GAPS = {
    "invalid": "labels that are not on the scale, left out",
    "only_machine": "labels on items that no person judged, left out",
    "only_people": "items of people without a label",
}
"""What machines and people do not have in common, by the column that counts it."""

EACH_ALONE = (
    "each machine is compared with people by itself, at 95 %: of many, some are shown to differ by "
    "chance alone"
)

_MACHINE = {"machine": Column("machine", names="nobody")}
_PERSON = _MACHINE | {"person": Column("person")}
_VALUE = {"coefficient": Column("coefficient", write=name_coefficient), "value": Column("value")}
_GIVEN = _MACHINE | {"level": Column("level of people", write=str)}
_ITEMS = {"n": Column("common items")}


def _write_p(value: float) -> str:
    return ABSENT if pd.isna(value) else write_p(value)


@dataclass(frozen=True, eq=False)
class MachineAudit(Report):
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
    epsilon, scoring, fewest_items, fewest_people
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
    fewest_people: int = FEWEST_PEOPLE
    chosen: str = "unknown"

    name: ClassVar[str] = "machines"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "pairs": Estimated(
            "Machines and people",
            "agreement of this machine and this person",
            _PERSON | _ITEMS | _VALUE,
            across="coefficient",
        ),
        "people": Estimated(
            "People with each other, on the same items",
            "agreement of these two people on the items of this machine",
            {"machine": Column("items of"), "first": Column("first"), "second": Column("second")}
            | _ITEMS
            | _VALUE,
            across="coefficient",
        ),
        "differences": Estimated(
            "Machines with people, less people themselves",
            "difference between the machine's agreement with people and that of people",
            _MACHINE
            | {
                "coefficient": Column("coefficient", write=name_coefficient),
                "machine_value": Column("with people"),
                "people_value": Column("of people"),
                "difference": Column("difference"),
                "shown": Column("shown to be", names="nobody"),
            },
            estimate="difference",
        ),
        "shifts": Estimated(
            "How much higher machines judge",
            "mean difference of this machine's levels from this person's",
            _PERSON | _ITEMS | {"value": Column("shift", "the machine's level less the person's")},
        ),
        "topics": Estimated(
            "Topic by topic",
            "agreement of this machine and this person on this topic",
            _PERSON
            | {"topic_id": Column("topic")}
            | _ITEMS
            | {
                "value": Column(LINEAR.title),
                "counted": Column("counted", "off below ten common items, or without a κ"),
            },
        ),
        "distributions": Estimated(
            "Levels of machines by those of people",
            "share of this level of the machine, where people gave the other",
            _GIVEN
            | {
                "cases": Column("labels"),
                "machine_level": Column("level of the machine", write=str),
                "value": Column("share"),
            },
            across="machine_level",
        ),
        "near": Estimated(
            "Machines within one level of people",
            "share within one level, where people gave this one",
            _GIVEN | {"cases": Column("labels"), "value": Column("within one level", percent=True)},
        ),
        "alternative": Estimated(
            "Alternative annotator test",
            "",
            {
                **_MACHINE,
                "person": Column("left out"),
                "n": Column("items"),
                "advantage": Column("machine as close", "the advantage", percent=True),
                "disadvantage": Column("person as close", percent=True),
                "test": Column("test", names="nobody"),
                "p": Column("p over items", write=_write_p),
                "rejected": Column("rejected", "the machine is shown to be no worse by epsilon"),
                "topics": Column("topics"),
                "topic_p": Column("p over topics", write=_write_p),
                "topic_rejected": Column("rejected over topics"),
            },
        ),
        "invalid": Estimated(
            "Labels that are not on the scale",
            "",
            {
                **_MACHINE,
                "topic_id": Column("topic"),
                "document_id": Column("document"),
                "value": Column("value", write=str),
            },
        ),
    }

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
            str(name): join_labels(people, self.scale, str(name), given)
            for name, given in self.machines.items()
        }

    def check(self) -> None:
        """Raise what `joined`, `sampling` and the tests raise: nothing is to be found out later."""
        _ = self.joined, self.sampling
        check_settings(self.epsilon, self.scoring, self.fewest_people)

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
                one.machine, one.labels, one.items, len(one.people), len(one.invalid),
                one.only_machine, one.only_people,
            )
            for one in self.joined.values()
        ]  # fmt: skip
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

    @cached_property
    def _compared(self) -> list[dict[Any, Any]]:
        return self._of_all(lambda one: compare_with_people(one, [LINEAR])).to_dict("records")

    @property
    def verdicts(self) -> dict[str, str]:
        """By machine, what the comparison of linear weighted κ comes to, as a sentence."""
        return {row["machine"]: describe_comparison(row) for row in self._compared}

    @property
    def answer(self) -> str:
        """How far each machine agrees with people, beside people themselves."""
        return " ".join(describe_comparison(row, mark_fact) for row in self._compared)

    @property
    def notes(self) -> Sequence[str]:
        """What machines and people do not have in common, and what figures and limits hold for."""
        tested = sum(pd.notna(row["low"]) for row in self._compared)
        several = [EACH_ALONE] if tested > 1 else []
        gaps = [
            f"{row['machine']}: {what}: {row[name]:,}"
            for row in self.coverage.to_dict("records")
            for name, what in _GAPS.items()
            if row[name]
        ]
        return [*gaps, *several, self.sampling]

    @property
    def alternative(self) -> pd.DataFrame:
        """``machine`` and the annotators of each `AlternativeTest` that is defined."""
        parts = [
            one.annotators.assign(machine=one.machine)
            for one in self.alternative_tests.values()
            if one.defined
        ]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

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
                one,
                self.epsilon,
                scoring=self.scoring,
                fewest_items=self.fewest_items,
                fewest_people=self.fewest_people,
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
