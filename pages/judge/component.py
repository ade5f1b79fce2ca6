"""The judging screen as a Streamlit component: plain files in `screen/`, no build step."""

from pathlib import Path
from typing import Any

import streamlit as st

from core.language.translate import LANGUAGES, spoken
from pages.judge.screen_files import link_component, read_html, read_styles

AROUND = Path(__file__).parent / "screen" / "styles" / "around.css"
"""How what is around the screen looks."""

_mounts = {
    language: st.components.v2.component(
        f"dissent_judge_{language}",
        html=read_html(language),
        css=read_styles(),
        js=link_component(language),
    )
    for language in LANGUAGES
}


def judge_component(data: dict[str, Any], key: str) -> Any:
    """Show the judging screen in the language spoken here.

    The screen keeps its own position and sends labels by itself to `data["intake"]`; a rerun
    with newer data changes neither what is shown nor what waits to be sent.

    Parameters
    ----------
    data : dict
        What was handed out: assignment, collection, assessor, token, intake, guidelines, scales,
        topics, documents, steps in judging order with the labels known, pace, and intro, who asks;
        or that nothing is left: over; or that its one step is to be looked at again: again.
    key : str
        Key of the element; the same for the same assessor.

    Returns
    -------
    ComponentResult
        `finished`: the assignment, once, when its last step is answered and everything is saved.
        `refresh`: a reason, when a new token is needed or there may be work again. Both are None
        otherwise, and either may be lost: labels never depend on them.
    """
    return _mounts[spoken()](
        data=data,
        key=key,
        on_finished_change=lambda: None,
        on_refresh_change=lambda: None,
    )
