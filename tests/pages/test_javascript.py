"""Types of the JavaScript of all pages: JSDoc, as the TypeScript compiler reads it."""

import re
from pathlib import Path

import pytest

from core.settings import ROOT
from tests import typescript
from tests.typescript import check_types, declare_nodes, find_compiler, get_compiler

PAGES = ROOT / "pages"
FAULTS = """\
/** @param {Refs} refs */
export const missing = (refs) => refs.noSuchNode;
/** @param {Step} step */
export const maybe = (step) => step.snippet.length;
export const untyped = (level) => level;
"""


def test_types_of_all_scripts_hold_and_faults_are_found(tmp_path: Path):
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no TypeScript compiler: 'python -m tests' gets it, by npm")
    nodes, faulty = tmp_path / "refs.d.ts", tmp_path / "faulty.js"
    nodes.write_text(declare_nodes((PAGES / "judge/screen/screen.html").read_text("utf-8")))
    faulty.write_text(FAULTS)
    own = [path for kind in ("*.js", "*.d.ts") for path in sorted(PAGES.rglob(kind))]
    assert len(own) > 40
    found = check_types(compiler, [*own, nodes, faulty], tmp_path)
    assert [one for one in found if not one.startswith("faulty.js")] == []
    assert [re.sub(r"^\S+ error (TS\d+): .*", r"\1", one) for one in found] == [
        "TS2339",  # a node that screen.html does not have
        "TS18047",  # what may be null
        "TS7006",  # a parameter without a type
    ]


def test_every_node_of_the_screen_has_a_type():
    markup = (PAGES / "judge/screen/screen.html").read_text("utf-8")
    declared = declare_nodes(markup)
    names = re.findall(r'data-ref="(\w+)"', markup)
    assert re.findall(r"^  (\w+):", declared, re.MULTILINE) == names
    assert '  levels: HTMLElementTagNameMap["div"];' in declared


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder with programs, where nothing was got before."""
    monkeypatch.setattr(typescript, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(typescript, "_HOME", tmp_path / "kept" / "typescript")
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_without_npm_it_is_said_what_is_missing(programs: Path):
    with pytest.raises(SystemExit, match="Install Node with npm"):
        get_compiler()


def test_another_release_than_the_known_one_is_refused(programs: Path):
    npm = programs / "npm"
    npm.write_text(f'#!/bin/sh\necho other > "$5/typescript-{typescript.VERSION}.tgz"\n')
    npm.chmod(0o755)
    with pytest.raises(SystemExit, match="its digest differs"):
        get_compiler()
    assert not (programs / "kept" / "typescript").exists()
