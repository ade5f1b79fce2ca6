"""Labels of a machine by the command line: in from qrels, and out again with its answers."""

import csv
import io

import pytest

from core.analysis.base.study import Study, labels_of
from core.analysis.results.qrels_choices import find_choice
from core.store.content.collections import find_collection
from core.store.machines.machines import find_machine, read_answers
from core.store.store import Store
from tests.short import long

SCALE = ("--create", "--scale", "page=0,1,2,3")
STRAY = "q1 0 d1 3\nq1 0 d2 5\nq2 0 d1 0\n"
ANSWERED = (
    '{"topic": "q1", "document": "d1", "level": 2, "answer": "=2", "cost": 0.5, "model": "m"}\n'
    '{"topic": "q1", "document": "d2", "state": "invalid answer", "level": "", "answer": "?", '
    '"model": "m"}\n'
)


@pytest.fixture
def here(tmp_path):
    """The words that name the store and the collection of a test."""
    return ("--store", tmp_path / "s.duckdb", "--collection", "x")


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "f.qrels"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


@pytest.fixture
def opened(tmp_path):
    """Open the store of a test, to be read; returns it and the id of its collection."""
    stores = []

    def open_store():
        stores.append(Store(tmp_path / "s.duckdb"))
        return stores[-1], find_collection(stores[-1], "x")

    yield open_store
    for store in stores:
        store.close()


@long
def test_strays_are_named_and_refused_until_a_rule_says_what_they_mean(dissent, here, file, opened):
    words = ("import", "labels", "--machine", "llm", file(STRAY), *here, *SCALE)
    refused = dissent(*words)
    assert refused.status == 1
    assert "1 of 3 levels are not on the scale: '5' on line 2" in refused.err
    assert "5=3,10=invalid" in refused.err
    prompt = file("How good is it?", "prompt.txt")
    told = ("--model", "m", "--model-version", "1.0", "--prompt", prompt, "--date", "2026-01-31")
    result = dissent(*words, *told, "--parameters", "temperature=0", "--map", "5=invalid,10=3")
    assert (result.status, result.err) == (0, "")
    assert "1 invalid answer" in result.out
    store, collection = opened()
    machine = find_machine(store, collection, "llm")
    assert machine is not None
    assert (machine.model, machine.version, machine.judged_on) == ("m", "1.0", "2026-01-31")
    assert machine.prompt == "How good is it?"
    assert machine.parameters == {"temperature": 0, "levels mapped": "5=invalid, 10=3"}


def test_qrels_stay_qrels(dissent, here, file):
    assert dissent("import", "qrels", file(STRAY), *here, *SCALE).status == 0
    misused = dissent("import", "qrels", "--machine", "llm", file(STRAY), *here)
    assert (misused.status, "is for labels" in misused.err) == (2, True)
    refused = dissent("import", "labels", file(STRAY), "--model", "m", *here)
    assert refused.status == 1
    assert "only labels of a machine are mapped and described" in refused.err


@long
def test_files_may_stand_before_and_behind_the_options(dissent, here, file):
    files = [file(f"q{n} 0 d1 1\n", f"{n}.qrels") for n in range(3)]
    words = ("import", "labels", files[0], "--machine", "llm", *here, *SCALE, *files[1:])
    told = dissent(*words, "--format", "json").json
    assert told["written"] == {"labels": 3}
    misused = dissent("import", "labels", files[0], *here, "--nonsense")
    assert (misused.status, "unrecognized arguments: --nonsense" in misused.err) == (2, True)


