"""The worked examples as `core` reads and measures them; computed once for the whole process."""

from functools import cache

import pandas as pd

from core.agreement.ratings import Ratings, ratings_from_labels
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import PAGE, default_scales
from core.language.translate import ENGLISH, speaking
from core.measures.catalogue import parse_measure
from core.measures.choices import GAIN, Average
from core.measures.evaluate import evaluate
from core.measures.ranking import Rankings
from core.reports.curves import CurvesQuestion, RankingCurves
from core.reports.scores import JudgedRuns, judge_runs
from core.settings import ROOT
from core.versions.judgements import put_on_scale

FOLDER = ROOT / "sample_data" / "textbook"
DEPTH = 15
TOPICS = ("q1", "q2")


@cache
def read_run() -> pd.DataFrame:
    """Return the textbook's run."""
    return read_import("runs", Source.at(FOLDER / "textbook.run")).frames["runs"]


@cache
def read_qrels(name: str) -> pd.DataFrame:
    """Return the textbook's judgements, 'binary' or 'graded'."""
    return read_import("qrels", Source.at(FOLDER / f"{name}.qrels")).frames["qrels"]


@cache
def rankings_of(name: str) -> Rankings:
    """Return the run against one of the two sets of judgements."""
    return judge_runs(read_run(), put_on_scale(read_qrels(name))).rankings


@cache
def curves_of(
    name: str = "binary", measure: str = GAIN, average: Average = "ratio"
) -> RankingCurves:
    """Return the curves of the run, gain averaged as the textbook does."""
    question = CurvesQuestion(measure, depth=DEPTH, average=average)
    return RankingCurves(JudgedRuns(rankings_of(name)), question)


@cache
def list_points(topic_id: str) -> pd.DataFrame:
    """Return precision and recall at every relevant document that a query found."""
    points = curves_of().recall_points
    return points[points["topic_id"] == topic_id].reset_index(drop=True)


@cache
def score(measure: str, name: str = "binary") -> dict[str, float]:
    """Return the score of each query by a measure."""
    scores = evaluate([parse_measure(measure)], rankings_of(name))
    return dict(zip(scores["topic_id"], scores["value"], strict=True))


@cache
def list_shown(topic_id: str, name: str = "binary") -> pd.DataFrame:
    """Return ``rank, document_id, level`` of what a query was answered with."""
    rankings = rankings_of(name)
    run = read_run()
    shown = run[run["topic_id"] == topic_id].sort_values("rank")
    levels = rankings.levels(DEPTH)[rankings.topics.index(topic_id)]
    rows = shown[["rank", "document_id"]].assign(level=levels.clip(0))
    return rows.reset_index(drop=True)


@cache
def read_ranks() -> pd.DataFrame:
    """Return the places of ten documents in two rankings."""
    return pd.read_csv(FOLDER / "rankings.tsv", sep="\t", dtype={"document": str})


@cache
def read_users(only: str = "") -> Ratings:
    """Return the made-up labels of four users on eight documents, or those of one of them."""
    with speaking(ENGLISH):  # as the file names them
        scales = default_scales()
    source = Source.at(FOLDER / "four_users.tsv")
    labels = read_import("labels", source, scales=scales).frames["labels"]
    if only:
        labels = labels[labels["assessor_id"] == only]
    return ratings_from_labels(labels, PAGE, [level.level for level in scales[PAGE][:4]])


def level_names() -> dict[int, str]:
    """Return the names of the four levels of `read_users`, lowest first, as the paper has them."""
    with speaking(ENGLISH):
        return {level.level: level.name for level in default_scales()[PAGE][:4]}
