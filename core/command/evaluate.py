"""``dissent evaluate``: the scores of runs against one or several qrels."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence

import pandas as pd

from core.collection.formats import read_import
from core.collection.numbers import parse_number
from core.command.arguments import add_format, open_source
from core.command.output import print_json, print_notes, show_progress, with_reason
from core.command.tables import Cell, format_cell, format_table
from core.command.weight_files import WEIGHTS_HELP, read_weights
from core.errors import BadInput
from core.measures.base import MEASURES, Measure, Weights
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate, mean_scores
from core.measures.ranking import Rankings, compile_rankings

NOTHING_TO_FIND = "nothing judged for this topic counts for the measure"
NO_TOPIC = "no judged topic has anything to find for the measure"


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Scores of runs against qrels, with the judged share of what each score looks at. The "
        "order of a run is trec_eval's: score, then document id, both descending. A topic that a "
        "run does not answer scores 0; a topic with nothing to find is left out of the mean."
    )
    known = ", ".join(f"{entry.name} ({entry.description})" for entry in MEASURES)
    parser.epilog = (
        f"Measures: {known}. Options stand in brackets and a cut-off after @, as in "
        "nDCG(gain='exp')@10. "
        "With --format trec_eval each run begins with a line 'runid all SYSTEM' and measures "
        "keep their names here."
    )
    parser.add_argument(
        "--qrels", nargs="+", action="extend", required=True, metavar="Q", help="TREC qrels"
    )
    parser.add_argument(
        "--run",
        nargs="+",
        action="extend",
        required=True,
        dest="runs",
        metavar="R",
        help="TREC runs; every tag in them is a system",
    )
    parser.add_argument(
        "--measure",
        nargs="+",
        action="extend",
        required=True,
        dest="measures",
        type=_measure,
        metavar="M",
        help="such as P@10 AP nDCG@10",
    )
    parser.add_argument("--per-topic", action="store_true", help="each topic's scores as well")
    parser.add_argument(
        "--level",
        type=_level,
        metavar="L",
        help="level from which documents count as relevant in measures such as P and AP (default "
        "1), where their own text does not say; they are then shown as P(rel=L)",
    )
    parser.add_argument("--weights", metavar="FILE", help=f"for gain='udm', {WEIGHTS_HELP}")
    parser.add_argument(
        "--empty-topics", action="store_true", help="count topics with nothing to find as 0"
    )
    parser.add_argument(
        "--system-from",
        choices=("tag", "file"),
        default="tag",
        help="call a system what its run's last column says (default), or its file",
    )
    add_format(parser, "trec_eval")


def run(arguments: Namespace) -> int:
    """Print the scores of runs."""
    if arguments.format == "trec_eval" and len(arguments.qrels) > 1:
        arguments.parser.error("the trec_eval format has no room for several qrels")
    weights = read_weights(arguments.weights) if arguments.weights else None
    defaults = {} if arguments.level is None else {"rel": arguments.level}
    measures = [parse_measure(text, **defaults) for text in arguments.measures]
    runs = _read("runs", arguments.runs, system_from=arguments.system_from)
    tables = []
    for path in arguments.qrels:
        rankings = compile_rankings(runs, _read("qrels", [path]))
        print_notes(_notes(rankings, path))
        scores = _score(rankings, measures, weights, arguments.empty_topics)
        tables.append(scores.assign(qrels=path))
    _PRINT[arguments.format](pd.concat(tables, ignore_index=True), arguments.per_topic)
    return 0


def _measure(text: str) -> str:
    try:
        parse_measure(text)
    except BadInput as error:
        raise ArgumentTypeError(str(error)) from error
    return text


def _level(text: str) -> float:
    level = parse_number(text)
    if not level > 0:
        raise ArgumentTypeError(f"'{text}' is not a level above 0")
    return level


def _read(kind: str, paths: Sequence[str], **options: str) -> pd.DataFrame:
    sources = [open_source(path) for path in paths]
    return read_import(kind, sources, progress=show_progress, **options).frames[kind]


def _notes(rankings: Rankings, qrels: str) -> list[str]:
    notes = []
    if unknown := len(rankings.unknown_topics):
        notes.append(f"{qrels}: topics of the runs without a judgement, left out: {unknown:,}")
    for system, topics in rankings.missing().groupby("system").size().items():
        notes.append(f"{system}: judged topics without a line, which score 0: {topics:,}")
    return notes


def _score(
    rankings: Rankings, measures: Sequence[Measure], weights: Weights | None, empty_topics: bool
) -> pd.DataFrame:
    """Return a row for each system and measure, on each topic and (topic_id NaN) on average."""
    keys = ["system", "measure", "topic_id"]
    every = evaluate(measures, rankings, weights, empty_topics=True)
    counted = every
    if not empty_topics:
        counted = evaluate(measures, rankings, weights)
        every = every.drop(columns="value").merge(counted[[*keys, "value"]], how="left", on=keys)
    means = every[keys[:2]].drop_duplicates()
    means = means.merge(mean_scores(counted), how="left", on=keys[:2])
    every["reason"] = every["value"].isna().map({True: NOTHING_TO_FIND, False: ""})
    means["reason"] = means["value"].isna().map({True: NO_TOPIC, False: ""})
    return pd.concat([every, means], ignore_index=True)


def _print_json(scores: pd.DataFrame, per_topic: bool) -> None:
    shown = scores if per_topic else scores[scores["topic_id"].isna()]
    entries = []
    for row in shown.to_dict("records"):
        entry = {name: row[name] for name in ("qrels", "system", "measure")}
        entry["topic"] = None if pd.isna(row["topic_id"]) else row["topic_id"]
        entry |= {"value": row["value"], "judged": row["judged"]}
        entries.append(with_reason(entry, row["reason"]))
    print_json({"scores": entries})


def _print_trec_eval(scores: pd.DataFrame, per_topic: bool) -> None:
    """Print lines as trec_eval does, four decimals and the topics before their mean."""
    is_mean = scores["topic_id"].isna()
    missing = scores[is_mean & scores["value"].isna()]
    print_notes(f"{measure}: {NO_TOPIC}" for measure in missing["measure"].unique())
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
        print(_table(means, ["system"]))
        if per_topic:
            print("\n" + _table(own[own["topic_id"].notna()], ["system", "topic_id"]))


def _table(scores: pd.DataFrame, keys: list[str]) -> str:
    """Return a row for each system (and topic), best first by the first measure."""
    measures = list(scores["measure"].unique())
    best = scores[scores["measure"] == measures[0]].sort_values(
        "value", ascending=False, kind="stable"
    )
    found = scores.set_index([*keys, "measure"]).to_dict("index")
    rows: list[list[Cell]] = []
    for row in best[keys].to_dict("records"):
        cells: list[Cell] = [row[key] for key in keys]
        for measure in measures:
            score = found[(*row.values(), measure)]
            cells += [score["value"], format_cell(score["judged"], 2)]
        rows.append(cells)
    header = [key.removesuffix("_id") for key in keys]
    for measure in measures:
        header += [measure, "judged"]
    return format_table(header, rows, digits=4)


_PRINT = {"json": _print_json, "trec_eval": _print_trec_eval, "table": _print_table}
