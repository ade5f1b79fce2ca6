
        CREATE TABLE collections (
            collection_id VARCHAR PRIMARY KEY, name VARCHAR NOT NULL, description VARCHAR NOT NULL,
            guidelines VARCHAR NOT NULL, simulated VARCHAR NOT NULL, created_at TIMESTAMP NOT NULL,
            closed_at TIMESTAMP);
        CREATE TABLE levels (
            collection_id VARCHAR, facet VARCHAR, level INTEGER, name VARCHAR NOT NULL,
            meaning VARCHAR NOT NULL, key VARCHAR NOT NULL, counts_as INTEGER NOT NULL,
            PRIMARY KEY (collection_id, facet, level));
        CREATE TABLE topics (
            collection_id VARCHAR, topic_id VARCHAR, position INTEGER NOT NULL,
            query VARCHAR NOT NULL, description VARCHAR NOT NULL, narrative VARCHAR NOT NULL,
            type VARCHAR NOT NULL, PRIMARY KEY (collection_id, topic_id));
        CREATE TABLE subtopics (
            collection_id VARCHAR, topic_id VARCHAR, subtopic_id VARCHAR, type VARCHAR NOT NULL,
            text VARCHAR NOT NULL, probability DOUBLE,
            PRIMARY KEY (collection_id, topic_id, subtopic_id));
        CREATE TABLE documents (
            collection_id VARCHAR, document_id VARCHAR, title VARCHAR NOT NULL,
            url VARCHAR NOT NULL, text VARCHAR, html VARCHAR,
            PRIMARY KEY (collection_id, document_id));
        CREATE TABLE results (
            collection_id VARCHAR NOT NULL, topic_id VARCHAR NOT NULL, engine VARCHAR NOT NULL,
            document_id VARCHAR NOT NULL, rank INTEGER NOT NULL, snippet VARCHAR NOT NULL);
        CREATE TABLE run_lines (
            collection_id VARCHAR NOT NULL, system VARCHAR NOT NULL, topic_id VARCHAR NOT NULL,
            document_id VARCHAR NOT NULL, score DOUBLE NOT NULL, rank INTEGER NOT NULL);
        CREATE TABLE qrels (
            collection_id VARCHAR NOT NULL, name VARCHAR NOT NULL, topic_id VARCHAR NOT NULL,
            iteration VARCHAR NOT NULL, document_id VARCHAR NOT NULL, level DOUBLE NOT NULL);
        CREATE TABLE qrels_rules (
            collection_id VARCHAR, name VARCHAR, rule VARCHAR NOT NULL,
            created_at TIMESTAMP NOT NULL, PRIMARY KEY (collection_id, name));
        CREATE TABLE settings (name VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);
        