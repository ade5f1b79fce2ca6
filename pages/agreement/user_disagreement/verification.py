"""Whether the User Disagreement Model holds for a collection's own assessors.

The test of the model has two more parts: assessors' hidden repeats beside the labels of others,
and one assessor's labels scored by another's.
"""

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.analysis.agreement.user_disagreement import ask_verification, share_documents
from core.analysis.base.study import scales_of
from core.collection.records import counted_levels
from core.comparison.robustness import FEWEST_ITEMS
from core.disagreement.consistency import CROSS, SELF
from core.disagreement.model_fit import FEW_ITEMS, select_predictions
from core.disagreement.verification import WANTED
from core.errors import BadInput, TooLittleData
from core.figures.verification import draw_chances, draw_predictions, draw_samples
from core.reports.verification import ModelVerification, VerificationQuestion
from core.wording import count, plain, plain_with_facts
from pages.shared.facet_widgets import choose_facet, tell_labels
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
    tell_labels(context, facet)
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
    if sentence := drawn.tell_chances():
        st.markdown(plain_with_facts(sentence))
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
    answer = plain_with_facts(drawn.answer)
    if drawn.fit is None:
        context.sheet.tell(answer)
        return
    context.sheet.answer(answer)
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
            "the limits of that probability.",
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
        "predicted. The model does not hold where so many predictions from N = 3 on are outside "
        "the interval as chance leaves outside in fewer than 5 of 100 studies; two users are what "
        "the prediction was estimated from. The model assumes that people differ equally on all "
        "items of a level; where some items please more people than others do, it predicts too "
        "much for M = 1 and too little for larger M.",
        rows=rows.sort_values("level", ascending=False, kind="stable"),
        height=420,
        written={"level": drawn.labels.name},
    )


WHO = {SELF: "the same person again", CROSS: "another person"}


def show_consistency(found: ModelVerification) -> None:
    """Show whether people differ from others more than from themselves."""
    st.header("Do assessors agree with themselves?")
    try:
        with st.spinner("Sampling repeats"):
            consistency = found.consistency
    except TooLittleData:
        st.info(
            f"Nobody has judged the same {found.labels.facet} twice yet, so inconsistency of one "
            "assessor cannot be told apart from disagreement between assessors. On the page "
            "*Rounds*, open a round with a share of hidden repeats, 10 % say; about 30 repeats of "
            "top items are a start."
        )
        return
    (st.markdown if found.knows_repeats else st.info)(plain_with_facts(found.consistency_answer))
    name, top = found.labels.name, found.labels.name(found.top)
    rows = consistency.histogram(0.02)
    rows = rows.assign(name=rows["within"].map(WHO), of=rows["level"].map(name))
    left, right = st.columns(2)
    with left:
        own = rows[rows["level"] == found.top]
        show_figure(
            draw_samples(own, top),
            own,
            "self-cross",
            f"An item that somebody calls **{plain(top)}**: the probability that the same "
            "person gives this level again, and that another person does. Histograms over 1,000 "
            "samples of one label per assessor and item, on items with repeats. If the histograms "
            "are apart, assessors agree with themselves more than with each other (the verdict "
            "requires this in 97.5 % of samples). If they overlap, assessors differ from "
            "themselves as much as from each other. Other items or people would add to the spread.",
            nobody=("name", "of"),
        )
    with right:
        others = rows[(rows["level"] < found.top) & (rows["within"] == CROSS)]
        show_figure(
            draw_samples(others.assign(name=others["of"]), top),
            others,
            "cross-by-level",
            f"How likely another person says **{plain(top)}** where one gave a lower "
            "level, over the same samples. Where the histograms of two levels are apart, the two "
            "levels remain distinct despite assessors' inconsistency.",
            nobody=("name", "of"),
        )
    _show_table(found)


def _show_table(found: ModelVerification) -> None:
    with st.expander("The same as a table"):
        show_report(
            found,
            "repeats",
            "self-cross-table",
            "**p(top | level)**, given the level of one label: mean and standard deviation over "
            "the samples of the same labels; other items or people would add to it.",
            written={"level": found.labels.name},
        )


def show_robustness(found: ModelVerification, facet: str) -> None:
    """Show how well one assessor's best ranking does by another assessor's labels."""
    st.header("How well can any system do?")
    try:
        with st.spinner("Scoring assessors against each other"):
            answer = found.mutual_answer
    except TooLittleData:
        st.info(
            f"No two assessors have judged the same {FEWEST_ITEMS} {facet}s of a topic. Let two "
            "assessors judge the same topics to that depth; use five topics or more."
        )
        return
    except BadInput as error:
        st.info(plain(str(error)))
        return
    if not answer:
        st.info("No topic has a score: neither assessor gives any item a level with a gain.")
        return
    st.markdown(plain_with_facts(answer))
    show_report(
        found,
        "mutual",
        "robustness",
        "One assessor's labels rank the items, best level first, and another's score that "
        "ranking; mean and standard deviation over topics and the 95 % interval of the mean "
        "(topics are what is sampled), both ways round, ties in random order. A high mean with a "
        "small deviation shows a measure that is robust to disagreement. **N** is the number of "
        "users of the UDM weights, estimated on all other topics. The means of "
        "different measures are on different scales: a higher one alone does not make a measure "
        "better.",
    )
