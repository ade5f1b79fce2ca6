"""Every interval and every test that the code makes is tried by a study."""

import ast
import re
import warnings
from collections.abc import Iterator
from cProfile import Profile
from pathlib import Path
from types import CodeType

import pytest

from core.comparison.choices import TESTS as OF_SYSTEMS
from tests.calibration import clicks, clicks_judged, coverage, planning
from tests.calibration.registry import FAMILIES, TESTS

ROOT = Path(__file__).parents[2]
QUANTILES = {"stdtrit", "ppf", "isf", "quantile", "nanquantile", "percentile", "betaincinv"}
OF_TESTS = {"sign_test", "stdtr", "bdtr"}
CALLED = re.compile(rf"_interval\b|\b({'|'.join(QUANTILES | OF_TESTS)})\b")
"""What a module has to hold for one of its functions to be looked at."""

PRINTED = ("core/command/", "core/figures/")

ALTERNATIVES = {
    "core/agreement/pairwise.py:raw_interval": "analytic, asked for by name; Wilson (1927)",
    "core/agreement/pairwise.py:kappa_interval": "analytic, asked for by name; Sakai's Table 1",
    "core/agreement/pairwise.py:pi_interval": "analytic, asked for by name",
    "core/agreement/coefficients.py:Pi.interval": "analytic, asked for by name",
    "core/agreement/pairs.py:_bootstrap_limits": "asked for by name",
    "core/comparison/conditions.py:_find_limits": "chooses between studied ones",
    "core/planning/judged_twice.py:expect_width": "no limit: how wide one will be, simulated in "
    "its own tests",
    "core/interleaving/ab_test.py:smallest_found": "no limit: what is found in four of five tests, "
    "in its own tests by the noncentral t",
    "core/agreement/drift.py:active_time": "a median of times, without limits",
}
"""What is no default, or no limit at all."""

BESIDE_ITS_TESTS = {
    "core/agreement/drifting.py:_fit": "test_drifting.py",
    "core/reports/forecast.py:forecast_end": "test_forecast.py",
    "core/agreement/topics.py:alpha_by_topic": "test_topics.py",
    "core/interleaving/ab_test.py:check_split": "test_ab_test.py",
}
"""What decides whether something asks for attention, with the test that tries it."""


def find_makers() -> Iterator[str]:
    """Return the functions of core that call an interval, a quantile or a test."""
    for path in sorted((ROOT / "core").rglob("*.py")):
        if path.relative_to(ROOT).as_posix().startswith(PRINTED):
            continue
        text = path.read_text(encoding="utf-8")
        if not CALLED.search(text):
            continue
        for name, function in _functions(ast.parse(text)):
            called = {
                call.func.id if isinstance(call.func, ast.Name) else call.func.attr
                for call in ast.walk(function)
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute)
            }
            called.discard("describe_interval")  # in words
            if any(one.endswith("_interval") for one in called) or called & (QUANTILES | OF_TESTS):
                yield f"{path.relative_to(ROOT)}:{name}"


def _functions(node: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{inside}{child.name}.")
        elif isinstance(child, ast.FunctionDef):
            yield inside + child.name, child


def find_called() -> set[str]:
    """Return the functions of core that the studies call, each tried once."""
    tried = [next(iter(family.models.values())) for family in FAMILIES]
    sizes = [family.sizes[0] for family in FAMILIES]
    tried += [next(iter(family.nulls.values())) for family in TESTS]
    sizes += [family.sizes[0] for family in TESTS]
    with Profile(subcalls=False, builtins=False) as noted, warnings.catch_warnings():
        # Of one study nothing can be said.
        warnings.simplefilter("ignore", RuntimeWarning)
        for simulate, size in zip(tried, sizes, strict=True):
            simulate(size, 1)
    codes = [one.code for one in noted.getstats() if isinstance(one.code, CodeType)]
    inside = [code for code in codes if code.co_filename.startswith(str(ROOT / "core"))]
    return {
        f"{Path(code.co_filename).relative_to(ROOT)}:{code.co_qualname.removesuffix('.<locals>')}"
        for code in inside
    }


def test_every_interval_and_test_is_in_a_study(monkeypatch):
    for many in (coverage, clicks, clicks_judged, planning):
        monkeypatch.setattr(many, "MANY", 40 if many is coverage else 1_000)
    # What comes of so few is not to be kept as the truth for other tests.
    monkeypatch.setattr(clicks_judged, "_find_truth", clicks_judged._find_truth.__wrapped__)
    makers = set(find_makers())
    missing = makers - find_called() - ALTERNATIVES.keys() - BESIDE_ITS_TESTS.keys()
    assert sorted(missing) == []
    assert sorted((ALTERNATIVES.keys() | BESIDE_ITS_TESTS.keys()) - makers) == []
    for maker, name in BESIDE_ITS_TESTS.items():
        beside = (ROOT / "tests" / maker.partition(":")[0]).with_name(name)
        assert "default_rng" in beside.read_text(encoding="utf-8")


def test_titles_are_one_each():
    titles = [one.title for one in (*FAMILIES, *TESTS)]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("test", OF_SYSTEMS)
def test_every_test_of_systems_is_in_a_study(test: str):
    assert [one.title for one in TESTS].count(f"Systems differ: {test}") == 1
