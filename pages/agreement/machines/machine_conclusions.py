"""What is concluded about systems when a machine judges in place of people, or beside them.

Mean scores from few topics that people judged and many that a machine judged.
"""

import pandas as pd
import streamlit as st

from core.analysis.machines.conclusions import (
    MachineQuestion,
    conclusions_of,
    estimation_of,
    lineage_of,
)
from core.comparison.choices import SYSTEMS, TOPICS
from core.errors import DissentError
from core.figures.conclusions import draw_circularity, draw_gains, draw_source_scores
from core.figures.estimates import draw_estimates, draw_widths
from core.machines.circularity import explain_circularity, explain_none_flagged
from core.machines.conclusions import KEPT, NEITHER
from core.machines.mixed_qrels import PEOPLE
from core.reports.conclusions import Conclusions
from core.reports.estimate import Estimation
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure, show_report
from pages.shared.session import PageContext
from pages.shared.wording import say_why_not, show_notes

NO_RUNS = (
    "Conclusions need runs and judgements of people on the machine's scale. Import runs on the "
    "page *Contents*."
)
MOST_LISTED = 1_000
NOBODY = ("source", "machine", "mixed")


def show_conclusions(context: PageContext, question: MachineQuestion | None) -> None:
    """Show orders of systems, significant differences, gains and runs of the machine's kind."""
    if question is None:
        st.info(NO_RUNS)
        return
    try:
        with st.spinner("Comparing conclusions"):
            found = conclusions_of(context.study, question)
    except DissentError as error:
        say_why_not(error, "Nothing to compare:")
        return
    st.caption(plain(f"People's judgements: {question.people.name} · {found.measure}."))
    left, right = st.columns(2)
    with left:
        _show_scores(found)
    with right:
        _show_orders(found)
        _show_sources(found)
    _show_changes(found)
    _show_lineage(context, question, found)
    _show_circularity(found)


def _show_scores(found: Conclusions) -> None:
    source = str(found.sources["source"].iloc[1])
    people, other = (
        found.scores[found.scores["source"] == one].set_index("system") for one in (PEOPLE, source)
    )
    limits = people[["value", "low", "high"]].set_axis(
        ["people", "people_low", "people_high"], axis=1
    )
    pairs = limits.join(other[["value", "low", "high"]]).reset_index()
    show_figure(
        draw_source_scores(pairs, found.measure, source),
        found.scores,
        "machine-scores",
        f"Each system's mean {plain(found.measure)} by people's judgements and by the machine's, "
        "with 95 % intervals; topics are what is sampled. On the dashed line both are equal: "
        "points above it mean that the machine is more lenient, which alone changes no order.",
        nobody=NOBODY,
    )


def _show_orders(found: Conclusions) -> None:
    show_report(
        found,
        "rankings",
        "machine-orders",
        "How alike the order of systems is to that by people's judgements, with 95 % limits by "
        "drawing topics again. *people, else …*: people's judgements, filled up with the "
        "machine's.",
        rows=found.beside,
    )
    show_report(
        found,
        "orders",
        "machine-orders-tested",
        "**p**: how often chance alone makes τ so low where the true order "
        "is one. What is not shown to differ is not shown to be the same: a τ below the one in "
        "*τ shown below* would have been shown.",
    )


def _show_sources(found: Conclusions) -> None:
    show_report(
        found,
        "sources",
        "machine-sources",
        "What the scores rest on: topics that count under all judgements, and the judged share of "
        "what the measure looks at. Where shares differ much, means differ for that alone.",
    )


def _show_changes(found: Conclusions) -> None:
    st.header("Significant differences", anchor=False)
    st.caption(f"{plain(str(found.significance))}. Topics are what is sampled.")
    show_report(
        found,
        "significant",
        "machine-significance",
        "Pairs of systems whose difference is significant by people's judgements and by the others "
        "(**kept**), by people's only (**vanished**), by the others only (**appeared**), by both "
        "in opposite directions (**turned**), or by none (**neither**). **kept of either**: the "
        "share kept of all that is significant by either.",
    )
    changed = found.differences[~found.differences["change"].isin((KEPT, NEITHER))]
    if changed.empty:
        return
    with st.expander(f"The {len(changed):,} that change{'s' if len(changed) == 1 else ''}"):
        show_report(
            found,
            "differences",
            "machine-changes",
            "Each pair of systems, the one with the higher mean by people first; differences of "
            f"means, with their p. The first {MOST_LISTED:,} at most.",
            rows=changed.head(MOST_LISTED),
        )


def _show_lineage(context: PageContext, question: MachineQuestion, found: Conclusions) -> None:
    st.header("What systems gain, and runs of the machine's kind", anchor=False)
    members = st.multiselect(
        "Runs that use the machine's model, or one of its family",
        sorted(found.gains["system"]),
        key="machines-lineage",
        bind="query-params",
        placeholder="Choose runs: their names do not tell",
        help="Whether they gain more from the machine's labels than the other runs do. The choice "
        "is kept in the address of this page.",
    )
    if members:
        _say_lineage(context, question, tuple(sorted(members)))
    show_figure(
        draw_gains(found.gains, found.measure, members),
        found.gains,
        "machine-gains",
        "How much more each system gains from the machine's labels, in place of people's, than the "
        "others do on average, with its 95 % interval; topics are what is sampled. A lenient "
        "machine lifts all: only the gain beside the others counts. Each interval is of that "
        "system alone; of many, some leave out 0 by chance.",
        nobody=NOBODY,
    )


def _say_lineage(context: PageContext, question: MachineQuestion, members: tuple[str, ...]) -> None:
    try:
        found = lineage_of(context.study, question, members)
    except DissentError as error:
        say_why_not(error, "No verdict:")
        return
    named = {TOPICS: "Other topics", SYSTEMS: "Other runs"}
    st.markdown("\n".join(f"- **{named[one.unit]}.** {plain(one.sentence)}" for one in found))


def _show_circularity(found: Conclusions) -> None:
    st.header("Runs that may have been made with the machine", anchor=False)
    runs = found.circularity
    flagged = runs[runs["flagged"].fillna(False).astype("bool")]
    if flagged.empty:
        st.markdown(plain(explain_none_flagged(runs)))
    else:
        st.markdown(
            "\n".join(f"- {plain(explain_circularity(row))}" for _, row in flagged.iterrows())
        )
    ordered = pd.concat([flagged, runs.drop(flagged.index)], ignore_index=True)
    left, right = st.columns(2)
    with left:
        show_figure(
            draw_circularity(ordered),
            ordered,
            "machine-circularity",
            "How far each run orders documents as the machine does, beyond what people's levels "
            "and the other runs explain; the dashed line is the mean of all runs. Runs are "
            "compared with each other: the sample is the other runs. Diamonds stand out, p being "
            "corrected for the number of runs.",
            nobody=NOBODY,
        )
    with right:
        show_report(
            found,
            "circularity",
            "machine-runs",
            "**agrees**: in how many of the pairs of documents that only the machine tells apart "
            "the run puts its choice first; **others agree**: the other runs. Runs that stand out "
            "come first. The sample is the other runs.",
            rows=ordered,
        )


NOBODY_OF_ESTIMATES = ("estimate", "of")
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
        nobody=NOBODY_OF_ESTIMATES,
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
        nobody=NOBODY_OF_ESTIMATES,
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
