"""Runs re-ranked by a machine's labels in part, and studies without any such run."""

import numpy as np
import pandas as pd

COLUMNS = ["system", "topic_id", "document_id", "rank"]
JITTER = 0.15
"""The standard deviation by which ranks are moved, on a scale of natural logarithms."""


def plant_ranks(
    runs: pd.DataFrame,
    machine: pd.DataFrame,
    system: str,
    share: float,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Re-order a share of the ranks of each topic among themselves by the machine's labels."""
    own = _label(runs[runs["system"] == system], machine)
    chosen = _choose_ranks(own, share, rng)
    return _replace(runs, system, own, chosen)


def plant_topics(
    runs: pd.DataFrame,
    machine: pd.DataFrame,
    system: str,
    share: float,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Re-rank a share of the topics wholly by the machine's labels."""
    own = _label(runs[runs["system"] == system], machine)
    topics = own["topic_id"].unique()
    taken = rng.choice(topics, round(share * len(topics)), replace=False)
    return _replace(runs, system, own, own["topic_id"].isin(taken).to_numpy())


def _label(own: pd.DataFrame, machine: pd.DataFrame) -> pd.DataFrame:
    """Return a run in order of rank with the machine's levels; without one comes last."""
    levels = machine[["topic_id", "document_id", "level"]]
    labelled = own.merge(levels, how="left", on=["topic_id", "document_id"])
    return labelled.fillna({"level": -1}).sort_values(["topic_id", "rank"], ignore_index=True)


def _choose_ranks(own: pd.DataFrame, share: float, rng: np.random.Generator) -> np.ndarray:
    chosen = np.zeros(len(own), dtype=bool)
    for rows in own.groupby("topic_id").indices.values():
        chosen[rng.choice(rows, round(share * len(rows)), replace=False)] = True
    return chosen


def _replace(
    runs: pd.DataFrame, system: str, own: pd.DataFrame, chosen: np.ndarray
) -> pd.DataFrame:
    places = own[chosen]
    ordered = places.sort_values(["topic_id", "level", "rank"], ascending=[True, False, True])
    documents = own["document_id"].to_numpy().copy()
    documents[chosen] = ordered["document_id"]
    planted = own.assign(document_id=documents)[COLUMNS]
    return pd.concat([runs.loc[runs["system"] != system, COLUMNS], planted], ignore_index=True)


def vary_study(runs: pd.DataFrame, study: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return runs of another study, by turns: topics drawn again, half of them, fewer runs, noise.

    Topics that are drawn twice have two names, so judgements have to be ``spread_topics``.
    """
    topics, systems = runs["topic_id"].unique(), runs["system"].unique()
    if study % 4 == 0:
        drawn = rng.choice(topics, len(topics))
        parts = [
            runs[runs["topic_id"] == topic].assign(topic_id=f"{topic}/{at}")
            for at, topic in enumerate(drawn)
        ]
        return pd.concat(parts, ignore_index=True)
    if study % 4 == 1:
        return runs[runs["topic_id"].isin(rng.choice(topics, len(topics) // 2, replace=False))]
    if study % 4 == 2:
        number = rng.integers(len(systems) // 3, len(systems) - 5)
        return runs[runs["system"].isin(rng.choice(systems, number, replace=False))]
    moved = runs.assign(place=np.log(runs["rank"]) + rng.normal(0, JITTER, len(runs)))
    rank = moved.groupby(["system", "topic_id"])["place"].rank(method="first")
    return moved.assign(rank=rank.astype("int64"))[COLUMNS]


def spread_topics(qrels: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Return judgements of the topics of runs, which ``vary_study`` may have renamed."""
    names = pd.Series(runs["topic_id"].unique())
    known = pd.DataFrame({"topic_id": names.str.partition("/")[0], "name": names})
    spread = qrels.merge(known, on="topic_id")
    return spread.assign(topic_id=spread["name"]).drop(columns="name")
