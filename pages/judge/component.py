"""The judging screen as a Streamlit component: plain files in `screen/`, no build step."""

from pathlib import Path
from typing import Any

import streamlit as st

from pages.judge.module_linker import link

_FOLDER = Path(__file__).parent / "screen"
_STYLES = ("base", "judge", "layout", "dock", "narrow", "pair")
"""In this order: later ones change what earlier ones say."""

_mount = st.components.v2.component(
    "dissent_judge",
    html=(_FOLDER / "screen.html").read_text(encoding="utf-8"),
    css="\n".join(
        (_FOLDER / "styles" / f"{name}.css").read_text(encoding="utf-8") for name in _STYLES
    ),
    js=link(_FOLDER, "main.js"),
)


def judge_component(data: dict[str, Any], key: str) -> Any:
    """Show the judging screen.

    The screen keeps its own position and sends labels by itself to `data["intake"]`; a rerun
    with newer data changes neither what is shown nor what waits to be sent.

    Parameters
    ----------
    data : dict
        What was handed out: assignment, collection, assessor, token, intake, guidelines, scales,
        topics, documents, steps in judging order with the labels known, pace, and intro, who asks;
        or that nothing is left: over.
    key : str
        Key of the element; the same for the same assessor.

    Returns
    -------
    ComponentResult
        `finished`: the assignment, once, when its last step is answered and everything is saved.
        `refresh`: a reason, when a new token is needed or there may be work again. Both are None
        otherwise, and either may be lost: labels never depend on them.
    """
    return _mount(
        data=data,
        key=key,
        on_finished_change=lambda: None,
        on_refresh_change=lambda: None,
    )
