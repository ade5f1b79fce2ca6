"""The qualifying test of a collection: its rules, first answers, and who is let in anyway."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import pandas as pd

from core.errors import BadInput, NotFound
from core.store.audit.change_diff import describe_change
from core.store.events.adjudications import ADJUDICATED, ADJUDICATION
from core.store.events.labels import PRACTICE
from core.store.file.database import fetch, fetch_frame
from core.store.store import Store, utc_now

MOST_ATTEMPTS = 20
MOST_WITHIN = 1
"""How many levels off an answer may at most be and count as right."""

ATTEMPT = f"CASE WHEN occasion = {PRACTICE} THEN 1 ELSE -occasion - 1 END"
"""The attempt that a label of practice is of, in SQL; see ``occasion_of``."""

# The first answer of an attempt counts: after it the right level is shown.
_ANSWERS = f"""
    WITH answers AS (
        SELECT assessor_id, {ATTEMPT} AS attempt, topic_id, document_id, facet, engine,
            arg_min({{'state': state, 'level': level}}, sequence) AS answer
        FROM labels WHERE collection_id = $1 AND occasion < 0 AND NOT stale
            AND source <> '{ADJUDICATED}'
            AND state IN ('level', 'cannot judge') AND list_contains($2::VARCHAR[], facet)
            AND ($3 = '' OR assessor_id = $3)
        GROUP BY ALL),
    places AS (
        SELECT facet, level, dense_rank() OVER (PARTITION BY facet ORDER BY counts_as) AS place
        FROM levels WHERE collection_id = $1)
    SELECT assessor_id, attempt, topic_id, document_id, facet, engine, answer.state AS state,
        answer.level AS level, items.level AS expected, why,
        coalesce(abs(given.place - due.place) <= $4, false) AS "right"
    FROM answers
    JOIN (FROM practice WHERE collection_id = $1) AS items
        USING (topic_id, document_id, facet, engine)
    LEFT JOIN places AS given ON given.facet = answers.facet AND given.level = answers.answer.level
    LEFT JOIN places AS due ON due.facet = items.facet AND due.level = items.level
    ORDER BY assessor_id, attempt, topic_id, document_id, facet DESC, engine"""


@dataclass(frozen=True)
class TestRules:
    """When practice items are a test that is passed.

    Parameters
    ----------
    mark : float
        The share of the items that has to be right; above 0, at most 1.
    within : int
        How many levels off still counts as right: 0 or 1, as the scale counts its levels.
    attempts : int
        How often the test can be taken.
    drawn : int or None
        How many items an attempt has; None, or more than there are: all.
    """

    __test__ = False

    mark: float
    within: int = 0
    attempts: int = 1
    drawn: int | None = None


def occasion_of(attempt: int) -> int:
    """Return the occasion of an attempt's answers: the first is practice, none is adjudication."""
    return PRACTICE if attempt == 1 else ADJUDICATION + 1 - attempt


def get_test_rules(store: Store, collection_id: str) -> TestRules | None:
    """Return the rules of the test; None where there is none."""
    sql = "SELECT mark, within, attempts, drawn FROM pass_marks WHERE collection_id = ?"
    rows = fetch(store.cursor(), sql, [collection_id])
    return TestRules(**rows[0]) if rows else None


def set_test_rules(store: Store, collection_id: str, rules: TestRules | None, by: str = "") -> None:
    """Make a qualifying test of the practice items, change its rules, or end it with None.

    Raises
    ------
    BadInput
        The mark is no share above 0, or another rule is out of its bounds.
    """
    if rules is not None:
        _check(rules)
    before = get_test_rules(store, collection_id)
    detail = describe_change(_tell(before), _tell(rules))
    with store.change(collection_id, "set", "practice items", detail, by) as cursor:
        cursor.execute("DELETE FROM pass_marks WHERE collection_id = ?", [collection_id])
        if rules is not None:
            cursor.execute(
                "INSERT INTO pass_marks (collection_id, mark, within, attempts, drawn, set_by, "
                "set_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [collection_id, *asdict(rules).values(), by, utc_now()],
            )


def read_test_answers(
    store: Store,
    collection_id: str,
    facets: Sequence[str],
    assessor_id: str = "",
    within: int = 0,
) -> pd.DataFrame:
    """Return the first answer to each practice item in each attempt, of everybody or of one.

    Returns
    -------
    DataFrame
        assessor_id, attempt (from 1), topic_id, document_id, facet, engine, state, level (None:
        it cannot be judged), expected (the level), why, right. Items that are still set count. An
        answer is right when it counts as the same level, or is at most ``within`` levels off;
        *cannot judge* is not.
    """
    values = [collection_id, list(facets), assessor_id, within]
    return fetch_frame(store.cursor(), _ANSWERS, values)


def find_test_author(store: Store, collection_id: str) -> str:
    """Return the name of the organiser who set the test; empty where nobody is known."""
    rows = fetch(
        store.cursor(),
        "SELECT name FROM people JOIN pass_marks ON set_by = person_id "
        "WHERE collection_id = ? AND disabled_at IS NULL",
        [collection_id],
    )
    return str(rows[0]["name"]) if rows else ""


def list_admitted(store: Store, collection_id: str) -> set[str]:
    """Return the ids of those whom the organiser has let in, whatever their test says."""
    rows = fetch(
        store.cursor(),
        "SELECT assessor_id FROM members WHERE collection_id = ? AND admitted_at IS NOT NULL",
        [collection_id],
    )
    return {row["assessor_id"] for row in rows}


def admit(
    store: Store, collection_id: str, assessor_id: str, *, admitted: bool, by: str = ""
) -> None:
    """Let a member judge whatever their test says, or leave it to the test again.

    Raises
    ------
    NotFound
        There is no such member.
    """
    detail = describe_change({"let in": not admitted}, {"let in": admitted})
    with store.change(collection_id, "let in", f"assessor {assessor_id}", detail, by) as cursor:
        done = cursor.execute(
            "UPDATE members SET admitted_at = ? WHERE collection_id = ? AND assessor_id = ?",
            [utc_now() if admitted else None, collection_id, assessor_id],
        ).fetchone()
        if not (done and done[0]):
            raise NotFound(f"There is no assessor {assessor_id} in this collection.")


def _check(rules: TestRules) -> None:
    if not 0 < rules.mark <= 1:
        raise BadInput("a pass mark is above 0 and at most 100 %", field="mark")
    if not 0 <= rules.within <= MOST_WITHIN:
        raise BadInput(f"an answer may be at most {MOST_WITHIN} level off", field="within")
    if not 1 <= rules.attempts <= MOST_ATTEMPTS:
        raise BadInput(f"a test has 1 to {MOST_ATTEMPTS} attempts", field="attempts")
    if rules.drawn is not None and rules.drawn < 1:
        raise BadInput("an attempt has at least 1 item", field="drawn")


def _tell(rules: TestRules | None) -> dict[str, object]:
    """Return what the record of changes calls the rules; only the mark of those left as usual."""
    fields: dict[str, object] = {"pass mark": None if rules is None else rules.mark}
    usual = TestRules(1)
    names = {"levels off": "within", "attempts": "attempts", "items drawn": "drawn"}
    for name, field in names.items():
        value = getattr(rules or usual, field)
        fields[name] = None if value == getattr(usual, field) else value
    return fields
