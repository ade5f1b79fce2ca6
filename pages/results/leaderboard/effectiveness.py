"""The organiser's page of scores: every run under a chosen qrels version.

Curves: precision by recall beside gain by rank. How scores spread: over the
topics for each system, over the systems for each topic.
"""

import pandas as pd
import streamlit as st

from core.analysis.base.moments import describe_moment
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.declared import declared_measures
from core.analysis.results.qrels_choices import QrelsChoice, version_of
from core.analysis.results.sampled_qrels import explain_unsampled
from core.analysis.results.scores import (
    DEFAULTS,
    Scoring,
    ask_leaderboard,
    ask_scores,
    scoring_of,
)
from core.errors import DissentError
from core.figures.distributions import draw_distributions
from core.figures.effectiveness import draw_leaderboard
from core.measures.catalogue import parse_measure
from core.reports.report import JUDGED
from core.reports.scores import Scores
from core.reports.user_model import UserModel
from core.wording import plain, plain_with_facts
from pages.results.leaderboard.curves import choose_curves, show_gain, show_precision
from pages.results.leaderboard.topic_scores import choose_measure, compare_two, drill_down
from pages.shared.facet_widgets import key_for
from pages.shared.figure import show_figure, show_table, write_data
from pages.shared.page import page
from pages.shared.scoring_widgets import (
    choose_cut,
    choose_measures,
    choose_scoring,
    choose_version,
    name_topics,
    open_results,
    queries_of,
    read_measures,
    tell_declared,
)
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
from pages.shared.wording import show_notes

BY_SYSTEM, BY_TOPIC = "each system over topics", "each topic over systems"
EXTREME = 3

PURPOSE = (
    "How good each system is, if the judgements of one qrels version are taken as the truth. "
    "Unjudged documents count as not relevant, so a system that returns many of them may be "
    "better than it looks: check the judged share. Small differences between means over a few "
    "topics say little."
)


