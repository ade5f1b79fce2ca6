-- Jobs of machines: what is to be judged, what was sent, what came of it.

    CREATE TABLE machine_jobs (
        job_id VARCHAR PRIMARY KEY, collection_id VARCHAR NOT NULL, assessor_id VARCHAR NOT NULL,
        started_by VARCHAR NOT NULL, started_at TIMESTAMP NOT NULL, endpoint VARCHAR NOT NULL,
        model VARCHAR NOT NULL, prompt_hash VARCHAR NOT NULL, parameters VARCHAR NOT NULL,
        part VARCHAR NOT NULL, tries INTEGER NOT NULL, most_requests INTEGER, most_money DOUBLE,
        input_price DOUBLE, output_price DOUBLE);
    CREATE TABLE machine_items (
        job_id VARCHAR, place INTEGER, event_id UUID NOT NULL, topic_id VARCHAR NOT NULL,
        document_id VARCHAR NOT NULL, facet VARCHAR NOT NULL, engine VARCHAR NOT NULL,
        PRIMARY KEY (job_id, place));
    CREATE TABLE machine_requests (
        request_id UUID PRIMARY KEY, job_id VARCHAR NOT NULL, place INTEGER NOT NULL,
        attempt INTEGER NOT NULL, sent_at TIMESTAMP NOT NULL, reserved DOUBLE NOT NULL);
    CREATE TABLE machine_replies (
        request_id UUID PRIMARY KEY, job_id VARCHAR NOT NULL, outcome VARCHAR NOT NULL,
        reason VARCHAR NOT NULL, status INTEGER, cost DOUBLE, input_tokens BIGINT,
        output_tokens BIGINT, ended_at TIMESTAMP NOT NULL);
    