"""Which label events came after their assessors had seen what others, or a machine, said there."""

from typing import Any

from core.store.backing import Change, StoreDatabase
from core.store.events.contributors import Contributor, Values

SHOWN_ITEM = ("collection_id", "assessor_id", "topic_id", "document_id", "facet", "engine")
"""What names an item of an assessor of which a machine's level was shown."""

_SAME_ITEM = " AND ".join(f"labels.{name} = told.{name}" for name in SHOWN_ITEM)

AFTER_SEEING = f"""(
    SELECT labels.event_id AS event_id FROM labels
    JOIN topics_seen USING (collection_id, assessor_id, topic_id)
    WHERE labels.sequence > after_sequence
    UNION SELECT labels.event_id AS event_id FROM machine_shown AS told
    JOIN labels AS own ON own.event_id = told.event_id
    JOIN labels ON {_SAME_ITEM} WHERE labels.sequence > own.sequence)"""
"""The ids of all such events: of a topic that was opened, or of an item that was shown."""


class AfterSeeing(Contributor):
    """Marks events whose assessors had seen what others said of the topic, or a machine.

    Attributes
    ----------
    topics : set of tuple
        Collection, assessor and topic where others' labels were seen.
    items : set of tuple
        Of which a machine's level was shown, as `SHOWN_ITEM` names them.

    Who adds to one of them lets no event in meanwhile.
    """

    table, columns = "labels_after_seeing", ()

    def __init__(self, database: StoreDatabase) -> None:
        self._database = database
        self.topics: set[tuple[Any, ...]] = set()
        self.items: set[tuple[Any, ...]] = set()

    def rows_of(self, collection_id: str, event: Any) -> Values:
        """Return the mark of an event that has to have one."""
        topic_id, _, _, _, assessor_id, _ = event.key
        if (collection_id, assessor_id, topic_id) in self.topics:
            return [()]
        return [()] if (collection_id, assessor_id, *event.key[:4]) in self.items else []

    def recall(self) -> None:
        """Read from the store what was seen by whom."""
        run = self._database.run
        self.topics = set(run("SELECT collection_id, assessor_id, topic_id FROM topics_seen"))
        self.items = set(run(f"SELECT {', '.join(SHOWN_ITEM)} FROM machine_shown"))

    def hear(self, change: Change) -> None:
        """Take down what was seen by assessors of other servers."""
        if change.rows.table == "machine_shown" and change.kind == "insert":
            self.items |= set(change.rows.pick(*SHOWN_ITEM))
        elif change.rows.table in ("machine_shown", "topics_seen"):
            self.recall()
