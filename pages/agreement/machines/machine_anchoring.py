"""What showing a machine's levels did: halves, assessors, and drift of first labels."""

import pandas as pd
import streamlit as st

from core.analysis.agreement.machine_anchoring import (
    answer_anchoring,
    drift_of,
    halves_by_assessor,
    halves_of,
    require_showing,
    showing_rounds_of,
    shown_labels_of,
)
from core.analysis.base.labels import names_of
from core.errors import TooLittleData
from core.figures.machines import draw_halves
from core.machines.anchoring import REVISED
from core.wording import count
from pages.shared.figure import show_figure, show_table
from pages.shared.session import PageContext

NO_ROUND = (
    "No round shows a machine's levels. Choose one under *Judging*, *Rounds*, *More options* when "
    "you open a round of pages: once all of a topic is judged, its assessor is then told what the "
    "machine said of a random half of them."
)
_EXPLANATION = (
    "For each assessor, a random half of the pages that the machine had judged is drawn; of these "
    "the machine's level is shown once the assessor has judged all of the topic. **revised**: the "
    "last label is another than the first, whenever it was changed; what was changed before the "
    "end of the topic is so in both halves alike. **towards the machine**: it is nearer to the "
    "machine's level. First labels were given before anything was shown, so they check the draw. "
    "The difference is *shown* less *not shown* with its 95 % interval; topics are what is "
    "sampled. Pages count in the half that was drawn for them."
)
_DRIFT = (
    "How far **first** labels, given before anything was shown of their page, agree with the "
    "machine in the first and in the second half of each assessor's labels. A rise among those who "
    "were shown more may be what they took over from the machine; it may also be that other topics "
    "came later: nothing was drawn at random here."
)
_NUMBER = st.column_config.NumberColumn


def show_anchoring(context: PageContext, round_id: str = "") -> None:
    """Show what showing a machine's levels did in a round; of several, one is chosen here.

    Parameters
    ----------
    context : PageContext
        Whose page it is, and which collection.
    round_id : str, optional
        The round, where it is chosen elsewhere already.
    """
    rounds = showing_rounds_of(context.study)
    if not rounds:
        st.info(NO_ROUND)
        return
    chosen = round_id or _choose(rounds)
    showing = require_showing(context.study, chosen)
    try:
        halves = halves_of(context.study, chosen)
    except TooLittleData as error:
        st.info(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return
    st.markdown(answer_anchoring(halves, showing.called))
    _tell_missed(context, chosen)
    show_figure(draw_halves(halves), halves, "anchoring-halves", _EXPLANATION)
    _show_halves(halves)
    _show_assessors(context, chosen)
    _show_drift(context, chosen)


def _choose(rounds: dict[str, str]) -> str:
    if len(rounds) == 1:
        return next(iter(rounds))
    chosen: str = st.selectbox(
        "Round",
        list(rounds),
        index=len(rounds) - 1,
        format_func=rounds.__getitem__,
        key="anchoring-round",
    )
    return chosen


def _tell_missed(context: PageContext, round_id: str) -> None:
    """Say of how many labels nothing was told although it was to be."""
    labels = shown_labels_of(context.study, round_id)
    missed = int((labels["shown"] & ~labels["told"]).sum())
    if missed:
        st.caption(
            f"After {count(missed, 'label')} of the shown half nothing was told: the round was "
            "closed, or the label was taken back at once. What was judged counts in the half that "
            "was drawn."
        )


def _show_halves(halves: pd.DataFrame) -> None:
    show_table(halves, "anchoring-questions", _EXPLANATION, column_config=_columns())


def _show_assessors(context: PageContext, round_id: str) -> None:
    """Show the halves of each assessor, revisions first."""
    names = names_of(context.study)
    rows = halves_by_assessor(context.study, round_id)
    rows = rows.assign(assessor=rows["assessor_id"].map(names)).drop(columns="assessor_id")
    revised = rows[rows["question"] == REVISED]
    st.markdown("**By assessor: share of labels revised**")
    show_table(
        revised,
        "anchoring-assessors",
        f"A row for each assessor. {_EXPLANATION}",
        column_order=["assessor", *_columns(), "topics", "method", "reason"],
        column_config=_columns() | {"question": None},
    )


def _show_drift(context: PageContext, round_id: str) -> None:
    names = names_of(context.study)
    rows = drift_of(context.study, round_id)
    who = rows["whose"].mask(rows["whose"] == "", rows["assessor_id"].map(names))
    st.markdown("**First labels early and late**")
    show_table(
        rows.assign(assessor=who).drop(columns=["whose", "assessor_id"]),
        "anchoring-drift",
        _DRIFT,
        column_order=[
            "assessor", "shown_items", "early", "late", "difference", "low", "high",
            "topics", "method", "reason",
        ],
        column_config=_columns()
        | {
            "shown_items": "shown",
            "early": _NUMBER("early", format="percent"),
            "late": _NUMBER("late", format="percent"),
        },
    )  # fmt: skip


def _columns() -> dict[str, object]:
    share = {
        name: _NUMBER(title, format="percent")
        for name, title in (
            ("shown", "shown"), ("other", "not shown"), ("difference", "difference"),
            ("low", "from"), ("high", "to"),
        )
    }  # fmt: skip
    return {
        "question": "what",
        **share,
        "shown_items": "labels shown",
        "other_items": "labels not shown",
    }
