
        CREATE TABLE lessons (
            collection_id VARCHAR PRIMARY KEY, round_id VARCHAR NOT NULL, number INTEGER NOT NULL,
            most INTEGER NOT NULL, started_by VARCHAR NOT NULL, started_at TIMESTAMP NOT NULL,
            expires_at TIMESTAMP NOT NULL, stopped_at TIMESTAMP);
        