"""What the organiser looks at: a facet with its counted levels, and assessors by name."""

import pandas as pd
import streamlit as st

from core.agreement.ratings import Ratings, ratings_from_labels
from core.collection.records import PAGE, Scale
from core.store.rounds import list_rounds
from core.store.standing import write_out
from pages.shared.live import coded_labels_of, kept, scales_of
from pages.shared.session import Visit

TWO_ASSESSORS = (
    "At least two assessors have to judge the same items: on the page *Assignments*, open a round "
    "in which each topic goes to two assessors or more. A few topics will do for a start."
)


def choose_facet(visit: Visit, key: str) -> str:
    """Let the organiser choose between snippets and pages, where both have a scale."""
    facets = sorted(scales_of(visit), key=lambda facet: facet != PAGE)
    if len(facets) < 2:
        return facets[0]
    chosen = st.radio(
        "Labels of", facets, format_func=lambda facet: f"{facet}s", horizontal=True, key=key
    )
    return str(chosen)


def counted_levels(scale: Scale) -> dict[int, str]:
    """Return the names of the levels that analyses use, lowest first.

    A level that counts as another shows beside it: ``{…, 3: "Key or Nav"}``.
    """
    names: dict[int, list[str]] = {level.counts_as: [] for level in scale}
    for level in sorted(scale, key=lambda one: one.level != one.counts_as):
        names[level.counts_as].append(level.name)
    return {level: " or ".join(names[level]) for level in sorted(names)}


def ratings_of(visit: Visit, facet: str) -> Ratings:
    """Return the labels of a facet, coded by item and assessor."""
    return kept(visit, _ratings, facet)


class _Names(dict[str, str]):
    """Names by id. Who has begun to judge while a page is drawn goes by the id on it."""

    def __missing__(self, assessor_id: str) -> str:
        return assessor_id


def people_of(visit: Visit) -> pd.DataFrame:
    """Return assessor_id, assessor (the name) and group of each who has labels."""
    return kept(visit, _people)


def names_of(visit: Visit) -> dict[str, str]:
    """Return the name of each assessor who has labels, by id; no two are alike."""
    return name_assessors(people_of(visit))


def count_judges(visit: Visit) -> int:
    """Return k, how many assessors the latest round asks for; 2 before the first."""
    rounds = list_rounds(visit.store, visit.collection_id)
    still_open = [one for one in rounds if one.closed_at is None]
    return (still_open or rounds)[-1].judges if rounds else 2


def name_assessors(labels: pd.DataFrame) -> dict[str, str]:
    """Return assessors' names by id: the id where there is no name, both where two share one."""
    people = labels[["assessor_id", "assessor"]].drop_duplicates("assessor_id")
    named = people["assessor"].mask(people["assessor"] == "", people["assessor_id"])
    shared = named.duplicated(keep=False) & (named != people["assessor_id"])
    both = named + " (" + people["assessor_id"] + ")"
    return _Names(zip(people["assessor_id"], named.mask(shared, both), strict=True))


def _ratings(visit: Visit, facet: str) -> Ratings:
    levels = counted_levels(scales_of(visit)[facet])
    return ratings_from_labels(coded_labels_of(visit), facet, list(levels))


def _people(visit: Visit) -> pd.DataFrame:
    people = coded_labels_of(visit)[["assessor_id", "assessor", "group"]]
    return write_out(people.drop_duplicates("assessor_id"))
