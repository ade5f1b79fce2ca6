"""What is kept, for how long, and what threads see of it."""

import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.analysis.base.versioned_cache import VersionedCache


class Result:
    """Something that a weak reference can follow."""


def test_computes_once_for_each_state_and_lets_go_of_the_former():
    shelf = VersionedCache(most=4)
    first = weakref.ref(shelf.get("a", 1, Result))
    assert shelf.get("a", 1, Result) is first()
    second = shelf.get("a", 2, Result)
    assert first() is None
    assert shelf.get("a", 2, Result) is second


def test_keeps_the_keys_that_were_asked_for_last():
    shelf = VersionedCache(most=2)
    kept = shelf.get("a", 1, Result)
    gone = weakref.ref(shelf.get("b", 1, Result))
    assert shelf.get("a", 1, Result) is kept
    shelf.get("c", 1, Result)
    assert gone() is None
    assert shelf.get("a", 1, Result) is kept


def test_a_later_result_may_serve_who_asks_for_an_earlier_state():
    shelf = VersionedCache(most=2, serves=lambda held, wanted: held >= wanted)
    later = shelf.get("a", 5, Result)
    assert shelf.get("a", 4, Result) is later
    assert shelf.get("a", 6, Result) is not later


def test_a_failure_is_not_kept():
    shelf = VersionedCache(most=2)
    with pytest.raises(ZeroDivisionError):
        shelf.get("a", 1, lambda: 1 / 0)
    assert shelf.get("a", 1, lambda: "fine") == "fine"


def test_a_computation_may_ask_for_another_key():
    shelf = VersionedCache(most=2)
    assert shelf.get("a", 1, lambda: shelf.get("b", 1, lambda: "b") + "a") == "ba"


def test_threads_wait_for_the_one_that_computes():
    shelf, begun, go = VersionedCache(most=2), threading.Event(), threading.Event()

    def slow() -> Result:
        begun.set()
        assert go.wait(10)
        return Result()

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(shelf.get, "a", 1, slow)
        assert begun.wait(10)
        second = pool.submit(shelf.get, "a", 1, Result)
        go.set()
        assert first.result() is second.result()
