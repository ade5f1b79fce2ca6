"""Whether enough of a collection's pool is judged: what the report rests on."""

import hashlib
from functools import partial

import numpy as np
import pandas as pd

from core.analysis.agreement.preferences import preferences_of
from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import (
    Study,
    coded_labels_of,
    follows_labels,
    runs_of,
    scales_of,
    stands_apart_from_labels,
)
from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.judging.outlook import seconds_by_facet
from core.analysis.people.hours import hours_of
from core.analysis.results.declared import judged_of, offer_versions, scored_runs_of
from core.analysis.results.qrels_choices import (
    QrelsChoice,
    follows_version,
)
from core.analysis.results.scores import weights_for
from core.collection.labels.counted_labels import counted_labels
from core.collection.labels.label_options import SECONDS
from core.collection.records import DOCUMENTS, FACETS, PAGE
from core.collection.records import PAIR as PAIR_FACET
from core.errors import TooLittleData
from core.measures.catalogue import parse_measure
from core.orders.candidates import Candidates, Floats, build_candidates
from core.reports.enough import USUAL, Enough, EnoughQuestion, Look, Spent, depth_of_runs
from core.stopping.expected import ExpectedTau
from core.stopping.pool_scores import can_be_drawn
from core.store.rounds.judgements import read_missing
from core.store.rounds.pairs import list_pairs
from core.store.rounds.rounds import list_rounds
from core.versions.combine import PAIR, PREFERENCE

_ITEM = ["topic_id", "document_id"]
_SINGLE = (*_ITEM, "facet", "engine")
_MISSING = (*_SINGLE, "missing")
_EARLIER = VersionedCache(most=64)


@stands_apart_from_labels
def usual_depth(study: Study) -> int:
    """Return the depth of the deepest pool of a round, else that of the runs."""
    asked = [one.depth for one in list_rounds(study.store, study.collection_id)]
    return max(asked, default=depth_of_runs(runs_of(study)))


def usual_measure(study: Study) -> str:
    """Return the measure that the study declares, or the usual one where that cannot be drawn."""
    declared = parse_measure(declared_of(study).measure)
    return str(declared) if can_be_drawn(declared) else USUAL.measure


def list_versions(study: Study) -> dict[str, QrelsChoice]:
    """Return the versions on offer by key: of the declared facet, the declared one first."""
    if not scales_of(study):
        return {}
    facet = declared_of(study).facet
    return offer_versions(study, facet, model_of(study, facet))


@stands_apart_from_labels
def pool_in_numbers(study: Study, depth: int) -> Candidates:
    """Return the first documents of every run, in numbers; also those that cannot be shown."""
    return build_candidates(scored_runs_of(study), depth)


@follows_labels
def missing_opinions(study: Study) -> pd.DataFrame:
    """Return topic_id, document_id, facet, engine, missing: what the open rounds still ask for."""
    rounds = list_rounds(study.store, study.collection_id)
    found = [read_missing(study.store, one) for one in rounds if one.closed_at is None]
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=[*_MISSING])


def by_document(study: Study, missing: pd.DataFrame) -> pd.DataFrame:
    """Return missing opinions with those on a pair of documents shared out, half to each."""
    if not missing["facet"].str.endswith(PAIR_FACET).any():
        return missing
    pairs = list_pairs(study.store, study.collection_id, DOCUMENTS).astype("str")
    sides = pairs.melt(["topic_id", "pair_id"], ["first", "second"], value_name="side")
    sides = sides.rename(columns={"pair_id": "document_id"})[[*_ITEM, "side"]]
    found = missing.merge(sides, on=_ITEM, how="left")
    shared = found["side"].notna()
    return found.assign(
        document_id=found["side"].fillna(found["document_id"]),
        missing=found["missing"].where(~shared, found["missing"] / 2),
    ).drop(columns="side")


@follows_labels
def unmet_opinions(study: Study) -> pd.DataFrame:
    """Return what closed rounds asked for and did not get: the columns of `missing_opinions`.

    An item lacks nothing that has as many levels as the round asked for, and a pair as many
    preferences, whoever gave them; what open rounds ask for comes on top of these.
    """
    rounds = list_rounds(study.store, study.collection_id)
    found = [
        read_missing(study.store, one).assign(judges=one.judges)
        for one in rounds
        if one.closed_at is not None
    ]
    if not any(len(one) for one in found):
        return pd.DataFrame(columns=[*_MISSING])
    asked = pd.concat(found, ignore_index=True)
    given = _items_given(study)
    still = missing_opinions(study).groupby([*_SINGLE])["missing"].sum()
    index = pd.MultiIndex.from_frame(asked[[*_SINGLE]].astype("str"))
    levels, open_ones = (
        one.reindex(index, fill_value=0).to_numpy() for one in (given.value_counts(), still)
    )
    lacks = np.minimum(asked["missing"], asked["judges"] - levels) - open_ones
    most = asked.assign(missing=lacks).groupby([*_SINGLE])["missing"].max()
    return most[most > 0].reset_index()


