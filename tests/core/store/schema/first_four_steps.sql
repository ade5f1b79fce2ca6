-- A store as its first four steps left it, frozen: definitions and a small study, as plain SQL.
-- Files like this are in use. Never change it; a later state may stand beside it.

CREATE TABLE migrations (number INTEGER PRIMARY KEY, name VARCHAR, applied_at TIMESTAMPTZ);
CREATE TABLE collections (
    collection_id VARCHAR PRIMARY KEY, name VARCHAR NOT NULL, description VARCHAR NOT NULL,
    guidelines VARCHAR NOT NULL, simulated VARCHAR NOT NULL, created_at TIMESTAMP NOT NULL,
    closed_at TIMESTAMP);
CREATE TABLE levels (
    collection_id VARCHAR, facet VARCHAR, level INTEGER, name VARCHAR NOT NULL,
    meaning VARCHAR NOT NULL, key VARCHAR NOT NULL, counts_as INTEGER NOT NULL,
    PRIMARY KEY (collection_id, facet, level));
CREATE TABLE topics (
    collection_id VARCHAR, topic_id VARCHAR, position INTEGER NOT NULL,
    query VARCHAR NOT NULL, description VARCHAR NOT NULL, narrative VARCHAR NOT NULL,
    type VARCHAR NOT NULL, PRIMARY KEY (collection_id, topic_id));
CREATE TABLE subtopics (
    collection_id VARCHAR, topic_id VARCHAR, subtopic_id VARCHAR, type VARCHAR NOT NULL,
    text VARCHAR NOT NULL, probability DOUBLE,
    PRIMARY KEY (collection_id, topic_id, subtopic_id));
CREATE TABLE documents (
    collection_id VARCHAR, document_id VARCHAR, title VARCHAR NOT NULL,
    url VARCHAR NOT NULL, text VARCHAR, html VARCHAR,
    PRIMARY KEY (collection_id, document_id));
CREATE TABLE results (
    collection_id VARCHAR NOT NULL, topic_id VARCHAR NOT NULL, engine VARCHAR NOT NULL,
    document_id VARCHAR NOT NULL, rank INTEGER NOT NULL, snippet VARCHAR NOT NULL);
CREATE TABLE run_lines (
    collection_id VARCHAR NOT NULL, system VARCHAR NOT NULL, topic_id VARCHAR NOT NULL,
    document_id VARCHAR NOT NULL, score DOUBLE NOT NULL, rank INTEGER NOT NULL);
CREATE TABLE qrels (
    collection_id VARCHAR NOT NULL, name VARCHAR NOT NULL, topic_id VARCHAR NOT NULL,
    iteration VARCHAR NOT NULL, document_id VARCHAR NOT NULL, level DOUBLE NOT NULL);
CREATE TABLE qrels_rules (
    collection_id VARCHAR, name VARCHAR, rule VARCHAR NOT NULL,
    created_at TIMESTAMP NOT NULL, PRIMARY KEY (collection_id, name));
CREATE TABLE settings (name VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);
CREATE TABLE people (
    person_id VARCHAR PRIMARY KEY, name VARCHAR NOT NULL, role VARCHAR NOT NULL,
    created_at TIMESTAMP NOT NULL, disabled_at TIMESTAMP);
CREATE TABLE invitations (
    token_hash VARCHAR PRIMARY KEY, person_id VARCHAR NOT NULL,
    expires_at TIMESTAMP NOT NULL, used_at TIMESTAMP);
CREATE TABLE sessions (
    token_hash VARCHAR PRIMARY KEY, person_id VARCHAR NOT NULL,
    created_at TIMESTAMP NOT NULL, expires_at TIMESTAMP NOT NULL, ended_at TIMESTAMP);
CREATE TABLE members (
    collection_id VARCHAR, assessor_id VARCHAR, name VARCHAR NOT NULL,
    "group" VARCHAR NOT NULL, origin VARCHAR NOT NULL, dropped_at TIMESTAMP,
    PRIMARY KEY (collection_id, assessor_id));
