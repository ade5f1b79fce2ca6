"""Systems by preference beside systems by score; part of the preferences page."""

from math import isnan

import pandas as pd
import streamlit as st

from core.analysis.agreement.preferences import preferences_on
from core.analysis.results.declared import declared_measures
from core.analysis.results.qrels_choices import weights_of
from core.analysis.results.scores import SUGGESTED, Scoring, scores_of
from core.collection.records import SYSTEMS
from core.comparison.ties import tie_close
from core.measures.evaluate import mean_scores
from core.numerals import write_number
from core.preference.order import compare_with_scores, rank_by_preference
from core.wording import count
from pages.shared.figure import show_table
from pages.shared.scoring_widgets import choose_scoring, needs_runs
from pages.shared.session import PageContext


def show_ranking(context: PageContext, facet: str) -> None:
    """Show the order by strength beside that of a measure, and how alike they are."""
    st.header("Beside the scores")
    if needs_runs(context):
        return
    judged, gain, model, choices = choose_scoring(context)
    if not choices:
        return
    with context.sheet.options:
        measure = st.selectbox(
            "Measure", declared_measures(context.study, SUGGESTED), key="pref-measure"
        )
        key = st.selectbox(
            "Qrels version", list(choices), format_func=lambda one: choices[one].name,
            key="pref-version",
        )  # fmt: skip
    weights = weights_of(context.study, judged, model) if gain == "udm" else ()
    text = str(Scoring(gain, 1, weights).apply(measure))
    scores = mean_scores(scores_of(context.study, choices[key], (text,), weights))
    _show_table(
        rank_by_preference(preferences_on(context.study, SYSTEMS, facet).fitted), scores, text
    )


def _show_table(ranked: pd.DataFrame, scores: pd.DataFrame, text: str) -> None:
    value = scores.set_index("system")["value"]
    tau, systems, reason = compare_with_scores(ranked, value)
    st.markdown(
        f"Kendall's τ-b of the two orders is not defined: {reason}."
        if isnan(tau)
        else f"Kendall's τ-b between the order by preference and that by {text} is "
        f"**{write_number(tau)}** over {count(systems, 'system')}."
    )
    table = ranked.assign(score=ranked["system"].map(value))
    tied = pd.Series(tie_close(table["score"]), table.index)
    table["rank by score"] = tied.rank(ascending=False, method="min")
    show_table(
        table,
        "preference-ranking",
        "Systems by Bradley–Terry strength, with 95 % intervals over topics (jackknife; without "
        "end where the data set no bound), and their rank by the measure. The two answer "
        "different questions: whole lists are compared at once, or documents are judged one by "
        "one. Where they disagree, look at what the lists have in common and at unjudged "
        "documents.",
        column_config={
            "rank": "rank by preference",
            "score": text,
            **dict.fromkeys(("group", "interval", "unit", "units")),
            "note": "note" if ranked["note"].any() else None,
            "reason": "why no interval" if ranked["reason"].any() else None,
        },
        column_order=[
            "system", "rank", "strength", "low", "high", "score", "rank by score",
            "note", "reason",
        ],
        nobody=("note", "reason"),
    )  # fmt: skip
