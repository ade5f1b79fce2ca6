"""What a page says where it shows something else than what the study declares."""

import streamlit as st

from core.analysis.results.declared import tell_difference
from core.analysis.results.qrels_choices import QrelsChoice
from pages.shared.session import PageContext


def tell_declared(
    context: PageContext,
    *,
    measure: str = "",
    choice: QrelsChoice | None = None,
    facet: str = "",
    alpha: float | None = None,
) -> None:
    """Say in a caption what is declared and what is shown, where they differ.

    Parameters
    ----------
    context : PageContext
        Whose page it is; an aspect in view is a difference.
    measure, choice, facet, alpha : optional
        What is shown; what is left out is not compared.
    """
    said = tell_difference(context.study, measure=measure, choice=choice, facet=facet, alpha=alpha)
    if said:
        st.caption(said)
