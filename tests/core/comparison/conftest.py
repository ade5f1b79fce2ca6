"""Real systems to compare."""

from pathlib import Path

import pandas as pd
import pytest

from core.collection.files.source import Source
from core.collection.qrels_and_runs.trec import RunOptions, rank_runs, read_run
from core.comparison.score_matrix import ScoreMatrix, score_matrix
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.versions.versions import qrels_from_labels, standard_rules


@pytest.fixture(scope="session")
def dl19_scores(shared_data: Path) -> pd.DataFrame:
    """nDCG@10 of 37 systems as ``evaluate`` gives it, with ``version``: every standard one."""
    folder = shared_data / "dl19"
    labels = pd.read_csv(folder / "labels.tsv", sep="\t", dtype="str")
    labels.columns = pd.Index(["assessor_id", "topic_id", "document_id", "level"])
    labels = labels.astype({"level": "float64"}).assign(facet="page", state="level")
    files = sorted((folder / "runs").glob("*.run.gz"))
    read = [read_run(Source.at(file), RunOptions("file")).frames["runs"] for file in files]
    runs = rank_runs(pd.concat(read))
    versions = [qrels_from_labels(labels, rule) for rule in standard_rules(labels)]
    scores = [
        evaluate([parse_measure("nDCG@10")], compile_rankings(runs, version)).assign(
            version=version.rule.name
        )
        for version in versions
    ]
    return pd.concat(scores, ignore_index=True)


@pytest.fixture(scope="session")
def dl19(dl19_scores: pd.DataFrame) -> ScoreMatrix:
    """Their scores by the median of all labels, on 22 topics."""
    return score_matrix(dl19_scores[dl19_scores["version"] == "all, median"])
