"""Active time and drift, against plain loops."""

import numpy as np
import pytest

from core.agreement.drift import active_time, drift
from core.agreement.ratings import ratings_from_labels
from tests.each import each


def label(make_labels, rows, **columns):
    """Return labels from (topic, document, assessor, level, dwell_ms), in order of sequence."""
    frame = make_labels([row[:4] for row in rows], **columns)
    return frame.assign(dwell_ms=[row[4] for row in rows], sequence=range(1, len(rows) + 1))


def test_times_equal_numpys_quartiles_and_leave_the_untimed_out(make_labels):
    times = [2000, 9000, 4000, 1000]
    rows = [("t", f"d{at}", "a", 1, time) for at, time in enumerate(times)]
    rows += [("t", "d8", "a", 0, 3000), ("t", "d9", "a", 1, 0), ("t", "d9", "b", 1, 0)]
    table = active_time(label(make_labels, rows), "page")
    assert table[["assessor_id", "level", "labels"]].values.tolist() == [["a", 0, 1], ["a", 1, 4]]
    limits = table.loc[1, ["lower", "median", "upper"]].tolist()
    assert limits == pytest.approx(np.percentile(times, [25, 50, 75]) / 1000)


@each("columns", [{"facet": "snippet"}, {"state": "later"}, {"occasion": 1}, {"occasion": -1}])
def test_only_first_levels_of_the_facet_count(make_labels, columns):
    labels = label(make_labels, [("t", "d", "a", 1, 500)], **columns)
    assert active_time(labels, "page").empty
    ratings = ratings_from_labels(labels, "page", (0, 1))
    assert drift(labels, "page", ratings).empty


def test_drift_equals_loops_over_tenths(make_labels):
    rng = np.random.default_rng(5)
    rows = []
    for at in rng.permutation(47):
        rows.append((f"t{at % 3}", f"d{at}", "a", int(rng.integers(4)), int(rng.integers(3)) * 700))
        if at % 4:
            rows.append((f"t{at % 3}", f"d{at}", "b", int(rng.integers(4)), 0))
        if at < 19:
            rows.append((f"t{at % 3}", f"d{at}", "c", int(rng.integers(4)), 900))
    labels = label(make_labels, rows)
    shuffled = labels.sample(frac=1, random_state=1)
    ratings = ratings_from_labels(labels, "page", range(4))
    table = drift(shuffled, "page", ratings)
    assert sorted(set(table["assessor_id"])) == ["a", "b"]
    for name in "ab":
        own = [row for row in rows if row[2] == name]
        parts = [[row for at, row in enumerate(own) if at * 10 // len(own) == k] for k in range(10)]
        got = table[table["assessor_id"] == name]
        assert got["part"].tolist() == list(range(1, 11))
        for row, part in zip(got.itertuples(), parts, strict=True):
            assert row.labels == len(part)
            apart = []
            for topic, document, who, level, _ in part:
                others = [
                    other[3] for other in rows if other[:2] == (topic, document) and other[2] != who
                ]
                apart += [level - sum(others) / len(others)] if others else []
            assert row.common == len(apart)
            mean = sum(apart) / len(apart) if apart else np.nan
            assert row.leniency == pytest.approx(mean, nan_ok=True)
            times = [one[4] / 1000 for one in part if one[4]]
            assert row.timed == len(times)
            middle = float(np.median(times)) if times else np.nan
            assert row.median_seconds == pytest.approx(middle, nan_ok=True)


def test_sizes_of_parts_differ_by_one_at_most(make_labels):
    rows = [("t", f"d{at}", "a", at % 2, 10) for at in range(29)]
    labels = label(make_labels, rows)
    table = drift(labels, "page", ratings_from_labels(labels, "page", (0, 1)))
    assert table["labels"].sum() == 29
    assert set(table["labels"]) == {2, 3}
    assert table["leniency"].isna().all()
