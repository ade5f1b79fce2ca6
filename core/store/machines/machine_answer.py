"""What a machine answered when it gave a label: its own words, and what they cost."""

import math
from dataclasses import dataclass

from core.errors import BadInput


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


def answer_rows(
    answer: MachineAnswer,
) -> list[tuple[str, str, float | None, int | None, int | None]]:
    """Return the row that stores an answer, without the ids of its event."""
    numbers = answer.cost, answer.input_tokens, answer.output_tokens
    return [(_clean(answer.answer), _clean(answer.reason), *numbers)]


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\x00", "\ufffd")
