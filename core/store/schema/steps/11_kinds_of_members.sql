
        ALTER TABLE members ADD COLUMN kind VARCHAR DEFAULT 'person';
        ALTER TABLE members ADD COLUMN kind_since BIGINT DEFAULT 0;
        