import csv
import gzip
import io
import json
import re
import uuid
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.base.study import Study, scales_of
from core.analysis.results.qrels_choices import as_filed, list_choices, version_of
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels
from core.collection.records import counted_levels
from core.demo import load_demo
from core.reports.user_model import usual_model
from core.store.content.collections import create_collection, describe_collection, find_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import save_rule
from core.store.events.afterwards import note_topic_seen
from core.store.events.labels import Key, LabelEvent
from core.store.events.questions import Question, announce, answer_question, append_question
from core.store.people.members import add_member
from core.store.people.roster import RosterEntry, edit_roster
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.conftest import import_study
from tests.core.api.made_up import write_study
from tests.short import few, long


@pytest.fixture(scope="module", params=few(["made up", "dl19"]))
def folder(request, tmp_path_factory):
    """The files of a study: a small one made up by rule, and the real one."""
    if request.param == "dl19":
        return request.getfixturevalue("dl19")
    return write_study(tmp_path_factory.mktemp("study") / "made-up")


@pytest.fixture(scope="module")
def place(folder, request, tmp_path_factory):
    if folder.name == "dl19":
        path = request.getfixturevalue("dl19_store")
    else:
        path = import_study(folder, tmp_path_factory.mktemp("made-up") / "store.duckdb")
    return ("--store", path, "--collection", "dl19")


@pytest.fixture(scope="module")
def labels(folder):
    return read_import("labels", Source.at(folder / "labels.tsv")).frames["labels"]


def qrels_of(text):
    """Return level by topic and document of TREC qrels."""
    rows = [line.split() for line in text.splitlines()]
    return {(topic, document): int(level) for topic, _, document, level in rows}


@pytest.mark.parametrize(
    ("words", "combine"),
    [
        (("--combine", "maximum"), "max"),
        pytest.param(("--combine", "minimum"), "min", marks=long),
        pytest.param(("--version", "all, maximum"), "max", marks=long),
    ],
)
def test_qrels_combine_the_labels(dissent, place, labels, words, combine):
    result = dissent("export", "qrels", *place, *words)
    expected = labels.groupby(["topic_id", "document_id"])["level"].agg(combine).to_dict()
    assert qrels_of(result.out) == expected
    assert result.err == f"{len(expected):,} judgements written to standard output\n"


@long
def test_adjudicated_qrels_leave_out_what_nobody_decided(dissent, place, labels):
    found = qrels_of(dissent("export", "qrels", *place, "--combine", "adjudicated").out)
    given = labels.groupby(["topic_id", "document_id"])["level"]
    agreed = given.min()[given.nunique() == 1]
    assert found == agreed.to_dict()


@long
def test_mean_levels_are_made_whole_as_told(dissent, place, labels):
    words = ("--combine", "mean", "--factor", 2, "--rounding", "up")
    found = qrels_of(dissent("export", "qrels", *place, *words).out)
    means = labels.groupby(["topic_id", "document_id"])["level"].mean()
    assert found == (means * 2).to_dict()


def test_chosen_assessors_topics_and_weights(dissent, place, labels):
    topic = labels.loc[labels["assessor_id"] == "a1", "topic_id"].iloc[-1]
    own = labels[(labels["assessor_id"] == "a1") & (labels["topic_id"] == topic)]
    words = ("--assessors", "a1", "--topics", topic, "--combine", "udm", "--factor", 100)
    weights = ("--weights", "0=0,1=.25,2=.5,3=1")
    found = qrels_of(dissent("export", "qrels", *place, *words, *weights).out)
    expected = own.set_index(["topic_id", "document_id"])["level"].map({0: 0, 1: 25, 2: 50, 3: 100})
    assert found == expected.to_dict()


@long
def test_slots_by_number_and_by_name_are_the_same(dissent, place):
    numbered = dissent("export", "qrels", *place, "--slots", "1", "--combine", "first").out
    assert numbered == dissent("export", "qrels", *place, "--version", "slot 1").out
    assert numbered != dissent("export", "qrels", *place, "--version", "slot 2").out


