"""How far the judging of a collection is."""

import pandas as pd

from core.analysis.base.study import (
    Study,
    coded_labels_of,
    follows_labels,
    leave_out,
    mask_people,
    scales_of,
    topics_of,
)
from core.assessment.progress import (
    assessor_progress,
    judged_items,
    judged_times,
    labels_by_topic,
    read_slot_states,
    remarks,
)
from core.store.people.members import list_members


@follows_labels
def slots_of(study: Study) -> pd.DataFrame:
    """Return the slots that count: those reserved are not begun, closed rounds open none."""
    slots = mask_people(study, read_slot_states(study.store, study.collection_id))
    reserved = (slots["state"] == "taken") & slots["leased_until"].isna()
    slots = slots.assign(state=slots["state"].mask(reserved, "open"))
    return slots[~slots["closed"] | (slots["state"] == "finished")]


@follows_labels
def counts_by_topic(study: Study) -> pd.DataFrame:
    """Return how many labels each topic has, imported ones among them."""
    return labels_by_topic(coded_labels_of(study), progress_by_item(study), topics_of(study))


@follows_labels
def progress_by_item(study: Study) -> pd.DataFrame:
    """Return how many assessors have given each item a level, repeats left out."""
    return judged_items(coded_labels_of(study))


@follows_labels
def progress_by_assessor(study: Study) -> pd.DataFrame:
    """Return how far each assessor is; machine members and gold are left out."""
    members = mask_people(study, list_members(study.store, study.collection_id))
    members = leave_out(study, members)
    return assessor_progress(coded_labels_of(study), slots_of(study), members)


@follows_labels
def items_by_judges(study: Study, judges: int) -> pd.DataFrame:
    """Return the number of items by how many assessors have judged them."""
    return judged_times(progress_by_item(study), judges)


@follows_labels
def remarks_of(study: Study) -> pd.DataFrame:
    """Return what assessors said of items, with query and level by name."""
    table = remarks(coded_labels_of(study))
    queries = topics_of(study).set_index("topic_id")["query"]
    names = {
        (facet, level.level): level.name
        for facet, scale in scales_of(study).items()
        for level in scale
    }
    label = [
        names.get((facet, given), state)
        for facet, given, state in zip(
            table["facet"], table["given_level"], table["state"], strict=True
        )
    ]
    table.insert(3, "query", table["topic_id"].map(queries))
    return table.assign(label=label).drop(columns=["state", "given_level"])
