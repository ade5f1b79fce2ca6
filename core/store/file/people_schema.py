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

ERASED_PEOPLE = "ALTER TABLE people ADD COLUMN erased_at TIMESTAMP"
