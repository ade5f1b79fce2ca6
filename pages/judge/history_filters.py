"""Which of one's own labels are listed: by query, by label, by words."""

import pandas as pd
import streamlit as st

from core.language.translate import t

FEW = 10
"""Up to so many labels all are seen at once, and nothing is offered."""


def choose_rows(listed: pd.DataFrame) -> pd.Series:
    """Let somebody narrow a list of their labels; returns which rows stay.

    Parameters
    ----------
    listed : DataFrame
        The list as it is shown, with the columns *Query*, *Label* and *Comment*.

    Returns
    -------
    Series of bool
        By the index of ``listed``.
    """
    stays = pd.Series(True, index=listed.index)
    if len(listed) <= FEW:
        return stays
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, width in ((t("Query"), 360), (t("Label"), 200)):
            counts = listed[name].value_counts(sort=False)
            names: dict[str | None, str] = {None: t("all")}
            names |= {str(one): f"{one} ({number:,})" for one, number in counts.items()}
            chosen = st.selectbox(
                name,
                list(names),
                format_func=names.__getitem__,
                width=width,
                key=f"history-filter-{name}",
            )
            if chosen is not None:
                stays &= listed[name] == chosen
        words = st.text_input(t("Words in title or comment"), width=240, key="history-words")
        if st.toggle(t("Only with a comment"), key="history-commented"):
            stays &= listed[t("Comment")] != ""
    if words.strip():
        stays &= _has(listed, words.strip())
    return stays


def _has(listed: pd.DataFrame, words: str) -> pd.Series:
    """Return where the words are in the title, the document's id or the comment, in any case."""
    texts = [name for name in (t("Title"), t("Document"), t("Comment")) if name in listed]
    found = pd.Series(False, index=listed.index)
    for name in texts:
        found |= listed[name].astype("str").str.contains(words, case=False, regex=False)
    return found
