-- What a study declares before its results are read.

    CREATE TABLE declarations (
        collection_id VARCHAR PRIMARY KEY, declared VARCHAR NOT NULL, set_at TIMESTAMP NOT NULL);
    