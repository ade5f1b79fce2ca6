"""Each proof finds the fault it is there for, in an otherwise whole store; nothing is changed."""

import hashlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from core.command.check import CHECKS, check_store
from core.command.checks.proofs import check_finished, check_use
from core.demo import load_demo
from core.settings import ROOT
from core.store.backup.backup import write_backup
from core.store.check.check_files import check_key, check_schema, check_tables
from core.store.check.integrity import CheckResult
from core.store.file import file_blocks as blocks
from core.store.file.database import Database
from core.store.file.file_blocks import BEGIN, BLOCK
from core.store.file.write_ahead_log import log_of
from core.store.store import Store
from tests.short import few, long


@pytest.fixture(scope="module")
def whole(whole_study: tuple[Path, str, str]) -> Path:
    return whole_study[0]


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    for file in whole.parent.iterdir():
        shutil.copy2(file, tmp_path)
    return tmp_path / whole.name


def alter(path: Path, *statements: str) -> None:
    with duckdb.connect(path) as database:
        for statement in statements:
            database.execute(statement)


def faults(path: Path, *, by_use: bool = False) -> dict[str, set[str]]:
    proofs = check_store(path, by_use=by_use)
    found = {one.proof: {fault.what for fault in one.faults} for one in proofs}
    return {proof: what for proof, what in found.items() if what}


def digests(folder: Path) -> dict[str, str]:
    return {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in folder.iterdir()}


@long
def test_people_are_told_that_a_store_is_whole(dissent, copy):
    result = dissent("check", copy)
    assert (result.status, result.err) == (0, "")
    assert result.out.endswith("\nThe store is whole.\n")


def test_a_store_in_use_of_every_kind_is_whole(dissent, copy):
    before = digests(copy.parent)
    result = dissent("check", copy, "--format", "json")
    assert (result.status, result.err, result.json["whole"]) == (0, "", True)
    assert digests(copy.parent) == before
    told = {one["name"]: one for one in result.json["proofs"]}
    assert all(one["holds"] and one["checked"] for name, one in told.items() if name != "log")
    assert told["replay"]["notes"] == ["1 stale events are kept as history"]
    assert told["keys"]["notes"][0].startswith("1 imported labels")


LABEL = "(SELECT min(sequence) FROM labels WHERE source = 'judged' AND facet = 'page')"
ANNA = "(SELECT person_id FROM people WHERE name = 'Anna')"
STUDY = "(SELECT collection_id FROM collections WHERE name = 'Study')"
EVENT = f"UPDATE labels SET {{}} WHERE sequence = {LABEL}"
ROUND = f"(SELECT round_id FROM rounds WHERE judges = 2 AND collection_id = {STUDY})"
PAIRED = "(SELECT min(sequence) FROM labels WHERE facet LIKE '% pair')"
REPLACING = "supersedes IS NOT NULL AND NOT stale"

ANOTHER_VIEW = (
    "CREATE OR REPLACE VIEW current_labels AS SELECT collection_id, assessor_id, topic_id, "
    "document_id, facet, engine, occasion, min(sequence) AS sequence, 0 AS dwell_ms, "
    "arg_min({'event_id': event_id, 'state': state, 'level': level, 'time': time, 'comment': "
    "comment, 'source': source}, sequence) AS label FROM labels WHERE NOT stale GROUP BY ALL"
)

