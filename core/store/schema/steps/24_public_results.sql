-- Results that are public: which collections, and what of them.

    CREATE TABLE public_pages (
        collection_id VARCHAR PRIMARY KEY, page_id VARCHAR NOT NULL, version VARCHAR NOT NULL,
        measure VARCHAR NOT NULL, agreement BOOLEAN NOT NULL, scores BOOLEAN NOT NULL,
        qrels BOOLEAN NOT NULL, published_at TIMESTAMP NOT NULL);
    