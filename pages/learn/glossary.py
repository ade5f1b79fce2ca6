"""The page Glossary: the terms of the field, as this product uses them."""

import pandas as pd
import streamlit as st

from core.glossary import GLOSSARY, Term
from core.language.translate import t
from pages.learn.worked_examples import ROLES
from pages.shared.figure import show_table
from pages.shared.page import page
from pages.shared.session import PageContext

TALL_ENOUGH = 76
"""Pixels of a row: room for three lines, as long texts are wrapped in tall rows only."""

EXPLANATION = (
    "Each term, what it means here, and where it comes from. The search looks at all three, and "
    "does not distinguish capital from small letters."
)


@page("glossary", "Learn", "Glossary", *ROLES)
def draw(context: PageContext) -> None:
    """Show the terms that contain what the reader searches for."""
    context.sheet.answer(t("{n} terms of the field, as they are used here.", n=len(GLOSSARY)))
    wanted = st.text_input(t("Search"), key="glossary-search", icon=":material/search:")
    found = find_terms(wanted)
    if not found:
        st.info(t("No term, meaning or source contains this."))
        return
    show_table(
        pd.DataFrame(found, columns=Term._fields),
        "glossary",
        t(EXPLANATION),
        nobody=Term._fields,
        row_height=TALL_ENOUGH,
        column_config={
            "term": st.column_config.TextColumn(t("term"), width="medium"),
            "meaning": st.column_config.TextColumn(t("meaning"), width="large"),
            "source": st.column_config.TextColumn(t("source"), width="medium"),
        },
    )


def find_terms(wanted: str) -> list[Term]:
    """Return the terms where all words of a search occur, in the glossary's order.

    They are in the language spoken here, and are found by their English words, too.
    """
    words = wanted.casefold().split()
    return [
        shown
        for term in GLOSSARY
        for shown in [translate_term(term)]
        if all(word in f"{_text_of(term)} {_text_of(shown)}" for word in words)
    ]


def translate_term(term: Term) -> Term:
    """Return a term with what is said of it in the language spoken here."""
    # The word for the role says of a person what they are here, and names nobody in general.
    name = term.term if term.term == "assessor" else t(term.term)
    return Term(name, t(term.meaning), t(term.source))


def _text_of(term: Term) -> str:
    return " ".join(term).casefold()
