-- Rounds that have a deadline, fill up what lacks labels, lose a run.

    ALTER TABLE rounds ADD COLUMN due_at TIMESTAMP;
    ALTER TABLE rounds ADD COLUMN lacking INTEGER;
    CREATE TABLE batch_judges (
        round_id VARCHAR, topic_id VARCHAR, batch INTEGER, judges INTEGER NOT NULL,
        PRIMARY KEY (round_id, topic_id, batch));
    CREATE TABLE withdrawn_runs (
        collection_id VARCHAR, system VARCHAR, replaced_by VARCHAR NOT NULL,
        reason VARCHAR NOT NULL, withdrawn_by VARCHAR NOT NULL, withdrawn_at TIMESTAMP NOT NULL,
        reinstated_at TIMESTAMP);
    