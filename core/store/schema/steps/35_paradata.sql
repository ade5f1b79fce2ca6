-- How labels came about: times, presses, and what had been in view.

    CREATE TABLE paradata (
        event_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL, shown_ms INTEGER,
        given_by VARCHAR, place INTEGER, x INTEGER, y INTEGER, furthest INTEGER,
        first_side VARCHAR, both_sides BOOLEAN, text_only BOOLEAN);
    