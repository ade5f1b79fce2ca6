"""How often something may happen in a while."""

import time

import pytest
from starlette.requests import HTTPConnection

from pages.shared.throttle import Throttle, address_of
from tests.each import each


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


def coming_from(host: str) -> HTTPConnection:
    return HTTPConnection({"type": "http", "headers": [], "client": (host, 1)})


@each(
    ("host", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_is_counted_by_what_its_holder_cannot_choose(host: str, counted: str):
    assert address_of(coming_from(host)) == counted


def test_very_many_keys_do_not_make_it_slow(monkeypatch: pytest.MonkeyPatch):
    looked_at: list[str] = []
    forget = Throttle._forget
    monkeypatch.setattr(
        Throttle, "_forget", lambda self, key, now: looked_at.append(key) or forget(self, key, now)
    )
    throttle = Throttle(2, 3600)
    for number in range(1_000):
        throttle.count(str(number))
    assert len(throttle._times) == len(looked_at) == 1_000
