"""What an assessor is told: answers, announcements, and that the guidelines have changed."""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Collection
from datetime import datetime
from typing import Any

from core.collection.records import PAIR
from core.errors import NotAllowed
from core.language.translate import t
from core.store.content.documents import get_document
from core.store.content.guidelines import (
    GuidelinesVersion,
    has_judged_before,
    list_versions,
)
from core.store.events.questions import list_notices, list_read, note_read, read_questions
from core.store.people.members import is_member
from core.store.store import Store

_REMEMBERED = 1_024

Board = dict[str, Any]


class NoticeBoard:
    """Tells each assessor what is said to them, and remembers what they have read.

    Nothing on it comes from other assessors: an answer to somebody else is not on it, and an
    announcement that answers a question has neither the question nor who asked.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: OrderedDict[tuple[str, str], tuple[int, Board]] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, collection_id: str, assessor_id: str) -> Board:
        """Return what an assessor is told; composed anew only after a change.

        Returns
        -------
        dict
            notices, oldest first, each with id, kind ("answer", "announcement", "guidelines"),
            text, time (ISO, UTC), unread, and for an answer question and about; waiting, own
            questions without an answer (id, question, about, time); guidelines, the version in
            force (number, text, note, time), None without one; and state, which is another one
            whenever anything of this is.

        Raises
        ------
        NotAllowed
            They do not judge in the collection.
        """
        place = collection_id, assessor_id
        changes = self._store.state(collection_id)[1]
        with self._lock:
            known = self._held.get(place)
        if known is not None and known[0] == changes:
            return known[1]
        board = self._compose(collection_id, assessor_id)
        with self._lock:
            self._held[place] = changes, board
            self._held.move_to_end(place)
            if len(self._held) > _REMEMBERED:
                self._held.popitem(last=False)
        return board

    def mark(self, collection_id: str, assessor_id: str, read: Collection[str]) -> None:
        """Take down that an assessor has read notices, by id; others than theirs are ignored.

        Raises
        ------
        NotAllowed
            They do not judge in the collection.
        """
        board = self.read(collection_id, assessor_id)
        fresh = [one["id"] for one in board["notices"] if one["unread"] and one["id"] in read]
        if not fresh:
            return
        note_read(self._store, collection_id, assessor_id, fresh)
        with self._lock:
            self._held.pop((collection_id, assessor_id), None)

    def _compose(self, collection_id: str, assessor_id: str) -> Board:
        if not is_member(self._store, collection_id, assessor_id):
            raise NotAllowed(t("You no longer judge in this collection."))
        versions = list_versions(self._store, collection_id)
        own = self._own_questions(collection_id, assessor_id)
        notices = self._notices(collection_id, assessor_id, own)
        notices += self._news(collection_id, assessor_id, versions)
        read = list_read(self._store, collection_id, assessor_id)
        board: Board = {
            "notices": [
                one | {"unread": one["id"] not in read}
                for one in sorted(notices, key=lambda one: str(one["time"]))
            ],
            "waiting": [one for one in own.values() if one.pop("is_open")],
            "guidelines": _describe(versions[-1]) if versions else None,
        }
        text = json.dumps(board, sort_keys=True)
        return board | {"state": hashlib.sha256(text.encode()).hexdigest()[:16]}

    def _own_questions(self, collection_id: str, assessor_id: str) -> dict[str, dict[str, Any]]:
        frame = read_questions(self._store, collection_id)
        own = frame[frame["assessor_id"] == assessor_id]
        return {
            row["question_id"]: {
                "id": row["question_id"],
                "question": row["text"],
                "about": self._name(collection_id, row),
                "time": _write_time(row["asked_at"]),
                "is_open": bool(row["is_open"]),
            }
            for row in own.to_dict("records")
        }

    def _name(self, collection_id: str, row: dict[Any, Any]) -> str:
        """Return what an item is called on the screen; a pair has no title."""
        if str(row["facet"]).endswith(PAIR):
            return ""
        return get_document(self._store, collection_id, row["document_id"])["title"]

    def _notices(
        self, collection_id: str, assessor_id: str, own: dict[str, dict[str, Any]]
    ) -> list[dict[str, Any]]:
        notices = []
        for notice in list_notices(self._store, collection_id):
            question = own.get(notice.question_id or "")
            if notice.assessor_id not in ("", assessor_id):
                continue
            one = {
                "id": notice.notice_id,
                "kind": "announcement" if question is None else "answer",
                "text": notice.text,
                "time": _write_time(notice.written_at),
            }
            if question is not None:
                one |= {"question": question["question"], "about": question["about"]}
            notices.append(one)
        return notices

    def _news(
        self, collection_id: str, assessor_id: str, versions: list[GuidelinesVersion]
    ) -> list[dict[str, Any]]:
        """Return that the guidelines changed, for who has judged under older ones."""
        if not versions:
            return []
        last = versions[-1]
        if not has_judged_before(self._store, collection_id, assessor_id, last.after_sequence):
            return []
        return [
            {
                "id": f"guidelines {last.number}",
                "kind": "guidelines",
                "text": last.note,
                "time": _write_time(last.written_at),
            }
        ]


def _describe(version: GuidelinesVersion) -> dict[str, Any]:
    return {
        "number": version.number,
        "text": version.text,
        "note": version.note,
        "time": _write_time(version.written_at),
    }


def _write_time(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds") + "Z"
