"""What is asked of the runs under a version: scores, curves, who leads, what is not pooled."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import Study, runs_of, stands_apart_from_labels
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.declared import declared_test, judged_of, scored_runs_of
from core.analysis.results.qrels_choices import (
    Pairs,
    QrelsChoice,
    follows_version,
    level_names,
    version_of,
    weights_of,
)
from core.analysis.results.sampled_qrels import sampled_qrels_of
from core.collection.topics_and_documents.words import add_words
from core.comparison.left_out_runs import teams_by_prefix
from core.errors import BadInput
from core.measures.base import MEASURES, Measure
from core.measures.catalogue import parse_measure
from core.measures.gain import needs_weights
from core.measures.ranking import Rankings
from core.reports.curves import CurvesQuestion, RankingCurves
from core.reports.leaderboard import Leaderboard, LeaderboardQuestion
from core.reports.scores import JudgedRuns, Scores, ScoresQuestion, judge_runs
from core.reports.unpooled import Unpooled, UnpooledQuestion
from core.reports.user_model import UserModel
from core.store.events.current_labels import write_out
from core.store.events.frames import read_document_index, read_documents, read_subtopics

DEFAULTS = ("nDCG@10", "AP", "P@5", "P@10")
SUGGESTED = tuple(dict.fromkeys([*DEFAULTS, *MEASURES.suggested()]))
"""What lists of measures offer: those that are shown at first, then what each suggests."""

UDM_GAIN = "udm"


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


def scoring_of(
    study: Study,
    facet: str,
    model: UserModel,
    texts: Iterable[str],
    *,
    gain: str = "linear",
    rel: float = 1,
) -> Scoring:
    """Return how judgements of a facet are counted for these users, by whoever names the UDM.

    That is the choice of a gain, or a measure in its own text; where neither does there are no
    weights.
    """
    plain = Scoring(gain, rel)
    read, _ = plain.read(texts)
    asked = gain == UDM_GAIN or any(needs_weights(parse_measure(one)) for one in read)
    return replace(plain, weights=weights_of(study, facet, model)) if asked else plain


@follows_version
def rankings_of(study: Study, choice: QrelsChoice) -> Rankings:
    """Return all runs against a version, on the topics that the study declares."""
    return judge_runs(scored_runs_of(study), judged_of(study, choice)).rankings


@follows_version
def _rankings_with_words(study: Study, choice: QrelsChoice) -> Rankings:
    """Return the same with the documents' lengths, which takes the texts of all of them."""
    documents = read_documents(study.store, study.collection_id)
    return judge_runs(
        add_words(scored_runs_of(study), documents), judged_of(study, choice)
    ).rankings


@follows_version
def _rankings_of_samples(study: Study, choice: QrelsChoice) -> Rankings:
    """Return the same with the pools that samples of were judged."""
    sampled = sampled_qrels_of(study, choice).frame
    judged = version_of(study, choice).on_same_scale(sampled)
    return judge_runs(runs_of(study), judged, topics=declared_of(study).topics).rankings


def weights_for(
    study: Study, choice: QrelsChoice, measures: Iterable[str], weights: Pairs = ()
) -> Pairs:
    """Return weights, or where measures need some and none are given those of the declared users.

    These are of the facet of the version.
    """
    if weights or not any(needs_weights(parse_measure(one)) for one in measures):
        return weights
    facet = choice.rule.facet if choice.rule else declared_of(study).facet
    return weights_of(study, facet, model_of(study, facet))


def judged_runs_of(study: Study, choice: QrelsChoice, weights: Pairs = ()) -> JudgedRuns:
    """Return all runs against a version, on the topics that the study declares."""
    return JudgedRuns(
        rankings_of(study, choice),
        choice.name,
        dict(weights) or None,
        partial(_rankings_with_words, study, choice),
        partial(_rankings_of_samples, study, choice),
    )


def ask_scores(
    study: Study, choice: QrelsChoice, measures: Iterable[str], weights: Pairs = ()
) -> Scores:
    """Return how well the systems do under a version, by measures; ``weights`` are of the UDM.

    Without them measures that need weights take those of the users whom the study declares.
    """
    texts = tuple(measures)
    return _ask_scores(study, choice, texts, weights_for(study, choice, texts, weights))


@follows_version
def _ask_scores(
    study: Study, choice: QrelsChoice, measures: tuple[str, ...], weights: Pairs
) -> Scores:
    return Scores(judged_runs_of(study, choice, weights), ScoresQuestion(measures))


