"""What people prefer when two things stand side by side: the organiser's page.

Why assessors preferred one to the other, where they said so.
"""

import pandas as pd
import streamlit as st

from core.analysis.agreement.preferences import preferences_of, preferences_on
from core.analysis.base.study import topics_of
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import DOCUMENTS, SYSTEMS
from core.errors import TooLittleData
from core.figures.agreement import draw_intervals
from core.figures.preferences import draw_wins
from core.preference.selection import preference_parts
from core.reports.preferences import USUAL, Preferences
from core.wording import count, plain_with_facts
from pages.agreement.preferences.preference_assessors import show_assessors
from pages.agreement.preferences.preference_levels import show_levels
from pages.agreement.preferences.preference_ranking import show_ranking
from pages.shared.figure import show_figure, show_report
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

MOST_ROWS, MANY_ROWS, MOST_IN_MATRIX = 100, 24, 40
MODELS = {"bradley-terry": "half a win each", "davidson": "an outcome of its own (Davidson)"}
_HOW = {DOCUMENTS: "(Wilson)", SYSTEMS: "(jackknife)"}
_SAMPLED = {DOCUMENTS: "the assessors of the topic", SYSTEMS: "topics"}
PURPOSE = (
    "What people prefer when they see two documents or result lists side by side, without names. A "
    "preference is easier to give than a level and shows smaller differences; it says which is "
    "better, not whether either is good. Hidden repeats with the sides swapped count only in the "
    "analysis of sides."
)


@page("preferences", "Agreement", "Preferences", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show outcomes, strengths, what they agree with, and whom to trust."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    part = _choose_part(context)
    if part is None:
        return
    kind, facet = part
    report = preferences_on(context.study, kind, facet, _choose_model(context))
    try:
        outcomes = report.outcomes
    except TooLittleData:
        context.sheet.tell(
            "Nobody has given a preference here yet. Results appear here with the first preference."
        )
        return
    topic_id = _choose_topic(context, outcomes) if kind == DOCUMENTS else ""
    own = outcomes[outcomes["topic_id"] == topic_id]
    context.sheet.answer(plain_with_facts(report.tell_pairs(topic_id)))
    _show_strengths(report, topic_id)
    _show_outcomes(own, kind)
    _show_counts(report.given, outcomes)
    st.divider()
    show_reasons(report)
    show_assessors(report)
    st.divider()
    (show_levels if kind == DOCUMENTS else show_ranking)(context, facet)


def _choose_part(context: PageContext) -> tuple[str, str] | None:
    parts = preference_parts(preferences_of(context.study))
    if not parts:
        context.sheet.tell(
            "Nothing was judged side by side yet. On the page *Rounds*, open a round of "
            "pairs: two documents of a topic, or two systems' results."
        )
        return None
    names = {(kind, facet): f"two {facet}s" for kind, facet in parts}
    names |= {part: "two systems' result lists" for part in parts if part[0] == SYSTEMS}
    if len(parts) == 1:
        return parts[0]
    with context.sheet.choices:
        return st.radio(
            "Preferences between",
            parts,
            format_func=names.get,
            horizontal=True,
            label_visibility="collapsed",
            width="content",
            key="preference-part",
            bind="query-params",
        )


def _show_counts(preferences: pd.DataFrame, outcomes: pd.DataFrame) -> None:
    given = counted_labels(preferences)
    numbers = {
        "Preferences": f"{len(given):,}",
        "Pairs": f"{len(outcomes):,}",
        "Assessors": f"{given['assessor_id'].nunique():,}",
        "Ties": f"{(given['choice'] == 'tie').mean():.0%}",
        "Clearly better": f"{(given['strength'] == 2).mean():.0%}",
    }
    with st.container(horizontal=True):
        for title, number in numbers.items():
            st.metric(title, number, border=True)


def _choose_model(context: PageContext) -> str:
    with context.sheet.options:
        model = st.segmented_control(
            "A tie is",
            list(MODELS),
            default=USUAL.model,
            format_func=MODELS.__getitem__,
            required=True,
            key="preference-model",
        )
    return str(model)


def _choose_topic(context: PageContext, outcomes: pd.DataFrame) -> str:
    queries = topics_of(context.study).set_index("topic_id")["query"].to_dict()
    with context.sheet.choices:
        chosen = st.selectbox(
            "Topic",
            sorted(outcomes["topic_id"].unique()),
            format_func=lambda topic: f"{queries.get(topic, topic)} ({topic})",
            label_visibility="collapsed",
            width=260,
            key="preference-topic",
            bind="query-params",
        )
    return str(chosen)


def _show_outcomes(outcomes: pd.DataFrame, kind: str) -> None:
    st.header("Pair by pair")
    size = len({*outcomes["first"], *outcomes["second"]})
    if size <= MOST_IN_MATRIX:
        show_figure(
            draw_wins(outcomes),
            outcomes,
            "preference-wins",
            "How often the one on the left was preferred to the one at the bottom, a tie half; "
            "darker is more often, and empty cells were not compared. With few preferences a "
            "share says little: the table has the intervals.",
            nobody=("first", "second"),
        )
    trials = "topics" if kind != DOCUMENTS else "preferences"
    show_report(
        Preferences,
        "outcomes",
        "preference-outcomes",
        f"**share**: of the first, a tie half a win, with its 95 % interval over {trials} "
        f"{_HOW[kind]}. **p**: the exact sign test over {trials}, ties dropped; a small p means "
        "that chance alone would rarely be so one-sided. Among many pairs, some have a small p "
        "by chance: the answer above counts those that stay below α after Holm's correction.",
        rows=outcomes,
        without=["topic_id"],
        column_config={"won": f"{trials} won", "lost": f"{trials} lost"},
    )


def _show_strengths(report: Preferences, topic_id: str) -> None:
    st.header("Strengths")
    try:
        strengths = report.strengths
    except TooLittleData as error:
        st.info(f"{error}.")
        return
    rows = strengths[strengths["topic_id"] == topic_id]
    rows = rows.sort_values("strength", ascending=False, ignore_index=True).assign(
        name=lambda one: one["item"], value=lambda one: one["strength"], counted=True
    )
    with st.container(height=560 if len(rows) > MANY_ROWS else "content", border=False):
        show_figure(
            draw_intervals(rows.head(MOST_ROWS), x="strength (log odds)", reach=8),
            rows,
            "preference-strengths",
            f"Bradley–Terry strengths with 95 % intervals over {_SAMPLED[report.kind]}, by the "
            "jackknife: two items one unit apart are preferred 73 to 27. The mean is 0 in each "
            "group of items that were compared with each other, directly or through other items; "
            "items of different groups cannot be ordered. If two intervals overlap, the order of "
            "the two items is uncertain. A bar that runs off the figure on both sides has no "
            "end: the data set no bound to the strength. A dot without a bar has no interval; "
            "the reason is below.",
            nobody=("item", "name", "note", "reason"),
        )
    for column in ("note", "reason"):
        for said, own in rows[rows[column] != ""].groupby(column):
            st.caption(f":material/info: {count(len(own), 'item')}: {said}.")


def show_reasons(report: Preferences) -> None:
    """Show how often each reason was given, by winner; nothing where nobody gave one."""
    rows = report.reasons
    if rows.empty:
        return
    st.header("Reasons")
    show_report(
        report,
        "reasons",
        "preference-reasons",
        "How often assessors gave a reason for what they preferred, and on which side that stood: "
        "a reason that is given for one side only may be one for the side. **of**: preferences for "
        "this winner that have any reason; one can have several, so shares can add up to more "
        "than 1. Hidden repeats are left out.",
    )
