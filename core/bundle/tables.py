"""The tables of a bundle: the analyses that pages, commands and Python have, of its content."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import pandas as pd

from core.bundle.content import Content
from core.bundle.preferences import FROM_PREFERENCES, tabulate_preferences
from core.collection.records import FACETS
from core.comparison.conditions import BY, PAIR_COLUMNS
from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.reports.agreement import Agreement, read_facet
from core.reports.compare import CompareQuestion, SystemComparison
from core.reports.level_weights import LevelLabels, LevelWeights, WeightsQuestion
from core.reports.scores import Scores, ScoresQuestion, judge_runs
from core.reports.user_model import usual_model

OF_LABELS = ("agreement", "agreement_pairs", "weights")
FROM_LABELS = (*OF_LABELS, *FROM_PREFERENCES)
FROM_RUNS = ("scores", "means", "ranking", "significance", "rank_correlation")
TABLES = (*FROM_LABELS, *FROM_RUNS)

Tables = dict[str, pd.DataFrame]


def make_tables(content: Content) -> Tables:
    """Return the tables of `make_analyses`."""
    return make_analyses(content).tables


@dataclass(frozen=True)
class Analyses:
    """What a bundle's content comes to: tables by name, and what readers have to know of them.

    ``of_labels`` are the notes on agreement, ``of_runs`` those on comparisons of systems.
    """

    tables: Tables
    of_labels: tuple[str, ...]
    of_runs: tuple[str, ...]


def make_analyses(content: Content) -> Analyses:
    """Return every table that the content allows, by name; those without a row are left out.

    ``agreement``, ``agreement_pairs`` and ``weights`` rest on labels, a facet after the other;
    ``preferences`` and ``strengths`` on what was judged side by side;
    ``scores`` (by topic), ``means``, ``ranking``, ``significance`` and ``rank_correlation`` on
    runs and qrels.
    """
    (of_labels, on_labels), (of_runs, on_runs) = _label_tables(content), _run_tables(content)
    found = {**of_labels, **tabulate_preferences(content.preferences), **of_runs}
    kept = {name: found[name] for name in TABLES if name in found and len(found[name])}
    return Analyses(kept, on_labels, on_runs)


Annotated = tuple[Tables, tuple[str, ...]]
"""Tables, and the notes on them."""


def _label_tables(content: Content) -> Annotated:
    if content.labels is None:
        return {}, ()
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in OF_LABELS}
    notes: list[str] = []
    scales = content.about.levels
    for facet in (one for one in FACETS if one in scales):
        own = read_facet(content.labels, facet, list(scales[facet]), _ranking_runs(content))
        report = Agreement(own)
        for name, table in _tables_of(content, report):
            table.insert(0, "facet", facet)
            parts[name].append(table)
            if name == "agreement":
                notes += [f"{facet}: {note}" for note in report.notes]
    tables = {name: pd.concat(own, ignore_index=True) for name, own in parts.items() if own}
    return tables, tuple(notes)


def _ranking_runs(content: Content) -> pd.DataFrame | None:
    """Return the runs by which items rank: where the bundle has all, whoever gives them besides."""
    about = content.about
    has_all = all(one.published for one in about.runs)
    return content.runs if has_all and Agreement.name in about.reports else None


def _tables_of(content: Content, found: Agreement) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the tables of one facet; none where no two assessors judged the same."""
    try:
        yield "agreement", found.overall.copy()
        yield "agreement_pairs", found.pairs.copy()
    except TooLittleData:
        return
    model = usual_model(found.ratings.levels, content.about.users, content.about.at_least)
    labels = LevelLabels(found.labels.facet, found.ratings)
    yield "weights", LevelWeights(labels, WeightsQuestion(model)).levels[_OF_WEIGHTS].copy()


_OF_WEIGHTS = [
    "level", "cases", "top_cases", "pairs", "p", "low", "high", "topics", "few", "reason",
    "weight", "weight_low", "weight_high",
]  # fmt: skip
"""Which columns of the weights a bundle has."""


def _run_tables(content: Content) -> Annotated:
    if content.runs is None or not content.qrels:
        return {}, ()
    topics = content.about.declared.topics if content.about.declared else ()
    weights = {one.name: dict(one.weights) or None for one in content.about.versions}
    scored = {
        name: Scores(
            judge_runs(content.runs, content.judgements[name], name, weights[name], topics),
            ScoresQuestion(measures),
        )
        for name, measures in content.measures.items()
        if measures
    }
    if not scored:
        return {}, ()
    compared = {
        str(measure): comparison
        for measure in dict.fromkeys(map(parse_measure, content.about.measures))
        if not measure.obstacle and (comparison := _compare(content, str(measure), scored))
    }
    tables = {
        "scores": {name: one.by_topic.drop(columns="residual") for name, one in scored.items()},
        "means": {
            name: one.means.drop(columns=["rank", "units", "residual"])
            for name, one in scored.items()
        },
    }
    stacked = {name: _stack(frames, "qrels") for name, frames in tables.items()}
    notes = [f"{measure}: {note}" for measure, one in compared.items() for note in one.notes]
    return {**stacked, **_comparison_tables(compared)}, tuple(notes)


def _compare(content: Content, measure: str, scored: dict[str, Scores]) -> SystemComparison | None:
    """Return the systems compared by one measure under every version that can be."""
    conditions = []
    for name, scores in scored.items():
        with suppress(TooLittleData):
            conditions.append(scores.condition(measure, {"qrels": name}, name))
    report = SystemComparison(conditions, CompareQuestion(content.about.test))
    try:
        return report if conditions and report.comparison else None
    except (TooLittleData, BadInput):
        return None


_KEPT = {
    "ranking": ("ranking", [BY, "system", "rank", "value"]),
    "pairs": ("significance", [BY, *PAIR_COLUMNS]),
    "orders": (
        "rank_correlation",
        ["first", "second", "tau", "low", "high", "interval", "unit", "units", "p"],
    ),
}
"""What tables of a comparison are called in a bundle, and which of their columns it has."""


def _comparison_tables(compared: dict[str, SystemComparison]) -> Tables:
    if not compared:
        return {}
    return {
        name: _stack(
            {
                measure: found.table(table)[columns].rename(columns={BY: "qrels"})
                for measure, found in compared.items()
            },
            "measure",
        )
        for table, (name, columns) in _KEPT.items()
    }


def _stack(frames: dict[str, pd.DataFrame], column: str) -> pd.DataFrame:
    """Return frames below each other, with the name of each in a first column."""
    named = []
    for name, frame in frames.items():
        own = frame.copy()
        own.insert(0, column, name)
        named.append(own)
    return pd.concat(named, ignore_index=True)
