"""Errors that speak to the person: what went wrong, where, and what to do."""


class DissentError(Exception):
    """Base of every error whose message may be shown to a user as it stands."""


_LONGEST = 1_000
"""Characters of a reason: a cell that it quotes may hold a whole page."""


class BadInput(DissentError):
    """Something a person supplied cannot be used; nothing was changed.

    Parameters
    ----------
    reason : str
        What is wrong and what to do about it, as a sentence.
    file : str, optional
        The name of the file as its owner knows it.
    line : int, optional
        Line number in that file, from 1.
    field : str, optional
        The column, key or parameter at fault, for programs. The message names it only beside a
        file, where its owner can see it; a traceback does always.
    """

    def __init__(
        self, reason: str, *, file: str = "", line: int | None = None, field: str = ""
    ) -> None:
        if len(reason) > _LONGEST:
            reason = f"{reason[: _LONGEST // 2]} … {reason[-_LONGEST // 2 :]}"
        self.reason, self.file, self.line, self.field = reason, file, line, field
        where = file + (f":{line}" if line is not None else "")
        named = f"field '{field.removesuffix('_id')}': " if field else ""
        message = f"{where}: {named}{reason}" if where else reason
        # Half of a character, quoted from a file, could not be shown anywhere.
        super().__init__(message.encode("utf-8", "replace").decode())
        if field and not where:
            self.add_note(f"field '{field}'")


class ReadWarning(UserWarning):
    """A file was read, and something is to be known: it may not mean what it was taken for."""


class TooLittleData(DissentError):
    """A statistic is not defined on the data at hand; the message says what is missing."""


class StoreInUse(DissentError):
    """Another process holds the store's file."""


class StoreUnusable(DissentError):
    """The store's file cannot be opened, is newer than this program, or is damaged."""


class StoreFull(DissentError):
    """There is no room to write: nothing of this was stored, and what is stored is safe."""


class StoreUnreachable(DissentError):
    """The database of the store does not answer: nothing of this is known to be stored."""


class NotAllowed(DissentError):
    """The person may not see or do this."""


class NotFound(DissentError):
    """What was asked for does not exist (or no longer does)."""
