"""The schema's step for results that are public: which collections, and what of them."""

PUBLIC = """
    CREATE TABLE public_pages (
        collection_id VARCHAR PRIMARY KEY, page_id VARCHAR NOT NULL, version VARCHAR NOT NULL,
        measure VARCHAR NOT NULL, agreement BOOLEAN NOT NULL, scores BOOLEAN NOT NULL,
        qrels BOOLEAN NOT NULL, published_at TIMESTAMP NOT NULL);
    """

BUNDLES = """
    ALTER TABLE public_pages ADD COLUMN bundle BOOLEAN DEFAULT false;
    ALTER TABLE public_pages ADD COLUMN bundle_labels BOOLEAN DEFAULT false;
    """

RENEWED = """
    ALTER TABLE public_pages ADD COLUMN new_labels INTEGER DEFAULT 100;
    ALTER TABLE public_pages ADD COLUMN new_people INTEGER DEFAULT 3;
    ALTER TABLE public_pages ADD COLUMN shown_until BIGINT DEFAULT 0;
    """