BROKEN = [
    ("sequence", "events are missing", f"DELETE FROM labels WHERE sequence = {LABEL}"),
    ("sequence", "a number is used twice", EVENT.format("sequence = 1")),
    (
        "sequence",
        "an event comes after a later one",
        "CREATE TABLE kept AS FROM labels; DELETE FROM labels; CHECKPOINT; "
        "INSERT INTO labels FROM kept ORDER BY sequence DESC; DROP TABLE kept",
    ),
    (
        "supersedes",
        "an event replaces one of another label",
        "UPDATE labels SET supersedes = (SELECT event_id FROM labels WHERE sequence = 1) "
        "WHERE sequence = 3",
    ),
    (
        "supersedes",
        "an event replaces itself or a later one",
        EVENT.format("supersedes = event_id"),
    ),
    (
        "replay",
        "an event counts although another label was current",
        "UPDATE labels SET stale = false WHERE stale",
    ),
    (
        "replay",
        "an event is said to be of another site although nothing contradicted it",
        f"INSERT INTO labels_of_two_sites SELECT event_id, {STUDY} FROM labels "
        f"WHERE sequence = {LABEL}",
    ),
    (
        "replay",
        "an event is marked stale although nothing contradicted it",
        f"UPDATE labels SET stale = true WHERE {REPLACING}",
    ),
    (
        "standing",
        "a label has events but none of them is current",
        "UPDATE labels SET stale = true WHERE facet LIKE '% pair'",
    ),
    (
        "schema",
        "the file defines what Dissent does not: restore a backup",
        ANOTHER_VIEW,
    ),
    ("levels", "state and level do not fit", EVENT.format("state = 'later'")),
    ("levels", "state and level do not fit", EVENT.format("level = NULL")),
    ("levels", "state and level do not fit", EVENT.format("state = 'odd', level = NULL")),
    ("levels", "a label's level is not on the scale", EVENT.format("level = 77")),
    (
        "levels",
        "a preference is none of the five possible choices",
        f"UPDATE labels SET level = 3 WHERE sequence = {PAIRED}",
    ),
    ("levels", "a gold item's level is not on the scale", "UPDATE gold SET level = 9"),
    ("levels", "a practice item's level is not on the scale", "UPDATE practice SET level = 9"),
    (
        "levels",
        "a level counts as one that is not on the scale",
        "UPDATE levels SET counts_as = 9 WHERE level = 4",
    ),
    ("keys", "a judged topic does not exist", "DELETE FROM topics WHERE topic_id = 't2'"),
    ("keys", "a judged document does not exist", "DELETE FROM documents WHERE document_id = 'd2'"),
    ("keys", "a judged snippet does not exist", "DELETE FROM results WHERE engine = 'e2'"),
    ("keys", "a judged pair does not exist", "DELETE FROM pairs"),
    (
        "keys",
        "a preference does not say which item was on which side",
        f"UPDATE labels SET engine = '' WHERE sequence = {PAIRED}",
    ),
    (
        "keys",
        "the pool has a topic that does not exist",
        "UPDATE pool SET topic_id = 'x' WHERE document_id = 'd2' AND topic_id = 't1'",
    ),
    (
        "keys",
        "the pool has a document that does not exist",
        "UPDATE pool SET document_id = 'x' WHERE document_id = 'd2'",
    ),
    ("keys", "the pool has a pair that does not exist", "DELETE FROM pairs"),
    ("keys", "a practice item does not exist", "UPDATE practice SET document_id = 'x'"),
    ("keys", "a gold item was never judged", "UPDATE gold SET document_id = 'd6'"),
    (
        "owners",
        "rows of a collection that does not exist",
        "INSERT INTO qrels VALUES ('nowhere', 'q', 't1', '0', 'd1', 1)",
    ),
    (
        "owners",
        "rows of a round that does not exist",
        "INSERT INTO pool VALUES ('r-gone', 't1', 'd1', 0)",
    ),
    ("owners", "rows of a person that does not exist", "DELETE FROM people WHERE name = 'Olga'"),
    ("owners", "a label's author is not known here", EVENT.format("assessor_id = 'nobody'")),
    (
        "owners",
        "a label's author is not known here",
        "UPDATE labels SET assessor_id = 'old' WHERE source = 'adjudicated'",
    ),
    (
        "k",
        "a batch does not have k slots",
        f"DELETE FROM slots WHERE slot = 1 AND topic_id = 't1' AND round_id = {ROUND}",
    ),
    (
        "k",
        "a slot belongs to a batch without items to judge",
        f"INSERT INTO slots VALUES ({ROUND}, 't1', 7, 0, NULL, false, NULL, NULL)",
    ),
    (
        "k",
        "a slot exists twice",
        f"UPDATE slots SET slot = 0 WHERE round_id = {ROUND}",
    ),
    (
        "k",
        "an assessor holds two slots of one batch",
        f"UPDATE slots SET assessor_id = {ANNA} WHERE round_id = {ROUND}",
    ),
    (
        "k",
        "a slot is held by somebody who is not an assessor of the collection",
        f"UPDATE slots SET assessor_id = 'nobody' WHERE round_id = {ROUND} AND slot = 1",
    ),
    (
        "k",
        "a slot is finished but has no assessor",
        "UPDATE slots SET assessor_id = NULL WHERE finished_at IS NOT NULL",
    ),
    (
        "finished",
        "a slot is marked as finished but is not judged completely",
        "UPDATE slots SET finished_at = now()::TIMESTAMP, assessor_id = (SELECT person_id FROM "
        f"people WHERE name = 'Bob') WHERE round_id = {ROUND} AND slot = 1",
    ),
    (
        "finished",
        "a slot is marked as finished but is not judged completely",
        "UPDATE slots SET finished_at = now()::TIMESTAMP + INTERVAL 1 HOUR WHERE finished_at IS "
        f"NOT NULL; UPDATE labels SET state = 'later', level = NULL WHERE sequence = {PAIRED}",
    ),
    (
        "words",
        "a question is about a topic that does not exist",
        "UPDATE questions SET topic_id = 'x'",
    ),
    (
        "words",
        "a question is about a document that does not exist",
        "UPDATE questions SET document_id = 'x'",
    ),
    (
        "words",
        "a question's author is not known here",
        "UPDATE questions SET assessor_id = 'nobody'",
    ),
    (
        "words",
        "a question that was acknowledged is missing",
        "DELETE FROM questions WHERE text = 'Is it new?'",
    ),
    (
        "words",
        "an answer is to a question of nobody or of somebody else",
        "UPDATE notices SET assessor_id = 'old' WHERE question_id IS NOT NULL",
    ),
    (
        "words",
        "an answer is to a question of nobody or of somebody else",
        "UPDATE notices SET question_id = uuid() WHERE question_id IS NOT NULL",
    ),
    (
        "words",
        "the guidelines are not those of their latest version",
        f"UPDATE collections SET guidelines = 'Other.' WHERE collection_id = {STUDY}",
    ),
    (
        "words",
        "versions of the guidelines are not in order",
        f"DELETE FROM guidelines_versions WHERE number = 1 AND collection_id = {STUDY}",
    ),
    (
        "paradata",
        "paradata belong to no label event of their collection",
        "UPDATE paradata SET event_id = uuid() WHERE place = 1",
    ),
    (
        "paradata",
        "paradata are out of bounds",
        "UPDATE paradata SET x = 1001",
    ),
    (
        "passages",
        "a passage belongs to no label event of its collection",
        "UPDATE passages SET event_id = uuid()",
    ),
    (
        "passages",
        "a passage is of what is neither a snippet nor a page",
        f"UPDATE passages SET event_id = (SELECT event_id FROM labels WHERE sequence = {PAIRED})",
    ),
    (
        "passages",
        "a passage is missing, or one is there twice",
        "DELETE FROM passages WHERE number = 1",
    ),
    (
        "passages",
        "passages overlap or end before they begin",
        "UPDATE passages SET start_offset = 0 WHERE number = 2",
    ),
    (
        "passages",
        "passages of one event are of two texts",
        "UPDATE passages SET text_hash = 'x' WHERE number = 2",
    ),
    (
        "passages",
        "a passage reaches past the end of its text",
        "UPDATE passages SET end_offset = 10000 WHERE number = 2",
    ),
    (
        "aspects",
        "a level of an aspect belongs to no label of its collection",
        "UPDATE aspect_labels SET event_id = uuid() WHERE aspect = 'trust'",
    ),
    (
        "aspects",
        "a label without a level has one of an aspect",
        "UPDATE labels SET state = 'later', level = NULL WHERE event_id IN "
        "(SELECT event_id FROM aspect_labels)",
    ),
    (
        "aspects",
        "an aspect of a label is not defined, or not for such items",
        "UPDATE aspects SET facet = 'snippet' WHERE name = 'trust'",
    ),
    (
        "aspects",
        "a label's level is not on the scale of its aspect",
        "UPDATE aspect_labels SET level = 9 WHERE aspect = 'trust'",
    ),
    (
        "aspects",
        "a level of an aspect counts as one that is not on its scale",
        "UPDATE aspect_levels SET counts_as = 9 WHERE level = 1",
    ),
    ("aspects", "an aspect has no scale", "DELETE FROM aspect_levels WHERE aspect = 'age'"),
    ("aspects", "levels are of no aspect", "DELETE FROM aspects WHERE name = 'age'"),
    (
        "tests",
        "rules of a test cannot be followed",
        "UPDATE pass_marks SET attempts = 0",
    ),
    (
        "tests",
        "an attempt at a test has none before it",
        "UPDATE labels SET occasion = -3 WHERE occasion = -1",
    ),
    (
        "machines",
        "a machine is described that is no member of its collection",
        "UPDATE machines SET assessor_id = 'nobody'",
    ),
    (
        "machines",
        "a round shows the levels of somebody who is no member of its collection",
        "INSERT INTO machine_rounds SELECT min(round_id), 'nobody', '00' FROM rounds",
    ),
    (
        "machines",
        "an answer belongs to no label event of its collection",
        "UPDATE machine_answers SET event_id = uuid() WHERE answer = '2'",
    ),
    (
        "machines",
        "an answer of which no level can be read is no machine's",
        EVENT.format("state = 'invalid answer', level = NULL"),
    ),
    (
        "machines",
        "parameters are no JSON object",
        "UPDATE machines SET parameters = '[]'",
    ),
    (
        "machine jobs",
        "a job belongs to no collection",
        "UPDATE machine_jobs SET collection_id = 'c-0'",
    ),
    ("machine jobs", "an item belongs to no job", "DELETE FROM machine_jobs"),
    (
        "machine jobs",
        "a label is not about the item that it was given for",
        "UPDATE machine_items SET document_id = 'd5' WHERE place = 0",
    ),
    (
        "machine jobs",
        "a request belongs to no item",
        "UPDATE machine_requests SET place = 7 WHERE place = 1",
    ),
    (
        "machine jobs",
        "requests for an item are not numbered from 1",
        "UPDATE machine_requests SET attempt = 2 WHERE place = 1",
    ),
    (
        "machine jobs",
        "a reply belongs to no request",
        "DELETE FROM machine_requests WHERE place = 1",
    ),
    (
        "machine jobs",
        "nothing is known to come of a reply",
        "UPDATE machine_replies SET outcome = 'lost'",
    ),
    (
        "machine jobs",
        "an item was answered and has no label",
        "UPDATE machine_items SET event_id = uuid() WHERE place = 0",
    ),
    (
        "machine jobs",
        "an item was given up and has a label",
        "UPDATE machine_replies SET outcome = 'given up'",
    ),
    (
        "reasons",
        "a reason belongs to no preference",
        "UPDATE preference_reasons SET event_id = uuid()",
    ),
    (
        "reasons",
        "a preference has a reason twice",
        "INSERT INTO preference_reasons FROM preference_reasons",
    ),
    (
        "reasons",
        "more reasons are offered than there may be",
        "INSERT INTO reason_choices SELECT collection_id, range, 'x' FROM reason_choices, range(9)",
    ),
    (
        "afterwards",
        "a label given after seeing others carries no mark",
        "DELETE FROM labels_after_seeing",
    ),
    (
        "afterwards",
        "a label carries a mark although nothing of others was seen",
        f"INSERT INTO labels_after_seeing SELECT event_id, {STUDY} FROM labels "
        f"WHERE sequence = {LABEL}",
    ),
    (
        "afterwards",
        "a mark belongs to no label of its collection",
        f"INSERT INTO labels_after_seeing VALUES (uuid(), {STUDY})",
    ),
    (
        "afterwards",
        "an item was shown of a topic that was not opened",
        "UPDATE items_seen SET topic_id = 't2'",
    ),
    (
        "afterwards",
        "a topic was opened by somebody who is not known here",
        "UPDATE topics_seen SET assessor_id = 'nobody'",
    ),
    ("afterwards", "a topic that was opened is missing", "DELETE FROM topics_seen"),
    (
        "afterwards",
        "a machine's level was shown that follows no judgement of the item",
        "UPDATE machine_shown SET document_id = 'd2'",
    ),
    (
        "afterwards",
        "a machine's level was shown twice of an item",
        "INSERT INTO machine_shown SELECT * REPLACE (uuid() AS event_id) FROM machine_shown",
    ),
    (
        "webhooks",
        "a message is to a webhook that does not exist",
        "UPDATE webhook_deliveries SET webhook_id = 'w-0'",
    ),
    (
        "webhooks",
        "a message tells of another collection",
        "UPDATE webhooks SET collection_id = 'c-0'",
    ),
    (
        "webhooks",
        "a message tells of a topic that is not in its round",
        "UPDATE webhook_deliveries SET topic_id = 't99' WHERE event = 'topic.finished'",
    ),
    (
        "webhooks",
        "the same is told twice",
        "INSERT INTO webhook_deliveries FROM webhook_deliveries",
    ),
    (
        "webhooks",
        "a message is neither sent nor to be sent",
        "UPDATE webhook_deliveries SET state = 'due'",
    ),
    ("rules", "a rule cannot be read", "UPDATE qrels_rules SET rule = '{'"),
    (
        "rules",
        "a rule is not the one that was saved",
        'UPDATE qrels_rules SET rule = \'{"name": "mine", "combine": "mean"}\'',
    ),
    ("rules", "a rule is not the one that was saved", "DELETE FROM changes WHERE what = 'save'"),
    (
        "schema",
        "a step is missing: start this version of Dissent on the store",
        "DELETE FROM migrations WHERE name = 'gold'",
    ),
    (
        "schema",
        "a step is missing: start this version of Dissent on the store",
        "DROP TABLE migrations",
    ),
    (
        "orders",
        "a document is handed out that the order has not chosen",
        "DELETE FROM chosen_items WHERE place = 1",
    ),
    (
        "orders",
        "a document was chosen and is not handed out",
        "UPDATE chosen_items SET batch = 7 WHERE place = 1",
    ),
    (
        "orders",
        "a document was chosen that could not be",
        "DELETE FROM round_candidates",
    ),
    (
        "orders",
        "a round without an order has documents to choose from",
        "DELETE FROM round_orders",
    ),
    (
        "orders",
        "a document can be chosen that does not exist",
        "INSERT INTO round_candidates SELECT round_id, 't1', 'gone' FROM round_orders",
    ),
    (
        "orders",
        "a probability is not above 0 and at most 1",
        "UPDATE chosen_items SET probability = 1.5 WHERE place = 2",
    ),
    ("orders", "more was chosen than the budget", "UPDATE round_orders SET budget = 1"),
    (
        "schema",
        "a step that this version of Dissent does not know",
        "INSERT INTO migrations VALUES (999, 'later', now())",
    ),
]


