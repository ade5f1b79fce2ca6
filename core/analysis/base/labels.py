"""Labels as analyses take them: counted levels, ratings, gold, and assessors by name."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from core.agreement.ratings import Ratings, ratings_from_labels
from core.analysis.base.study import (
    Study,
    coded_labels_of,
    coded_labels_of_all,
    follows_facet,
    follows_labels,
    labels_of,
    left_out_of,
    mask_people,
    scales_of,
    stands_apart_from_labels,
)
from core.collection.records import counted_levels
from core.store.content.gold import list_gold
from core.store.events.current_labels import write_out
from core.store.people.roster import GOLD_KIND, MACHINE
from core.store.rounds.label_rounds import join_rounds, read_label_rounds
from core.store.rounds.rounds import list_rounds
from core.versions.rules import QrelsRule
from core.wording import count

_GOLD = ["topic_id", "document_id", "engine", "given_level", "level"]


@follows_facet
def ratings_of(study: Study, facet: str) -> Ratings:
    """Return the labels of a facet, coded by item and assessor."""
    levels = counted_levels(scales_of(study)[facet])
    return ratings_from_labels(coded_labels_of(study), facet, list(levels))


@stands_apart_from_labels
def gold_of(study: Study, facet: str) -> pd.DataFrame:
    """Return topic_id, document_id, engine, given_level (as marked), level (as counted).

    A level that has gone from the scale since is NaN. Of an aspect there is no gold.
    """
    counts_as = {one.level: one.counts_as for one in scales_of(study)[facet]}
    rows = [
        (one.topic_id, one.document_id, one.engine, one.level, counts_as.get(one.level))
        for one in list_gold(study.store, study.collection_id)
        if one.facet == facet and not study.aspect
    ]
    table = pd.DataFrame(rows, columns=_GOLD)
    return table.astype({name: "str" for name in _GOLD[:3]} | {"level": "float64"})


class _Names(dict[str, str]):
    """Names by id. Who has begun to judge while a page is drawn goes by the id on it."""

    def __missing__(self, assessor_id: str) -> str:
        return assessor_id


@follows_labels
def people_of(study: Study) -> pd.DataFrame:
    """Return assessor_id, assessor (the name) and group of each who has labels that count."""
    people = coded_labels_of(study)[["assessor_id", "assessor", "group"]]
    return write_out(people.drop_duplicates("assessor_id"))


@follows_labels
def names_of(study: Study) -> dict[str, str]:
    """Return the name of each who has labels, by id; no two are alike.

    Machine members and gold are among them: a rule may name them. Machines carry a mark.
    """
    people = coded_labels_of_all(study)[["assessor_id", "assessor"]]
    names = name_assessors(write_out(people.drop_duplicates("assessor_id")))
    return mark_machines(names, left_out_of(study))


def labels_for(study: Study, rule: QrelsRule) -> pd.DataFrame:
    """Return the labels from which a rule chooses: everybody's where it names its assessors.

    As given, or after discussion where the rule says so. Their ids and states are categories.
    """
    study = replace(study, discussed=rule.discussed)
    return coded_labels_of_all(study) if rule.assessors else coded_labels_of(study)


@follows_labels
def describe_left_out(study: Study) -> str:
    """Return in words whose labels do not count here; empty where everybody's do."""
    known = names_of(study)
    kinds = Counter(kind for one, kind in left_out_of(study).items() if one in known)
    parts = [count(kinds[MACHINE], "machine member")] if kinds[MACHINE] else []
    parts += ["gold"] if kinds[GOLD_KIND] else []
    return f"{' and '.join(parts)} left out" if parts else ""


def mark_machines(names: Mapping[str, str], kinds: Mapping[str, str]) -> dict[str, str]:
    """Return names by id in which machines carry a mark: ``llm (machine)``.

    ``kinds`` are those of members who are no persons, by id.
    """
    marked = {
        one: f"{name} ({MACHINE})" for one, name in names.items() if kinds.get(one) == MACHINE
    }
    return _Names({**names, **marked})


def name_assessors(labels: pd.DataFrame) -> dict[str, str]:
    """Return assessors' names by id: the id where there is no name, both where two share one."""
    people = labels[["assessor_id", "assessor"]].drop_duplicates("assessor_id")
    named = people["assessor"].mask(people["assessor"] == "", people["assessor_id"])
    shared = named.duplicated(keep=False) & (named != people["assessor_id"])
    both = named + " (" + people["assessor_id"] + ")"
    return _Names(zip(people["assessor_id"], named.mask(shared, both), strict=True))


@follows_labels
def rounds_of_labels(study: Study) -> pd.DataFrame:
    """Return the round of each label that was judged here, by the label's key."""
    return mask_people(study, read_label_rounds(study.store, study.collection_id))


@follows_labels
def labels_by_round(study: Study) -> pd.DataFrame:
    """Return the labels of the collection with their round in round_id; imported ones have ''."""
    return with_rounds(study, labels_of(study))


def with_rounds(study: Study, labels: pd.DataFrame) -> pd.DataFrame:
    """Return labels of a study, as they stood at some time, with their round in round_id."""
    return join_rounds(labels, rounds_of_labels(study))


@stands_apart_from_labels
def round_names(study: Study) -> dict[str, str]:
    """Return the names of the collection's rounds by id, oldest first; no two are alike."""
    rounds = list_rounds(study.store, study.collection_id)
    names = [one.name for one in rounds]
    return {
        one.round_id: one.name if names.count(one.name) == 1 else f"{one.name} ({one.round_id})"
        for one in rounds
    }
