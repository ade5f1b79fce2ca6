"""Circularity, gain and anchoring recomputed from labels and runs by loops over documents."""

import math
from collections import defaultdict
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit
from scipy.stats import t as student
from scipy.stats import ttest_1samp

from core.comparison.score_matrix import score_matrix
from core.machines.anchoring import compare_by_assessor, compare_halves, follow_drift
from core.machines.circularity import check_circularity
from core.machines.gain import compare_lineage, mean_gains
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.each import each


def draw_study(seed, topics=5, documents=14):
    """Return runs, people's levels and a machine's; -1 is no level, and much is not judged.

    Some runs have nothing for a topic, others a few documents; one follows the machine.
    """
    rng = np.random.default_rng(seed)
    lists, people, machine = {}, {}, {}
    for topic in range(topics):
        true = rng.integers(0, 3, documents)
        for document in range(documents):
            key = f"t{topic}", f"d{document:02}"
            if rng.random() < 0.9:
                people[key] = int(true[document]) if rng.random() < 0.9 else -1
            if rng.random() < 0.9:
                machine[key] = int(np.clip(true[document] + rng.integers(-1, 2), 0, 3))
        for system in range(5):
            liked = np.array([machine.get((f"t{topic}", f"d{d:02}"), 0) for d in range(documents)])
            score = rng.normal(0, 1, documents) + (2 * liked if system == 4 else true)
            size = rng.choice([0, 3, documents - 2, documents])
            order = np.argsort(-score)[:size]
            if size:
                lists[f"s{system}", f"t{topic}"] = [f"d{one:02}" for one in order]
    return lists, people, machine


def as_runs(lists):
    rows = [
        (*own, document, rank)
        for own, shown in lists.items()
        for rank, document in enumerate(shown, start=1)
    ]
    return pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])


def as_qrels(levels):
    rows = [(topic, "0", document, level) for (topic, document), level in levels.items()]
    return pd.DataFrame(rows, columns=["topic_id", "iteration", "document_id", "level"])


def place(lists, system, item):
    """Return the rank of an item in a run; behind all the run shows where it lacks it."""
    shown = lists.get((system, item[0]), [])
    return shown.index(item[1]) + 1 if item[1] in shown else len(shown) + 1


def less_means(values, strata):
    groups = defaultdict(list)
    for value, one in zip(values, strata, strict=True):
        groups[one].append(value)
    return np.array(
        [value - np.mean(groups[one]) for value, one in zip(values, strata, strict=True)]
    )


def find_excess(lists, systems, system, people, machine):
    """Return the partial correlation of what a run retrieves, and how many documents these are."""
    judged = [one for one in people if people[one] >= 0 and machine.get(one, -1) >= 0]
    own = [one for one in judged if one[1] in lists.get((system, one[0]), [])]
    strata = [(one[0], people[one]) for one in own]
    root = less_means([math.sqrt(place(lists, system, one)) for one in own], strata)
    liked = less_means([machine[one] for one in own], strata)
    others = [other for other in systems if other != system]
    columns = np.array(
        [less_means([math.sqrt(place(lists, one, d)) for d in own], strata) for one in others]
    )
    held = 0.03 * np.mean([(one**2).sum() for one in columns]) * np.eye(len(others))
    left = []
    for asked in (root, liked):
        slope = np.linalg.solve(columns @ columns.T + held, columns @ asked)
        left.append(asked - slope @ columns)
    spread = math.sqrt((left[0] ** 2).sum() * (left[1] ** 2).sum())
    value = -(left[0] @ left[1]) / spread if spread > 1e-9 else math.nan
    return value, len(own)


def count_pairs(lists, systems, system, people, machine):
    """Return pairs that only the machine tells apart, and the shares put its way round."""
    judged = [one for one in people if people[one] >= 0 and machine.get(one, -1) >= 0]
    own = [one for one in judged if one[1] in lists.get((system, one[0]), [])]
    agreed, others = [], []
    for one, other in combinations(own, 2):
        if (one[0], people[one]) != (other[0], people[other]) or machine[one] == machine[other]:
            continue
        better, worse = (one, other) if machine[one] > machine[other] else (other, one)
        ways = {}
        for name in systems:
            at = place(lists, name, better), place(lists, name, worse)
            ways[name] = 0.5 if at[0] == at[1] else float(at[0] < at[1])
        agreed.append(ways.pop(system))
        others.append(np.mean(list(ways.values())))
    if not agreed:
        return 0, math.nan, math.nan
    return len(agreed), np.mean(agreed), np.mean(others)


