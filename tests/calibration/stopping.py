"""How often the limits of τ to the full pool hold it, and whether P(best stays) comes true.

``python -m tests.calibration.stopping FOLDER [PARTS] [ORDER …]`` tries both on runs and qrels of a
folder that is laid out like ``../shared/data/trec2``, over orders of judging, shares of the pool,
and random subsets of topics and runs.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from core.agreement.intervals import wilson_interval
from core.measures.base import Measure
from core.measures.catalogue import parse_measure
from core.orders.base import ORDERS, Known, parse_order
from core.orders.candidates import Candidates, build_candidates
from core.stopping.expected import draw_full_pools, tau_with_each, tell_tau
from tests.calibration.coverage import SOME_SIZES, Coverage, Family, Simulate, count

SYSTEMS, DOCUMENTS, DEPTH, DRAWS = 12, 60, 20, 200
AP = parse_measure("AP")
SHARES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7)
BATCH = 5
_RUN = ["topic_id", "q0", "document_id", "place", "score", "tag"]
_QRELS = ["topic_id", "iteration", "document_id", "level"]
_TEXT = {"topic_id": "str", "document_id": "str"}
BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.975, 1.0)


@dataclass(frozen=True)
class PoolModel:
    """A pool of runs that find relevant documents more or less well, and differently by topic.

    Parameters
    ----------
    name : str
    order : str
        How it is judged.
    share : float
        How much of it is.
    spread : float
        How far apart the best and the worst run are, in standard deviations of chance.
    taste : float
        How much the skill of a run varies between topics.
    """

    name: str
    order: str
    share: float
    spread: float = 0.8
    taste: float = 0.3

    def draw(self, topics: int, rng: np.random.Generator) -> tuple[Candidates, np.ndarray]:
        """Return a pool and the relevance of its items; runs share some of what misleads them."""
        share = rng.beta(2, 8, size=(topics, 1))
        relevant = rng.random((topics, DOCUMENTS)) < share
        relevant[:, 0] = True
        skill = np.linspace(0.5, 0.5 + self.spread, SYSTEMS)[:, np.newaxis]
        skill = skill + self.taste * rng.normal(size=(topics, SYSTEMS, 1))
        shared = rng.normal(size=(topics, 1, DOCUMENTS))
        chance = rng.normal(size=(topics, SYSTEMS, DOCUMENTS))
        score = relevant[:, np.newaxis] * skill + 0.6 * shared + 0.8 * chance
        found = np.argsort(-score, axis=2)[:, :, :DEPTH]
        topic, system, rank = (one.ravel() for one in np.indices(found.shape))
        runs = pd.DataFrame(
            {
                "system": [f"s{one:02}" for one in system],
                "topic_id": [f"t{one:03}" for one in topic],
                "document_id": [f"d{one:03}" for one in found.ravel()],
                "rank": rank + 1,
            }
        )
        pool = build_candidates(runs, DEPTH)
        number = np.array([int(one[1:]) for one in pool.document])
        return pool, relevant[pool.topic, number].astype(np.float64)


MODELS = (
    PoolModel("depth first, a tenth", "depth-first", 0.1),
    PoolModel("depth first, three tenths, runs near each other", "depth-first", 0.3, 0.3),
    PoolModel("max-mean, three tenths", "max-mean", 0.3),
    PoolModel("max-mean, half, runs differ by topic", "max-mean", 0.5, 0.8, 0.8),
)


@dataclass(frozen=True)
class Stop:
    """What was told at a stop, and what came true."""

    order: str
    share: float
    tau: float
    low: float
    high: float
    true: float
    best_stays: float
    stayed: bool


def judge(pool: Candidates, relevance: np.ndarray, order: str, seed: int) -> Iterator[np.ndarray]:
    """Yield the items in batches as an order has them judged."""
    nothing = np.empty(0, dtype=np.int64)
    chooser = parse_order(order).begin(pool, Known(nothing, nothing, np.empty(0)), seed)
    while (choice := chooser.choose(BATCH)) is not None:
        chooser.learn(choice.item, np.minimum(relevance[choice.item], 1))
        yield choice.item


def find_stops(
    pool: Candidates,
    level: np.ndarray,
    order: str,
    shares: tuple[float, ...],
    seed: int,
    measure: Measure = AP,
) -> Iterator[Stop]:
    """Yield what is told where an order has judged shares of a pool, beside the truth."""
    truth = draw_full_pools(pool, level, measure, np.random.default_rng(1), 1).today
    known, wanted = np.full(len(pool), np.nan), list(shares)
    for item in judge(pool, level, order, seed):
        known[item] = level[item]
        done = np.count_nonzero(~np.isnan(known)) / len(pool)
        while wanted and done >= wanted[0]:
            rng = np.random.default_rng([seed, round(1000 * wanted[0])])
            pools = draw_full_pools(pool, known, measure, rng, DRAWS)
            told, share = tell_tau(pools), wanted.pop(0)
            if told.reason:
                continue
            true = float(tau_with_each(pools.today, truth[np.newaxis])[0])
            stayed = bool(truth[int(pools.today.argmax())] >= truth.max() - 1e-9)
            yield Stop(order, share, told.tau, told.low, told.high, true, told.best_stays, stayed)
        if not wanted:
            return


def cover_stops(model: PoolModel, topics: int, studies: int) -> Coverage:
    """Count how often the limits hold the τ of the very pool that was judged in part.

    All are taken from that τ, as it differs from pool to pool.
    """
    rng = np.random.default_rng([topics, studies])
    found = []
    for study in range(studies):
        pool, relevance = model.draw(topics, rng)
        found += [
            (one.tau - one.true, one.low - one.true, one.high - one.true)
            for one in find_stops(pool, relevance, model.order, (model.share,), study)
        ]
    counted = count(np.array(found), 0.0)
    return replace(counted, what="τ to the full pool", model=model.name, size=topics)


def tell_reliability(stops: list[Stop]) -> pd.DataFrame:
    """Return predicted, observed, low, high, stops of P(best stays), by bins of what was told."""
    told = np.array([one.best_stays for one in stops])
    stayed = np.array([one.stayed for one in stops], dtype=np.float64)
    at = np.clip(np.digitize(told, BINS[1:-1], right=True), 0, len(BINS) - 2)
    number = np.bincount(at, minlength=len(BINS) - 1).astype(np.float64)
    came = np.bincount(at, weights=stayed, minlength=len(number))
    low, high = wilson_interval(came, number)
    rows = pd.DataFrame(
        {
            "predicted": np.bincount(at, weights=told, minlength=len(number))
            / np.maximum(number, 1),
            "observed": came / np.maximum(number, 1),
            "low": low,
            "high": high,
            "stops": number.astype(int),
        }
    )
    return rows[rows["stops"] > 0].reset_index(drop=True)


def calibration_error(rows: pd.DataFrame) -> float:
    """Return the expected calibration error: mean |observed − predicted| over stops."""
    return float(np.average((rows["observed"] - rows["predicted"]).abs(), weights=rows["stops"]))


def read_folder(folder: Path, depth: int = 100) -> tuple[Candidates, np.ndarray]:
    """Return the pool of the runs of a folder, and the level of each item; unjudged ones are 0."""
    runs = []
    for path in sorted((folder / "runs").glob("*.gz")):
        table = pd.read_csv(path, sep=r"\s+", header=None, names=_RUN, dtype=_TEXT, quoting=3)
        runs.append(table.assign(system=path.name.partition(".")[0]))
    lines = pd.concat(runs).astype({"score": "float32"})
    lines = lines.sort_values(["system", "topic_id", "score", "document_id"], ascending=False)
    lines = lines.drop_duplicates(["system", "topic_id", "document_id"])  # one run repeats some
    lines["rank"] = lines.groupby(["system", "topic_id"]).cumcount() + 1
    pool = build_candidates(lines, depth)
    (qrels,) = folder.glob("*.qrels.gz")
    judged = pd.read_csv(qrels, sep=r"\s+", header=None, names=_QRELS, dtype=_TEXT)
    place = pool.find(judged)
    level = np.zeros(len(pool))
    level[place[place >= 0]] = judged["level"].to_numpy(np.float64)[place >= 0]
    return pool, level


def take_part(
    pool: Candidates, level: np.ndarray, rng: np.random.Generator
) -> tuple[Candidates, np.ndarray]:
    """Return the pool of random 10 to 25 topics and 10 to 38 runs."""
    topics = min(len(pool.topics), int(rng.integers(10, 26)))
    systems = min(len(pool.systems), int(rng.integers(10, 39)))
    some = np.sort(rng.choice(len(pool.topics), topics, replace=False))
    runs = np.sort(rng.choice(len(pool.systems), systems, replace=False))
    kept = np.isin(pool.topic, some) & (pool.rank[:, runs] > 0).any(axis=1)
    return (
        Candidates(
            tuple(pool.topics[one] for one in some),
            tuple(pool.systems[one] for one in runs),
            np.searchsorted(some, pool.topic[kept]),
            pool.document[kept],
            pool.rank[np.ix_(kept, runs)],
        ),
        level[kept],
    )


def try_folder(
    folder: Path, parts: int, orders: tuple[str, ...], measure: Measure = AP, seed: int = 11
) -> list[Stop]:
    """Return the stops of every order over random parts of the pool of a folder."""
    pool, level = read_folder(folder)
    stops = []
    for part in range(parts):
        some = take_part(pool, level, np.random.default_rng([seed, part]))
        for order in orders:
            stops += find_stops(*some, order, SHARES, part, measure)
        print(f"part {part + 1} of {parts}", file=sys.stderr, flush=True)
    return stops


def main() -> None:
    """Print coverage by order and share, and the reliability of P(best stays)."""
    folder, parts = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10
    stops = try_folder(folder, parts, tuple(sys.argv[3:]) or ORDERS.suggested())
    table = pd.DataFrame(stops)
    table["held"] = (table["low"] - 1e-9 <= table["true"]) & (table["true"] <= table["high"] + 1e-9)
    shares = table.pivot_table(index="order", columns="share", values="held", margins=True)
    rows = tell_reliability(stops)
    brier = float(((table["best_stays"] - table["stayed"]) ** 2).mean())
    print(shares.round(2).to_string())
    print(rows.round(3).to_string(index=False))
    print(f"Brier {brier:.3f}, expected calibration error {calibration_error(rows):.3f}")


def _simulate(model: PoolModel) -> Simulate:
    return lambda topics, studies: [cover_stops(model, topics, studies)]


FAMILIES = (
    Family(
        "τ to the full pool",
        "the rest of the pool",
        {model.name: _simulate(model) for model in MODELS},
        SOME_SIZES,
    ),
)

if __name__ == "__main__":
    main()
