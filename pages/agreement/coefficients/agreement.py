"""How far assessors agree: all pairs, one pair in detail, and topic by topic.

The agreement page also has parts on each round of judging, on every coefficient (overall, by group
and by engine), on aspects: agreement on each, and how it goes with relevance; and on passages: how
far assessors marked the same, and one item's text.
"""

from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from core.agreement.base import (
    COEFFICIENTS,
    Coefficient,
    PairCoefficient,
    PanelCoefficient,
)
from core.agreement.coefficients import Kappa, Raw
from core.agreement.passages import F1
from core.analysis.agreement.afterwards import was_opened
from core.analysis.agreement.between_assessors import (
    MEASURES,
    agreement_of,
    agreement_of_aspects,
    agreement_of_groups,
    agreement_of_parts,
    agreement_of_rounds,
    pairs_of_assessors,
)
from core.analysis.agreement.passages import (
    Piece,
    ask_passages,
    cut_text,
    has_passages,
    passages_by_item,
)
from core.analysis.base.study import aspects_of
from core.errors import TooLittleData
from core.figures.agreement import draw_intervals, draw_pair_matrix
from core.figures.distributions import draw_spread
from core.numerals import write_limits, write_number
from core.reports.agreement import FEW_COMMON, MOST_DIFFERENCES
from core.store.events.labels import Key
from core.wording import plain_with_facts
from pages.agreement.coefficients.agreement_afterwards import SEEN, show_seen
from pages.agreement.coefficients.agreement_topics import (
    MANY_ROWS,
    MOST_ROWS,
    show_pair,
    show_topic_sets,
)
from pages.shared.facet_widgets import TWO_ASSESSORS, choose_aspect, choose_facet, tell_labels
from pages.shared.figure import show_figure, show_report, show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
from pages.shared.wording import needs_collection, show_notes, tell_given, tell_left_out

PURPOSE = (
    "How far assessors who judged the same items gave the same levels. κ is agreement beyond "
    "chance: 1 is complete agreement, 0 is chance; *linear* means that near misses count in part. "
    "A low κ tells you that people differ, not who is right: where the information need is "
    "ambiguous, both may be."
)
LINEAR, UNWEIGHTED, RAW = Kappa("linear"), Kappa(), Raw()
EVERYBODY = "Everybody"
PART = "agreement-part"
SIDE_BY_SIDE = 8
MOST_IN_FOREST, WORST = 30, 20
"""Up to how many people each pair is drawn; of more, how many of the lowest pairs."""

MOST_LISTED = 1_000
"""Rows of the table of pairs."""


