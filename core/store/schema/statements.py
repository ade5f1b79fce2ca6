"""What the steps of the schema from ``rounds`` on run, in their order; see ``migrations``.

A step that has been released stays as it is.
"""

ROUNDS = """
    ALTER TABLE rounds ADD COLUMN due_at TIMESTAMP;
    ALTER TABLE rounds ADD COLUMN lacking INTEGER;
    CREATE TABLE batch_judges (
        round_id VARCHAR, topic_id VARCHAR, batch INTEGER, judges INTEGER NOT NULL,
        PRIMARY KEY (round_id, topic_id, batch));
    CREATE TABLE withdrawn_runs (
        collection_id VARCHAR, system VARCHAR, replaced_by VARCHAR NOT NULL,
        reason VARCHAR NOT NULL, withdrawn_by VARCHAR NOT NULL, withdrawn_at TIMESTAMP NOT NULL,
        reinstated_at TIMESTAMP);
    """
"""The schema's step for rounds that have a deadline, fill up what lacks labels, lose a run."""

MEMBER_KINDS = """
        ALTER TABLE members ADD COLUMN kind VARCHAR DEFAULT 'person';
        ALTER TABLE members ADD COLUMN kind_since BIGINT DEFAULT 0;
        """
"""People, as the roster has them: which of them are machines, and since when."""

ERASED_PEOPLE = "ALTER TABLE people ADD COLUMN erased_at TIMESTAMP"
"""People, as the roster has them: when one was erased."""

QUALIFYING_TESTS = """
        ALTER TABLE members ADD COLUMN admitted_at TIMESTAMP;
        CREATE TABLE pass_marks (
            collection_id VARCHAR PRIMARY KEY, mark DOUBLE NOT NULL, set_by VARCHAR NOT NULL,
            set_at TIMESTAMP NOT NULL);
        """
"""People, as the roster has them: the mark of a qualifying test, and who was admitted."""

CONSENTS = """
        CREATE TABLE consent_texts (
            collection_id VARCHAR PRIMARY KEY, text VARCHAR NOT NULL, set_by VARCHAR NOT NULL,
            set_at TIMESTAMP NOT NULL);
        CREATE TABLE consents (
            collection_id VARCHAR, person_id VARCHAR, given BOOLEAN NOT NULL, text VARCHAR NOT NULL,
            answered_at TIMESTAMP NOT NULL, PRIMARY KEY (collection_id, person_id));
        """
"""People, as the roster has them: what they are asked to agree to, and what they answered."""

QUESTIONS = """
    CREATE TABLE questions (
        question_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL,
        assessor_id VARCHAR NOT NULL, topic_id VARCHAR NOT NULL, document_id VARCHAR NOT NULL,
        facet VARCHAR NOT NULL, engine VARCHAR NOT NULL, occasion INTEGER NOT NULL,
        text VARCHAR NOT NULL, asked_at TIMESTAMP NOT NULL);
    CREATE TABLE notices (
        notice_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL, question_id UUID,
        assessor_id VARCHAR NOT NULL, text VARCHAR NOT NULL, written_by VARCHAR NOT NULL,
        written_at TIMESTAMP NOT NULL);
    CREATE TABLE notices_read (
        collection_id VARCHAR NOT NULL, person_id VARCHAR NOT NULL, notice VARCHAR NOT NULL,
        read_at TIMESTAMP NOT NULL);
    CREATE TABLE guidelines_versions (
        collection_id VARCHAR, number INTEGER, text VARCHAR NOT NULL, note VARCHAR NOT NULL,
        written_by VARCHAR NOT NULL, written_at TIMESTAMP NOT NULL, after_sequence BIGINT NOT NULL,
        PRIMARY KEY (collection_id, number));
    INSERT INTO guidelines_versions
        SELECT collection_id, 1, guidelines, '', '', created_at, 0 FROM collections
        WHERE guidelines <> '';
    """
"""The schema's step for words with the organiser: questions, notices, versions of guidelines."""

ASPECTS = """
    CREATE TABLE aspects (
        collection_id VARCHAR, name VARCHAR, position INTEGER NOT NULL, facet VARCHAR NOT NULL,
        question VARCHAR NOT NULL, from_level INTEGER, may_be_left_out BOOLEAN NOT NULL,
        created_at TIMESTAMP NOT NULL, ended_at TIMESTAMP, PRIMARY KEY (collection_id, name));
    CREATE TABLE aspect_levels (
        collection_id VARCHAR, aspect VARCHAR, level INTEGER, name VARCHAR NOT NULL,
        meaning VARCHAR NOT NULL, key VARCHAR NOT NULL, counts_as INTEGER NOT NULL,
        PRIMARY KEY (collection_id, aspect, level));
    CREATE TABLE aspect_labels (
        collection_id VARCHAR NOT NULL, event_id UUID, aspect VARCHAR, level INTEGER,
        PRIMARY KEY (event_id, aspect));
    """
