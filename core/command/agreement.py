"""``dissent agreement``: how far every two assessors agree."""

from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np
import pandas as pd

from core.agreement.coefficients import COEFFICIENTS, Coefficient
from core.agreement.confusion import ConfusionMatrices, PairMatrices, confusion_matrices
from core.agreement.pairs import agreement_by_pair
from core.agreement.pooled import overall_agreement
from core.agreement.ratings import ratings_from_labels
from core.agreement.topics import TopicSets, agreement_by_topic, split_topics
from core.command.arguments import add_format, add_seed
from core.command.label_files import LabelFile, add_label_files, read_label_files
from core.command.output import print_json, print_notes, with_reason
from core.command.tables import format_interval, format_table
from core.errors import TooLittleData

STANDARD = ("kappa", "kappa(linear)", "kappa(quadratic)", "raw")
BINARY = ("kappa(binary>={level})", "raw(binary>={level})")
_SHOWN = 12
"""Pairs in the table for people; JSON has them all."""


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Agreement of every two assessors with common items: confusion matrix, coefficients with "
        "95 % intervals, all pairs pooled, and topic by topic (linear weighted kappa). Without "
        "--facet each facet in the file is analysed, and a topic agrees when every pair agrees "
        "in every facet."
    )
    add_label_files(parser)
    parser.add_argument(
        "--binary-at", metavar="LEVEL", help="also binarise: levels from this one count as one"
    )
    parser.add_argument(
        "--interval",
        choices=("analytic", "bootstrap"),
        default="analytic",
        help="of pairs: each coefficient's formula (default), or topics resampled",
    )
    add_seed(parser)
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print the agreement of the assessors in a label file."""
    labels = read_label_files(arguments)
    facets = [arguments.facet] if arguments.facet else labels.facets
    results, refused = {}, {}
    for facet in facets:
        try:
            results[facet] = _analyse(labels, facet, arguments)
        except TooLittleData as error:
            refused[facet] = error
    if refused and not results:
        raise next(iter(refused.values()))
    print_notes(f"{facet}: {error}" for facet, error in refused.items())
    topics = [result["topics"] for result in results.values()]
    sets = split_topics(pd.concat(topics, ignore_index=True))
    (_print_json if arguments.format == "json" else _print_tables)(results, sets)
    return 0


def _analyse(labels: LabelFile, facet: str, arguments: Namespace) -> dict[str, Any]:
    """Return the matrices and tables of one facet."""
    rng = np.random.default_rng(arguments.seed)
    matrices = confusion_matrices(ratings_from_labels(labels.frame, facet, labels.levels(facet)))
    chosen = _choose_coefficients(labels, facet, arguments.binary_at)
    pairs = agreement_by_pair(
        matrices, chosen, interval=arguments.interval, rng=rng, every_pair=False
    )
    return {
        "matrices": matrices.by_pair(),
        "apart": _count_apart(matrices),
        "pairs": pairs,
        "overall": overall_agreement(matrices, chosen, rng=rng),
        "topics": agreement_by_topic(matrices),
    }


def _choose_coefficients(labels: LabelFile, facet: str, binary_at: str | None) -> list[Coefficient]:
    texts = list(STANDARD)
    if binary_at is not None:
        texts += [text.format(level=labels.level(binary_at, facet)) for text in BINARY]
    return [COEFFICIENTS.parse(text) for text in texts]


def _count_apart(matrices: ConfusionMatrices) -> int:
    """Return how many pairs of assessors have no item in common."""
    people = len(matrices.assessors)
    return people * (people - 1) // 2 - len(matrices.pair_starts())


def _print_json(results: dict[str, dict[str, Any]], sets: TopicSets) -> None:
    content: dict[str, Any] = {"pairs": [], "overall": [], "topics": []}
    for facet, result in results.items():
        content["pairs"] += _pair_entries(facet, result["matrices"], result["pairs"])
        for row in result["overall"].to_dict("records"):
            content["overall"].append(_entry(row, facet, ("pairs", "n")))
        for row in result["topics"].to_dict("records"):
            kept = ("topic_id", "first", "second", "n", "counted")
            content["topics"].append(_entry(row, facet, kept))
    print_json({**content, "high_agreement": sets.high, "low_agreement": sets.low})


def _pair_entries(facet: str, matrices: PairMatrices, rows: pd.DataFrame) -> list[dict[str, Any]]:
    names = np.asarray(matrices.assessors)
    by_pair = rows.groupby(["first", "second"], sort=False)
    entries = []
    for first, second, counts in zip(
        names[matrices.first], names[matrices.second], matrices.counts, strict=True
    ):
        own = by_pair.get_group((first, second)).to_dict("records")
        entries.append(
            {
                "first": first,
                "second": second,
                "facet": facet,
                "n": own[0]["n"],
                "levels": matrices.levels,
                "matrix": counts.astype(np.int64),
                "coefficients": [_entry(row) for row in own],
            }
        )
    return entries


def _entry(row: dict[Any, Any], facet: str = "", kept: tuple[str, ...] = ()) -> dict[str, Any]:
    about = {"facet": facet} if facet else {}
    about |= {name.removesuffix("_id"): row[name] for name in kept}
    result = {name: row[name] for name in ("value", "low", "high", "interval")}
    return with_reason({**about, "name": row["coefficient"], **result}, row["reason"])


def _print_tables(results: dict[str, dict[str, Any]], sets: TopicSets) -> None:
    for facet, result in results.items():
        overall = result["overall"]
        print(f"{facet}: {overall['pairs'].iloc[0]:,} pairs of assessors pooled\n")
        print(_overall_table(overall) + "\n")
        print(_pairs_table(result["pairs"]))
        _print_matrices(result["matrices"])
        if result["apart"]:
            print(f"{result['apart']:,} pairs of assessors have no common items.")
        print()
    print(f"high agreement ({len(sets.high)} topics): {', '.join(sets.high) or '–'}")
    print(f"low agreement ({len(sets.low)} topics): {', '.join(sets.low) or '–'}")


def _overall_table(overall: pd.DataFrame) -> str:
    rows = [
        [row["coefficient"], _interval(row), row["reason"]] for row in overall.to_dict("records")
    ]
    return format_table(["coefficient", "value [95 %]", ""], rows)


def _pairs_table(pairs: pd.DataFrame) -> str:
    shown = pairs.sort_values("n", ascending=False, kind="stable")
    groups = list(shown.groupby(["first", "second"], sort=False))
    rows = [
        [own[0]["first"], own[0]["second"], own[0]["n"], *map(_interval, own)]
        for own in (group.to_dict("records") for _, group in groups[:_SHOWN])
    ]
    more = f"\n… and {len(groups) - _SHOWN:,} more pairs; --format json has all"
    header = ["first", "second", "items", *pairs["coefficient"].unique()]
    return format_table(header, rows) + (more if len(groups) > _SHOWN else "")


def _interval(row: dict[Any, Any]) -> str:
    return format_interval(row["value"], row["low"], row["high"])


def _print_matrices(matrices: PairMatrices) -> None:
    order = np.argsort(-matrices.counts.sum(axis=(1, 2)), kind="stable")[:_SHOWN]
    for place in order:
        first = matrices.assessors[matrices.first[place]]
        second = matrices.assessors[matrices.second[place]]
        counts = matrices.counts[place].astype(int).tolist()
        rows = [[str(level), *row] for level, row in zip(matrices.levels, counts, strict=True)]
        print(f"\n{first} (rows) × {second} (columns)")
        print(format_table(["level", *map(str, matrices.levels)], rows))
