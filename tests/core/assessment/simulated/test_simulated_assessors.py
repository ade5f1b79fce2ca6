"""Simulated levels follow the model that is written down, and are always the same."""

import importlib.util
import sys
from datetime import datetime
from types import ModuleType

import numpy as np
import pytest

from core.assessment.handing_out.assignment_content import Step
from core.assessment.simulated.simulated_assessors import TOP, Intended, Simulated, judge, see
from core.settings import DEMO_DATA
from core.store.rounds.rounds import Round

RULES = Round(
    *("r", "c", "Round", 2, "snippet then page", None, 10, None, 60, 0.0, 7),
    datetime(2026, 1, 1),
    None,
)
EXACT = Simulated("exact", "", 0.0, 0.0, 0.0, 8.0)
PAGES = {("t", f"d{number}"): number % 5 for number in range(400)}
SNIPPETS = {("t", f"d{number}", "e"): number % 4 for number in range(400)}
INTENDED = Intended(PAGES, SNIPPETS, {"t": 0.0})


def levels(one: Simulated, facet: str = "page", intended: Intended = INTENDED) -> np.ndarray:
    engine = "e" if facet == "snippet" else ""
    given = [judge(one, Step("t", f"d{n}", facet, engine), intended, RULES) for n in range(400)]
    return np.array([one.level for one in given])


@pytest.fixture(scope="module")
def program() -> ModuleType:
    """The program that made the labels which come with the demo."""
    spec = importlib.util.spec_from_file_location("simulate", DEMO_DATA / "simulate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "simulate", module)
        spec.loader.exec_module(module)
    return module


def test_somebody_without_leniency_noise_and_taste_gives_what_was_intended():
    assert levels(EXACT).tolist() == list(PAGES.values())
    assert levels(EXACT, "snippet").tolist() == list(SNIPPETS.values())


def test_leniency_shifts_levels_within_the_scale():
    lenient = levels(Simulated("lenient", "", 1.0, 0.0, 0.0, 8.0))
    assert lenient.tolist() == [
        min(level + 1, 4 if level == 4 else TOP) for level in PAGES.values()
    ]
    strict = levels(Simulated("strict", "", -2.0, 0.0, 0.0, 8.0))
    assert strict.tolist() == [max(min(level, TOP) - 2, 0) for level in PAGES.values()]


def test_noise_slips_and_ambiguity_blur():
    intended = np.minimum(list(PAGES.values()), TOP)

    def error(one: Simulated, among: Intended = INTENDED) -> float:
        return float(np.abs(np.minimum(levels(one, intended=among), TOP) - intended).mean())

    assert error(Simulated("calm", "", 0.0, 0.4, 0.0, 8.0)) > 0
    assert error(Simulated("calm", "", 0.0, 0.4, 0.0, 8.0)) < error(
        Simulated("wild", "", 0.0, 1.2, 0.0, 8.0)
    )
    assert error(Simulated("slipping", "", 0.0, 0.0, 1.0, 8.0)) > 0.4
    assert error(EXACT, Intended(PAGES, SNIPPETS, {"t": 0.7})) > 0.1


def test_who_is_fond_of_an_engine_sees_its_pages_higher():
    fond = Simulated("fond", "", 0.0, 0.0, 0.0, 8.0, "e")
    shifted = [min(level + 1, 4 if level == 4 else TOP) for level in PAGES.values()]
    assert levels(fond).tolist() == shifted
    assert levels(fond, "snippet").tolist() == list(SNIPPETS.values())  # six tenths of .8 is lost


def test_taste_stays_the_same_for_one_assessor_and_page():
    ambiguous = Intended(PAGES, SNIPPETS, {"t": 0.7})
    first, again = (
        [
            judge(EXACT, Step("t", f"d{n}", "page", "", k), ambiguous, RULES).level
            for n in range(400)
        ]
        for k in (0, 1)
    )
    assert first == again != list(PAGES.values())


def test_a_judgement_is_the_same_whenever_it_is_asked_for():
    noisy = Simulated("noisy", "", 0.2, 0.9, 0.1, 8.0)
    assert levels(noisy).tolist() == levels(noisy).tolist()
    other = Simulated("other", "", 0.2, 0.9, 0.1, 8.0)
    assert levels(noisy).tolist() != levels(other).tolist()


def test_time_follows_the_assessors_own():
    def median(seconds: float, facet: str) -> float:
        one = Simulated("a", "", 0.0, 0.0, 0.0, seconds)
        steps = [Step("t", f"d{n}", facet, "e") for n in range(400)]
        return float(np.median([judge(one, step, INTENDED, RULES).seconds for step in steps]))

    assert median(10, "page") == pytest.approx(14, rel=0.15)
    assert median(10, "snippet") == pytest.approx(6, rel=0.15)
    assert median(5, "page") == pytest.approx(median(10, "page") / 2)


def test_what_nobody_intended_cannot_be_judged():
    assert judge(EXACT, Step("t", "new", "page"), INTENDED, RULES).level is None
    assert judge(EXACT, Step("u", "new", "snippet", "e"), INTENDED, RULES).level is None


def test_the_model_is_that_of_the_labels_that_come_with_the_demo(program: ModuleType):
    one = Simulated("simulated-4", "crowd", 0.35, 0.7, 0.3, 5.0, "chatter")
    theirs = program.Simulated("simulated-4", "crowd", 0.35, 0.7, 0.3, 5.0, "chatter")
    mine_drawn, theirs_drawn = np.random.default_rng(3), np.random.default_rng(3)
    for number in range(300):
        about = (number % 4, 0.1 * (number % 7))
        assert see(*about, one, TOP, mine_drawn) == program.see(*about, theirs, TOP, theirs_drawn)
