"""One collection at one moment, as somebody may see it: what every analysis starts from."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import Any, TypeVar, TypeVarTuple

import numpy as np
import pandas as pd

from core.analysis.base.versioned_cache import VersionedCache
from core.collection.aspects import Aspect
from core.collection.records import PAGE, SNIPPET, Level
from core.store.content.aspects import find_aspect, list_aspects
from core.store.content.collections import Collection, get_collection
from core.store.content.scales import get_scales
from core.store.events.aspect_labels import read_labels_of_aspect
from core.store.events.current_labels import LATEST, categorise, restore_levels, write_out
from core.store.events.frames import read_labels, read_results, read_runs, read_topics
from core.store.people.pseudonyms import assessor_codes, hide_assessors, hide_groups
from core.store.people.roster import read_left_out
from core.store.store import Store
from core.versions.rules import QrelsRule

Result = TypeVar("Result")
Choices = TypeVarTuple("Choices")


def _is_as_late(held: tuple[int, int], wanted: tuple[int, int]) -> bool:
    """Tell whether counters have all come as far: analyses side by side share what is later."""
    return all(one >= least for one, least in zip(held, wanted, strict=True))


_CACHE = VersionedCache(most=128, serves=_is_as_late)
_BY_FACET = VersionedCache(most=32)


@dataclass(frozen=True)
class Study:
    """A collection at one moment, as somebody may see it.

    Parameters
    ----------
    store : Store
        Where it is kept.
    collection_id : str
        Which collection; empty where there is none yet.
    is_masked : bool
        Whether assessors appear by codes only, and their comments not at all.
    discussed : bool
        Whether what assessors said after they had seen others' labels counts. By default labels
        are as given, each by somebody who knew nobody else's: agreement needs that.
    aspect : str
        The aspect whose levels count in place of relevance; empty for relevance.
    until : int, optional
        The label event as of which labels are; without it they are those of now.
    """

    store: Store
    collection_id: str
    is_masked: bool
    aspect: str = ""
    discussed: bool = False
    until: int | None = None

    def of_aspect(self, aspect: str) -> "Study":
        """Return the same collection at the same moment, with the levels of an aspect.

        Its labels are those that have one; its scales are those of the aspect.
        """
        if aspect == self.aspect:
            return self
        other = replace(self, aspect=aspect)
        other.__dict__["sequence"] = self.sequence
        return other

    @cached_property
    def sequence(self) -> int:
        """The collection's latest label event when this was first asked.

        What is computed is of one moment, however many labels come meanwhile.
        """
        return self.store.state(self.collection_id)[0] if self.until is None else self.until

    @property
    def moment(self) -> int:
        """The label event up to which the store is asked for what goes with labels."""
        return LATEST if self.until is None else self.until

    @cached_property
    def collection(self) -> Collection:
        """The collection; raises NotFound when there is none."""
        return get_collection(self.store, self.collection_id)


def mask_people(study: Study, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of labels, preferences, members or slots as somebody may see it.

    Everything that is read from the store for an analysis passes here, so that neither a
    figure nor a table nor a download can hold what is hidden. Groups are shown, unless they are
    by a personal attribute.
    """
    frame = hide_groups(study.store, study.collection_id, frame)
    if not study.is_masked:
        return frame
    hidden = hide_assessors(study.store, study.collection_id, frame)
    return hidden.assign(comment="") if "comment" in hidden else hidden


def mask_rule(study: Study, rule: QrelsRule) -> QrelsRule:
    """Return a rule that names assessors as `mask_people` does."""
    if not study.is_masked or not rule.assessors:
        return rule
    codes = assessor_codes(study.store, study.collection_id, rule.assessors)
    return replace(rule, assessors=tuple(codes.values()))


def follows_labels(
    compute: Callable[[Study, *Choices], Result],
) -> Callable[[Study, *Choices], Result]:
    """Keep what a function at the top of a module returns for each state of the collection.

    It takes a study and hashable choices; what it returns is shared and must not be changed.
    Labels that come while a page is drawn show when it is drawn next: otherwise everything on a
    large page would be computed anew for each of them.
    """

    @wraps(compute)
    def look_up(study: Study, *choices: *Choices) -> Result:
        changes = study.store.state(study.collection_id)[1]
        return _look_up(study, compute, (study.sequence, changes), choices)

    return look_up


def stands_apart_from_labels(
    compute: Callable[[Study, *Choices], Result],
) -> Callable[[Study, *Choices], Result]:
    """Keep what a function returns like `follows_labels`, for what labels play no part in.

    It is computed again after every other change of the collection, a new run for instance.
    """

    @wraps(compute)
    def look_up(study: Study, *choices: *Choices) -> Result:
        changes = study.store.state(study.collection_id)[1]
        return _look_up(study, compute, (-1, changes), choices)

    return look_up


def follows_facet(
    compute: Callable[[Study, str, *Choices], Result],
) -> Callable[[Study, str, *Choices], Result]:
    """Keep what a function of a facet returns like `follows_labels`, until labels of it move.

    It may read nothing that labels move but these of ``coded_labels_of``: who gave which level to
    what, whether here, and in which order they first came; no times and no comments.
    """

    @wraps(compute)
    def look_up(study: Study, facet: str, *choices: *Choices) -> Result:
        seen_as = study.is_masked, study.discussed, study.aspect, study.until
        key = (compute, study.store, study.collection_id, seen_as, facet, choices)
        state = _digest_of(study, facet), study.store.state(study.collection_id)[1]
        result: Result = _BY_FACET.get(key, state, lambda: compute(study, facet, *choices))
        return result

    return look_up


