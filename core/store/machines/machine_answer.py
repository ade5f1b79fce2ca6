"""What a machine answered when it gave a label: its own words, and what they cost."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import BadInput
from core.store.file.database import Rows

COLUMNS = (
    *("event_id", "collection_id", "answer", "reason", "cost", "input_tokens", "output_tokens"),
)


@dataclass(frozen=True)
class MachineAnswer:
    """The raw answer that a label was read from.

    Parameters
    ----------
    answer : str
        What the machine said, word for word; what cannot be stored of it (NUL, half a character)
        is replaced by a sign.
    reason : str
        The grounds that it gave, or why the answer could not be read.
    cost : float, optional
        What the answer cost, from 0, in whatever currency the machine is paid in.
    input_tokens, output_tokens : int, optional
        How long question and answer were, from 0.

    Raises
    ------
    BadInput
        A number is negative or none.
    """

    answer: str
    reason: str = ""
    cost: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None

    def __post_init__(self) -> None:
        for name in ("cost", "input_tokens", "output_tokens"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise BadInput(f"{value} is no number from 0", field=name)


def answer_rows(answers: Iterable[tuple[str, str, MachineAnswer]]) -> Rows:
    """Return the rows that store answers, each with the ids of its event and collection."""
    rows = [
        (
            *(event_id, collection_id, _clean(one.answer), _clean(one.reason)),
            *(one.cost, one.input_tokens, one.output_tokens),
        )
        for event_id, collection_id, one in answers
    ]
    return Rows("machine_answers", COLUMNS, rows)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\x00", "\ufffd")
