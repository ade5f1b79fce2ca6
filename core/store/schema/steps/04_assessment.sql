
        CREATE TABLE rounds (
            round_id VARCHAR PRIMARY KEY, collection_id VARCHAR NOT NULL, name VARCHAR NOT NULL,
            judges INTEGER NOT NULL, flow VARCHAR NOT NULL, page_from INTEGER,
            depth INTEGER NOT NULL, batch_size INTEGER, lease_minutes INTEGER NOT NULL,
            repeat_share DOUBLE NOT NULL, seed BIGINT NOT NULL, created_at TIMESTAMP NOT NULL,
            closed_at TIMESTAMP);
        CREATE TABLE pool (
            round_id VARCHAR, topic_id VARCHAR, document_id VARCHAR, batch INTEGER NOT NULL,
            PRIMARY KEY (round_id, topic_id, document_id));
        CREATE TABLE slots (
            round_id VARCHAR, topic_id VARCHAR, batch INTEGER, slot INTEGER,
            assessor_id VARCHAR, reserved BOOLEAN NOT NULL, leased_until TIMESTAMP,
            finished_at TIMESTAMP);
        CREATE TABLE practice (
            collection_id VARCHAR, topic_id VARCHAR, document_id VARCHAR, facet VARCHAR,
            engine VARCHAR, level INTEGER NOT NULL, why VARCHAR NOT NULL,
            PRIMARY KEY (collection_id, topic_id, document_id, facet, engine));
        