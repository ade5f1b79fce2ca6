"""A simulation is started, paused and made faster; it ends by itself and with the server."""

import threading
from collections.abc import Iterator

import pytest

import core.assessment.simulated.simulation as module
from core.assessment.simulated.simulation import (
    FAILED,
    NOBODY_WATCHED,
    NOTHING_LEFT,
    RATES,
    Simulation,
)
from tests.browser.running import wait_until


class Work:
    """Stands for a round: so many items, and what happens at one of them."""

    collection_id = "c"

    def __init__(self, items: int, error: Exception | None = None) -> None:
        self.items, self.error = items, error
        self.given = 0

    def count_given(self) -> int:
        return self.given

    def judge_next(self) -> bool:
        if self.error:
            raise self.error
        if self.given == self.items:
            return False
        self.given += 1
        return True


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge without waiting."""
    monkeypatch.setattr(module, "RATES", (60_000, 120_000))


@pytest.fixture
def made() -> Iterator[list[Simulation]]:
    simulations: list[Simulation] = []
    yield simulations
    for one in simulations:
        one.end()
    assert "simulation" not in [thread.name for thread in threading.enumerate()]


def make(
    made: list[Simulation], work: Work, **options: object
) -> tuple[Simulation, list[Exception]]:
    errors: list[Exception] = []
    made.append(Simulation(work, errors.append, **options))  # type: ignore[arg-type]
    return made[-1], errors


@pytest.mark.usefixtures("at_once")
def test_it_judges_until_nothing_is_left(made):
    simulation, errors = make(made, Work(5))
    assert (simulation.is_judging, simulation.why_paused) == (False, "")
    assert simulation.collection_id == "c"
    simulation.start()
    wait_until(lambda: not simulation.is_judging)
    assert simulation.count_given() == 5
    assert simulation.why_paused == NOTHING_LEFT
    assert errors == []


@pytest.mark.usefixtures("at_once")
def test_paused_it_stands_and_can_be_started_again(made):
    work = Work(1_000_000)
    simulation, _ = make(made, work)
    simulation.start()
    simulation.start()  # does nothing: it goes on
    assert [thread.name for thread in threading.enumerate()].count("simulation") == 1
    wait_until(lambda: work.given > 3)
    simulation.pause()
    stands = work.given
    assert not simulation.is_judging
    assert simulation.why_paused == ""
    assert "simulation" not in [thread.name for thread in threading.enumerate()]
    assert work.given == stands
    simulation.start()
    wait_until(lambda: work.given > stands)


def test_faster_takes_effect_at_once(made, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "RATES", (0.001, 60_000))
    work = Work(1_000_000)
    simulation, _ = make(made, work)
    simulation.start()
    wait_until(lambda: work.given == 1)
    assert simulation.may_be_faster
    simulation.faster()
    assert not simulation.may_be_faster
    wait_until(lambda: work.given > 2)
    simulation.faster()
    assert simulation.rate == 60_000
    simulation.pause()
    simulation.start()
    assert simulation.rate == 0.001


def test_the_slowest_can_be_watched_one_by_one():
    assert tuple(sorted(RATES)) == RATES
    assert RATES[0] == 12


@pytest.mark.usefixtures("at_once")
def test_with_nobody_watching_it_pauses(made):
    now = [0.0]
    work = Work(1_000_000)
    simulation, _ = make(made, work, patience=10.0, clock=lambda: now[0])
    simulation.start()
    wait_until(lambda: work.given > 3)
    now[0] = 9.0
    simulation.watch()
    now[0] = 18.0
    before = work.given
    wait_until(lambda: work.given > before + 3)
    now[0] = 30.0
    wait_until(lambda: not simulation.is_judging)
    assert simulation.why_paused == NOBODY_WATCHED


def test_an_error_ends_it_and_is_told(made):
    failure = OSError("no room")
    simulation, errors = make(made, Work(5, failure))
    simulation.start()
    wait_until(lambda: not simulation.is_judging)
    assert simulation.why_paused == FAILED
    assert errors == [failure]


def test_after_its_end_it_is_not_started_again(made):
    work = Work(5)
    simulation, _ = make(made, work)
    simulation.end()
    simulation.start()
    assert not simulation.is_judging
    assert work.given == 0