Check = Callable[[Store], CheckResult]


@long
def test_nothing_is_broken_yet(copy):
    assert faults(copy, by_use=True) == {}


FIRST = {case[0]: case for case in reversed(BROKEN)}
"""One fault of each proof, for the short form."""

CASES = [pytest.param(*case, marks=() if FIRST[case[0]] is case else long) for case in BROKEN]


@pytest.mark.parametrize(("proof", "what", "statements"), CASES)
def test_what_is_broken_is_found(
    copy, proof: str, what: str, statements: str, long_form: bool, ways: dict[str, Check]
):
    """The short form asks one proof alone."""
    alter(copy, *statements.split(";"))
    assert what in (faults(copy).get(proof, set()) if long_form else ask(copy, proof, ways))


@pytest.fixture(scope="module")
def ways(whole: Path) -> dict[str, Check]:
    """How each proof of an open store is made, by its name."""
    with closing(Store(whole, read_only=True)) as store:
        return {check(store).proof: check for check in (*CHECKS, check_finished)}


def ask(path: Path, proof: str, ways: dict[str, Check]) -> set[str]:
    """Return what a proof finds, without the other proofs."""
    if proof == "schema":
        return {fault.what for fault in check_schema(path).faults}
    with closing(Store(path, read_only=True)) as store:
        return {fault.what for fault in ways[proof](store).faults}


