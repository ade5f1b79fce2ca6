"""What can go wrong with a request, and whether asking again can help."""

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time

AGAIN, GIVE_UP, WITHOUT_SCHEMA, STOP = "again", "give up", "without schema", "stop"
"""What follows: the item is asked again later; it is not; the server is asked without a schema for
answers; nothing more is sent, as the next request would fail, too."""

_PASSING = {408, 409, 425, 429}
_ABOUT_ITEM = {400, 413, 422}


@dataclass
class RequestFailed(Exception):
    """A request that brought no answer.

    Parameters
    ----------
    reason : str
        Why, in words that hold no key.
    follows : str
        One of the four words above.
    status : int, optional
        The number of the server's answer.
    wait : float, optional
        Seconds that the server asks to wait.
    is_billed : bool
        Whether it may have cost something all the same.
    """

    reason: str
    follows: str = AGAIN
    status: int | None = None
    wait: float | None = None
    is_billed: bool = False

    def __str__(self) -> str:
        return self.reason


def judge_status(status: int, *, has_schema: bool) -> str:
    """Return what follows from the number of a server's answer.

    Examples
    --------
    >>> judge_status(503, has_schema=True), judge_status(401, has_schema=True)
    ('again', 'stop')
    >>> judge_status(400, has_schema=True), judge_status(400, has_schema=False)
    ('without schema', 'give up')
    """
    if status in _PASSING or status >= 500:
        return AGAIN
    if status in _ABOUT_ITEM:
        return WITHOUT_SCHEMA if has_schema and status != 413 else GIVE_UP
    return STOP


def read_wait(header: str | None) -> float | None:
    """Return the seconds that a ``Retry-After`` asks for; None where it says nothing.

    Examples
    --------
    >>> read_wait("20"), read_wait("soon"), read_wait(None)
    (20.0, None, None)
    """
    if header is None:
        return None
    if header.strip().isdecimal() and header.isascii():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time())
    except (ValueError, OverflowError):
        return None
