"""``dissent evaluate``: the scores of runs against one or several qrels."""

from argparse import Namespace
from collections.abc import Sequence

import pandas as pd

from core.command.files.score_files import (
    describe_gaps,
    read_measures,
    read_runs,
    read_score_weights,
    read_several_judgements,
)
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.tables import Cell, format_cell, format_table
from core.comparison.ties import order_best
from core.measures.base import Measure, Weights
from core.measures.catalogue import parse_measure
from core.measures.evaluate import has_residual
from core.measures.ranking import Rankings, compile_rankings
from core.reports.scores import average_topics, describe_topics, score_topics


def run(arguments: Namespace) -> int:
    """Print the scores of runs."""
    if arguments.format == "trec_eval" and len(arguments.qrels) > 1:
        arguments.parser.error("the trec_eval format cannot show several qrels")
    weights, measures = read_score_weights(arguments), read_measures(arguments)
    runs, tables = read_runs(arguments), []
    judged = read_several_judgements(arguments.qrels, arguments, sampled=True)
    for path in arguments.qrels:
        rankings = compile_rankings(runs, judged[path])
        print_notes(describe_gaps(rankings, path, measures))
        scores = _score(rankings, measures, weights, arguments.empty_topics)
        if differ := describe_topics(scores[scores["topic_id"].notna()]):
            print_notes([f"{path}: {differ}"])
        tables.append(scores.assign(qrels=path))
    found = pd.concat(tables, ignore_index=True)
    if arguments.format != "json":
        _say_why_missing(found)
    _PRINT.get(arguments.format, _print_table)(found, arguments.per_topic)
    return 0


def _say_why_missing(scores: pd.DataFrame) -> None:
    """Print why a measure has no mean; JSON has the reason beside the value."""
    missing = scores[scores["topic_id"].isna() & scores["value"].isna()]
    pairs = missing[["measure", "reason"]].drop_duplicates().itertuples(index=False)
    print_notes(f"{measure}: {reason}" for measure, reason in pairs)


def _score(
    rankings: Rankings, measures: Sequence[Measure], weights: Weights | None, empty_topics: bool
) -> pd.DataFrame:
    """Return a row for each system and measure, on each topic and (topic_id NaN) on average."""
    scores = score_topics(rankings, measures, weights, empty_topics=empty_topics)
    return pd.concat([scores, average_topics(scores)], ignore_index=True)


def _print_json(scores: pd.DataFrame, per_topic: bool) -> None:
    shown = scores if per_topic else scores[scores["topic_id"].isna()]
    entries = []
    for row in shown.to_dict("records"):
        entry = {name: row[name] for name in ("qrels", "system", "measure")}
        entry["topic"] = None if pd.isna(row["topic_id"]) else row["topic_id"]
        entry["value"] = row["value"]
        if entry["topic"] is None:
            entry |= {"low": row["low"], "high": row["high"]}
            entry["interval"] = {
                "method": row["interval"],
                "unit": row["unit"],
                "n": int(row["topics"]),
            }
            entry["topics"] = int(row["topics"])
        if has_residual(row["measure"]):
            entry["residual"] = row["residual"]
        entry["judged"] = row["judged"]
        entries.append(with_reason(entry, row["reason"]))
    print_json({"scores": entries})


def _print_trec_eval(scores: pd.DataFrame, per_topic: bool) -> None:
    """Print lines as trec_eval does, four decimals and the topics before their mean."""
    is_mean = scores["topic_id"].isna()
    shown = scores[scores["value"].notna() & (is_mean | per_topic)]
    for system, own in shown.groupby("system", sort=False):
        print(f"runid\tall\t{system}")
        topic = own["topic_id"].fillna("all")
        for measure, where, value in zip(own["measure"], topic, own["value"], strict=True):
            print(f"{measure}\t{where}\t{value:.4f}")


def _print_table(scores: pd.DataFrame, per_topic: bool) -> None:
    for qrels, own in scores.groupby("qrels", sort=False):
        if scores["qrels"].nunique() > 1:
            print(f"\n{qrels}")
        means = own[own["topic_id"].isna()]
        print(_table(means, ["system"], f"Mean scores, {qrels}"))
        if per_topic:
            topics = own[own["topic_id"].notna()]
            print("\n" + _table(topics, ["system", "topic_id"], f"Scores by topic, {qrels}"))


def _table(scores: pd.DataFrame, keys: list[str], title: str) -> str:
    """Return a row for each system (and topic), best first by the first measure.

    Means have the number of their topics: in the last column, or by measure where these differ.
    """
    measures = list(scores["measure"].unique())
    best = scores[scores["measure"] == measures[0]]
    best = best.iloc[order_best(best["value"], parse_measure(measures[0]).greater_is_better)]
    found = scores.set_index([*keys, "measure"]).to_dict("index")
    alike = scores["topics"].nunique(dropna=False) == 1
    counted = [] if "topic_id" in keys else measures[-1:] if alike else measures
    residual = list(filter(has_residual, measures))
    rows: list[list[Cell]] = []
    for row in best[keys].to_dict("records"):
        cells: list[Cell] = [row[key] for key in keys]
        for measure in measures:
            score = found[(*row.values(), measure)]
            cells += [score["value"]]
            cells += [score["residual"]] if measure in residual else []
            cells += [format_cell(score["judged"], 2)]
            cells += [int(score["topics"])] if measure in counted else []
        rows.append(cells)
    header = [key.removesuffix("_id") for key in keys]
    for measure in measures:
        header += [measure, *(["residual"] if measure in residual else []), "judged share"]
        header += ["topics"] if measure in counted else []
    return format_table(header, rows, digits=3, title=title)


_PRINT = {"json": _print_json, "trec_eval": _print_trec_eval}
