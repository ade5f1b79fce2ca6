"""Scores of the runs under a version: what the pages show, kept until the version moves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from core.errors import BadInput
from core.measures.base import Measure
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import Rankings, compile_rankings
from pages.analyse.versions import Offer, Pairs, from_version, make_version
from pages.shared.live import runs_of, settled
from pages.shared.session import Visit

DEFAULTS = ("P@5", "P@10", "AP", "nDCG@10")
SUGGESTED = (
    *(*DEFAULTS, "R@10", "F@10", "RR", "Rprec", "bpref", "DCG@10", "nDCG", "Q@10", "ERR@10"),
    *("nERR@10", "RBP", "GAP", "judged@10"),
)


@dataclass(frozen=True)
class Scoring:
    """How judgements are counted: the gain of a level, the weights, what is relevant."""

    gain: str = "linear"
    rel: float = 1
    weights: Pairs = ()

    def apply(self, text: str) -> Measure:
        """Return the measure of a text; what the text says itself goes before the choices."""
        return parse_measure(text, rel=self.rel, gain=self.gain)

    def read(self, texts: Iterable[str]) -> tuple[tuple[str, ...], list[str]]:
        """Return the measures of texts as texts, and what is wrong with the others."""
        measures, wrong = [], []
        for text in texts:
            try:
                measures.append(str(self.apply(text)))
            except BadInput as error:
                wrong.append(str(error))
        return tuple(dict.fromkeys(measures)), wrong


def coded_runs(visit: Visit) -> pd.DataFrame:
    """Return the runs with their ids as categories, which are quick to look up."""
    return settled(visit, _code_runs)


def rankings_of(visit: Visit, offer: Offer) -> Rankings:
    """Return all runs against a version."""
    return from_version(visit, _compile, *offer.choice)


def rankings_under(visit: Visit, name: str, rule: str) -> Rankings:
    """Return all runs against a version given by its choice, as computations for it need them."""
    return from_version(visit, _compile, name, rule)


def scores_under(
    visit: Visit, name: str, rule: str, measures: tuple[str, ...], weights: Pairs = ()
) -> pd.DataFrame:
    """Return scores like `scores_of`, for a version given by its choice."""
    return from_version(visit, _evaluate, name, rule, measures, weights)


def scores_of(
    visit: Visit, offer: Offer, measures: Sequence[str], weights: Pairs = ()
) -> pd.DataFrame:
    """Return ``system, topic_id, measure, value, judged`` under a version."""
    return from_version(visit, _evaluate, *offer.choice, tuple(measures), weights)


def _code_runs(visit: Visit) -> pd.DataFrame:
    ids = ["system", "topic_id", "document_id"]
    return runs_of(visit).astype(dict.fromkeys(ids, "category"))


def _compile(visit: Visit, name: str, rule: str) -> Rankings:
    version = from_version(visit, make_version, name, rule)
    return compile_rankings(coded_runs(visit), version.frame, gmax=version.gmax)


def _evaluate(
    visit: Visit, name: str, rule: str, measures: tuple[str, ...], weights: Pairs
) -> pd.DataFrame:
    rankings = from_version(visit, _compile, name, rule)
    return evaluate(map(parse_measure, measures), rankings, dict(weights) or None)
