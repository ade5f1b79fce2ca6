"""The machines of a collection, and what they said."""

import pandas as pd

from core.analysis.base.labels import labels_for, names_of
from core.analysis.base.study import (
    Study,
    coded_labels_of_all,
    follows_labels,
    left_out_of,
)
from core.collection.labels.counted_labels import counted_labels
from core.collection.labels.label_options import CANNOT_JUDGE, INVALID_ANSWER, JUDGED
from core.collection.records import MACHINE
from core.store.events.current_labels import write_out
from core.store.machines.jobs import list_jobs
from core.store.people.pseudonyms import assessor_codes
from core.versions.rules import QrelsRule

ITEM = ["topic_id", "document_id", "engine"]


@follows_labels
def has_machines(study: Study) -> bool:
    """Tell whether a machine has given a level to anything here."""
    rows = coded_labels_of_all(study)
    return bool((rows["assessor_id"].isin(_machine_ids(study)) & (rows["state"] == JUDGED)).any())


@follows_labels
def machines_of(study: Study, facet: str) -> dict[str, str]:
    """Return the names, with their mark, of machines that gave a facet a level, by id."""
    rows = counted_labels(coded_labels_of_all(study), facet)
    judged, names = set(rows["assessor_id"].unique()), names_of(study)
    named = {one: names[one] for one in _machine_ids(study) if one in judged}
    return dict(sorted(named.items(), key=lambda pair: pair[1]))


@follows_labels
def labels_of_machine(study: Study, facet: str, machine: str) -> pd.DataFrame:
    """Return ``topic_id, document_id, engine, level`` of what a machine judged, an item a row."""
    rule = machine_rule(study, facet, machine)
    rows = counted_labels(labels_for(study, rule), facet)
    own = write_out(rows[rows["assessor_id"] == machine])
    return own[[*ITEM, "level"]].reset_index(drop=True)


@follows_labels
def count_states(study: Study, facet: str, machine: str) -> dict[str, int]:
    """Return how often a machine gave a level, could not judge, and could not be understood."""
    rows = coded_labels_of_all(study)
    rows = rows[(rows["assessor_id"] == machine) & (rows["facet"] == facet)]
    counts = rows[rows["occasion"] == 0]["state"].value_counts()
    return {state: int(counts.get(state, 0)) for state in (JUDGED, CANNOT_JUDGE, INVALID_ANSWER)}


def machine_rule(study: Study, facet: str, machine: str) -> QrelsRule:
    """Return the rule of the qrels version that a machine's labels make."""
    return QrelsRule(f"only {names_of(study)[machine]}", facet, "first", assessors=(machine,))


@follows_labels
def was_asked_here(study: Study, machine: str) -> bool:
    """Tell whether a machine judged here in a job, so that the items are a part somebody chose."""
    asked = {one.assessor_id for one in list_jobs(study.store, study.collection_id)}
    if study.is_masked:
        asked = set(assessor_codes(study.store, study.collection_id, asked).values())
    return machine in asked


def _machine_ids(study: Study) -> list[str]:
    return [one for one, kind in left_out_of(study).items() if kind == MACHINE]
