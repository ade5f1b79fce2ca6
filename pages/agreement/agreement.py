"""How far assessors agree: all pairs, one pair in detail, and topic by topic."""

import numpy as np
import pandas as pd
import streamlit as st

from core.agreement.coefficients import Kappa, Raw
from core.analysis.agreement.between_assessors import MEASURES, matrices_of, pairs_of_assessors
from core.errors import TooLittleData
from core.figures.agreement import draw_intervals, draw_pair_matrix
from pages.agreement.agreement_coefficients import every_coefficient, show_coefficients
from pages.agreement.agreement_pair import show_pair
from pages.agreement.agreement_topics import MANY_ROWS, MOST_ROWS, show_topic_sets
from pages.shared.facet_widgets import TWO_ASSESSORS, choose_facet
from pages.shared.figure import show_figure, show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

PURPOSE = (
    "How far assessors who judged the same items gave the same levels. κ is agreement beyond "
    "chance: 1 is complete agreement, 0 is chance; *linear* means that near misses count in part. "
    "A low κ tells you that people differ, not who is right: where the information need is "
    "ambiguous, both may be."
)
LINEAR, UNWEIGHTED, RAW = Kappa("linear"), Kappa(), Raw()
EVERYBODY = "Everybody"
SIDE_BY_SIDE = 8


@page("agreement", "Watch", "Agreement", ":material/handshake:", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show all pairs, one pair, and topics."""
    keep_fresh(context)
    st.markdown(PURPOSE)
    if needs_collection(context):
        return
    facet = choose_facet(context, "agreement-facet")
    try:
        matrices_of(context.study, facet)
    except TooLittleData as error:
        st.info(f"{str(error)[:1].upper()}{str(error)[1:]}. {TWO_ASSESSORS}")
        return
    pairs = pairs_of_assessors(context.study, facet)
    if not pairs["n"].any():
        st.info(f"No two assessors have judged the same {facet} yet. {TWO_ASSESSORS}")
        return
    _show_overall(context, facet)
    _show_pairs(pairs)
    st.divider()
    show_pair(context, facet, pairs)
    st.divider()
    show_topic_sets(context, facet)
    st.divider()
    show_coefficients(context, facet)


def _show_overall(context: PageContext, facet: str) -> None:
    overall = every_coefficient(context, facet).set_index("coefficient").loc[list(MEASURES)]
    titles = {LINEAR: "κ, linear", UNWEIGHTED: "κ, unweighted", RAW: "Same level"}
    with st.container(horizontal=True):
        for measure, title in titles.items():
            row = overall.loc[str(measure)]
            known = not np.isnan(row["value"])
            st.metric(
                f"{title}, all pairs",
                f"{row['value']:.2f}" if known else "not defined",
                f"{row['low']:.2f} to {row['high']:.2f}" if not row["reason"] else row["reason"],
                delta_color="off",
                delta_arrow="off",
                border=True,
            )
    st.caption(
        f"Pooled over {int(overall['pairs'].iloc[0]):,} pairs with {int(overall['n'].iloc[0]):,} "
        "common items in all; below each value its 95 % interval; topics are what is sampled. "
        "Pairs with fewer than 10 common items are left out where others have more."
    )


def _show_pairs(pairs: pd.DataFrame) -> None:
    st.subheader("Every pair")
    names = sorted({*pairs["first"], *pairs["second"]})
    left, right = st.columns(2) if len(names) <= SIDE_BY_SIDE else (st.container(), st.container())
    with left:
        whose = EVERYBODY
        if len(names) > 3:
            whose = st.selectbox("Whose pairs", [EVERYBODY, *names], key="agreement-whose")
        _show_forest(pairs, whose)
    with right:
        show_figure(
            draw_pair_matrix(pairs.rename(columns={"linear": "value"})),
            pairs,
            "agreement-matrix",
            "Linear weighted κ of every two assessors; darker is higher, and cells of pairs "
            "without common items are empty. Look for a row that is lighter than the others: that "
            "assessor differs from everybody else, perhaps through carelessness or another "
            "understanding of the task.",
        )
    _show_pair_table(pairs)


def _show_forest(pairs: pd.DataFrame, whose: str) -> None:
    shown = pairs[pairs["linear"].notna()]
    if whose != EVERYBODY:
        shown = shown[(shown["first"] == whose) | (shown["second"] == whose)]
    if shown.empty:
        st.info("κ is not defined for these pairs; the table below says why.")
        return
    rows = shown.sort_values("linear", ascending=False).assign(
        name=shown["first"] + " – " + shown["second"], value=shown["linear"], counted=shown["n"] > 9
    )
    drawn = rows.tail(MOST_ROWS)
    if len(rows) > len(drawn):
        st.caption(f"The {MOST_ROWS} lowest of {len(rows):,} pairs; *Data* has them all.")
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
    number = st.column_config.NumberColumn
    show_table(
        pairs,
        "agreement-pairs",
        "**common items**: judged by both, on so many **topics**. **κ linear** with its 95 % "
        "interval; **κ unweighted** counts only equal levels; **same level** is the plain share of "
        "equal levels with its interval, not corrected for chance. The pair's topics are what is "
        "sampled. *why empty* gives the reason where there is no value or no interval: κ is not "
        "defined when both used one level only.",
        column_config={
            "first_id": None,
            "second_id": None,
            "n": "common items",
            "topics": "topics",
            "linear": number("κ linear", format="%.3f"),
            "low": number("from", format="%.3f"),
            "high": number("to", format="%.3f"),
            "unweighted": number("κ unweighted", format="%.3f"),
            "raw": number("same level", format="%.3f"),
            "raw_low": number("from", format="%.3f"),
            "raw_high": number("to", format="%.3f"),
            "reason": "why empty" if pairs["reason"].any() else None,
        },
    )
