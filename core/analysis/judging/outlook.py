"""What a planned round would ask for: how many judgements, how long they take, what is there."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.analysis.base.study import (
    Study,
    coded_labels_of,
    follows_labels,
    stands_apart_from_labels,
)
from core.assessment.rounds.pools import labels_given
from core.assessment.rounds.rounds import Plan, Pooled, draw_pool, preview_pool, read_shown
from core.collection.labels.label_options import SECONDS
from core.collection.records import PAGE, SNIPPET
from core.store.people.members import list_assessors
from core.store.rounds.pools import count_shared
from core.store.rounds.rounds import PAGE_ONLY, SNIPPET_ONLY
from core.wording import count, tell_hours

_ITEM = ["topic_id", "document_id"]


@dataclass(frozen=True)
class Outlook:
    """What a round would ask for.

    Parameters
    ----------
    documents, topics : int
        How many documents of how many topics are handed out.
    judgements : int
        All that is asked for, of all assessors together; pages that depend on their snippet are
        counted as if every one were called for.
    hours : float
        How long that takes, by the median active time of a judgement so far.
    is_assumed : bool
        Whether no label has a time, so that each is taken for ``SECONDS`` long.
    labelled : int
        How many documents of the drawn topics have a label already, whether left out or not.
    shared : mapping of str to int
        How many of the documents are in the pool of another round, by its name.
    """

    documents: int
    topics: int
    judgements: int
    hours: float
    is_assumed: bool
    labelled: int
    shared: Mapping[str, int]

    def tell(self) -> str:
        """Return what is asked for, in a sentence."""
        how = f"assumed {SECONDS:g} s each" if self.is_assumed else "at the median time so far"
        return (
            f"{count(self.judgements, 'judgement')}, about {tell_hours(self.hours)} ({how}), of "
            f"{count(self.documents, 'document')} in {count(self.topics, 'topic')}"
        )


@follows_labels
def seconds_by_facet(study: Study) -> dict[str, float]:
    """Return the median active seconds of a judgement, by facet; facets without a time lack."""
    labels = coded_labels_of(study)
    timed = labels[(labels["dwell_ms"] > 0) & (labels["state"] == "level")]
    medians = timed.groupby("facet", observed=True)["dwell_ms"].median() / 1000
    return {str(facet): float(seconds) for facet, seconds in medians.items()}


@stands_apart_from_labels
def pool_of(study: Study, depth: int, flow: str) -> Pooled:
    """Return what a pool of this depth would hold."""
    return preview_pool(study.store, study.collection_id, depth, flow)


@follows_labels
def outlook_of(study: Study, plan: Plan) -> Outlook:
    """Return what a round of this plan would ask for now.

    Raises
    ------
    BadInput
        The plan cannot be carried out.
    """
    plan.check()
    pooled = pool_of(study, plan.depth, plan.flow).pairs
    if pooled.empty:
        return Outlook(0, 0, 0, 0.0, True, 0, {})
    # Who labelled an item after seeing others' labels has labelled it, too.
    given = labels_given(coded_labels_of(replace(study, discussed=True)), plan.flow)
    present = list_assessors(study.store, study.collection_id)
    whole = _draw(pooled, replace(plan, lacking=None), given, present)
    pool = _draw(pooled, plan, given, present)
    documents = len(pool) if plan.budget is None else min(plan.budget, len(pool))
    # Nobody knows yet which documents an order will choose: they are taken for the mean of all.
    share = documents / max(len(pool), 1)
    steps = {facet: round(share * n) for facet, n in _count_steps(study, pool, plan).items()}
    seconds = seconds_by_facet(study)
    known = float(np.mean(list(seconds.values()))) if seconds else SECONDS
    hours = sum(steps[facet] * seconds.get(facet, known) for facet in steps) / 3600
    return Outlook(
        documents,
        pool["topic_id"].nunique(),
        sum(steps.values()),
        hours,
        not seconds,
        len(whole[_ITEM].merge(given[_ITEM].drop_duplicates(), on=_ITEM)),
        count_shared(study.store, study.collection_id, pool),
    )


def tell_pairs(pairs: int, steps: int, judges: int) -> str:
    """Return what a round of pairs asks for, in a sentence; how long it takes is not known."""
    given = count(pairs * steps * judges, "judgement")
    return f"{given}, of {count(pairs, 'pair')} by {count(judges, 'assessor')} each"


@stands_apart_from_labels
def _shown_of(study: Study) -> pd.DataFrame:
    return read_shown(study.store, study.collection_id)


def _draw(
    pooled: pd.DataFrame, plan: Plan, given: pd.DataFrame, present: Mapping[str, str]
) -> pd.DataFrame:
    return draw_pool(pooled, plan, np.random.default_rng(plan.seed), given, present)


def _count_steps(study: Study, pool: pd.DataFrame, plan: Plan) -> dict[str, int]:
    """Return how many judgements are asked for, by facet, hidden repeats included."""
    judges = pool["judges"] if "judges" in pool else pd.Series(plan.judges, index=pool.index)
    steps = {}
    if plan.flow != PAGE_ONLY:
        shown = _shown_of(study).groupby(_ITEM).size().rename("shown")
        snippets = pool.join(shown, on=_ITEM)["shown"].fillna(0)
        steps[SNIPPET] = int((snippets * judges).sum())
    if plan.flow != SNIPPET_ONLY:
        steps[PAGE] = int(judges.sum())
    return {facet: round(number * (1 + plan.repeat_share)) for facet, number in steps.items()}