@each("seed", range(11))
def test_circularity(seed):
    lists, people, machine = draw_study(seed)
    systems = sorted({system for system, _ in lists})
    found = check_circularity(as_runs(lists), as_qrels(people), as_qrels(machine))
    found = found.set_index("system")
    values = {}
    for system in systems:
        row = found.loc[system]
        values[system], documents = find_excess(lists, systems, system, people, machine)
        assert row["statistic"] == pytest.approx(values[system], abs=1e-9, nan_ok=True)
        assert row["documents"] == documents
        pairs, agreed, others = count_pairs(lists, systems, system, people, machine)
        assert row["pairs"] == pairs
        assert row[["agreement", "agreement_others"]].tolist() == pytest.approx(
            [agreed, others], nan_ok=True
        )
    tails = {}
    known = {system: value for system, value in values.items() if not math.isnan(value)}
    assert set(found["units"]) == {len(known)}
    assert found["flagged"].notna().sum() == len(known)
    for system, value in known.items():
        rest = [one for other, one in known.items() if other != system]
        far = (value - np.mean(rest)) / (np.std(rest, ddof=1) * math.sqrt(1 + 1 / len(rest)))
        tails[system] = student.sf(far, len(rest) - 1)
        row = found.loc[system]
        assert row[["others", "t", "p"]].tolist() == pytest.approx(
            [np.mean(rest), far, tails[system]]
        )
    least = 0.0
    for at, system in enumerate(sorted(tails, key=tails.get)):
        least = max(least, min(1, tails[system] * (len(tails) - at)))
        assert found.loc[system, "p_corrected"] == pytest.approx(least)
        assert found.loc[system, "flagged"] == (least < 0.05)


def limit_mean(values, reach):
    """Return limits of a mean within -reach and reach: definitions.md, *Limits of a mean*."""
    share = [(one + reach) / (2 * reach) for one in values]
    count, mean = len(share), np.mean(share)
    squares = sum((one - mean) ** 2 for one in share) * count / (count - 1)
    found = []
    for end, side in ((0, -1), (1, 1)):
        # As much of the way to the end as adds 44 % to the squares of the deviations.
        far = min(abs(end - mean), math.sqrt(0.44 * squares / 0.04))
        unseen = mean + side * far
        shifted = (count * mean + 0.04 * unseen) / (count + 0.04)
        more = squares + count * (mean - shifted) ** 2 + 0.04 * (unseen - shifted) ** 2
        error = math.sqrt(more / (count - 1) / count)
        found.append(on_log_odds(shifted, error, count - 1)[side > 0])
    return [2 * reach * one - reach for one in found]


def on_log_odds(share, error, freedom):
    """Return limits of a share with a quarter of a case more on either side."""
    cases = share * (1 - share) / error**2
    middle = (share * cases + 0.25) / (cases + 0.5)
    half = student.ppf(0.975, freedom) * error / (middle * (1 - middle))
    return expit(logit(middle) - half), expit(logit(middle) + half)


