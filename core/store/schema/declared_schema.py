"""The schema's step for what a study declares before its results are read."""

DECLARED = """
    CREATE TABLE declarations (
        collection_id VARCHAR PRIMARY KEY, declared VARCHAR NOT NULL, set_at TIMESTAMP NOT NULL);
    """
