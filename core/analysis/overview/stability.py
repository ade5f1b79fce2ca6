"""Whether the ranking of the systems still moves: today's against those of earlier states."""

import numpy as np
import pandas as pd

from core.analysis.base.declared import declared_of
from core.analysis.base.labels import labels_for
from core.analysis.base.study import Study, follows_labels, runs_of, stands_apart_from_labels
from core.analysis.results.declared import declared_choice
from core.analysis.results.qrels_choices import combine_labels
from core.analysis.results.scores import weights_for
from core.collection.labels.counted_labels import counted_labels
from core.comparison.rank_correlation import kendall_tau
from core.errors import DissentError
from core.measures.catalogue import parse_measure
from core.reports.scores import Scores, ScoresQuestion, judge_runs
from core.store.events.current_labels import write_out
from core.store.events.frames import read_document_index
from core.versions.combine import PAIR, PREFERENCE

DEPTH = 10
"""How many of the first documents of a system count here."""


@stands_apart_from_labels
def first_results(study: Study) -> pd.DataFrame:
    """Return the first ten documents of every run.

    Columns are system, topic_id, document_id, rank, readable (whether the document has a text).
    """
    runs = runs_of(study)
    first = runs.loc[runs["rank"] <= DEPTH, ["system", "topic_id", "document_id", "rank"]]
    documents = read_document_index(study.store, study.collection_id)
    with_text = documents.loc[documents["readable"], "document_id"]
    return write_out(first.assign(readable=first["document_id"].isin(list(with_text))))


SHARES = tuple(tenth / 10 for tenth in range(1, 10))
STABLE = 0.9
"""From this τ on two rankings are commonly taken for the same (Voorhees 2000)."""


@follows_labels
def ranking_stability(study: Study) -> pd.DataFrame:
    """Compare today's ranking with those after 10 %, 20 %, … of the labels, as they came in.

    Returns
    -------
    DataFrame
        share (of the labels), topics (with a relevant document), systems, tau (Kendall's
        τ-b with today's ranking by the measure and under the version that the study declares; NaN
        where it is not defined). No rows with fewer than two systems, without a relevant document,
        or where the version does not come from labels.
    """
    if runs_of(study)["system"].nunique() < 2:
        return pd.DataFrame(columns=[*_COLUMNS])
    today = _score(study, 1.0)
    rows = []
    for share in SHARES if len(today) else ():
        then = _score(study, share)
        tau, topics = np.nan, 0
        if len(then):
            tau = kendall_tau(today["value"], then["value"].reindex(today.index))
            topics = int(then["topics"].max())
        rows.append((share, topics, len(today), tau))
    return pd.DataFrame(rows, columns=[*_COLUMNS])


_COLUMNS = ("share", "topics", "systems", "tau")


def _score(study: Study, share: float) -> pd.DataFrame:
    """Return value and topics by system after a share of the labels; no rows where undefined.

    Labels count in the order in which they were first given, each as it stands now; of a share
    below 1 at least the last is missing.
    """
    nothing = pd.DataFrame({"value": [], "topics": []})
    choice, declared = declared_choice(study), declared_of(study)
    if choice is None or choice.rule is None or choice.rule.combine == PREFERENCE:
        return nothing
    try:
        facet = "" if choice.rule.combine == PAIR else choice.rule.facet
        given = counted_labels(labels_for(study, choice.rule), facet)
        most = len(given) if share == 1 else max(len(given) - 1, 0)
        first = given.head(min(round(share * len(given)), most))
        judged = combine_labels(study, first, study.moment, choice.rule)
        weights = dict(weights_for(study, choice, (declared.measure,))) or None
        runs = judge_runs(_lists(study), judged, weights=weights, topics=declared.topics)
        means = Scores(runs, ScoresQuestion((declared.measure,))).means
    except DissentError:  # no topic of the runs is judged yet
        return nothing
    return means[means["value"].notna()].set_index("system")[["value", "topics"]]


def _lists(study: Study) -> pd.DataFrame:
    """Return as much of the runs as the declared measure looks at."""
    cutoff = parse_measure(declared_of(study).measure).cutoff
    return first_results(study) if cutoff and cutoff <= DEPTH else runs_of(study)


def describe_stability(rows: pd.DataFrame, measure: str) -> str:
    """Return in one sentence how far the ranking has come to rest."""
    known = rows[rows["tau"].notna()]
    if known.empty:
        return "No earlier state gives a ranking to compare with."
    moving = known[known["tau"] < STABLE]
    last = known.iloc[-1]
    now = f"τ with today's order of {last['systems']:,.0f} systems by {measure}"
    if moving.empty:
        first = known.iloc[0]
        return f"{now} was {first['tau']:.3f} after {first['share']:.0%} of the labels already."
    if len(moving) == len(known) or moving.index[-1] == known.index[-1]:
        return (
            f"The ranking still moves: {now} was {last['tau']:.3f} after {last['share']:.0%} of "
            "the labels."
        )
    rested = known.loc[moving.index[-1] + 1 :].iloc[0]
    return f"{now} has been {STABLE} or more since {rested['share']:.0%} of the labels."