CREATE TABLE changes (
    time TIMESTAMP NOT NULL, person_id VARCHAR NOT NULL, collection_id VARCHAR NOT NULL,
    what VARCHAR NOT NULL, subject VARCHAR NOT NULL, detail VARCHAR NOT NULL);
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

INSERT INTO migrations VALUES
    (1, 'collections', TIMESTAMPTZ '2026-03-02 09:00:00+00'),
    (2, 'people', TIMESTAMPTZ '2026-03-02 09:00:00+00'),
    (3, 'labels', TIMESTAMPTZ '2026-03-02 09:00:00+00'),
    (4, 'assessment', TIMESTAMPTZ '2026-03-02 09:00:00+00');
INSERT INTO collections VALUES
    ('c1', 'Study', '', 'Read it all.', '', TIMESTAMP '2026-03-02 09:01:00', NULL);
INSERT INTO levels VALUES
    ('c1', 'page', 0, 'No', '', '1', 0), ('c1', 'page', 1, 'Yes', '', '2', 1),
    ('c1', 'snippet', 0, 'No', '', '1', 0), ('c1', 'snippet', 1, 'Yes', '', '2', 1);
INSERT INTO topics VALUES ('c1', 't1', 0, 'jaguar', 'The animal.', '', 'ambiguous');
INSERT INTO subtopics VALUES ('c1', 't1', '1', 'inf', 'the animal', 0.5);
INSERT INTO documents VALUES
    ('c1', 'd1', 'Big cats', 'https://cats.example.org', 'Cats.', NULL),
    ('c1', 'd2', 'Old cars', '', NULL, '<p>Cars.</p>');
INSERT INTO results VALUES
    ('c1', 't1', 'lantern', 'd1', 1, 'cats …'), ('c1', 't1', 'lantern', 'd2', 2, 'cars …');
INSERT INTO run_lines VALUES
    ('c1', 'lantern', 't1', 'd1', 2.0, 1), ('c1', 'lantern', 't1', 'd2', 1.0, 2);
INSERT INTO qrels VALUES ('c1', 'official', 't1', '0', 'd1', 1.0);
INSERT INTO settings VALUES ('sampling', '1');
INSERT INTO people VALUES
    ('p1', 'Olga', 'organiser', TIMESTAMP '2026-03-02 09:00:00', NULL),
    ('p2', 'Anna', 'assessor', TIMESTAMP '2026-03-02 09:02:00', NULL);
INSERT INTO sessions VALUES
    ('5f2c', 'p2', TIMESTAMP '2026-03-02 09:03:00', TIMESTAMP '2026-04-01 09:03:00', NULL);
INSERT INTO members VALUES ('c1', 'p2', 'Anna', 'experts', 'invited', NULL);
INSERT INTO changes VALUES
    (TIMESTAMP '2026-03-02 09:01:00', 'p1', 'c1', 'create', 'collection', 'Study');
INSERT INTO labels VALUES
    (1, '00000000-0000-4000-8000-000000000001', NULL, 'c1', TIMESTAMP '2026-03-02 10:00:00', '',
     'p2', 't1', 'd1', 'page', '', 0, 'level', 0, 4000, '', 'judged', FALSE),
    (2, '00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'c1',
     TIMESTAMP '2026-03-02 10:01:00', '', 'p2', 't1', 'd1', 'page', '', 0, 'level', 1, 2000,
     'it is about cats', 'judged', FALSE),
    (3, '00000000-0000-4000-8000-000000000003', NULL, 'c1', TIMESTAMP '2026-03-02 10:02:00', '',
     'p2', 't1', 'd2', 'page', '', 0, 'cannot judge', NULL, 1000, '', 'judged', FALSE);
INSERT INTO rounds VALUES
    ('r1', 'c1', 'First', 1, 'page only', NULL, 2, NULL, 60, 0.0, 1,
     TIMESTAMP '2026-03-02 09:05:00', NULL);
INSERT INTO pool VALUES ('r1', 't1', 'd1', 0), ('r1', 't1', 'd2', 0);
INSERT INTO slots VALUES ('r1', 't1', 0, 0, 'p2', FALSE, TIMESTAMP '2026-03-02 11:00:00', NULL);
