import threading

import pytest

from core.prompting.budget import Budget, Limits, Prices

GO_ON = threading.Event()


def test_without_limits_everything_is_allowed():
    budget = Budget(Limits())
    assert [budget.reserve(1e9, GO_ON) for _ in range(3)] == [""] * 3


def test_requests_of_earlier_runs_count():
    budget = Budget(Limits(requests=10), sent=8)
    assert [bool(budget.reserve(0, GO_ON)) for _ in range(4)] == [False, False, True, True]
    assert budget.reserve(0, GO_ON) == "the budget of 10 requests is used up"


def test_what_was_spent_counts_and_the_most_of_what_is_to_come():
    budget = Budget(Limits(money=1.0), spent=0.5)
    assert budget.reserve(0.4, GO_ON) == ""
    budget.settle(0.4, 0.1)
    assert budget.reserve(0.4, GO_ON) == ""
    budget.settle(0.4, 0.4)
    assert "does not allow another request: 1 is spent" in budget.reserve(0.01, GO_ON)


def test_a_request_waits_for_what_others_have_reserved():
    budget, answer = Budget(Limits(money=1.0)), []
    assert budget.reserve(0.9, GO_ON) == ""
    waiting = threading.Thread(target=lambda: answer.append(budget.reserve(0.8, GO_ON)))
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    budget.settle(0.9, 0.1)
    waiting.join()
    assert answer == [""]


def test_nothing_is_reserved_once_everything_stops():
    budget, stop = Budget(Limits(money=1.0)), threading.Event()
    budget.reserve(0.9, stop)
    stop.set()
    assert budget.reserve(0.8, stop) == "it was stopped"


def test_prices_are_for_a_million_tokens():
    assert Prices(1.5, 6.0).cost(2_000, 500) == pytest.approx(0.006)
