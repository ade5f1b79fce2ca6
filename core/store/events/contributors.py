"""What is stored with a label event, in its transaction: rows of tables beside that of labels."""

from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from typing import Any

from core.collection.labels.label_options import ANSWER
from core.store.backing import Change, StoreDatabase
from core.store.events.answered import PARADATA
from core.store.events.marked import PASSAGES, passage_rows
from core.store.file.database import Rows
from core.store.machines.machine_answer import answer_rows

IDS = ("event_id", "collection_id")
"""The columns that every such table has, in front of its own."""

Values = Iterable[tuple[Any, ...]]


class Contributor:
    """Whoever adds rows to a label event.

    Attributes
    ----------
    table : str
        Where they go.
    columns : tuple of str
        What they have besides `IDS`; what is NULL in all rows of a group is not written.
    """

    table: str
    columns: tuple[str, ...]

    def rows_of(self, collection_id: str, event: Any) -> Values:
        """Return the rows of an event that is about to be stored, without `IDS`."""
        raise NotImplementedError

    def recall(self) -> None:
        """Read again what is remembered of the store, where anything is."""

    def hear(self, change: Change) -> None:
        """Take down what another server has changed."""


@dataclass(frozen=True)
class Attachment(Contributor):
    """A field of the event whose value is stored as rows; an empty one, or None, has none.

    Parameters
    ----------
    name : str
        The field.
    table, columns
        As of `Contributor`.
    write : callable
        From the value to its rows.
    """

    name: str
    table: str
    columns: tuple[str, ...]
    write: Callable[[Any], Values]

    def rows_of(self, collection_id: str, event: Any) -> Values:
        """Return the rows of the field's value."""
        value = getattr(event, self.name)
        return self.write(value) if value else ()

    def read_back(
        self, database: StoreDatabase, collection_id: str, assessor_id: str
    ) -> dict[str, tuple[tuple[Any, ...], ...]]:
        """Return the rows of all events of an assessor in their order, by the id of the event."""
        own = ", ".join(f"{self.table}.{name}" for name in self.columns)
        found = database.run(
            f"SELECT event_id::VARCHAR, {own} FROM {self.table} JOIN labels USING (event_id) "
            "WHERE labels.collection_id = ? AND assessor_id = ? ORDER BY ALL",
            [collection_id, assessor_id],
        )
        rows: dict[str, tuple[tuple[Any, ...], ...]] = {}
        for event_id, *row in found:
            rows[event_id] = (*rows.get(event_id, ()), tuple(row))
        return rows


ATTACHMENTS = (
    Attachment("aspects", "aspect_labels", ("aspect", "level"), iter),
    Attachment("reasons", "preference_reasons", ("place", "reason"), enumerate),
    Attachment("marked", "passages", PASSAGES, passage_rows),
    Attachment("answer", "machine_answers", ANSWER, answer_rows),
    Attachment("paradata", "paradata", PARADATA, lambda known: [astuple(known)]),
)
"""What may come with a label event, by its fields."""


def gather(contributor: Contributor, rows: list[tuple[Any, ...]]) -> Rows:
    """Return rows with `IDS` in front as they are written: without columns that say nothing."""
    columns = (*IDS, *contributor.columns)
    filled = [place for place in range(len(columns)) if any(row[place] is not None for row in rows)]
    kept = [tuple(row[place] for place in filled) for row in rows]
    return Rows(contributor.table, tuple(columns[place] for place in filled), kept)
