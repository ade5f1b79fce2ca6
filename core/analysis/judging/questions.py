"""Questions of a collection as somebody may see them."""

import pandas as pd

from core.analysis.base.study import Study, mask_people, stands_apart_from_labels, topics_of
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
    said: dict[str, list[str]] = {}
    for notice in list_notices(study.store, study.collection_id):
        if notice.question_id:
            said.setdefault(notice.question_id, []).append(notice.text)
    asked = asked.assign(
        query=[queries.get(one, one) for one in asked["topic_id"]],
        answers=["\n\n".join(said.get(one, ())) for one in asked["question_id"]],
    )
    if study.is_masked:
        asked = asked.assign(text="", answers="")
    return mask_people(study, asked)


@stands_apart_from_labels
def announcements_of(study: Study) -> pd.DataFrame:
    """Return what was said to everybody, latest first: said_at (UTC), text, answers_one.

    The text is empty for who sees no names: an organiser may have named somebody in it.
    """
    said = [one for one in list_notices(study.store, study.collection_id) if not one.assessor_id]
    return pd.DataFrame(
        {
            "said_at": pd.Series([one.written_at for one in said], dtype="datetime64[us]"),
            "text": pd.Series(["" if study.is_masked else one.text for one in said], dtype="str"),
            "answers_one": pd.Series([one.question_id is not None for one in said], dtype="bool"),
        }
    ).iloc[::-1]
