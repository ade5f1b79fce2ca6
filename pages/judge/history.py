"""One's own labels: to look at and to revise.

Which of one's own labels are listed: by query, by label, by words. The passages that somebody
marked with a label of their own.

One's own preferences between two things: to look at and to change. What one's own labels are
called in lists of them.
"""

import pandas as pd
import streamlit as st

from core.assessment.handing_out.side_by_side import order_sides, show_sides
from core.collection.aspects import name_levels
from core.collection.records import PAIR, SNIPPET, preference_scale
from core.language.translate import t, tn
from core.store.content.aspects import list_aspects
from core.store.content.documents import get_document
from core.store.content.scales import get_scales
from core.store.events.frames import read_document_index, read_labels, read_results, read_topics
from core.store.events.labels import Key
from core.store.events.marked import hash_text
from core.store.events.passages import find_marked, text_of
from core.store.rounds.pairs import (
    LEFT_FIRST,
    LEFT_SECOND,
    get_pair,
    read_pair_depth,
    read_preferences,
)
from core.wording import plain
from pages.judge.afterwards import show_afterwards
from pages.judge.again import link_again
from pages.judge.choices import word_reasons
from pages.judge.item import show_item, show_pair
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
    has_text = table[[t("Title"), t("Aspects")]].fillna("") != ""
    return table.drop(columns=has_text.columns[~has_text.any()])


def _word_aspects(context: PageContext, mine: pd.DataFrame) -> list[str]:
    """Return what was said of aspects with each label."""
    names = name_levels(list_aspects(context.store, context.collection_id))
    if not names:
        return [""] * len(mine)
    current = context.store.labels.current(context.collection_id, context.person_id)
    keys = [_key_of(context, row) for _, row in mine.iterrows()]
    aspects = [current[key].aspects if key in current else () for key in keys]
    return [
        ", ".join(
            f"{name}: {t('left out') if level is None else names.get((name, level), level)}"
            for name, level in one
        )
        for one in aspects
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


def show_own_preferences(context: PageContext, mine: pd.DataFrame) -> None:
    """List one's preferences, latest first, and offer to change one of them."""
    st.header(t("Side by side"), anchor=False)
    queries = read_topics(context.store, context.collection_id).set_index("topic_id")["query"]
    table = pd.DataFrame(
        {
            t("Query"): mine["topic_id"].map(queries),
            t("Judged"): mine["facet"].map(word_pair),
            t("Said"): _word(mine),
            t("Reasons"): word_reasons(context, mine["sequence"]),
            t("Comment"): mine["comment"],
            t("When (UTC)"): mine["time"],
        }
    )
    if not table[t("Reasons")].any():
        table = table.drop(columns=t("Reasons"))
    chosen = st.dataframe(
        table,
        hide_index=True,
        key="history-pairs",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            t("When (UTC)"): st.column_config.DatetimeColumn(format=t("D MMM YYYY, HH:mm:ss"))
        },
    )
    for row in chosen["selection"]["rows"]:
        _show_pair_again(context, mine.iloc[row], str(table[t("Query")].iloc[row]))


def _word(mine: pd.DataFrame) -> "pd.Series[str]":
    """Return what was said as it was seen: left, right, how clearly."""
    side = (mine["choice"] == "first") == (mine["left"] == mine["first"])
    words_of = {
        (True, 1): t("left, slightly"),
        (True, 2): t("left, clearly"),
        (False, 1): t("right, slightly"),
        (False, 2): t("right, clearly"),
    }
    strengths = mine["strength"].fillna(1).clip(lower=1)  # a tie has none
    words = [words_of[bool(left), int(how)] for left, how in zip(side, strengths, strict=True)]
    given = pd.Series(words, index=mine.index, dtype="str").mask(mine["choice"] == "tie", t("tie"))
    return given.where(mine["state"] == "level", mine["state"].map(word_state))


def _show_pair_again(context: PageContext, row: pd.Series, query: str) -> None:
    pair = get_pair(context.store, context.collection_id, row["topic_id"], row["pair_id"])
    left = LEFT_SECOND if row["left"] == row["second"] else LEFT_FIRST
    facet = row["facet"] + PAIR
    if pair is None:
        return
    place = (row["topic_id"], row["pair_id"], facet, left)
    key = Key(*place, context.person_id, int(row["occasion"]))
    depth = read_pair_depth(context.store, context.collection_id, *place[:2])
    sides = show_sides(context.store.cursor(), context.collection_id, pair, facet, depth)
    st.header(plain(query), anchor=False)
    link_again(context, key)
    if sides is not None:
        show_pair(context, order_sides(sides, left), query)
    revise(context, key, preference_scale())


def word_facet(facet: str) -> str:
    """Return what was judged."""
    return {"snippet": t("snippet"), "page": t("page")}.get(facet, facet)


def word_pair(facet: str) -> str:
    """Return what stood side by side."""
    names = {"snippet": t("two snippets"), "page": t("two pages"), "panel": t("two result lists")}
    return names.get(facet, facet)


def word_state(state: str) -> str:
    """Return what was said in place of a level."""
    return {"cannot judge": t("cannot judge"), "later": t("later")}.get(state, state)
