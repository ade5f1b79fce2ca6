"""Machines among the assessors of a collection: which model, asked how and when; imported ones."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import pandas as pd

from core.collection.labels.label_options import ANSWER, CANNOT_JUDGE, INVALID_ANSWER, JUDGED
from core.collection.labels.machine_labels import MAPPED
from core.collection.records import MACHINE
from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor, fetch, fetch_frame
from core.store.store import Store, note_change, utc_now

ORIGIN = "machine"
"""The origin of a member who came with a machine's description."""


@dataclass(frozen=True)
class Machine:
    """What is known of a machine assessor; what is not known is empty.

    Parameters
    ----------
    name : str
        What it is called in the collection.
    model, version : str
        Which model answered, and which version of it.
    prompt : str
        The text that it was asked with, places for topic and document left open.
    parameters : mapping
        How it was asked besides (temperature, seed …): names and values as JSON has them.
    judged_on : str
        The date on which it judged.
    """

    name: str
    model: str = ""
    version: str = ""
    prompt: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    judged_on: str = ""

    @property
    def prompt_hash(self) -> str:
        """SHA-256 of the prompt's UTF-8, in hexadecimal; empty where the prompt is not known."""
        return sha256(self.prompt.encode()).hexdigest() if self.prompt else ""

    @property
    def parameters_text(self) -> str:
        """The parameters as JSON, by name."""
        parameters = dict(self.parameters)
        return json.dumps(parameters, sort_keys=True, ensure_ascii=False, allow_nan=False)


def describe_machine(
    store: Store, collection_id: str, assessor_id: str, machine: Machine, by: str = ""
) -> Machine:
    """Say what a machine assessor is; whoever is not in the collection yet becomes a member of it.

    What the description leaves empty stays as it was.

    Returns
    -------
    Machine
        The description that now holds.

    Raises
    ------
    BadInput
        Somebody else has this id, or the machine has labels that were given under another
        description: another model, prompt or parameter is another machine.
    """
    parts: list[str] = []
    with store.change(
        collection_id, "describe", f"assessor {assessor_id}", lambda: "".join(parts), by
    ) as cursor:
        held, after = put_machine(cursor, collection_id, assessor_id, machine)
        parts.append(tell_description(held, after))
    return after


def put_machine(
    cursor: Cursor, collection_id: str, assessor_id: str, machine: Machine
) -> tuple[Machine | None, Machine]:
    """Store a description within the transaction of another change; return old and new."""
    _require_machine(cursor, collection_id, assessor_id)
    held = _read(cursor, collection_id).get(assessor_id)
    after = _fill_in(held or Machine(assessor_id), machine)
    if held is not None and _has_labels(cursor, collection_id, assessor_id):
        _refuse_another(held, after)
    cursor.execute(
        'INSERT INTO members (collection_id, assessor_id, name, "group", origin, kind) '
        "VALUES (?, ?, ?, '', ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name",
        [collection_id, assessor_id, after.name, ORIGIN, MACHINE],
    )
    known = (after.model, after.version, after.prompt, after.prompt_hash, after.parameters_text)
    cursor.execute(
        "INSERT OR REPLACE INTO machines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [collection_id, assessor_id, *known, after.judged_on, utc_now()],
    )
    return held, after


def tell_description(before: Machine | None, after: Machine) -> str:
    """Return what a description altered, in words; the prompt by its hash."""
    return describe_change(_as_described(before) if before else {}, _as_described(after))


def _as_described(machine: Machine) -> dict[str, str]:
    fields = {
        "name": machine.name,
        "model": machine.model,
        "version": machine.version,
        "prompt": machine.prompt_hash,
        "parameters": machine.parameters_text if machine.parameters else "",
        "judged on": machine.judged_on,
    }
    return {what: text for what, text in fields.items() if text}


def _fill_in(held: Machine, machine: Machine) -> Machine:
    """Return a description, with what it leaves open as it was."""
    return Machine(
        machine.name or held.name,
        machine.model or held.model,
        machine.version or held.version,
        machine.prompt or held.prompt,
        {**held.parameters, **machine.parameters},
        machine.judged_on or held.judged_on,
    )


def _refuse_another(held: Machine, after: Machine) -> None:
    """Raise BadInput where what was known of a machine would become something else."""
    for name in ("model", "version", "prompt"):
        if getattr(held, name) not in ("", getattr(after, name)):
            raise _another(held, name)
    for name, value in held.parameters.items():
        if after.parameters[name] != value:
            raise _another(held, f"parameter '{name}'")