@follows_labels
def _digest_of(study: Study, facet: str) -> bytes:
    """Return what differs wherever the labels of a facet do.

    The number of its first event names the key of a label.
    """
    labels = coded_labels_of(study)
    is_own = (labels["facet"] == facet).to_numpy()
    found = hashlib.sha256()
    for name in ("sequence", "level", "occasion"):
        found.update(labels[name].to_numpy("float64", na_value=np.nan)[is_own].tobytes())
    for name in ("state", "source"):
        seen, place = np.unique(labels[name].cat.codes.to_numpy()[is_own], return_inverse=True)
        found.update(repr([*labels[name].cat.categories[seen]]).encode())
        found.update(place.tobytes())
    return found.digest()


def _look_up(
    study: Study, compute: Callable[..., Result], state: tuple[int, int], choices: tuple[Any, ...]
) -> Result:
    seen_as = study.is_masked, study.discussed, study.aspect, study.until
    key = (compute, study.store, study.collection_id, seen_as, choices)
    result: Result = _CACHE.get(key, state, lambda: compute(study, *choices))
    return result


@follows_labels
def labels_of(study: Study) -> pd.DataFrame:
    """Return the current labels of the collection: those of persons, who alone count."""
    return write_out(coded_labels_of(study))


@follows_labels
def coded_labels_of(study: Study) -> pd.DataFrame:
    """Return what ``labels_of`` does, with ids and states as categories.

    For what counts all labels whenever one has come: it takes a fraction of the time.
    """
    return leave_out(study, coded_labels_of_all(study))


@follows_labels
def labels_of_all(study: Study) -> pd.DataFrame:
    """Return the current labels of everybody: of machine members and of gold, too."""
    return write_out(coded_labels_of_all(study))


@follows_labels
def coded_labels_of_all(study: Study) -> pd.DataFrame:
    """Return what ``labels_of_all`` does, with ids and states as categories."""
    if study.aspect or study.until is not None:
        return categorise(labels_then(study, study.sequence))
    held = study.store.current_labels.get(
        study.collection_id, study.sequence, discussed=study.discussed
    )
    return mask_people(study, held)


def labels_then(study: Study, until: int) -> pd.DataFrame:
    """Return everybody's labels as they stood at an event, as this study shows them."""
    here = study.store, study.collection_id
    if study.aspect:
        of_aspect = read_labels_of_aspect(*here, study.aspect, until, discussed=study.discussed)
        return mask_people(study, of_aspect)
    return mask_people(study, read_labels(*here, until, discussed=study.discussed))


@stands_apart_from_labels
def left_out_of(study: Study) -> dict[str, str]:
    """Return the kind, machine or gold, of each member whose labels do not count, by id."""
    return _left_out_then(study, LATEST)


def leave_out(study: Study, rows: pd.DataFrame, until: int = LATEST) -> pd.DataFrame:
    """Return labels or preferences without those of machine members and of gold.

    Parameters
    ----------
    rows : DataFrame
        With ``assessor_id``, as this study shows it.
    until : int, optional
        The label event as of which versions are made: who was marked later still counts.
    """
    left_out = left_out_of(study) if until == LATEST else _left_out_then(study, until)
    if not left_out:
        return rows
    is_left_out = rows["assessor_id"].isin(list(left_out))
    kept = restore_levels(rows[~is_left_out].reset_index(drop=True))
    coded = kept.select_dtypes("category").columns
    return kept.assign(**{name: kept[name].cat.remove_unused_categories() for name in coded})


def _left_out_then(study: Study, until: int) -> dict[str, str]:
    kinds = read_left_out(study.store, study.collection_id, until)
    if not study.is_masked:
        return kinds
    codes = assessor_codes(study.store, study.collection_id, kinds)
    return {codes[one]: kind for one, kind in kinds.items()}


@stands_apart_from_labels
def runs_of(study: Study) -> pd.DataFrame:
    """Return the runs of the collection, with ids as categories, which are quick to look up."""
    ids = ["system", "topic_id", "document_id"]
    return read_runs(study.store, study.collection_id).astype(dict.fromkeys(ids, "category"))


@stands_apart_from_labels
def topics_of(study: Study) -> pd.DataFrame:
    """Return the topics of the collection."""
    return read_topics(study.store, study.collection_id)


@stands_apart_from_labels
def results_of(study: Study) -> pd.DataFrame:
    """Return the result lists of the collection."""
    return read_results(study.store, study.collection_id)


@stands_apart_from_labels
def aspects_of(study: Study) -> tuple[Aspect, ...]:
    """Return the aspects in the order in which they are asked, those that ended among them."""
    return list_aspects(study.store, study.collection_id)


@stands_apart_from_labels
def scales_of(study: Study) -> dict[str, tuple[Level, ...]]:
    """Return the scales of the collection, by facet; those of the aspect where one is in view."""
    if study.aspect:
        aspect = find_aspect(study.store, study.collection_id, study.aspect)
        return dict.fromkeys(aspect.facets, aspect.levels)
    return get_scales(study.store, study.collection_id)


@stands_apart_from_labels
def has_snippets(study: Study) -> bool:
    """Tell whether a result of the collection has a snippet."""
    return bool((results_of(study)["snippet"].fillna("") != "").any())


@follows_labels
def facets_of(study: Study) -> list[str]:
    """Return the facets with a scale, pages first; without snippets where none is known or judged.

    Where a collection holds neither results nor labels yet, both may come.
    """
    facets = sorted(scales_of(study), key=lambda facet: facet != PAGE)
    labels = coded_labels_of_all(study)
    judged = {str(one).partition(" ")[0] for one in labels["facet"].unique()}
    if judged and SNIPPET not in judged and not has_snippets(study):
        return [one for one in facets if one != SNIPPET] or facets
    return facets
