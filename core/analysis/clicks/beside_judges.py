"""A collection's clicks beside what its people said, as pages show them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats
from core.analysis.agreement.preferences import preferences_of
from core.analysis.base.declared import model_of
from core.analysis.base.study import Study, follows_labels, stands_apart_from_labels
from core.analysis.clicks.logs import read_log
from core.analysis.clicks.query_topics import join_log
from core.analysis.results.declared import offer_versions
from core.analysis.results.qrels_choices import UDM, QrelsChoice, list_choices, version_of
from core.clicks.click_lift import Opinion, Worths
from core.clicks.click_log import ClickLog
from core.collection.records import DOCUMENTS
from core.errors import TooLittleData
from core.preference.selection import preference_parts
from core.reports.clicks import (
    PREFERENCES,
    USUAL,
    WEIGHTS,
    ClickAnalysis,
    ClickQuestion,
    levels_of_items,
    preferences_of_items,
)
from core.store.clicks.click_logs import list_click_logs


@dataclass(frozen=True)
class ClickChoice:
    """Which clicks of a study are set beside what.

    Parameters
    ----------
    log : str
        The name of the log.
    facet : str
        Whose levels and preferences.
    judgements : QrelsChoice, optional
        How people's labels are combined; None where nothing is judged.
    """

    log: str
    facet: str
    judgements: QrelsChoice | None


@stands_apart_from_labels
def logs_of(study: Study) -> tuple[str, ...]:
    """Return the names of the collection's click logs."""
    return tuple(list_click_logs(study.store, study.collection_id)["name"])


def list_judgements(study: Study, facet: str) -> dict[str, QrelsChoice]:
    """Return the versions by key whose levels clicks may be set against, the declared one first."""
    choices = offer_versions(study, facet, model_of(study, facet))
    return {key: one for key, one in choices.items() if key != UDM}


@stands_apart_from_labels
def log_of(study: Study, name: str) -> ClickLog:
    """Return a log of the collection."""
    return read_log(study.store, study.collection_id, name)


@stands_apart_from_labels
def topics_of_log(study: Study, name: str) -> tuple[str, ...]:
    """Return the topic of each query of a log; empty where it is none."""
    return tuple(join_log(study.store, study.collection_id, name).queries["topic_id"])


@stands_apart_from_labels
def models_of(study: Study, name: str, question: ClickQuestion) -> ClickAnalysis:
    """Return what is told of a log alone: no judgement plays a part."""
    return ClickAnalysis(log_of(study, name), question=question)


@follows_labels
def clicks_of(study: Study, choice: ClickChoice, question: ClickQuestion = USUAL) -> ClickAnalysis:
    """Return clicks beside levels and, where there are any, weights and preferences.

    Without a version that has a level for a result of the log it is what `models_of` returns.
    """
    alone = models_of(study, choice.log, question)
    topics, log = topics_of_log(study, choice.log), alone.log
    levels = _levels_of(study, choice.judgements, log, topics)
    opinions: dict[str, Opinion] = {}
    if levels is not None and (weights := _weigh(study, choice.facet, log, topics)) is not None:
        opinions[WEIGHTS] = Worths(weights)
    preferences = _choose_preferences(study, choice.facet)
    side_by_side = _or_none(lambda: preferences_of_items(log, topics, preferences))
    if side_by_side is not None:
        opinions[PREFERENCES] = side_by_side
    if levels is None and not opinions:
        return alone
    return replace(alone, levels=levels, opinions=opinions, alone=alone)


def _levels_of(
    study: Study, choice: QrelsChoice | None, log: ClickLog, topics: tuple[str, ...]
) -> Floats | None:
    """Return the level of each item; None where no item has one."""
    if choice is None:
        return None
    version = _or_none(lambda: version_of(study, choice))
    if version is None:
        return None
    levels = levels_of_items(log, topics, version.frame)
    return None if np.isnan(levels).all() else levels


def _weigh(study: Study, facet: str, log: ClickLog, topics: tuple[str, ...]) -> Floats | None:
    """Return the expected relevance of each item by the User Disagreement Model."""
    model = model_of(study, facet)
    return _levels_of(study, list_choices(study, facet, model).get(UDM), log, topics)


def _choose_preferences(study: Study, facet: str) -> pd.DataFrame:
    """Return preferences between documents; those of the facet where there are several."""
    preferences = preferences_of(study)
    preferences = preferences[preferences["kind"] == DOCUMENTS]
    own = preferences[preferences["facet"] == facet]
    return own if len(preference_parts(preferences)) > 1 else preferences


Found = TypeVar("Found")


def _or_none(find: Callable[[], Found]) -> Found | None:
    try:
        return find()
    except TooLittleData:
        return None