def _another(held: Machine, what: str) -> BadInput:
    return BadInput(
        f"the machine '{held.name}' has labels here that it gave with another {what}; describe "
        "one with another as another machine, under a name of its own",
        field="machine",
    )


def _require_machine(cursor: Cursor, collection_id: str, assessor_id: str) -> None:
    """Raise BadInput where an id is that of a person or of gold."""
    others = fetch(
        cursor,
        "SELECT kind FROM members WHERE collection_id = $1 AND assessor_id = $2 AND kind <> $3 "
        "UNION ALL SELECT 'person' FROM people WHERE person_id = $2",
        [collection_id, assessor_id, MACHINE],
    )
    if others:
        raise BadInput(
            f"'{assessor_id}' is not a machine here but {others[0]['kind']}; give the machine "
            "another name, or say in the roster that this one is a machine",
            field="machine",
        )


def _has_labels(cursor: Cursor, collection_id: str, assessor_id: str) -> bool:
    sql = "SELECT 1 FROM labels WHERE collection_id = ? AND assessor_id = ? LIMIT 1"
    return bool(fetch(cursor, sql, [collection_id, assessor_id]))


def list_machines(store: Store, collection_id: str) -> dict[str, Machine]:
    """Return the machines that are described in a collection, by the id of the assessor."""
    return _read(store.cursor(), collection_id)


def find_machine(store: Store, collection_id: str, assessor_id: str) -> Machine | None:
    """Return the description of a machine; None for whoever is not described as one."""
    return list_machines(store, collection_id).get(assessor_id)


def _read(cursor: Cursor, collection_id: str) -> dict[str, Machine]:
    rows = fetch(
        cursor,
        "SELECT assessor_id, name, model, version, prompt, parameters, judged_on FROM machines "
        "JOIN members USING (collection_id, assessor_id) WHERE collection_id = ? ORDER BY name",
        [collection_id],
    )
    found = {row.pop("assessor_id"): Machine(**row) for row in rows}
    return {
        assessor_id: replace(one, parameters=json.loads(str(one.parameters)))
        for assessor_id, one in found.items()
    }


_COUNTS = f"""
    WITH said AS (
        SELECT assessor_id, count(*) FILTER (WHERE label.state = '{JUDGED}') AS labels,
            count(*) FILTER (WHERE label.state = '{CANNOT_JUDGE}') AS cannot_judge,
            count(*) FILTER (WHERE label.state = '{INVALID_ANSWER}') AS invalid_answers
        FROM current_labels WHERE collection_id = $1 GROUP BY assessor_id),
    paid AS (
        SELECT assessor_id, sum(cost) AS cost, sum(input_tokens)::BIGINT AS input_tokens,
            sum(output_tokens)::BIGINT AS output_tokens
        FROM (FROM machine_answers WHERE collection_id = $1) JOIN labels USING (event_id)
        GROUP BY assessor_id)
    SELECT members.assessor_id AS assessor_id, members.name AS name,
        coalesce(model, '') AS model, coalesce(version, '') AS version,
        coalesce(prompt, '') AS prompt, coalesce(prompt_hash, '') AS prompt_hash,
        coalesce(parameters, '{{}}') AS parameters, coalesce(judged_on, '') AS judged_on,
        coalesce(labels, 0) AS labels, coalesce(cannot_judge, 0) AS cannot_judge,
        coalesce(invalid_answers, 0) AS invalid_answers, cost, input_tokens, output_tokens
    FROM (FROM members WHERE collection_id = $1 AND kind = '{MACHINE}') AS members
    LEFT JOIN (FROM machines WHERE collection_id = $1) AS machines
        ON machines.assessor_id = members.assessor_id
    LEFT JOIN said ON said.assessor_id = members.assessor_id
    LEFT JOIN paid ON paid.assessor_id = members.assessor_id
    ORDER BY members.name, members.assessor_id"""


def count_machine_labels(store: Store, collection_id: str) -> pd.DataFrame:
    """Return a row for each machine of a collection, by name.

    Returns
    -------
    DataFrame
        assessor_id, name; model, version, prompt, prompt_hash (SHA-256), parameters (JSON) and
        judged_on, empty where they are not known; labels (with a level), cannot_judge and
        invalid_answers, as they stand; cost, input_tokens and output_tokens, sums over all answers,
        also those that were replaced (NULL where no answer says).
    """
    return fetch_frame(store.cursor(), _COUNTS, [collection_id])


