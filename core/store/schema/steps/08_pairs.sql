
        CREATE TABLE pairs (
            collection_id VARCHAR, topic_id VARCHAR, pair_id VARCHAR, kind VARCHAR NOT NULL,
            first VARCHAR NOT NULL, second VARCHAR NOT NULL,
            PRIMARY KEY (collection_id, topic_id, pair_id));
        