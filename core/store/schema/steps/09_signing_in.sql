
        ALTER TABLE sessions ADD COLUMN seen_at TIMESTAMP;
        ALTER TABLE sessions ADD COLUMN how VARCHAR DEFAULT '';
        CREATE TABLE passwords (
            person_id VARCHAR PRIMARY KEY, hash VARCHAR NOT NULL, set_at TIMESTAMP NOT NULL);
        CREATE TABLE accounts (
            email VARCHAR PRIMARY KEY, person_id VARCHAR NOT NULL, subject VARCHAR NOT NULL,
            added_by VARCHAR NOT NULL, added_at TIMESTAMP NOT NULL);
        CREATE TABLE viewers (
            collection_id VARCHAR, person_id VARCHAR, added_at TIMESTAMP NOT NULL,
            PRIMARY KEY (collection_id, person_id));
        