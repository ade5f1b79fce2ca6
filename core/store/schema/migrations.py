"""The schema, as numbered steps that run once each on an empty or an old file.

To change the schema append a step; never edit one that has been released.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import StoreUnusable
from core.store.file.database import Cursor, Database
from core.store.schema import statements


@dataclass(frozen=True)
class Migration:
    """One step: SQL statements that belong together."""

    name: str
    statements: str


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        "collections",
        """
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
        """,
    ),
    Migration(
        "people",
        """
        CREATE TABLE people (
            person_id VARCHAR PRIMARY KEY, name VARCHAR NOT NULL, role VARCHAR NOT NULL,
            created_at TIMESTAMP NOT NULL, disabled_at TIMESTAMP);
        CREATE TABLE invitations (
            token_hash VARCHAR PRIMARY KEY, person_id VARCHAR NOT NULL,
            expires_at TIMESTAMP NOT NULL, used_at TIMESTAMP);
        CREATE TABLE sessions (
            token_hash VARCHAR PRIMARY KEY, person_id VARCHAR NOT NULL,
            created_at TIMESTAMP NOT NULL, expires_at TIMESTAMP NOT NULL, ended_at TIMESTAMP);
        CREATE TABLE members (
            collection_id VARCHAR, assessor_id VARCHAR, name VARCHAR NOT NULL,
            "group" VARCHAR NOT NULL, origin VARCHAR NOT NULL, dropped_at TIMESTAMP,
            PRIMARY KEY (collection_id, assessor_id));
        CREATE TABLE changes (
            time TIMESTAMP NOT NULL, person_id VARCHAR NOT NULL, collection_id VARCHAR NOT NULL,
            what VARCHAR NOT NULL, subject VARCHAR NOT NULL, detail VARCHAR NOT NULL);
        """,
    ),
    Migration(
        "labels",
        """
        CREATE TABLE labels (
            sequence BIGINT NOT NULL, event_id UUID PRIMARY KEY, supersedes UUID,
            collection_id VARCHAR NOT NULL, time TIMESTAMP NOT NULL, client_time VARCHAR NOT NULL,
            assessor_id VARCHAR NOT NULL, topic_id VARCHAR NOT NULL, document_id VARCHAR NOT NULL,
            facet VARCHAR NOT NULL, engine VARCHAR NOT NULL, occasion INTEGER NOT NULL,
            state VARCHAR NOT NULL, level INTEGER, dwell_ms INTEGER NOT NULL,
            comment VARCHAR NOT NULL, source VARCHAR NOT NULL, stale BOOLEAN NOT NULL);
        CREATE VIEW current_labels AS
            SELECT collection_id, assessor_id, topic_id, document_id, facet, engine, occasion,
                max(sequence) AS sequence,
                sum(dwell_ms)::BIGINT AS dwell_ms,
                arg_max({'event_id': event_id, 'state': state, 'level': level, 'time': time,
                         'comment': comment, 'source': source}, sequence) AS label
            FROM labels WHERE NOT stale GROUP BY ALL;
        """,
    ),
    Migration(
        "assessment",
        """
        CREATE TABLE rounds (
            round_id VARCHAR PRIMARY KEY, collection_id VARCHAR NOT NULL, name VARCHAR NOT NULL,
            judges INTEGER NOT NULL, flow VARCHAR NOT NULL, page_from INTEGER,
            depth INTEGER NOT NULL, batch_size INTEGER, lease_minutes INTEGER NOT NULL,
            repeat_share DOUBLE NOT NULL, seed BIGINT NOT NULL, created_at TIMESTAMP NOT NULL,
            closed_at TIMESTAMP);
        CREATE TABLE pool (
            round_id VARCHAR, topic_id VARCHAR, document_id VARCHAR, batch INTEGER NOT NULL,
            PRIMARY KEY (round_id, topic_id, document_id));
        CREATE TABLE slots (
            round_id VARCHAR, topic_id VARCHAR, batch INTEGER, slot INTEGER,
            assessor_id VARCHAR, reserved BOOLEAN NOT NULL, leased_until TIMESTAMP,
            finished_at TIMESTAMP);
        CREATE TABLE practice (
            collection_id VARCHAR, topic_id VARCHAR, document_id VARCHAR, facet VARCHAR,
            engine VARCHAR, level INTEGER NOT NULL, why VARCHAR NOT NULL,
            PRIMARY KEY (collection_id, topic_id, document_id, facet, engine));
        """,
    ),
    Migration(
        "gold",
        """
        CREATE TABLE gold (
            collection_id VARCHAR, topic_id VARCHAR, document_id VARCHAR, facet VARCHAR,
            engine VARCHAR, level INTEGER NOT NULL, marked_by VARCHAR NOT NULL,
            marked_at TIMESTAMP NOT NULL,
            PRIMARY KEY (collection_id, topic_id, document_id, facet, engine));
        """,
    ),
    Migration("verticals", "ALTER TABLE results ADD COLUMN vertical VARCHAR DEFAULT ''"),
    Migration(
        "lessons",
        """
        CREATE TABLE lessons (
            collection_id VARCHAR PRIMARY KEY, round_id VARCHAR NOT NULL, number INTEGER NOT NULL,
            most INTEGER NOT NULL, started_by VARCHAR NOT NULL, started_at TIMESTAMP NOT NULL,
            expires_at TIMESTAMP NOT NULL, stopped_at TIMESTAMP);
        """,
    ),
    Migration(
        "pairs",
        """
        CREATE TABLE pairs (
            collection_id VARCHAR, topic_id VARCHAR, pair_id VARCHAR, kind VARCHAR NOT NULL,
            first VARCHAR NOT NULL, second VARCHAR NOT NULL,
            PRIMARY KEY (collection_id, topic_id, pair_id));
        """,
    ),
    Migration(
        "signing in",
        """
        ALTER TABLE sessions ADD COLUMN seen_at TIMESTAMP;
        ALTER TABLE sessions ADD COLUMN how VARCHAR DEFAULT '';
        CREATE TABLE passwords (
            person_id VARCHAR PRIMARY KEY, hash VARCHAR NOT NULL, set_at TIMESTAMP NOT NULL);
        CREATE TABLE accounts (
            email VARCHAR PRIMARY KEY, person_id VARCHAR NOT NULL, subject VARCHAR NOT NULL,
            added_by VARCHAR NOT NULL, added_at TIMESTAMP NOT NULL);
        CREATE TABLE viewers (
            collection_id VARCHAR, person_id VARCHAR, added_at TIMESTAMP NOT NULL,
            PRIMARY KEY (collection_id, person_id));
        """,
    ),
    Migration("rounds", statements.ROUNDS),
    Migration("kinds of members", statements.MEMBER_KINDS),
    Migration("erased people", statements.ERASED_PEOPLE),
    Migration("qualifying tests", statements.QUALIFYING_TESTS),
    Migration("consents", statements.CONSENTS),
    Migration(
        "steps of lessons",
        """
        ALTER TABLE lessons ADD COLUMN revealed_at TIMESTAMP;
        ALTER TABLE lessons ADD COLUMN timer_until TIMESTAMP;
        """,
    ),
    Migration(
        "languages of collections",
        "ALTER TABLE collections ADD COLUMN language VARCHAR DEFAULT 'en'",
    ),
    Migration("questions and guidelines", statements.QUESTIONS),
    Migration("aspects", statements.ASPECTS),
    Migration("rules of qualifying tests", statements.TEST_RULES),
    Migration("reasons of preferences", statements.PREFERENCE_REASONS),
    Migration("passages", statements.PASSAGES),
    Migration("seen afterwards", statements.AFTERWARDS),
    Migration("merged stores", statements.MERGED),
    Migration("public results", statements.PUBLIC),
    Migration("tokens", statements.TOKENS),
    Migration("bundles of public results", statements.BUNDLES),
    Migration("webhooks", statements.WEBHOOKS),
    Migration("machines", statements.MACHINES),
    Migration("jobs of machines", statements.MACHINE_JOBS),
    Migration("showing machines", statements.SHOWING),
    Migration("orders of rounds", statements.ORDERS),
    Migration("stop rules", statements.STOPPING),
    Migration("click logs", statements.CLICK_LOGS),
    Migration("renewed public pages", statements.RENEWED),
    Migration("paradata", statements.PARADATA),
    Migration("declarations", statements.DECLARED),
    Migration("hidden pace", "ALTER TABLE collections ADD COLUMN hides_pace BOOLEAN DEFAULT false"),
)


_RECORD = (
    "CREATE TABLE IF NOT EXISTS migrations "
    "(number INTEGER PRIMARY KEY, name VARCHAR, applied_at TIMESTAMPTZ)"
)


def migrate(database: Database, steps: tuple[Migration, ...] = MIGRATIONS) -> int:
    """Bring a database up to date and return how many steps were run.

    Raises
    ------
    StoreUnusable
        The file was written by a newer version of Dissent.
    """
    cursor = database.cursor()
    cursor.execute(_RECORD)
    done = len(cursor.execute("SELECT number FROM migrations").fetchall())
    refuse_newer(database.path, done, steps)
    rest = list(enumerate(steps, start=1))[done:]
    # An empty file takes all of them in one transaction, as nothing in it can be in their way.
    for together in [[one] for one in rest] if done or not rest else [rest]:
        with database.write() as writing:
            for _, step in together:
                writing.execute(step.statements)
            values = [[number for number, _ in together], [step.name for _, step in together]]
            writing.execute("INSERT INTO migrations SELECT unnest(?), unnest(?), now()", values)
    return len(rest)


def define(cursor: Cursor, steps: Sequence[Migration]) -> None:
    """Make in an empty database what a store defines after these steps."""
    cursor.execute(_RECORD)
    for step in steps:
        cursor.execute(step.statements)


def refuse_newer(place: object, done: int, steps: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Raise StoreUnusable for a store that has more steps behind it than are known."""
    if done > len(steps):
        raise StoreUnusable(
            f"The store {place} was written by a newer version of Dissent; "
            "upgrade Dissent to open it."
        )


def refuse_older(place: object, done: int, steps: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Raise StoreUnusable for a store that lacks steps, where it is to stay as it is."""
    if done < len(steps):
        raise StoreUnusable(
            f"The store {place} was written by an earlier version of Dissent, and reading "
            "it changes nothing. Open it once with 'dissent serve', which brings it up to date."
        )
