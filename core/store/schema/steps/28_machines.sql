-- Machines that judge: what each is, and what it answered.

    CREATE TABLE machines (
        collection_id VARCHAR, assessor_id VARCHAR, model VARCHAR NOT NULL,
        version VARCHAR NOT NULL, prompt VARCHAR NOT NULL, prompt_hash VARCHAR NOT NULL,
        parameters VARCHAR NOT NULL, judged_on VARCHAR NOT NULL, described_at TIMESTAMP NOT NULL,
        PRIMARY KEY (collection_id, assessor_id));
    CREATE TABLE machine_answers (
        event_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL, answer VARCHAR NOT NULL,
        reason VARCHAR NOT NULL, cost DOUBLE, input_tokens BIGINT, output_tokens BIGINT);
    