-- The passages that assessors mark with a label.

    CREATE TABLE passages (
        event_id UUID NOT NULL, collection_id VARCHAR NOT NULL, number INTEGER NOT NULL,
        start_offset INTEGER NOT NULL, end_offset INTEGER NOT NULL, text_hash VARCHAR NOT NULL);
    