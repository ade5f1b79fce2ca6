"""Where results begin: the version, the measure and the test that a study declares."""

from collections.abc import Sequence

import pandas as pd

from core.analysis.base.declared import count_users, declared_of
from core.analysis.base.study import Study, runs_of
from core.analysis.results.qrels_choices import (
    BOTH_FACETS,
    IMPORTED,
    UDM,
    QrelsChoice,
    find_choice,
    list_choices,
    version_of,
)
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, NotFound, TooLittleData
from core.reports.user_model import UserModel
from core.versions.combine import PAIR
from core.versions.judgements import Judgements
from core.wording import count, plain

NUMBERED = (UDM, BOTH_FACETS)
"""Versions that bear the numbers of their users in their names."""


def declared_test(study: Study) -> SignificanceTest:
    """Return the usual test of differences at the α that a study declares."""
    return SignificanceTest(alpha=declared_of(study).alpha)


def declared_measures(study: Study, others: Sequence[str]) -> tuple[str, ...]:
    """Return the primary measure before others that are usually shown beside it."""
    return tuple(dict.fromkeys([declared_of(study).measure, *others]))


def declared_choice(study: Study, facet: str = "") -> QrelsChoice | None:
    """Return the declared version of a facet, the declared one without; None where it is not."""
    declared = declared_of(study)
    try:
        return find_choice(study, declared.version, facet or declared.facet)
    except (NotFound, BadInput):
        return None


def asked_choice(study: Study, version: str = "", facet: str = "") -> QrelsChoice:
    """Return the version that is asked for, and the declared one where none is named.

    Parameters
    ----------
    study : Study
        The collection.
    version : str, optional
        Its name, as `find_choice` takes it.
    facet : str, optional
        Of what. Without it the declared version is of the declared facet, and any other of the
        first that has it, the declared one before the other.

    Raises
    ------
    NotFound
        There is none; the message names those there are.
    """
    declared = declared_of(study)
    of = facet or ("" if version else declared.facet)
    return find_choice(study, version or declared.version, of)


def offer_versions(study: Study, facet: str, model: UserModel) -> dict[str, QrelsChoice]:
    """Return the versions on offer by key, the declared one first."""
    return offer_declared(study, facet, list_choices(study, facet, model))


def offer_declared(
    study: Study, facet: str, choices: dict[str, QrelsChoice]
) -> dict[str, QrelsChoice]:
    """Return versions on offer, the declared one first.

    It is added where it is one that can be had but is not on the list, as one in whole levels.
    """
    wanted = declared_choice(study, facet)
    if wanted is None or not choices:
        return choices
    key = next((key for key, one in choices.items() if one == wanted), wanted.name)
    return {key: wanted} | choices


def judged_of(study: Study, choice: QrelsChoice) -> Judgements:
    """Return a version's judgements on the topics that systems are scored on: the declared ones.

    Raises
    ------
    TooLittleData
        No label makes the version, or none is of these topics.
    """
    judged = version_of(study, choice).on_topics(declared_of(study).topics)
    if judged.frame.empty:
        raise TooLittleData(f"no declared topic is judged in '{choice.name}'")
    return judged


def scored_runs_of(study: Study) -> pd.DataFrame:
    """Return the runs on the topics that systems are scored on: the declared ones."""
    runs, topics = runs_of(study), declared_of(study).topics
    return runs[runs["topic_id"].isin(topics)] if topics else runs


def describe_declared(study: Study) -> str:
    """Return in Markdown what systems are compared by: ``nDCG@10 under *all, maximum*``."""
    declared = declared_of(study)
    words = f"{plain(declared.measure)} under *{plain(declared.version)}*"
    if declared.topics:
        words += f" on {count(len(declared.topics), 'topic')}"
    return words


def tell_difference(
    study: Study,
    *,
    measure: str = "",
    choice: QrelsChoice | None = None,
    facet: str = "",
    alpha: float | None = None,
    model: UserModel | None = None,
) -> str:
    """Return in Markdown what is declared and what is shown, where they differ; else nothing.

    Parameters
    ----------
    study : Study
        The collection.
    measure, choice, facet, alpha : optional
        What is shown; what is left out is not compared. A version from labels tells its facet.
    model : UserModel, optional
        The users whose weights the scores are by.
    """
    declared = declared_of(study)
    if choice is not None and choice.rule is not None and choice.rule.combine != PAIR:
        facet = facet or choice.rule.facet
    version = "" if choice is None else _name(study, choice)
    users = f", {declared.at_least} of {declared.users}" if declared.version in NUMBERED else ""
    known = {declared.version, f"{declared.version}{users}"}
    shown = {
        "measure": not measure or measure == declared.measure,
        "version": not version or version in known,
        "facet": not facet or facet == declared.facet,
        "alpha": alpha is None or alpha == declared.alpha,
        "aspect": not study.aspect,
        "users": model is None or count_users(model) == count_users(declared),
    }
    if all(shown.values()):
        return ""
    shown_as = plain(measure or declared.measure) + f" under *{plain(version or declared.version)}*"
    shown_as += "" if shown["facet"] else f" of {facet}s"
    shown_as += "" if shown["aspect"] else f" of {plain(study.aspect)}"
    stated = describe_declared(study)
    stated += "" if shown["facet"] else f" of {declared.facet}s"
    if not shown["alpha"]:
        stated, shown_as = f"{stated}, α = {declared.alpha:g}", f"{shown_as}, α = {alpha:g}"
    if model is not None and not shown["users"]:
        stated += f", {count_users(declared)}"
        shown_as += f", {count_users(model)}"
    return f"Declared: {stated}; shown: {shown_as}."


def _name(study: Study, choice: QrelsChoice) -> str:
    name = choice.name.removeprefix(f"{study.aspect}: ") if study.aspect else choice.name
    return name.removeprefix(IMPORTED)
