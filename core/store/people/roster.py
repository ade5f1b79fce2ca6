"""The roster of a collection as organisers edit it: groups, and what kind of assessor each is."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import pandas as pd

from core.collection.records import MEMBER_KINDS
from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.events.current_labels import LATEST, restore_levels
from core.store.file.database import Cursor, fetch
from core.store.store import Store, note_change

PERSON, MACHINE, GOLD_KIND = KINDS = MEMBER_KINDS
"""Only labels of persons count for agreement and qrels versions unless a rule names others."""

LONGEST_GROUP = 200


@dataclass(frozen=True)
class RosterEntry:
    """What an organiser decides about a member; ``kind`` is one of ``KINDS``."""

    group: str
    kind: str = PERSON


def edit_roster(
    store: Store, collection_id: str, entries: Mapping[str, RosterEntry], by: str = ""
) -> int:
    """Give members, by id, other groups or kinds: all of them or none.

    Labels stay as they are. What a member counts as from now on holds for label events to come
    and for everything that is computed now; versions as of an earlier event keep their labels.

    Returns
    -------
    int
        How many members were changed.

    Raises
    ------
    BadInput
        Somebody is no member here, a kind is unknown, a machine that is described is to be none,
        or a group is no short line of text.
    """
    changed = 0

    def detail() -> str:
        return f"{changed} changed"

    since = store.labels.sequence(collection_id)
    with store.change(collection_id, "edit", "assessors", detail, by) as cursor:
        for assessor_id, entry in entries.items():
            changed += _edit(cursor, collection_id, assessor_id, entry, since, by)
    return changed


def _edit(
    cursor: Cursor, collection_id: str, assessor_id: str, entry: RosterEntry, since: int, by: str
) -> bool:
    after = RosterEntry(entry.group.strip(), entry.kind)
    before = _read(cursor, collection_id, assessor_id)
    _check(assessor_id, before, after)
    if before == after:
        return False
    _keep_machine(cursor, collection_id, assessor_id, after)
    change = describe_change(asdict(before) if before else {}, asdict(after))
    note_change(cursor, collection_id, "edit", f"assessor {assessor_id}", change, by)
    cursor.execute(
        'UPDATE members SET "group" = $1, kind = $2, '
        "kind_since = CASE WHEN kind = $2 THEN kind_since ELSE $3 END "
        "WHERE collection_id = $4 AND assessor_id = $5",
        [after.group, after.kind, since, collection_id, assessor_id],
    )
    return True


def _read(cursor: Cursor, collection_id: str, assessor_id: str) -> RosterEntry | None:
    sql = 'SELECT "group", kind FROM members WHERE collection_id = ? AND assessor_id = ?'
    rows = fetch(cursor, sql, [collection_id, assessor_id])
    return RosterEntry(**rows[0]) if rows else None


def _check(assessor_id: str, before: RosterEntry | None, after: RosterEntry) -> None:
    if before is None:
        raise BadInput(f"there is no assessor '{assessor_id}' in this collection", field="id")
    if after.kind not in KINDS:
        raise BadInput(f"'{after.kind}' is none of {', '.join(KINDS)}", field="kind")
    check_group(after.group)


def _keep_machine(cursor: Cursor, collection_id: str, assessor_id: str, after: RosterEntry) -> None:
    """Raise BadInput where labels of a machine that is described would count as a person's."""
    sql = "FROM machines WHERE collection_id = ? AND assessor_id = ?"
    if after.kind != MACHINE and fetch(cursor, sql, [collection_id, assessor_id]):
        reason = f"'{assessor_id}' is described as a machine, and stays one"
        raise BadInput(reason, field="kind")


def check_group(group: str) -> None:
    """Raise BadInput for a group that is no short line of text."""
    if len(group) > LONGEST_GROUP or not group.isprintable():
        reason = f"a group is one line of at most {LONGEST_GROUP} characters"
        raise BadInput(reason, field="group")


def set_kind(
    cursor: Cursor, collection_id: str, assessor_id: str, kind: str, since: int, by: str = ""
) -> None:
    """Change the kind of a member who is there, within the transaction of another change."""
    held = _read(cursor, collection_id, assessor_id)
    if held is not None:
        entry = RosterEntry(held.group, kind)
        _edit(cursor, collection_id, assessor_id, entry, since, by)


def keep_persons(store: Store, collection_id: str, rows: pd.DataFrame) -> pd.DataFrame:
    """Return labels or preferences without those of machine members and of gold, by their ids."""
    left_out = read_left_out(store, collection_id)
    if not left_out:
        return rows
    kept = rows[~rows["assessor_id"].isin(list(left_out))].reset_index(drop=True)
    return restore_levels(kept)


def add_kinds(store: Store, collection_id: str, rows: pd.DataFrame) -> pd.DataFrame:
    """Return labels or preferences with what each is by: a person, a machine or gold.

    The column is ``kind``, or ``assessor_kind`` where that is taken.
    """
    kinds = read_left_out(store, collection_id)
    name = "kind" if "kind" not in rows else "assessor_kind"
    kinds_of_rows = [kinds.get(one, PERSON) for one in rows["assessor_id"]]
    return rows.assign(**{name: pd.Series(kinds_of_rows, rows.index, dtype="str")})


def count_left_out(store: Store, collection_id: str, labels: pd.DataFrame) -> int:
    """Return how many of those who gave labels are machine members or gold."""
    known = set(labels["assessor_id"])
    return sum(one in known for one in read_left_out(store, collection_id))


def read_left_out(store: Store, collection_id: str, until: int = LATEST) -> dict[str, str]:
    """Return the kind of each member who is no person, by id, as marked before an event."""
    rows = fetch(
        store.cursor(),
        "SELECT assessor_id, kind FROM members "
        "WHERE collection_id = ? AND kind <> ? AND kind_since < ? ORDER BY assessor_id",
        [collection_id, PERSON, until],
    )
    return {row["assessor_id"]: row["kind"] for row in rows}
