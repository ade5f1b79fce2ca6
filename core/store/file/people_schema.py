"""Steps of the schema about people that came with the roster; see ``migrations``."""

MEMBER_KINDS = """
        ALTER TABLE members ADD COLUMN kind VARCHAR DEFAULT 'person';
        ALTER TABLE members ADD COLUMN kind_since BIGINT DEFAULT 0;
        """

ERASED_PEOPLE = "ALTER TABLE people ADD COLUMN erased_at TIMESTAMP"
