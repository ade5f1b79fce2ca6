"""What axe-core finds on a page in a real browser."""

from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

from tests.browser.views import LAPTOP

_LAPTOP = dict(zip(("width", "height"), LAPTOP, strict=True))

LOOKS = {
    name: {"reduced_motion": "reduce", **look}
    for name, look in {
        "light": {"color_scheme": "light", "viewport": _LAPTOP},
        "dark": {"color_scheme": "dark", "viewport": _LAPTOP},
        "narrow": {"color_scheme": "light", "viewport": {"width": 320, "height": 640}},
        "zoomed": {"viewport": {"width": 683, "height": 384}, "device_scale_factor": 2},
    }.items()
}
"""Zoomed: at 200 % a laptop's window has half as many pixels of CSS each way."""

SEATS = LOOKS | {
    "forced": {"forced_colors": "active", "reduced_motion": "reduce", "viewport": _LAPTOP},
    "fourfold": {
        "reduced_motion": "reduce",
        "viewport": {"width": 320, "height": 256},
        "device_scale_factor": 4,
    },
}
"""The looks of assessors' pages: as well in colours that a person chose, and at 400 %."""

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""WCAG 2.2 AA, and what axe-core calls good practice: landmarks, order of headings."""

UPSTREAM = {
    ("presentation-role-conflict", "stFileUploaderDropzone"): "Streamlit gives its dropzone a name "
    "and the role 'presentation'; the button in it is named and reached by keyboard. That the "
    "dropzone takes the focus, too, was github.com/streamlit/streamlit/issues/15921, mended by "
    "pull request 15928; name and role are as they were",
}
"""What Streamlit does, by rule and element, where nobody is kept out by it."""

_AT_REST = """() => document.querySelector('.stApp')?.dataset.testScriptState !== 'running'
  && document.getAnimations().every(one =>
    one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity)"""
"""Nothing fades in or out: a colour in passing is not one that people read by."""

_RUN = "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})"


def find_barriers(page: Page) -> list[str]:
    """Return what hinders people on the page as it stands: a rule and an element a line."""
    page.wait_for_function(_AT_REST)
    if not page.evaluate("'axe' in window"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    found: dict[str, Any] = page.evaluate(_RUN, RULES)
    return [
        f"{rule['id']}: {node['html'][:120]} {_explain(node)}"
        for rule in found["violations"]
        for node in rule["nodes"]
        if not any(rule["id"] == one and name in node["html"] for one, name in UPSTREAM)
    ]


def _explain(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    return "; ".join(check["message"] for check in checks[:1])
