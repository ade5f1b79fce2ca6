"""Whether the User Disagreement Model holds for a collection's own assessors."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.analysis.agreement.verification import ask_verification, share_documents
from core.analysis.base.study import scales_of
from core.collection.records import counted_levels
from core.disagreement.model_fit import FEW_ITEMS, ROUGHLY, WELL, select_predictions
from core.figures.verification import draw_chances, draw_predictions
from core.reports.verification import WANTED, ModelVerification, VerificationQuestion
from core.wording import count, plain, plain_with_facts
from pages.agreement.user_disagreement.consistency import show_consistency
from pages.agreement.user_disagreement.robustness import show_robustness
from pages.shared.facet_widgets import choose_facet
from pages.shared.figure import show_figure, show_report
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

PURPOSE = (
    "The weights on the page *Level weights* follow from two labels an item and a simple model of "
    "users. Here the model is put to the test: where many people judged the same item, its "
    "predictions are compared with what they said (Demeester et al. 2014)."
)
GROUPED = {"topic": "a document for one topic", "document": "a document, all topics together"}


@page("verification", "Agreement", "Does the model hold?", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show draws beside predictions, then repeats beside other people, then mutual scores."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    facet = choose_facet(context, "verify-facet")
    with context.sheet.options:
        group_by = _choose_grouping(context, facet)
        levels = counted_levels(scales_of(context.study)[facet])
        tops = list(levels)[:0:-1]
        top = st.selectbox(
            "Top level", tops, format_func=levels.__getitem__, key=f"verify-top-{facet}"
        )
        found = ask_verification(context.study, facet, VerificationQuestion(top, group_by))
        most = found.most_labels
        least = _choose_least(most, found.min_labels, f"{facet}-{group_by}") if most > 1 else 0
    if most < 2:
        context.sheet.tell(
            f"No two assessors have judged the same {facet} yet, so there is nothing to test the "
            f"model on. Let {WANTED} assessors judge the same topics, two or three of them: on the "
            "page *Rounds*, open a round in which each topic goes to six."
        )
        return
    drawn = ask_verification(context.study, facet, replace(found.question, min_labels=least))
    with st.spinner("Drawing labels"):
        _ = drawn.draws
    _show_predictions(context, drawn)
    _say_data(drawn)
    _show_chances(drawn)
    show_consistency(found)
    show_robustness(found, facet)


def _choose_grouping(context: PageContext, facet: str) -> str:
    """Let the organiser say what an item is, where documents belong to several topics."""
    if not share_documents(context.study, facet):
        return "topic"
    chosen = st.selectbox(
        "An item is", list(GROUPED), format_func=GROUPED.__getitem__, key=f"verify-item-{facet}"
    )
    return str(chosen)


def _choose_least(most: int, usual: int, which: str) -> int:
    """Let the organiser choose how many labels an item needs."""
    chosen = st.number_input(
        "Labels an item needs",
        2,
        most,
        usual,
        key=f"verify-least-{which}-{most}",
        help="Items with fewer labels are left out. With more labels needed, more users can be "
        "looked at, but fewer items remain. An assessor's hidden repeats count as labels, too.",
    )
    return int(chosen)


def _say_data(drawn: ModelVerification) -> None:
    """Say what the figures are based on, and what would be needed where that is little."""
    for note in drawn.notes:
        st.info(plain(f"{note[:1].upper()}{note[1:]}."))
    if drawn.draws.items >= FEW_ITEMS:
        st.caption(f"{count(drawn.draws.items, 'item')} with {drawn.min_labels} labels or more.")


def _show_chances(drawn: ModelVerification) -> None:
    st.header("Are two labels per item enough?")
    rows, top = _name(drawn, drawn.chances), drawn.labels.name(drawn.top)
    if said := drawn.tell_chances():
        st.markdown(plain_with_facts(said))
    show_figure(
        draw_chances(rows, top),
        rows,
        "chances-by-labels",
        "For each item, one label is drawn at random, then 1, 2 … of the others; dots are the "
        "share of top labels among these, with one standard deviation over 50 repeats of "
        "redrawing. Flat lines mean that a second label per item is enough to estimate the "
        "probability; lines far apart mean that a level predicts what others will say. The "
        "standard deviation is that of redrawing the same labels, no sampling error; the data "
        f"has 95 % limits over {drawn.draws.unit}s, by the jackknife.",
        nobody=("name",),
    )


def _name(found: ModelVerification, table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(name=table["level"].map(found.labels.name))


def _show_predictions(context: PageContext, drawn: ModelVerification) -> None:
    said = plain_with_facts(drawn.answer)
    if drawn.fit is None:
        context.sheet.tell(said)
        return
    context.sheet.answer(said)
    table = _name(drawn, drawn.weights)
    table = table.assign(difference=table["observed"] - table["predicted"])
    rows = select_predictions(table, drawn.top)
    with context.sheet.choices:
        at_least = _choose_at_least(int(rows["at_least"].max()))
    left, right = st.columns(2)
    with left:
        show_figure(
            draw_predictions(rows[rows["at_least"] == at_least], at_least),
            rows,
            "predicted-observed",
            f"Markers: how often at least {at_least} of N people, the first of whom gave the "
            "level named, called an item top; with one standard deviation over 50 repeats of "
            "redrawing. Lines: what the model predicts from the probability above, dotted for "
            "one standard deviation more or less.",
            nobody=("name",),
        )
    with right:
        _show_weights(drawn, rows)


def _choose_at_least(most: int) -> int:
    """Let the organiser choose M, where there is a choice."""
    if most < 2:
        return 1
    return st.slider("M, at least so many find it top", 1, most, key=f"verify-m-{most}", width=260)


def _show_weights(drawn: ModelVerification, rows: pd.DataFrame) -> None:
    show_report(
        drawn,
        "weights",
        "predicted-observed-table",
        "The share of items that at least M of N people find top, the first of whom gave the "
        "**level**: observed (mean and standard deviation over 50 repeats of redrawing, which is "
        f"no sampling error; **from**, **to**: the 95 % interval over {drawn.draws.unit}s) and "
        f"predicted. A mean error of up to {WELL} on average from N = 3 on counts as holding well, "
        f"up to {ROUGHLY} as roughly; 1 of 2 is what the prediction was estimated from. The model "
        "assumes that people differ equally on all items of a level; where some items divide "
        "people more than others, it predicts too much for M = 1 and too little for larger M.",
        rows=rows.sort_values("level", ascending=False, kind="stable"),
        height=420,
        written={"level": drawn.labels.name},
    )
