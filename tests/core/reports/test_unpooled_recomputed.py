"""What unpooled runs lose, from lists and levels by loops: pools, scores, ranks and tests anew."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from core.reports.unpooled import Unpooled, UnpooledQuestion
from core.versions.judgements import put_on_scale
from tests.each import each

TEAMS = {"a1": "a", "a2": "a", "b1": "b", "c1": "c", "c2": "c"}


def draw_study(seed, beyond=0.05):
    """Return lists and levels: pooled to depth 4, and a share of the rest judged, too.

    A run may have nothing for a topic, two teams' runs may be the same, and a topic may have
    relevant documents of one team only.
    """
    rng = np.random.default_rng(seed)
    topics = int(rng.integers(6, 14))
    lists, levels = {}, {}
    for topic in range(topics):
        for at, system in enumerate(TEAMS):
            size = rng.choice([0, 3, 9, 12], p=[0.05, 0.15, 0.3, 0.5])
            order = np.argsort(rng.normal(np.arange(20) * (0, 0.1, 0.3, 0.6, 2)[at], 1))[:size]
            if size:
                lists[system, f"t{topic}"] = [f"d{one:02}" for one in order]
        if ("b1", f"t{topic}") in lists and seed % 2:
            lists["c2", f"t{topic}"] = lists["b1", f"t{topic}"]
        pool = {d for (_, own), shown in lists.items() if own == f"t{topic}" for d in shown[:4]}
        for at in range(20):
            if (document := f"d{at:02}") in pool or rng.random() < beyond:
                odds = np.array([1, 1 - at / 20, (1 - at / 20) ** 2 if topic else 0])
                levels[f"t{topic}", document] = int(rng.choice(3, p=odds / odds.sum()))
    return lists, levels


def condense(shown, levels):
    return [document for document in shown if document in levels]


def average_precision(shown, levels):
    relevant = sum(level > 0 for level in levels.values())
    if not relevant:
        return math.nan
    hits, total = 0, 0.0
    for rank, document in enumerate(shown, start=1):
        if levels.get(document, 0) > 0:
            hits += 1
            total += hits / rank
    return total / relevant


def ndcg_at_3(shown, levels):
    best = sorted(levels.values(), reverse=True)[:3]
    ideal = sum(level / math.log2(at + 2) for at, level in enumerate(best))
    if not ideal:
        return math.nan
    return sum(levels.get(d, 0) / math.log2(at + 2) for at, d in enumerate(shown[:3])) / ideal


def bpref(shown, levels):
    """Buckley and Voorhees (2004), as trec_eval has it: the first R not relevant ones count."""
    relevant = sum(level > 0 for level in levels.values())
    other = sum(level <= 0 for level in levels.values())
    if not relevant:
        return math.nan
    above, total = 0, 0.0
    for document in condense(shown, levels):
        if levels[document] > 0:
            total += 1 - min(above, relevant) / min(relevant, other) if above else 1
        else:
            above += 1
    return total / relevant


MEASURES = {
    "AP": average_precision,
    "AP(judged_only=True)": lambda shown, own: average_precision(condense(shown, own), own),
    "nDCG@3": ndcg_at_3,
    "bpref": bpref,
}


def score(lists, levels, measure):
    """Return scores by topic and system; a topic without anything to find is left out."""
    found = {}
    for topic in sorted({topic for topic, _ in levels}):
        own = {document: level for (one, document), level in levels.items() if one == topic}
        scores = {
            system: MEASURES[measure](lists.get((system, topic), []), own) for system in TEAMS
        }
        if not math.isnan(scores["a1"]):
            found[topic] = scores
    return found


def brought(lists, topic, teams):
    shown = [lists.get((system, topic), [])[:4] for system in TEAMS if TEAMS[system] in teams]
    return {document for own in shown for document in own}


def without_team(lists, levels, team):
    """Return the levels without what only this team has in its pool, and what that is."""
    rest = set(TEAMS.values()) - {team}
    alone = {
        (topic, document)
        for topic, document in levels
        if document in brought(lists, topic, {team}) - brought(lists, topic, rest)
    }
    return {key: level for key, level in levels.items() if key not in alone}, alone


def rank_of(system, means):
    return 1 + sum(one > means[system] + 1e-9 for one in means.values())


def tell_apart(scores):
    """Return who is significantly better than whom: paired t, Holm's correction over all pairs."""
    pairs = list(combinations(TEAMS, 2))
    p, signs = {}, {}
    for one, other in pairs:
        first, second = ([row[name] for row in scores.values()] for name in (one, other))
        apart = np.subtract(first, second)
        p[one, other] = 1.0
        if len(apart) > 1 and np.ptp(apart) > 1e-12:
            p[one, other] = ttest_rel(first, second).pvalue
        elif len(apart) > 1 and abs(apart[0]) > 1e-12:
            p[one, other] = 0.0
        signs[one, other] = np.sign(np.mean(apart))
    found, least = {}, 0.0
    for at, pair in enumerate(sorted(pairs, key=p.__getitem__)):
        least = max(least, p[pair] * (len(pairs) - at))
        if least < 0.05:
            found[pair] = signs[pair]
            found[pair[::-1]] = -signs[pair]
    return found


