"""What a round leaves out of its pool, as there is nothing of it to be shown."""

from core.store.rounds.rounds import FLOWS, SNIPPET_ONLY, Round
from core.store.store import Store

_WITHOUT_TEXT = """
    SELECT topic_id, count(DISTINCT run_lines.document_id) FROM run_lines
    SEMI JOIN (FROM pool WHERE round_id = $2) AS pool USING (topic_id)
    LEFT JOIN (SELECT document_id, text, html FROM documents WHERE collection_id = $1) AS documents
        USING (document_id)
    WHERE collection_id = $1 AND rank <= $3 AND ($4::VARCHAR IS NULL OR topic_id = $4)
        AND system NOT IN (SELECT system FROM withdrawn_runs
            WHERE collection_id = $1 AND reinstated_at IS NULL)
        AND coalesce(text, '') = '' AND coalesce(html, '') = ''
    GROUP BY topic_id"""


def count_without_text(store: Store, rules: Round, topic_id: str | None = None) -> int:
    """Return how many documents a round leaves out of its topics, or of one: no text is stored.

    They are those of the runs of now down to its depth, each once a topic. 0 where no pages are
    judged one at a time.
    """
    if rules.flow not in FLOWS or rules.flow == SNIPPET_ONLY:
        return 0
    values = [rules.collection_id, rules.round_id, rules.depth, topic_id]
    return sum(n for _, n in store.cursor().execute(_WITHOUT_TEXT, values).fetchall())