@long
def test_imported_qrels_come_out_as_they_went_in(dissent, tmp_path):
    (tmp_path / "some.qrels").write_text("1 0 d 1\n1 0 e 2\n")
    place = ("--store", tmp_path / "s.duckdb", "--collection", "x")
    words = ("import", "qrels", tmp_path / "some.qrels", *place, "--create", "--name", "official")
    assert dissent(*words).status == 0
    found = dissent("export", "qrels", *place, "--version", "official")
    assert qrels_of(found.out) == {("1", "d"): 1, ("1", "e"): 2}
    without = dissent("export", "qrels", *place)
    assert without.status == 1
    assert "finds no label" in without.err


@long
def test_a_saved_rule_goes_by_its_name_and_a_standard_one_by_its_facet(dissent, tmp_path):
    (tmp_path / "labels.tsv").write_text(
        "assessor\ttopic\tdocument\tfacet\tlevel\n"
        "kim\t1\td\tpage\t3\nlee\t1\td\tpage\t1\nlee\t1\td\tsnippet\t2\n"
    )
    place = ("--store", tmp_path / "s.duckdb", "--collection", "x")
    assert dissent("import", "labels", tmp_path / "labels.tsv", *place, "--create").status == 0
    store = Store(tmp_path / "s.duckdb")
    rule = QrelsRule("strict", combine="minimum")
    save_rule(store, find_collection(store, "x"), "strict", rule.to_json())
    store.close()
    words = ("export", "qrels", *place, "--version")
    assert qrels_of(dissent(*words, "strict").out) == {("1", "d"): 1}
    assert qrels_of(dissent(*words, "all, maximum").out) == {("1", "d"): 3}
    assert qrels_of(dissent(*words, "all, maximum", "--facet", "snippet").out) == {("1", "d"): 2}
    assert dissent(*words, "strict", "--facet", "snippet").status == 1


@long
def test_labels_read_back_from_csv_and_parquet(dissent, place, labels, tmp_path):
    result = dissent("export", "labels", *place, "--names", "-o", tmp_path / "labels.csv.gz")
    assert (result.status, result.out) == (0, "")
    assert len(labels) in (240, 5_438)
    assert result.err == f"{len(labels):,} labels written to {tmp_path / 'labels.csv.gz'}\n"
    back = read_import("labels", Source.at(tmp_path / "labels.csv.gz")).frames["labels"]
    keys = ["topic_id", "document_id", "assessor_id", "level"]
    pd.testing.assert_frame_equal(back[keys], labels[keys])
    dissent("export", "labels", *place, "--names", "-o", tmp_path / "labels.parquet")
    parquet = pd.read_parquet(tmp_path / "labels.parquet")
    assert parquet[keys[:-1]].to_numpy().tolist() == labels[keys[:-1]].to_numpy().tolist()
    assert parquet["level"].tolist() == labels["level"].tolist()


def test_machine_members_are_left_out_and_that_is_said(dissent, tmp_path):
    (tmp_path / "labels.tsv").write_text(
        "assessor\ttopic\tdocument\tlevel\nkim\t1\td\t0\nllm\t1\td\t3\n"
    )
    place = ("--store", tmp_path / "s.duckdb", "--collection", "x")
    assert dissent("import", "labels", tmp_path / "labels.tsv", *place, "--create").status == 0
    with closing(Store(tmp_path / "s.duckdb")) as store:
        edit_roster(store, find_collection(store, "x"), {"llm": RosterEntry("", "machine")})
    people = dissent("export", "labels", *place, "--names")
    assert "left out without --everybody: 1" in people.err
    assert "llm" not in people.out
    whole = dissent("export", "labels", *place, "--names", "--everybody")
    assert whole.err == "2 labels written to standard output\n"
    assert "llm" in whole.out
    assert qrels_of(dissent("export", "qrels", *place).out) == {("1", "d"): 0}
    named = dissent("export", "qrels", *place, "--assessors", "kim,llm")
    assert qrels_of(named.out) == {("1", "d"): 3}
    assert dissent("export", "qrels", *place, "--everybody").status == 2


