"""What a projector needs of the browser: keys, a clock that ticks, and the full screen."""

from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from core.language.translate import t

PARTS = Path(__file__).parent / "projector_parts"


def _read(name: str) -> str:
    return (PARTS / name).read_text(encoding="utf-8")


_mount = st.components.v2.component(
    "dissent_projector",
    html=_read("projector.html"),
    css=_read("component.css"),
    js=_read("projector.js"),
)


def show_controls(until: datetime | None, now: datetime) -> None:
    """Listen to the keys, offer the full screen, and show the time left, if there is a timer.

    The browser's clock may be wrong, so that it is told how late it is here.
    """
    told = {"until": _stamp(until) if until else None, "now": _stamp(now), "words": _words()}
    _mount(data=told, key="projector-controls")


def _words() -> dict[str, str]:
    return {
        "full": t("Full screen"),
        "leave": t("Leave the full screen"),
        "left": t("Time left"),
        "over": t("Time is up"),
    }


def _stamp(time: datetime) -> int:
    return int(time.replace(tzinfo=UTC).timestamp() * 1000)
