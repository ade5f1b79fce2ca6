"""How long documents are, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


_TAGS = r"(?is)<(script|style)\b.*?</\1\s*>|<[^>]*>"


def add_words(runs: pd.DataFrame, documents: pd.DataFrame) -> pd.DataFrame:
    """Return runs with ``words``: how long each document is; NaN where its text is not known.

    Parameters
    ----------
    runs : DataFrame
        With ``document_id``.
    documents : DataFrame
        ``document_id, text, html``. Words are what white space separates in the text or, where
        there is none, in the page without its tags.
    """
    import pandas as pd

    text = documents["text"].fillna("").astype("str")
    html = documents["html"].fillna("").astype("str").str.replace(_TAGS, " ", regex=True)
    words = text.where(text.str.strip() != "", html).str.split().map(len).astype("float64")
    known = pd.Series(words.where(words > 0).to_numpy(), index=documents["document_id"])
    ids = runs["document_id"].astype("str")
    return runs.assign(words=ids.map(known[~known.index.duplicated()]).to_numpy())
