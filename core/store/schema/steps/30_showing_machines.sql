-- Rounds that show a machine's levels: whose they are, and who saw which.

    CREATE TABLE machine_rounds (
        round_id VARCHAR PRIMARY KEY, machine_id VARCHAR NOT NULL, draw_key VARCHAR NOT NULL);
    CREATE TABLE machine_shown (
        event_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL, assessor_id VARCHAR NOT NULL,
        topic_id VARCHAR NOT NULL, document_id VARCHAR NOT NULL, facet VARCHAR NOT NULL,
        engine VARCHAR NOT NULL, machine_id VARCHAR NOT NULL, level INTEGER NOT NULL,
        shown_at TIMESTAMP NOT NULL);
    