"""Plain text as a page: paragraphs wrap, and code, tables and poems stand as they were written."""

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby

from pages.shared.highlight import mark_terms

# As in fill_text.js of the judging screen.
_GAP = re.compile(r"\n\s*\n")
_BLANK_LINES = re.compile(r"\A\s*\n")
_FURTHER_IN = re.compile(r"(?: {2}|\t)")
_COLUMNS = re.compile(r"\S(?:\t|(?<![.!?:;,]) {2}| {3})\s*\S")
_WIDEST = 120
_PHONE = 40
"""Signs of a line that may be wider than a window: its block is then reached by Tab, to scroll."""

STYLE = (
    "<style>body{font:16px/1.6 system-ui,sans-serif;max-width:70ch;margin:1rem auto;"
    "padding:0 1rem;overflow-wrap:anywhere}p{margin:0 0 .8em;white-space:pre-wrap;tab-size:4}"
    "pre{margin:0 0 .8em;font:14px/1.5 ui-monospace,monospace;tab-size:8;overflow-x:auto;"
    "--shade:#0005,transparent;--end:#fff 20px,transparent;"
    "background:linear-gradient(to right,var(--end)) left/40px 100% local,"
    "linear-gradient(to left,var(--end)) right/40px 100% local,"
    "linear-gradient(to right,var(--shade)) left/16px 100%,"
    "linear-gradient(to left,var(--shade)) right/16px 100%;background-repeat:no-repeat}</style>"
)
"""As `.aligned` of the judging screen, a block that scrolls has a shade where it goes on."""


def lay_out(text: str, query: str) -> str:
    """Return a text as HTML, with its style and with the terms of a query marked.

    A block between blank lines is aligned if a line after its first begins further in, or its
    first behind another such block, or two have columns, and none is longer than 120 signs. They
    stand in a fixed width and scroll sideways; where they have at least half of the lines, all do
    that have no line too long.
    """
    return STYLE + "".join(
        f'<pre dir="auto"{_tab_stop(block)}>\n{_mark(block, query)}</pre>'
        if aligned
        else f'<p dir="auto">{_mark(block, query)}</p>'
        for block, aligned in find_blocks(text)
    )


def find_blocks(text: str) -> list[tuple[str, bool]]:
    """Return the blocks of a text, each with whether its lines are aligned."""
    found = list(_read_blocks(text))
    aligned = sum(block.count("\n") + 1 for block, _, is_so in found if is_so)
    is_mostly = 2 * aligned >= sum(block.count("\n") + 1 for block, _, _ in found)
    sides = [(one, _is_narrow(one[0]) if is_mostly else one[2]) for one in found]
    blocks = []
    for is_so, group in groupby(sides, key=lambda side: side[1]):
        members = [one for one, _ in group]
        if is_so:
            (_, start, _), (last, begins, _) = members[0], members[-1]
            blocks.append((text[start : begins + len(last)], True))
        else:
            blocks += [(block, False) for block, _, _ in members]
    return blocks


def _read_blocks(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield what a block between blank lines says, where it begins, and whether it is aligned."""
    ends = [(gap.start(), gap.end()) for gap in _GAP.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    is_so = False
    for start, end in zip(starts, [*(begin for begin, _ in ends), len(text)], strict=True):
        part = text[start:end].rstrip()
        if block := _BLANK_LINES.sub("", part):
            is_so = _is_aligned(block, behind=is_so)
            yield block, start + len(part) - len(block), is_so


def _is_aligned(block: str, *, behind: bool) -> bool:
    if not _is_narrow(block):
        return False
    lines = block.split("\n")
    return (
        any(map(_FURTHER_IN.match, lines[0 if behind else 1 :]))
        or sum(_COLUMNS.search(line) is not None for line in lines) > 1
    )


def _is_narrow(block: str) -> bool:
    return all(len(line) <= _WIDEST for line in block.split("\n"))


def _tab_stop(block: str) -> str:
    return ' tabindex="0"' if any(len(line) > _PHONE for line in block.split("\n")) else ""


def _mark(block: str, query: str) -> str:
    return mark_terms(escape(block), query)
