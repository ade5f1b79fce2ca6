"""Which words have the stem of a query's, and marking them in the text of an HTML document."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

# What is never closed reaches to the end, as in a browser; it also keeps the search linear.
_SPLIT = re.compile(
    r"(<!--.*?(?:-->|\Z)|<(script|style|title|textarea)\b.*?(?:</\2\s*>|\Z)|<[a-z/!?][^>]*(?:>|\Z)"
    r"|&[#\w]+;)",
    re.S | re.I,
)
_PLAIN = re.compile(r"[^\W_]+")
_STOPS = (
    "a an and any are as at be been best but by can could do does for from had has have her his "
    "how i if in into is it its me my no nor not of on one or our she should so than that the "
    "their them then there these they this those to was we were what when where which who whom "
    "whose why will with would you your "
    "aber als am an auch auf aus bei bin bis das dass dem den der des die durch ein eine einem "
    "einen einer eines er es fur hat ich ihr im in ist kann man mit nach nicht noch nur oder sich "
    "sie sind so uber um und uns vom von vor war was wenn wer wie wird wir zu zum zur "
    "les del los las para por que une"
)
_STOP_WORDS = frozenset(_STOPS.split())
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]"
)
"""Scripts written without spaces: a term is looked for anywhere inside a run of letters."""


@dataclass(frozen=True)
class Terms:
    """The words of a query worth showing, as compared, and its parts in scripts without spaces."""

    words: frozenset[str]
    parts: tuple[str, ...]


def read_terms(query: str) -> Terms:
    """Return the terms of a query: no stop words, none of one or two letters."""
    words, parts = set(), []
    for word in _word(query).findall(query):
        folded = _fold(word)
        if _UNSPACED.search(word):
            parts.append(word.lower())
        elif len(folded) > 2 and folded not in _STOP_WORDS:
            words.add(stem_word(word))
    return Terms(frozenset(words), tuple(parts))


def list_words(texts: Iterable[str]) -> set[str]:
    """Return the words of some texts as they stand there."""
    text = "\n".join(texts)
    return set(_word(text).findall(text))


def match_words(query: str, words: Iterable[str]) -> dict[str, list[str]]:
    """Return which of some words have the stem of a query's, and its ``parts`` of longer ones.

    The judging screen marks them, see query_terms.js: what a stem is stands here alone.
    """
    terms = read_terms(query)
    matching = sorted(word for word in words if _matches(word, terms)) if terms.words else []
    return {"words": matching, "parts": list(terms.parts)}


def mark_terms(document: str, query: str) -> str:
    """Return the document with each word that has the stem of a query's inside ``<mark>``.

    Only text between tags is touched. What a browser cannot be made to do by the document
    itself it cannot be made to do by this either: the sandbox is the guard, not this function.
    """
    terms = read_terms(query)
    if not terms.words and not terms.parts:
        return document
    parts, last = [], 0
    for tag in _SPLIT.finditer(document):
        parts.append(_mark(document[last : tag.start()], terms))
        parts.append(tag[0])
        last = tag.end()
    parts.append(_mark(document[last:], terms))
    return "".join(parts)


@lru_cache(maxsize=65_536)
def stem_word(word: str) -> str:
    """Return a word as it is compared: folded, without endings or the Arabic article."""
    folded = _fold(word)
    if folded.startswith("ال") and len(folded) > 4:
        return folded[2:]
    is_latin = re.fullmatch("[a-zß]{4,60}", folded)
    return _strip_endings(folded) if is_latin else folded


def _fold(word: str) -> str:
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFKD", word)
    return "".join(
        one for one in apart if unicodedata.category(one) != "Mn" and one != "\u0640"
    ).lower()


def _strip_endings(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif re.search("(?:ss|sh|ch|x|z)es$", word):
        word = word[:-2]
    elif re.search("[^sui]s$", word):
        word = word[:-1]
    word = re.sub("^(.{4,})(?:ern|er|en|em|es)$", r"\1", word)
    word = re.sub("^(.{3,})(?:ing|ed|e)$", r"\1", word)
    return re.sub(r"([b-df-hj-np-tv-z])\1$", r"\1", word)


def _matches(word: str, terms: Terms) -> bool:
    return len(word) > 2 and stem_word(word) in terms.words


def _word(text: str) -> re.Pattern[str]:
    """Return what finds the words of a text, as query_terms.js: marks may follow letters."""
    marks, marked = _marked_words()
    return _PLAIN if marks.isdisjoint(text) else marked


@cache
def _marked_words() -> tuple[frozenset[str], re.Pattern[str]]:
    """Return what is written above or below letters, and what finds words with it: slowly."""
    signs = (chr(code) for code in range(0x300, 0x1E950))
    marks = frozenset(one for one in signs if unicodedata.category(one)[0] == "M")
    return marks, re.compile(rf"[^\W_]+(?:[{''.join(sorted(marks))}]+[^\W_]*)*")


def _mark(text: str, terms: Terms) -> str:
    return _word(text).sub(lambda found: _mark_word(found[0], terms), text)


def _mark_word(word: str, terms: Terms) -> str:
    if _matches(word, terms):
        return f"<mark>{word}</mark>"
    if terms.parts and _UNSPACED.search(word):
        pattern = "|".join(map(re.escape, sorted(terms.parts, key=len, reverse=True)))
        return re.sub(pattern, r"<mark>\g<0></mark>", word, flags=re.I)
    return word