def test_labels_have_codes_for_assessors_unless_asked(dissent, place, labels, tmp_path):
    backs = []
    for name in ("a.csv", "b.csv", "c.parquet"):
        assert dissent("export", "labels", *place, "-o", tmp_path / name).status == 0
    for name in ("a.csv", "b.csv"):
        text = (tmp_path / name).read_text()
        assert not set(labels["assessor_id"]) & set(text.replace("\n", ",").split(","))
        backs.append(read_import("labels", Source(name, text.encode())).frames["labels"])
    assert backs[0]["assessor_id"].tolist() == backs[1]["assessor_id"].tolist()
    pairs = set(zip(labels["assessor_id"], backs[0]["assessor_id"], strict=True))
    assert len(pairs) == labels["assessor_id"].nunique() == len({code for _, code in pairs})
    pd.testing.assert_series_equal(backs[0]["level"], labels["level"])
    parquet = pd.read_parquet(tmp_path / "c.parquet")
    assert parquet["assessor_id"].tolist() == backs[0]["assessor_id"].tolist()
    assert not {"assessor", "name"} & set(parquet.columns)


@long
def test_runs_read_back_in_the_same_order(dissent, place, folder, tmp_path):
    dissent("export", "runs", *place, "-o", tmp_path / "all.run.gz")
    lines = 75_450 if folder.name == "dl19" else 600
    assert gzip.decompress((tmp_path / "all.run.gz").read_bytes()).count(b"\n") == lines
    files = sorted((folder / "runs").iterdir())
    given = read_import("runs", [Source.at(file) for file in files]).frames["runs"]
    back = read_import("runs", Source.at(tmp_path / "all.run.gz")).frames["runs"]
    order = ["system", "topic_id", "rank"]
    pd.testing.assert_frame_equal(
        back.sort_values(order, ignore_index=True), given.sort_values(order, ignore_index=True)
    )


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("qrels", "--version", "slot 7"), 1, "all, maximum; all, median; all, minimum; slot 1"),
        (("qrels", "--assessors", "nobody"), 1, "No label is by an assessor 'nobody'"),
        (("qrels", "--slots", "one"), 1, "'one' is not a slot"),
        (("qrels", "--combine", "udm"), 1, "needs them"),
        (("qrels", "--combine", "udm", "--weights", "0=0"), 1, "no level 1, 2, 3"),
        (
            ("qrels", "--version", "slot 1", "--combine", "mean"),
            2,
            "leave out the options that make a rule",
        ),
        (("labels", "--combine", "mean"), 2, "--combine is for qrels"),
        (("runs", "--version", "slot 1"), 2, "--version is for qrels"),
        (("runs", "--format", "csv"), 2, "--format is for labels"),
        (("qrels", "--names"), 2, "--names is for labels"),
        pytest.param(
            *(("runs", "-o", "no/where.run"), 1, "no/where.run: cannot be written"), marks=long
        ),
    ],
)
def test_what_does_not_fit_is_refused(dissent, place, words, status, said):
    result = dissent("export", *words, *place)
    assert (result.status, result.out) == (status, "")
    assert said in result.err


def test_an_absent_store_is_not_made(dissent, tmp_path):
    result = dissent("export", "runs", "--store", tmp_path / "no.duckdb", "--collection", "x")
    assert result.status == 1
    assert "There is no store" in result.err
    assert not (tmp_path / "no.duckdb").exists()


@long
def test_the_environment_names_the_store(dissent, dl19_store, monkeypatch):
    monkeypatch.setenv("DISSENT_STORE", str(dl19_store))
    assert dissent("export", "runs", "--collection", "dl19").status == 0
    monkeypatch.delenv("DISSENT_STORE")
    monkeypatch.setenv("DISSENT_DEMO", "1")
    refused = dissent("export", "runs", "--collection", "dl19")
    assert refused.status == 1
    assert "--store" in refused.err


