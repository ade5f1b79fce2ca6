"""Who has passed the qualifying test: practice items that are answered before any slot is given."""

import math
from dataclasses import dataclass

import pandas as pd

from core.assessment.steps import list_practice
from core.store.people.members import list_members
from core.store.people.qualifying import get_pass_mark, list_admitted, read_test_answers
from core.store.people.roster import PERSON
from core.store.rounds.rounds import Round, list_rounds
from core.store.store import Store

TEST = -1
"""The batch and the slot of an assignment that has practice items only."""


@dataclass(frozen=True)
class Standing:
    """Where somebody stands in the qualifying test.

    ``mark`` is the share of the items that has to be right; None where there is no test.
    """

    items: int = 0
    answered: int = 0
    right: int = 0
    mark: float | None = None
    is_admitted: bool = False

    @property
    def needed(self) -> int:
        """How many right answers pass."""
        return math.ceil((self.mark or 0) * self.items - 1e-9)

    @property
    def is_tested(self) -> bool:
        """Whether every item is answered."""
        return self.answered >= self.items

    @property
    def is_qualified(self) -> bool:
        """Whether slots are given: there is no test, or it is passed, or the organiser says so."""
        if self.mark is None or self.is_admitted:
            return True
        return self.is_tested and self.right >= self.needed

    @property
    def is_barred(self) -> bool:
        """Whether the test is over and not passed."""
        return self.is_tested and not self.is_qualified

    @property
    def told(self) -> str:
        """In words, for the roster; empty where there is no test."""
        if self.mark is None:
            return ""
        so_far = f"{self.right} of {self.answered} right"
        if not self.is_tested:
            return f"{self.answered} of {self.items} answered"
        if self.right >= self.needed:
            return f"passed: {so_far}"
        return f"let in: {so_far}" if self.is_admitted else f"below the mark: {so_far}"


def tested_rounds(store: Store, collection_id: str) -> list[Round]:
    """Return the open rounds whose flow has practice items to answer."""
    rounds = list_rounds(store, collection_id)
    return [
        one
        for one in rounds
        if one.closed_at is None and not one.pair_facets and list_practice(store, one)
    ]


def read_standings(store: Store, collection_id: str, assessor_id: str = "") -> dict[str, Standing]:
    """Return where each member, or one, stands; nobody where there is no test."""
    mark = get_pass_mark(store, collection_id)
    if mark is None:
        return {}
    steps = {
        one.step
        for rules in tested_rounds(store, collection_id)
        for one in list_practice(store, rules)
    }
    facets = sorted({step.facet for step in steps})
    answers = read_test_answers(store, collection_id, facets, assessor_id)
    given = {row["assessor_id"]: row for row in answers.to_dict("records")}
    admitted = list_admitted(store, collection_id)
    people = [assessor_id] if assessor_id else _list_persons(store, collection_id)
    return {
        one: Standing(
            len(steps),
            int(given.get(one, {}).get("answered", 0)),
            int(given.get(one, {}).get("right", 0)),
            mark,
            one in admitted,
        )
        for one in people
    }


def read_standing(store: Store, collection_id: str, assessor_id: str) -> Standing:
    """Return where one member stands."""
    return read_standings(store, collection_id, assessor_id).get(assessor_id, Standing())


def _list_persons(store: Store, collection_id: str) -> list[str]:
    members: pd.DataFrame = list_members(store, collection_id)
    judging = (members["kind"] == PERSON) & members["dropped_at"].isna()
    return [
        str(one) for one in members.loc[judging & (members["origin"] != "imported"), "assessor_id"]
    ]
