-- Webhooks: where a server tells that topics and rounds are finished.

    CREATE TABLE webhooks (
        webhook_id VARCHAR PRIMARY KEY, collection_id VARCHAR NOT NULL, address VARCHAR NOT NULL,
        events VARCHAR NOT NULL, made_by VARCHAR NOT NULL, made_at TIMESTAMP NOT NULL,
        removed_at TIMESTAMP);
    CREATE TABLE webhook_deliveries (
        delivery_id VARCHAR NOT NULL, webhook_id VARCHAR NOT NULL, event VARCHAR NOT NULL,
        round_id VARCHAR, topic_id VARCHAR NOT NULL, finished_at TIMESTAMP NOT NULL,
        topics INTEGER NOT NULL, places INTEGER NOT NULL, state VARCHAR NOT NULL,
        attempts INTEGER NOT NULL, next_at TIMESTAMP, tried_at TIMESTAMP, status INTEGER,
        reason VARCHAR NOT NULL);
    