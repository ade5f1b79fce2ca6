"""The overview: when the round is done, whether anything is wrong, and what is behind it.

What needs attention: each thing with how much of it there is, and where one acts. The steps until
the first label comes, each with its page. How far each topic and each assessor is, and what
assessors remarked. Whether the ranking of the systems has come to rest; computed when somebody
asks.
"""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.base.study import runs_of
from core.analysis.judging.progress import keep_progress
from core.analysis.judging.questions import remarks_of
from core.analysis.judging.stop_proposal import find_proposal
from core.analysis.overview.attention import (
    find_attention,
    find_failing,
    find_late,
    find_silence,
    find_too_slow,
    setup_steps,
)
from core.analysis.overview.findings import DOUBTFUL, OPEN, STOPS, Finding
from core.analysis.overview.stability import (
    STABLE,
    describe_stability,
    ranking_stability,
)
from core.figures.progress import draw_burn_up, draw_judged_times, draw_stability
from core.reports.progress import Progress
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure, show_table
from pages.shared.live import keep_fresh
from pages.shared.page import PAGES, page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

OPENED = "stability-opened"
DONE, TO_DO = ":material/check_box:", ":material/check_box_outline_blank:"

ICONS = {
    STOPS: ":material/error:",
    DOUBTFUL: ":material/warning:",
    OPEN: ":material/radio_button_unchecked:",
}
"""One shape for each grade, so that it is told without colour."""

_OF_ROUND = ("progress", "judged", "required", "complete", "items", "at_k", "open", "taken",
             "finished")  # fmt: skip
_OF_LABELS = ("labels", "imported", "assessors", "cannot_judge")

PURPOSE = (
    "When the latest open round will be done, and what needs attention. Every number is updated "
    "within seconds of a new label. A judgement is one assessor's answer to one item: a level, or "
    "that it cannot be judged. What is **required** is every item of every place of the round; "
    "hidden repeats come on top, and imported labels are the baseline: they never count as "
    "progress."
)


