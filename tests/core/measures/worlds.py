"""Small made-up runs and judgements with everything that is awkward in them."""

import pandas as pd
from hypothesis import strategies as st

from core.collection.qrels_and_runs.trec import rank_runs

DOCUMENTS = [f"d{number}" for number in range(12)]


@st.composite
def worlds(draw):
    """Runs with ties, unjudged documents, missing and unknown topics; qrels with empty topics."""
    topics = ["t1", "t2", "t3"]
    judged = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1)
    qrels = [(topic, "0", *pair) for topic in topics[:2] for pair in draw(judged).items()]
    scores = st.integers(-2, 2).map(lambda number: number / 4)
    ranking = st.dictionaries(st.sampled_from(DOCUMENTS), scores)
    runs = [
        (system, topic, document, score)
        for system in ("s1", "s2")
        for topic in topics
        for document, score in draw(ranking).items()
    ]
    runs.append(("s1", "t1", "certain", 0.0))
    runs.append(("s2", "t2", "certain", 0.0))
    return (
        rank_runs(pd.DataFrame(runs, columns=["system", "topic_id", "document_id", "score"])),
        pd.DataFrame(qrels, columns=["topic_id", "iteration", "document_id", "level"]),
    )
