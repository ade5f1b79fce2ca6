"""Rankings to measure, and trec_eval to measure them with."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
import pytrec_eval

from core.collection.files.source import Source
from core.collection.qrels_and_runs.trec import RunOptions, rank_runs, read_qrels, read_run
from core.measures.ranking import Rankings, compile_rankings
from core.versions.judgements import put_on_scale

TEXTBOOK = Path(__file__).parents[3] / "sample_data" / "textbook"


def read_runs(files: list[Path]) -> pd.DataFrame:
    frames = [read_run(Source.at(file), RunOptions("file")).frames["runs"] for file in files]
    return rank_runs(pd.concat(frames, ignore_index=True))


@pytest.fixture(scope="session")
def textbook() -> Callable[[str], Rankings]:
    """q1 and q2 of Baeza-Yates & Ribeiro-Neto, ch. 4, against 'binary' or 'graded' judgements."""
    runs = read_runs([TEXTBOOK / "textbook.run"])

    def compiled(judgements: str) -> Rankings:
        qrels = read_qrels(Source.at(TEXTBOOK / f"{judgements}.qrels"), None).frames["qrels"]
        return compile_rankings(runs, put_on_scale(qrels))

    return compiled


@pytest.fixture(scope="session")
def dl19_runs(shared_data: Path) -> pd.DataFrame:
    return read_runs(sorted((shared_data / "dl19" / "runs").glob("*.run.gz")))


@pytest.fixture(scope="session")
def dl19_labels(shared_data: Path) -> pd.DataFrame:
    labels = pd.read_csv(shared_data / "dl19" / "labels.tsv", sep="\t", dtype="str")
    labels.columns = pd.Index(["assessor_id", "topic_id", "document_id", "level"])
    labels["level"] = labels["level"].astype("float64")
    return labels.assign(facet="page", state="level")


@pytest.fixture(scope="session")
def trec_eval() -> Callable[..., dict[tuple[str, str], dict[str, float]]]:
    """trec_eval 9's C code: (system, topic) -> measure -> value."""

    def run(
        runs: pd.DataFrame, qrels: pd.DataFrame, names: set[str], rel: int = 1
    ) -> dict[tuple[str, str], dict[str, float]]:
        judged = {
            topic: dict(zip(rows["document_id"], map(int, rows["level"]), strict=True))
            for topic, rows in qrels.groupby("topic_id")
        }
        oracle = pytrec_eval.RelevanceEvaluator(judged, names, relevance_level=rel)
        values = {}
        for system, own in runs.groupby("system"):
            ranking = {
                topic: dict(zip(rows["document_id"], rows["score"], strict=True))
                for topic, rows in own.groupby("topic_id")
            }
            for topic, scores in oracle.evaluate(ranking).items():
                values[system, topic] = scores
        return values

    return run