def _items_given(study: Study) -> pd.DataFrame:
    """Return the item of each level and of each preference: the columns of ``_SINGLE``."""
    levels = counted_labels(coded_labels_of(study))[[*_SINGLE]].astype("str")
    said = counted_labels(preferences_of(study))
    pairs = pd.DataFrame(
        {
            "topic_id": said["topic_id"].astype("str"),
            "document_id": said["pair_id"].astype("str"),
            "facet": said["facet"].astype("str") + PAIR_FACET,
            "engine": "",
        }
    )
    return pd.concat([levels, pairs], ignore_index=True)


@follows_version
def ask_enough(study: Study, choice: QrelsChoice, question: EnoughQuestion) -> Enough:
    """Return what is asked of a pool under a version.

    Raises
    ------
    DissentError
        The version cannot be made, or there are no runs.
    """
    candidates = pool_in_numbers(study, question.depth)
    if not len(candidates):
        raise TooLittleData("there are no runs yet; import runs or results")
    judgements = judged_of(study, choice)
    weights = weights_for(study, choice, (question.measure,))
    facets = _facets_of(choice)
    asked = facets_asked(choice)
    missing, unmet, unable = (
        rows[rows["facet"].isin(asked)]
        for rows in (
            by_document(study, missing_opinions(study)),
            by_document(study, unmet_opinions(study)),
            _not_judged(study),
        )
    )
    return Enough(
        candidates,
        judgements,
        question,
        missing,
        _arrivals_of(study, facets),
        partial(_spent_on, study, facets, pd.concat([missing, unmet])),
        partial(
            _keep, (study.store, study.collection_id, choice, question, weights), candidates.systems
        ),
        dict(weights) or None,
        unmet,
        unable,
        choice.rule is not None,
    )


def facets_asked(choice: QrelsChoice) -> tuple[str, ...]:
    """Return the facets whose missing opinions hold up that enough is judged.

    Where judgements are imported these are all: to stop is proposed to whoever judges here.
    """
    if choice.rule is not None and choice.rule.combine == PREFERENCE:
        return (choice.rule.facet + PAIR_FACET,)
    return _facets_of(choice) or FACETS


def _not_judged(study: Study) -> pd.DataFrame:
    """Return topic_id, document_id, facet of what somebody here could not judge."""
    labels = coded_labels_of(study)
    refused = (labels["state"] == "cannot judge") & (labels["occasion"] == 0)
    return labels.loc[refused, [*_ITEM, "facet"]].astype("str").drop_duplicates()


def _facets_of(choice: QrelsChoice) -> tuple[str, ...]:
    """Return whose labels make a version; none for imported qrels."""
    if choice.rule is None:
        return ()
    return FACETS if choice.rule.combine == PAIR else (choice.rule.facet,)


def _keep(
    key: tuple[object, ...], systems: tuple[str, ...], judged: int, then: Floats, look: Look
) -> ExpectedTau:
    """Return what was found at an earlier moment, looked at anew only where levels differ."""
    state = hashlib.sha256(then.tobytes()).digest(), systems
    found: ExpectedTau = _EARLIER.get((*key, judged), state, look)
    return found


def _arrivals_of(study: Study, facets: tuple[str, ...]) -> pd.DataFrame:
    """Return the items in the order in which they first got a label; none if unknown."""
    given = counted_labels(coded_labels_of(study))
    given = given[given["facet"].isin(facets)]
    return given[_ITEM].drop_duplicates().astype("str")


def _spent_on(study: Study, facets: tuple[str, ...], missing: pd.DataFrame) -> Spent:
    """Return what judging has taken so far, and what the rest is reckoned to take.

    Hours so far are the active time on record; a label is reckoned at the median time of those of
    this facet, and an item at as many labels as it will have on average of what is asked for.
    """
    facet = facets[-1] if facets else PAGE
    labels = counted_labels(coded_labels_of(study), facet)
    asked = missing[missing["facet"] == facet]
    known = pd.concat([labels[_ITEM].drop_duplicates().astype("str"), asked[_ITEM]])
    items = len(known.drop_duplicates())
    ever = len(labels) + int(asked["missing"].sum())
    return Spent(
        int((labels["source"] == "judged").sum()),
        float(hours_of(study)["hours"].sum()),
        ever / items if items else 1.0,
        seconds_by_facet(study).get(facet, SECONDS),
    )


def has_pool(study: Study) -> bool:
    """Tell whether there are two runs or more."""
    return int(runs_of(study)["system"].nunique()) > 1
