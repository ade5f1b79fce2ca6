"""The judgements that an assignment asks for, in the order of one assessor."""

from dataclasses import replace
from typing import Any

import numpy as np

from core.assessment.assignment_content import Practice, Sheet, Step
from core.assessment.queue import Assignment
from core.assessment.rounds import seeded
from core.assessment.side_by_side import lay_out_pairs
from core.collection.records import Scale, preference_scale
from core.store.content.scales import get_scales
from core.store.events.labels import PRACTICE
from core.store.file.database import fetch
from core.store.rounds.rounds import Round, read_batch, read_snippets
from core.store.store import Store


def lay_out(store: Store, assignment: Assignment) -> Sheet:
    """Return the steps of an assignment; the same ones every time it is asked for.

    Documents come in an order of the assessor's own, drawn from the round's seed. Each
    document's snippets come first, then its page. Hidden repeats follow at the end.
    """
    if assignment.rules.pair_facets:
        return lay_out_pairs(store, assignment)
    rules, cursor = assignment.rules, store.cursor()
    documents = read_batch(cursor, rules, assignment.topic_id, assignment.batch)
    found = read_snippets(cursor, rules, assignment.topic_id, assignment.batch)
    snippets = {
        (assignment.topic_id, row["document_id"], row["engine"]): row["snippet"] for row in found
    }
    rng = seeded(rules, assignment.assessor_id, assignment.topic_id, str(assignment.batch))
    order = [documents[place] for place in rng.permutation(len(documents))]
    per_document = [_document_steps(rules, assignment.topic_id, row, found, rng) for row in order]
    steps = [step for group in per_document for step in group]
    steps += repeat_steps([group for group in per_document if group], rules.repeat_share, rng)
    shown = {row["document_id"]: row for row in documents}
    practice = list_practice(store, rules)
    _add_practice_contents(store, rules.collection_id, practice, shown, snippets)
    topics = _read_topics(store, rules.collection_id, steps, practice)
    return Sheet(tuple(steps), practice, topics, shown, snippets)


def scales_for(store: Store, assignment: Assignment) -> dict[str, Scale]:
    """Return the scales an assignment needs, by facet: side by side, what can be preferred."""
    pairs = dict.fromkeys(assignment.rules.pair_facets, preference_scale())
    return pairs or get_scales(store, assignment.rules.collection_id)


def repeat_steps(groups: list[list[Step]], share: float, rng: np.random.Generator) -> list[Step]:
    """Return a share of the documents once more, as a new occasion, in the order they came."""
    count = round(share * len(groups))
    chosen = sorted(rng.choice(len(groups), size=count, replace=False).tolist())
    return [replace(step, occasion=1) for place in chosen for step in groups[place]]


def list_practice(store: Store, rules: Round) -> tuple[Practice, ...]:
    """Return the practice steps of a collection that fit the flow of a round."""
    rows = fetch(
        store.cursor(),
        "FROM practice WHERE collection_id = ? ORDER BY topic_id, document_id, facet DESC, engine",
        [rules.collection_id],
    )
    judged = {"snippet": rules.judges_snippets, "page": rules.judges_pages}
    return tuple(
        Practice(
            Step(row["topic_id"], row["document_id"], row["facet"], row["engine"], PRACTICE),
            row["level"],
            row["why"],
        )
        for row in rows
        if judged[row["facet"]]
    )


def _read_topics(
    store: Store, collection_id: str, steps: list[Step], practice: tuple[Practice, ...]
) -> dict[str, dict[str, Any]]:
    wanted = {step.topic_id for step in [*steps, *(one.step for one in practice)]}
    rows = fetch(
        store.cursor(),
        "SELECT topic_id, query, description, narrative FROM topics "
        "WHERE collection_id = ? AND list_contains(?, topic_id)",
        [collection_id, sorted(wanted)],
    )
    return {row.pop("topic_id"): row for row in rows}


def _document_steps(
    rules: Round,
    topic_id: str,
    document: dict[str, Any],
    found: list[dict[str, Any]],
    rng: np.random.Generator,
) -> list[Step]:
    document_id = document["document_id"]
    engines = [row["engine"] for row in found if row["document_id"] == document_id]
    steps = []
    if rules.judges_snippets:
        order = rng.permutation(len(engines))
        steps = [Step(topic_id, document_id, "snippet", engines[place]) for place in order]
    if rules.judges_pages and (document["text"] or document["html"]):
        page_from = rules.page_from if steps else None
        steps.append(Step(topic_id, document_id, "page", page_from=page_from))
    return steps


def _add_practice_contents(
    store: Store,
    collection_id: str,
    practice: tuple[Practice, ...],
    documents: dict[str, dict[str, Any]],
    snippets: dict[tuple[str, str, str], str],
) -> None:
    for one in practice:
        step = one.step
        if step.document_id not in documents:
            documents[step.document_id] = fetch(
                store.cursor(),
                "SELECT document_id, title, url, text, html FROM documents "
                "WHERE collection_id = ? AND document_id = ?",
                [collection_id, step.document_id],
            )[0]
        if step.facet == "snippet":
            key = (step.topic_id, step.document_id, step.engine)
            snippets[key] = fetch(
                store.cursor(),
                "SELECT snippet FROM results WHERE collection_id = ? AND topic_id = ? "
                "AND document_id = ? AND engine = ?",
                [collection_id, *key],
            )[0]["snippet"]
