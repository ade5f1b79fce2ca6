"""Two systems side by side, topic by topic."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.scores import Scoring, scores_of
from core.figures.two_systems import draw_differences, draw_topic_scatter
from core.measures.catalogue import parse_measure
from core.numerals import write_number
from core.wording import count, plain
from pages.shared.figure import show_figure
from pages.shared.session import PageContext
from pages.shared.topic_names import name_topics, queries_of

BY_DIFFERENCE, BY_TOPIC = "by difference", "by topic"
NAMED = 4
EQUAL = 1e-12
"""Scores that differ by less than this differ by rounding only."""


def compare_two(
    context: PageContext,
    basis: ScoreBasis,
    scoring: Scoring,
    measures: Sequence[str],
    ordered: list[str],
) -> None:
    """Show by how much, and where, one system is above another."""
    if len(ordered) < 2:
        st.info("There is one system only. Import another run on the page *Contents*.")
        return
    first, second, measure, order = _choose(context, scoring, measures, ordered)
    if first == second:
        st.info("Choose two different systems.")
        return
    scores = scores_of(context.study, basis.choice, [measure], scoring.weights)
    pairs = pair_scores(scores, first, second)
    if pairs.empty:
        st.info(f"Nothing to find for {plain(measure)} on any topic.")
        return
    pairs = pairs.assign(name=name_topics(pairs["topic_id"], queries_of(context)), measure=measure)
    st.markdown(describe_pairs(pairs, first, second, measure))
    if order == BY_DIFFERENCE:
        pairs = pairs.sort_values("difference", ascending=False, kind="stable")
    columns = st.columns(2, gap="medium")
    with columns[0]:
        _show_differences(context, basis, pairs, first, second, measure)
    with columns[1]:
        _show_scatter(context, basis, pairs, first, second, measure)
    judged = scores[scores["system"].isin([first, second])].groupby("system")["judged"].mean()
    st.caption(basis.note(measure, len(pairs), judged))


def _choose(
    context: PageContext, scoring: Scoring, measures: Sequence[str], ordered: list[str]
) -> tuple[str, str, str, str]:
    """Return the systems, the measure, and the order of topics.

    At first these are the best system and the baseline, or the second, by R-precision.
    """
    usual = str(scoring.apply("Rprec"))
    offered = [usual, *(one for one in measures if one != usual)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.selectbox("First system", ordered, key="two-first", persist_state="page")
        second = st.selectbox(
            "Second system",
            ordered,
            index=_second(context, ordered),
            key="two-second",
            persist_state="page",
        )
        measure = st.selectbox(
            "Measure", offered, key=f"two-measure-{offered}", persist_state="page"
        )
        order = st.selectbox(
            "Order of topics", [BY_DIFFERENCE, BY_TOPIC], key="two-order", persist_state="page"
        )
    return str(first), str(second), str(measure), str(order)


def _second(context: PageContext, ordered: list[str]) -> int:
    """Return the place of the declared baseline, or of the second where it is none or the best."""
    baseline = declared_of(context.study).baseline
    return ordered.index(baseline) if baseline in ordered[1:] else 1


def pair_scores(scores: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """Return ``topic_id, first, second, difference`` and the judged share of both.

    Parameters
    ----------
    scores : DataFrame
        Scores by one measure, as `evaluate` returns them.
    first, second : str
        Two systems; the difference is the first's score less the second's, 0 where they only
        differ by rounding.
    """
    of_first, of_second = (
        scores[scores["system"] == system].set_index("topic_id")[["value", "judged"]]
        for system in (first, second)
    )
    both = pd.DataFrame(
        {
            "first": of_first["value"],
            "second": of_second["value"].reindex(of_first.index),
            "judged_first": of_first["judged"],
            "judged_second": of_second["judged"].reindex(of_first.index),
        }
    )
    difference = both["first"] - both["second"]
    return both.assign(difference=difference.mask(difference.abs() < EQUAL, 0.0)).reset_index()


def describe_pairs(pairs: pd.DataFrame, first: str, second: str, measure: str) -> str:
    """Return in Markdown on how many topics each of two systems is above the other."""
    won, lost = int((pairs["difference"] > 0).sum()), int((pairs["difference"] < 0).sum())
    mean = write_number(pairs["difference"].mean(), signed=True)
    low = "" if parse_measure(measure).greater_is_better else " Lower is better by this measure."
    far = find_far(pairs)
    named = [
        f"{name} ({write_number(difference, signed=True)})"
        for name, difference in zip(far["name"], far["difference"], strict=True)
    ]
    apart = f" Furthest apart: {plain(', '.join(named))}." if named else ""
    return (
        f"By {plain(measure)}, **{plain(first)}** is higher on {won} of "
        f"{count(len(pairs), 'topic')}, **{plain(second)}** on {lost}, and they are equal on "
        f"{len(pairs) - won - lost}. The mean difference is {plain(mean)}.{low}{apart}"
    )


def find_far(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the few topics on which the systems are furthest apart, those first."""
    far = pairs["difference"].abs().sort_values(ascending=False, kind="stable").index[:NAMED]
    rows = pairs.loc[far]
    return rows[rows["difference"] != 0]


def _show_differences(
    context: PageContext,
    basis: ScoreBasis,
    pairs: pd.DataFrame,
    first: str,
    second: str,
    measure: str,
) -> None:
    show_figure(
        draw_differences(pairs, first, second, measure),
        basis.add_columns(_name_systems(pairs, first, second), context.study),
        "difference-by-topic",
        f"A precision histogram. Each bar is a topic: the {measure} of {plain(first)} less that of "
        f"{plain(second)}; a square is a topic where both are equal. Many small bars on one side "
        "mean a steady advantage; a few long bars mean one that depends on few topics. This does "
        "not say whether the advantage is significant: the page *Significance* tests that.",
        nobody=("name",),
    )


def _show_scatter(
    context: PageContext,
    basis: ScoreBasis,
    pairs: pd.DataFrame,
    first: str,
    second: str,
    measure: str,
) -> None:
    show_figure(
        draw_topic_scatter(pairs, first, second, measure, set(find_far(pairs)["topic_id"])),
        basis.add_columns(_name_systems(pairs, first, second), context.study),
        "two-systems",
        f"Each point is a topic: the horizontal axis shows what {plain(first)} scores by "
        f"{measure}, the vertical axis what {plain(second)} does. On the dashed line they are "
        "equal; below it the first is higher. The topics furthest from the line have their ids. If "
        "all points are near the line, the systems succeed and fail on the same topics; if they "
        "are widely scattered, combining the systems may help. This says nothing about other "
        "topics.",
        nobody=("name",),
    )


def _name_systems(pairs: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """Return pairs with the names of the systems as columns, for the file."""
    return pairs.assign(first_system=first, second_system=second)
