"""Curves on the page of scores: precision by recall beside gain by rank."""

import streamlit as st

from core.errors import DissentError
from pages.analyse.basis import Basis
from pages.analyse.curve_choice import choose_curves
from pages.analyse.gain_curves import show_gain
from pages.analyse.precision_curves import show_precision
from pages.analyse.scores import Scoring
from pages.shared.session import Visit
from pages.shared.wording import plain


def show_curves(visit: Visit, basis: Basis, scoring: Scoring, ordered: list[str]) -> None:
    """Show curves of some systems, over all topics or on one."""
    st.subheader("Curves", anchor=False)
    choice = choose_curves(visit, basis, scoring, ordered)
    columns = st.columns(2, gap="medium")
    for column, show in zip(columns, (show_precision, show_gain), strict=True):
        with column:
            try:
                show(choice)
            except DissentError as error:
                st.info(plain(str(error)))
