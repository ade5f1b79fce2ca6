"""Pairs of systems whose order hangs on documents that nobody has judged."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study, follows_labels, runs_of
from core.analysis.overview.stability import DEPTH, first_results
from core.analysis.results.declared import declared_choice
from core.analysis.results.qrels_choices import QrelsChoice, follows_version, version_of
from core.errors import DissentError
from core.measures.catalogue import parse_measure
from core.wording import count, plain

RELEVANT = 1
"""The level from which a document is relevant, unless the declared measure says otherwise."""


@dataclass(frozen=True)
class Undecided:
    """How many of the pairs of systems could change order, and by how many documents.

    ``unreadable`` of these documents have no text, so that nobody can judge them. ``version`` is
    that of the judgements, relevant from ``rel``.
    """

    pairs: int
    of: int
    documents: int
    unreadable: int = 0
    version: str = ""
    rel: float = RELEVANT


def undecided_pairs(study: Study) -> Undecided:
    """Return how many pairs of systems the unjudged among their first documents could turn round.

    It goes by the precision of the first ten documents on the topics that have labels, under the
    version and on the topics that the study declares, and from the level from which a document is
    relevant to the declared measure. Of several levels of a document the highest counts.
    """
    choice = _declared(study)
    return Undecided(0, 0, 0) if choice is None else _count_by(study, choice)


@follows_labels
def _declared(study: Study) -> QrelsChoice | None:
    return None if runs_of(study).empty else declared_choice(study)


@follows_version
def _count_by(study: Study, choice: QrelsChoice) -> Undecided:
    declared = declared_of(study)
    rel = getattr(parse_measure(declared.measure), "rel", RELEVANT)
    try:
        judged = version_of(study, choice).on_topics(declared.topics).frame
    except DissentError:  # no label fits the rule yet
        return Undecided(0, 0, 0)
    judged = judged.loc[judged["level"] >= 0, ["topic_id", "document_id", "level"]]
    highest = judged.sort_values("level").drop_duplicates(["topic_id", "document_id"], keep="last")
    found = count_undecided(first_results(study), highest, rel)
    return replace(found, version=choice.name, rel=rel)


def count_undecided(first: pd.DataFrame, judged: pd.DataFrame, rel: float = RELEVANT) -> Undecided:
    """Count the pairs of systems that unjudged documents could turn round.

    A document that both systems show moves both, so only those that one of them shows decide:
    the lower system of a pair could pass the higher one if all that it alone shows were relevant.

    Parameters
    ----------
    first : DataFrame
        system, topic_id, document_id, readable (whether it has a text): the first ten documents
        of each system and topic.
    judged : DataFrame
        topic_id, document_id, level; a row for each document.
    rel : float, default 1
        The level from which a document is relevant.

    Returns
    -------
    Undecided
        ``pairs`` of the pairs ``of`` systems that differ in precision, and the unjudged
        ``documents`` that only one system of such a pair shows.
    """
    shown = first[first["topic_id"].isin(judged["topic_id"].unique())]
    shown = shown.merge(judged, on=["topic_id", "document_id"], how="left")
    system, systems = pd.factorize(shown["system"])
    found = np.bincount(system[shown["level"].to_numpy() >= rel], minlength=len(systems))
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
    tell, have = ("tells", "has") if found.documents == 1 else ("tell", "have")
    version = f" under *{plain(found.version)}*" if found.version else ""
    return (
        f"{found.pairs:,} of {count(found.of, 'pair')} of systems could change order by P@{DEPTH}"
        f"{version}, relevant from level {found.rel:g}: "
        f"{count(found.documents, 'document')} {tell} them apart and {have} no judgement"
        + (f", {found.unreadable:,} of them no text either" if found.unreadable else "")
    )
