"""Simulated rankings, and the two real collections, to infer from."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.collection.files.source import Source
from core.collection.qrels_and_runs.trec import RunOptions, rank_runs, read_qrels, read_run
from core.measures.ranking import Rankings, compile_rankings
from core.versions.judgements import put_on_scale


def shuffle_runs(lists: pd.DataFrame, relevant: pd.DataFrame, systems: int) -> pd.DataFrame:
    """Return simulated runs: the same documents in random order, relevant ones rather earlier."""
    rng, runs = np.random.default_rng(11), []
    found = pd.MultiIndex.from_frame(lists[["topic_id", "document_id"]]).isin(
        pd.MultiIndex.from_frame(relevant[["topic_id", "document_id"]])
    )
    for at in range(systems):
        score = rng.random(len(lists)) + found * rng.random() * 0.8
        runs.append(lists.assign(system=f"simulated{at:02}", score=score))
    return rank_runs(pd.concat(runs, ignore_index=True))


@pytest.fixture(scope="session")
def simulated() -> Rankings:
    """25 topics of one to five intents, 30 runs of 60 documents."""
    rng, rows = np.random.default_rng(5), []
    for topic in range(25):
        for intent in range(1 + topic % 5):
            for document in np.flatnonzero(rng.random(60) < 0.04 + 0.1 * rng.random()):
                rows.append((f"t{topic:02}", f"{intent + 1}", f"d{document:02}", 1))
    qrels = pd.DataFrame(rows, columns=["topic_id", "iteration", "document_id", "level"])
    lists = pd.DataFrame(
        [(f"t{topic:02}", f"d{document:02}") for topic in range(25) for document in range(60)],
        columns=["topic_id", "document_id"],
    )
    return compile_rankings(shuffle_runs(lists, qrels, 30), put_on_scale(qrels))


@pytest.fixture(scope="session")
def web09(shared_data: Path) -> Rankings:
    """TREC 2009 Web diversity judgements; runs perturbed from the baseline's and judged ones."""
    folder = shared_data / "web09"
    qrels = read_qrels(Source.at(folder / "diversity.qrels.gz"), None).frames["qrels"]
    run = read_run(Source.at(folder / "indri-baseline.run.gz"), RunOptions("file")).frames["runs"]
    run = rank_runs(run)
    relevant = qrels[qrels["level"] > 0]
    shown = pd.concat([run[run["rank"] <= 30], relevant.groupby("topic_id").head(20)])
    lists = shown[["topic_id", "document_id"]].drop_duplicates()
    return compile_rankings(shuffle_runs(lists, relevant, 30), put_on_scale(qrels))


@pytest.fixture(scope="session")
def dl19(shared_data: Path) -> Rankings:
    """The 37 runs of TREC 2019 Deep Learning against the labels of two assessors."""
    frames = [
        read_run(Source.at(file), RunOptions("file")).frames["runs"]
        for file in sorted((shared_data / "dl19" / "runs").glob("*.run.gz"))
    ]
    labels = pd.read_csv(shared_data / "dl19" / "labels.tsv", sep="\t", dtype="str")
    labels.columns = pd.Index(["assessor_id", "topic_id", "document_id", "level"])
    labels["level"] = labels["level"].astype("int64")
    qrels = labels.groupby(["topic_id", "document_id"], as_index=False)["level"].max()
    return compile_rankings(rank_runs(pd.concat(frames)), put_on_scale(qrels.assign(iteration="0")))