"""The schema's step for aspects: their levels, and what was said of them with a label."""

TEST_RULES = """
    ALTER TABLE pass_marks ADD COLUMN within INTEGER DEFAULT 0;
    ALTER TABLE pass_marks ADD COLUMN attempts INTEGER DEFAULT 1;
    ALTER TABLE pass_marks ADD COLUMN drawn INTEGER;
    """
"""The schema's step for calibration: rules of a qualifying test."""

PREFERENCE_REASONS = """
    CREATE TABLE reason_choices (
        collection_id VARCHAR, place INTEGER, reason VARCHAR NOT NULL);
    CREATE TABLE preference_reasons (
        collection_id VARCHAR NOT NULL, event_id UUID NOT NULL, place INTEGER NOT NULL,
        reason VARCHAR NOT NULL);
    """
"""The schema's step for calibration: reasons of preferences."""

PASSAGES = """
    CREATE TABLE passages (
        event_id UUID NOT NULL, collection_id VARCHAR NOT NULL, number INTEGER NOT NULL,
        start_offset INTEGER NOT NULL, end_offset INTEGER NOT NULL, text_hash VARCHAR NOT NULL);
    """
"""The schema's step for the passages that assessors mark with a label."""

AFTERWARDS = """
    CREATE TABLE seeing_allowed (collection_id VARCHAR PRIMARY KEY, comments BOOLEAN NOT NULL);
    CREATE TABLE topics_seen (
        collection_id VARCHAR, assessor_id VARCHAR, topic_id VARCHAR,
        after_sequence BIGINT NOT NULL, seen_at TIMESTAMP NOT NULL,
        PRIMARY KEY (collection_id, assessor_id, topic_id));
    CREATE TABLE items_seen (
        collection_id VARCHAR, assessor_id VARCHAR, topic_id VARCHAR, document_id VARCHAR,
        facet VARCHAR, engine VARCHAR, seen_at TIMESTAMP NOT NULL,
        PRIMARY KEY (collection_id, assessor_id, topic_id, document_id, facet, engine));
    CREATE TABLE labels_after_seeing (event_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL);
    """
"""The schema's step for disagreements seen afterwards: who saw which, and what was said since."""

MERGED = """
    CREATE TABLE labels_of_two_sites (event_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL);
    """
"""The schema's step for merged stores: labels that count although another one stood meanwhile."""

PUBLIC = """
    CREATE TABLE public_pages (
        collection_id VARCHAR PRIMARY KEY, page_id VARCHAR NOT NULL, version VARCHAR NOT NULL,
        measure VARCHAR NOT NULL, agreement BOOLEAN NOT NULL, scores BOOLEAN NOT NULL,
        qrels BOOLEAN NOT NULL, published_at TIMESTAMP NOT NULL);
    """
"""The schema's step for results that are public: which collections, and what of them."""

TOKENS = """
    CREATE TABLE tokens (
        token_id VARCHAR PRIMARY KEY, token_hash VARCHAR NOT NULL, person_id VARCHAR NOT NULL,
        name VARCHAR NOT NULL, scopes VARCHAR NOT NULL, collection_id VARCHAR,
        created_at TIMESTAMP NOT NULL, expires_at TIMESTAMP NOT NULL, seen_at TIMESTAMP,
        ended_at TIMESTAMP);
    """
"""The schema's step for personal tokens: with which programs ask in somebody's name."""

BUNDLES = """
    ALTER TABLE public_pages ADD COLUMN bundle BOOLEAN DEFAULT false;
    ALTER TABLE public_pages ADD COLUMN bundle_labels BOOLEAN DEFAULT false;
    """
"""Results that are public: whether their bundle is, and with labels."""

WEBHOOKS = """
    CREATE TABLE webhooks (
        webhook_id VARCHAR PRIMARY KEY, collection_id VARCHAR NOT NULL, address VARCHAR NOT NULL,
        events VARCHAR NOT NULL, made_by VARCHAR NOT NULL, made_at TIMESTAMP NOT NULL,
        removed_at TIMESTAMP);
    CREATE TABLE webhook_deliveries (
        delivery_id VARCHAR NOT NULL, webhook_id VARCHAR NOT NULL, event VARCHAR NOT NULL,
        round_id VARCHAR, topic_id VARCHAR NOT NULL, finished_at TIMESTAMP NOT NULL,
        topics INTEGER NOT NULL, places INTEGER NOT NULL, state VARCHAR NOT NULL,
        attempts INTEGER NOT NULL, next_at TIMESTAMP, tried_at TIMESTAMP, status INTEGER,
        reason VARCHAR NOT NULL);
    """
"""The schema's step for webhooks: where a server tells that topics and rounds are finished."""

