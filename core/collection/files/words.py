"""Lines of words: parted by tabs where every line has exactly its cells, else by white space."""

import re
from collections.abc import Iterable, Iterator

SPACE = re.compile(r"[ \t\v\f\n\r]+")
"""What separates words: ASCII white space only, as in C; other spaces may be part of an id."""

_ENDS = " \t\v\f"


def counts_as_line(text: str, has_comments: bool) -> bool:
    """Whether a line is neither blank nor, where there are comments, one that begins with #."""
    bare = text.lstrip(_ENDS)
    return bool(bare) and not (has_comments and bare.startswith("#"))


def are_tabbed(lines: Iterable[str], cells: int) -> bool:
    """Whether each line has this many cells between tabs, none of them empty.

    Then a space stands within an id, and does not part two words.
    """
    found = False
    for line in lines:
        if line.count("\t") != cells - 1 or not all(cell.strip(_ENDS) for cell in line.split("\t")):
            return False
        found = True
    return found


def split_words(line: str, is_tabbed: bool) -> list[str]:
    """Return the words of a line that is not blank."""
    if is_tabbed:
        return [cell.strip(_ENDS) for cell in line.split("\t")]
    return SPACE.split(line.strip(_ENDS))


def split_all(lines: Iterable[str], cells: int) -> Iterator[list[str]]:
    """Yield the words of some lines that are not blank."""
    kept = list(lines)
    is_tabbed = are_tabbed(kept, cells)
    return (split_words(line, is_tabbed) for line in kept)
