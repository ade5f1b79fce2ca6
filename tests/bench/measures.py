"""Measures against trec_eval's C code, and reading runs against a plain loop.

``python -m tests.bench.measures``: one run prints how long 50 and more measures take beside
pytrec_eval's ``evaluate()`` with 5, bringing runs and judgements together included, on 50 topics ×
13 runs × 1,000 documents; how long reading those files with all checks takes beside a Python loop
with the same checks; then the same measures on 250 × 100 × 1,000 with the memory they need.
``--small`` leaves the last part out. Runs and judgements are made up.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from math import isfinite
from pathlib import Path

import numpy as np
import pandas as pd
import pytrec_eval

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.measures.base import Measure
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import Rankings, compile_rankings
from core.versions.judgements import put_on_scale
from tests.bench.made_up_runs import (
    CANDIDATES,
    DEPTH,
    draw,
    lay_out_qrels,
    lay_out_runs,
    name_document,
    name_topic,
    write_runs,
)

THEIRS = {"map", "P_10", "ndcg_cut_10", "recip_rank", "Rprec"}
TEXTS = (
    *(f"P@{cutoff}" for cutoff in (1, 3, 5, 10, 20, 30, 100)),
    *(f"R@{cutoff}" for cutoff in (10, 30, 100, 1000)),
    *("AP", "AP@10", "AP@100", "AP(rel=2)", "Rprec", "Rprec(rel=2)", "RR", "RR@10", "RR(rel=2)"),
    *("F", "F@10", "F(b=2)@30", "E@10", "bpref", "bpref(rel=2)", "judged@10", "judged@100"),
    *("CG@10", "nCG@10", "DCG@10", "DCG(discount='jarvelin')@15", "DCG(gain='exp')@20"),
    *(f"nDCG@{cutoff}" for cutoff in (1, 3, 5, 10, 20, 100)),
    *("nDCG", "nDCG(gain='exp')@10", "nDCG(discount='jarvelin')@10", "nDCG(gain='exp')@20"),
    *("nDCG(gain='udm', discount='zipf')@10", "GAP", "GAP(gain='udm')", "GAP(gain='exp')@20"),
    *("Q", "Q@10", "Q@20", "Q(gain='udm')@10", "ERR@10", "ERR(gain='exp')@20", "ERR(gain='udm')"),
    *("nERR@10", "nERR(gain='exp')@20", "RBP", "RBP(p=0.95, gain='linear')", "RBP(gain='udm')"),
)
ROUNDS = 3
"""Of the large comparison; the shortest time counts on either side."""

MEASURES: list[Measure] = [parse_measure(text) for text in TEXTS]
WEIGHTS = {0: 0.0, 1: 0.28, 2: 0.41, 3: 1.0}


def time_in_turn(works: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the shortest time of each work in seconds; they take turns, so that load hits all."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - start)
    return {name: min(found) for name, found in times.items()}


def read_in_a_loop(files: list[Path]) -> dict[str, dict[str, dict[str, float]]]:
    """Read runs as one writes it plainly: split each line, check it, keep it in dictionaries."""
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for file in files:
        with file.open() as lines:
            for number, line in enumerate(lines, start=1):
                words = line.split()
                if len(words) != 6:
                    raise ValueError(f"{file}:{number}: has {len(words)} words")
                topic, _, document, _, text, system = words
                score = float(text)
                if not isfinite(score):
                    raise ValueError(f"{file}:{number}: no finite score")
                ranking = runs.setdefault(system, {}).setdefault(topic, {})
                if document in ranking:
                    raise ValueError(f"{file}:{number}: document {document} is there already")
                ranking[document] = score
    for topics in runs.values():
        for topic, ranking in topics.items():
            topics[topic] = dict(sorted(ranking.items(), key=lambda one: (one[1], one[0]))[::-1])
    return runs


def read(files: list[Path]) -> pd.DataFrame:
    """Read the same runs with all of the program's checks, ranked."""
    sources = [Source.at(file) for file in files]
    return read_import("runs", sources).frames["runs"]


def judge(level: np.ndarray) -> pytrec_eval.RelevanceEvaluator:
    """Return trec_eval with the judgements."""
    judged = {
        name_topic(topic): {
            name_document(topic * CANDIDATES + one): int(row[one])
            for one in np.flatnonzero(row >= 0).tolist()
        }
        for topic, row in enumerate(level)
    }
    return pytrec_eval.RelevanceEvaluator(judged, THEIRS)


