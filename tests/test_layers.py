"""The flow of the architecture: imports only point back along it, each library has one home."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOW = [
    *("errors", "settings", "discovery", "registry"),
    *("collection", "store", "assessment", "agreement"),
    *("disagreement", "versions", "measures", "comparison", "preference", "informativeness"),
    *("analysis", "figures", "version", "api", "demo", "command", "pages"),
]
HOMES = {
    "duckdb": "core/store/",
    "plotly": "core/figures/",
    "streamlit": "pages/",
    "starlette": "pages/",
    "itsdangerous": "pages/",
    "defusedxml": "core/collection/",
}
STRANGERS = [
    *({"agreement", "measures"}, {"disagreement", "measures"}, {"versions", "agreement"}),
    *({"api", "command"}, {"api", "pages"}),
]
NUMERIC = {
    *("agreement", "disagreement", "versions", "measures", "comparison", "preference", "figures"),
    "informativeness",
}


def sources() -> list[Path]:
    return [path for part in ("core", "pages") for path in (ROOT / part).rglob("*.py")]


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def floor(name: str) -> str:
    parts = name.split(".")
    return "pages" if parts[0] == "pages" else parts[1]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_keep_to_the_flow(path: Path):
    here = floor(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for name in imports(path):
        root = name.split(".")[0]
        if root in HOMES:
            assert str(path.relative_to(ROOT)).startswith(HOMES[root]), f"{name} has another home"
        if root not in ("core", "pages"):
            continue
        there = floor(name)
        assert FLOW.index(there) <= FLOW.index(here), f"{here} may not import {name}"
        assert {here, there} not in STRANGERS, f"{here} and {there} do not know each other"
        assert not (here in NUMERIC and there == "store"), f"{here} may not know the store"


def test_the_walk_sees_the_whole_house():
    assert len(sources()) > 40
    assert {floor(".".join(p.relative_to(ROOT).with_suffix("").parts)) for p in sources()} <= set(
        FLOW
    )
