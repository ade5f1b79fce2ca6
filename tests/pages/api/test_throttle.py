"""How often something may happen in a while."""

import time

import pytest

from pages.api.throttle import Throttle


def test_it_fills_up_for_one_key_and_not_for_another():
    throttle = Throttle(2, 60)
    for _ in range(2):
        assert not throttle.is_full("a")
        throttle.count("a")
    assert throttle.is_full("a")
    assert not throttle.is_full("b")


def test_it_empties_as_time_goes_by(monkeypatch: pytest.MonkeyPatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    throttle = Throttle(1, 60)
    throttle.count("a")
    now[0] += 59
    assert throttle.is_full("a")
    now[0] += 2
    assert not throttle.is_full("a")
    assert not throttle._times
