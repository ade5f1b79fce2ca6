
        CREATE TABLE people (
            person_id VARCHAR PRIMARY KEY, name VARCHAR NOT NULL, role VARCHAR NOT NULL,
            created_at TIMESTAMP NOT NULL, disabled_at TIMESTAMP);
        CREATE TABLE invitations (
            token_hash VARCHAR PRIMARY KEY, person_id VARCHAR NOT NULL,
            expires_at TIMESTAMP NOT NULL, used_at TIMESTAMP);
        CREATE TABLE sessions (
            token_hash VARCHAR PRIMARY KEY, person_id VARCHAR NOT NULL,
            created_at TIMESTAMP NOT NULL, expires_at TIMESTAMP NOT NULL, ended_at TIMESTAMP);
        CREATE TABLE members (
            collection_id VARCHAR, assessor_id VARCHAR, name VARCHAR NOT NULL,
            "group" VARCHAR NOT NULL, origin VARCHAR NOT NULL, dropped_at TIMESTAMP,
            PRIMARY KEY (collection_id, assessor_id));
        CREATE TABLE changes (
            time TIMESTAMP NOT NULL, person_id VARCHAR NOT NULL, collection_id VARCHAR NOT NULL,
            what VARCHAR NOT NULL, subject VARCHAR NOT NULL, detail VARCHAR NOT NULL);
        