def as_dicts(shown: np.ndarray) -> Iterator[dict[str, dict[str, float]]]:
    """Yield each system's rankings as pytrec_eval takes them."""
    for lists in shown:
        yield {
            name_topic(topic): {
                name_document(one): 30 - rank / 64 for rank, one in enumerate(ranked, start=1)
            }
            for topic, ranked in enumerate(lists.tolist())
        }


def compare_small(rounds: int) -> None:
    """Print 50 topics × 13 runs: measures beside trec_eval, reading beside a loop."""
    shown, level = draw(50, 13, seed=1)
    qrels, oracle, theirs = lay_out_qrels(level), judge(level), list(as_dicts(shown))
    print(f"50 topics × 13 runs × {DEPTH:,}, {len(qrels) / 50:.0f} judged a topic")
    with tempfile.TemporaryDirectory() as folder:
        files = write_runs(shown, Path(folder))
        reading = time_in_turn(
            {"loop": lambda: read_in_a_loop(files), "ours": lambda: read(files)}, rounds
        )
        runs = read(files)
    coded = runs.astype(dict.fromkeys(("system", "topic_id", "document_id"), "category"))
    rankings = compile_rankings(runs, put_on_scale(qrels))
    times = time_in_turn(
        {
            "trec_eval": lambda: [oracle.evaluate(run) for run in theirs],
            "text": lambda: compile_rankings(runs, put_on_scale(qrels)),
            "categories": lambda: compile_rankings(coded, put_on_scale(qrels)),
            "score": lambda: score(rankings),
        },
        rounds,
    )
    print(f"  pytrec_eval evaluate(), {len(THEIRS)} measures: {times['trec_eval'] * 1000:.0f} ms")
    print(
        f"  {len(MEASURES)} measures: {times['score'] * 1000:.0f} ms, "
        f"{times['score'] / times['trec_eval']:.2f} of its time"
    )
    for form in ("text", "categories"):
        whole = times[form] + times["score"]
        print(
            f"  with compiling, ids as {form} (+ {times[form] * 1000:.0f} ms): "
            f"{whole / times['trec_eval']:.2f} of its time"
        )
    print(
        f"  reading {len(runs):,} lines: {reading['ours'] * 1000:.0f} ms; Python loop "
        f"{reading['loop'] * 1000:.0f} ms: {reading['loop'] / reading['ours']:.1f} times as fast"
    )


def score(rankings: Rankings) -> pd.DataFrame:
    """Return every measure's score of every system and topic."""
    return evaluate(MEASURES, rankings, WEIGHTS)


def compare_large() -> None:
    """Print 250 topics × 100 runs: our time and memory, measured in a process of its own."""
    print(f"250 topics × 100 runs × {DEPTH:,}")
    command = [sys.executable, "-m", "tests.bench.measures", "--ours"]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    compiling, scoring, memory, given = map(float, found.stdout.split())
    shown, level = draw(250, 100, seed=2)
    oracle = judge(level)
    theirs = sum(
        time_in_turn({"run": lambda given=run: oracle.evaluate(given)}, ROUNDS)["run"]
        for run in as_dicts(shown)
    )
    print(f"  pytrec_eval evaluate(), {len(THEIRS)} measures: {theirs:.1f} s")
    print(
        f"  compiling {compiling:.1f} s + {len(MEASURES)} measures {scoring:.1f} s: "
        f"{(compiling + scoring) / theirs:.2f} of its time; peak memory {memory / 1e9:.2f} GB, "
        f"of which {given / 1e9:.2f} GB are the runs themselves"
    )


def run_ours() -> None:
    """Print seconds to compile and to score, and bytes at the peak and of the runs."""
    shown, level = draw(250, 100, seed=2)
    runs, qrels = lay_out_runs(shown), lay_out_qrels(level)
    del shown
    compiling, scoring = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        rankings = compile_rankings(runs, put_on_scale(qrels))
        compiled = time.perf_counter()
        score(rankings)
        compiling.append(compiled - start)
        scoring.append(time.perf_counter() - compiled)
        del rankings
    print(min(compiling), min(scoring), peak(), runs.memory_usage().sum())


def peak() -> int:
    """Return the most memory this process has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    """Run everything once and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="leave 250 × 100 × 1,000 out")
    parser.add_argument("--ours", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.ours:
        run_ours()
        return
    compare_small(rounds=7)
    if not chosen.small:
        compare_large()


if __name__ == "__main__":
    main()
