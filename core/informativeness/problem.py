"""What is known of rankings: which ranks are relevant to which intent, and a measure's value."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.errors import BadInput, TooLittleData
from core.informativeness.batch import Batch
from core.informativeness.targets import Target
from core.measures.intents import Intents
from core.measures.ranked import Floats, Integers, Mask
from core.measures.ranking import Rankings


@dataclass(frozen=True, eq=False)
class RankedRelevance:
    """Binary relevance at the first N ranks of every ranking, by intent.

    Parameters
    ----------
    systems, topics : tuple of str
        The systems, and the topics with a relevant document. Ranking number
        ``system * len(topics) + topic`` is that system's answer to that topic.
    intents : tuple of str
        The intents, over all topics.
    ranking : array of int, shape (n_rows,)
        The ranking of each row, ascending; a row is an intent with a relevant document.
    intent : array of int, shape (n_rows,)
        Its position among the intents.
    relevant : array of int, shape (n_rows,)
        How many documents are relevant to the intent, retrieved or not.
    probability : array of float, shape (n_rows,)
        The intent's share of its topic; the shares of a topic add up to 1.
    united : array of int, shape (n_rankings,)
        How many documents are relevant to any intent, retrieved or not.
    actual : array of float, shape (N, n_rows)
        1 where the document at that rank is relevant to the intent, else 0.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    intents: tuple[str, ...]
    ranking: Integers
    intent: Integers
    relevant: Integers
    probability: Floats
    united: Integers
    actual: Floats

    @property
    def count(self) -> int:
        """How many rankings there are."""
        return len(self.systems) * len(self.topics)

    @property
    def starts(self) -> Integers:
        """The first row of each ranking, shape (n_rankings,)."""
        return np.searchsorted(self.ranking, np.arange(self.count))

    @property
    def rret(self) -> Integers:
        """Relevant documents among the N ranks, shape (n_rows,)."""
        return np.asarray(self.actual.sum(axis=0), dtype=np.int64)

    def only(self, ranking: int) -> "RankedRelevance":
        """Return the labels of one ranking, by its number."""
        own, (system, topic) = self.ranking == ranking, divmod(ranking, len(self.topics))
        return RankedRelevance(
            (self.systems[system],),
            (self.topics[topic],),
            self.intents,
            np.zeros(int(own.sum()), dtype=np.int64),
            self.intent[own],
            self.relevant[own],
            self.probability[own],
            self.united[[ranking]],
            self.actual[:, own],
        )

    def pose(self, target: Target) -> Batch:
        """Return the problem of every ranking: what Rret and the measure's value tell."""
        weight = target.weights(self.probability, self.relevant)
        blank = Batch(target.family, np.zeros(self.count), self.ranking, self.rret, weight)
        value = blank.total(target.family.value(self.actual, self.rret))
        return Batch(target.family, value, self.ranking, self.rret, weight)


