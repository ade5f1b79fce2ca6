-- Rounds whose items are chosen by an order while labels come in.

    CREATE TABLE round_orders (
        round_id VARCHAR PRIMARY KEY, judging_order VARCHAR NOT NULL, budget INTEGER,
        relevant_from INTEGER NOT NULL);
    CREATE TABLE round_systems (
        round_id VARCHAR, system VARCHAR, PRIMARY KEY (round_id, system));
    CREATE TABLE round_candidates (
        round_id VARCHAR, topic_id VARCHAR, document_id VARCHAR,
        PRIMARY KEY (round_id, topic_id, document_id));
    CREATE TABLE chosen_items (
        round_id VARCHAR, topic_id VARCHAR, document_id VARCHAR, batch INTEGER NOT NULL,
        place INTEGER NOT NULL, judging_order VARCHAR NOT NULL, chosen_at TIMESTAMP NOT NULL,
        probability DOUBLE, stratum INTEGER, system VARCHAR NOT NULL,
        PRIMARY KEY (round_id, topic_id, document_id));
    