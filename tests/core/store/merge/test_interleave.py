"""Two logs as one: laws over whatever was judged where and in which order."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.store.merge.events import Event, LoggedEvent, MergedPositions, interleave, replay

START = datetime(2026, 1, 1)
BOTH, FIRST, SECOND = "both", "first", "second"


@st.composite
def judged_apart(draw: st.DrawFn) -> tuple[list[LoggedEvent], list[LoggedEvent], list[LoggedEvent]]:
    """Return what a store judged by all has, and what each site has of it after their copies."""
    begun = draw(st.integers(0, 4))
    sites = [BOTH] * begun + draw(st.lists(st.sampled_from([FIRST, SECOND]), max_size=12))
    steps = draw(st.lists(st.integers(0, 2), min_size=len(sites), max_size=len(sites)))
    time, joint = START, []
    for number, step in enumerate(steps):
        time += timedelta(seconds=step)
        joint.append(LoggedEvent(f"e{number:02}", time))
    logs = [
        [one for one, site in zip(joint, sites, strict=True) if site in (BOTH, own)]
        for own in (FIRST, SECOND)
    ]
    return joint, *logs


@given(judged_apart())
def test_what_was_judged_apart_is_what_was_judged_together(apart):
    joint, first, second = apart
    assert interleave(first, second) == joint


@given(judged_apart())
def test_it_makes_no_difference_which_store_is_the_first(apart):
    _, first, second = apart
    assert interleave(first, second) == interleave(second, first)


@given(judged_apart())
def test_a_log_with_itself_and_with_a_part_of_it_is_itself(apart):
    joint, first, _ = apart
    assert interleave(joint, joint) == joint
    assert interleave(joint, first) == joint


@given(judged_apart(), st.randoms(use_true_random=False))
def test_no_order_changes_whatever_the_times(apart, random):
    _, first, second = apart
    told = [
        [LoggedEvent(one.name, START + timedelta(seconds=random.randint(-9, 9))) for one in log]
        for log in (first, second)
    ]
    joined = [one.name for one in interleave(*told)]
    assert len(joined) == len({*joined})
    for log in (first, second):
        names = [one.name for one in log]
        assert [one for one in joined if one in names] == names


def test_logs_that_contradict_each_other_are_refused():
    one, other = LoggedEvent("a", START), LoggedEvent("b", START)
    with pytest.raises(BadInput, match="different orders"):
        interleave([one, other], [other, one])


def test_a_moment_lies_after_what_its_store_had_and_what_was_written_elsewhere_by_then():
    times = [START + timedelta(seconds=second) for second in range(5)]
    first = [LoggedEvent("a1", times[0]), LoggedEvent("a2", times[4])]
    second = [LoggedEvent("b1", times[1]), LoggedEvent("b2", times[3])]
    joined = interleave(first, second)
    assert [one.name for one in joined] == ["a1", "b1", "b2", "a2"]
    numbers = {one.name: number for number, one in enumerate(joined, start=1)}
    moments = MergedPositions(joined, numbers, ["a1", "a2"])
    assert moments.find(1, times[2]) == 2
    assert moments.find(1, START - timedelta(days=1)) == 1
    assert moments.find(1, times[4] + timedelta(days=1)) == 3
    assert moments.find(1) == 1
    assert moments.find(0) == 0
    assert moments.find(2) == 4


def test_of_two_labels_of_one_item_both_count_and_the_later_is_current():
    events = [
        Event("a1", None, "key", True),
        Event("b1", None, "key", True),
        Event("a2", "a1", "key", True),
        Event("late", "a1", "key", False),
        Event("b2", "b1", "key", True),
    ]
    replayed = replay(events)
    assert replayed.stale == {"late"}
    assert replayed.of_two_sites == {"b1", "a2", "b2"}


def test_what_was_late_at_its_site_counts_where_it_replaces_what_stands_by_now():
    events = [Event("a1", None, "key", True), Event("b1", "a1", "key", False)]
    assert replay(events) == replay(
        [Event("a1", None, "key", True), Event("b1", "a1", "key", True)]
    )