LAST = "the label that the store gives as current is not the last event"


def test_what_stands_is_proved_on_its_own(copy, monkeypatch, ways):
    """Another view is refused before it is asked, unless that guard is taken out."""
    alter(copy, ANOTHER_VIEW)
    for place in (
        "core.store.check.check_files.find_foreign",
        "core.store.schema.catalogue.find_foreign",
    ):
        monkeypatch.setattr(place, lambda *_: [])
    assert LAST in ask(copy, "standing", ways)


def test_every_fault_that_sql_can_find_is_shown_above():
    from core.store.check.check_attachments import AFTERWARDS, ASPECTS, PARADATA, PASSAGES, REASONS
    from core.store.check.check_labels import LABEL_PROOFS
    from core.store.check.check_messages import WEBHOOKS, WORDS
    from core.store.check.check_references import KEYS
    from core.store.check.check_rounds import ORDERS, SLOTS, TESTS

    also = (ASPECTS, PARADATA, PASSAGES, TESTS, REASONS, AFTERWARDS, WEBHOOKS)
    proofs = (*LABEL_PROOFS, KEYS, SLOTS, ORDERS, WORDS, *also)
    known = {(proof.name, what) for proof in proofs for what in proof.faults}
    assert known <= {(proof, what) for proof, what, _ in BROKEN} | {("standing", LAST)}


