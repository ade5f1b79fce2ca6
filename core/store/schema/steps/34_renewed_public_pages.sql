
    ALTER TABLE public_pages ADD COLUMN new_labels INTEGER DEFAULT 100;
    ALTER TABLE public_pages ADD COLUMN new_people INTEGER DEFAULT 3;
    ALTER TABLE public_pages ADD COLUMN shown_until BIGINT DEFAULT 0;
    