@each("seed", range(2))
@each("text", ["P@3", "DCG"])
def test_gain(seed, text):
    lists, people, machine = draw_study(seed, topics=8)
    measure = parse_measure(text)
    both = []
    for levels in (people, machine):
        rankings = compile_rankings(as_runs(lists), put_on_scale(as_qrels(levels), 3))
        scores = evaluate([measure], rankings)
        wide = scores.pivot(index="topic_id", columns="system", values="value").fillna(0.0)
        both.append(wide)
    topics = both[0].index.intersection(both[1].index)
    of_people, of_machine = (one.loc[topics] for one in both)
    matrices = [
        score_matrix(one.reset_index().melt("topic_id", var_name="system", value_name="value"))
        for one in (of_people, of_machine)
    ]
    highest = 1.0 if text == "P@3" else math.inf
    gains = {name: [] for name in of_people}
    for topic in topics:
        for name, own in gains.items():
            own.append(of_machine.at[topic, name] - of_people.at[topic, name])
    found = mean_gains(*matrices, highest).set_index("system")
    for name, own in gains.items():
        rest = [np.mean([gains[one][at] for one in gains if one != name]) for at in range(len(own))]
        beside = [one - other for one, other in zip(own, rest, strict=True)]
        row = found.loc[name]
        assert row["gain"] == pytest.approx(np.mean(own))
        assert row["relative"] == pytest.approx(np.mean(beside))
        for low, high, values, reach in (
            ("low", "high", own, 1.0),
            ("relative_low", "relative_high", beside, 2.0),
        ):
            if highest == 1:
                expected = limit_mean(values, reach)
            else:
                expected = ttest_1samp(values, 0).confidence_interval()
            assert row[[low, high]].tolist() == pytest.approx(list(expected), abs=1e-9)
    members = ["s3", "s4"]
    advantage = [
        np.mean([gains[one][at] for one in members])
        - np.mean([gains[one][at] for one in gains if one not in members])
        for at in range(len(topics))
    ]
    lineage = compare_lineage(*matrices, members, highest)
    expected = limit_mean(advantage, 2.0)
    if highest == math.inf:
        expected = ttest_1samp(advantage, 0).confidence_interval()
    assert [lineage.low, lineage.high] == pytest.approx(list(expected), abs=1e-9)
    assert lineage.value == pytest.approx(np.mean(advantage))
    assert lineage.verdict == ("shown" if expected[0] > 0 else "not shown")


def draw_labels(seed):
    """Return labels of three assessors, of which some were taken back or could not be given."""
    rng = np.random.default_rng(seed)
    rows = []
    for who in "abc":
        for topic in rng.permutation(int(rng.integers(2, 7))):
            for _ in range(rng.integers(1, 8)):
                machine, shown = int(rng.integers(0, 3)), bool(rng.random() < 0.5)
                first = rng.choice([0, 1, 2, np.nan], p=[0.4, 0.3, 0.2, 0.1])
                last = first
                if rng.random() < 0.2 + 0.4 * shown:
                    last = rng.choice([machine, 0, 2, np.nan], p=[0.6, 0.15, 0.15, 0.1])
                rows.append((who, f"t{topic}", shown, first, last, machine))
    columns = ["assessor_id", "topic_id", "shown", "first", "last", "machine"]
    frame = pd.DataFrame(rows, columns=columns).sample(frac=1, random_state=seed)
    return frame.sort_values("assessor_id", kind="stable").assign(sequence=range(len(frame)))


def answer(row, question):
    """Return whether a label is a case of a question, and whether it holds of it.

    What cannot be judged agrees with nobody, and can be revised; not towards anything.
    """
    has_first, has_last = not math.isnan(row.first), not math.isnan(row.last)
    revised = row.first != row.last and (has_first or has_last)
    nearer = abs(row.last - row.machine) < abs(row.first - row.machine)
    further = abs(row.last - row.machine) > abs(row.first - row.machine)
    return {
        "first label agrees with the machine": (has_first, row.first == row.machine),
        "revised": (True, revised),
        "revised towards the machine": (True, revised and nearer),
        "revised away from the machine": (True, revised and further),
        "last label agrees with the machine": (has_last, row.last == row.machine),
    }[question]


def limit_share(hits, cases):
    """Return limits of a share over topics as how far they are off: `share_interval`."""
    topics = [at for at, one in enumerate(cases) if one]
    value = sum(hits) / sum(cases)
    without = [(sum(hits) - hits[at]) / (sum(cases) - cases[at]) for at in topics]
    apart = [one - np.mean(without) for one in without]
    count = len(topics)
    error = math.sqrt((count - 1) / count * sum(one**2 for one in apart))
    if error < 1e-12:
        far = 1 - 0.025 ** (1 / count)
        return value * far, (1 - value) * far
    tail = 3 * sum(one**2 for one in apart) ** 2 / sum(one**4 for one in apart)
    equal = sum(cases) ** 2 / sum(one**2 for one in cases)
    freedom = min(max(1, min(count - 1, tail)), max(equal - 1, min(2, count - 1)) + 1)
    low, high = on_log_odds(value, error, freedom)
    low, high = min(low, value), max(high, value)
    low = 0.0 if min(without) < 1e-12 else low
    high = 1.0 if max(without) > 1 - 1e-12 else high
    return value - low, high - value


