"""Passages character by character: F1, α and their limits by loops, and what does not count."""

import math
from itertools import chain, combinations

import numpy as np
import pandas as pd
import pytest

from core.reports.passages import PassageAgreement
from tests.core.agreement.leaving_out import limits_of_coefficient, limits_of_share
from tests.each import each

LENGTH = {"x": 12, "y": 30, "z": 7}


def draw(seed, alike):
    """Return passages of snippets and pages, repeats, answers without a level and other versions.

    Some stand twice or overlap; who marks something in an item differs from item to item.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for topic in range(rng.integers(2, 7)):
        for document, characters in LENGTH.items():
            for engine in ("", "e")[: rng.integers(1, 3)]:
                common = rng.integers(0, characters - 2)
                for who in "abcd"[: rng.integers(1, 5)]:
                    for _ in range(rng.integers(0, 4)):
                        start = common if rng.random() < alike else rng.integers(0, characters)
                        end = min(start + rng.integers(1, 6), characters)
                        facet = rng.choice(["page", "page", "page", "snippet"])
                        occasion = int(rng.random() < 0.1)
                        state = rng.choice(["level", "cannot judge"], p=[0.9, 0.1])
                        size = 0 if rng.random() < 0.1 else characters
                        name = f"t{topic}"
                        rows.append(
                            (name, document, engine, facet, who, occasion, state, start, end, size)
                        )
    columns = "topic_id document_id engine facet assessor_id occasion state start end characters"
    return pd.DataFrame(rows, columns=columns.split())


def mark(passages, facet):
    """Return by topic and item, for each assessor who marked it, whether each character is."""
    items = {}
    for row in passages.itertuples():
        counts = row.facet == facet and row.occasion == 0 and row.state == "level"
        if not counts or row.characters == 0:
            continue
        item = row.topic_id, row.document_id, row.engine
        own = items.setdefault(item, {}).setdefault(row.assessor_id, [False] * row.characters)
        for at in range(row.start, row.end):
            own[at] = True
    topics = {}
    for (topic, *_), marks in items.items():
        if len(marks) > 1:
            topics.setdefault(topic, []).append(list(marks.values()))
    return [topics[one] for one in sorted(topics)]


def f1(marks):
    """Return the mean over pairs of twice what both marked over what each did."""
    shares = []
    for one, other in combinations(marks, 2):
        both = sum(a and b for a, b in zip(one, other, strict=True))
        shares.append(2 * both / (sum(one) + sum(other)))
    return float(np.mean(shares))


def alpha(items):
    """Return Krippendorff's α from all ordered pairs of values of a character."""
    differ, values = 0.0, []
    for marks in items:
        for at in range(len(marks[0])):
            given = [one[at] for one in marks]
            values += given
            apart = sum(a != b for a in given for b in given)
            differ += apart / (len(given) - 1)
    marked, whole = sum(values), len(values)
    expected = 2 * marked * (whole - marked) / (whole - 1) if whole else 0
    return 1 - differ / expected if expected else math.nan


def flat(topics):
    return [item for own in topics for item in own]


@each("seed", range(6))
@each("alike", [0.9, 0.3])
def test_any_passages(seed, alike):
    passages = draw(seed, alike)
    for facet in ("page", "snippet"):
        topics = mark(passages, facet)
        report = PassageAgreement(passages, facet)
        found = report.overall.set_index("coefficient")
        count = len(flat(topics))
        assert found["n"].tolist() == [count, count]
        assert found["units"].tolist() == [len(topics)] * 2
        if not count:
            assert found["value"].isna().all()
            continue
        shares = [[f1(marks) for marks in own] for own in topics]
        assert sorted(report.items["f1"]) == pytest.approx(sorted([*chain(*shares)]))
        assert found.loc["f1", "value"] == pytest.approx(np.mean([*chain(*shares)]))
        assert found.loc["alpha(nominal)", "value"] == pytest.approx(
            alpha(flat(topics)), nan_ok=True
        )
        if len(topics) < 2:
            assert found["low"].isna().all()
            continue
        rest = [topics[:at] + topics[at + 1 :] for at in range(len(topics))]
        sizes = [float(len(own)) for own in topics]
        without = [np.mean([f1(marks) for marks in flat(one)]) for one in rest]
        if np.std(without) > 1e-9:
            assert found.loc["f1", ["low", "high"]].tolist() == pytest.approx(
                limits_of_share(found.loc["f1", "value"], without, sizes), abs=1e-9
            )
        without = [alpha(flat(one)) for one in rest]
        expected = [math.nan] * 2
        if not np.isnan(without).any():
            value = found.loc["alpha(nominal)", "value"]
            expected = limits_of_coefficient(value, without, sizes)
        assert found.loc["alpha(nominal)", ["low", "high"]].tolist() == pytest.approx(
            expected, abs=1e-9, nan_ok=True
        )
