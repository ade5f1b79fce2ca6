"""What organisers write for assessors: shown as text, without the marks of Markdown."""

import re

_LINES = (
    (re.compile(r"^ {0,3}(?:```|~~~).*$", re.MULTILINE), ""),
    (re.compile(r"^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"^ {0,3}#{1,6}[ \t]+(.*\S)[ \t]*$", re.MULTILINE), "\n\\1\n"),
    (re.compile(r"^ {0,3}>[ \t]?", re.MULTILINE), ""),
    (re.compile(r"^([ \t]*)[-*+][ \t]+(?=\S)", re.MULTILINE), r"\1• "),
)
"""Fences, rules, headings, quotations and lists, by their lines."""

_WORDS = (
    (re.compile(r"!?\[([^][\n]*)\]\(([^()\s]*)\)"), r"\1 (\2)"),
    (re.compile(r"\*\*([^*\n]+)\*\*"), r"\1"),
    (re.compile(r"(?<!\w)__([^_\n]+)__(?!\w)"), r"\1"),
    (re.compile(r"(?<![\\\w*])\*([^\s*](?:[^*\n]*[^\s*\\])?)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\\\w])_([^\s_](?:[^_\n]*[^\s_\\])?)_(?!\w)"), r"\1"),
    (re.compile(r"`([^`\n]+)`"), r"\1"),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!>~|-])"), r"\1"),
)
"""Links, strong and stressed words, code and what is escaped."""


def strip_marks(text: str) -> str:
    """Return a text without the marks of Markdown, for where text is shown as it is.

    Headings become paragraphs of their own, items of a list begin with ``•``, and a link's
    address stands behind it. A mark that marks nothing stays: ``a * b``, ``a_b``.
    """
    for pattern, replacement in (*_LINES, *_WORDS):
        text = pattern.sub(replacement, text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
