"""Curves of runs by rank and by recall, of some systems, over all topics or on one.

Cumulated gain by rank, discounted and normalised or not, beside the best list possible. Precision
by recall: interpolated or exact over all topics, both on one topic.
"""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.results.basis import ScoreBasis
from core.analysis.results.scores import Scoring, ask_curves
from core.figures.effectiveness import draw_gain_curve, draw_precision_points, draw_precision_recall
from core.measures.choices import AVERAGES, GAIN
from core.measures.cumulated_gain import CG, DCG, NCG, NDCG, GainMeasure
from core.reports.curves import CurvesQuestion, RankingCurves
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure
from pages.shared.scoring_widgets import ALL, choose_topic
from pages.shared.session import PageContext

BEST, MOST = 6, 8


@dataclass(frozen=True, eq=False)
class CurveChoice:
    """The systems and the topic (or ``ALL``) of the curves in view."""

    context: PageContext
    basis: ScoreBasis
    scoring: Scoring
    systems: tuple[str, ...]
    topic: str

    @property
    def averaged(self) -> bool:
        """Whether the curves are over all topics."""
        return self.topic == ALL

    @property
    def asked_of(self) -> tuple[str, tuple[str, ...]]:
        """The topic, '' for all, and the systems of which the report is to tell."""
        return "" if self.averaged else self.topic, self.systems

    def ask(self, question: CurvesQuestion) -> RankingCurves:
        """Return the curves of all systems and topics."""
        given = self.context.study, self.basis.choice
        return ask_curves(*given, question, self.scoring.weights)

    def pick(self, report: RankingCurves, name: str) -> pd.DataFrame:
        """Return the curves of these systems, in this order, and of this topic."""
        position = {system: number for number, system in enumerate(self.systems)}
        by_topic = not self.averaged and f"{name}_by_topic" in report.tables
        curve = report.table(f"{name}_by_topic" if by_topic else name)
        chosen = curve[curve["system"].isin(self.systems)]
        if not self.averaged:
            chosen = chosen[chosen["topic_id"] == self.topic]
        return chosen.sort_values("system", key=lambda names: names.map(position), kind="stable")

    def show(
        self,
        figure: Any,
        curve: pd.DataFrame,
        name: str,
        explanation: str,
        *,
        measure: str,
        sentence: str = "",
        depth: int | None = None,
    ) -> None:
        """Show a figure of curves, with what it is based on in words and in its data.

        Parameters
        ----------
        measure : str
            What is drawn.
        sentence : str
            What the report says of it.
        depth : int, optional
            The rank up to which lists are looked at; to their ends when absent.
        """
        topics = int(curve["topics"].iloc[0]) if self.averaged else 1
        if sentence:
            st.markdown(plain_with_facts(sentence))
        judged = self.basis.judged_share(depth, self.topic)
        data = curve.assign(measure=measure, judged=curve["system"].map(judged), topics=topics)
        show_figure(figure, self.basis.add_columns(data, self.context.study), name, explanation)
        st.caption(self.basis.note(measure, topics, judged[list(curve["system"].unique())]))


def choose_curves(
    context: PageContext, basis: ScoreBasis, scoring: Scoring, ordered: list[str]
) -> CurveChoice:
    """Return whose curves the organiser wants to see; ``ordered`` has the best systems first."""
    best = ordered[:BEST]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.multiselect(
            "Systems",
            ordered,
            placeholder=f"The best {len(best)} of the table",
            max_selections=MOST,
            key="curve-systems",
        )
        topic = choose_topic(context, basis, "curve-topic", whole=True)
    return CurveChoice(context, basis, scoring, tuple(chosen or best), topic)


KINDS: dict[str, type[GainMeasure]] = {one.name: one for one in (NDCG, DCG, NCG, CG)}
DISCOUNTS = {
    "log": "log₂ (rank + 1)",
    "jarvelin": "log₂ rank, from rank 2 (textbook)",
    "zipf": "the rank",
}


def show_gain(choice: CurveChoice) -> None:
    """Show the gain that the chosen systems cumulate, and the ideal."""
    report = choice.ask(_choose_question(choice.scoring))
    curve, measure = choice.pick(report, "gain"), report.measure
    if curve.empty:
        st.info("No judged document of this topic has a gain.")
        return
    one = curve[curve["system"] == curve["system"].iloc[0]]
    choice.show(
        draw_gain_curve(curve, measure.name, one[["rank"]].assign(value=one["ideal"])),
        curve,
        "gain-by-rank",
        _explain(measure, choice.scoring.gain, is_ratio=choice.averaged and report.divides_means),
        measure=report.name_gain(over_topics=choice.averaged),
        sentence=report.tell_gain(*choice.asked_of),
        depth=report.depth,
    )
    if measure.normalised:
        areas = choice.pick(report, "areas")[["system", "area"]].itertuples(index=False, name=None)
        words = [f"{plain(system)} {area:.3f}" for system, area in areas]
        st.caption(f"Mean height, the area under the curve: {' · '.join(words)}")


