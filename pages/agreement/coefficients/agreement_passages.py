"""The agreement page's part on passages: how far assessors marked the same, and one item's text."""

from html import escape

import pandas as pd
import streamlit as st

from core.agreement.passages import F1
from core.analysis.agreement.passages import (
    Piece,
    ask_passages,
    cut_text,
    passages_by_item,
)
from core.figures.distributions import draw_spread
from core.store.events.labels import Key
from core.wording import plain_with_facts
from pages.shared.figure import show_figure, show_report
from pages.shared.session import PageContext
from pages.shared.wording import show_notes

ITEMS = (
    "One row for each item in which two assessors or more marked passages; the lowest **F1** comes "
    "first. F1 of two assessors is twice the characters that both marked, over the sum of what "
    "each marked: 1 where they marked the same, 0 where nothing is in common; of more, it is the "
    "mean over pairs. Who marked nothing takes no part. A low F1 tells that people looked at "
    "different places, not who was right."
)
SPREAD = (
    "How F1 spreads over the items; the line is the median. Its mean is given above with a 95 % "
    "interval in which topics are what is sampled (jackknife). α is Krippendorff's, nominal, with "
    "each character of each text as a unit: 0 is what chance gives to people who mark as much as "
    "these do, 1 is complete agreement. Long texts count more in it."
)
_LONGEST = 70
_PIECE = '<u style="text-decoration-thickness:{px}px;text-underline-offset:.25em">{text}</u>'
_COUNT = '<sup style="font-weight:600;font-size:.7em">{n}</sup>'
_TEXT = (
    '<div role="region" aria-label="Text with marks" tabindex="0" style="max-height:30rem;'
    "overflow-y:auto;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.9;max-width:70ch"
    '" dir="auto">{}</div>'
)


def show_passages(context: PageContext, facet: str) -> None:
    """Show agreement on passages, how it spreads, item by item, and the text of one item."""
    report = ask_passages(context.study, facet)
    st.markdown(plain_with_facts(report.answer))
    show_notes(report.notes)
    items = passages_by_item(context.study, facet)
    if items.empty:
        return
    show_figure(draw_spread(items[F1], x="F1", y="items"), items, "agreement-passages", SPREAD)
    show_report(report, "items", "agreement-passage-items", ITEMS, rows=items)
    _show_item(context, facet, items)


def _show_item(context: PageContext, facet: str, items: pd.DataFrame) -> None:
    """Show the text of one item with who marked what."""
    ids = list(zip(items["topic_id"], items["document_id"], items["engine"], strict=True))
    scored = zip(items[F1].map("{:.3f}".format), items["query"], items["title"], strict=True)
    names = {
        one: " · ".join(filter(None, (f1, query, title[:_LONGEST], *one[1:])))
        for one, (f1, query, title) in zip(ids, scored, strict=True)
    }
    topic_id, document_id, engine = st.selectbox(
        "Item, lowest F1 first",
        ids,
        format_func=names.__getitem__,
        key=f"agreement-passage-{facet}",
    )
    pieces = cut_text(context.study, Key(topic_id, document_id, facet, engine, "", 0))
    people = sorted({one for piece in pieces for one in piece.assessors})
    st.caption(f"Marked by {', '.join(people)}. The number is how many marked the passage.")
    with st.container(border=True):
        st.html(write_pieces(pieces))


def write_pieces(pieces: list[Piece]) -> str:
    """Return a text as HTML: the more assessors marked a piece, the thicker the line below it."""
    written = []
    for piece in pieces:
        text, n = escape(piece.text), len(piece.assessors)
        written.append(_PIECE.format(px=1 + n, text=text) + _COUNT.format(n=n) if n else text)
    return _TEXT.format("".join(written))
