"""What assessors and students read, in the language of their collection, or one they wish for."""

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


_LONGEST = 200
"""Characters of the header that are looked at."""


def find_language(asked: str) -> str:
    """Return the language of a header ``Accept-Language`` that is liked best; else English.

    Examples
    --------
    >>> find_language("fr, de-AT;q=0.8, en;q=0.5"), find_language("fr"), find_language("en, de")
    ('de', 'en', 'en')
    """
    wishes: list[tuple[float, int, str]] = []
    for wish in asked[:_LONGEST].split(","):
        tag, _, weight = wish.partition(";")
        code = tag.strip().partition("-")[0].lower()
        if code in LANGUAGES:
            wishes.append((-_read_weight(weight), len(wishes), code))
    return min(wishes)[2] if wishes else ENGLISH


def _read_weight(text: str) -> float:
    try:
        return float(text.partition("=")[2]) if text.strip() else 1.0
    except ValueError:
        return 0.0