@page("monitor", "Overview", "Progress", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show the answer, the burn-up, what needs attention, and the tables behind them."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if not context.collection_id and not context.may_change:
        needs_collection(context)
        return
    has_labels = bool(context.collection_id) and context.sequence > 0
    is_assigned = bool(context.collection_id) and keep_progress(context.study).rules is not None
    if not has_labels:
        show_steps(context, with_answer=not is_assigned)
    if has_labels or is_assigned:
        _show_round(context)


def _show_round(context: PageContext) -> None:
    progress = keep_progress(context.study)
    context.sheet.answer(plain_with_facts(progress.answer))
    if progress.others_open:
        st.caption(f"Also open: {', '.join(map(plain, progress.others_open))}.")
    left, right = st.columns([4, 3], gap="medium")
    with left:
        _show_course(progress)
    with right:
        found = find_silence(progress) + find_late(progress) + find_too_slow(progress)
        found += find_attention(context.study) + find_failing(context.study)
        show_attention(context, found + find_proposal(context.study))
    _show_topics(progress)
    _show_assessors(progress)
    if runs_of(context.study)["system"].nunique() > 1:
        show_stability(context)
    if not context.is_masked:
        _show_remarks(context)


def _show_course(progress: Progress) -> None:
    if not progress.is_open and not len(progress.times):
        _show_labels_per_item(progress)
        return
    model = " ".join(progress.notes) or f"There is no forecast: {progress.forecast}."
    parts = [one for one in (progress.course, progress.ahead) if len(one)]
    show_figure(
        draw_burn_up(progress.course, progress.required, progress.ahead),
        pd.concat(parts, ignore_index=True),
        "burn-up",
        "How many judgements of the round had been given at each time; each counts when it was "
        "first given by the one who holds the place now. The dotted line is what the round "
        f"requires. {model}",
    )


def _show_labels_per_item(progress: Progress) -> None:
    show_figure(
        draw_judged_times(progress.items, progress.judges),
        progress.items,
        "judged-times",
        "How many items one, two, three … assessors have given a level, imported labels included. "
        f"To the right of the line are the items with at least k = {progress.judges} labels. "
        "Hidden repeats by the same assessor do not count.",
    )


def show_attention(context: PageContext, findings: Sequence[Finding]) -> None:
    """List what needs attention, worst first."""
    st.header("Needs attention", anchor=False)
    if not findings:
        st.markdown("Nothing needs attention.")
    for one in findings:
        what, where = st.columns([5, 2], gap="xxsmall", vertical_alignment="center")
        what.markdown(f"{ICONS[one.grade]} **{one.kind}**: {one.what}.")
        with where:
            link_to(context, one.page)


def show_steps(context: PageContext, *, with_answer: bool) -> None:
    """List the steps, ticked where they are done; the answer says which is next."""
    steps = setup_steps(context.study)
    if with_answer:
        done = sum(step.is_done for step in steps)
        following = next(step.what for step in steps if not step.is_done)
        context.sheet.answer(
            f"Nothing is assigned: {done} of {len(steps)} steps are done. Next: {following}."
        )
    for at, step in enumerate(steps):
        with st.container(horizontal=True, vertical_alignment="center", key=f"step-{at}"):
            found = f" ({plain(step.found)})" if step.is_done and step.found else ""
            st.markdown(f"{DONE if step.is_done else TO_DO} {step.what}{found}", width="stretch")
            link_to(context, step.page)


def _show_topics(progress: Progress) -> None:
    """Show how far each topic of the round is, beside the labels that it has in all."""
    st.header("By topic", anchor=False)
    has_round = progress.rules is not None
    table = progress.topics if has_round else progress.topics.drop(columns=[*_OF_ROUND])
    k = f"at k = {progress.judges}"
    show_table(
        table,
        "topics-progress",
        "**Progress** is the share of the judgements that the round requires of a topic and that "
        "have been given. An **item** is a snippet of one engine, a page, or what stands side by "
        "side; it is **fully judged** when it lacks no answer that the round asks for, and "
        f"**{k}** when as many holders of the round's places gave it a "
        "level. A **place** is one assessor's at a topic, or at a part of it: *not begun*, *under "
        "way* from when it is opened, or *finished*. **Labels** are all that stand, **imported** "
        "those of them that came by import: these are the baseline and count as no progress.",
        column_config={
            "query": st.column_config.TextColumn("query", width="medium"),
            "complete": "fully judged",
            "open": "not begun",
            "taken": "under way",
            "at_k": k,
            "labelled": "items judged",
            "cannot_judge": "cannot judge",
            "progress": st.column_config.ProgressColumn(
                "progress", format="percent", width="small", min_value=0, max_value=1
            ),
        },
        column_order=[
            "topic_id", "query", *(_OF_ROUND if has_round else ("labelled",)), *_OF_LABELS
        ],
    )  # fmt: skip


def _show_assessors(progress: Progress) -> None:
    """Show how much each assessor has judged, in the round and in all, and how fast."""
    st.header("By assessor", anchor=False)
    table = progress.people
    in_round = ["judged", "left", "finished", "taken"] if progress.rules else []
    dropped = ["dropped"] if table["dropped"].any() else []
    show_table(
        table,
        "assessors-progress",
        "**Judged** and **left** are judgements of the round, **finished** and **under way** their "
        "places in it; **labels** are all that stand, "
        "imported ones among them. **Pace** is the median active time of a label in seconds: the "
        "time the item was on the screen while the assessor did something, breaks left out. It is "
        "empty where no time was measured, as for most imported labels. Pace alone does not show "
        "whether the work is careful.",
        column_config={
            "assessor_id": None,
            "median_seconds": st.column_config.NumberColumn("pace (s)", format="%.1f"),
            "last": st.column_config.DatetimeColumn(
                "last label (UTC)", format="D MMM YYYY, HH:mm:ss"
            ),
            "taken": "under way",
            "cannot_judge": "cannot judge",
        },
        column_order=[
            "assessor", "group", *in_round, "labels", "topics", "median_seconds", "last",
            "cannot_judge", "later",
            *dropped,
        ],
    )  # fmt: skip


def _show_remarks(context: PageContext) -> None:
    """Show comments, and items that could not be judged."""
    st.header("Comments and items that cannot be judged", anchor=False)
    table: pd.DataFrame = remarks_of(context.study)
    if table.empty:
        st.caption("There are no comments, and no item was marked as impossible to judge.")
        return
    show_table(
        table,
        "remarks",
        "Assessors' comments and the items that they could not judge, latest first. Several "
        "entries for one item usually mean that its text is broken; several for one topic, that "
        "its description is unclear.",
        column_config={
            "time": st.column_config.DatetimeColumn("time (UTC)", format="D MMM, HH:mm"),
            "topic_id": None,
            "comment": st.column_config.TextColumn("comment", width="medium"),
        },
        column_order=[
            "time", "assessor", "query", "document_id", "facet", "engine", "label", "comment"
        ],
    )  # fmt: skip


def show_stability(context: PageContext) -> None:
    """Compare today's ranking with those of earlier states, once this part is opened."""
    asked = st.expander("Is the ranking stable?", key=OPENED, on_change="rerun")
    if not asked.open:
        return
    with asked:
        rows = ranking_stability(context.study)
        declared = declared_of(context.study)
        measure, version = plain(declared.measure), plain(declared.version)
        st.markdown(describe_stability(rows, measure))
        if rows["tau"].notna().any():
            show_figure(
                draw_stability(rows, STABLE),
                rows,
                "stability",
                f"Kendall's τ-b between the order of the systems by mean {measure} now and after "
                "10 %, 20 %, … of the labels in the order in which they came; imported labels "
                "come in the order of their files. The judgements are those of the version "
                f"*{version}*. From τ = {STABLE:g} on, two rankings are commonly taken for the "
                "same (Voorhees 2000). A ranking at rest is not yet a right one: all states share "
                "the same pool and the same assessors.",
            )


def link_to(context: PageContext, path: str) -> None:
    """Show a link to the page at an address, if it exists for whoever looks."""
    found = next((one for one in PAGES if one.path == path and one.open_to(context)), None)
    if found is None:
        return
    target = st.Page(found.run, title=found.title, url_path=found.path)
    icon = ":material/arrow_forward:"
    st.page_link(target, label=found.title, icon=icon, query_params=context.address)
