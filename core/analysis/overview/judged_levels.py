"""What the labels say of each document so far, and what the systems show first."""

import pandas as pd

from core.analysis.base.study import (
    Study,
    coded_labels_of,
    follows_labels,
    runs_of,
    stands_apart_from_labels,
)
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import PAGE, SNIPPET
from core.store.events.current_labels import write_out
from core.store.events.frames import read_document_index

DEPTH = 10
"""How many of the first documents of a system count here."""


@stands_apart_from_labels
def first_results(study: Study) -> pd.DataFrame:
    """Return the first ten documents of every run.

    Columns are system, topic_id, document_id, rank, readable (whether the document has a text).
    """
    runs = runs_of(study)
    first = runs.loc[runs["rank"] <= DEPTH, ["system", "topic_id", "document_id", "rank"]]
    documents = read_document_index(study.store, study.collection_id)
    with_text = documents.loc[documents["readable"], "document_id"]
    return write_out(first.assign(readable=first["document_id"].isin(list(with_text))))


def judged_facet(study: Study) -> str:
    """Return what is measured by: pages where they have labels, else snippets; empty without."""
    facets = set(counted_labels(coded_labels_of(study))["facet"].unique())
    return next((facet for facet in (PAGE, SNIPPET) if facet in facets), "")


@follows_labels
def highest_levels(study: Study) -> pd.DataFrame:
    """Return the judgements of the version *all, maximum*.

    Returns
    -------
    DataFrame
        topic_id, document_id, level, iteration; no rows without labels.
    """
    given = counted_labels(coded_labels_of(study), judged_facet(study) or PAGE)
    levels = given.groupby(["topic_id", "document_id"], observed=True)["level"].max()
    return write_out(levels.astype("int64").reset_index()).assign(iteration="0")
