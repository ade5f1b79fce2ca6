"""Which language somebody wishes for, of those that there are."""

from core.language.translate import ENGLISH, LANGUAGES

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
