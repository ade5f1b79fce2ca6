"""Maximum-entropy problems per second, beside SciPy's SLSQP on the same problems.

``python -m tests.bench.informativeness``: one run poses the problems of the nine measures on
simulated lists with up to six intents, solves them with the tables made and without, and gives
SLSQP, with analytic gradients, some of each measure. All of it runs on
one core, in a process of its own whose linear algebra has one thread.
"""

import argparse
import os
import subprocess
import sys
import time
import warnings

import numpy as np
from scipy.optimize import minimize

from core.informativeness.batch import Batch
from core.informativeness.choices import PAPER
from core.informativeness.curves import tabulate_curves
from core.informativeness.solve import STATUS, solve
from core.informativeness.targets import Target, read_target

DEPTH, INTENTS = 10, 6
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "MKL", "OMP")}
SOLVED, FAILED = (list(STATUS).index(name) for name in ("solved", "infeasible"))


def simulate(target: Target, count: int, seed: int) -> Batch:
    """Return the problems of random lists; relevant documents stand rather at the top."""
    rng = np.random.default_rng(seed)
    intents = rng.integers(1, INTENTS + 1, count) if target.by_intent else np.ones(count, int)
    problem = np.repeat(np.arange(count), intents)
    fading = np.linspace(1.2, 0.6, DEPTH)[:, None]
    lists = (rng.random((DEPTH, len(problem))) < rng.random(len(problem)) * fading) * 1.0
    rret = lists.sum(axis=0).astype(np.int64)
    weight = target.weights(1 / intents[problem], rret + rng.integers(1, 40, len(rret)))
    blank = Batch(target.family, np.zeros(count), problem, rret, weight)
    return Batch(
        target.family, blank.total(target.family.value(lists, rret)), problem, rret, weight
    )


def find_by_slsqp(batch: Batch) -> tuple[float, bool]:
    """Return the entropy that SLSQP reaches from p = Rret / N for a single problem, and if well."""
    family, rret, weight = batch.family, batch.rret, batch.weight
    rows = len(rret)
    sums = np.kron(np.eye(rows), np.ones(DEPTH))
    constraints = [
        {"type": "eq", "fun": lambda z: sums @ z - rret, "jac": lambda z: sums},
        {
            "type": "eq",
            "fun": lambda z: weight @ family.value(z.reshape(rows, -1).T, rret) - batch.value[0],
            "jac": lambda z: (weight * family.gradient(z.reshape(rows, -1).T, rret)).T.ravel(),
        },
    ]
    found = minimize(
        lambda z: (z * np.log(z) + (1 - z) * np.log1p(-z)).sum(),
        np.clip(np.repeat(rret / DEPTH, DEPTH), 1e-9, 1 - 1e-9),
        jac=lambda z: np.log(z / (1 - z)),
        bounds=[(1e-9, 1 - 1e-9)] * (rows * DEPTH),
        constraints=constraints,
        method="SLSQP",
        options={"maxiter": 300, "ftol": 1e-10},
    )
    return -float(found.fun), bool(found.success)


def time_slsqp(batch: Batch, entropy: np.ndarray, some: np.ndarray) -> tuple[float, int, float]:
    """Return SLSQP's seconds for some problems, how many end well and our least advantage."""
    parts = [batch.part(at, at + 1) for at in some]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        found = [find_by_slsqp(part) for part in parts]
        seconds = time.process_time() - start
    gains = [entropy[at] - theirs for at, (theirs, well) in zip(some, found, strict=True) if well]
    return seconds, sum(well for _, well in found), min(gains, default=np.nan)


def time_ours(batch: Batch, rounds: int) -> float:
    """Return the shortest time of a few rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        solve(batch)
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Run everything once and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", type=int, default=5000, help="of each measure")
    parser.add_argument("--some", type=int, default=40, help="of each measure for SLSQP")
    parser.add_argument("--rounds", type=int, default=5, help="the best of which counts")
    chosen = parser.parse_args()
    targets = [read_target(text, DEPTH) for text in PAPER]
    batches = [simulate(target, chosen.problems, seed) for seed, target in enumerate(targets)]
    start = time.process_time()
    for batch in batches:
        tabulate_curves(batch.family)
    print(f"tables of {len(PAPER)} measures, once: {time.process_time() - start:.2f} s")
    ours, theirs = 0.0, 0.0
    for target, batch in zip(targets, batches, strict=True):
        solution = solve(batch)
        seconds = time_ours(batch, chosen.rounds)
        some = np.flatnonzero(solution.status == SOLVED)[: chosen.some]
        slow, well, least = time_slsqp(batch, solution.entropy, some)
        ours += seconds / chosen.problems
        theirs += slow / len(some)
        print(
            f"{target!s:26} {chosen.problems / seconds:9,.0f} problems/s, "
            f"{(solution.status >= FAILED).sum()} not solved; SLSQP {len(some) / slow:5,.0f}/s, "
            f"{well} of {len(some)} well, ours higher by at least {least:.1e}"
        )
    print(
        f"all measures alike: {len(PAPER) / ours:,.0f} problems per second on one core, "
        f"{theirs / ours:,.0f} times SLSQP with analytic gradients ({len(PAPER) / theirs:,.0f}/s)"
    )


if __name__ == "__main__":
    if ONE_THREAD.items() <= os.environ.items():
        main()
    else:
        again = [sys.executable, "-m", "tests.bench.informativeness", *sys.argv[1:]]
        sys.exit(subprocess.run(again, env={**os.environ, **ONE_THREAD}, check=False).returncode)
