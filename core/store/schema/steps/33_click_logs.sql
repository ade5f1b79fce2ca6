-- Click logs: what was shown to searchers, and what they clicked.
-- Pages are packed many to a row, see core.collection.click_logs.packing: a row for each of ten
-- million would take ten times the room.

    CREATE TABLE click_logs (
        collection_id VARCHAR, name VARCHAR, source VARCHAR NOT NULL, sha256 VARCHAR NOT NULL,
        sessions INTEGER NOT NULL, pages INTEGER NOT NULL, clicks INTEGER NOT NULL,
        queries INTEGER NOT NULL, items INTEGER NOT NULL, depth INTEGER NOT NULL,
        imported_at TIMESTAMP NOT NULL, PRIMARY KEY (collection_id, name));
    CREATE TABLE click_apart (
        collection_id VARCHAR NOT NULL, name VARCHAR NOT NULL, fault VARCHAR NOT NULL,
        sessions INTEGER NOT NULL, lines VARCHAR NOT NULL);
    CREATE TABLE click_queries (
        collection_id VARCHAR NOT NULL, name VARCHAR NOT NULL, query INTEGER NOT NULL,
        text VARCHAR NOT NULL);
    CREATE TABLE click_items (
        collection_id VARCHAR NOT NULL, name VARCHAR NOT NULL, item INTEGER NOT NULL,
        query INTEGER NOT NULL, document_id VARCHAR NOT NULL);
    CREATE TABLE click_blocks (
        collection_id VARCHAR NOT NULL, name VARCHAR NOT NULL, block INTEGER NOT NULL,
        pages INTEGER NOT NULL, depth INTEGER NOT NULL, session VARCHAR NOT NULL,
        item VARCHAR NOT NULL, clicked VARCHAR NOT NULL);
    