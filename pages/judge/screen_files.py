"""The files of the judging screen, joined: one text of HTML, one of styles, one of each script.

Each script has the texts of one language in it, and the HTML is in one language.
"""

import json
import re
from pathlib import Path

from core.language.translate import read_catalogue, speaking, t
from pages.judge.module_linker import link, link_script

_FOLDER = Path(__file__).parent / "screen"
_STYLES = (
    "base", "judge", "layout", "dock", "narrow", "low", "pair", "words", "parts", "folded",
)  # fmt: skip
"""In this order: later ones change what earlier ones say."""

_TEXTS = "language/texts.js"
"""What is put in its place holds the texts of the language."""

_TRANSLATED = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


def read_html(language: str) -> str:
    """Return the screen's nodes; what stands in double braces is in the language."""
    text = (_FOLDER / "screen.html").read_text(encoding="utf-8")
    with speaking(language):
        return _TRANSLATED.sub(lambda found: t(found[1]), text)


def read_styles() -> str:
    """Return how the screen looks."""
    return "\n".join(map(_read_style, _STYLES))


def read_alone_styles() -> str:
    """Return how the page looks that shows the screen without Streamlit."""
    return _read_style("alone")


def link_component(language: str) -> str:
    """Return the module that Streamlit mounts."""
    return link(_FOLDER, "main.js", _texts(language))


def link_alone(language: str) -> str:
    """Return the script that shows the screen without Streamlit."""
    return link_script(_FOLDER, "alone.js", _texts(language))


def link_worker() -> str:
    """Return the service worker, but for what ``self.shell`` is to hold."""
    return link_script(_FOLDER, "worker.js")


def _texts(language: str) -> dict[str, str]:
    texts = json.dumps(dict(read_catalogue(language)), ensure_ascii=False)
    return {_TEXTS: f"export const TEXTS = {texts};\n"}


def _read_style(name: str) -> str:
    return (_FOLDER / "styles" / f"{name}.css").read_text(encoding="utf-8")
