"""Steps of the schema about people that came with the roster; see ``migrations``."""

MEMBER_KINDS = """
        ALTER TABLE members ADD COLUMN kind VARCHAR DEFAULT 'person';
        ALTER TABLE members ADD COLUMN kind_since BIGINT DEFAULT 0;
        """

QUALIFYING_TESTS = """
        ALTER TABLE members ADD COLUMN admitted_at TIMESTAMP;
        CREATE TABLE pass_marks (
            collection_id VARCHAR PRIMARY KEY, mark DOUBLE NOT NULL, set_by VARCHAR NOT NULL,
            set_at TIMESTAMP NOT NULL);
        """

CONSENTS = """
        CREATE TABLE consent_texts (
            collection_id VARCHAR PRIMARY KEY, text VARCHAR NOT NULL, set_by VARCHAR NOT NULL,
            set_at TIMESTAMP NOT NULL);
        CREATE TABLE consents (
            collection_id VARCHAR, person_id VARCHAR, given BOOLEAN NOT NULL, text VARCHAR NOT NULL,
            answered_at TIMESTAMP NOT NULL, PRIMARY KEY (collection_id, person_id));
        """

ERASED_PEOPLE = "ALTER TABLE people ADD COLUMN erased_at TIMESTAMP"