def _choose_question(scoring: Scoring) -> CurvesQuestion:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            "Gain by rank",
            list(KINDS),
            default=GAIN,
            required=True,
            key="curve-gain",
            help="CG adds up the gains down to a rank, DCG divides each by a discount of its "
            "rank; nCG and nDCG are shares of what the best list has.",
        )
        with st.popover("Discount, average", type="tertiary", icon=":material/tune:"):
            discount = st.radio(
                "DCG divides a gain by",
                list(DISCOUNTS),
                format_func=DISCOUNTS.__getitem__,
                key="curve-discount",
            )
            average = st.radio(
                "nCG and nDCG over topics",
                list(AVERAGES),
                format_func=AVERAGES.__getitem__,
                key="curve-average",
                help="With the second, topics with more relevant documents count more.",
            )
    measure = _make_measure(str(kind), scoring, str(discount))
    return CurvesQuestion(str(measure), scoring.rel, average=average)


def _make_measure(kind: str, scoring: Scoring, discount: str) -> GainMeasure:
    measure = KINDS[kind]
    if issubclass(measure, (NDCG, DCG)):
        return measure(gain=scoring.gain, discount=discount)
    return measure(gain=scoring.gain)


def _explain(measure: GainMeasure, gain: str, *, is_ratio: bool) -> str:
    what = f"{measure.name} up to each rank with {gain} gain. "
    if measure.normalised:
        ideal = (
            "1, the grey line, is the best list possible from the judged documents, so the "
            "distance to it is the gain that is missing, and the area under a curve summarises it "
            "in one number. "
        )
    else:
        ideal = (
            "The grey line is the best list possible from the judged documents; topics with many "
            "relevant documents weigh most, so compare systems on the same topics only. "
        )
    over = "Averaged as the textbook does: mean gain divided by mean ideal. " if is_ratio else ""
    return (
        f"{what}{ideal}{over}Unjudged documents have no gain, and small differences may be chance."
    )


ELEVEN, EXACT = "11-point", "exact"

ABOUT_ELEVEN = (
    "Interpolated precision at eleven levels of recall, mean over topics. Left: precision at the "
    "top of the list; right: the precision that remains when all relevant documents have to be "
    "found. A curve that lies above another throughout is better for every kind of search; where "
    "curves cross, the better system depends on how much somebody wants to find. Recall is "
    "relative to the documents judged relevant; those that were never pooled are not included. "
    "Small differences may be chance."
)
ABOUT_ELEVEN_OF_TOPIC = (
    "One topic: the best precision at each of eleven levels of recall or beyond. It is 0 where the "
    "list ends before so much was found. One topic has few documents: use this to explain a score, "
    "not to decide which system is better."
)
ABOUT_RANKS = (
    "Each marker is one rank, from left to right: the mean precision there against the mean "
    "recall, nothing interpolated. It shows what somebody who reads that far has found. The lists "
    "are cut off at the last rank drawn, so a curve that ends early is not worse for that, and "
    "recall is relative to the documents judged relevant. Small differences may be chance."
)
ABOUT_POINTS = (
    "One topic. Each marker is a relevant document that the system found: how high it stands is "
    "the precision of the list down to it. The staircase is interpolated precision, the best "
    "precision at this recall or beyond; at the vertical grid lines it gives the eleven-point "
    "curve. Beyond the last document found it is 0. One topic has few documents: use this to "
    "explain a score, not to decide which system is better."
)


def show_precision(choice: CurveChoice) -> None:
    """Show precision by recall of the chosen systems."""
    report = choice.ask(CurvesQuestion(rel=choice.scoring.rel))
    kind = st.segmented_control(
        "Precision by recall",
        [ELEVEN, EXACT],
        default=ELEVEN,
        required=True,
        key="curve-precision",
        persist_state="page",
        help="11-point: interpolated, at recall 0, .1 … 1. Exact: on one topic at every relevant "
        "document, with the staircase of interpolation; over all topics mean precision against "
        f"mean recall at ranks 1 to {report.depth}.",
    )
    if kind == ELEVEN:
        _show_eleven(choice, report)
    elif choice.averaged:
        _show_by_rank(choice, report)
    else:
        _show_points(choice, report)


def _show_eleven(choice: CurveChoice, report: RankingCurves) -> None:
    curve = choice.pick(report, "eleven_points")
    if curve.empty:
        st.info("Nothing that was judged on this topic is relevant.")
        return
    explanation = ABOUT_ELEVEN if choice.averaged else ABOUT_ELEVEN_OF_TOPIC
    sentence = report.tell_precision(*choice.asked_of)
    _show(
        choice,
        draw_precision_recall(curve),
        curve,
        explanation,
        "interpolated P",
        sentence=sentence,
    )


def _show_by_rank(choice: CurveChoice, report: RankingCurves) -> None:
    curve = choice.pick(report, "ranks")
    figure = draw_precision_recall(curve, exact=True)
    _show(choice, figure, curve, ABOUT_RANKS, "P and R", depth=report.depth)


def _show_points(choice: CurveChoice, report: RankingCurves) -> None:
    points = choice.pick(report, "recall_points")
    if points.empty:
        st.info("None of these systems finds anything relevant on this topic.")
        return
    figure = draw_precision_points(points)
    _show(choice, figure, points, ABOUT_POINTS, "P and interpolated P")


def _show(
    choice: CurveChoice,
    figure: Any,
    curve: pd.DataFrame,
    explanation: str,
    measure: str,
    **shown: Any,
) -> None:
    name = f"{measure} (rel={choice.scoring.rel:g})"
    choice.show(figure, curve, "precision-recall", explanation, measure=name, **shown)