def compare_sides(rows):
    """Return both shares, their cases, and limits of their difference, from (topic, side, hit)."""
    topics = sorted({one[0] for one in rows})
    sums = {
        side: [
            [sum(one[2] for one in rows if one[:2] == (topic, side)) for topic in topics],
            [sum(one[:2] == (topic, side) for one in rows) for topic in topics],
        ]
        for side in (True, False)
    }
    shares = {side: divide(sum(own[0]), sum(own[1])) for side, own in sums.items()}
    told = [shares[True], sum(sums[True][1]), shares[False], sum(sums[False][1])]
    nothing = told, math.nan, math.nan, len(topics)
    if len(topics) < 2 or not (told[1] and told[3]):
        return nothing
    without = {
        side: [
            divide(sum(own[0]) - own[0][at], sum(own[1]) - own[1][at]) for at in range(len(topics))
        ]
        for side, own in sums.items()
    }
    if np.isnan(without[True]).any() or np.isnan(without[False]).any():
        return nothing
    alike = 0.0
    if min(np.std(without[True]), np.std(without[False])) > 1e-12:
        alike = min(np.corrcoef(without[True], without[False])[0, 1], 0.95)
    (low, high), (other_low, other_high) = (limit_share(*sums[side]) for side in (True, False))
    value = shares[True] - shares[False]
    # Zou and Donner (2008), with correlated estimates.
    below = math.sqrt(low**2 + other_high**2 - 2 * alike * low * other_high)
    above = math.sqrt(high**2 + other_low**2 - 2 * alike * high * other_low)
    return told, value - below, value + above, len(topics)


def divide(part, whole):
    return part / whole if whole else math.nan


def check_sides(row, names, rows):
    told, low, high, topics = compare_sides(rows)
    assert row[names].tolist() == pytest.approx(told, nan_ok=True)
    assert row["topics"] == topics
    assert row["difference"] == pytest.approx(told[0] - told[2], nan_ok=True)
    assert row[["low", "high"]].tolist() == pytest.approx([low, high], abs=1e-9, nan_ok=True)
    assert bool(row["reason"]) == math.isnan(low)


@each("seed", range(3))
def test_anchoring(seed):
    labels = draw_labels(seed)
    names = ["shown", "shown_items", "other", "other_items"]
    tables = {"": compare_halves(labels)}
    tables |= dict(list(compare_by_assessor(labels).groupby("assessor_id")))
    assert list(tables) == ["", "a", "b", "c"]
    for who, table in tables.items():
        for row in table.to_dict("records"):
            rows = []
            for label in labels.itertuples():
                is_case, holds = answer(label, row["question"])
                if is_case and who in ("", label.assessor_id):
                    rows.append((label.topic_id, label.shown, holds))
            check_sides(pd.Series(row), names, rows)


@each("seed", range(3))
def test_drift_of_first_labels(seed):
    labels = draw_labels(seed)
    late = {}
    for _, own in labels.groupby("assessor_id"):
        order = own.sort_values("sequence").index
        late |= {one: at >= (len(order) + 1) // 2 for at, one in enumerate(order)}
    shown = labels.groupby("assessor_id")["shown"].sum()
    names = ["late", "late_items", "early", "early_items"]
    for row in follow_drift(labels).to_dict("records"):
        whose, who = row["whose"], row["assessor_id"]
        people = {
            "": {who},
            "everybody": set("abc"),
            "those shown more": set(shown[shown > shown.median()].index),
            "those shown less": set(shown[shown <= shown.median()].index),
        }[whose]
        rows = [
            (one.topic_id, late[one.Index], one.first == one.machine)
            for one in labels.itertuples()
            if one.assessor_id in people and not math.isnan(one.first)
        ]
        check_sides(pd.Series(row), names, rows)
