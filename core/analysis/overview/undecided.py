"""Pairs of systems whose order hangs on documents that nobody has judged."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.base.study import Study, follows_labels, runs_of
from core.analysis.overview.judged_levels import DEPTH, first_results, highest_levels

RELEVANT = 1


@dataclass(frozen=True)
class Undecided:
    """How many of the pairs of systems could change order, and by how many documents.

    ``unreadable`` of these documents have no text, so that nobody can judge them.
    """

    pairs: int
    of: int
    documents: int
    unreadable: int = 0


@follows_labels
def undecided_pairs(study: Study) -> Undecided:
    """Return how many pairs of systems the unjudged among their first documents could turn round.

    It goes by the precision of the first ten documents on the topics that have labels, under the
    version *all, maximum*.
    """
    if runs_of(study).empty:
        return Undecided(0, 0, 0)
    return count_undecided(first_results(study), highest_levels(study))


def count_undecided(first: pd.DataFrame, judged: pd.DataFrame) -> Undecided:
    """Count the pairs of systems that unjudged documents could turn round.

    A document that both systems show moves both, so only those that one of them shows decide:
    the lower system of a pair could pass the higher one if all that it alone shows were relevant.

    Parameters
    ----------
    first : DataFrame
        system, topic_id, document_id, readable (whether it has a text): the first ten documents
        of each system and topic.
    judged : DataFrame
        topic_id, document_id, level; from level 1 on a document is relevant.

    Returns
    -------
    Undecided
        ``pairs`` of the pairs ``of`` systems that differ in precision, and the unjudged
        ``documents`` that only one system of such a pair shows.
    """
    shown = first[first["topic_id"].isin(judged["topic_id"].unique())]
    shown = shown.merge(judged, on=["topic_id", "document_id"], how="left")
    system, systems = pd.factorize(shown["system"])
    found = np.bincount(system[shown["level"].to_numpy() >= RELEVANT], minlength=len(systems))
    unjudged = shown["level"].isna().to_numpy()
    pairs = shown.loc[unjudged, ["topic_id", "document_id", "readable"]]
    by_document = pairs.groupby(["topic_id", "document_id"])
    document, names = by_document.ngroup().to_numpy(), by_document["readable"].first()
    shows = np.zeros((len(systems), len(names)), dtype=np.float32)
    shows[system[unjudged], document] = 1
    alone = shows.sum(axis=1)[:, np.newaxis] - shows @ shows.T
    ahead = found[:, np.newaxis] - found
    turned = (ahead > 0) & (ahead < alone.T)
    either = turned | turned.T
    decisive = ((shows > 0) & (either.astype(np.float32) @ (1 - shows) > 0)).any(axis=0)
    with_text = names.to_numpy(np.bool_)
    return Undecided(
        int(turned.sum()),
        int((ahead > 0).sum()),
        int(decisive.sum()),
        int((decisive & ~with_text).sum()),
    )


def describe_undecided(found: Undecided) -> str:
    """Return in words what hangs on documents without a judgement."""
    return (
        f"{found.pairs:,} of {found.of:,} pairs of systems could change order by P@{DEPTH}: "
        f"{found.documents:,} documents that tell them apart have no judgement"
        + (f", {found.unreadable:,} of them no text either" if found.unreadable else "")
    )
