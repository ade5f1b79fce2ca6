import threading

import pytest

from core.errors import BadInput
from core.prompting.pace import LONGEST_PAUSE, Pacing, RateLimiter
from tests.each import each


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_turns_are_spaced_evenly():
    clock = Clock()
    pace = RateLimiter(30, clock)
    assert [pace.take_turn() for _ in range(4)] == [0, 2, 4, 6]
    clock.now += 100
    assert [pace.take_turn() for _ in range(2)] == [0, 2], "turns that nobody took do not add up"


def test_without_a_limit_every_turn_is_now():
    assert {RateLimiter(None, Clock()).take_turn() for _ in range(5)} == {0.0}


def test_a_pause_holds_everybody():
    clock = Clock()
    pace = RateLimiter(60, clock)
    pace.hold(10)
    pace.hold(5)
    assert [pace.take_turn() for _ in range(2)] == [10, 11]


def test_waiting_ends_when_everything_stops():
    pace, stop = RateLimiter(), threading.Event()
    assert pace.wait(stop)
    pace.hold(3600)
    stop.set()
    assert not pace.wait(stop)


def test_pauses_double_up_to_a_limit_and_are_spread():
    pacing = Pacing(pause=2.0)
    assert [pacing.pause_after(n, 1.0) for n in (1, 2, 3)] == [2, 4, 8]
    assert pacing.pause_after(1, 0.0) == 1
    assert pacing.pause_after(1000, 1.0) == LONGEST_PAUSE


@each("given", [{"concurrency": 0}, {"concurrency": 257}, {"per_minute": 0}, {"per_minute": -1.0}])
def test_a_pace_that_cannot_be_kept_is_refused(given: dict[str, float]):
    with pytest.raises(BadInput):
        Pacing(**given)
