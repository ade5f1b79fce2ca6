"""One's own labels: to look at and to revise.

Which of one's own labels are listed: by query, by label, by words. The passages that somebody
marked with a label of their own.
"""

import pandas as pd
import streamlit as st

from core.collection.aspects import name_levels
from core.collection.records import SNIPPET
from core.language.translate import t, tn
from core.store.content.aspects import list_aspects
from core.store.content.documents import get_document
from core.store.content.scales import get_scales
from core.store.events.frames import read_document_index, read_labels, read_results, read_topics
from core.store.events.labels import Key
from core.store.events.marked import hash_text
from core.store.events.passages import find_marked, text_of
from core.store.rounds.pairs import read_preferences
from core.wording import plain
from pages.judge.afterwards import show_afterwards
from pages.judge.again import link_again
from pages.judge.history_pairs import show_own_preferences
from pages.judge.item import show_item
from pages.judge.own_words import word_facet, word_state
from pages.judge.revision import revise
from pages.shared.page import page
from pages.shared.session import PageContext

FEW = 10
"""Up to so many labels all are seen at once, and nothing is offered."""


@page("history", "History", "History", "assessor")
def draw(context: PageContext) -> None:
    """List one's labels and offer to change one of them."""
    here, who = (context.store, context.collection_id), context.person_id
    mine = read_labels(*here, assessor_id=who, discussed=True)
    preferred = read_preferences(*here, assessor_id=who, discussed=True)
    if show_afterwards(context):
        return
    if mine.empty and preferred.empty:
        context.sheet.tell(t("You have not judged anything yet."))
        return
    context.sheet.answer(_count(pd.concat([mine["topic_id"], preferred["topic_id"]])))
    st.caption(
        t(
            "These are your own labels. Choose a row to change it: the new label replaces the old "
            "one, which is kept in the history. By keyboard: arrow keys, then Shift+Space."
        )
    )
    if len(mine):
        _show_labels(context, mine.sort_values("time", ascending=False, ignore_index=True))
    if len(preferred):
        show_own_preferences(
            context, preferred.sort_values("time", ascending=False, ignore_index=True)
        )


def _show_labels(context: PageContext, mine: pd.DataFrame) -> None:
    """List one's graded labels, latest first, and the chosen one with a form to change it."""
    listed = _readable(context, mine)
    stays = choose_rows(listed)
    listed, mine = listed[stays], mine[stays]
    chosen = st.dataframe(
        listed,
        hide_index=True,
        # Another list, another choice: a row's number means another label there.
        key="history" if stays.all() else f"history-{hash(tuple(mine['sequence']))}",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            t("Query"): st.column_config.TextColumn(width="medium"),
            t("Label"): st.column_config.TextColumn(width=110),
            t("When (UTC)"): st.column_config.DatetimeColumn(format=t("D MMM YYYY, HH:mm:ss")),
        },
    )
    rows = chosen["selection"]["rows"]
    if rows:
        key = _key_of(context, mine.iloc[rows[0]])
        _show_again(context, mine.iloc[rows[0]], key)
        revise(context, key, get_scales(context.store, context.collection_id)[key.facet])


def _count(topics: "pd.Series[str]") -> str:
    """Return how much somebody has judged."""
    items = tn(len(topics), "{n} item", "{n} items")
    number = topics.nunique()
    return (
        t("You have judged **{items}** of one query.", items=items)
        if number == 1
        else t("You have judged **{items}** of {n} queries.", items=items, n=number)
    )


def _readable(context: PageContext, mine: pd.DataFrame) -> pd.DataFrame:
    queries = read_topics(context.store, context.collection_id).set_index("topic_id")["query"]
    names = {
        (facet, level.level): level.name
        for facet, levels in get_scales(context.store, context.collection_id).items()
        for level in levels
    }
    titles = _titles(context)
    table = pd.DataFrame(
        {
            t("Query"): mine["topic_id"].map(queries),
            t("Title"): mine["document_id"].map(titles),
            t("Document"): mine["document_id"],
            t("Judged"): mine["facet"].map(word_facet),
            t("Label"): [
                names.get((facet, level), state) if state == "level" else word_state(state)
                for facet, level, state in zip(
                    mine["facet"], mine["given_level"], mine["state"], strict=True
                )
            ],
            t("Aspects"): _word_aspects(context, mine),
            t("Comment"): mine["comment"],
            t("When (UTC)"): mine["time"],
        }
    )
    said = table[[t("Title"), t("Aspects")]].fillna("") != ""
    return table.drop(columns=said.columns[~said.any()])


