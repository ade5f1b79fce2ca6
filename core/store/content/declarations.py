"""What a study declares once, so that every result of it begins there."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from core.collection.personal import is_personal
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor, fetch
from core.store.store import Store, utc_now

SUBJECT = "declaration"


@dataclass(frozen=True)
class Declaration:
    """What a study declares; without any of it stated, what every study began with so far.

    Parameters
    ----------
    facet : str
        Whose labels; empty for pages where they were judged, else snippets.
    measure : str
        The primary measure.
    version : str
        The qrels version, by name.
    users, at_least : int
        Whom the User Disagreement Model stands for: at least so many of so many users.
    alpha : float
        A difference is significant for p < α.
    baseline : str
        The system that others are compared with; empty for none.
    topics : tuple of str
        The topics that systems are scored on; empty for all.
    groups : str
        What groups of assessors are by: 'expertise', say; empty where nobody has said.
    personal : bool
        Whether that is a personal attribute; some are by their names.
    """

    facet: str = ""
    measure: str = "nDCG@10"
    version: str = "all, maximum"
    users: int = 3
    at_least: int = 1
    alpha: float = 0.05
    baseline: str = ""
    topics: tuple[str, ...] = ()
    groups: str = ""
    personal: bool = False

    @property
    def hides_groups(self) -> bool:
        """Whether groups are by a personal attribute: of no use but for the report of groups."""
        return self.personal or is_personal(self.groups)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {**asdict(self), "topics": list(self.topics)}

    @classmethod
    def from_dict(cls, stated: dict[str, Any]) -> "Declaration":
        """Return what `to_dict` wrote; what is not stated is as usual."""
        known = {one.name: stated[one.name] for one in fields(cls) if one.name in stated}
        return cls(**known | {"topics": tuple(stated.get("topics", ()))})


def find_declaration(store: Store, collection_id: str) -> Declaration:
    """Return what a collection declares; the usual where nobody has declared anything."""
    rows = fetch(
        store.cursor(),
        "SELECT declared FROM declarations WHERE collection_id = ?",
        [collection_id],
    )
    return Declaration.from_dict(json.loads(rows[0]["declared"])) if rows else Declaration()


NEW_STUDY = Declaration(version="all, median, in whole levels")
"""What a new study begins with: one careless assessor moves its results least, see the definitions.

Studies without a declaration are older, and go on with *all, maximum*.
"""


def set_declaration(store: Store, collection_id: str, wanted: Declaration, by: str = "") -> None:
    """Declare this from now on; the change is on record, with what was declared before."""
    before, after = find_declaration(store, collection_id).to_dict(), wanted.to_dict()
    detail = describe_change(before, after)
    if not detail:
        return
    with store.change(collection_id, "set", SUBJECT, detail, by) as cursor:
        cursor.execute("DELETE FROM declarations WHERE collection_id = ?", [collection_id])
        insert_declaration(cursor, collection_id, wanted)


def insert_declaration(cursor: Cursor, collection_id: str, wanted: Declaration) -> None:
    """Write what a collection declares, of which nothing is written yet."""
    declared = json.dumps(wanted.to_dict(), sort_keys=True, ensure_ascii=False)
    cursor.execute(
        "INSERT INTO declarations VALUES (?, ?, ?)", [collection_id, declared, utc_now()]
    )
