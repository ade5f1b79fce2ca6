
        CREATE TABLE gold (
            collection_id VARCHAR, topic_id VARCHAR, document_id VARCHAR, facet VARCHAR,
            engine VARCHAR, level INTEGER NOT NULL, marked_by VARCHAR NOT NULL,
            marked_at TIMESTAMP NOT NULL,
            PRIMARY KEY (collection_id, topic_id, document_id, facet, engine));
        