-- Words with the organiser: questions, notices, versions of guidelines.

    CREATE TABLE questions (
        question_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL,
        assessor_id VARCHAR NOT NULL, topic_id VARCHAR NOT NULL, document_id VARCHAR NOT NULL,
        facet VARCHAR NOT NULL, engine VARCHAR NOT NULL, occasion INTEGER NOT NULL,
        text VARCHAR NOT NULL, asked_at TIMESTAMP NOT NULL);
    CREATE TABLE notices (
        notice_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL, question_id UUID,
        assessor_id VARCHAR NOT NULL, text VARCHAR NOT NULL, written_by VARCHAR NOT NULL,
        written_at TIMESTAMP NOT NULL);
    CREATE TABLE notices_read (
        collection_id VARCHAR NOT NULL, person_id VARCHAR NOT NULL, notice VARCHAR NOT NULL,
        read_at TIMESTAMP NOT NULL);
    CREATE TABLE guidelines_versions (
        collection_id VARCHAR, number INTEGER, text VARCHAR NOT NULL, note VARCHAR NOT NULL,
        written_by VARCHAR NOT NULL, written_at TIMESTAMP NOT NULL, after_sequence BIGINT NOT NULL,
        PRIMARY KEY (collection_id, number));
    INSERT INTO guidelines_versions
        SELECT collection_id, 1, guidelines, '', '', created_at, 0 FROM collections
        WHERE guidelines <> '';
    