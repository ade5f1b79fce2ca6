"""xinfAP and infNDCG against the steps of NIST's program, on samples with ties and empty strata."""

from math import log2

import numpy as np
import pandas as pd
import pytest

from core.collection.qrels_and_runs.trec import rank_runs
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.each import each

POOL = (
    *(("a", "1", 2), ("b", "1", 0), ("c", "1", 1), ("d", "2", -1), ("e", "2", 1), ("f", "2", 0)),
    *(("g", "2", -1), ("h", "2", 2), ("i", "3", -1), ("j", "3", -1), ("k", "4", 0), ("l", "4", -1)),
    *(("m", "5", 1), ("n", "5", -1), ("o", "5", -1)),
)
"""Document, stratum, level: of stratum 3 nothing was drawn, of stratum 4 nothing relevant."""

LISTS = {
    "straight": "a b c d e f g h i j k l m n o",
    "unpooled first": "x y m o z e l k b h",
    "without strata 1 and 2": "n i j k m",
    "nothing relevant": "b f x",
}
PRINTED = {
    "straight": (0.6521782026, 0.9700632864),
    "unpooled first": (0.2999980667, 0.3764714992),
    "without strata 1 and 2": (0.1440007200, 0.1505829319),
    "nothing relevant": (0.0, 0.0),
}
"""What NIST's sample_eval.pl of 5 September 2012 computes of these, retyped from a public copy."""
MEASURES = ("xinfAP", "infNDCG")


def follow(shown, pool):
    """Return xinfAP and infNDCG, document by document as sample_eval goes down a list."""
    strata = sorted({stratum for stratum, _ in pool.values()})
    size, drawn, relevant = ({one: 0 for one in strata} for _ in range(3))
    of_grade = {}
    for stratum, level in pool.values():
        size[stratum] += 1
        drawn[stratum] += level >= 0
        relevant[stratum] += level > 0
    for stratum, level in pool.values():
        if level > 0:
            of_grade[level] = of_grade.get(level, 0) + size[stratum] / drawn[stratum]
    stands_for = {one: size[one] / drawn[one] if drawn[one] else 0 for one in strata}
    whole = sum(relevant[one] * stands_for[one] for one in strata)
    best, start = 0.0, 0.0
    for grade in sorted(of_grade, reverse=True):
        rank = start + 1
        while rank <= start + of_grade[grade] + 1e-9:
            best += grade / log2(rank + 1)
            rank += 1
        start += of_grade[grade]
    precision, gain = dict.fromkeys(strata, 0.0), dict.fromkeys(strata, 0.0)
    seen, seen_drawn, seen_relevant = ({one: 0 for one in strata} for _ in range(3))
    for rank, document in enumerate(shown, start=1):
        if document not in pool:
            continue
        stratum, level = pool[document]
        if level > 0:
            above = sum(
                seen[one] * (seen_relevant[one] + 0.00001) / (seen_drawn[one] + 0.00003)
                for one in strata
            )
            precision[stratum] += (1 + above) / rank
            gain[stratum] += level / log2(rank + 1)
        seen[stratum] += 1
        seen_drawn[stratum] += level >= 0
        seen_relevant[stratum] += level > 0
    ap = sum(precision[one] * stands_for[one] for one in strata) / whole
    dcg = sum(seen[one] * gain[one] / seen_drawn[one] for one in strata if seen_drawn[one])
    return ap, dcg / best


def score(runs, pool):
    """Return the scores by both measures of lists of one topic, by system."""
    qrels = pd.DataFrame(
        [("t", "0", document, level, stratum) for document, (stratum, level) in pool.items()],
        columns=["topic_id", "iteration", "document_id", "level", "stratum"],
    )
    rankings = compile_rankings(runs.assign(topic_id="t"), put_on_scale(qrels))
    found = evaluate(list(map(parse_measure, MEASURES)), rankings)
    wide = found.pivot(index="system", columns="measure", values="value")
    return {system: tuple(row) for system, *row in wide[list(MEASURES)].itertuples()}


def test_what_the_program_prints():
    pool = {document: told for document, *told in POOL}
    runs = pd.DataFrame(
        [
            (name, document, rank)
            for name, shown in LISTS.items()
            for rank, document in enumerate(shown.split(), start=1)
        ],
        columns=["system", "document_id", "rank"],
    )
    found = score(runs, pool)
    for name, shown in LISTS.items():
        assert found[name] == pytest.approx(PRINTED[name], abs=6e-11)
        assert follow(shown.split(), pool) == pytest.approx(PRINTED[name], abs=6e-11)


@each("seed", range(40))
def test_any_sample_follows_the_steps_of_the_program(seed):
    """Scores with ties: the program and we take the higher document id first."""
    rng = np.random.default_rng(seed)
    rate = dict(zip("1234", rng.choice([1, 0.6, 0.3, 0.1, 0], 4), strict=True))
    pool = {"d00": ("1", 2)}
    for at in range(1, int(rng.integers(5, 40))):
        stratum = str(rng.integers(1, 5))
        level = int(rng.choice([0, 0, 1, 2])) if rng.random() < rate[stratum] else -1
        pool[f"d{at:02}"] = (stratum, level)
    pool["d40"] = ("2", -1)
    lists = {
        system: {f"d{at:02}": float(rng.integers(0, 6)) for at in rng.permutation(50)[:size]}
        for system, size in (("long", 45), ("short", 3))
    }
    scored = pd.DataFrame(
        [(system, "t", *one) for system, own in lists.items() for one in own.items()],
        columns=["system", "topic_id", "document_id", "score"],
    )
    found = score(rank_runs(scored), pool)
    for system, own in lists.items():
        shown = sorted(own, key=lambda one: (own[one], one), reverse=True)
        assert found[system] == pytest.approx(follow(shown, pool), abs=1e-12)
