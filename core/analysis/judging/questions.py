"""What assessors wrote: their questions, remarks beside labels, and why they could not judge."""

import pandas as pd

from core.analysis.base.study import (
    Study,
    coded_labels_of,
    follows_labels,
    mask_people,
    scales_of,
    stands_apart_from_labels,
    topics_of,
)
from core.store.events.current_labels import write_out
from core.store.events.questions import list_notices, read_questions


@stands_apart_from_labels
def questions_of(study: Study) -> pd.DataFrame:
    """Return the questions of the collection, those without an answer first, the oldest first.

    Returns
    -------
    DataFrame
        The columns of ``read_questions``, with query, the topic's, and answers, what was said to
        each, oldest first and one below the other. For who sees no names, assessors have codes,
        and texts and answers are empty: they are the assessors' own words.
    """
    asked = read_questions(study.store, study.collection_id)
    queries = topics_of(study).set_index("topic_id")["query"].to_dict()
    answers: dict[str, list[str]] = {}
    for notice in list_notices(study.store, study.collection_id):
        if notice.question_id:
            answers.setdefault(notice.question_id, []).append(notice.text)
    asked = asked.assign(
        query=[queries.get(one, one) for one in asked["topic_id"]],
        answers=["\n\n".join(answers.get(one, ())) for one in asked["question_id"]],
    )
    if study.is_masked:
        asked = asked.assign(text="", answers="")
    return mask_people(study, asked)


@stands_apart_from_labels
def announcements_of(study: Study) -> pd.DataFrame:
    """Return what was said to everybody, latest first: said_at (UTC), text, answers_one.

    The text is empty for who sees no names: an organiser may have named somebody in it.
    """
    announcements = [
        one for one in list_notices(study.store, study.collection_id) if not one.assessor_id
    ]
    return pd.DataFrame(
        {
            "said_at": pd.Series([one.written_at for one in announcements], dtype="datetime64[us]"),
            "text": pd.Series(
                ["" if study.is_masked else one.text for one in announcements], dtype="str"
            ),
            "answers_one": pd.Series(
                [one.question_id is not None for one in announcements], dtype="bool"
            ),
        }
    ).iloc[::-1]


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
