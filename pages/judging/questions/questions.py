"""Questions of assessors, and what is said to them.

What a question on a pair is about: both sides as they stood, each result with its page.
"""

import pandas as pd
import streamlit as st

from core.analysis.judging.questions import announcements_of, questions_of
from core.assessment.handing_out.side_by_side import order_sides, show_sides
from core.collection.records import PAIR, SYSTEMS
from core.errors import DissentError
from core.store.events.questions import LONGEST_TEXT, announce, answer_question
from core.store.rounds.pairs import LEFT_SECOND, get_pair, read_pair_depth
from core.wording import count, plain
from pages.judging.adjudication.disputed import show_item
from pages.shared.addresses import page_address
from pages.shared.live import keep_fresh
from pages.shared.notice import begin, finish
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.table import draw_table
from pages.shared.wording import needs_collection, refuse

PURPOSE = (
    "What assessors ask about items while they judge. An answer goes to who asked; with *Tell "
    "everybody* it goes to all assessors of the collection, without the question and without who "
    "asked. Assessors must not learn what others judged: name no level that somebody gave. "
    "Questions and answers are kept for good, and *Export* has them as a file."
)
_WHEN = "D MMM YYYY, HH:mm"


@page("questions", "Judging", "Questions", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Answer the open questions, announce, and list what was asked and said."""
    keep_fresh(context)
    begin(context, PURPOSE)
    if needs_collection(context):
        return
    questions = questions_of(context.study)
    waiting = questions[questions["is_open"]]
    context.sheet.answer(_sum_up(len(questions), len(waiting)))
    if context.may_change:
        if len(waiting):
            _answer_one(context, waiting)
        _announce(context)
    _list_questions(context, questions)
    _list_announcements(context)


def _sum_up(asked: int, waiting: int) -> str:
    if not asked:
        return "Nobody has asked anything."
    if not waiting:
        return f"All of {count(asked, 'question')} are answered." if asked > 1 else (
            "The one question is answered."
        )  # fmt: skip
    verb = "waits" if waiting == 1 else "wait"
    return f"{waiting:,} of {count(asked, 'question')} {verb} for an answer."


def _answer_one(context: PageContext, waiting: pd.DataFrame) -> None:
    """Show one question with its item, and a form for the answer; the oldest one first."""
    rows = {row["question_id"]: row for _, row in waiting.iterrows()}
    chosen = st.selectbox(
        "Question",
        list(rows),
        format_func=lambda one: _call(rows[one]) if one in rows else "",
        key="question",
        bind="query-params",
    )
    if chosen not in rows:
        return
    row = rows[chosen]
    left, right = st.columns([3, 2])
    with left:
        _show_item(context, row)
    with right:
        who = row["assessor"] or row["assessor_id"]
        st.caption(f"{plain(who)}, {row['asked_at']:%-d %B %Y, %H:%M} UTC, on a {row['facet']}")
        with st.container(border=True):
            st.text(row["text"])
        _ask_answer(context, chosen)


def _call(row: pd.Series) -> str:
    text = " ".join(str(row["text"]).split())
    short = text if len(text) <= 60 else f"{text[:60]}…"
    return f"{short} ({row['assessor'] or row['assessor_id']}, {row['query']})"


def _show_item(context: PageContext, row: pd.Series) -> None:
    """Show what the question is about, as the assessors saw it."""
    if str(row["facet"]).endswith(PAIR):
        show_pair(context, row)
        return
    show_item(context, row)


def _ask_answer(context: PageContext, question_id: str) -> None:
    with st.form(f"answer-{question_id}", border=False):
        text = st.text_area("Answer", max_chars=LONGEST_TEXT)
        to_all = st.toggle(
            "Tell everybody",
            help="All assessors of the collection read the answer, without the question and "
            "without who asked.",
        )
        pressed = st.form_submit_button("Answer", type="primary")
    if not pressed:
        return
    try:
        answer_question(
            context.store,
            context.collection_id,
            question_id,
            text,
            to_all=to_all,
            by=context.person_id,
        )
    except DissentError as error:
        refuse(error, "Nothing was said.")
        return
    finish("Everybody is told." if to_all else "The answer is on its way.")


def _announce(context: PageContext) -> None:
    with (
        st.expander("Tell everybody something"),
        st.form("announce", border=False, clear_on_submit=True),
    ):
        text = st.text_area(
            "Announcement",
            max_chars=LONGEST_TEXT,
            help="All assessors of the collection read it on the judging screen.",
        )
        pressed = st.form_submit_button("Announce")
    if not pressed:
        return
    try:
        announce(context.store, context.collection_id, text, context.person_id)
    except DissentError as error:
        refuse(error, "Nothing was said.")
        return
    finish("Everybody is told.")


def _list_questions(context: PageContext, questions: pd.DataFrame) -> None:
    if questions.empty:
        return
    st.header("Questions", anchor=False)
    named = questions["assessor"].mask(questions["assessor"] == "", questions["assessor_id"])
    shown = ["state", "asked_at", "assessor", "query", "document_id", "facet"]
    draw_table(
        questions.assign(
            state=questions["is_open"].map({True: "open", False: "answered"}), assessor=named
        ),
        column_order=shown if context.is_masked else [*shown, "text", "answers"],
        column_config={
            "asked_at": st.column_config.DatetimeColumn("asked (UTC)", format=_WHEN),
            "query": "topic",
            "text": "question",
            "answers": "answer",
        },
    )
    if context.is_masked:
        st.caption("What was asked and answered is for organisers only.")


def _list_announcements(context: PageContext) -> None:
    announcements = announcements_of(context.study)
    if announcements.empty:
        return
    st.header("Told to everybody", anchor=False)
    draw_table(
        announcements,
        column_order=["said_at", "answers_one", *([] if context.is_masked else ["text"])],
        column_config={
            "said_at": st.column_config.DatetimeColumn("said (UTC)", format=_WHEN),
            "answers_one": "answers a question",
        },
    )


def show_pair(context: PageContext, row: pd.Series) -> None:
    """Show the results on the left and on the right, as who asked saw them.

    Assessors are blind, organisers are not: of systems, each side bears the name of its own.
    """
    here = context.store, context.collection_id, row["topic_id"], row["document_id"]
    st.header(plain(row["query"]), anchor=False)
    st.markdown(f"A {plain(row['facet'])}, judged side by side.")
    pair = get_pair(*here)
    sides = None
    if pair is not None:
        depth, cursor = read_pair_depth(*here), context.store.cursor()
        sides = show_sides(cursor, context.collection_id, pair, row["facet"], depth)
    if pair is None or sides is None:
        st.caption("What stood on its sides is not stored any more.")
        return
    is_swapped = row["engine"] == LEFT_SECOND
    names = (pair.second, pair.first) if is_swapped else (pair.first, pair.second)
    shown = zip(st.columns(2), names, ("Left", "Right"), order_sides(sides, row["engine"]),
                strict=True)  # fmt: skip
    for column, name, side, cards in shown:
        with column, st.container(border=True):
            st.caption(f"{side}: {plain(name)}" if pair.kind == SYSTEMS else side)
            for card in cards:
                _link(context, row["query"], card)


def _link(context: PageContext, query: str, card: dict[str, object]) -> None:
    """Show the title of a result, which opens its page in another tab."""
    document_id = str(card["document_id"])
    st.link_button(
        plain(str(card["title"] or document_id)),
        page_address(context.collection_id, document_id, query, context.session_id),
        type="tertiary",
        icon=":material/open_in_new:",
    )
