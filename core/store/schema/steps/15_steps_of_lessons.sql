
        ALTER TABLE lessons ADD COLUMN revealed_at TIMESTAMP;
        ALTER TABLE lessons ADD COLUMN timer_until TIMESTAMP;
        