"""What an import of a machine's labels brings besides: its description, and its raw answers."""

import json
from collections.abc import Iterator

import pandas as pd

from core.collection.labels.label_options import ANSWER, INVALID_ANSWER
from core.collection.labels.machine_labels import MAPPED
from core.collection.records import MACHINE
from core.errors import BadInput
from core.store.file.database import Cursor, fetch
from core.store.machines.machines import Machine, put_machine, tell_description
from core.store.store import note_change

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
            told = tell_description(held, after)
            subject = f"assessor {row['assessor_id']}"
            note_change(cursor, collection_id, "describe", subject, told, by)


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
