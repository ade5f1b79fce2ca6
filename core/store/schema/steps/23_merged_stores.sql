-- Merged stores: labels that count although another one stood meanwhile.

    CREATE TABLE labels_of_two_sites (event_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL);
    