@long
def test_parquet_is_not_written_to_a_terminal(dissent, place, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    result = dissent("export", "labels", *place, "--format", "parquet")
    assert (result.status, result.out) == (1, "")
    assert "give a file with -o" in result.err
    assert dissent("export", "labels", *place).status == 0


BOTH_FACETS = "assessor\ttopic\tdocument\tengine\tfacet\tlevel\n" + "".join(
    f"{assessor}\t1\t{document}\t{engine}\tsnippet\t{snippet}\n"
    for assessor, document, engine, snippet in (
        *(("kim", "d", "x", 3), ("lee", "d", "x", 2), ("kim", "d", "y", 2), ("mia", "d", "y", 1)),
        *(("kim", "e", "x", 1), ("lee", "e", "x", 3)),
    )
)
BOTH_FACETS += "".join(
    f"{assessor}\t1\t{document}\t\tpage\t{page}\n"
    for assessor, document, page in (
        *(("kim", "d", 3), ("lee", "d", 3)),
        *(("kim", "e", 0), ("lee", "e", 3)),
    )
)


@long
def test_snippet_and_page_together_by_the_weights_of_a_file(dissent, tmp_path):
    """By hand: (3, 3) weighs 1; (2, 3) as well, for lee's is met by a (3, 3); (1, 0) weighs 0."""
    (tmp_path / "labels.tsv").write_text(BOTH_FACETS)
    place = ("--store", tmp_path / "s.duckdb", "--collection", "x")
    assert dissent("import", "labels", tmp_path / "labels.tsv", *place, "--create").status == 0
    words = ("weights", tmp_path / "labels.tsv", "--top", 3, "--users", 2, "--at-least", 1)
    weights = dissent(*words, "--combined", "--format", "json").out
    (tmp_path / "weights.json").write_text(weights)
    words = ("export", "qrels", *place, "--combine", "combined", "--factor", 1000)
    result = dissent(*words, "--weights", tmp_path / "weights.json")
    assert qrels_of(result.out) == {("1", "d"): 1000, ("1", "e"): 500}
    assert "note: snippet labels without a page label by their assessor: 1\n" in result.err
    assert "whose two levels" not in result.err
    some = [entry for entry in json.loads(weights)["levels"] if entry["level"] != [1, 0]]
    (tmp_path / "few.json").write_text(json.dumps({"levels": some}))
    result = dissent(*words, "--weights", tmp_path / "few.json")
    assert qrels_of(result.out) == {("1", "d"): 1000, ("1", "e"): 1000}
    assert "note: snippet labels whose two levels have no weight: 1\n" in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "'combined' needs them"),
        (("--weights", "3=1"), "3=1"),
        (("--weights", "one.json"), "is not the JSON of 'dissent weights --combined'"),
        (("--weights", "two.json", "--facet", "snippet"), "takes both facets"),
    ],
)
def test_without_weights_of_pairs_nothing_is_combined(dissent, place, tmp_path, words, message):
    (tmp_path / "one.json").write_text('{"levels": [{"level": 3, "weight": 1}]}')
    (tmp_path / "two.json").write_text('{"levels": [{"level": [3, 3], "weight": 1}]}')
    result = dissent("export", "qrels", *place, "--combine", "combined", *words)
    assert (result.status, result.out) == (1, "")
    assert message in result.err