def means_of(scores):
    return {system: np.mean([row[system] for row in scores.values()]) for system in TEAMS}


@each("seed", range(3))
def test_what_runs_would_have_lost(seed):
    lists, levels = draw_study(seed)
    runs = pd.DataFrame(
        [
            (*key, document, rank)
            for key, shown in lists.items()
            for rank, document in enumerate(shown, start=1)
        ],
        columns=["system", "topic_id", "document_id", "rank"],
    ).sample(frac=1, random_state=seed)
    qrels = pd.DataFrame(
        [(topic, "0", document, level) for (topic, document), level in levels.items()],
        columns=["topic_id", "iteration", "document_id", "level"],
    )
    question = UnpooledQuestion(tuple(MEASURES), 4, tuple(TEAMS.items()))
    report = Unpooled(runs, put_on_scale(qrels, 2), question)
    falls = report.falls.set_index(["system", "measure"])
    assert len(falls) == len(TEAMS) * len(MEASURES)
    for measure in MEASURES:
        before = score(lists, levels, measure)
        for system, team in TEAMS.items():
            after = score(lists, without_team(lists, levels, team)[0], measure)
            common = before.keys() & after.keys()
            old, new = ({topic: one[topic] for topic in sorted(common)} for one in (before, after))
            means = means_of(old), means_of(new)
            row = falls.loc[system, measure]
            value, without = (one[system] for one in means)
            assert row["team"] == team
            assert row["topics"] == len(common)
            assert row[["value", "without", "fall"]].tolist() == pytest.approx(
                [value, without, value - without], abs=1e-12
            )
            ranks = [rank_of(system, one) for one in means]
            assert row[["rank", "rank_without"]].tolist() == ranks
            assert row["rank_fall"] == ranks[1] - ranks[0]
            apart = [
                {other: sign for (one, other), sign in tell_apart(scores).items() if one == system}
                for scores in (old, new)
            ]
            assert row["significant"] == len(apart[0])
            assert row["lost"] == sum(apart[1].get(one) != sign for one, sign in apart[0].items())
        own = report.summary.set_index("measure").loc[measure]
        of_measure = falls.xs(measure, level="measure").sort_index()
        assert own["fall"] == pytest.approx(of_measure["fall"].mean())
        assert own["worst_fall"] == of_measure["fall"].max()
        assert own["worst_rank_fall"] == of_measure["rank_fall"].max()
        assert own["worst_fall_system"] == of_measure["fall"].idxmax()
    shares = report.shares.set_index("team")
    for team in set(TEAMS.values()):
        _, alone = without_team(lists, levels, team)
        own = {key for key in levels if key[1] in brought(lists, key[0], {team})}
        row = shares.loc[team]
        assert row["systems"] == list(TEAMS.values()).count(team)
        assert (row["judged"], row["alone"]) == (len(own), len(alone))
        assert row["relevant"] == sum(levels[key] > 0 for key in own)
        assert row["relevant_alone"] == sum(levels[key] > 0 for key in alone)
        assert row["share"] == pytest.approx(len(alone) / len(own))


@each("seed", range(8))
def test_the_depth_is_where_nine_in_ten_are_judged(seed):
    lists, levels = draw_study(seed, beyond=0.84)
    rows, expected = [], 0
    judged = {topic for topic, _ in levels}
    for rank in range(1, 13):
        at = [
            (topic, shown[rank - 1])
            for (_, topic), shown in lists.items()
            if len(shown) >= rank and topic in judged
        ]
        if not at or sum(one in levels for one in at) < 0.9 * len(at):
            break
        expected = rank
    for key, shown in lists.items():
        rows += [(*key, document, rank) for rank, document in enumerate(shown, start=1)]
    runs = pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])
    qrels = pd.DataFrame(
        [(*key, "0", level) for key, level in levels.items()],
        columns=["topic_id", "document_id", "iteration", "level"],
    )
    assert Unpooled(runs, put_on_scale(qrels, 2), UnpooledQuestion(("AP",))).depth == expected
