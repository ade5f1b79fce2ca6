"""Relevant pages that their snippets hide."""

import pandas as pd

from core.analysis.agreement.level_weights import combined_of
from core.analysis.base.study import (
    Study,
    follows_labels,
    results_of,
)
from core.disagreement.missed_pages import find_missed_pages, missed_pages_by_engine


@follows_labels
def missed_pages_of(study: Study, top: int, below: int | None) -> pd.DataFrame:
    """Return the labels that find a page top, with the level the same assessor gave its snippet."""
    return find_missed_pages(combined_of(study), top, below)


@follows_labels
def missed_by_engine(study: Study, top: int, below: int) -> pd.DataFrame:
    """Return the share of missed pages of each engine, with intervals."""
    return missed_pages_by_engine(missed_pages_of(study, top, below))


@follows_labels
def missed_snippets(study: Study, top: int, below: int) -> pd.DataFrame:
    """Return every snippet that loses its page, with its text."""
    keys = ["topic_id", "document_id", "engine"]
    found = missed_pages_of(study, top, below)
    rows = found.groupby(keys, as_index=False).agg(
        lost=("lost", "sum"), top_labels=("lost", "size")
    )
    texts = results_of(study)[[*keys, "snippet"]]
    rows = rows[rows["lost"] > 0].merge(texts, on=keys, how="left")
    return rows.sort_values(["lost", "engine", "topic_id"], ascending=[False, True, True])
