"""Click models of a log, side by side."""

import pandas as pd
import streamlit as st

from core.clicks.likelihood import EXAMINATION, RANK
from core.errors import DissentError
from core.figures.clicks import draw_examination, draw_perplexity
from core.reports.clicks import ClickAnalysis
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure, show_report
from pages.shared.wording import say_why_not

NOBODY = ("model", "interval", "unit", "reason")


def show_models(found: ClickAnalysis) -> None:
    """Show how well models predict clicks, what they say of ranks, and what they cannot tell."""
    try:
        with st.spinner("Fitting click models"):
            answer = found.tell("models")
    except DissentError as error:
        say_why_not(error, "Models are not compared:")
        return
    st.markdown(plain_with_facts(answer))
    _list_models(found)
    left, right = st.columns(2)
    with left:
        _show_perplexity(found.perplexity)
    with right:
        _show_examination(found)
    with st.expander("What these models cannot tell"):
        for model, what in found.cannot_tell.to_numpy():
            st.markdown(f"- **{plain(model)}**: {plain(what)}.")


def _list_models(found: ClickAnalysis) -> None:
    show_report(
        found,
        "models",
        "click-models",
        "How much clicks of held-out sessions surprise each model. **Perplexity** by the chance of "
        "a click whatever happens above: 1 is foresight, 2 is a coin; the mean over ranks. **Given "
        "clicks above**: by the chance given them. **From rank alone**: less that of the "
        "click-through rate by rank. 95 % limits by drawing sessions again, given the fits: "
        "sessions are what is sampled.",
    )


def _show_perplexity(by_rank: pd.DataFrame) -> None:
    show_figure(
        draw_perplexity(by_rank),
        by_rank,
        "click-perplexity",
        "The perplexity of each rank in held-out sessions: how much a click or its absence there "
        "surprises a model; lower is better. Where hardly anything is clicked no model is "
        "surprised. Estimates only: the table has limits of the mean.",
        nobody=NOBODY,
    )


def _show_examination(found: ClickAnalysis) -> None:
    fits = {
        name: fit.parameters[EXAMINATION]
        for name, fit in found.fits.items()
        if fit.likelihood.axes.get(EXAMINATION) == (RANK,)
    }
    if not fits:
        return
    rows = [
        {"model": name, "rank": rank, "examination": value}
        for name, values in fits.items()
        for rank, value in enumerate(values, start=1)
    ]
    show_figure(
        draw_examination(fits),
        pd.DataFrame(rows),
        "click-examination",
        "How likely a user looks at each rank, as the position-based model has it; the first rank "
        "is examined by the model's assumption. Estimates only: *dissent clicks* has all "
        "parameters of the models.",
        nobody=NOBODY,
    )