_ANSWERS = """
    SELECT labels.topic_id AS topic_id, labels.document_id AS document_id, labels.facet AS facet,
        labels.engine AS engine, labels.assessor_id AS assessor_id,
        coalesce(members.name, '') AS name, labels.occasion AS occasion,
        labels.sequence AS sequence, labels.time AS time, labels.state AS state,
        labels.level AS level, current_labels.sequence IS NOT NULL AS stands,
        given.answer AS answer, given.reason AS reason, given.cost AS cost,
        given.input_tokens AS input_tokens,
        given.output_tokens AS output_tokens, coalesce(machines.model, '') AS model,
        coalesce(machines.version, '') AS version, coalesce(machines.prompt_hash, '') AS prompt_hash
    FROM (FROM machine_answers WHERE collection_id = $1) AS given
    JOIN labels USING (event_id)
    LEFT JOIN (FROM current_labels WHERE collection_id = $1) AS current_labels
        ON current_labels.sequence = labels.sequence
    LEFT JOIN (FROM members WHERE collection_id = $1) AS members
        ON members.assessor_id = labels.assessor_id
    LEFT JOIN (FROM machines WHERE collection_id = $1) AS machines
        ON machines.assessor_id = labels.assessor_id
    ORDER BY labels.sequence"""


def read_answers(store: Store, collection_id: str) -> pd.DataFrame:
    """Return what machines answered with each of their label events, in the order of these.

    Returns
    -------
    DataFrame
        topic_id, document_id, facet, engine, assessor_id, name, occasion, sequence (of the
        event), time (UTC), state, level (NULL without one), stands (whether the label still
        holds), answer (word for word), reason, cost, input_tokens and output_tokens (NULL where
        they are not known), model, version and prompt_hash (SHA-256) of the machine; empty where
        it is not described.
    """
    return fetch_frame(store.cursor(), _ANSWERS, [collection_id])


_KEY = "topic_id, document_id, facet, engine, assessor_id, occasion"


def describe_imported(cursor: Cursor, collection_id: str, machines: pd.DataFrame, by: str) -> None:
    """Store the description that came with a machine's labels; raises as `describe_machine`."""
    for row in machines.to_dict("records"):
        machine = Machine(
            name="",
            model=row["model"],
            version=row["version"],
            prompt=row["prompt"],
            parameters=json.loads(row["parameters"]),
            judged_on=row["date"],
        )
        held, after = put_machine(cursor, collection_id, row["assessor_id"], machine)
        if held != after:
            detail = tell_description(held, after)
            subject = f"assessor {row['assessor_id']}"
            note_change(cursor, collection_id, "describe", subject, detail, by)


def read_mapping(machines: pd.DataFrame) -> Iterator[str]:
    """Yield by which rule the levels of each machine were mapped, where they were."""
    for text in machines["parameters"]:
        if mapped := json.loads(text).get(MAPPED):
            yield str(mapped)


def add_answers(cursor: Cursor, collection_id: str, labels: pd.DataFrame, last: int) -> int:
    """Store the raw answers of label events that came after a sequence; return how many."""
    if not set(ANSWER) & set(labels):
        return 0
    answers = labels.reindex(columns=[*_KEY.split(", "), *ANSWER]).copy()
    texts = answers[[*ANSWER[:2]]].fillna("").astype("str")
    numbers = answers[[*ANSWER[2:]]].astype("Float64")
    given = (texts != "").any(axis=1) | numbers.notna().any(axis=1)
    cursor.register("answers", answers.assign(**texts, **numbers)[given])
    (added,) = cursor.execute(
        f"""INSERT INTO machine_answers
            SELECT event_id, $1, answer, reason, cost, input_tokens::BIGINT, output_tokens::BIGINT
            FROM (FROM labels WHERE collection_id = $1 AND sequence > $2)
            JOIN answers USING ({_KEY})""",
        [collection_id, last],
    ).fetchone() or (0,)
    cursor.unregister("answers")
    return int(added)


def refuse_unread(cursor: Cursor, collection_id: str, last: int, source: str) -> None:
    """Raise BadInput where somebody who is no machine gave an answer that cannot be read."""
    rows = fetch(
        cursor,
        "SELECT assessor_id FROM labels ANTI JOIN (FROM members WHERE kind = $1) "
        "USING (collection_id, assessor_id) "
        "WHERE collection_id = $2 AND sequence > $3 AND state = $4 LIMIT 1",
        [MACHINE, collection_id, last, INVALID_ANSWER],
    )
    if rows:
        reason = f"only a machine gives an '{INVALID_ANSWER}'; {rows[0]['assessor_id']} is none"
        raise BadInput(reason, file=source, field="state")
