"""What people prefer when two things stand side by side: the organiser's page.

Why assessors preferred one to the other, where they said so.

Its parts: side bias of assessors, their agreement on preferences, and intransitive triples;
whether levels and their weights predict what people prefer; systems by preference beside systems
by score.
"""

import pandas as pd
import streamlit as st

from core.analysis.agreement.preferences import name_assessors, preferences_of, preferences_on
from core.analysis.base.declared import model_of
from core.analysis.base.study import scales_of, topics_of
from core.analysis.results.declared import declared_measures
from core.analysis.results.qrels_choices import weights_of
from core.analysis.results.scores import SUGGESTED, scores_of, scoring_of
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import DOCUMENTS, SYSTEMS, counted_levels
from core.errors import TooLittleData
from core.figures.agreement import draw_intervals
from core.figures.preferences import draw_predictions_by_grade, draw_wins
from core.measures.evaluate import mean_scores
from core.preference.selection import preference_parts
from core.reports.preferences import LEVEL, USUAL, WEIGHT, Preferences
from core.wording import count, plain_with_facts
from pages.shared.facet_widgets import tell_labels
from pages.shared.figure import show_figure, show_report, show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.scoring_widgets import (
    choose_model,
    choose_scoring,
    needs_runs,
    tell_declared,
)
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
    if by_itself := report.tell_by_itself(topic_id):
        st.caption(f":material/info: {by_itself[:1].upper()}{by_itself[1:]}.")
    for column in ("note", "reason"):
        for places, own in rows[rows[column] != ""].groupby(column):
            st.caption(f":material/info: {count(len(own), 'item')}: {places}.")


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


def show_assessors(report: Preferences) -> None:
    """Show side bias, swapped repeats, agreement and cycles."""
    left, right = st.columns(2)
    with left:
        _show_sides(report)
    with right:
        _show_agreement(report)
    _show_cycles(report)


def _show_sides(report: Preferences) -> None:
    st.header("Sides")
    called = {"assessor_id": name_assessors(report).__getitem__}
    show_report(
        report,
        "sides",
        "preference-sides",
        "How often the one on the left was chosen, ties left out, with its exact 95 % interval "
        "over preferences. Sides are random, so an unbiased assessor is near one half. A small p "
        "is evidence of a bias, but about one in twenty unbiased assessors has a p below .05.",
        written=called,
    )
    if report.repeats["n"].iloc[0] > 0:
        show_report(
            report,
            "repeats",
            "preference-repeats",
            "What assessors chose when a pair was repeated with its sides swapped. **same**: the "
            "same item, or a tie, again. **left**, **right**: the same side both times, which "
            "suggests that the side, or chance, decided. p tests left against right.",
            written=called,
        )


def _show_agreement(report: Preferences) -> None:
    st.header("Agreement between assessors")
    if reason := report.no_agreement:
        st.info(f"{reason[:1].upper()}{reason[1:]}.")
        return
    meaning = (
        "**Raw agreement** is the share of equal choices, **unweighted κ** Cohen's over first, tie "
        "and second; which items these are plays no part. Topics are what is sampled."
    )
    show_report(report, "agreement", "preference-agreement", meaning)
    with st.expander("Every pair of assessors"):
        show_report(report, "agreement_by_pair", "preference-agreement-pairs", meaning)


def _show_cycles(report: Preferences) -> None:
    if not (cycles := report.tell_cycles()):
        return
    st.markdown(
        f"{plain_with_facts(cycles)} Many intransitive triples mean that no single order fits what "
        "people prefer."
    )
    if len(report.intransitive):
        with st.expander("Some intransitive triples"):
            show_report(
                report,
                "intransitive",
                "preference-cycles",
                "The first was preferred to the second, the second to the third, and the third "
                "to the first.",
            )


def show_levels(context: PageContext, facet: str) -> None:
    """Show preferences by the difference of mean levels, and by that of UDM weights."""
    st.header("Do the levels predict the preference?")
    with context.sheet.options:
        model = choose_model(
            counted_levels(scales_of(context.study)[facet]),
            f"preference-{facet}",
            model_of(context.study, facet),
        )
    weights = weights_of(context.study, facet, model)
    report = preferences_on(context.study, DOCUMENTS, facet, weights=weights)
    tell_labels(context, facet, model)
    if report.by_level.empty:
        st.info(
            "In no compared pair do both documents have a level yet. Judge the same documents by "
            "level."
        )
        return
    left, right = st.columns(2)
    with left:
        _show_by_difference(report, report.by_level, LEVEL)
    with right:
        if len(report.by_weight):
            _show_by_difference(report, report.by_weight, WEIGHT)
        elif report.no_weights:
            st.info(f"{report.no_weights[:1].upper()}{report.no_weights[1:]}.")
        else:
            st.info("There are no UDM weights: no two assessors gave levels to the same item.")


def _show_by_difference(report: Preferences, rows: pd.DataFrame, of: str) -> None:
    shown = rows[rows["up_to"] > 0]
    show_figure(
        draw_predictions_by_grade(shown[shown["share"].notna()], x=f"difference of {of}s"),
        rows,
        f"preference-by-{of.rpartition(' ')[-1]}",
        "The share of preferences for the item with the higher level or weight, by the size of "
        "the difference; a tie counts one half; with the 95 % interval over topics (jackknife). "
        "The dotted line is chance. Rising dots mean that a larger difference makes the "
        "preference more certain; a flat line near one half does not show that levels predict "
        "preferences. Pairs with no difference are in the data only.",
        nobody=("name",),
    )
    st.caption(plain_with_facts(report.tell_slope(of)))


def show_ranking(context: PageContext, facet: str) -> None:
    """Show the order by strength beside that of a measure, and how alike they are."""
    st.header("Beside the scores")
    if needs_runs(context):
        return
    judged, gain, model, choices = choose_scoring(context)
    if not choices:
        return
    with context.sheet.options:
        measure = st.selectbox(
            "Measure", declared_measures(context.study, SUGGESTED), key="pref-measure"
        )
        key = st.selectbox(
            "Qrels version", list(choices), format_func=lambda one: choices[one].name,
            key="pref-version",
        )  # fmt: skip
    scoring = scoring_of(context.study, judged, model, [measure], gain=gain)
    text = str(scoring.apply(measure))
    means = mean_scores(scores_of(context.study, choices[key], (text,), scoring.weights))
    scores = means.set_index("system")["value"]
    users = model if scoring.weights else None
    tell_declared(context, measure=text, choice=choices[key], facet=judged, model=users)
    report = preferences_on(context.study, SYSTEMS, facet)
    st.markdown(plain_with_facts(report.tell_beside(scores, text)))
    ranked = report.rank_beside(scores)
    show_table(
        ranked,
        "preference-ranking",
        "Systems by Bradley–Terry strength, with 95 % intervals over topics (jackknife; each holds "
        "by itself; without end where the data set no bound), and their rank by the measure. The "
        "two answer "
        "different questions: whole lists are compared at once, or documents are judged one by "
        "one. Where they disagree, look at what the lists have in common and at unjudged "
        "documents.",
        column_config={
            "rank": "rank by preference",
            "score": text,
            "rank_by_score": "rank by score",
            **dict.fromkeys(("group", "interval", "unit", "units")),
            "note": "note" if ranked["note"].any() else None,
            "reason": "why no interval" if ranked["reason"].any() else None,
        },
        column_order=[
            "system", "rank", "strength", "low", "high", "score", "rank_by_score",
            "note", "reason",
        ],
        nobody=("note", "reason"),
    )  # fmt: skip