MACHINES = """
    CREATE TABLE machines (
        collection_id VARCHAR, assessor_id VARCHAR, model VARCHAR NOT NULL,
        version VARCHAR NOT NULL, prompt VARCHAR NOT NULL, prompt_hash VARCHAR NOT NULL,
        parameters VARCHAR NOT NULL, judged_on VARCHAR NOT NULL, described_at TIMESTAMP NOT NULL,
        PRIMARY KEY (collection_id, assessor_id));
    CREATE TABLE machine_answers (
        event_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL, answer VARCHAR NOT NULL,
        reason VARCHAR NOT NULL, cost DOUBLE, input_tokens BIGINT, output_tokens BIGINT);
    """
"""The schema's step for machines that judge: what each is, and what it answered."""

MACHINE_JOBS = """
    CREATE TABLE machine_jobs (
        job_id VARCHAR PRIMARY KEY, collection_id VARCHAR NOT NULL, assessor_id VARCHAR NOT NULL,
        started_by VARCHAR NOT NULL, started_at TIMESTAMP NOT NULL, endpoint VARCHAR NOT NULL,
        model VARCHAR NOT NULL, prompt_hash VARCHAR NOT NULL, parameters VARCHAR NOT NULL,
        part VARCHAR NOT NULL, tries INTEGER NOT NULL, most_requests INTEGER, most_money DOUBLE,
        input_price DOUBLE, output_price DOUBLE);
    CREATE TABLE machine_items (
        job_id VARCHAR, place INTEGER, event_id UUID NOT NULL, topic_id VARCHAR NOT NULL,
        document_id VARCHAR NOT NULL, facet VARCHAR NOT NULL, engine VARCHAR NOT NULL,
        PRIMARY KEY (job_id, place));
    CREATE TABLE machine_requests (
        request_id UUID PRIMARY KEY, job_id VARCHAR NOT NULL, place INTEGER NOT NULL,
        attempt INTEGER NOT NULL, sent_at TIMESTAMP NOT NULL, reserved DOUBLE NOT NULL);
    CREATE TABLE machine_replies (
        request_id UUID PRIMARY KEY, job_id VARCHAR NOT NULL, outcome VARCHAR NOT NULL,
        reason VARCHAR NOT NULL, status INTEGER, cost DOUBLE, input_tokens BIGINT,
        output_tokens BIGINT, ended_at TIMESTAMP NOT NULL);
    """
"""The schema's step for jobs of machines: what is to be judged, what was sent, what came of it."""

SHOWING = """
    CREATE TABLE machine_rounds (
        round_id VARCHAR PRIMARY KEY, machine_id VARCHAR NOT NULL, draw_key VARCHAR NOT NULL);
    CREATE TABLE machine_shown (
        event_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL, assessor_id VARCHAR NOT NULL,
        topic_id VARCHAR NOT NULL, document_id VARCHAR NOT NULL, facet VARCHAR NOT NULL,
        engine VARCHAR NOT NULL, machine_id VARCHAR NOT NULL, level INTEGER NOT NULL,
        shown_at TIMESTAMP NOT NULL);
    """
"""The schema's step for rounds that show a machine's levels: whose they are, and who saw which."""

ORDERS = """
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
    """
"""The schema's step for rounds whose items are chosen by an order while labels come in."""

STOPPING = """
    CREATE TABLE stop_rules (
        collection_id VARCHAR PRIMARY KEY, rule VARCHAR NOT NULL, set_at TIMESTAMP NOT NULL);
    """
"""The schema's step for rules by which organisers want to be told that enough is judged."""

CLICK_LOGS = """
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
    """
"""The schema's step for click logs: what was shown to searchers, and what they clicked.

Pages are packed many to a row, see `core.collection.click_logs.packing`: a row for each of ten
million would take ten times the room."""

RENEWED = """
    ALTER TABLE public_pages ADD COLUMN new_labels INTEGER DEFAULT 100;
    ALTER TABLE public_pages ADD COLUMN new_people INTEGER DEFAULT 3;
    ALTER TABLE public_pages ADD COLUMN shown_until BIGINT DEFAULT 0;
    """
"""Results that are public: after how many labels and people a page is shown anew."""

PARADATA = """
    CREATE TABLE paradata (
        event_id UUID PRIMARY KEY, collection_id VARCHAR NOT NULL, shown_ms INTEGER,
        given_by VARCHAR, place INTEGER, x INTEGER, y INTEGER, furthest INTEGER,
        first_side VARCHAR, both_sides BOOLEAN, text_only BOOLEAN);
    """
"""The schema's step for how labels came about: times, presses, and what had been in view."""

DECLARED = """
    CREATE TABLE declarations (
        collection_id VARCHAR PRIMARY KEY, declared VARCHAR NOT NULL, set_at TIMESTAMP NOT NULL);
    """
"""The schema's step for what a study declares before its results are read."""
