"""What is drawn in a figure is no Markdown: nothing is escaped for it before."""

import ast
from pathlib import Path

PAGES = Path(__file__).parent.parent.parent / "pages"


def escaped(source: str) -> list[int]:
    """Return the lines where a function that draws a figure is given what `plain` returns."""
    return [
        inner.lineno
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "").startswith("draw_")
        for inner in ast.walk(call)
        if isinstance(inner, ast.Call) and getattr(inner.func, "id", "") == "plain"
    ]


def test_no_figure_is_given_escaped_words():
    found = {str(path): escaped(path.read_text()) for path in PAGES.rglob("*.py")}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_escaped_words_are_found():
    assert escaped("show(draw_power(rows, plain(measure)))") == [1]
    assert escaped("show(draw_power(rows, measure), plain(measure))") == []
