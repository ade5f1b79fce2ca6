
        CREATE TABLE consent_texts (
            collection_id VARCHAR PRIMARY KEY, text VARCHAR NOT NULL, set_by VARCHAR NOT NULL,
            set_at TIMESTAMP NOT NULL);
        CREATE TABLE consents (
            collection_id VARCHAR, person_id VARCHAR, given BOOLEAN NOT NULL, text VARCHAR NOT NULL,
            answered_at TIMESTAMP NOT NULL, PRIMARY KEY (collection_id, person_id));
        