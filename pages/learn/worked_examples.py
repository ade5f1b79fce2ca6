"""The worked examples as `core` reads and measures them; computed once for the whole process.

What their pages share: choosing a query and a rank, and saying what a number means.
"""

from functools import cache
from typing import Any

import pandas as pd
import streamlit as st

from core.agreement.ratings import Ratings, ratings_from_labels
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import PAGE, default_scales
from core.language.translate import ENGLISH, speaking, t
from core.measures.catalogue import parse_measure
from core.measures.choices import GAIN, Average
from core.measures.evaluate import evaluate
from core.measures.ranking import Rankings
from core.reports.curves import CurvesQuestion, RankingCurves
from core.reports.scores import JudgedRuns, judge_runs
from core.settings import ROOT
from core.versions.judgements import put_on_scale
from pages.shared.figure import show_table
from pages.shared.table import WHOLE

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


ROLES = ("organiser", "assessor", "viewer")
HERE, RELEVANT = "▶", "●"
SOURCE = (
    "The example is the one of chapter 4 of Baeza-Yates & Ribeiro-Neto, *Modern Information "
    "Retrieval* (2nd edition): one system, two queries, fifteen documents each. Every number is "
    "computed on this server by the same functions as those of your own collections."
)


def choose_query(key: str) -> str:
    """Let the reader choose one of the two queries."""
    chosen = st.radio(t("Query"), TOPICS, horizontal=True, key=f"{key}-query")
    return str(chosen)


def choose_rank(key: str, start: int = 3) -> int:
    """Let the reader go down the list, rank by rank."""
    return int(
        st.slider(
            t("Read down to rank"), 1, DEPTH, start, key=f"{key}-rank", help=t("Arrow keys work.")
        )
    )


def show_list(rows: pd.DataFrame, rank: int, name: str, explanation: str, **columns: Any) -> None:
    """Show a ranking step by step: what lies beyond the rank has no numbers yet.

    Parameters
    ----------
    rows : DataFrame
        ``rank, document_id`` and what each step brings.
    rank : int
        How far the reader has come.
    name : str
        For the file and the widgets.
    explanation : str
        What the table shows.
    **columns
        How Streamlit shows a column: a title, or a column configuration.
    """
    shown = rows.copy()
    steps = [column for column in rows.columns if column not in ("rank", "document_id", "relevant")]
    shown[steps] = shown[steps].where(shown["rank"] <= rank)
    shown.insert(0, "here", [HERE if at == rank else "" for at in shown["rank"]])
    show_table(
        shown,
        name,
        explanation,
        height="content",
        column_config={
            "here": st.column_config.TextColumn(t("at"), width=30),
            "rank": st.column_config.NumberColumn(t("rank"), width=50, format=WHOLE),
            "document_id": st.column_config.TextColumn(t("document"), width=80),
            **columns,
        },
    )


def say(means: str, not_means: str) -> None:
    """Say what a number means and what it does not; Markdown."""
    with st.container(border=True):
        st.markdown(f":material/check: {t('**It says**')} {means}")
        st.markdown(f":material/block: {t('**It does not say**')} {not_means}")


def number(title: str, digits: int = 2) -> Any:
    """Return how a column of numbers is shown."""
    return st.column_config.NumberColumn(title, format=f"%.{digits}f")
