"""Who has passed the qualifying test: practice items that are answered before any slot is given.

The answers of an attempt are labels of an occasion below 0, so nothing else counts them, and an
attempt is begun with its first answer.
"""

import hashlib
import math
from dataclasses import dataclass, replace

import pandas as pd

from core.assessment.handing_out.assignment_content import AssignmentContent, Practice
from core.assessment.handing_out.queue import Assignment, may_judge
from core.assessment.handing_out.steps import lay_out, list_practice
from core.store.people.members import list_members
from core.store.people.qualifying import (
    TestRules,
    get_test_rules,
    list_admitted,
    occasion_of,
    read_test_answers,
)
from core.store.people.roster import PERSON
from core.store.rounds.rounds import Round, list_rounds
from core.store.store import Store

TEST = -1
"""The slot of an assignment that has practice items only; its batch is the occasion."""

Item = tuple[str, str, str, str]
"""An item by topic, document, facet and engine, whoever is asked and when."""


@dataclass(frozen=True)
class Attempt:
    """One attempt at the test: how many items it has, how many are answered, and rightly."""

    number: int
    items: int
    answered: int
    right: int

    @property
    def is_over(self) -> bool:
        """Whether every item is answered."""
        return self.answered >= self.items


@dataclass(frozen=True)
class Standing:
    """Where somebody stands in the qualifying test.

    ``tried`` has the attempts that were begun, in order. ``rules`` is None where there is no test.
    """

    items: int = 0
    tried: tuple[Attempt, ...] = ()
    rules: TestRules | None = None
    is_admitted: bool = False

    @property
    def shown(self) -> Attempt:
        """The attempt that decides: the first that passed, or else the last."""
        passed = (one for one in self.tried if self._is_passed(one))
        return next(passed, self.tried[-1] if self.tried else Attempt(1, self.items, 0, 0))

    @property
    def answered(self) -> int:
        """How many items of it are answered."""
        return self.shown.answered

    @property
    def right(self) -> int:
        """How many of these answers are right."""
        return self.shown.right

    @property
    def needed(self) -> int:
        """How many right answers pass."""
        return self._needed(self.shown)

    @property
    def is_tested(self) -> bool:
        """Whether every item is answered."""
        return self.shown.is_over

    @property
    def is_passed(self) -> bool:
        """Whether an attempt reached the mark."""
        return self._is_passed(self.shown)

    @property
    def is_qualified(self) -> bool:
        """Whether slots are given: there is no test, or it is passed, or the organiser says so."""
        return self.rules is None or self.is_admitted or self.is_passed

    @property
    def is_barred(self) -> bool:
        """Whether the last attempt is over and the mark was not reached."""
        return self.is_tested and not self.is_qualified

    @property
    def attempts(self) -> int:
        """How many attempts there are."""
        return 1 if self.rules is None else self.rules.attempts

    @property
    def left(self) -> int:
        """How many attempts are left; none while one is going on, or once work is open."""
        return max(0, self.attempts - self.shown.number) if self.is_barred else 0

    @property
    def summary(self) -> str:
        """In words, for the roster; empty where there is no test."""
        if self.rules is None:
            return ""
        so_far = f"{self.right} of {self.answered} right"
        number = f", attempt {self.shown.number} of {self.attempts}" if self.attempts > 1 else ""
        if not self.is_tested:
            return f"{self.answered} of {self.shown.items} answered{number}"
        if self.is_passed:
            return f"passed: {so_far}{number}"
        return f"{'let in' if self.is_admitted else 'below the mark'}: {so_far}{number}"

    def _needed(self, attempt: Attempt) -> int:
        mark = 0.0 if self.rules is None else self.rules.mark
        return math.ceil(mark * attempt.items - 1e-9)

    def _is_passed(self, attempt: Attempt) -> bool:
        return attempt.is_over and attempt.right >= self._needed(attempt)


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
    rules = get_test_rules(store, collection_id)
    if rules is None:
        return {}
    items = _list_items(store, collection_id)
    answers = read_answers(store, collection_id, assessor_id)
    drawn = min(rules.drawn or len(items), len(items))
    tried: dict[str, list[Attempt]] = {}
    counted = answers.groupby(["assessor_id", "attempt"], as_index=False, sort=True).agg(
        answered=("right", "size"), right=("right", "sum")
    )
    for row in counted.to_dict("records"):
        answered, right = int(row["answered"]), int(row["right"])
        tried.setdefault(str(row["assessor_id"]), []).append(
            Attempt(int(row["attempt"]), max(drawn, answered), answered, right)
        )
    admitted = list_admitted(store, collection_id)
    people = [assessor_id] if assessor_id else _list_persons(store, collection_id)
    return {
        one: Standing(drawn, tuple(tried.get(one, ())), rules, one in admitted) for one in people
    }