@long
def test_every_version_that_pages_offer_can_be_exported(dissent, tmp_path):
    """The demo has groups, decisions and both facets; one assessor has judged every topic."""
    path = tmp_path / "demo.duckdb"
    store = Store(path)
    collection_id = load_demo(store)
    study = Study(store, collection_id, is_masked=False)
    model = usual_model(counted_levels(scales_of(study)["page"]))
    choices = {one.name: one for one in list_choices(study, "page", model).values()}
    two = list_choices(study, "page", replace(model, users=4, at_least=2))["UDM"]
    expected = choices | {"UDM": choices["UDM, 1 of 3"], "UDM, 2 of 4": two}
    filed = {name: as_filed(study, choice) for name, choice in expected.items()}
    qrels = {
        name if one.rule == expected[name].rule else f"{name}, in whole levels": write_qrels(
            version_of(study, one).frame
        ).decode()
        for name, one in filed.items()
    }
    store.close()
    words = ("export", "qrels", "--store", path, "--collection", collection_id, "--version")
    assert {name: dissent(*words, name).out for name in qrels} == qrels
    assert {name.split()[0].rstrip(",") for name in choices} >= {"all", "group", "UDM", "snippet"}
    assert qrels["UDM, in whole levels"] != qrels["UDM, 2 of 4, in whole levels"]
    refused = dissent(*words, "UDM")
    assert refused.status == 1
    assert "ask for 'UDM, 1 of 3, in whole levels', which is another version" in refused.err


@long
def test_one_assessors_qrels_go_by_the_name_of_the_assessor(dissent, tmp_path):
    (tmp_path / "labels.tsv").write_text(
        "assessor\ttopic\tdocument\tfacet\tlevel\nkim\t1\td\tpage\t3\nlee\t1\td\tpage\t1\n"
    )
    place = ("--store", tmp_path / "s.duckdb", "--collection", "x")
    dissent("import", "labels", tmp_path / "labels.tsv", *place, "--create")
    found = dissent("export", "qrels", *place, "--version", "only lee")
    assert qrels_of(found.out) == {("1", "d"): 1}


@pytest.fixture
def judged(tmp_path):
    """A store in which two people judged a page in a round each; the path and a round's id."""
    path = tmp_path / "rounds.duckdb"
    with closing(Store(path)) as store:
        collection_id = create_collection(store, "Small")
        for kind, text in {
            "topics": "t1\tfirst\n",
            "documents": "id\ttitle\ttext\nd1\tOne\tText\n",
            "runs": "t1 Q0 d1 1 2.5 s1\n",
        }.items():
            imported = read_import(kind, Source(f"{kind}.tsv", text.encode()))
            write_import(store, collection_id, imported)
        for name, level in (("anna", 1), ("bob", 3)):
            add_member(store, collection_id, name, name)
            plan = Plan(name=f"Of {name}", judges=1, flow="page only", assessors=(name,))
            round_id = open_round(store, collection_id, plan)
            key = Key("t1", "d1", "page", "", name, 0)
            event = LabelEvent(str(uuid.uuid4()), None, key, "level", level)
            store.labels.append(collection_id, [event])
    return path, round_id


@long
def test_qrels_and_labels_know_the_round(dissent, judged):
    path, second = judged
    place = ("--store", path, "--collection", "Small")
    for chosen, level in (("Of anna", 1), ("Of bob", 3), (second, 3), (f"Of anna,{second}", 3)):
        found = dissent("export", "qrels", *place, "--rounds", chosen)
        assert qrels_of(found.out) == {("t1", "d1"): level}
    version = dissent("export", "qrels", *place, "--version", "round Of anna, maximum")
    assert qrels_of(version.out) == {("t1", "d1"): 1}
    refused = dissent("export", "qrels", *place, "--rounds", "Of carl")
    assert refused.status == 1
    assert "There is no round 'Of carl'; there are Of anna; Of bob." in refused.err
    dissent("export", "labels", *place, "-o", "labels.csv")
    labels = read_import("labels", Source.at(Path("labels.csv"))).frames["labels"]
    assert labels["round_id"].nunique() == 2
    assert labels["round_id"].iloc[1] == second


