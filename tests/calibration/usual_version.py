"""Which way to combine labels suffers least from assessors who do not do what they were asked.

``python -m tests.calibration.usual_version FOLDER [STUDIES]`` plants labels in collections laid out
like ``../shared/data`` (dl19, rf10) and in the demo: an assessor more, of whom each topic has one
with some chance, who is careless, lenient, strict, or gives one level only. Versions with and
without them are compared: the mean scores of the systems, their ranking, and which differences are
significant; where gold labels are known, also levels with gold.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from core.agreement.ratings import ratings_from_labels
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import PAGE
from core.comparison.difference_tests import compare_systems
from core.comparison.rank_correlation import kendall_tau
from core.comparison.score_matrix import ScoreMatrix, score_matrix
from core.demo import load_demo
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.reports.level_weights import LevelLabels, LevelWeights, WeightsQuestion
from core.reports.user_model import usual_model
from core.store.events.frames import read_labels, read_runs
from core.store.store import Store
from core.versions.rules import WHOLE, QrelsRule
from core.versions.versions import QrelsVersion, qrels_from_labels

MEASURE = parse_measure("nDCG@10")
SAMPLES = 1_000
SHARES = (0.25, 1.0)
"""Which part of the items of its topics somebody who is planted has judged."""

Level = Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray]
"""From levels that others gave, and the scale, to those of somebody who is planted."""

PLANTED: dict[str, Level] = {
    "careless": lambda given, scale, rng: rng.choice(scale, len(given)),
    "lenient": lambda given, scale, _: np.minimum(given + 1, scale[-1]),
    "strict": lambda given, scale, _: np.maximum(given - 1, scale[0]),
    "one level": lambda given, scale, _: np.full(len(given), scale[1]),
    "top level": lambda given, scale, _: np.full(len(given), scale[-1]),
}
COMBINED = ("maximum", "mean", "median", "minimum", "majority", "majority-highest", "udm")
WAYS = (*COMBINED, f"median, {WHOLE}", f"mean, {WHOLE}")
"""As scored, and the two without whole levels as files hold them."""


@dataclass(frozen=True)
class Study:
    """Labels of a collection, its scale and, where it has some, runs and gold labels."""

    name: str
    labels: pd.DataFrame
    scale: tuple[int, ...]
    runs: pd.DataFrame | None
    gold: "pd.Series[int] | None" = None


def plant(study: Study, kind: str, share: float, rng: np.random.Generator) -> pd.DataFrame:
    """Return the labels with those of one more assessor on half of the topics."""
    labels = study.labels
    topics = labels["topic_id"].unique()
    chosen = rng.choice(topics, max(1, len(topics) // 2), replace=False)
    items = labels[labels["topic_id"].isin(chosen)].drop_duplicates(["topic_id", "document_id"])
    items = items[rng.random(len(items)) < share]
    given = PLANTED[kind](items["level"].to_numpy(), np.array(study.scale), rng)
    return pd.concat([labels, items.assign(assessor_id="planted", level=given)], ignore_index=True)


def combine(study: Study, labels: pd.DataFrame, how: str) -> QrelsVersion:
    """Return the version that a way to combine makes."""
    weights = {}
    if how == "udm":
        ratings = ratings_from_labels(labels, PAGE, study.scale)
        question = WeightsQuestion(usual_model(study.scale))
        found = LevelWeights(LevelLabels("page", ratings), question)
        table = found.levels.set_index("level")["weight"]
        weights = {"weights": table.fillna(0.0).to_dict()}
    by, _, whole = how.partition(", ")
    rule = QrelsRule(how, combine=by, whole=bool(whole), **weights)
    return qrels_from_labels(labels, rule, top_level=study.scale[-1])


def score(study: Study, version: QrelsVersion) -> ScoreMatrix:
    """Return the scores of all systems, topics with nothing to find as 0."""
    assert study.runs is not None
    rankings = compile_rankings(study.runs, version)
    return score_matrix(evaluate([MEASURE], rankings, empty_topics=True))


def find_significant(matrix: ScoreMatrix) -> dict[frozenset[str], bool]:
    """Return of every two systems whether their difference is significant, at α = .05."""
    pairs = compare_systems(matrix, samples=SAMPLES, rng=np.random.default_rng(1))
    names = map(frozenset, pairs[["first", "second"]].itertuples(index=False, name=None))
    return dict(zip(names, pairs["p"] < 0.05, strict=True))


def compare(study: Study, studies: int, seed: int = 1) -> Iterator[dict[str, object]]:
    """Yield what planting did to each version: a row for each kind, share and way to combine."""
    references = {how: combine(study, study.labels, how) for how in WAYS}
    known = {}
    if study.runs is not None:
        for how, version in references.items():
            matrix = score(study, version)
            known[how] = matrix, find_significant(matrix)
    for kind in PLANTED:
        for share in SHARES:
            drawn = [
                plant(study, kind, share, np.random.default_rng([seed, number]))
                for number in range(studies)
            ]
            for how in WAYS:
                found = pd.DataFrame(
                    [_tell(study, references[how], known.get(how), one, how) for one in drawn]
                )
                about = {"collection": study.name, "planted": kind, "share": share, "by": how}
                yield about | found.mean().to_dict()


def _tell(
    study: Study,
    reference: QrelsVersion,
    known: tuple[ScoreMatrix, dict[frozenset[str], bool]] | None,
    labels: pd.DataFrame,
    how: str,
) -> dict[str, float]:
    version = combine(study, labels, how)
    both = reference.frame.merge(
        version.frame, on=["topic_id", "document_id"], suffixes=("", "_then")
    )
    told = {"level": float((both["level"] - both["level_then"]).abs().mean() / reference.gmax)}
    if study.gold is not None:
        off = version.frame.set_index(["topic_id", "document_id"])["level"] / version.gmax
        gold = study.gold / study.scale[-1]
        told["gold"] = float((off - gold).abs().mean())
    if known is not None:
        before, significant = known
        then = score(study, version)
        means = dict(zip(then.systems, then.values.mean(axis=0), strict=True))
        old = dict(zip(before.systems, before.values.mean(axis=0), strict=True))
        now = find_significant(then)
        told["score"] = float(np.mean([abs(means[one] - old[one]) for one in old]))
        told["tau"] = kendall_tau([old[one] for one in old], [means[one] for one in old])
        changed = sum(now[pair] != is_so for pair, is_so in significant.items())
        told["pairs"] = changed / len(significant)
    return told


def read_studies(folder: Path) -> Iterator[Study]:
    """Yield the collections that are there, the demo first."""
    with tempfile.TemporaryDirectory() as place:
        store = Store(Path(place) / "demo.duckdb")
        collection = load_demo(store)
        labels = read_labels(store, collection)
        runs = read_runs(store, collection)
        yield Study("demo", _own(labels), (0, 1, 2, 3), runs)
        store.close()
    if (folder / "dl19").is_dir():
        files = [Source.at(one) for one in sorted((folder / "dl19" / "runs").iterdir())]
        runs = read_import("runs", files).frames["runs"]
        labels = read_import("labels", Source.at(folder / "dl19" / "labels.tsv")).frames["labels"]
        yield Study("dl19", _own(labels), (0, 1, 2, 3), runs)
    if (folder / "rf10").is_dir():
        table = pd.read_csv(folder / "rf10" / "labels.tsv.gz", sep="\t")
        names = {
            "topicID": "topic_id",
            "docID": "document_id",
            "workerID": "assessor_id",
            "label": "level",
        }
        table = table.rename(columns=names).astype({"topic_id": "str"})
        gold = table[table["gold"] >= 0].groupby(["topic_id", "document_id"])["gold"].first()
        labels = table[table["level"] >= 0].drop_duplicates(
            ["topic_id", "document_id", "assessor_id"]
        )
        fixed = {"facet": PAGE, "engine": "", "occasion": 0, "state": "level", "group": ""}
        yield Study("rf10", labels.assign(**fixed), (0, 1, 2), None, gold)


def _own(labels: pd.DataFrame) -> pd.DataFrame:
    own = labels[(labels["facet"] == PAGE) & (labels["state"] == "level")]
    return own[own["occasion"] == 0].reset_index(drop=True)


def main() -> None:
    """Print a row for each collection, kind and way to combine."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    studies = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    rows = [row for study in read_studies(folder) for row in compare(study, studies)]
    table = pd.DataFrame(rows)
    print(table.round(4).to_string(index=False))
    numbers = [name for name in ("level", "gold", "score", "tau", "pairs") if name in table]
    print(table.groupby(["collection", "by"], sort=False)[numbers].mean().round(4).to_string())


if __name__ == "__main__":
    main()
