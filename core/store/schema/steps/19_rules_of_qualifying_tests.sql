
    ALTER TABLE pass_marks ADD COLUMN within INTEGER DEFAULT 0;
    ALTER TABLE pass_marks ADD COLUMN attempts INTEGER DEFAULT 1;
    ALTER TABLE pass_marks ADD COLUMN drawn INTEGER;
    