def read_standing(store: Store, collection_id: str, assessor_id: str) -> Standing:
    """Return where one member stands."""
    return read_standings(store, collection_id, assessor_id).get(assessor_id, Standing())


def read_answers(store: Store, collection_id: str, assessor_id: str = "") -> pd.DataFrame:
    """Return the first answers to the test's items; columns as of ``read_test_answers``."""
    rules = get_test_rules(store, collection_id)
    facets = sorted({facet for _, _, facet, _ in _list_items(store, collection_id)})
    within = 0 if rules is None else rules.within
    return read_test_answers(store, collection_id, facets, assessor_id, within)


def next_test(
    store: Store, collection_id: str, assessor_id: str, *, repeats: bool = False
) -> tuple[Assignment, AssignmentContent] | None:
    """Return what of the test is to be answered now; None when nothing is.

    Parameters
    ----------
    store, collection_id, assessor_id
        Who is to answer where.
    repeats : bool
        Begin another attempt, if the last is over and one is left. It has another order, and
        other items where there are enough.
    """
    standing = read_standing(store, collection_id, assessor_id)
    if standing.is_qualified or not may_judge(store, collection_id, assessor_id):
        return None
    if standing.is_barred and not (repeats and standing.left):
        return None
    number = standing.shown.number + bool(standing.is_barred)
    drawn = _draw(store, collection_id, assessor_id, number, standing.items)
    current = store.labels.current(collection_id, assessor_id)
    for rules in tested_rounds(store, collection_id):
        assignment = Assignment(rules, "", occasion_of(number), TEST, assessor_id)
        content = lay_out(store, assignment)
        own = {_item_of(one): one for one in content.practice}
        practice = tuple(own[item] for item in drawn if item in own)
        labels = (current.get(one.step.key(assessor_id)) for one in practice)
        if any(label is None or label.state not in ("level", "cannot judge") for label in labels):
            return assignment, replace(content, practice=practice)
    return None


def _draw(
    store: Store, collection_id: str, assessor_id: str, number: int, count: int
) -> list[Item]:
    """Return which items an attempt has, in its order.

    What it has answers to stays; the rest comes from what was answered least often before.
    """
    answers = read_answers(store, collection_id, assessor_id)
    columns = ["topic_id", "document_id", "facet", "engine"]
    asked = [tuple(row) for row in answers[columns].to_numpy()]
    now = {item for item, one in zip(asked, answers["attempt"], strict=True) if one == number}
    items = _list_items(store, collection_id)

    def rank(item: Item) -> tuple[bool, int, str]:
        return item not in now, asked.count(item), _shuffle(assessor_id, number, *item)

    chosen = set(sorted(items, key=rank)[:count]) | now
    if number == 1 and len(chosen) == len(items):
        return items
    # A topic's items stay together, and a snippet stands before its page.
    return sorted(
        chosen,
        key=lambda one: (
            _shuffle(assessor_id, number, one[0]),
            _shuffle(assessor_id, number, *one[:2]),
            one[2] == "page",
            one[3],
        ),
    )


def _shuffle(assessor_id: str, number: int, *names: str) -> str:
    """Return what puts things in an order that only an attempt of somebody has."""
    text = "\x1f".join((assessor_id, str(number), *names))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _list_items(store: Store, collection_id: str) -> list[Item]:
    """Return the items that open rounds ask for, each once, in the order of the practice."""
    return list(
        dict.fromkeys(
            _item_of(one)
            for rules in tested_rounds(store, collection_id)
            for one in list_practice(store, rules)
        )
    )


def _item_of(practice: Practice) -> Item:
    step = practice.step
    return step.topic_id, step.document_id, step.facet, step.engine


def _list_persons(store: Store, collection_id: str) -> list[str]:
    members: pd.DataFrame = list_members(store, collection_id)
    judging = (members["kind"] == PERSON) & members["dropped_at"].isna()
    return [
        str(one) for one in members.loc[judging & (members["origin"] != "imported"), "assessor_id"]
    ]
