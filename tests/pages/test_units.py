"""Wherever 95 % limits are told of, the text says what is sampled."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.each import each

ROOT = Path(__file__).parents[2]
SAMPLED = re.compile(
    r"topic|page|item|session|system|preference|assessor|sampled|MEANING|units| over \{"
)
"""Or a name in braces that stands for it."""
FILES = [*sorted((ROOT / "pages").rglob("*.py")), *sorted((ROOT / "core/command").rglob("*.py"))]
HEADERS = re.compile(r"^(?:(?:\w*|p\(top \| level\)) ?\[?95 %\]?|[\w -]+ \[95 %\])$")
"""Headers of columns: the line below the table names the unit, see `name_units`."""


def find_texts(path: Path) -> Iterator[str]:
    """Yield the texts of a module that are shown, if one may tell of limits; {name} is put in."""
    text = path.read_text(encoding="utf-8")
    if "95" not in text:
        return
    tree = ast.parse(text)
    inside = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    notes = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and id(node) not in inside | notes:
            yield str(node.value)


def test_every_text_about_limits_says_what_is_sampled():
    told = [(path, text) for path in FILES for text in find_texts(path) if "95 %" in text]
    assert len(told) > 30
    missing = [
        (str(path.relative_to(ROOT)), text)
        for path, text in told
        if not SAMPLED.search(text) and not HEADERS.match(text)
    ]
    assert missing == []


@each("text", ["value [95 %]", "95 %", "p(top | level) [95 %]"])
def test_headers_of_columns_are_told_apart(text: str):
    assert HEADERS.match(text)
    assert not HEADERS.match("κ with its 95 % interval")
