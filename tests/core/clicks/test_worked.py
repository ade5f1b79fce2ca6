"""The lesson on position bias: what it claims is so."""

import numpy as np
import pytest

from core.clicks.fitting import cannot_tell, fit
from core.clicks.worked import (
    ATTRACTIVE,
    EXAMINED,
    PBM,
    RESULTS,
    ClickedList,
    add_lists,
    order_of,
    share_clicked,
    simulate_users,
)


def test_six_mixed_pages_have_each_result_once_at_each_rank():
    for turn in range(3):
        pages = [order_of(6 * turn + one, mixed=True) for one in range(6)]
        assert (np.sort(pages, axis=0) == np.arange(RESULTS)[:, np.newaxis]).all()
        assert (np.sort(pages, axis=1) == np.arange(RESULTS)).all()
    assert order_of(7, mixed=False).tolist() == list(range(RESULTS))


def test_mixed_lists_show_the_truth():
    log = simulate_users(5_000, mixed=True)
    found = fit(PBM, log).parameters
    assert found["attractiveness"] == pytest.approx(ATTRACTIVE, abs=0.05)
    assert found["examination"] == pytest.approx(EXAMINED, abs=0.06)
    assert (share_clicked(log) < ATTRACTIVE).all()


def test_one_order_for_all_hides_it():
    log = simulate_users(5_000, mixed=False)
    assert share_clicked(log).argmax() == 0
    found = fit(PBM, log)
    assert found.parameters["attractiveness"][-1] < ATTRACTIVE[-1] - 0.2
    assert any("cannot be told" in one.what for one in cannot_tell(found, log))


def test_lists_of_a_reader_count():
    log = simulate_users(10, mixed=True)
    assert add_lists(log, []) is log
    taken = ClickedList([5, 4, 3, 2, 1, 0], [True, False, False, False, False, False])
    more = add_lists(log, [taken, taken])
    assert len(more) == more.sessions == 12
    assert more.item[-1].tolist() == list(taken.order)
    assert more.clicked[-1].tolist() == list(taken.clicked)


def test_a_result_that_was_never_shown_has_no_share():
    log = simulate_users(0, mixed=True)
    assert np.isnan(share_clicked(log)).all()
