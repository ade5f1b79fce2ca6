"""Cumulated gain by rank, discounted and normalised or not, beside the best list possible."""

import pandas as pd
import streamlit as st

from core.analysis.results.curves import Average, trace_gain
from core.analysis.results.scores import Scoring, scores_of
from core.figures.effectiveness import draw_gain_curve
from core.measures.cumulated_gain import CG, DCG, NCG, NDCG, GainMeasure
from core.measures.curves import area_under
from core.wording import plain
from pages.results.leaderboard.curve_choice import CurveChoice

KINDS: dict[str, type[GainMeasure]] = {one.name: one for one in (NDCG, DCG, NCG, CG)}
DISCOUNTS = {
    "log": "log₂ (rank + 1)",
    "jarvelin": "log₂ rank, from rank 2 (textbook)",
    "zipf": "the rank",
}
AVERAGES: dict[Average, str] = {
    "topics": "mean of the topics' values",
    "ratio": "mean gain ÷ mean ideal (textbook)",
}


def show_gain(choice: CurveChoice) -> None:
    """Show the gain that the chosen systems cumulate, and the ideal."""
    measure, average = _choose_measure(choice)
    curve = _trace(choice, measure, average)
    if curve.empty:
        st.info("No judged document of this topic has a gain.")
        return
    value = curve["value" if measure.normalised else "dcg"]
    drawn = curve.assign(value=value, ideal=1.0 if measure.normalised else curve["ideal"])
    one = drawn[drawn["system"] == drawn["system"].iloc[0]]
    ideal = pd.DataFrame({"rank": one["rank"], "value": one["ideal"]})
    gain = choice.scoring.gain
    choice.show(
        draw_gain_curve(drawn, measure.name, ideal),
        drawn[[name for name in drawn if name != "dcg"]],
        "gain-by-rank",
        _explain(measure, gain, average),
        measure=str(measure) if average == "topics" else f"{measure}, ratio of averages",
        topics=_count_topics(choice, measure),
        depth=choice.depth,
    )
    if measure.normalised:
        areas = area_under(drawn)[["system", "area"]].itertuples(index=False, name=None)
        words = [f"{plain(system)} {area:.3f}" for system, area in areas]
        st.caption(f"Mean height, the area under the curve: {' · '.join(words)}")


def _choose_measure(choice: CurveChoice) -> tuple[GainMeasure, Average]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            "Gain by rank",
            list(KINDS),
            default="nDCG",
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
    return _make_measure(str(kind), choice.scoring, str(discount)), _usable(average, choice, kind)


def _make_measure(kind: str, scoring: Scoring, discount: str) -> GainMeasure:
    measure = KINDS[kind]
    if issubclass(measure, (NDCG, DCG)):
        return measure(gain=scoring.gain, discount=discount)
    return measure(gain=scoring.gain)


def _usable(average: Average, choice: CurveChoice, kind: str) -> Average:
    """Return how to average; it makes a difference for shares over all topics only."""
    return average if choice.averaged and KINDS[kind].normalised else "topics"


def _explain(measure: GainMeasure, gain: str, average: Average) -> str:
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
    over = (
        "Averaged as the textbook does: mean gain divided by mean ideal. "
        if average == "ratio"
        else ""
    )
    return (
        f"{what}{ideal}{over}Unjudged documents have no gain, and small differences may be chance."
    )


def _trace(choice: CurveChoice, measure: GainMeasure, average: Average) -> pd.DataFrame:
    chosen = (measure, choice.scoring.weights, choice.depth, average, not choice.averaged)
    return choice.pick(trace_gain(choice.context.study, choice.basis.choice, *chosen))


def _count_topics(choice: CurveChoice, measure: GainMeasure) -> int:
    """Return how many topics have something to gain."""
    share = NCG(choice.depth, gain=measure.gain)
    scores = scores_of(
        choice.context.study, choice.basis.choice, [str(share)], choice.scoring.weights
    )
    return scores["topic_id"].nunique()