@long
def test_raw_answers_are_exported_with_the_prompts_hash(dissent, here, file, opened):
    prompt = file("abc", "prompt.txt")
    words = ("import", "labels", "--machine", "llm", "--prompt", prompt)
    assert dissent(*words, file(ANSWERED, "a.jsonl"), *here, *SCALE).status == 0
    result = dissent("export", "machine-answers", "--names", *here)
    assert result.err.startswith("2 raw answers of machines written")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert [(row["assessor"], row["document"], row["state"]) for row in rows] == [
        ("llm", "d1", "level"),
        ("llm", "d2", "invalid answer"),
    ]
    assert [row["answer"] for row in rows] == ["'=2", "?"]  # no spreadsheet runs it
    assert [row["cost"] for row in rows] == ["0.5", ""]
    assert {row["prompt_hash"][:8] for row in rows} == {"ba7816bf"}
    assert "llm" not in dissent("export", "machine-answers", *here).out
    store, collection = opened()
    assert read_answers(store, collection)["answer"].tolist() == ["=2", "?"]


@long
def test_everybodys_labels_say_their_kind_and_read_back(dissent, here, file, tmp_path, opened):
    words = ("import", "labels", "--machine", "llm", file(ANSWERED, "a.jsonl"), *here, *SCALE)
    assert dissent(*words).status == 0
    people = file("assessor\ttopic\tdocument\tlevel\nanna\tq1\td1\t1\n", "people.tsv")
    assert dissent("import", "labels", people, *here).status == 0
    usual = dissent("export", "labels", "--names", *here)
    assert "kind" not in usual.out.splitlines()[0].split(",")
    assert len(usual.out.splitlines()) == 2
    out = tmp_path / "labels.csv"
    assert dissent("export", "labels", "--names", "--everybody", *here, "-o", out).status == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    kept = [(row["assessor"], row["kind"], row["level"], row["state"]) for row in rows]
    assert kept == [
        ("llm", "machine", "2", "level"),
        ("llm", "machine", "", "invalid answer"),
        ("anna", "person", "1", "level"),
    ]
    there = ("--store", tmp_path / "s.duckdb", "--collection", "y")
    assert dissent("import", "labels", out, *there, *SCALE).status == 0
    again = dissent("export", "labels", "--names", "--everybody", *there)
    told = list(csv.DictReader(io.StringIO(again.out)))
    assert [(row["assessor"], row["kind"], row["level"], row["state"]) for row in told] == kept
    store, collection = opened()
    labels = labels_of(Study(store, collection, is_masked=False))
    assert set(labels["assessor_id"]) == {"anna"}


@long
def test_a_version_of_a_machine_says_so_wherever_it_goes(dissent, here, file, opened, tmp_path):
    words = ("import", "labels", "--machine", "llm", file("q1 0 d1 3\nq1 0 d2 1\n"), *here, *SCALE)
    assert dissent(*words).status == 0
    people = "assessor\ttopic\tdocument\tlevel\nanna\tq1\td1\t1\nanna\tq1\td2\t0\n"
    assert dissent("import", "labels", file(people, "people.tsv"), *here).status == 0
    usual = dissent("export", "qrels", *here)
    assert (usual.out, "machine" in usual.err) == ("q1 0 d1 1\nq1 0 d2 0\n", False)
    for chosen in (("--assessors", "llm"), ("--version", "only llm (machine)")):
        result = dissent("export", "qrels", *chosen, *here)
        assert result.out == "q1 0 d1 3\nq1 0 d2 1\n"
        assert "this version has labels of a machine: llm (machine)" in result.err
    store, collection = opened()
    study = Study(store, collection, is_masked=False)
    names = {find_choice(study, name).name for name in ("only llm", "only llm (machine)")}
    assert names == {"only llm (machine)"}


@long
def test_a_judge_of_a_shared_task_comes_in_beside_people(dissent, here, shared_data, opened):
    machine = shared_data / "machine" / "dl19-umbrela.qrels"
    words = ("import", "labels", "--machine", "UMBRELA", machine, "--model", "GPT-4", *here, *SCALE)
    assert "5,425 labels" in dissent(*words).out
    store, collection = opened()
    assert labels_of(Study(store, collection, is_masked=False)).empty
