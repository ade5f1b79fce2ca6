"""What ``dissent compare`` compares: scores under each qrels, topic set and measure."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from core.command.arguments import open_source
from core.command.output import print_notes
from core.command.score_files import (
    describe_gaps,
    read_measures,
    read_qrels,
    read_runs,
    read_score_weights,
)
from core.errors import BadInput
from core.measures.evaluate import evaluate
from core.measures.ranking import Rankings, compile_rankings
from core.versions.versions import hash_rows

SHOWN = 5
TopicSet = tuple[str, tuple[str, ...] | None]


@dataclass(frozen=True, eq=False)
class Ground:
    """What a condition rests on.

    Parameters
    ----------
    facts : dict
        ``condition``, its name; ``qrels, topics, measure``, where topics is None for all; and what
        is to be told beside each result.
    scores : DataFrame
        ``system, topic_id, value, judged``.
    """

    facts: dict[str, object]
    scores: pd.DataFrame

    @property
    def name(self) -> str:
        """What the condition is called."""
        return str(self.facts["condition"])


def lay_grounds(arguments: Namespace) -> list[Ground]:
    """Return the scores under every condition that is asked for; notes go to stderr.

    Raises
    ------
    BadInput
        A file cannot be used, or nothing is left to score under some condition.
    """
    runs, weights = read_runs(arguments), read_score_weights(arguments)
    measures = list(dict.fromkeys(read_measures(arguments)))
    for measure in measures:
        if not measure.rising:
            raise BadInput(f"less of {measure} is better; compare by F, its complement")
    sets, grounds, notes = _read_topic_sets(arguments.topics), [], list[str]()
    for path in dict.fromkeys(arguments.qrels):
        qrels = read_qrels(path)
        rankings, content = compile_rankings(runs, qrels), hash_rows(qrels)
        notes += describe_gaps(rankings, path)
        every = evaluate(measures, rankings, weights, empty_topics=arguments.empty_topics)
        for topic_set in sets:
            notes += _describe_strangers(topic_set, rankings, path)
            for name in map(str, measures):
                facts = {"qrels": path, "topics": topic_set[0] or None, "measure": name}
                scores = every[every["measure"] == name]
                ground = Ground({**facts, "content_hash": content}, scores)
                grounds.append(_limit(ground, topic_set, rankings))
    print_notes(dict.fromkeys(notes))
    return [_add_sizes(ground) for ground in _align(_name(grounds), arguments.common_topics)]


def _limit(ground: Ground, topic_set: TopicSet, rankings: Rankings) -> Ground:
    """Return a ground on a set of topics; refuse it when nothing is left to score."""
    scores, (name, topics) = ground.scores, topic_set
    judged = set(rankings.topics)
    if topics is not None:
        judged &= set(topics)
        scores = scores[scores["topic_id"].isin(topics)]
    if scores.empty:
        where = "" if topics is None else f" on the topics '{name}'"
        raise BadInput(
            f"{ground.facts['measure']} has nothing to find{where}: no judgement there counts",
            file=str(ground.facts["qrels"]),
        )
    missing = rankings.missing()["topic_id"].isin(judged).sum()
    facts = {"judged_topics": len(judged), "unanswered": int(missing)}
    return Ground({**ground.facts, **facts}, scores.reset_index(drop=True))


def _name(grounds: Sequence[Ground]) -> list[Ground]:
    """Return grounds named by what tells them apart; by their qrels where there is but one."""
    differ = [
        key
        for key in ("qrels", "topics", "measure")
        if len({ground.facts[key] for ground in grounds}) > 1
    ]
    return [
        replace(
            one, facts={"condition": ", ".join(str(one.facts[key]) for key in keys), **one.facts}
        )
        for keys in [differ or ["qrels"]]
        for one in grounds
    ]


def _align(grounds: Sequence[Ground], common: bool) -> list[Ground]:
    """Return grounds, within each topic set on the topics that all count, if so wanted."""
    aligned, uneven = [], False
    for ground in grounds:
        counted = [
            set(one.scores["topic_id"])
            for one in grounds
            if one.facts["topics"] == ground.facts["topics"]
        ]
        shared = set.intersection(*counted)
        uneven |= len(shared) < max(map(len, counted))
        if common and not shared:
            raise BadInput("no topic counts under all conditions; leave out --common-topics")
        kept = ground.scores["topic_id"].isin(shared) if common else slice(None)
        aligned.append(replace(ground, scores=ground.scores[kept].reset_index(drop=True)))
    if uneven and not common:
        print_notes(
            ["not every topic counts under every condition; --common-topics compares on the rest"]
        )
    return aligned


def _add_sizes(ground: Ground) -> Ground:
    """Return a ground that says how many topics count, and how much there is judged."""
    sizes = {
        "counted_topics": ground.scores["topic_id"].nunique(),
        "systems": ground.scores["system"].nunique(),
        "judged": float(ground.scores["judged"].mean()),
    }
    return replace(ground, facts={**ground.facts, **sizes})


def _read_topic_sets(given: Sequence[tuple[str, str]]) -> list[TopicSet]:
    """Return topic ids by the name of their set; a single nameless set when none is given."""
    names = [name for name, _ in given]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"two topic sets are called '{name}'; name each one differently")
    return [(name, _read_topics(path) if path else None) for name, path in given] or [("", None)]


def _read_topics(path: str) -> tuple[str, ...]:
    topics = []
    for number, line in open_source(path).lines():
        words = line.split()
        if len(words) > 1:
            raise BadInput("a topic file has one topic id a line", file=path, line=number)
        topics += words
    return tuple(dict.fromkeys(topics))


def _describe_strangers(topic_set: TopicSet, rankings: Rankings, qrels: str) -> list[str]:
    """Return a note on the topics of a set that nobody judged."""
    name, topics = topic_set
    known = set(rankings.topics)
    unknown = [topic for topic in topics or () if topic not in known]
    shown = ", ".join(unknown[:SHOWN]) + (" …" if len(unknown) > SHOWN else "")
    return [f"{qrels}: topics of '{name}' without a judgement: {shown}"] if unknown else []