@page("agreement", "Agreement", "Pairs and topics", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show all pairs, one pair, and topics."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    context = choose_aspect(context, "agreement-aspect")
    facet = choose_facet(context, "agreement-facet")
    tell_left_out(context)
    tell_given(context)
    found = agreement_of(context.study, facet)
    try:
        pairs = pairs_of_assessors(context.study, facet)
    except TooLittleData as error:
        context.sheet.tell(f"{str(error)[:1].upper()}{str(error)[1:]}. {TWO_ASSESSORS}")
        return
    if not pairs["n"].any():
        context.sheet.tell(f"No two assessors have judged the same {facet} yet. {TWO_ASSESSORS}")
        return
    overall = found.overall.set_index("coefficient").loc[list(MEASURES)]
    context.sheet.answer(plain_with_facts(found.answer))
    tell_labels(context, facet)
    show_notes(found.notes)
    _show_pairs(context, pairs)
    parts = {
        "All pairs": lambda: _list_pairs(pairs, overall),
        "One pair": lambda: show_pair(context, facet, pairs),
        "Topics": lambda: show_topic_sets(context, facet),
        "Rounds": lambda: show_rounds(context, facet),
        "Coefficients": lambda: show_coefficients(context, facet),
    }
    if aspects_of(context.study):
        parts["Aspects"] = lambda: show_aspects(context, facet)
    if has_passages(context.study, facet):
        parts["Passages"] = lambda: show_passages(context, facet)
    if was_opened(context.study):
        parts[SEEN] = lambda: show_seen(context, facet)
    show_parts(PART, parts)


def _list_pairs(pairs: pd.DataFrame, overall: pd.DataFrame) -> None:
    people = len({*pairs["first"], *pairs["second"]})
    _show_pair_table(pairs)
    _show_overall(overall)
    if SIDE_BY_SIDE < people <= MOST_IN_FOREST:
        _show_matrix(pairs)


def _show_overall(overall: pd.DataFrame) -> None:
    rows = overall.to_dict("index")
    with st.container(horizontal=True):
        for measure in (LINEAR, UNWEIGHTED, RAW):
            row = rows[str(measure)]
            known = not np.isnan(row["value"])
            st.metric(
                f"{measure.title.capitalize()}, all pairs",
                write_number(row["value"]) if known else "not defined",
                write_limits(row["low"], row["high"]) if not row["reason"] else row["reason"],
                delta_color="off",
                delta_arrow="off",
                border=True,
            )
    st.caption(
        f"Pooled over {int(overall['pairs'].iloc[0]):,} pairs with {int(overall['n'].iloc[0]):,} "
        "common items in all; below each value its 95 % interval; topics are what is sampled. "
        f"Pairs with fewer than {FEW_COMMON} common items are left out where others have more."
    )


def _show_pairs(context: PageContext, pairs: pd.DataFrame) -> None:
    """Draw every pair, or for a crowd how the pairs are spread and the lowest of them."""
    people = sorted({*pairs["first"], *pairs["second"]})
    if len(people) > MOST_IN_FOREST:
        _show_crowd(pairs)
        return
    whose = EVERYBODY
    if len(people) > 3:
        with context.sheet.choices:
            whose = st.selectbox(
                "Whose pairs",
                [EVERYBODY, *people],
                key="agreement-whose",
                bind="query-params",
                label_visibility="collapsed",
                width=200,
            )
    if len(people) > SIDE_BY_SIDE:
        _show_forest(pairs, whose, MOST_ROWS)
        return
    left, right = st.columns(2)
    with left:
        _show_forest(pairs, whose, MOST_ROWS)
    with right:
        _show_matrix(pairs)


def _show_matrix(pairs: pd.DataFrame) -> None:
    show_figure(
        draw_pair_matrix(pairs.rename(columns={"linear": "value"})),
        pairs,
        "agreement-matrix",
        "Linear weighted κ of every two assessors; the stronger the colour, the higher, and cells "
        "of pairs without common items are empty. Look for a row that is fainter than the others: "
        "that assessor differs from everybody else, perhaps through carelessness or another "
        "understanding of the task.",
    )


def _show_crowd(pairs: pd.DataFrame) -> None:
    """Draw how κ spreads over the pairs of a crowd, and the pairs that agree least."""
    counted = pairs[(pairs["n"] >= FEW_COMMON) & pairs["linear"].notna()]
    if counted.empty:
        st.info(f"No pair has {FEW_COMMON} common items with a defined κ.")
        return
    left, right = st.columns(2)
    with left:
        show_figure(
            draw_spread(counted["linear"], x=LINEAR.title, y="pairs of assessors"),
            pairs,
            "agreement-spread",
            f"How linear weighted κ spreads over the {len(counted):,} pairs with at least "
            f"{FEW_COMMON} common items; the line is the median. With so few items a single κ is "
            "uncertain, so the spread is wider than that of the pairs' true values.",
        )
    with right:
        _show_forest(counted, EVERYBODY, WORST)


def _show_forest(pairs: pd.DataFrame, whose: str, most: int) -> None:
    shown = pairs[pairs["linear"].notna()]
    if whose != EVERYBODY:
        shown = shown[(shown["first"] == whose) | (shown["second"] == whose)]
    if shown.empty:
        st.info("κ is not defined for these pairs; the table below says why.")
        return
    rows = shown.sort_values("linear", ascending=False).assign(
        name=shown["first"] + " – " + shown["second"],
        value=shown["linear"],
        counted=shown["n"] >= FEW_COMMON,
    )
    drawn = rows.tail(most)
    if len(rows) > len(drawn):
        st.caption(f"The {most} lowest of {len(rows):,} pairs; *Data* has them all.")
    with st.container(height=560 if len(drawn) > MANY_ROWS else "content", border=False):
        show_figure(
            draw_intervals(drawn),
            rows,
            "agreement-intervals",
            "Linear weighted κ of each pair with its 95 % interval, highest first. The pair's "
            "topics are what is sampled (jackknife): with few topics an interval is wide, with one "
            "there is none. An interval that covers 0 is compatible with chance. Two pairs whose "
            "intervals overlap may still differ. Hollow dots are based on fewer than 10 common "
            "items.",
        )


def _show_pair_table(pairs: pd.DataFrame) -> None:
    if len(pairs) > MOST_LISTED:
        st.caption(
            f"The {MOST_LISTED:,} of {len(pairs):,} pairs with the most common items; the data of "
            "the figure above has all."
        )
    show_table(
        pairs.head(MOST_LISTED),
        "agreement-pairs",
        "**common items**: judged by both, on so many **topics**. **linear weighted κ** with its "
        "95 % interval; **unweighted κ** counts only equal levels; **raw agreement** is the plain "
        "share of equal levels with its interval, not corrected for chance. The pair's topics are "
        "what is sampled. *why empty* gives the reason where there is no value or no interval: κ "
        "is not defined when both used one level only.",
        column_config={
            "first_id": None,
            "second_id": None,
            "n": "common items",
            "linear": LINEAR.title,
            "unweighted": UNWEIGHTED.title,
            "raw": RAW.title,
            "raw_low": "from",
            "raw_high": "to",
        },
    )


def show_rounds(context: PageContext, facet: str) -> None:
    """Show κ within each round, once there are labels of one."""
    rows = agreement_of_rounds(context.study, facet)
    if rows.empty:
        st.info(f"No {facet} was judged in a round yet. Imported labels are of no round.")
        return
    show_report(
        agreement_of(context.study, facet),
        "rounds",
        "agreement-by-round",
        "Linear weighted κ of the labels that were given in each round, pooled over its pairs "
        "of assessors, with its 95 % interval; topics are what is sampled. Imported labels are "
        "of no round. Two rounds whose intervals overlap may still differ.",
        rows=rows,
    )


CHOOSING = (
    "They correct for chance in different ways. Intervals are 95 %; topics are what is sampled. "
    "Where the coefficients disagree, look at how unevenly the levels are used before you choose "
    "one."
)
GROUPS = (
    "Linear weighted κ of pairs of assessors by the groups of the two. Topics are what is sampled."
)
DIFFERENCES = (
    "The differences between these: an interval that does not contain 0 is evidence of a real "
    "difference. Topics are what is sampled."
)
PARTS = {
    "engine": "Agreement on the snippets of each engine. An engine on whose snippets people "
    "disagree may return ambiguous results, or write uninformative snippets.",
    "vertical": "Agreement on the snippets of each vertical, the kind of source that an engine "
    "searches. People can disagree more about pictures than about news, say, without being less "
    "careful.",
    "type of topic": "Agreement on the topics of each type. Where it is low, check whether the "
    "topics of that type say clearly what is wanted.",
}


def show_coefficients(context: PageContext, facet: str) -> None:
    """Show every coefficient, and linear weighted κ by group and by engine."""
    found = agreement_of(context.study, facet)
    show_report(found, "overall", "agreement-coefficients", explain_coefficients())
    groups = agreement_of_groups(context.study, facet)
    if len(groups):
        st.header("By group")
        show_report(found, "groups", "agreement-groups", GROUPS, rows=groups)
        if found.count_differences() <= MOST_DIFFERENCES and len(found.differences):
            show_report(found, "differences", "agreement-group-differences", DIFFERENCES)
    for part, meaning in PARTS.items():
        table = agreement_of_parts(context.study, facet, part)
        if len(table):
            st.header(f"By {part}")
            name = f"agreement-by-{part.replace(' ', '-')}"
            heads = {"part": part}
            show_report(found, "engines", name, meaning, rows=table, column_config=heads)


def explain_coefficients() -> str:
    """Return what each coefficient is, those of pairs of assessors first."""
    kinds = (
        ("Pooled over pairs of assessors", PairCoefficient),
        ("Of all assessors at once", PanelCoefficient),
    )
    listed = [
        f"{what}: {'; '.join(_explain(one) for one in COEFFICIENTS if issubclass(one, kind))}."
        for what, kind in kinds
    ]
    return "  \n".join([*listed, CHOOSING])


def _explain(entry: type[Coefficient]) -> str:
    return f"**{entry.symbol}**, {entry.description}"


def show_aspects(context: PageContext, facet: str) -> None:
    """Show each aspect of a facet beside relevance."""
    rows = agreement_of_aspects(context.study, facet)
    if rows.empty:
        st.info(f"No aspect is asked of {facet}s.")
        return
    show_table(
        rows,
        "agreement-aspects",
        "What else was judged of the same items. Linear weighted κ over all pairs of assessors, "
        "with its 95 % interval; **topics** are what is sampled. **τ with relevance** is Kendall's "
        "τ-b between an item's mean level of the aspect and its mean relevance, over the **items** "
        "that have both from the same assessors: near 1 the aspect repeats relevance, near 0 it "
        "says something of its own. An aspect that is asked only from some level on is compared "
        "with those levels only, which brings τ nearer to 0. Choose an aspect above to see its "
        "pairs and topics.",
        column_config={
            "value": LINEAR.title,
            "units": "topics",
            "tau": "τ with relevance",
        },
    )


PASSAGE_ITEMS = (
    "One row for each item in which two assessors or more marked passages; the lowest **F1** comes "
    "first. F1 of two assessors is twice the characters that both marked, over the sum of what "
    "each marked: 1 where they marked the same, 0 where nothing is in common; of more, it is the "
    "mean over pairs. Who marked nothing takes no part. A low F1 tells that people looked at "
    "different places, not who was right."
)
PASSAGE_SPREAD = (
    "How F1 spreads over the items; the line is the median. Its mean is given above with a 95 % "
    "interval in which topics are what is sampled (jackknife). α is Krippendorff's, nominal, with "
    "each character of each text as a unit: 0 is what chance gives to people who mark as much as "
    "these do, 1 is complete agreement. Long texts count more in it."
)
_LONGEST_TITLE = 70
_PIECE = '<u style="text-decoration-thickness:{px}px;text-underline-offset:.25em">{text}</u>'
_COUNT = '<sup style="font-weight:600;font-size:.7em">{n}</sup>'
_TEXT = (
    '<div role="region" aria-label="Text with marks" tabindex="0" style="max-height:30rem;'
    "overflow-y:auto;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.9;max-width:70ch"
    '" dir="auto">{}</div>'
)


def show_passages(context: PageContext, facet: str) -> None:
    """Show agreement on passages, how it spreads, item by item, and the text of one item."""
    report = ask_passages(context.study, facet)
    st.markdown(plain_with_facts(report.answer))
    show_notes(report.notes)
    items = passages_by_item(context.study, facet)
    if items.empty:
        return
    show_figure(
        draw_spread(items[F1], x="F1", y="items"), items, "agreement-passages", PASSAGE_SPREAD
    )
    show_report(report, "items", "agreement-passage-items", PASSAGE_ITEMS, rows=items)
    _show_marked(context, facet, items)


def _show_marked(context: PageContext, facet: str, items: pd.DataFrame) -> None:
    """Show the text of one item with who marked what."""
    ids = list(zip(items["topic_id"], items["document_id"], items["engine"], strict=True))
    scored = zip(items[F1].map("{:.3f}".format), items["query"], items["title"], strict=True)
    names = {
        one: " · ".join(filter(None, (f1, query, title[:_LONGEST_TITLE], *one[1:])))
        for one, (f1, query, title) in zip(ids, scored, strict=True)
    }
    topic_id, document_id, engine = st.selectbox(
        "Item, lowest F1 first",
        ids,
        format_func=names.__getitem__,
        key=f"agreement-passage-{facet}",
    )
    pieces = cut_text(context.study, Key(topic_id, document_id, facet, engine, "", 0))
    people = sorted({one for piece in pieces for one in piece.assessors})
    st.caption(f"Marked by {', '.join(people)}. The number is how many marked the passage.")
    with st.container(border=True):
        st.html(write_pieces(pieces))


def write_pieces(pieces: list[Piece]) -> str:
    """Return a text as HTML: the more assessors marked a piece, the thicker the line below it."""
    written = []
    for piece in pieces:
        text, n = escape(piece.text), len(piece.assessors)
        written.append(_PIECE.format(px=1 + n, text=text) + _COUNT.format(n=n) if n else text)
    return _TEXT.format("".join(written))
