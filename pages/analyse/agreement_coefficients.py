"""The agreement page's part on every coefficient: overall, by group and by engine."""

import numpy as np
import pandas as pd
import streamlit as st

from core.agreement.coefficients import COEFFICIENTS, Kappa, Overlap
from core.agreement.groups import (
    agreement_by_group,
    agreement_differences,
    between_groups,
    pair_groups,
    read_groups,
)
from core.agreement.overall import agreement_by_part, measure_agreement
from pages.analyse.agreement_topics import matrices_of
from pages.analyse.facets import people_of, ratings_of
from pages.shared.figure import show_table
from pages.shared.live import kept, results_of, topics_of
from pages.shared.session import Visit

TEXTS = (
    *("kappa", "kappa(linear)", "kappa(quadratic)", "pi", "raw", "alpha(nominal)"),
    *("alpha(ordinal)", "alpha(interval)", "fleiss", "randolph", "AC1", "AC2(linear)"),
)
SEED = 1
SAMPLES = 500
MEANING = (
    "**kappa**, **pi**, **raw** and **overlap** are pooled over pairs of assessors; **alpha**, "
    "**fleiss**, **randolph**, **AC1** and **AC2** take all assessors at once. They correct for "
    "chance in different ways: κ and π by the levels that the assessors used, Randolph's as if "
    "all levels were equally likely, Gwet's AC by how evenly they were used. α forgives missing "
    "labels. **overlap>=L** is the share of what either put at level L or above that both did. "
    "Intervals are 95 %, from resampling topics. Where the coefficients disagree, look at how "
    "unevenly the levels are used before choosing one that pleases you."
)
GROUPS = (
    "Linear weighted κ of pairs of assessors by the groups of the two, and the differences "
    "between these with intervals from the same resampled topics. An interval that leaves out 0 "
    "speaks for a real difference."
)
PARTS = {
    "engine": "Agreement on the snippets of each engine. An engine on whose snippets people "
    "disagree may return what is ambiguous, or write snippets that say little.",
    "vertical": "Agreement on the snippets of each vertical, the kind of source that an engine "
    "searches. People can disagree more about pictures than about news, say, without being less "
    "careful.",
    "type of topic": "Agreement on the topics of each type. Where it is low, look whether the "
    "topics of that type leave open what is wanted.",
}


def every_coefficient(visit: Visit, facet: str) -> pd.DataFrame:
    """Return every coefficient over all assessors, as ``measure_agreement`` does."""
    return kept(visit, _overall, facet)


def show_coefficients(visit: Visit, facet: str) -> None:
    """Show every coefficient, and linear weighted κ by group and by engine."""
    st.subheader("Every coefficient")
    _show(every_coefficient(visit, facet), "agreement-coefficients", MEANING)
    groups = kept(visit, _by_group, facet)
    if len(groups):
        st.subheader("By group")
        _show(groups, "agreement-groups", GROUPS)
    for part, meaning in PARTS.items():
        table = kept(visit, _by_part, facet, part)
        if len(table):
            st.subheader(f"By {part}")
            _show(table, f"agreement-by-{part.replace(' ', '-')}", meaning)


def _show(table: pd.DataFrame, name: str, explanation: str) -> None:
    number = st.column_config.NumberColumn
    show_table(
        table,
        name,
        explanation,
        column_config={
            "n": "common items",
            "value": number(format="%.3f"),
            "low": number("from", format="%.3f"),
            "high": number("to", format="%.3f"),
            "reason": "why empty" if table["reason"].any() else None,
            "interval": None,
            "pairs": "pairs" if "pairs" in table else None,
        },
    )


def _overall(visit: Visit, facet: str) -> pd.DataFrame:
    ratings = ratings_of(visit, facet)
    overlaps = [Overlap(level) for level in ratings.levels[1:]]
    every = [*map(COEFFICIENTS.parse, TEXTS), *overlaps]
    return measure_agreement(
        ratings,
        every,
        matrices=matrices_of(visit, facet),
        samples=SAMPLES,
        rng=np.random.default_rng(SEED),
    )


def _by_group(visit: Visit, facet: str) -> pd.DataFrame:
    """Return κ of each pair of groups, then the differences; nothing without two groups."""
    groups = read_groups(people_of(visit))
    if len(set(groups.values())) < 2:
        return pd.DataFrame()
    matrices, rng = matrices_of(visit, facet), np.random.default_rng(SEED)
    table = agreement_by_group(matrices, groups, [Kappa("linear")], samples=SAMPLES, rng=rng)
    table["between"] = _name(table["first_group"]) + " × " + _name(table["second_group"])
    parts = {
        f"{first or 'no group'} × {second or 'no group'}": between_groups(
            matrices, groups, first, second
        )
        for first, second in pair_groups(matrices, groups)
    }
    compared = agreement_differences(parts, [Kappa("linear")], samples=SAMPLES, rng=rng)
    compared["between"] = compared["first"] + " minus " + compared["second"]
    columns = ["between", "value", "low", "high", "reason"]
    compared = compared.rename(columns={"difference": "value"})
    return pd.concat([table[columns], compared[columns]], ignore_index=True)


def _by_part(visit: Visit, facet: str, part: str) -> pd.DataFrame:
    """Return linear weighted κ part by part; nothing without two parts."""
    ratings = ratings_of(visit, facet)
    belongs = _parts(visit, ratings.items, part)
    if belongs.nunique() < 2:
        return pd.DataFrame()
    rng = np.random.default_rng(SEED)
    table = agreement_by_part(ratings, belongs, [Kappa("linear")], samples=SAMPLES, rng=rng)
    return table.rename(columns={"part": part}).drop(columns="coefficient")


def _parts(visit: Visit, items: pd.DataFrame, part: str) -> "pd.Series[str]":
    """Return the part that each item belongs to, missing where it belongs to none."""
    if part == "engine":
        found = items["engine"]
    elif part == "vertical":
        result = ["topic_id", "document_id", "engine"]
        found = items[result].merge(results_of(visit), on=result, how="left")["vertical"]
    else:
        found = items["topic_id"].map(topics_of(visit).set_index("topic_id")["type"])
    return found.mask(found == "")


def _name(groups: "pd.Series[str]") -> "pd.Series[str]":
    return groups.mask(groups == "", "no group")
