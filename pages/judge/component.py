"""The judging screen as a Streamlit component: plain files in `screen/`, no build step."""

import json
import re
from pathlib import Path
from typing import Any

import streamlit as st

from core.language.translate import LANGUAGES, read_catalogue, speaking, spoken, t
from pages.judge.module_linker import link

_FOLDER = Path(__file__).parent / "screen"
_STYLES = ("base", "judge", "layout", "dock", "narrow", "pair", "words")
"""In this order: later ones change what earlier ones say."""

_TEXTS = "language/texts.js"
"""What is put in its place holds the texts of the language."""

_TRANSLATED = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


def screen_html(language: str) -> str:
    """Return the screen's nodes; what stands in double braces is in the language."""
    with speaking(language):
        return _TRANSLATED.sub(
            lambda found: t(found[1]), (_FOLDER / "screen.html").read_text(encoding="utf-8")
        )


def screen_style() -> str:
    """Return the screen's styles."""
    styles = (_FOLDER / "styles" / f"{name}.css" for name in _STYLES)
    return "\n".join(one.read_text(encoding="utf-8") for one in styles)


def screen_script(language: str) -> str:
    """Return the screen's modules as one, with the texts of the language."""
    texts = json.dumps(dict(read_catalogue(language)), ensure_ascii=False)
    return link(_FOLDER, "main.js", {_TEXTS: f"export const TEXTS = {texts};\n"})


_mounts = {
    language: st.components.v2.component(
        f"dissent_judge_{language}",
        html=screen_html(language),
        css=screen_style(),
        js=screen_script(language),
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
    return _mounts[spoken()](
        data=data,
        key=key,
        on_finished_change=lambda: None,
        on_refresh_change=lambda: None,
    )
