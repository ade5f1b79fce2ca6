
        CREATE TABLE labels (
            sequence BIGINT NOT NULL, event_id UUID PRIMARY KEY, supersedes UUID,
            collection_id VARCHAR NOT NULL, time TIMESTAMP NOT NULL, client_time VARCHAR NOT NULL,
            assessor_id VARCHAR NOT NULL, topic_id VARCHAR NOT NULL, document_id VARCHAR NOT NULL,
            facet VARCHAR NOT NULL, engine VARCHAR NOT NULL, occasion INTEGER NOT NULL,
            state VARCHAR NOT NULL, level INTEGER, dwell_ms INTEGER NOT NULL,
            comment VARCHAR NOT NULL, source VARCHAR NOT NULL, stale BOOLEAN NOT NULL);
        CREATE VIEW current_labels AS
            SELECT collection_id, assessor_id, topic_id, document_id, facet, engine, occasion,
                max(sequence) AS sequence,
                sum(dwell_ms)::BIGINT AS dwell_ms,
                arg_max({'event_id': event_id, 'state': state, 'level': level, 'time': time,
                         'comment': comment, 'source': source}, sequence) AS label
            FROM labels WHERE NOT stale GROUP BY ALL;
        