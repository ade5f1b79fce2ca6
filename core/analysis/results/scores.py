"""Scores of the runs under a version: what the pages show, kept until the version moves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study, runs_of
from core.analysis.results.qrels_choices import Pairs, QrelsChoice, follows_version, version_of
from core.analysis.results.sampled_qrels import sampled_qrels_of
from core.collection.topics_and_documents.words import add_words
from core.errors import BadInput, TooLittleData
from core.measures.base import MEASURES, Measure
from core.measures.catalogue import parse_measure
from core.measures.evaluate import add_residuals, evaluate, has_residual, mean_scores
from core.measures.ranking import Rankings, compile_rankings
from core.store.events.frames import read_documents
from core.versions.judgements import Judgements

DEFAULTS = ("nDCG@10", "AP", "P@5", "P@10")
SUGGESTED = tuple(dict.fromkeys([*DEFAULTS, *MEASURES.suggested()]))
"""What lists of measures offer: those that are shown at first, then what each suggests."""


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


@follows_version
def rankings_of(study: Study, choice: QrelsChoice) -> Rankings:
    """Return all runs against a version, on the topics that the study declares."""
    return compile_rankings(runs_of(study), _judged(study, choice))


@follows_version
def _rankings_with_words(study: Study, choice: QrelsChoice) -> Rankings:
    """Return the same with the documents' lengths, which takes the texts of all of them."""
    documents = read_documents(study.store, study.collection_id)
    runs = add_words(runs_of(study), documents)
    return compile_rankings(runs, _judged(study, choice))


def _judged(study: Study, choice: QrelsChoice) -> Judgements:
    """Return a version's judgements of the declared topics; raises TooLittleData without any."""
    judged = version_of(study, choice).on_topics(declared_of(study).topics)
    if judged.frame.empty:
        raise TooLittleData(f"no declared topic is judged in '{choice.name}'")
    return judged


@follows_version
def _rankings_of_samples(study: Study, choice: QrelsChoice) -> Rankings:
    """Return the same with the pools that samples of were judged."""
    sampled = sampled_qrels_of(study, choice).frame
    judged = version_of(study, choice).on_same_scale(sampled)
    return compile_rankings(runs_of(study), judged.on_topics(declared_of(study).topics))


def scores_of(
    study: Study, choice: QrelsChoice, measures: Sequence[str], weights: Pairs = ()
) -> pd.DataFrame:
    """Return ``system, topic_id, measure, value, judged`` under a version."""
    return _evaluate(study, choice, tuple(measures), weights)


@follows_version
def _evaluate(
    study: Study, choice: QrelsChoice, measures: tuple[str, ...], weights: Pairs
) -> pd.DataFrame:
    chosen = [parse_measure(text) for text in measures]
    plain = [one for one in chosen if not one.lack]
    estimated = [one for one in chosen if one.lack]
    found = []
    if plain or not estimated:
        with_words = any(one.needs_words for one in plain)
        rankings = _rankings_with_words(study, choice) if with_words else rankings_of(study, choice)
        found.append(evaluate(plain, rankings, dict(weights) or None))
    if estimated:
        rankings = _rankings_of_samples(study, choice)
        found.append(evaluate(estimated, rankings, dict(weights) or None))
    if len(found) == 1:
        return found[0]
    place = {str(one): number for number, one in enumerate(chosen)}
    both = pd.concat(found, ignore_index=True)
    return both.sort_values(
        "measure", key=lambda texts: texts.map(place), kind="stable", ignore_index=True
    )


@follows_version
def tabulate_scores(
    study: Study, choice: QrelsChoice, measures: tuple[str, ...], weights: Pairs
) -> pd.DataFrame:
    """Return a row of means for each system, best first by the first measure."""
    scores = scores_of(study, choice, measures, weights)
    parsed, given = map(parse_measure, measures), dict(weights) or None
    scores = add_residuals(scores, parsed, rankings_of(study, choice), given)
    residual = scores.groupby(["system", "measure"], sort=False)["residual"].mean()
    return lay_out_means(mean_scores(scores).join(residual, on=["system", "measure"]), measures)


def lay_out_means(means: pd.DataFrame, measures: tuple[str, ...]) -> pd.DataFrame:
    """Return a row for each system: its means, residuals, judged shares and numbers of topics."""
    value, judged, counted = (
        means.pivot(index="system", columns="measure", values=name)
        for name in ("value", "judged", "topics")
    )
    present = [measure for measure in measures if measure in value]
    table = value[present].copy()
    for measure in present:
        cutoff = parse_measure(measure).cutoff
        table[f"judged@{cutoff}" if cutoff else "judged"] = judged[measure]
    for measure in filter(has_residual, present):
        left = means[means["measure"] == measure].set_index("system")["residual"]
        table.insert(list(table).index(measure) + 1, f"residual {measure}", left)
    topics = counted[present].astype("int64")
    alike = bool((topics.min(axis=1) == topics.max(axis=1)).all())
    for measure in present[:1] if alike else present:
        table["topics" if alike else f"topics {measure}"] = topics[measure]
    first = present[0]
    falling = not parse_measure(first).greater_is_better
    return table.sort_values(first, ascending=falling, kind="stable").reset_index()
