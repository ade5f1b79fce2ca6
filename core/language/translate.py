"""What assessors and students read, in the language that their collection chose."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
"""The languages there are, by code, each by its own name."""

_FOLDER = Path(__file__).parent / "catalogues"
_speaking: ContextVar[str] = ContextVar("language", default=ENGLISH)


@cache
def read_catalogue(language: str) -> Mapping[str, str]:
    """Return the texts of a language by their English form; none for English.

    Raises
    ------
    KeyError
        There is no such language.
    """
    if language == ENGLISH:
        return {}
    name = {code: f"{code}.json" for code in LANGUAGES}[language]
    found: dict[str, str] = json.loads((_FOLDER / name).read_text(encoding="utf-8"))
    return found


def speak(language: str) -> None:
    """Let texts be in a language from here on in this thread or task; English if it is unknown."""
    _speaking.set(language if language in LANGUAGES else ENGLISH)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Let texts be in a language until this is left."""
    before = _speaking.set(language if language in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _speaking.reset(before)


def spoken() -> str:
    """Return the code of the language that texts are in here."""
    return _speaking.get()


def t(text: str, **facts: object) -> str:
    """Return a text in the language spoken here, with its facts in it.

    Parameters
    ----------
    text : str
        The English text, with a name in braces for each fact: ``"{n} of {total}"``. A text that
        no catalogue has stays English.
    **facts
        What stands for the names.

    Examples
    --------
    >>> with speaking("de"):
    ...     t("Next: {query}", query="cats")
    'Weiter: cats'
    """
    found = read_catalogue(spoken()).get(text, text)
    return found.format(**facts) if facts else found


def tn(n: int, one: str, many: str, **facts: object) -> str:
    """Return one of two texts by a number, which is ``{n}`` in both.

    Examples
    --------
    >>> tn(1, "{n} item", "{n} items"), tn(2, "{n} item", "{n} items")
    ('1 item', '2 items')
    """
    return t(one if n == 1 else many, n=n, **facts)
