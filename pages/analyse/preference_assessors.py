"""Whom to trust side by side: the side they choose, whether they agree, and circles."""

import numpy as np
import pandas as pd
import streamlit as st

from core.errors import TooLittleData
from core.preference.agreement import preference_agreement, preference_agreement_by_pair
from core.preference.contests import count_contests
from core.preference.sides import side_bias, swapped_repeats
from core.preference.transitivity import Transitivity, find_intransitive
from pages.analyse.compared import compared
from pages.shared.figure import show_table
from pages.shared.live import kept
from pages.shared.session import Visit

EVERYBODY = "all together"
SEED, SAMPLES = 1, 500
_NUMBER = st.column_config.NumberColumn
_LIMITS = {
    "share": _NUMBER(format="%.2f"),
    "low": _NUMBER("from", format="%.2f"),
    "high": _NUMBER("to", format="%.2f"),
    "p": _NUMBER(format="%.3f"),
}


def show_assessors(visit: Visit, kind: str, facet: str) -> None:
    """Show side bias, swapped repeats, agreement and circles."""
    left, right = st.columns(2)
    with left:
        _show_sides(visit, kind, facet)
    with right:
        _show_agreement(visit, kind, facet)
    _show_circles(kept(visit, _circles, kind, facet))


def _show_sides(visit: Visit, kind: str, facet: str) -> None:
    st.subheader("Sides")
    sides = kept(visit, _sides, kind, facet)
    show_table(
        sides,
        "preference-sides",
        "How often the one on the left was chosen, ties left out. Sides are put at random, so "
        "that a fair assessor comes near one half. A small p speaks for a bias, but of twenty "
        "fair assessors one has a p below .05.",
        column_config={
            **_LIMITS,
            "assessor_id": None,
            "left": "times left",
            "reason": "why empty" if sides["reason"].any() else None,
        },
        column_order=["assessor", "left", "n", "share", "low", "high", "p", "reason"],
    )
    repeats = kept(visit, _repeats, kind, facet)
    if repeats["n"].iloc[0] > 0:
        show_table(
            repeats,
            "preference-repeats",
            "What assessors chose when a pair came again with its sides swapped. **same**: the "
            "same item, or a tie, again. **left**, **right**: the same side both times, which "
            "the side or chance decided. p tests left against right.",
            column_config={
                **_LIMITS,
                "reason": "why empty" if repeats["reason"].any() else None,
            },
            column_order=["assessor", "n", "same", "left", "right", "changed", *_LIMITS, "reason"],
        )


def _show_agreement(visit: Visit, kind: str, facet: str) -> None:
    st.subheader("Agreement between assessors")
    try:
        pooled = kept(visit, _agreement, kind, facet)
    except TooLittleData as error:
        st.info(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return
    config = {**_LIMITS, "value": _NUMBER(format="%.3f"), "interval": None}
    meaning = (
        "**raw** is the share of equal choices, **kappa** Cohen's κ over first, tie and second; "
        "names of items play no part. Intervals are from resampling topics."
    )
    show_table(pooled, "preference-agreement", meaning, column_config=config)
    with st.expander("Every pair of assessors"):
        pairs = kept(visit, _agreement_by_pair, kind, facet)
        show_table(pairs, "preference-agreement-pairs", meaning, column_config=config)


def _show_circles(found: Transitivity) -> None:
    if not found.triples:
        return
    st.markdown(
        f"**{found.intransitive:,} of {found.triples:,}** triples whose three pairs are decided go "
        f"round in a circle ({found.share:.1%}; choosing by chance makes it 25 % on average). Many "
        "circles mean that no single order fits what people prefer."
    )
    if len(found.examples):
        with st.expander("Some of the circles"):
            show_table(
                found.examples,
                "preference-circles",
                "The first was preferred to the second, the second to the third, and the third "
                "to the first.",
            )


def _with_names(visit: Visit, kind: str, facet: str, rows: pd.DataFrame) -> pd.DataFrame:
    people = compared(visit, kind, facet)[["assessor_id", "assessor"]].drop_duplicates()
    names = people.set_index("assessor_id")["assessor"].to_dict() | {"": EVERYBODY}
    named = rows["assessor_id"].map(names)
    return rows.assign(assessor=named.mask(named == "", rows["assessor_id"]))


def _sides(visit: Visit, kind: str, facet: str) -> pd.DataFrame:
    return _with_names(visit, kind, facet, side_bias(compared(visit, kind, facet)))


def _repeats(visit: Visit, kind: str, facet: str) -> pd.DataFrame:
    return _with_names(visit, kind, facet, swapped_repeats(compared(visit, kind, facet)))


def _agreement(visit: Visit, kind: str, facet: str) -> pd.DataFrame:
    rng = np.random.default_rng(SEED)
    return preference_agreement(compared(visit, kind, facet), samples=SAMPLES, rng=rng)


def _agreement_by_pair(visit: Visit, kind: str, facet: str) -> pd.DataFrame:
    rng = np.random.default_rng(SEED)
    return preference_agreement_by_pair(compared(visit, kind, facet), samples=SAMPLES, rng=rng)


def _circles(visit: Visit, kind: str, facet: str) -> Transitivity:
    return find_intransitive(count_contests(compared(visit, kind, facet)))
