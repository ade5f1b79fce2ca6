"""Every ``>>>`` in the code runs and prints what it says."""

import doctest
import importlib
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parent.parent
PARSER = doctest.DocTestParser()
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for part in ("core", "pages")
    for path in sorted((ROOT / part).rglob("*.py"))
    if ">>>" in path.read_text(encoding="utf-8")
]


def examples():
    for name in MODULES:
        module = importlib.import_module(name)
        for found in doctest.DocTestFinder(parser=PARSER).find(module, name):
            if found.examples:
                yield pytest.param(found, id=found.name)


@pytest.mark.parametrize("example", list(examples()))
def test_an_example_prints_what_it_says(example: doctest.DocTest):
    said: list[str] = []
    with pd.option_context("display.width", 100):
        result = doctest.DocTestRunner().run(example, out=said.append)
    assert result.failed == 0, "".join(said)
    assert result.attempted


def test_there_are_examples_of_the_public_functions():
    assert len(MODULES) >= 10
