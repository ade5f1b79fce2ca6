"""The schema's steps for calibration: rules of a qualifying test, and reasons of preferences."""

TEST_RULES = """
    ALTER TABLE pass_marks ADD COLUMN within INTEGER DEFAULT 0;
    ALTER TABLE pass_marks ADD COLUMN attempts INTEGER DEFAULT 1;
    ALTER TABLE pass_marks ADD COLUMN drawn INTEGER;
    """

PREFERENCE_REASONS = """
    CREATE TABLE reason_choices (
        collection_id VARCHAR, place INTEGER, reason VARCHAR NOT NULL);
    CREATE TABLE preference_reasons (
        collection_id VARCHAR NOT NULL, event_id UUID NOT NULL, place INTEGER NOT NULL,
        reason VARCHAR NOT NULL);
    """
