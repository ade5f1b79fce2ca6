"""Mean scores from few topics that people judged and many that a machine judged."""

import streamlit as st

from core.analysis.machines.conclusions import MachineQuestion
from core.analysis.machines.estimation import estimation_of
from core.errors import DissentError
from core.figures.estimates import draw_estimates, draw_widths
from core.reports.estimate import Estimation
from core.wording import plain_with_facts
from pages.agreement.machines.machine_conclusions import NO_RUNS
from pages.shared.figure import show_figure, show_report
from pages.shared.session import PageContext
from pages.shared.wording import say_why_not, show_notes

NOBODY = ("estimate", "of")
WANTED = (
    "An estimate needs topics that people judged, two at least, and others that only the machine "
    "judged: have people judge some topics of a collection, and the machine all."
)


def show_estimate(context: PageContext, question: MachineQuestion | None) -> None:
    """Show means in three ways, and what more topics judged by people would buy."""
    if question is None:
        st.info(NO_RUNS)
        return
    finite = st.toggle(
        "The topics are all there are",
        key="machines-finite",
        bind="query-params",
        help="Means are then those over these very topics. Otherwise the topics are a sample of "
        "more that there could be.",
    )
    try:
        found = estimation_of(context.study, question, finite)
    except DissentError as error:
        say_why_not(error, "No estimate here:")
        st.caption(WANTED)
        return
    st.markdown(plain_with_facts(found.answer))
    show_notes(found.notes)
    left, right = st.columns(2)
    with left:
        _show_means(found, question.measure)
    with right:
        _show_widths(found, question.measure)
    _list_differences(found)


def _show_means(found: Estimation, measure: str) -> None:
    show_figure(
        draw_estimates(found.systems, measure),
        found.systems,
        "machine-estimates",
        "Each system's mean with its 95 % interval; topics are what is sampled. **People alone**: "
        "the topics that people judged. **Prediction-powered**: these and the machine's, corrected "
        "by what both gave on the same topics; unbiased whatever the machine does. **Machine "
        "alone**: biased by an unknown amount, of which its interval takes no notice.",
        nobody=NOBODY,
    )


def _show_widths(found: Estimation, measure: str) -> None:
    rows = found.widths[found.widths["of"] == "mean"]
    show_figure(
        draw_widths(rows, int(found.systems["n_human"].iloc[0]), f"{measure}, means"),
        found.widths,
        "machine-widths",
        "How wide 95 % intervals of means would be, on average over systems, had people judged "
        "another number of the topics; topics are what is sampled. Variances, and what the machine "
        "tells, are taken as they are known now: no promise. Where the two curves meet, the "
        "machine's labels buy nothing.",
        nobody=NOBODY,
    )


def _list_differences(found: Estimation) -> None:
    if found.differences.empty:
        return
    rows = found.differences[found.differences["estimate"] != "machine_only"]
    with st.expander("Differences of systems"):
        show_report(
            found,
            "differences",
            "machine-estimated-differences",
            "The first system's mean less the second's, from the topics of people alone and "
            "prediction-powered. Each 95 % interval is of that difference alone, not of all "
            "together; topics are what is sampled.",
            rows=rows,
            without=["measure"],
        )