def label_rankings(
    rankings: Rankings,
    depth: int = 10,
    level: float = 1,
    *,
    by_intent: bool = False,
    probabilities: pd.DataFrame | None = None,
    systems: Collection[str] | None = None,
    topics: Collection[str] | None = None,
) -> RankedRelevance:
    """Return which of the first ranks are relevant.

    Parameters
    ----------
    rankings : Rankings
        Runs and judgements. A rank without a document, or with an unjudged one, is not relevant.
    depth : int, default 10
        How many ranks (N).
    level : float, default 1
        The level from which a document counts as relevant.
    by_intent : bool, default False
        Tell the iterations of the qrels apart; otherwise relevance to any of them counts.
    probabilities : DataFrame, optional
        ``topic_id, subtopic_id, probability`` of the intents. Without it, all intents of a topic
        with a relevant document are equally likely; with it, they share in proportion.
    systems, topics : collection of str, optional
        Only these; all of them when absent.

    Returns
    -------
    RankedRelevance
        For the topics with a relevant document.

    Raises
    ------
    TooLittleData
        No document is judged relevant.
    BadInput
        A system or topic is not among the rankings, or an intent with relevant documents has no
        probability above 0.
    """
    seen = rankings.intents if by_intent else Intents.as_one(rankings.retrieved, rankings.ideal)
    relevant = seen.relevant(level)
    chosen_systems = _find_chosen(rankings.systems, systems, "system")
    chosen_topics = _find_chosen(rankings.topics, topics, "topic")
    chosen_topics = chosen_topics[relevant[chosen_topics].any(axis=1)]
    if not chosen_topics.size:
        raise TooLittleData(f"no document is judged {level:g} or higher; choose a lower level")
    names = tuple(rankings.topics[at] for at in chosen_topics)
    share: Floats = (relevant[chosen_topics] > 0).astype(np.float64)
    if by_intent and probabilities is not None:
        share *= _read_probabilities(probabilities, names, seen.names, share > 0)
    share = np.asarray(share / share.sum(axis=1, keepdims=True))
    ranking, intent = np.nonzero(np.tile(share > 0, (len(chosen_systems), 1)))
    system, topic = np.divmod(ranking, len(names))
    shown = seen.retrieved.at_least(level)
    actual = shown.matrix(np.ones(len(shown.row)), depth)
    position = chosen_systems[system] * len(rankings.topics) + chosen_topics[topic]
    return RankedRelevance(
        tuple(rankings.systems[at] for at in chosen_systems),
        names,
        seen.names,
        ranking,
        intent,
        relevant[chosen_topics[topic], intent],
        share[topic, intent],
        np.tile(rankings.relevant(level)[chosen_topics], len(chosen_systems)),
        np.ascontiguousarray(actual[position * len(seen.names) + intent].T),
    )


def _find_chosen(names: tuple[str, ...], chosen: Collection[str] | None, kind: str) -> Integers:
    """Return the positions of the chosen names in the order of all; refuse one there is not."""
    if chosen is None:
        return np.arange(len(names))
    if unknown := sorted(set(chosen) - set(names)):
        raise BadInput(f"{kind} {unknown[0]} is not among the rankings", field=kind)
    if not chosen:
        raise BadInput(f"choose at least one {kind}", field=kind)
    wanted = set(chosen)
    return np.flatnonzero([name in wanted for name in names])


def _read_probabilities(
    given: pd.DataFrame, topics: tuple[str, ...], intents: tuple[str, ...], needed: Mask
) -> Floats:
    """Return the probability of each topic's intents, shape (n_topics, n_intents)."""
    table = given.pivot(index="topic_id", columns="subtopic_id", values="probability")
    laid = table.reindex(index=list(topics), columns=list(intents)).to_numpy(np.float64)
    if (missing := np.argwhere(needed & ~(laid > 0))).size:
        topic, intent = missing[0]
        raise BadInput(
            f"intent {intents[intent]} of topic {topics[topic]} has relevant documents but no "
            "probability above 0; give one, or count all intents as equally likely",
            field="probability",
        )
    return np.asarray(np.nan_to_num(laid))


def choose_systems(rankings: Rankings, count: int, level: float = 1) -> tuple[str, ...]:
    """Return the systems that retrieve the most relevant documents, over all topics and ranks.

    Parameters
    ----------
    rankings : Rankings
        Runs and judgements.
    count : int
        How many; all, where there are fewer.
    level : float, default 1
        The level from which a document counts as relevant.

    Returns
    -------
    tuple of str
        In the order of the rankings; of equals, the first by name.
    """
    found = rankings.retrieved.at_least(level).count().reshape(-1, len(rankings.topics))
    return _choose(rankings.systems, found.sum(axis=1), count)


def choose_topics(rankings: Rankings, count: int, level: float = 1) -> tuple[str, ...]:
    """Return the topics with the most documents judged relevant.

    Parameters
    ----------
    rankings : Rankings
        Runs and judgements.
    count : int
        How many; all, where there are fewer.
    level : float, default 1
        The level from which a document counts as relevant.

    Returns
    -------
    tuple of str
        In the order of the rankings; of equals, the first by name.
    """
    return _choose(rankings.topics, rankings.relevant(level), count)


def _choose(names: tuple[str, ...], found: Integers, count: int) -> tuple[str, ...]:
    if count < 1:
        raise BadInput("choose at least one")
    order = sorted(range(len(names)), key=lambda at: (-found[at], names[at]))
    chosen = set(order[:count])
    return tuple(name for at, name in enumerate(names) if at in chosen)
