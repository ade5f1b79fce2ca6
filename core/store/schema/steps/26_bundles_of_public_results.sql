
    ALTER TABLE public_pages ADD COLUMN bundle BOOLEAN DEFAULT false;
    ALTER TABLE public_pages ADD COLUMN bundle_labels BOOLEAN DEFAULT false;
    