"""Contributors of the log of label events: their rows are stored with the event, or neither is."""

import uuid
from dataclasses import fields
from typing import Any

import pytest

from core.assessment.intake.attachments import read_attachments
from core.store.content.collections import create_collection
from core.store.events.contributors import ATTACHMENTS, Contributor, Values
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent, LabelLog
from core.store.file.database import fetch
from core.store.store import Store

KEY = Key("t1", "d1", "page", "", "anna", 0)


class Remarks(Contributor):
    """A kind that the log was never told of: it marks comments of machines, in a table that is."""

    table, columns = "machine_answers", ("answer", "reason", "cost")

    def rows_of(self, collection_id: str, event: Any) -> Values:
        rows = [(event.comment, "", None)]
        return rows * 2 if event.comment == "twice" else rows * bool(event.comment)


def judge(log: LabelLog, here: str, document: str, comment: str = "") -> None:
    key = KEY._replace(document_id=document)
    log.append(here, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1, comment=comment)])


@pytest.mark.contract
def test_what_a_contributor_adds_is_stored_with_the_event_or_neither_is(store: Store):
    here = create_collection(store, "Here")
    log = LabelLog(store.database, lambda _: None, Remarks())
    judge(log, here, "d1", "Mine.")
    judge(log, here, "d2")
    with pytest.raises(Exception, match=r"(?i)constraint"):
        judge(log, here, "d3", "twice")
    sql = "SELECT document_id, answer, cost FROM machine_answers JOIN labels USING (event_id)"
    rows = fetch(store.cursor(), sql)
    assert rows == [{"document_id": "d1", "answer": "Mine.", "cost": None}]
    assert list(read_labels(store, here)["document_id"]) == ["d1", "d2"]


def test_each_attachment_is_a_field_that_the_intake_reads_or_one_of_machines(store: Store):
    names = {one.name for one in ATTACHMENTS}
    assert names <= {one.name for one in fields(LabelEvent)}
    read = read_attachments(store, create_collection(store, "Here"), KEY, {"state": "level"})
    assert names - {"answer"} == read.keys()
