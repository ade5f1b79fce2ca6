-- Personal tokens: with which programs ask in somebody's name.

    CREATE TABLE tokens (
        token_id VARCHAR PRIMARY KEY, token_hash VARCHAR NOT NULL, person_id VARCHAR NOT NULL,
        name VARCHAR NOT NULL, scopes VARCHAR NOT NULL, collection_id VARCHAR,
        created_at TIMESTAMP NOT NULL, expires_at TIMESTAMP NOT NULL, seen_at TIMESTAMP,
        ended_at TIMESTAMP);
    