def _word_aspects(context: PageContext, mine: pd.DataFrame) -> list[str]:
    """Return what was said of aspects with each label."""
    names = name_levels(list_aspects(context.store, context.collection_id))
    if not names:
        return [""] * len(mine)
    current = context.store.labels.current(context.collection_id, context.person_id)
    keys = [_key_of(context, row) for _, row in mine.iterrows()]
    said = [current[key].aspects if key in current else () for key in keys]
    return [
        ", ".join(
            f"{name}: {t('left out') if level is None else names.get((name, level), level)}"
            for name, level in one
        )
        for one in said
    ]


def _titles(context: PageContext) -> pd.Series:
    documents = read_document_index(context.store, context.collection_id)
    return documents.set_index("document_id")["title"]


def _show_again(context: PageContext, row: pd.Series, key: Key) -> None:
    """Show what was judged."""
    topics = read_topics(context.store, context.collection_id).set_index("topic_id")
    query = str(topics["query"].get(row["topic_id"], ""))
    document = get_document(context.store, context.collection_id, row["document_id"])
    snippet = _snippet(context, row) if row["facet"] == SNIPPET else None
    st.header(plain(query), anchor=False)
    link_again(context, key)
    show_item(context, row["document_id"], document, query, snippet)
    show_own_passages(context, _key_of(context, row))


def _snippet(context: PageContext, row: pd.Series) -> str:
    results = read_results(context.store, context.collection_id)
    ids = ["topic_id", "document_id", "engine"]
    found = results.loc[(results[ids] == row[ids]).all(axis=1), "snippet"]
    return str(next(iter(found), ""))


def _key_of(context: PageContext, row: pd.Series) -> Key:
    return Key(
        row["topic_id"],
        row["document_id"],
        row["facet"],
        row["engine"],
        context.person_id,
        int(row["occasion"]),
    )


def choose_rows(listed: pd.DataFrame) -> pd.Series:
    """Let somebody narrow a list of their labels; returns which rows stay.

    Parameters
    ----------
    listed : DataFrame
        The list as it is shown, with the columns *Query*, *Label* and *Comment*.

    Returns
    -------
    Series of bool
        By the index of ``listed``.
    """
    stays = pd.Series(True, index=listed.index)
    if len(listed) <= FEW:
        return stays
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, width in ((t("Query"), 360), (t("Label"), 200)):
            counts = listed[name].value_counts(sort=False)
            names: dict[str | None, str] = {None: t("all")}
            names |= {str(one): f"{one} ({number:,})" for one, number in counts.items()}
            chosen = st.selectbox(
                name,
                list(names),
                format_func=names.__getitem__,
                width=width,
                key=f"history-filter-{name}",
            )
            if chosen is not None:
                stays &= listed[name] == chosen
        words = st.text_input(t("Words in title or comment"), width=240, key="history-words")
        if st.toggle(t("Only with a comment"), key="history-commented"):
            stays &= listed[t("Comment")] != ""
    if words.strip():
        stays &= _has(listed, words.strip())
    return stays


def _has(listed: pd.DataFrame, words: str) -> pd.Series:
    """Return where the words are in the title, the document's id or the comment, in any case."""
    texts = [name for name in (t("Title"), t("Document"), t("Comment")) if name in listed]
    found = pd.Series(False, index=listed.index)
    for name in texts:
        found |= listed[name].astype("str").str.contains(words, case=False, regex=False)
    return found


def show_own_passages(context: PageContext, key: Key) -> None:
    """Quote what was marked with the label that stands, if anything was."""
    label = context.store.labels.current(context.collection_id, context.person_id)[key]
    marked = find_marked(context.store, [label.event_id]).get(label.event_id)
    if marked is None:
        return
    st.caption(t("Passages you marked"))
    text = text_of(context.store, context.collection_id, key) or ""
    if hash_text(text) != marked.text_hash:
        st.text(t("What you marked is in another version of this text."))
        return
    for start, end in marked.spans:
        st.text(f"“{text[start:end]}”")
