"""People in texts, by whatever they are called, and the codes that stand for them."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import Any

import pandas as pd

from core.store.content.saved_rules import list_rules
from core.store.events.frames import list_qrels
from core.store.file.database import fetch
from core.store.people.pseudonyms import assessor_codes
from core.store.store import Store

_WHO = """
    SELECT assessor_id AS id, name FROM members WHERE collection_id = $1
    UNION SELECT DISTINCT assessor_id, assessor_id FROM labels WHERE collection_id = $1
    UNION SELECT person_id, name FROM people
    UNION SELECT person_id, email FROM accounts"""

_OPENERS = (", ", " – ", " and ", "; ", ": ", "\n", "only ", "by ", " (", '"', "'")
_CLOSERS = (", ", " – ", " and ", "; ", ": ", "\n", ".", " (", ")", '"', "'")
"""What stands before and behind the parts of a list, besides its ends."""

_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    r"\U00020000-\U0003ffff]"
)
"""Scripts whose words stand side by side: in them a name may begin or end within a run of signs."""

_BY = "by "
"""A column that is called so has what that person gave."""


class HiddenNames:
    """Finds people in texts, and puts codes in their place.

    Parameters
    ----------
    called : mapping of str to str
        The code of everybody, by id and by name.
    wordings : iterable of str
        Texts in which organisers may have named people, and which stand in lists as a whole.
    """

    def __init__(self, called: Mapping[str, str], wordings: Iterable[str] = ()) -> None:
        # A code that is there already stays, although a name may be a part of it.
        people = {name: code for name, code in called.items() if name}
        self._index(people | {code: code for code in people.values()})
        named = {text: self.in_words(text) for text in wordings}
        self._index(
            {text: replacement for text, replacement in named.items() if text != replacement}
            | self._hidden
        )

    def in_words(self, text: str) -> str:
        """Return a text with a code for everybody who is a word or a part of a list in it."""
        return self._replace(text, words=True)

    def in_lists(self, text: str) -> str:
        """Return a text with a code for everybody who is the whole of it, or a part of a list.

        What else stands in such texts may look like a name: a slot's number, say.
        """
        return self._replace(text, words=False)

    def in_rule(self, text: str, hide: Callable[[str], str] | None = None) -> str:
        """Return a qrels rule, as JSON or in words, that names its assessors by codes.

        What is called as people like is given to ``hide``, else taken for a list.
        """
        try:
            rule = json.loads(text)
            assessors = [self._hidden.get(one, one) for one in rule.get("assessors", ())]
        except (ValueError, AttributeError, TypeError, RecursionError):
            return self.in_lists(text)
        if assessors:
            rule["assessors"] = assessors
        if "name" in rule:
            rule["name"] = (hide or self.in_lists)(str(rule["name"]))
        return json.dumps(rule, sort_keys=True, ensure_ascii=False)

    def _index(self, hidden: Mapping[str, str]) -> None:
        """Keep who may begin with which sign, and how long such names are, the longest first."""
        self._hidden = dict(hidden)
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for name in hidden:
            lengths[name[0]].add(len(name))
        self._lengths = {sign: sorted(known, reverse=True) for sign, known in lengths.items()}
        self._begins = re.compile(f"[{''.join(map(re.escape, lengths))}]" if lengths else "(?!)")

    def _replace(self, text: str, *, words: bool) -> str:
        replaced, done = [], 0
        for found in self._begins.finditer(text):
            place = found.start()
            if place >= done and (name := self._name_at(text, place, words)):
                replaced += [text[done:place], self._hidden[name]]
                done = place + len(name)
        return "".join([*replaced, text[done:]])

    def _name_at(self, text: str, place: int, words: bool) -> str:
        """Return the longest name that stands in a place; empty where there is none."""
        for length in self._lengths[text[place]]:
            end = place + length
            name = text[place:end]
            if name in self._hidden and (
                _is_part(text, place, end) or (words and _is_word(text, place, end))
            ):
                return name
        return ""


def hide_names(
    store: Store,
    collection_id: str,
    table: pd.DataFrame,
    *,
    nobody: Collection[str] = (),
    listed: Collection[str] = (),
) -> pd.DataFrame:
    """Return a table from a page with codes for people, whatever they are called.

    In texts they are replaced wherever they are words or parts of lists, in the names of columns
    where they are the whole or a part of a list. Columns of numbers stay.

    Parameters
    ----------
    nobody : collection of str
        Columns that are known to hold nobody: they stay as they are. What a column by somebody
        holds is known to be levels. Of ``version: measure`` that of ``measure`` is known.
    listed : collection of str
        Columns that name people as the whole or as part of a list only. A column ``rule`` among
        them has qrels rules.
    """
    hidden = find_names(store, collection_id)

    def hide_column(name: str) -> "pd.Series[Any]":
        kind = name.rpartition(": ")[2]
        is_listed = name in listed or kind in listed
        hide = hidden.in_words if not is_listed else hidden.in_lists
        hide = cache(hidden.in_rule if is_listed and kind == "rule" else hide)
        texts = [hide(text) if isinstance(text, str) else text for text in table[name]]
        return pd.Series(texts, table.index, dtype=object)

    wordy = table.select_dtypes(["str", "string", "object", "category"]).columns
    shown = table.assign(
        **{name: hide_column(name) for name in wordy if not _is_known(name, nobody)}
    )
    columns = [name if name in nobody else hidden.in_lists(name) for name in map(str, table)]
    return shown.set_axis(columns, axis=1)


def find_names(store: Store, collection_id: str) -> HiddenNames:
    """Return what finds everybody who may be named in the tables of a collection."""
    rows = fetch(store.cursor(), _WHO, [collection_id])
    codes = assessor_codes(store, collection_id, {row["id"] for row in rows})
    called = {row["name"]: codes[row["id"]] for row in rows} | codes
    wordings = [*list_rules(store, collection_id), *list_qrels(store, collection_id)]
    return HiddenNames(called, wordings)


def _is_known(name: str, nobody: Collection[str]) -> bool:
    return name in nobody or name.rpartition(": ")[2] in nobody or name.startswith(_BY)


def _is_part(text: str, begin: int, end: int) -> bool:
    """Tell whether a place in a text is the whole of it or a part of a list."""
    return (begin == 0 or text.endswith(_OPENERS, 0, begin)) and (
        end == len(text) or text.startswith(_CLOSERS, end)
    )


def _is_word(text: str, begin: int, end: int) -> bool:
    """Tell whether a place in a text is a word, or several; signs alone are none."""
    return (
        any(map(str.isalnum, text[begin:end]))
        and not (begin > 0 and _goes_on(text[begin - 1], text[begin]))
        and not (end < len(text) and _goes_on(text[end], text[end - 1]))
    )


def _goes_on(beside: str, edge: str) -> bool:
    """Tell whether a word goes on beyond its edge."""
    return edge.isalnum() and beside.isalnum() and not _UNSPACED.match(edge)