@pytest.fixture(scope="module")
def talked(tmp_path_factory):
    """A collection in which somebody asked and was answered, under two versions of guidelines."""
    path = tmp_path_factory.mktemp("talked") / "talked.duckdb"
    with closing(Store(path)) as store:
        made = create_collection(store, "Talked", guidelines="First.", by="olga")
        add_member(store, made, "anna", "Anna")
        key = Key("t1", "d1", "page", "", "anna", 0)
        event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1)
        store.labels.append(made, [event])
        texts = {"name": "Talked", "description": "", "guidelines": "=Second."}
        describe_collection(store, made, **texts, note="Shorter.", by="olga")
        question = Question(str(uuid.uuid4()), key, "=Is it old?")
        append_question(store, made, question)
        answer_question(store, made, question.question_id, "Yes.", to_all=True, by="olga")
        announce(store, made, "Hello.", "olga")
    return ("--store", path, "--collection", "Talked")


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("names", [False, True])
def test_questions_with_their_answers(dissent, talked, names):
    result = dissent("export", "questions", *talked, *(["--names"] if names else []))
    first, second = read_csv(result.out)
    assert (first["question"], first["answer"], first["said_to"]) == (
        *("'=Is it old?", "Yes.", "everybody"),
    )
    assert (first["topic"], first["document"], first["facet"]) == ("t1", "d1", "page")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", first["asked"])
    assert (second["question"], second["asked"], second["answer"]) == ("", "", "Hello.")
    assert second["assessor"] == ""
    assert ("anna" in result.out, "Anna" in result.out) == (names, names)
    assert result.err == "2 questions, answers and announcements written to standard output\n"


def test_versions_of_the_guidelines_with_how_many_labels_each_has(dissent, talked):
    rows = read_csv(dissent("export", "guidelines", *talked, "--names").out)
    columns = ("version", "by", "after_sequence", "labels", "note", "guidelines")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        ("1", "olga", "0", "1", "", "First."),
        ("2", "olga", "1", "0", "Shorter.", "'=Second."),
    ]
    assert "olga" not in dissent("export", "guidelines", *talked).out


def test_names_are_for_files_with_people(dissent, place):
    result = dissent("export", "runs", *place, "--names")
    assert result.status == 2
    assert "--names is for labels, aspects, preferences, reasons, passages, paradata" in result.err


@pytest.fixture(scope="module")
def discussed(tmp_path_factory):
    """A collection in which Anna gave 1, saw that Bob gave 3, and changed hers to 2."""
    path = tmp_path_factory.mktemp("discussed") / "discussed.duckdb"
    with closing(Store(path)) as store:
        made = create_collection(store, "Discussed")
        for who, level in (("anna", 1), ("bob", 3)):
            add_member(store, made, who, who.title())
            key = Key("t1", "d1", "page", "", who, 0)
            store.labels.append(made, [LabelEvent(str(uuid.uuid4()), None, key, "level", level)])
        note_topic_seen(store, made, "anna", "t1")
        key = key._replace(assessor_id="anna")
        before = store.labels.current(made, "anna")[key].event_id
        store.labels.append(made, [LabelEvent(str(uuid.uuid4()), before, key, "level", 2)])
    return ("--store", path, "--collection", "Discussed")


@pytest.mark.parametrize(("words", "level"), [((), "1"), (("--after-discussion",), "2")])
def test_labels_go_out_as_given_or_after_discussion(dissent, discussed, words, level):
    result = dissent("export", "labels", *discussed, "--names", *words)
    rows = {row["assessor"]: row["level"] for row in read_csv(result.out)}
    assert rows == {"anna": level, "bob": "3"}
    how = "which count" if words else "left out without --after-discussion"
    assert f"judgements made after seeing others' labels, {how}: 1" in result.err


@pytest.mark.parametrize("rule", few([("--combine", "minimum"), ("--version", "all, minimum")]))
@pytest.mark.parametrize(("words", "level"), [((), 1), (("--after-discussion",), 2)])
def test_qrels_go_out_as_given_or_after_discussion(dissent, discussed, rule, words, level):
    result = dissent("export", "qrels", *discussed, *rule, *words)
    assert qrels_of(result.out) == {("t1", "d1"): level}
    assert "judgements made after seeing others' labels" in result.err


def test_runs_know_no_discussion(dissent, place):
    result = dissent("export", "runs", *place, "--after-discussion")
    assert result.status == 2
    assert "--after-discussion is for qrels, labels" in result.err
