"""One's own labels: to look at and to revise."""

import uuid

import pandas as pd
import streamlit as st

from core.assessment.blinding import engine_code
from core.assessment.judging import Grant
from core.collection.records import SNIPPET
from core.store.documents import get_document
from core.store.frames import read_document_index, read_labels, read_results, read_topics
from core.store.labels import Key, Standing
from core.store.scales import get_scales
from pages.assess.item import show_item, word_level
from pages.shared.page import page
from pages.shared.server import server
from pages.shared.session import Visit
from pages.shared.wording import plain


@page("Judge", "History", ":material/history:", "assessor")
def draw(visit: Visit) -> None:
    """List one's labels and offer to change one of them."""
    st.markdown(
        "These are your own labels. Choose a row to change it: the new label takes the place "
        "of the old one, and the old one stays on record."
    )
    mine = read_labels(visit.store, visit.collection_id, assessor_id=visit.person_id)
    mine = mine.sort_values("time", ascending=False, ignore_index=True)
    if mine.empty:
        st.info("You have not judged anything yet.")
        return
    chosen = st.dataframe(
        _readable(visit, mine),
        hide_index=True,
        key="history",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "Query": st.column_config.TextColumn(width="medium"),
            "Label": st.column_config.TextColumn(width=110),
            "When (UTC)": st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm:ss"),
        },
    )
    rows = chosen["selection"]["rows"]
    if rows:
        _show_again(visit, mine.iloc[rows[0]])
        _revise(visit, mine.iloc[rows[0]])


def _readable(visit: Visit, mine: pd.DataFrame) -> pd.DataFrame:
    queries = read_topics(visit.store, visit.collection_id).set_index("topic_id")["query"]
    names = {
        (facet, level.level): level.name
        for facet, levels in get_scales(visit.store, visit.collection_id).items()
        for level in levels
    }
    titles = _titles(visit)
    table = pd.DataFrame(
        {
            "Query": mine["topic_id"].map(queries),
            "Title": mine["document_id"].map(titles),
            "Document": mine["document_id"],
            "Judged": mine["facet"],
            "Label": [
                names.get((facet, level), state) if state == "level" else state
                for facet, level, state in zip(
                    mine["facet"], mine["given_level"], mine["state"], strict=True
                )
            ],
            "Comment": mine["comment"],
            "When (UTC)": mine["time"],
        }
    )
    return table if titles.any() else table.drop(columns="Title")


def _titles(visit: Visit) -> pd.Series:
    documents = read_document_index(visit.store, visit.collection_id)
    return documents.set_index("document_id")["title"]


def _show_again(visit: Visit, row: pd.Series) -> None:
    """Show what was judged."""
    topics = read_topics(visit.store, visit.collection_id).set_index("topic_id")
    query = str(topics["query"].get(row["topic_id"], ""))
    document = get_document(visit.store, visit.collection_id, row["document_id"])
    snippet = _snippet(visit, row) if row["facet"] == SNIPPET else None
    st.subheader(plain(query), anchor=False)
    show_item(visit, row["document_id"], document, query, snippet)


def _snippet(visit: Visit, row: pd.Series) -> str:
    results = read_results(visit.store, visit.collection_id)
    ids = ["topic_id", "document_id", "engine"]
    found = results.loc[(results[ids] == row[ids]).all(axis=1), "snippet"]
    return str(next(iter(found), ""))


def _revise(visit: Visit, row: pd.Series) -> None:
    key = Key(
        row["topic_id"],
        row["document_id"],
        row["facet"],
        row["engine"],
        visit.person_id,
        int(row["occasion"]),
    )
    standing = visit.store.labels.standing(visit.collection_id, visit.person_id)[key]
    scale = get_scales(visit.store, visit.collection_id)[key.facet]
    with st.form(f"revise-{standing.event_id}"):
        level = st.radio(
            "New label",
            [one.level for one in scale],
            format_func={one.level: word_level(one) for one in scale}.get,
            index=next((i for i, one in enumerate(scale) if one.level == standing.level), None),
        )
        comment = st.text_area("Comment", standing.comment)
        if st.form_submit_button("Save") and level is not None:
            _save(visit, key, standing, level, comment)


def _save(visit: Visit, key: Key, standing: Standing, level: int, comment: str) -> None:
    event = {
        "event_id": str(uuid.uuid4()),
        "supersedes": standing.event_id,
        "topic": key.topic_id,
        "document": key.document_id,
        "facet": key.facet,
        "engine": engine_code(visit.store.secret, key),
        "occasion": key.occasion,
        "state": "level",
        "level": level,
        "comment": comment,
    }
    (ack,) = server().intake.accept(Grant(visit.collection_id, visit.person_id), [event])
    if ack["status"] == "saved":
        st.rerun()
    st.error(ack["reason"] or "This label was changed elsewhere meanwhile. Reload the page.")
