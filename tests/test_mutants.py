"""Each fault that ``python -m tests.mutants`` puts in still fits, and leaves a module."""

import ast

from tests.mutants import MUTANTS
from tests.trees import ROOT


def test_every_fault_fits_where_it_is_put_in():
    assert len({one.name for one in MUTANTS}) == len(MUTANTS) >= 20
    for one in MUTANTS:
        text = (ROOT / one.file).read_text(encoding="utf-8")
        assert ast.dump(ast.parse(one.put_in(text))) != ast.dump(ast.parse(text)), one.name
        assert [test for test in one.tests if not (ROOT / test).exists()] == [], one.name
