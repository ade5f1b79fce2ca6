"""A closer look: one pair of measures run by run, and one ranking's curve."""

import pandas as pd
import streamlit as st

from core.figures.informativeness import draw_inferred_curves, draw_inferred_means
from core.informativeness.inferred_curves import VIEWS
from core.numerals import write_number
from core.wording import count, plain
from pages.results.measures.informativeness_study import ShownStudy
from pages.shared.figure import show_figure
from pages.shared.parts import show_parts
from pages.shared.topic_names import queries_of

AT_FIRST = 4
"""The number of curves drawn at first."""

ABOUT_MEANS = (
    "Each marker is a run: on the horizontal axis its actual mean over topics, on the vertical "
    "axis the mean predicted from the known measure. On the dashed line both are equal; above it "
    "the prediction is too high. If the runs lie on any rising line, they are in their true order, "
    "even if the values are wrong. The runs with the largest errors are named."
)
ABOUT_CURVE = (
    "One ranking of one topic, rank by rank. Grey: the actual curve. The other lines: the curve "
    "inferred when only the measure's value and the number of relevant documents are known. "
    "Markers are at the ranks of relevant documents, where the errors above are computed. Recall "
    "is relative to all documents judged relevant, so the lines end where the list is cut off. "
    "This is one example: only many rankings show which measure is most informative."
)


def show_closer(shown: ShownStudy) -> None:
    """Show inferred against actual means, or one ranking's curves."""
    st.header("A closer look", anchor=False)
    show_parts(
        "informativeness-closer",
        {"Run by run": lambda: _show_means(shown), "One ranking": lambda: _show_curve(shown)},
    )


def _show_means(shown: ShownStudy) -> None:
    pairs = shown.study.inference
    if pairs.empty:
        st.info("Choose a second measure to see how well the first one predicts it.")
        return
    names, texts = shown.names, list(shown.names)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = st.selectbox(
            "Known measure", texts, format_func=names.__getitem__, key="informativeness-known"
        )
        others = [text for text in texts if text != target]
        measure = st.selectbox(
            "Inferred measure",
            others,
            format_func=names.__getitem__,
            key=f"informativeness-inferred-{target}",
        )
    means = shown.study.means
    rows = means[(means["target"] == target) & (means["measure"] == measure)]
    found = pairs[(pairs["target"] == target) & (pairs["measure"] == measure)].iloc[0]
    if not found["systems"]:
        st.info(f"Nothing to draw: {plain(found['reason'])}.")
        return
    show_figure(
        draw_inferred_means(rows, names[target], names[measure]),
        shown.stamp(rows),
        "informativeness-means",
        ABOUT_MEANS,
    )
    numbers = (("Kendall's τ-b", "tau"), ("RMSR", "rmsr"), ("MARE", "mare"))
    told = [
        f"{title} {write_number(found[key])}" for title, key in numbers if found[key] == found[key]
    ]
    lost = f" ({plain(found['reason'])})" if found["reason"] else ""
    st.caption(f"{' · '.join(told)}{lost} · {count(int(found['systems']), 'run')}")


def _show_curve(shown: ShownStudy) -> None:
    usual = _find_telling(shown)
    queries = queries_of(shown.context)
    systems, topics, texts = list(shown.systems), list(shown.topics), list(shown.names)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        system = st.selectbox(
            "Run", systems, index=systems.index(usual[0]), key="informativeness-run"
        )
        topic = st.selectbox(
            "Topic",
            topics,
            index=topics.index(usual[1]),
            format_func=lambda one: f"{one}: {queries.get(one, '')}".removesuffix(": "),
            key="informativeness-topic",
        )
    curves = _choose_view(shown.study.curves(system, topic))
    offered = [text for text in texts if text in set(curves["measure"])]
    chosen = st.multiselect(
        "Inferred from",
        offered,
        default=offered[:AT_FIRST],
        format_func=shown.names.__getitem__,
        key=f"informativeness-drawn-{'-'.join(offered)}",
    )
    drawn = curves[curves["measure"].isin(chosen)]
    if drawn.empty:
        st.info("Choose at least one measure to see its curve.")
        return
    show_figure(
        draw_inferred_curves(drawn, shown.names),
        shown.stamp(drawn.assign(system=system, topic_id=topic)),
        "informativeness-curve",
        ABOUT_CURVE,
    )
    st.caption(_describe(shown, system, topic, chosen))


def _choose_view(curves: pd.DataFrame) -> pd.DataFrame:
    """Return the curves of one view, and of one intent where that is the view."""
    views = [view for view in VIEWS if view in set(curves["curve"])]
    view = views[0]
    if len(views) > 1:
        view = st.segmented_control(
            "Curve of",
            views,
            default=view,
            format_func=VIEWS.__getitem__,
            required=True,
            key="informativeness-curve-view",
        )
    rows = curves[curves["curve"] == view]
    if view != "intent":
        return rows
    intents: list[str] = list(rows["intent"].unique())
    intent = st.selectbox("Intent", intents, key="informativeness-intent")
    return rows[rows["intent"] == intent]


def _find_telling(shown: ShownStudy) -> tuple[str, str]:
    """Return the ranking that the first measure leaves most open: there is most to see."""
    problems = shown.study.problems
    first = problems[problems["measure"] == problems["measure"].iloc[0]]
    most = first.sort_values("entropy", ascending=False, kind="stable").iloc[0]
    return most["system"], most["topic_id"]


def _describe(shown: ShownStudy, system: str, topic: str, chosen: list[str]) -> str:
    """Return in Markdown what is known of the ranking and what became of its problems."""
    problems = shown.study.problems
    here = problems[
        (problems["system"] == system)
        & (problems["topic_id"] == topic)
        & problems["measure"].isin(chosen)
    ]
    columns = (here[name] for name in ("measure", "value", "status", "reason"))
    told = [
        f"{plain(shown.names[measure])} {value:.3f}, {status}"
        + (f" ({plain(reason)})" if reason else "")
        for measure, value, status, reason in zip(*columns, strict=True)
    ]
    return f"Known: {' · '.join(told)}"
