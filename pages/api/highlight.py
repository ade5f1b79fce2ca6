"""Marking the terms of a query in the text of an HTML document."""

import re

# What is never closed reaches to the end, as in a browser; it also keeps the search linear.
_SPLIT = re.compile(
    r"(<!--.*?(?:-->|\Z)|<(script|style|title|textarea)\b.*?(?:</\2\s*>|\Z)|<[a-z/!?][^>]*(?:>|\Z)"
    r"|&[#\w]+;)",
    re.S | re.I,
)
_WORD = re.compile(r"\w{3,}")


def mark_terms(document: str, query: str) -> str:
    """Return the document with each query term of three letters or more inside ``<mark>``.

    Only text between tags is touched. What a browser cannot be made to do by the document
    itself it cannot be made to do by this either: the sandbox is the guard, not this function.
    """
    terms = {re.escape(word) for word in _WORD.findall(query)}
    if not terms:
        return document
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(terms, key=len, reverse=True))})s?\b", re.I)
    parts, last = [], 0
    for tag in _SPLIT.finditer(document):
        parts.append(pattern.sub(_mark, document[last : tag.start()]))
        parts.append(tag[0])
        last = tag.end()
    parts.append(pattern.sub(_mark, document[last:]))
    return "".join(parts)


def _mark(found: re.Match[str]) -> str:
    return f"<mark>{found[0]}</mark>"
