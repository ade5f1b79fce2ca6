-- Rules by which organisers want to be told that enough is judged.

    CREATE TABLE stop_rules (
        collection_id VARCHAR PRIMARY KEY, rule VARCHAR NOT NULL, set_at TIMESTAMP NOT NULL);
    