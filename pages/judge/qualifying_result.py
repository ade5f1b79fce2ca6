"""What somebody is told after an attempt at the qualifying test, and how it goes on from there."""

from typing import Any

import pandas as pd
import streamlit as st

from core.assessment.handing_out.assignment_content import AssignmentContent
from core.assessment.handing_out.qualifying import (
    TEST,
    Standing,
    next_test,
    read_answers,
    read_standing,
)
from core.assessment.handing_out.queue import Assignment
from core.language.translate import t, tn
from core.store.content.documents import get_document, get_snippet, read_topic_texts
from core.store.content.scales import get_scales
from core.store.people.qualifying import find_test_author
from core.wording import plain
from pages.judge.item import show_item
from pages.judge.plain import FEEDBACK
from pages.shared.live import keep_fresh
from pages.shared.session import PageContext

HandedOut = tuple[Assignment, AssignmentContent] | None
_REPEATED, _SEEN = "test-repeated", "test-seen"
"""What a session remembers: the attempt that was asked for, and whose result was seen."""


def rules_for_screen(context: PageContext) -> dict[str, Any]:
    """Return what the judging screen says of a test before it begins."""
    standing = read_standing(context.store, context.collection_id, context.person_id)
    number = standing.shown.number + bool(standing.is_barred)
    rules = standing.rules
    return {
        "needed": standing.needed,
        "items": standing.shown.items,
        "within": rules.within if rules else 0,
        "attempt": number,
        "attempts": standing.attempts,
    }


def repeat_test(context: PageContext) -> HandedOut:
    """Return another attempt at the test, where somebody has asked for it and has one left."""
    wanted = st.session_state.get(_REPEATED)
    standing = read_standing(context.store, context.collection_id, context.person_id)
    if wanted != (context.collection_id, standing.shown.number + 1) or not standing.left:
        return None
    return next_test(context.store, context.collection_id, context.person_id, repeats=True)


def show_result(context: PageContext, handed_out: HandedOut) -> bool:
    """Show how an attempt went where that is next; tells whether it is.

    Whoever has passed sees it before their first judgement, and whoever has not in place of it.
    """
    standing = read_standing(context.store, context.collection_id, context.person_id)
    is_going_on = handed_out is not None and handed_out[0].slot == TEST
    if is_going_on or not _is_news(context, standing):
        return False
    if standing.is_barred:
        keep_fresh(context)
    st.session_state.pop(FEEDBACK, None)
    st.title(t("Test passed") if standing.is_passed else t("Test not passed"))
    _tell_score(standing)
    if standing.is_passed:
        _offer_work(context)
    else:
        _offer_repeat(context, standing)
    _show_differing(context, standing)
    return True


def _is_news(context: PageContext, standing: Standing) -> bool:
    """Tell whether an attempt is over that bars somebody, or has opened work just now."""
    if standing.rules is None or not standing.tried or not standing.is_tested:
        return False
    if not standing.is_passed:
        return standing.is_barred
    return st.session_state.get(_SEEN) != context.collection_id and not _has_judged(context)


def _has_judged(context: PageContext) -> bool:
    labels = context.store.labels.current(context.collection_id, context.person_id)
    return any(key.occasion >= 0 for key in labels)


def _tell_score(standing: Standing) -> None:
    right, asked = standing.right, standing.answered
    score = t(
        "**{right} of {items}** answers are right; {needed} are asked for.",
        right=right, items=asked, needed=standing.needed,
    )  # fmt: skip
    if standing.rules and standing.rules.within:
        score += " " + t("One level off counts as right.")
    if standing.attempts > 1:
        facts = {"number": standing.shown.number, "attempts": standing.attempts}
        score += " " + t("This was attempt {number} of {attempts}.", **facts)
    st.markdown(score)


def _offer_work(context: PageContext) -> None:
    if st.button(t("Begin to judge"), type="primary", shortcut="Enter"):
        st.session_state[_SEEN] = context.collection_id
        st.rerun()


def _offer_repeat(context: PageContext, standing: Standing) -> None:
    """Offer another attempt; where none is left, say whom to ask."""
    if standing.left:
        st.markdown(
            tn(
                standing.left,
                "You can repeat the test once more, in another order and with other items where "
                "there are enough.",
                "You can repeat the test {n} times more, in another order and with other items "
                "where there are enough.",
            )
        )
        if st.button(t("Repeat the test"), type="primary", shortcut="Enter"):
            st.session_state[_REPEATED] = (context.collection_id, standing.shown.number + 1)
            st.rerun()
        return
    author = find_test_author(context.store, context.collection_id)
    st.info(
        t(
            "Ask {name}, who sees your answers and can let you in. Work then appears here by "
            "itself.",
            name=plain(author),
        )
        if author
        else t(
            "Ask the organiser, who sees your answers and can let you in. Work then appears here "
            "by itself."
        )
    )


def _show_differing(context: PageContext, standing: Standing) -> None:
    """Show the items of the attempt whose answers differ from what was set, with the reason."""
    answers = read_answers(context.store, context.collection_id, context.person_id)
    own = answers[answers["attempt"] == standing.shown.number]
    differing = own[(own["state"] != "level") | (own["level"] != own["expected"])]
    if differing.empty:
        st.markdown(t("Every answer is as the organiser set it."))
        return
    st.header(t("What differed"), anchor=False)
    names = {
        (facet, level.level): level.name
        for facet, levels in get_scales(context.store, context.collection_id).items()
        for level in levels
    }
    wanted = set(differing["topic_id"])
    topics = read_topic_texts(context.store.cursor(), context.collection_id, wanted)
    for _, row in differing.iterrows():
        _show_one(context, row, topics[row["topic_id"]]["query"], names)


def _show_one(
    context: PageContext, row: pd.Series, query: str, names: dict[tuple[str, int], str]
) -> None:
    facet, expected = row["facet"], row["expected"]
    is_level = row["state"] == "level"
    level = names.get((facet, row["level"]), str(row["level"])) if is_level else t("cannot judge")
    facts = {
        "said": plain(level),
        "expected": plain(names.get((facet, expected), str(expected))),
    }
    st.subheader(plain(query), anchor=False)
    st.markdown(t("You said **{said}**, we would say **{expected}**.", **facts))
    st.markdown(plain(row["why"]))
    if row["right"]:
        st.caption(t("One level off counts as right."))
    document = get_document(context.store, context.collection_id, row["document_id"])
    place = (row["topic_id"], row["document_id"], row["engine"])
    snippet = get_snippet(context.store, context.collection_id, *place)
    show_item(context, row["document_id"], document, query, snippet if facet == "snippet" else None)
