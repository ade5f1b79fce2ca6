"""Logs of interleaved lists: what was shown in which session, from which ranking, and clicked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.collection.files.checks import LINE
from core.collection.files.columns import FileColumn
from core.collection.files.json_values import read_values
from core.collection.files.source import Source
from core.collection.files.tables import is_json, read_table
from core.errors import BadInput

FIRST, SECOND = TEAMS = ("first", "second")
"""How a log says which ranking a document was taken from."""

_NO, _YES = ("0", "false", "no"), ("1", "true", "yes")

_COLUMNS = (
    FileColumn("session", ("session_id",), required=True),
    FileColumn("topic_id", ("topic", "query_id", "qid"), required=True),
    FileColumn("rank", ("position",), required=True),
    FileColumn("document_id", ("document", "docno", "doc_id"), required=True),
    FileColumn("clicked", ("click", "clicks"), required=True),
    FileColumn("team", ("ranker",)),
)


@dataclass(frozen=True)
class LoggedList:
    """One impression: a list as it was shown.

    Parameters
    ----------
    session, topic_id : str
        Who was shown it, and for what.
    documents : tuple of str
        What was shown, by rank.
    teams : tuple of str
        For each document 'first' or 'second', the ranking it was taken from, or '' for neither;
        empty where the log does not say.
    clicked : tuple of bool
        Whether each was clicked.
    line : int
        Where it begins in its file.
    """

    session: str
    topic_id: str
    documents: tuple[str, ...]
    teams: tuple[str, ...]
    clicked: tuple[bool, ...]
    line: int


def read_interleaving_log(source: Source) -> tuple[LoggedList, ...]:
    r"""Read what users clicked on interleaved lists; the whole file or nothing.

    A table, TSV or CSV with a header, has a row for each document shown: ``session``, ``topic``,
    ``rank``, ``document``, ``clicked`` (the number of clicks, or yes and no) and perhaps ``team``;
    a list begins at rank 1. JSONL has an object for each list: ``session``, ``topic``, ``shown``
    (ids by rank), ``clicks`` (ids; numbers are ranks from 1) and perhaps ``teams`` (for each
    document ``first``, ``second`` or nothing).

    Parameters
    ----------
    source : Source
        The file.

    Returns
    -------
    tuple of LoggedList
        In the order of the file.

    Raises
    ------
    BadInput
        A list is empty, skips a rank, shows a document twice or changes its session or topic; a
        click is on nothing that was shown; a team is none. File and line are named.

    Examples
    --------
    >>> line = b'{"session": "s", "topic": "t", "shown": ["a", "b"], "clicks": [2]}\n'
    >>> read_interleaving_log(Source("log.jsonl", line))[0].clicked
    (False, True)
    """
    lists = tuple(_read_objects(source) if is_json(source) else _read_rows(source))
    has_teams = {bool(one.teams) for one in lists}
    if len(has_teams) > 1:
        odd = next(one for one in lists if bool(one.teams) != bool(lists[0].teams))
        raise BadInput(
            "some lists say which ranking documents were taken from, and some do not",
            file=source.name,
            line=odd.line,
            field="teams",
        )
    return lists


def _read_rows(source: Source) -> Iterator[LoggedList]:
    frame = read_table(source, _COLUMNS).frame
    rows: list[dict[str, Any]] = []
    for values in frame.to_dict("records"):
        row = {str(name): value for name, value in values.items()}
        rank = _read_rank(source, row)
        if rank == 1 and rows:
            yield _make_list(source, rows)
            rows = []
        if rank != len(rows) + 1:
            reason = f"rank {row['rank']} does not follow rank {len(rows)}; a list begins at rank 1"
            raise BadInput(reason, file=source.name, line=row[LINE], field="rank")
        rows.append(row)
    yield _make_list(source, rows)


def _read_rank(source: Source, row: Mapping[str, Any]) -> int:
    text = str(row["rank"])
    if not (text.isascii() and text.isdecimal() and len(text) < 9):
        reason = f"'{text}' is not a rank: a whole number from 1"
        raise BadInput(reason, file=source.name, line=row[LINE], field="rank")
    return int(text)


def _make_list(source: Source, rows: list[dict[str, Any]]) -> LoggedList:
    first = rows[0]
    for row in rows:
        for name, what in (("session", "session"), ("topic_id", "topic")):
            if row[name] != first[name]:
                reason = f"the {what} changes within a list; a list begins at rank 1"
                raise BadInput(reason, file=source.name, line=row[LINE], field=name)
    teams = tuple(_read_team(source, row["team"], row[LINE]) for row in rows if "team" in row)
    made = LoggedList(
        first["session"],
        first["topic_id"],
        tuple(row["document_id"] for row in rows),
        teams,
        tuple(_read_clicked(source, row) for row in rows),
        int(first[LINE]),
    )
    return _check(source, made)


def _read_clicked(source: Source, row: Mapping[str, Any]) -> bool:
    text = str(row["clicked"]).lower()
    if text in _YES or text in _NO:
        return text in _YES
    if text.isascii() and text.isdecimal():
        return int(text) > 0
    reason = f"'{row['clicked']}' is neither a number of clicks nor yes or no"
    raise BadInput(reason, file=source.name, line=row[LINE], field="clicked")


def _read_team(source: Source, text: object, line: int) -> str:
    team = "" if text is None else str(text).lower()
    if team not in ("", *TEAMS):
        reason = f"'{text}' is not a team: say {FIRST}, {SECOND} or nothing"
        raise BadInput(reason, file=source.name, line=line, field="team")
    return team


def _read_objects(source: Source) -> Iterator[LoggedList]:
    for line, record in read_values(source):
        shown = tuple(str(one) for one in _read_array(source, record, "shown", line))
        clicks = _read_array(source, record, "clicks", line)
        places = {_find_click(source, one, shown, line) for one in clicks}
        given = _read_array(source, record, "teams", line) if "teams" in record else []
        teams = tuple(_read_team(source, one, line) for one in given)
        if teams and len(teams) != len(shown):
            reason = f"there are {len(teams)} teams for {len(shown)} documents"
            raise BadInput(reason, file=source.name, line=line, field="teams")
        made = LoggedList(
            _read_id(source, record, "session", line),
            _read_id(source, record, "topic", line),
            shown,
            teams,
            tuple(place in places for place in range(len(shown))),
            line,
        )
        yield _check(source, made)


def _read_id(source: Source, record: Mapping[str, Any], name: str, line: int) -> str:
    value = record.get(name)
    if not isinstance(value, str | int) or isinstance(value, bool) or not str(value).strip():
        raise BadInput(f"there is no {name}", file=source.name, line=line, field=name)
    return str(value).strip()


def _read_array(source: Source, record: Mapping[str, Any], name: str, line: int) -> list[Any]:
    value = record.get(name)
    if isinstance(value, list) and not any(isinstance(one, list | dict) for one in value):
        return value
    reason = f'there is no list of {name}, as in "{name}": […]'
    raise BadInput(reason, file=source.name, line=line, field=name)


def _find_click(source: Source, click: object, shown: tuple[str, ...], line: int) -> int:
    """Return the place of a click, from 0, by the rank or the document that it names."""
    if isinstance(click, int) and not isinstance(click, bool) and 1 <= click <= len(shown):
        return click - 1
    if isinstance(click, str) and click in shown:
        return shown.index(click)
    reason = f"a click on '{click}', which was not shown"
    raise BadInput(reason, file=source.name, line=line, field="clicks")


def _check(source: Source, made: LoggedList) -> LoggedList:
    if not made.documents:
        raise BadInput("the list shows nothing", file=source.name, line=made.line, field="shown")
    repeated = next((one for one in made.documents if made.documents.count(one) > 1), None)
    if repeated is not None:
        reason = f"the list shows document '{repeated}' twice"
        raise BadInput(reason, file=source.name, line=made.line, field="document_id")
    return made
