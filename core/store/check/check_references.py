"""Proofs that whatever names something names what exists."""

from core.collection.records import PAIR
from core.store.check.check_labels import name_event
from core.store.check.integrity import CheckResult, Proof, find_fault
from core.store.file.database import Cursor, fetch
from core.store.rounds.pairs import LEFT_FIRST, LEFT_SECOND
from core.store.store import Store

_ITEM = (
    "concat('collection ', {0}.collection_id, ': topic ', {0}.topic_id, ', document ', "
    "{0}.document_id)"
)
_GRADED = f"facet NOT LIKE '%{PAIR}'"
_POOLED = """
    (SELECT pool.*, rounds.collection_id, flow LIKE '%side by side' AS paired
     FROM pool JOIN rounds USING (round_id)) AS pool"""

KEYS = Proof(
    "keys",
    "Everything that was judged here or is to be judged names topics, documents, snippets and "
    "pairs that exist.",
    "label events",
    "SELECT count(*) FROM labels",
    {
        "a judged topic does not exist": f"""
            SELECT {name_event()} FROM labels ANTI JOIN topics USING (collection_id, topic_id)
            WHERE source = 'judged'""",
        "a judged document does not exist": f"""
            SELECT {name_event()} FROM labels
            ANTI JOIN documents USING (collection_id, document_id)
            WHERE source = 'judged' AND {_GRADED}""",
        "a judged snippet does not exist": f"""
            SELECT {name_event()} FROM labels
            ANTI JOIN results USING (collection_id, topic_id, document_id, engine)
            WHERE source = 'judged' AND facet = 'snippet'""",
        "a judged pair does not exist": f"""
            SELECT {name_event()} FROM labels ANTI JOIN pairs
                ON pairs.collection_id = labels.collection_id
                AND pairs.topic_id = labels.topic_id AND pairs.pair_id = labels.document_id
            WHERE facet LIKE '%{PAIR}'""",
        "a preference does not say which item was on which side": f"""
            SELECT {name_event()} FROM labels WHERE facet LIKE '%{PAIR}' AND engine NOT IN
                ('{LEFT_FIRST}', '{LEFT_SECOND}', '') OR facet LIKE '%{PAIR}'
                AND source = 'judged' AND engine = ''""",
        "the pool has a topic that does not exist": f"""
            SELECT {_ITEM.format("pool")} FROM {_POOLED}
            ANTI JOIN topics USING (collection_id, topic_id)""",
        "the pool has a document that does not exist": f"""
            SELECT {_ITEM.format("pool")} FROM {_POOLED}
            ANTI JOIN documents USING (collection_id, document_id) WHERE NOT paired""",
        "the pool has a pair that does not exist": f"""
            SELECT {_ITEM.format("pool")} FROM {_POOLED} ANTI JOIN pairs
                ON pairs.collection_id = pool.collection_id
                AND pairs.topic_id = pool.topic_id AND pairs.pair_id = pool.document_id
            WHERE paired""",
        "a practice item does not exist": f"""
            SELECT {_ITEM.format("practice")} FROM practice WHERE (collection_id, document_id)
                NOT IN (SELECT (collection_id, document_id) FROM documents)""",
        "a gold item was never judged": f"""
            SELECT {_ITEM.format("gold")} FROM gold
            ANTI JOIN labels USING (collection_id, topic_id, document_id, facet, engine)""",
    },
    {
        "{n} imported labels are about topics or documents that no file describes": f"""
            SELECT count(*) FROM labels WHERE source = 'imported' AND {_GRADED}
            AND ((collection_id, topic_id) NOT IN (SELECT (collection_id, topic_id) FROM topics)
                OR (collection_id, document_id) NOT IN
                    (SELECT (collection_id, document_id) FROM documents))""",
    },
)

_OWNERS = {
    "collection_id": ("collections", "collection"),
    "round_id": ("rounds", "round"),
    "person_id": ("people", "person"),
}
_AUTHORS = f"""
    SELECT {name_event()} FROM labels ANTI JOIN members USING (collection_id, assessor_id)
    WHERE source <> 'adjudicated'
    UNION ALL
    SELECT {name_event()} FROM labels WHERE source = 'adjudicated'
        AND assessor_id NOT IN (SELECT person_id FROM people)"""


def check_owners(store: Store) -> CheckResult:
    """Prove that no row belongs to a collection, a round or a person that does not exist."""
    cursor, faults, checked = store.cursor(), [], 0
    for column, (home, noun) in _OWNERS.items():
        for table in _tables_with(cursor, column, home):
            sql = f"""
                SELECT concat('table {table}: {noun} ', {column}, ', ', count(*), ' rows')
                FROM {table} WHERE {column} NOT IN (SELECT {column} FROM {home})
                    AND NOT ('{table}' = 'changes' AND {_MAY_BE_FOREIGN[column]})
                GROUP BY {column}"""
            faults.append(find_fault(cursor, f"rows of a {noun} that does not exist", sql))
            row = cursor.execute(f"SELECT count(*) FROM {table}").fetchone()
            checked += int(row[0]) if row else 0
    faults.append(find_fault(cursor, "a label's author is not known here", _AUTHORS))
    return CheckResult(
        "owners",
        "Every row belongs to a collection, a round and a person that exist.",
        checked,
        "rows",
        tuple(fault for fault in faults if fault.count),
    )


_MAY_BE_FOREIGN = {"collection_id": "collection_id = ''", "round_id": "false", "person_id": "true"}
"""What the record of changes may say besides: the store as a whole; the command line."""


def _tables_with(cursor: Cursor, column: str, home: str) -> list[str]:
    rows = fetch(
        cursor,
        "SELECT table_name FROM duckdb_columns() JOIN duckdb_tables() USING (table_name) "
        "WHERE column_name = ? AND table_name <> ? ORDER BY table_name",
        [column, home],
    )
    return [row["table_name"] for row in rows]
