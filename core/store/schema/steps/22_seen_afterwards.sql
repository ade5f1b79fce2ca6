-- Disagreements seen afterwards: who saw which, and what was said since.

    CREATE TABLE seeing_allowed (collection_id VARCHAR PRIMARY KEY, comments BOOLEAN NOT NULL);
    CREATE TABLE topics_seen (
        collection_id VARCHAR, assessor_id VARCHAR, topic_id VARCHAR,
        after_sequence BIGINT NOT NULL, seen_at TIMESTAMP NOT NULL,
        PRIMARY KEY (collection_id, assessor_id, topic_id));
    CREATE TABLE items_seen (
        collection_id VARCHAR, assessor_id VARCHAR, topic_id VARCHAR, document_id VARCHAR,
        facet VARCHAR, engine VARCHAR, seen_at TIMESTAMP NOT NULL,
        PRIMARY KEY (collection_id, assessor_id, topic_id, document_id, facet, engine));
    CREATE TABLE labels_after_seeing (event_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL);
    