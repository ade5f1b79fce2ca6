"""What a public page tells of a collection: of systems, agreement, versions, and of no person."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from core.analysis.agreement.between_assessors import agreement_of
from core.analysis.base.declared import declared_first, declared_of, model_of
from core.analysis.base.study import Study, labels_of, runs_of, scales_of
from core.analysis.results.declared import declared_choice, tell_difference
from core.analysis.results.past_versions import Made, versions_at
from core.analysis.results.qrels_choices import QrelsChoice
from core.analysis.results.scores import ask_leaderboard
from core.collection.export.delimited import write_table
from core.collection.qrels_and_runs.trec import write_qrels
from core.collection.records import PAGE, SNIPPET
from core.errors import DissentError, NotFound
from core.store.content.public_pages import (
    PublicChoice,
    find_public_page,
    is_judging_open,
    renew_public_page,
)
from core.store.store import Store
from core.versions.versions import QrelsVersion, make_whole
from core.versions.wording import describe_rule
from core.wording import drop_marks

FEWEST = 3
"""Assessors below whom no agreement is public: between two it would tell each of the other."""

COEFFICIENTS = ("kappa(linear)", "alpha(ordinal)", "raw")
"""What is public of agreement where the levels allow it."""

SCORES, QRELS = "scores.csv", "qrels.txt"
"""The files that an organiser may allow."""

IMPORTED_RULE = "Imported as they are."
_MEANS = ["system", "rank", "measure", "value", "low", "high", "topics", "p"]


@dataclass(frozen=True)
class PublicVersion:
    """A qrels version as strangers may know it; without what changes with each label at first."""

    name: str
    rule: str
    documents: int | None
    content_hash: str


@dataclass(frozen=True, eq=False)
class PublicResults:
    """What a page shows, all of one moment.

    ``declared`` has the measure and the version that the study declares, where the page shows
    others. ``rows`` are those of ``Leaderboard.ranking`` and ``answer`` its answer, in the language
    spoken here; ``missing`` says why there are none.
    While judging is open they lack ``judged``, and versions their documents and hash. ``agreement``
    has coefficient, value, low and high; empty where it is not public. ``withheld`` says that qrels
    or the bundle are not given while judging goes on, ``has_bundle`` that there is one to have.
    """

    name: str
    is_simulated: bool
    version: PublicVersion | None
    versions: tuple[PublicVersion, ...]
    rows: pd.DataFrame
    answer: str
    missing: str
    agreement: pd.DataFrame
    assessors: int
    withheld: bool
    files: Mapping[str, bytes] = field(default_factory=dict)
    has_bundle: bool = False
    declared: tuple[str, str] | None = None


def study_of_page(store: Store, collection_id: str) -> Study:
    """Return a collection as its public page shows it now.

    While judging is open that is as it was at an event that tells of no single label.
    """
    page = find_public_page(store, collection_id)
    if page is None or not is_judging_open(store, collection_id):
        return Study(store, collection_id, is_masked=True)
    return Study(store, collection_id, is_masked=True, until=renew_public_page(store, page))


def list_public_versions(study: Study) -> dict[str, QrelsChoice]:
    """Return by key the versions that may be public: none is of single assessors or of a group."""
    return {key: made.choice for key, made in _make_versions(study).items()}


def describe_results(study: Study, wanted: PublicChoice) -> PublicResults:
    """Return what is public of a collection now.

    Parameters
    ----------
    study : Study
        A masked one, so that no name can get into anything.
    wanted : PublicChoice
        What its organiser allows.
    """
    is_open = is_judging_open(study.store, study.collection_id)
    versions = _make_versions(study)
    described = {
        key: _tell(key, made.choice, None if is_open else made.version)
        for key, made in versions.items()
    }
    chosen = versions.get(wanted.version)
    rows, judged, missing = _rank(study, wanted, chosen)
    agreement, assessors = _measure_agreement(study) if wanted.agreement else (pd.DataFrame(), 0)
    if is_open:
        rows = rows.drop(columns="judged")
    files = {}
    if wanted.scores and len(rows):
        files[SCORES] = write_table(rows[[*_MEANS, *([] if is_open else ["judged"])]])
    if wanted.qrels and not is_open and chosen is not None and chosen.version is not None:
        files[QRELS] = write_qrels(make_whole(chosen.version).frame)
    return PublicResults(
        study.collection.name,
        bool(study.collection.simulated),
        described.get(wanted.version),
        tuple(dict.fromkeys(described.values())),
        rows,
        judged,
        missing,
        agreement,
        assessors,
        (wanted.qrels or wanted.bundle) and is_open,
        files,
        wanted.bundle and not is_open and chosen is not None,
        _find_declared(study, wanted, chosen),
    )


def _find_declared(
    study: Study, wanted: PublicChoice, chosen: Made | None
) -> tuple[str, str] | None:
    """Return the declared measure and version, unless the page shows these."""
    if chosen is None:
        return None
    if not tell_difference(study, measure=wanted.measure, choice=chosen.choice):
        return None
    declared, own = declared_of(study), declared_choice(study)
    known = (key for key, one in _make_versions(study).items() if one.choice == own)
    key = next(known, "")
    return declared.measure, key if key.startswith(_OF_SNIPPETS) else declared.version


_OF_SNIPPETS = f"{SNIPPET}: "
"""What keys of versions begin with that pages have, too."""


def _make_versions(study: Study) -> dict[str, Made]:
    made: dict[str, Made] = {}
    for facet in (PAGE, SNIPPET):
        if facet in scales_of(study):
            model = model_of(study, facet)
            for key, one in versions_at(study, facet, model, study.moment).items():
                if _is_of_all(one.choice):
                    made.setdefault(key if key not in made else f"{_OF_SNIPPETS}{key}", one)
    return {key: one for key, one in made.items() if one.version is not None}


def _is_of_all(choice: QrelsChoice) -> bool:
    rule = choice.rule
    return rule is None or not (rule.assessors or rule.groups or rule.slots)


def _tell(key: str, choice: QrelsChoice, version: QrelsVersion | None) -> PublicVersion:
    """Return what is told of a version: a second one of a name is called by its facet, too."""
    name = key if key.startswith(_OF_SNIPPETS) else choice.name
    rule = IMPORTED_RULE if choice.rule is None else describe_rule(choice.rule)
    if version is None:
        return PublicVersion(name, rule, None, "")
    return PublicVersion(name, rule, version.n_documents, version.content_hash[:12])


def _rank(study: Study, wanted: PublicChoice, chosen: Made | None) -> tuple[pd.DataFrame, str, str]:
    """Return the systems, best first, and who leads; or why there are none."""
    nothing = pd.DataFrame(columns=[*_MEANS, "differs", "judged"])
    try:
        if chosen is None:
            raise NotFound("The qrels version of this page does not exist any more.")
        if runs_of(study).empty:
            raise NotFound("There are no runs yet.")
        found = ask_leaderboard(study, chosen.choice, wanted.measure, (), ())
        rows = found.ranking
    except DissentError as error:
        return nothing, "", str(error)
    if rows.empty:
        return nothing, "", "Nothing is judged relevant yet."
    return rows, drop_marks(found.answer), ""


def _measure_agreement(study: Study) -> tuple[pd.DataFrame, int]:
    """Return the coefficients over all assessors, and how many these are."""
    labels = labels_of(study)
    judged = [facet for facet in (PAGE, SNIPPET) if (labels["facet"] == facet).any()]
    facets = declared_first(study, judged)
    if not facets:
        return pd.DataFrame(), 0
    assessors = int(labels.loc[labels["facet"] == facets[0], "assessor_id"].nunique())
    if assessors < FEWEST:
        return pd.DataFrame(), assessors
    try:
        found = agreement_of(study, facets[0]).overall
        shown = found[found["coefficient"].isin(COEFFICIENTS)]
        return (shown if len(shown) else found.head(len(COEFFICIENTS))), assessors
    except DissentError:
        return pd.DataFrame(), assessors
