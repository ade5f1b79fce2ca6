
    CREATE TABLE reason_choices (
        collection_id VARCHAR, place INTEGER, reason VARCHAR NOT NULL);
    CREATE TABLE preference_reasons (
        collection_id VARCHAR NOT NULL, event_id UUID NOT NULL, place INTEGER NOT NULL,
        reason VARCHAR NOT NULL);
    