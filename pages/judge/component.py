"""The judging screen as a Streamlit component: plain files in `screen/`, no build step."""

from pathlib import Path
from typing import Any

import streamlit as st

_FOLDER = Path(__file__).parent / "screen"
# Joined in this order into one module; at run time they share one scope.
_SCRIPTS = (
    "text.js",
    "memory.js",
    "clock.js",
    "outbox.js",
    "queue.js",
    "judging_session.js",
    "keys.js",
    "dom.js",
    "height.js",
    "frames.js",
    "pair.js",
    "item.js",
    "status.js",
    "view.js",
    "notes.js",
    "notice.js",
    "screen.js",
    "main.js",
)
_STYLES = ("base.css", "judge.css", "layout.css", "dock.css", "narrow.css", "pair.css")


def _read(names: tuple[str, ...]) -> str:
    return "\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in names)


_mount = st.components.v2.component(
    "dissent_judge",
    html=_read(("screen.html",)),
    css=_read(_STYLES),
    js=_read(_SCRIPTS),
)


def judge_component(data: dict[str, Any], key: str) -> Any:
    """Show the judging screen.

    The screen keeps its own position and sends labels by itself to `data["intake"]`; a rerun
    with newer data changes neither what is shown nor what waits to be sent.

    Parameters
    ----------
    data : dict
        What was handed out: assignment, collection, assessor, token, intake, guidelines, scales,
        topics, documents, steps in judging order with the labels known, and pace.
    key : str
        Key of the element; the same for the same assessor.

    Returns
    -------
    ComponentResult
        `finished`: the assignment, once, when its last step is answered and everything is saved.
        `refresh`: a reason, when a new token is needed. Both are None otherwise, and either may
        be lost: labels never depend on them.
    """
    return _mount(
        data=data,
        key=key,
        on_finished_change=lambda: None,
        on_refresh_change=lambda: None,
    )
