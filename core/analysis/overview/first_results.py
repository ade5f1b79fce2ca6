"""What the systems show first."""

import pandas as pd

from core.analysis.base.study import Study, runs_of, stands_apart_from_labels
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
