-- Aspects: their levels, and what was said of them with a label.

    CREATE TABLE aspects (
        collection_id VARCHAR, name VARCHAR, position INTEGER NOT NULL, facet VARCHAR NOT NULL,
        question VARCHAR NOT NULL, from_level INTEGER, may_be_left_out BOOLEAN NOT NULL,
        created_at TIMESTAMP NOT NULL, ended_at TIMESTAMP, PRIMARY KEY (collection_id, name));
    CREATE TABLE aspect_levels (
        collection_id VARCHAR, aspect VARCHAR, level INTEGER, name VARCHAR NOT NULL,
        meaning VARCHAR NOT NULL, key VARCHAR NOT NULL, counts_as INTEGER NOT NULL,
        PRIMARY KEY (collection_id, aspect, level));
    CREATE TABLE aspect_labels (
        collection_id VARCHAR NOT NULL, event_id UUID, aspect VARCHAR, level INTEGER,
        PRIMARY KEY (event_id, aspect));
    