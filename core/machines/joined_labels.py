"""Labels of a machine beside those of people, on the items that both judged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.agreement.confusion import ConfusionMatrices, Matrices, confusion_matrices
from core.agreement.ratings import Codes, Ratings, ratings_from_labels
from core.collection.qrels_and_runs.machine_qrels import MACHINE_LABEL
from core.errors import BadInput, TooLittleData
from core.wording import count

ITEM = ["topic_id", "document_id", "engine"]


@dataclass(frozen=True, eq=False)
class JoinedLabels:
    """What one machine and people said of the same items.

    Parameters
    ----------
    machine : str
        What the machine is called.
    ratings : Ratings
        The labels of people and of the machine, on the items that it gave a level of the scale
        and some person judged; the machine is one of the assessors.
    invalid : DataFrame
        ``topic_id, document_id, value, people``: the machine's labels that are not on the scale,
        as they are, and how many people judged the item. They count nowhere else.
    missed : Series of int
        By person, on how many of their items the machine's label is invalid.
    labels, only_machine, only_people : int
        How many labels the machine gave; on how many items that nobody else judged; and how many
        items of people it has no label for.
    """

    machine: str
    ratings: Ratings
    invalid: pd.DataFrame
    missed: "pd.Series[int]"
    labels: int
    only_machine: int
    only_people: int

    @property
    def items(self) -> int:
        """How many items have a level of the machine and of a person."""
        return len(self.ratings.items)

    @property
    def people(self) -> tuple[str, ...]:
        """Who of the people judged some of these items."""
        return tuple(name for name in self.ratings.assessors if name != self.machine)

    @property
    def code(self) -> int:
        """The machine's position among the assessors."""
        return self.ratings.assessors.index(self.machine)

    @cached_property
    def matrices(self) -> ConfusionMatrices:
        """The confusion matrices of every two, the machine among them."""
        return confusion_matrices(self.ratings)

    @property
    def has_machine(self) -> npt.NDArray[np.bool_]:
        """Which blocks of the matrices are of the machine and a person."""
        matrices = self.matrices
        return np.asarray((matrices.first == self.code) | (matrices.second == self.code))

    def among_several(self) -> "JoinedLabels":
        """Return the same on the items that two people or more judged; all, if there are none."""
        ratings = self.ratings
        is_person = ratings.assessor != self.code
        several = np.bincount(ratings.item[is_person], minlength=self.items) > 1
        return replace(self, ratings=ratings.select(several)) if several.any() else self

    def matrix_of(self, person: str) -> Codes:
        """Return a person's items by own level (row) and level of the machine, shape (L, L)."""
        return self.matrices.by_pair().matrix(person, self.machine).astype(np.int64)

    def beside_people(self) -> tuple[Codes, Codes, Matrices]:
        """Return person, topic and counts of each block: a person's levels by the machine's.

        The first two have shape (n_blocks,), positions among the assessors and topics; the counts
        have shape (n_blocks, L, L).
        """
        blocks = self.matrices.select(self.has_machine)
        is_first = blocks.first == self.code
        person = np.where(is_first, blocks.second, blocks.first)
        turned = np.swapaxes(blocks.counts, 1, 2)
        return person, blocks.topic, np.where(is_first[:, None, None], turned, blocks.counts)


def join_labels(
    people: pd.DataFrame, levels: Sequence[int], machine: str, given: pd.DataFrame
) -> JoinedLabels:
    """Put the labels of a machine beside those of people.

    Parameters
    ----------
    people : DataFrame
        The counted labels of one facet: ``topic_id, document_id, facet, engine, assessor_id,
        occasion, level, state``.
    levels : sequence of int
        The scale.
    machine : str
        What the machine is called; no person is called so.
    given : DataFrame
        ``topic_id, document_id, level`` and perhaps ``engine``; one label for an item. Rows
        without a level are left out. A level that is not on the scale is invalid: it is named and
        counted apart, and never becomes another level.

    Raises
    ------
    BadInput
        A column is missing, an item has two labels, or a person has the machine's name.
    TooLittleData
        The machine gave no level at all, or none of the scale to an item that a person judged.
    """
    if machine in set(people["assessor_id"]):
        raise BadInput(f"a person is called '{machine}', too; call the machine differently")
    given = _check_labels(machine, given)
    if given.empty:
        raise TooLittleData(f"'{machine}' gave nothing a level")
    people = people.assign(engine=people["engine"].fillna(""))
    is_valid = given["level"].isin(list(levels))
    own, invalid = given[is_valid], given[~is_valid]
    shared = people.merge(own[ITEM], on=ITEM)
    items = people[ITEM].drop_duplicates()
    if shared.empty:
        common = len(given.merge(items, on=ITEM))
        by_engine = bool((items["engine"] != "").all() and (given["engine"] == "").all())
        raise TooLittleData(_say_nothing_common(machine, common, by_engine))
    missed = people.merge(invalid[ITEM], on=ITEM)
    return JoinedLabels(
        machine=machine,
        ratings=_code_ratings(shared, levels, machine, own),
        invalid=_name_invalid(invalid, missed),
        missed=missed["assessor_id"].value_counts(),
        labels=len(given),
        only_machine=len(given) - len(given.merge(items, on=ITEM)),
        only_people=len(items) - len(items.merge(given[ITEM], on=ITEM)),
    )


def _check_labels(machine: str, given: pd.DataFrame) -> pd.DataFrame:
    """Return the labels of a machine that are there, with an engine each."""
    for name in MACHINE_LABEL:
        if name not in given:
            raise BadInput(f"the labels of '{machine}' have no column {name}", field=name)
    given = given if "engine" in given else given.assign(engine="")
    given = given[given["level"].notna()]
    twice = given.duplicated(ITEM)
    if twice.any():
        item: Any = given[twice].iloc[0]
        raise BadInput(
            f"'{machine}' has two labels for document {item['document_id']} of topic "
            f"{item['topic_id']}; give one for each item"
        )
    return given


def _say_nothing_common(machine: str, common: int, by_engine: bool) -> str:
    if common:
        return (
            f"none of the labels that '{machine}' gave to the {count(common, 'item')} that people "
            "judged is on the scale; say which levels there are, or check its file"
        )
    how = (
        "snippets belong to engines, and its labels name none"
        if by_engine
        else "topics and documents have to be called the same in both"
    )
    return f"'{machine}' and people have no item in common; {how}"


def _code_ratings(
    shared: pd.DataFrame, levels: Sequence[int], machine: str, own: pd.DataFrame
) -> Ratings:
    """Return the ratings of people and the machine on the items of both."""
    facet = str(shared["facet"].iloc[0])
    fixed: dict[str, Any] = {
        "assessor_id": machine,
        "facet": facet,
        "occasion": 0,
        "state": "level",
    }
    beside = own.merge(shared[ITEM].drop_duplicates(), on=ITEM).assign(**fixed)
    columns = [*ITEM, *fixed, "level"]
    both = pd.concat([shared.assign(occasion=0)[columns], beside[columns]], ignore_index=True)
    return ratings_from_labels(both, facet, levels)


def _name_invalid(invalid: pd.DataFrame, missed: pd.DataFrame) -> pd.DataFrame:
    """Return the invalid labels with how many people judged each item."""
    people = missed.groupby(ITEM).size().rename("people")
    named = invalid.join(people, on=ITEM).rename(columns={"level": "value"})
    named = named.assign(people=named["people"].fillna(0).astype("int64"))
    return named[["topic_id", "document_id", "value", "people"]].reset_index(drop=True)