@pytest.mark.parametrize("words", few([("--no-copy",), ()]))
def test_a_fault_is_told_with_its_place_and_ends_in_status_1(dissent, copy, words):
    alter(copy, EVENT.format("level = 77"))
    result = dissent("check", copy, *words)
    assert result.status == 1
    assert "FAULT    levels" in result.out
    assert "levels, fault: a label's level is not on the scale (1)" in result.out
    assert "topic t1" in result.out or "topic t2" in result.out
    assert result.out.endswith("The store has faults.\n")


@long
def test_programs_are_told_how_often_a_fault_is_there(dissent, copy):
    alter(copy, EVENT.format("level = 77"))
    told = dissent("check", copy, "--format", "json")
    assert (told.status, told.json["whole"]) == (1, False)
    (levels,) = [one for one in told.json["proofs"] if not one["holds"]]
    assert levels["faults"][0]["count"] == 1


@long
def test_many_places_are_counted_and_the_first_are_listed(dissent, tmp_path):
    path = tmp_path / "demo.duckdb"
    store = Store(path)
    load_demo(store)
    store.close()
    alter(path, "UPDATE labels SET level = 77")
    out = dissent("check", path, "--no-copy").out
    assert "… and 3,365 more" in out


@long
def test_files_that_came_after_finishing_are_no_fault(dissent, copy):
    alter(
        copy,
        "INSERT INTO results SELECT collection_id, topic_id, 'e3', document_id, rank, snippet, '' "
        "FROM results WHERE engine = 'e1'",
        f"INSERT INTO changes VALUES (now()::TIMESTAMP + INTERVAL 1 DAY, '', {STUDY}, 'import', "
        "'results from more.tsv', '')",
    )
    result = dissent("check", copy, "--no-copy")
    assert result.status == 0
    assert "finished batches now have more to judge" in result.out


