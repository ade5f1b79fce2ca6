"""Small files that were once misread: the right value or a refusal, the same by four doors.

The doors are a program's import, ``dissent import``, ``dissent evaluate`` or ``agreement``, and
Python.
"""

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import dissent
from core.command.main import main
from core.errors import BadInput
from core.store.content.collections import create_collection
from core.store.people.people import add_person
from core.store.people.tokens import make_token
from core.store.store import Store
from tests.each import each
from tests.pages.api.v1.described_client import DescribedClient, open_client

QRELS = "301 0 LA 1\n301 0 FT 0\n301 0 LB 0\n"
RUN = "301 Q0 LA 1 9.5 r\n301 Q0 FT 2 8.5 r\n301 Q0 LB 3 7.5 r\n"
READ = {"runs": dissent.read_runs, "qrels": dissent.read_qrels, "labels": dissent.read_labels}

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Say:
    """Return the command line, asked for JSON: its status, output and errors."""

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([*map(str, words), "--format", "json"])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def post(store: Store) -> Callable[..., tuple[int, str]]:
    """Return a program that imports a file without storing it."""
    person = add_person(store, "Olga", "organiser")
    client = DescribedClient(open_client(), make_token(store, person, "study", ["read", "write"]))
    collection = create_collection(store, "Study")

    def send(kind: str, path: Path) -> tuple[int, str]:
        answer = client.send(
            "importFile",
            path.read_bytes(),
            collection=collection,
            file=path.name,
            kind=kind,
            dry_run=True,
        )
        return answer.status_code, answer.text

    return send


def try_import(kind: str, path: Path) -> list[object]:
    """Return the words that import a file into a store that is not there, for a try."""
    store = path.with_name("new.duckdb")
    return ["import", kind, path, "--store", store, "--collection", "c", "--create", "--dry-run"]


def analyse(kind: str, path: Path, folder: Path) -> list[object]:
    """Return the words that analyse a file of a kind, beside honest ones."""
    if kind == "labels":
        return ["agreement", path]
    other = folder / ("other.qrels" if kind == "runs" else "other.run")
    other.write_text(QRELS if kind == "runs" else RUN)
    run, qrels = (path, other) if kind == "runs" else (other, path)
    return ["evaluate", "--qrels", qrels, "--run", run, "--measure", "CG"]


def people(name: str) -> str:
    rows = [("ann", "d1", "2"), ("bob", "d1", "0"), ("ann", "d2", "1"), ("bob", "d2", "1")]
    return "".join(
        json.dumps({"topic": "q1", "document": document, "label": [level], name: who}) + "\n"
        for who, document, level in rows
    )


REFUSED = {
    "a judge in the fifth column": ("qrels", "1 0 d1 2 7\n1 0 d2 0 7\n", 1, "has 5 words"),
    "an id with a space in qrels": ("qrels", QRELS + "301 0 LA 0001 1\n", 4, "has 5 words"),
    "trec_eval's preferences": ("qrels", "q1 1 A d1 3\n", 1, "has 5 words"),
    "an id with a space in a run": ("runs", "301 Q0 LA 0001 1 9.5 r\n", 1, "has 7 words"),
    "an id with a space and a number": ("runs", RUN + "301 Q0 LA 5 1 9.5 r\n", 4, "has 7 words"),
    "no Q0 and a word too many": ("runs", "301 LA 1 9.5 r x\n", 1, "is not a finite number"),
    "a document twice": ("runs", RUN + "301 Q0 LA 4 1 r\n", 4, "already there"),
    "labels of nobody": ("labels", people("x") , 2, "nobody is named"),
    "a rejected label": (
        "labels",
        '{"topic": 1, "document": "d", "label": "2", "answer": "reject", "_task_hash": 1}\n',
        *(1, "was rejected"),
    ),
    "a spreadsheet's first line": ("labels", "sep=;\ntopic;document\n", 1, "take that line out"),
}  # fmt: skip


@each("case", list(REFUSED))
def test_what_cannot_be_told_is_refused_by_every_door(case, say, post, tmp_path):
    kind, text, line, reason = REFUSED[case]
    path = tmp_path / "given.txt"
    path.write_text(text)
    with pytest.raises(BadInput, match=reason) as told:
        READ[kind](path)
    assert told.value.line == line
    for words in (try_import(kind, path), analyse(kind, path, tmp_path)):
        status, out, err = say(*words)
        assert (status, out) == (1, "")
        assert f"{path}:{line}: " in err
        assert re.search(reason, err)
    code, answer = post(kind, path)
    assert code == 422
    assert re.search(reason, answer)


AGAINST = "rank column was ignored; lines in which it contradicts the scores: 2"
TIES = "lines that tie with the one before (scores as 32-bit numbers): 2"
SEVERAL = "in several iterations, which measures by intent take for subtopics and others"
READ_WITH_A_WORD = {
    "distances for scores": ("runs", "301 Q0 LA 1 .1 r\n301 Q0 FT 2 .5 r\n301 Q0 LB 3 .9 r\n",
                             AGAINST, ("LB", "FT", "LA")),
    "scores below what is told apart": (
        "runs", "301 Q0 LA 1 3e-46 r\n301 Q0 FT 2 2e-46 r\n301 Q0 LB 3 1e-46 r\n",
        TIES, ("LB", "LA", "FT")),
    "rank and score changed over": (
        "runs", "301 Q0 LA 9.5 1 r\n301 Q0 FT 8.5 2 r\n301 Q0 LB 7.5 3 r\n",
        "may have changed places: 3", ("LB", "FT", "LA")),
    "words after the tag": ("runs", RUN.replace(" r\n", " r more\n"),
                            "words after the tag, which were left out: 3", ("LA", "FT", "LB")),
    "a document in two iterations": ("qrels", "301 0 LA 1\n301 1 LA 0\n", SEVERAL, ("LA", "LA")),
    "an id of a spreadsheet": ("qrels", "301 0 1E+05 1\n", "as a spreadsheet writes", ("1E+05",)),
    "people by a field of another name": ("labels", people("username"),
                                          "assessors were taken from 'username'",
                                          ("d1", "d1", "d2", "d2")),
}  # fmt: skip


