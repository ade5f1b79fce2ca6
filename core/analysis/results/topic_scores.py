"""Ranks and titles of the documents behind the scores of a topic."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.base.study import (
    Study,
    runs_of,
    stands_apart_from_labels,
)
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.qrels_choices import level_names
from core.store.events.current_labels import write_out
from core.store.events.frames import read_document_index


@stands_apart_from_labels
def ranks_of(study: Study) -> dict[tuple[str, str], NDArray[np.int64]]:
    """Return where in the runs each system's answer to each topic is."""
    by = runs_of(study).groupby(["system", "topic_id"], observed=True)
    return {key: np.asarray(positions) for key, positions in by.indices.items()}  # type: ignore[misc]


@stands_apart_from_labels
def titles_of(study: Study) -> "pd.Series[str]":
    """Return the title of each document by id."""
    index = read_document_index(study.store, study.collection_id)
    return index.set_index("document_id")["title"]


UNJUDGED = "not judged"


def list_answers(
    study: Study, basis: ScoreBasis, facet: str, system: str, topic: str
) -> pd.DataFrame:
    """Return ``rank, judgement, level, document_id, title, score`` of one ranked list."""
    listed = write_out(runs_of(study).iloc[ranks_of(study).get((system, topic), [])])
    judged = basis.version.levels_for(system, topic)
    names = level_names(study, facet, basis.choice)
    level = listed["document_id"].map(judged)
    titles = titles_of(study)
    listed = listed.assign(
        level=level,
        judgement=[_call(one, names) for one in level],
        title=listed["document_id"].map(titles).astype("object").fillna(""),
    )
    columns = ["rank", "judgement", "level", "document_id", "title", "score"]
    return listed[columns].sort_values("rank", ignore_index=True)


def _call(level: float, names: dict[float, str]) -> str:
    if pd.isna(level):
        return UNJUDGED
    name = names.get(level, "")
    return name if name else f"{level:.3g}"
