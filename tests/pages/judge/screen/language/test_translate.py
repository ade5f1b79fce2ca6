"""Texts with facts in them."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILE = "language/translate.js"


def test_facts_stand_where_they_are_named(run: Run):
    script = (
        "return [t('{a} of {b}', { a: '{b}', b: 2 }), t('{a} of {b}', { a: 0 }), t('as it is')]"
    )
    assert run(FILE, script=script) == ["{b} of 2", "0 of {b}", "as it is"]


def test_one_is_singular(run: Run):
    script = "return [0, 1, 2].map((n) => tn(n, '{n} judgement', '{n} judgements'))"
    assert run(FILE, script=script) == ["0 judgements", "1 judgement", "2 judgements"]