@follows_version
def ask_leaderboard(
    study: Study,
    choice: QrelsChoice,
    measure: str,
    weights: Pairs,
    beside: tuple[str, ...],
) -> Leaderboard:
    """Return who leads under a version, tested at the α that the study declares.

    ``beside`` names all measures that are looked at, if there are more than this one: the scores
    are then theirs.
    """
    scores = ask_scores(study, choice, beside or (measure,), weights)
    return Leaderboard(scores, LeaderboardQuestion(measure, declared_test(study)))


def scores_of(
    study: Study, choice: QrelsChoice, measures: Iterable[str], weights: Pairs = ()
) -> pd.DataFrame:
    """Return ``system, topic_id, measure, value, judged`` under a version."""
    return ask_scores(study, choice, measures, weights).counted


@stands_apart_from_labels
def ranks_of(study: Study) -> dict[tuple[str, str], NDArray[np.int64]]:
    """Return where in the runs each system's answer to each topic is."""
    by = runs_of(study).groupby(["system", "topic_id"], observed=True)
    return {key: np.asarray(positions) for key, positions in by.indices.items()}  # type: ignore[misc]


@stands_apart_from_labels
def titles_of(study: Study) -> "pd.Series[str]":
    """Return the title of each document by id."""
    index = read_document_index(study.store, study.collection_id)
    return index.set_index("document_id")["title"]


UNJUDGED = "not judged"


def list_answers(
    study: Study, basis: ScoreBasis, facet: str, system: str, topic: str
) -> pd.DataFrame:
    """Return ``rank, judgement, level, document_id, title, score`` of one ranked list."""
    listed = write_out(runs_of(study).iloc[ranks_of(study).get((system, topic), [])])
    judged = basis.version.levels_for(system, topic)
    names = level_names(study, facet, basis.choice)
    level = listed["document_id"].map(judged)
    titles = titles_of(study)
    listed = listed.assign(
        level=level,
        judgement=[_call(one, names) for one in level],
        title=listed["document_id"].map(titles).astype("object").fillna(""),
    )
    columns = ["rank", "judgement", "level", "document_id", "title", "score"]
    return listed[columns].sort_values("rank", ignore_index=True)


def _call(level: float, names: dict[float, str]) -> str:
    if pd.isna(level):
        return UNJUDGED
    name = names.get(level, "")
    return name if name else f"{level:.3g}"


@follows_version
def ask_curves(
    study: Study, choice: QrelsChoice, question: CurvesQuestion, weights: Pairs
) -> RankingCurves:
    """Return the curves of all runs under a version; ``weights`` are of the UDM."""
    return RankingCurves(judged_runs_of(study, choice, weights), question)


@follows_version
def ask_unpooled(
    study: Study,
    choice: QrelsChoice,
    measures: tuple[str, ...],
    weights: Pairs,
    depth: int,
    letters: int,
    teams: tuple[tuple[str, str], ...],
) -> Unpooled:
    """Return what a collection's runs would lose under a version.

    Parameters
    ----------
    depth : int
        0 to tell it from how much is judged.
    letters : int
        By how many characters at its beginning a system tells its team; 0 where each is its own.
    teams : pairs of system and team
        Go before the letters.
    """
    runs = scored_runs_of(study)
    systems = [str(one) for one in runs["system"].unique()]
    named = teams_by_prefix(systems, letters) if letters else {}
    weights = weights_for(study, choice, measures, weights)
    teams = tuple((named | dict(teams)).items())
    question = UnpooledQuestion(measures, depth or None, teams, declared_of(study).alpha)
    return Unpooled(runs, judged_of(study, choice), question, dict(weights) or None)


@stands_apart_from_labels
def probabilities_of(study: Study) -> pd.DataFrame | None:
    """Return the stored probabilities of intents; None where there are none."""
    subtopics = read_subtopics(study.store, study.collection_id)
    known = subtopics["probability"].notna()
    return subtopics[["topic_id", "subtopic_id", "probability"]] if known.any() else None


@follows_version
def identify_state(study: Study, choice: QrelsChoice) -> tuple[str, ...]:
    """Return judgements, runs and probabilities of intents: what informativeness depends on."""
    rankings = rankings_of(study, choice)
    found = blake2b(repr((rankings.systems, rankings.topics)).encode())
    for cells in (rankings.retrieved, rankings.intents.retrieved):
        for numbers in (cells.row, cells.rank, cells.level):
            found.update(numbers.tobytes())
    probabilities = probabilities_of(study)
    weights = "" if probabilities is None else probabilities.to_json()
    content = version_of(study, choice).content_hash
    return content, found.hexdigest(), weights
