"""The organiser's page of informativeness: which measure tells most about the rankings.

Errors of inferred curves, other measures inferred, and the outcome of the inference problems. A
closer look: one pair of measures run by run, and one ranking's curve.
"""

import json

import pandas as pd
import streamlit as st

from core.errors import DissentError
from core.figures.informativeness import (
    STATISTICS,
    draw_curve_errors,
    draw_inference,
    draw_inferred_curves,
    draw_inferred_means,
)
from core.informativeness.inferred_curves import VIEWS
from core.informativeness.solve import STATUS
from core.numerals import write_number
from core.wording import count, plain, plain_with_facts
from pages.results.measures.informativeness_study import ShownStudy, ask, study_rankings
from pages.shared.figure import show_figure, show_report, write_data
from pages.shared.page import page
from pages.shared.scoring_widgets import open_results, queries_of
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
from pages.shared.wording import say_why_not

PURPOSE = (
    "Which measure says most about the rankings? Suppose that only one measure's value and the "
    "number of relevant documents were known for each ranking. From these two, probabilities of "
    "relevance are inferred by maximum entropy and compared with the actual ranking: the better "
    "the match, the more informative the measure (Ashkan & Clarke 2011)."
)


@page("informativeness", "Results", "Informativeness", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show what each measure tells about rankings: curves, other measures, single rankings."""
    if (opened := open_results(context, PURPOSE)) is None:
        return
    context = opened
    try:
        question = ask(context)
        shown = None if question is None else study_rankings(context, question)
    except DissentError as error:
        say_why_not(error, "Nothing can be inferred from these choices:")
        return
    if shown is not None:
        _show(context, shown)


def _show(context: PageContext, shown: ShownStudy) -> None:
    found = shown.report
    context.sheet.answer(plain_with_facts(found.answer))
    show_errors(shown)
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in found.verdict[1:]))
    st.caption(shown.note())
    show_inference(shown)
    show_closer(shown)
    show_statuses(shown)


ABOUT_ERRORS = (
    "The error of the inferred precision at the ranks of relevant documents: the root mean square "
    "error (*RMS*) and the mean absolute error (*MAE*) of each ranking, averaged over rankings. "
    "Hollow markers are the baseline: only the number of relevant documents is known, and they are "
    "spread evenly over the ranks. The farther a measure is to the left of its baseline, the more "
    "its value adds; a measure to the right of it misleads. Rankings without a relevant document "
    "have no curve and are left out. Compare measures within one view only: the mean over intents "
    "exists for measures by intent only, and averaging makes all errors smaller."
)
ABOUT_INFERENCE = (
    "One measure is known (row) and another one is inferred from it (column), as the mean over "
    "topics of each run. *Kendall's τ-b*: how well the predicted order of the runs matches their "
    "true order; 1 is the same order. *RMSR* and *MARE*: the error of the inferred means relative "
    "to the actual ones; 0 is no error. Darker is a larger number, so dark is good for τ and bad "
    "for the errors. A measure without intents cannot predict a measure by intent: –. Similar "
    "measures predict each other well, so a measure's row depends on which other measures you "
    "chose."
)
ABOUT_STATUSES = "An inference problem is one measure's value on one ranking. " + " ".join(
    f"*{status.capitalize()}*: {meaning}." for status, meaning in STATUS.items()
)


def show_errors(shown: ShownStudy) -> None:
    """Show how far the curves inferred from each measure are from the actual ones."""
    st.header("Where the relevant documents stand", anchor=False)
    errors, names = shown.study.curve_errors, shown.names
    views = [view for view in VIEWS if view in set(errors["curve"])]
    view = views[0]
    if len(views) > 1:
        view = st.segmented_control(
            "Curve",
            views,
            default="union",
            format_func=VIEWS.__getitem__,
            required=True,
            key="informativeness-view",
            help="Every measure allows only relevance to any intent to be inferred.",
        )
    rows = errors[errors["curve"] == view]
    show_figure(
        draw_curve_errors(rows, names),
        shown.stamp(rows),
        "informativeness-errors",
        ABOUT_ERRORS,
    )
    show_report(
        shown.report,
        "curve_errors",
        "informativeness-curve-errors",
        ABOUT_ERRORS,
        stamp=shown.stamp,
        without=() if len(views) > 1 else ["curve"],
        written={"measure": names.__getitem__},
    )


def show_inference(shown: ShownStudy) -> None:
    """Show how well each measure predicts each other one."""
    inference, names = shown.study.inference, shown.names
    if inference.empty:
        return
    st.header("Other measures, predicted", anchor=False)
    statistic = st.segmented_control(
        "How well",
        list(STATISTICS),
        default="tau",
        format_func=STATISTICS.__getitem__,
        required=True,
        key="informativeness-statistic",
    )
    show_figure(
        draw_inference(inference, names, statistic),
        shown.stamp(inference),
        "informativeness-inference",
        ABOUT_INFERENCE,
    )
    with st.expander("The same as a table"):
        show_report(
            shown.report,
            "inference",
            "informativeness-inference-table",
            ABOUT_INFERENCE,
            stamp=shown.stamp,
            written=dict.fromkeys(("target", "measure"), names.__getitem__),
        )


def show_statuses(shown: ShownStudy) -> None:
    """Show what became of the problems, and why some have no solution."""
    st.header("Outcome of the inference problems", anchor=False)
    show_report(
        shown.report,
        "statuses",
        "informativeness-statuses",
        ABOUT_STATUSES,
        stamp=shown.stamp,
        written={"measure": shown.names.__getitem__},
    )
    problems = shown.study.problems
    lost = problems[problems["reason"] != ""]
    if len(lost):
        show_report(
            shown.report,
            "problems",
            "informativeness-unsolved",
            "The inference problems that are left out of all results above, with the reason.",
            rows=lost.drop(columns="p"),
            stamp=shown.stamp,
        )
    st.download_button(
        "Every inference problem with its probabilities",
        data=write_data(lambda: shown.stamp(write_lists(problems)), nobody=("p",)),
        file_name="informativeness-problems.csv",
        mime="text/csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )
    st.caption(
        plain(
            "In the file, p has one list for each intent with a relevant document: the probability "
            "of relevance at each rank."
        )
    )


def write_lists(problems: pd.DataFrame) -> pd.DataFrame:
    """Return problems with their lists of probabilities as JSON, for a file."""
    return problems.assign(p=[json.dumps(lists) for lists in problems["p"]])


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
    figures = [
        f"{title} {write_number(found[key])}" for title, key in numbers if found[key] == found[key]
    ]
    lost = f" ({plain(found['reason'])})" if found["reason"] else ""
    st.caption(f"{' · '.join(figures)}{lost} · {count(int(found['systems']), 'run')}")


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
    values = [
        f"{plain(shown.names[measure])} {value:.3f}, {status}"
        + (f" ({plain(reason)})" if reason else "")
        for measure, value, status, reason in zip(*columns, strict=True)
    ]
    return f"Known: {' · '.join(values)}"
