"""When pages are drawn: a live one rests before the next time, and lets others be finished."""

import time
from dataclasses import dataclass
from types import TracebackType

RESTS, LONGEST_REST, LONGEST_WAIT = 2, 5.0, 5.0

_under_way: list["Drawing"] = []


@dataclass(eq=False)
class Drawing:
    """One drawing of a page, to be entered as it begins and left as it ends.

    ``began`` and ``ended`` are seconds on the clock that only goes forward; None until then.
    ``address`` is what the address said when it ended, by name.
    """

    began: float | None = None
    ended: float | None = None
    address: dict[str, str] | None = None

    def __enter__(self) -> "Drawing":
        _under_way.append(self)
        self.began = time.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.ended = time.monotonic()
        _under_way.remove(self)

    def may_be_followed(self) -> bool:
        """Tell whether it is time to draw the page again because labels have come.

        It rests twice as long as it took: judging comes first. And it waits while another page is
        being drawn, for five seconds at most: two at once take longer than one after the other.
        """
        if self.began is None or self.ended is None:
            return False
        rest = min(RESTS * (self.ended - self.began), LONGEST_REST)
        waited = time.monotonic() - self.ended - rest
        return waited >= (LONGEST_WAIT if _under_way else 0)
