
        ALTER TABLE members ADD COLUMN admitted_at TIMESTAMP;
        CREATE TABLE pass_marks (
            collection_id VARCHAR PRIMARY KEY, mark DOUBLE NOT NULL, set_by VARCHAR NOT NULL,
            set_at TIMESTAMP NOT NULL);
        