@long
def test_surplus_labels_are_reported_and_no_fault(dissent, copy):
    alter(copy, "UPDATE slots SET assessor_id = NULL, finished_at = NULL WHERE slot = 0")
    result = dissent("check", copy, "--no-copy")
    assert result.status == 0
    assert "labels are surplus" in result.out


@pytest.mark.parametrize(
    ("content", "mode", "what"),
    [
        ("A" * 64, 0o600, "too simple"),
        pytest.param("secret", 0o600, "too short", marks=long),
        pytest.param(None, 0o644, "chmod 600", marks=long),
    ],
)
def test_a_key_that_others_know_or_guess_is_a_fault(copy, content, mode, what, long_form):
    key = copy.with_name(copy.name + ".key")
    if content:
        key.write_text(content)
    key.chmod(mode)
    (found,) = faults(copy)["key"] if long_form else {one.what for one in check_key(copy).faults}
    assert what in found


@long
def test_a_store_without_a_key_yet_is_whole(copy):
    copy.with_name(copy.name + ".key").unlink()
    assert faults(copy) == {}


@pytest.fixture
def killed(copy: Path) -> Path:
    """A store whose server was killed: its latest events are in the log only."""
    script = (
        "import os, signal, sys, uuid; from pathlib import Path\n"
        "from core.store.events.labels import Key, LabelEvent; from core.store.store import Store\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for n in range(50):\n"
        "    key = Key('t1', 'd1', 'page', '', 'old', n + 1)\n"
        "    event = LabelEvent(str(uuid.uuid4()), None, key, 'level', 1, source='imported')\n"
        "    store.labels.append(sys.argv[2], [event])\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    with duckdb.connect(copy, read_only=True) as database:
        (collection_id,) = database.execute(f"SELECT {STUDY}").fetchone()
    ended = subprocess.run([sys.executable, "-c", script, str(copy), collection_id], cwd=ROOT)
    assert ended.returncode == -signal.SIGKILL
    assert log_of(copy).stat().st_size > 0
    return copy


@long
def test_the_log_of_a_killed_server_is_proved_and_left_alone(dissent, killed):
    before = digests(killed.parent)
    told = dissent("check", killed, "--format", "json")
    assert told.status == 0
    log, *_ = told.json["proofs"]
    assert log["checked"] >= 50
    assert digests(killed.parent) == before


def test_a_damaged_log_is_found_before_it_drops_anything(killed):
    log = log_of(killed)
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 1
    log.write_bytes(content)
    (found,) = faults(killed)["log"]
    assert "copy the store" in found


def test_blocks_that_do_not_fit_their_checksum_are_found(tmp_path):
    path = tmp_path / "demo.duckdb"
    store = Store(path)
    load_demo(store)
    store.close()
    content = bytearray(path.read_bytes())
    place = content.find(b"guitar")
    assert place > 0
    content[place] ^= 1
    path.write_bytes(content)
    assert "blocks" in faults(path)


def flip(path: Path, block: int, place: int = 100_000) -> None:
    content = bytearray(path.read_bytes())
    content[BEGIN + block * BLOCK + place] ^= 1
    path.write_bytes(content)


def find_index_block(path: Path, question: str = "SELECT 1") -> int:
    """Return a block whose damage no table shows; with a question, one on which that fails."""
    count = (path.stat().st_size - BEGIN) // BLOCK
    for block in range(count - 1, 0, -1):
        flip(path, block)
        with closing(Database(path, read_only=True)) as database:
            is_index = not check_tables(database).faults
            is_asked = question == "SELECT 1" or not can_answer(database, question)
        flip(path, block)
        if is_index and is_asked:
            return block
    raise AssertionError("there is no such index")


def can_answer(database: Database, question: str) -> bool:
    try:
        database.cursor().execute(question).fetchall()
    except duckdb.Error:
        return False
    return True


@long
def test_a_damaged_index_is_found_by_its_blocks_or_by_its_use(copy, monkeypatch):
    flip(copy, find_index_block(copy))
    assert set(faults(copy)) == {"blocks"}
    monkeypatch.setattr(blocks, "VERIFIED", frozenset())
    assert "indexes" in faults(copy, by_use=True)
    assert "indexes" not in faults(copy)


@long
def test_an_index_on_which_a_proof_itself_fails_is_a_fault(copy, monkeypatch):
    with duckdb.connect(copy, read_only=True) as raw:
        (round_id,) = raw.execute("SELECT min(round_id) FROM rounds").fetchone()
    flip(copy, find_index_block(copy, f"FROM rounds WHERE round_id = '{round_id}'"))
    monkeypatch.setattr(blocks, "VERIFIED", frozenset())
    assert faults(copy, by_use=True).keys() == {"answers"}


@long
def test_a_table_that_cannot_be_read_ends_the_proofs(copy, monkeypatch):
    flip(copy, 1)
    monkeypatch.setattr(blocks, "VERIFIED", frozenset())
    assert [one.proof for one in check_store(copy)][-1] == "tables"
    assert faults(copy).keys() == {"tables"}


@long
def test_of_a_format_that_is_not_known_nothing_is_claimed(dissent, copy, monkeypatch):
    monkeypatch.setattr(blocks, "VERIFIED", frozenset({(1000, 70)}))
    told = dissent("check", copy, "--format", "json")
    assert (told.status, told.json["whole"]) == (0, None)
    (found,) = [one for one in told.json["proofs"] if one["holds"] is None]
    assert found["name"] == "blocks"
    assert found["unknown"].startswith("its format, 999.69, is none")


@long
def test_what_was_not_tried_is_said(dissent, copy):
    result = dissent("check", copy, "--no-copy")
    assert result.status == 0
    assert "unknown  indexes: " in result.out
    assert "\nuse, unknown: this was not requested\n" in result.out
    assert result.out.endswith(
        "\nNo fault was found, but not everything could be checked: indexes, use.\n"
    )


@long
def test_a_fault_beside_something_unknown_is_a_fault(dissent, copy):
    alter(copy, EVENT.format("level = 77"))
    told = dissent("check", copy, "--no-copy", "--format", "json")
    assert (told.status, told.json["whole"]) == (1, False)


def give_up(*_: object) -> None:
    raise duckdb.IOException('Could not write file "x": No space left on device')


@long
@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_where_no_copy_can_be_made_nothing_is_claimed_of_use(copy):
    """Files may grow to less than the store, as on a disk without room for more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, before[1]))
    try:
        found = check_store(copy)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    unknown = {one.proof: one.unknown for one in found if one.holds is None}
    assert unknown.keys() == {"indexes", "use"}
    assert unknown["use"] == "no copy could be made: File too large"
    assert not any(one.faults for one in found)


@long
@pytest.mark.parametrize(
    ("place", "proof"),
    [
        ("core.store.check.check_copies._put_back", "indexes"),
        ("core.command.checks.proofs.use_store", "use"),
    ],
)
def test_where_a_copy_has_no_room_to_grow_nothing_is_claimed(copy, monkeypatch, place, proof):
    monkeypatch.setattr(place, give_up)
    found = check_store(copy)
    assert [one.proof for one in found if one.holds is None] == [proof]
    assert not any(one.faults for one in found)


@pytest.fixture
def undecided(monkeypatch):
    """Nobody can decide where people disagree."""

    def fail(*_: object) -> None:
        raise RuntimeError("nobody can decide\nat all")

    monkeypatch.setattr("core.command.checks.everyday.adjudicate", fail)


@long
def test_what_cannot_be_done_any_more_is_named(copy, undecided):
    (fault,) = check_use(copy).faults
    assert fault.places == ("deciding where people disagree: nobody can decide",)


@long
def test_what_cannot_be_done_any_more_is_printed(dissent, copy, undecided):
    result = dissent("check", copy)
    assert result.status == 1
    assert "deciding where people disagree: nobody can decide\n" in result.out


@long
def test_no_copy_is_left_behind(copy, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("core.command.checks.proofs.use_store", give_up)
    check_store(copy)
    assert os.listdir(tmp_path / "scratch") == []


@long
def test_a_backup_is_proved_by_restoring_it(dissent, copy, tmp_path):
    store = Store(copy)
    write_backup(store, tmp_path / "b.zip")
    store.close()
    told = dissent("check", tmp_path / "b.zip", "--format", "json")
    assert told.status == 0
    names = [one["name"] for one in told.json["proofs"]]
    assert names[0] == "backup"
    assert {"replay", "k"} <= set(names)
    assert not {"log", "key", "acknowledged"} & set(names)
    alter(copy, EVENT.format("level = 77"))
    store = Store(copy)
    write_backup(store, tmp_path / "bad.zip")
    store.close()
    assert dissent("check", tmp_path / "bad.zip", "--no-copy").status == 1


@long
def test_a_store_that_a_server_holds_is_left_to_it(dissent, held_store):
    result = dissent("check", held_store)
    assert result.status == 1
    assert "is open in process" in result.err


def test_what_is_no_store_is_said(dissent, tmp_path):
    assert "There is no store" in dissent("check", tmp_path / "none.duckdb").err
    assert "is no file" in dissent("check", tmp_path).err
    (tmp_path / "letter").write_text("Dear all " * 1000)
    result = dissent("check", tmp_path / "letter")
    assert result.status == 1
    assert "cannot be opened" in result.err
    assert os.listdir(tmp_path) == ["letter"]
