"""What assessors remarked, and what they could not judge."""

import pandas as pd

from core.analysis.base.study import Study, coded_labels_of, follows_labels, scales_of, topics_of
from core.store.events.current_labels import write_out


@follows_labels
def remarks_of(study: Study) -> pd.DataFrame:
    """Return comments and items that could not be judged, latest first.

    Columns are time, assessor, topic_id, query, document_id, facet, engine, label (the level by
    name, or the state), comment.
    """
    table = find_remarks(coded_labels_of(study))
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


def find_remarks(labels: pd.DataFrame) -> pd.DataFrame:
    """Return the same of labels, with state and given_level in place of query and label."""
    marked = write_out(labels[(labels["comment"] != "") | (labels["state"] == "cannot judge")])
    named = marked["assessor"].mask(marked["assessor"] == "", marked["assessor_id"])
    columns = ["time", "assessor", "topic_id", "document_id", "facet", "engine", "state"]
    marked = marked.assign(assessor=named).sort_values("time", ascending=False, kind="stable")
    return marked[[*columns, "given_level", "comment"]].reset_index(drop=True)