@page("effectiveness", "Results", "Leaderboard", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show who leads, how every run scores, and then curves and topics."""
    if (opened := open_results(context, PURPOSE)) is None:
        return
    context = opened
    facet, gain, model, choices = choose_scoring(context)
    if not choices:
        return
    choice, rel = _ask_version(context, facet, choices)
    with context.sheet.options:
        texts = choose_measures(declared_measures(context.study, DEFAULTS))
    scoring = scoring_of(context.study, facet, model, texts, gain=gain, rel=rel)
    if measures := read_measures(texts, scoring, version_of(context.study, choice)):
        _show_scores(context, facet, choice, scoring, model, measures)


def _ask_version(
    context: PageContext, facet: str, choices: dict[str, QrelsChoice]
) -> tuple[QrelsChoice, float]:
    with context.sheet.choices:
        choice = choose_version(choices, key_for(context, f"version-{facet}"), width=260)
    return choice, choose_cut(context, facet, choice, version_of(context.study, choice))


def _show_scores(
    context: PageContext,
    facet: str,
    choice: QrelsChoice,
    scoring: Scoring,
    model: UserModel,
    measures: tuple[str, ...],
) -> None:
    version = version_of(context.study, choice)
    found = ask_scores(context.study, choice, measures, scoring.weights)
    basis = ScoreBasis(
        choice,
        version,
        found.rankings,
        scoring.weights,
        describe_moment(context.study, version.last_sequence),
    )
    scores = found.counted
    unsampled = plain(" ".join(explain_unsampled(context.study, choice, measures)))
    if scores.empty:
        nothing = "Nothing is judged relevant yet, so no measure has anything to find."
        context.sheet.tell(unsampled or nothing)
        return
    _show_leaders(context, basis, facet, model, found)
    ordered = found.systems
    show_parts(
        "closer",
        {
            "Scores": lambda: _show_means(context, basis, found),
            "Curves": lambda: show_curves(context, basis, scoring, ordered),
            "Topic by topic": lambda: drill_down(context, basis, facet, scores),
            "Two systems": lambda: compare_two(context, basis, scoring, measures, ordered),
            "Distributions": lambda: show_distributions(context, basis, scores),
        },
    )
    st.caption(" ".join(filter(None, [basis.describe(), unsampled])))
    show_notes(found.notes)


def _show_leaders(
    context: PageContext, basis: ScoreBasis, facet: str, model: UserModel, found: Scores
) -> None:
    """Answer by the first measure that has scores, and draw the systems by it."""
    measure = found.first_measure
    every = found.question.measures
    report = ask_leaderboard(context.study, basis.choice, measure, basis.weights, every)
    rows, test = report.ranking, report.question.test
    context.sheet.answer(plain_with_facts(report.answer))
    users = model if basis.weights else None
    tell_declared(context, measure=measure, choice=basis.choice, facet=facet, model=users)
    show_figure(
        draw_leaderboard(rows, measure),
        basis.add_columns(rows, context.study),
        "leaderboard",
        f"Each system's mean {plain(measure)}, best first, with its 95 % interval; topics are "
        "what is sampled. Shaded: the best, and those that are not shown to differ from it "
        f"({test.kind.title}, α = {test.alpha:g}, {test.samples:,} samples; p is corrected for "
        "all pairs). Not shown to differ does not mean equal. Intervals may overlap and the "
        "systems still differ: the test compares them topic by topic. The bars on the right are "
        "the judged shares of what the measure looks at.",
    )


def _show_means(context: PageContext, basis: ScoreBasis, found: Scores) -> None:
    scores, table = found.counted, found.side_by_side
    shares = [column for column in table.columns if column.startswith("judged")]
    values = [name for name in table.columns if name.startswith("residual ")]
    values += list(scores["measure"].unique())
    show_table(
        basis.add_columns(table, context.study),
        "scores",
        "Means over topics, best first by the first measure. The *judged share* says how much of "
        "the top of the list was judged at all; a *residual* is how much higher the score would be "
        "if all that is not judged had the highest gain. Only compare systems with similar judged "
        "shares. "
        "This table does not show whether a difference is statistically significant.",
        column_order=list(table),
        column_config={
            "system": st.column_config.TextColumn(pinned=True),
            **{one: JUDGED._replace(head=one.replace("judged", JUDGED.head)) for one in shares},
        },
    )
    st.download_button(
        "Scores per topic",
        data=write_data(lambda: basis.add_columns(scores, context.study)),
        file_name="scores-per-topic.csv",
        mime="text/csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )


def show_curves(
    context: PageContext, basis: ScoreBasis, scoring: Scoring, ordered: list[str]
) -> None:
    """Show curves of some systems, over all topics or on one."""
    choice = choose_curves(context, basis, scoring, ordered)
    columns = st.columns(2, gap="medium")
    for column, show in zip(columns, (show_precision, show_gain), strict=True):
        with column:
            try:
                show(choice)
            except DissentError as error:
                st.info(plain(str(error)))


def show_distributions(context: PageContext, basis: ScoreBasis, scores: pd.DataFrame) -> None:
    """Show the spread of each system's or each topic's scores."""
    measure = choose_measure(scores, "spread-measure")
    scores = scores[scores["measure"] == measure]
    view = st.segmented_control(
        "Spread of",
        [BY_SYSTEM, BY_TOPIC],
        default=BY_SYSTEM,
        required=True,
        key="spread-by",
        persist_state="page",
    )
    named = scores.assign(topic=name_topics(scores["topic_id"], queries_of(context)))
    if view == BY_TOPIC:
        _show_topics(context, basis, named, measure)
    else:
        _show_systems(context, basis, named, measure)
    topics = scores["topic_id"].nunique()
    st.caption(basis.note(measure, topics, scores.groupby("system")["judged"].mean()))


def _show_systems(
    context: PageContext, basis: ScoreBasis, scores: pd.DataFrame, measure: str
) -> None:
    shown = order_by_mean(scores, "system", measure)
    show_figure(
        draw_distributions(shown, "system", "topic", measure),
        basis.add_columns(shown, context.study),
        "spread-of-systems",
        f"Each row is a system, each dot its {measure} on one topic, best mean on top. The box "
        "holds the middle half of the topics, its line is the median, the dashed line the mean. A "
        "long box is a system that serves some topics well and others badly. Boxes of systems "
        "mostly overlap because topics differ more than systems do: that says nothing about "
        "whether two means differ, which requires a comparison topic by topic.",
    )


def _show_topics(
    context: PageContext, basis: ScoreBasis, scores: pd.DataFrame, measure: str
) -> None:
    shown = order_by_mean(scores, "topic", measure)
    names = list(shown["topic"].unique())
    few = min(EXTREME, len(names) // 2)
    if few:
        easy, hard = names[:few], names[: -few - 1 : -1]
        st.markdown(f"Easiest: {plain(', '.join(easy))}. Hardest: {plain(', '.join(hard))}.")
    show_figure(
        draw_distributions(shown, "topic", "system", measure),
        basis.add_columns(shown, context.study),
        "spread-of-topics",
        f"Each row is a topic, each dot the {measure} of one system there, easy topics on top. The "
        "box holds the middle half of the systems. A long box is a topic on which systems differ; "
        "a short one at either end says little. A topic may be hard because few documents were "
        "judged relevant, because its query is unclear, or because relevant documents were never "
        "judged: look at its judgements before you drop it.",
    )


def order_by_mean(scores: pd.DataFrame, by: str, measure: str) -> pd.DataFrame:
    """Return scores with the best mean of a column's values first, equal ones by name."""
    means = scores.groupby(by)["value"].mean()
    means = -means if parse_measure(measure).greater_is_better else means
    position = {name: at for at, name in enumerate(means.sort_values(kind="stable").index)}
    return scores.sort_values(by, key=lambda names: names.map(position), kind="stable")