@each("case", list(READ_WITH_A_WORD))
def test_what_may_not_be_meant_is_told_by_every_door(case, say, post, tmp_path):
    kind, text, note, documents = READ_WITH_A_WORD[case]
    path = tmp_path / "given.txt"
    path.write_text(text)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        frame = READ[kind](path)
    assert tuple(frame["document_id"]) == documents
    assert any(note in str(one.message) for one in warned)
    assert all(one.filename == __file__ for one in warned)
    assert any(note in one for one in frame.attrs["notes"])
    for words in (try_import(kind, path), analyse(kind, path, tmp_path)):
        status, out, err = say(*words)
        assert status == 0, err
        assert any(note in one for one in json.loads(out)["notes"])
        assert note in err
    code, answer = post(kind, path)
    assert code == 200, answer
    assert any(note in one for one in json.loads(answer)["notes"])
    assert json.loads(answer)["formats"] == frame.attrs["formats"]


def test_people_of_a_field_of_another_name_disagree(say, tmp_path):
    """Two of four labels would otherwise count nowhere."""
    path = tmp_path / "users.jsonl"
    path.write_text(people("username"))
    frame = dissent.read_labels(path)
    assert sorted(set(frame["assessor_id"])) == ["ann", "bob"]
    _, out, _ = say("agreement", path)
    (pair,) = json.loads(out)["pairs"]
    assert (pair["first"], pair["second"], pair["n"]) == ("ann", "bob", 2)


def test_tabs_keep_ids_whole(tmp_path):
    path = tmp_path / "tabs.run"
    path.write_text("q1\tQ0\tApollo 11\t1\t12.5\tbm25\n")
    (row,) = dissent.read_runs(path).to_dict("records")
    assert (row["document_id"], row["system"], row["score"]) == ("Apollo 11", "bm25", 12.5)


def test_the_highest_level_that_occurs_is_said_to_be_taken_for_the_scales(say, tmp_path):
    """Two files that differ by one document, which nobody retrieves, give two scores."""
    run, qrels = tmp_path / "a.run", tmp_path / "a.qrels"
    run.write_text("1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n1 Q0 c 3 1 r\n")
    for top, more in ((2, ""), (3, "1 0 z 3\n")):
        qrels.write_text("1 0 a 2\n1 0 b 0\n1 0 c 1\n" + more)
        words = ("evaluate", "--qrels", qrels, "--run", run, "--measure")
        notes = json.loads(say(*words, "ERR")[1])["notes"]
        assert any(f"highest level that occurs, {top}, is taken" in one for one in notes)
        runs, judged = dissent.read_runs(run), dissent.read_qrels(qrels)
        with pytest.warns(dissent.ReadWarning, match=f"that occurs, {top}, is taken"):
            dissent.evaluate(runs, judged, "ERR")
        assert "that occurs" not in say(*words, "ERR(gmax=3)")[1]
        assert "that occurs" not in say(*words, "nDCG@10", "AP")[1]


def test_a_level_that_nobody_gave_is_told_where_no_scale_is_given(say, tmp_path):
    path = tmp_path / "labels.tsv"
    path.write_text(
        "assessor\ttopic\tdocument\tlevel\nA\tt1\td1\t0\nB\tt1\td1\t1\nA\tt1\td2\t3\nB\tt1\td2\t3\n"
    )
    told = "those that occur, 0, 1, 3. Coefficients that weigh distances depend on whether 2 "
    assert any(told in one for one in json.loads(say("agreement", path)[1])["notes"])
    scaled = say("agreement", path, "--scale", "page=none,some,much,all")[1]
    assert "those that occur" not in scaled
    labels = dissent.read_labels(path)
    with pytest.warns(dissent.ReadWarning, match="those that occur, 0, 1, 3"):
        dissent.agreement(labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dissent.agreement(labels, levels=range(4))


def write_study(folder: Path) -> list[object]:
    """Write three runs of eight topics, one of which ties, and qrels; return how to name them."""
    qrels, runs = folder / "all.qrels", [folder / f"{name}.run" for name in "abc"]
    documents = [f"d{one}" for one in range(6)]
    qrels.write_text(
        "".join(
            f"{topic} 0 {one} {int((place + topic) % 3 == 0)}\n"
            for topic in range(8)
            for place, one in enumerate(documents)
        )
    )
    for number, run in enumerate(runs):
        run.write_text(
            "".join(
                f"{topic} Q0 {one} {rank} {9 - rank if number else 1} {run.stem}\n"
                for topic in range(8)
                for rank, one in enumerate(documents[number:] + documents[:number], start=1)
            )
        )
    return ["--qrels", qrels, "--run", *runs, "--measure", "AP"]


@each("command", ["evaluate", "compare", "curves", "unpooled", "plan", "informativeness"])
def test_every_command_that_reads_runs_tells_their_ties(command, say, tmp_path):
    words = write_study(tmp_path)
    if command in ("curves", "informativeness"):
        words = words[:-2]
    status, out, err = say(command, *words)
    assert status == 0, err
    assert any("lines that tie with the one before" in one for one in json.loads(out)["notes"])
    assert err.count("lines that tie with the one before") == 1
