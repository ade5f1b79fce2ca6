"""Cumulated gain by rank, discounted and normalised or not, beside the best list possible."""

import streamlit as st

from core.analysis.results.scores import Scoring
from core.figures.effectiveness import draw_gain_curve
from core.measures.choices import AVERAGES, GAIN
from core.measures.cumulated_gain import CG, DCG, NCG, NDCG, GainMeasure
from core.reports.curves import CurvesQuestion
from core.wording import plain
from pages.results.leaderboard.curve_choice import CurveChoice

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
        told=report.tell_gain(*choice.told_of),
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
