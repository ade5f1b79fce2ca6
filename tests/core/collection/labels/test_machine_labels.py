"""Labels of a machine are read from qrels and tables, with raw answers; nothing is clipped."""

import json

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.labels.machine_labels import read_parameters
from core.collection.records import numeric_scale
from core.errors import BadInput
from tests.each import each
from tests.short import few

SCALES = {"page": numeric_scale(range(4))}
HEADER = "topic\tdocument\tlevel\tstate\tanswer\tcost\tinput_tokens\toutput_tokens\n"
MAP = {"5": "3", "10": "invalid"}


def read(*texts: str, name: str = "f", **options):
    sources = [Source(f"{name}{place or ''}", text.encode()) for place, text in enumerate(texts)]
    return read_import("labels", sources, machine="llm", scales=SCALES, **options)


def describe(imported) -> dict[str, object]:
    (row,) = imported.frames["machines"].to_dict("records")
    return row | {"parameters": json.loads(row["parameters"])}


def test_qrels_are_labels_of_the_machine_that_is_named():
    imported = read("q1 0 d1 3\nq1 Q0 d2 0\nq2 0 d1 1\n")
    labels = imported.frames["labels"]
    assert labels[["topic_id", "document_id", "level", "state"]].to_numpy().tolist() == [
        ["q1", "d1", 3, "level"],
        ["q1", "d2", 0, "level"],
        ["q2", "d1", 1, "level"],
    ]
    assert set(labels["assessor_id"]) == {"llm"}
    assert set(labels["facet"]) == {"page"}
    assert imported.counts["labels"] == 3
    assert describe(imported) == {
        "assessor_id": "llm",
        **dict.fromkeys(("model", "version", "prompt", "date"), ""),
        "parameters": {},
    }


def test_without_a_machine_qrels_are_no_labels():
    with pytest.raises(BadInput, match="there is no column"):
        read_import("labels", Source("f", b"q1 0 d1 3\n"), scales=SCALES)


def test_a_document_twice_in_qrels_is_refused():
    with pytest.raises(BadInput, match="topic q1, document d1 is there already") as caught:
        read("q1 0 d1 3\nq1 0 d2 3\nq1 1 d1 3\n")
    assert caught.value.line == 3


def test_every_stray_value_is_named_and_the_file_refused_whole():
    lines = [f"q1 0 d{n} {n % 6}" for n in range(1, 31)]
    with pytest.raises(BadInput) as caught:
        read("\n".join(lines))
    assert (caught.value.file, caught.value.line, caught.value.field) == ("f", 4, "level")
    assert caught.value.reason.startswith(
        "10 of 30 levels are not on the scale: '4' on line 4, '5' on line 5, '4' on line 10"
    )
    assert "'5' on line 29. Say" in caught.value.reason
    with pytest.raises(BadInput, match="12 of 32 levels") as caught:
        read("\n".join([*lines, "q2 0 d1 -1", "q2 0 d2 7"]))
    assert "'5' on line 29 …. Say" in caught.value.reason


def test_a_stated_rule_maps_strays_and_is_recorded():
    text = (
        HEADER
        + "1\td1\t5\t\t5/5\t\t\t\n1\td2\t10\t\t\t\t\t\n1\td3\tn/a\t\t\t\t\t\n1\td4\t1\t\t\t\t\t\n"
    )
    imported = read(text, mapped=MAP | {"n/a": "cannot"})
    labels = imported.frames["labels"].set_index("document_id")
    assert labels["state"].tolist() == ["level", "invalid answer", "cannot judge", "level"]
    assert labels["level"].fillna(-1).tolist() == [3, -1, -1, 1]
    assert imported.counts["mapped"] == 3
    assert imported.counts["invalid answers"] == 1
    assert describe(imported)["parameters"] == {"levels mapped": "5=3, 10=invalid, n/a=cannot"}


def test_a_rule_takes_numbers_however_they_are_written():
    imported = read(HEADER + "1\td1\t5.0\t\t\t\t\t\n", mapped=MAP)
    assert imported.frames["labels"]["level"].tolist() == [3]


def test_a_rule_that_leads_off_the_scale_is_refused_as_the_value_would_be():
    with pytest.raises(BadInput, match="'9' on line 1"):
        read("q1 0 d1 5\n", mapped={"5": "9"})
    with pytest.raises(BadInput, match="'three' is no level, nor invalid or cannot"):
        read("q1 0 d1 5\n", mapped={"5": "three"})


def test_values_that_mean_no_label_are_left_out():
    imported = read("q1 0 d1 -1\nq1 0 d2 2\n", missing=("-1",))
    assert imported.frames["labels"]["document_id"].tolist() == ["d2"]
    assert imported.counts["missing"] == 1


def test_raw_answers_states_and_costs_come_with_the_labels():
    rows = [
        '1\td1\t2\t\t"Level 2", it said.\t0.5\t812\t3',
        "1\td2\t\tinvalid answer\tIt depends.\t0.25\t\t",
        "1\td3\t10\tcannot judge\t\t\t\t",
        "1\td4\tinvalid answer\t\t?\t\t\t",
    ]
    labels = read(HEADER + "\n".join(rows)).frames["labels"].set_index("document_id")
    assert labels["state"].tolist() == [
        *("level", "invalid answer", "cannot judge", "invalid answer"),
    ]
    assert labels["level"].fillna(-1).tolist() == [2, -1, -1, -1]
    assert labels.loc[
        "d1", ["answer", "reason", "cost", "input_tokens", "output_tokens"]
    ].tolist() == [
        *('"Level 2", it said.', "", 0.5, 812, 3),
    ]
    assert labels.loc["d4", "answer"] == "?"
    assert labels["cost"].isna().tolist() == [False, False, True, True]


def test_jsonl_has_the_same_names():
    rows = [
        {
            "topic": 1,
            "document": "d1",
            "level": 2,
            "answer": " 2\n",
            "rationale": "So.",
            "cost": 0.5,
        },
        {"topic": 1, "document": "d2", "level": "", "state": "invalid answer", "raw": None},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    labels = read(text).frames["labels"]
    assert labels["state"].tolist() == ["level", "invalid answer"]
    assert labels.loc[0, ["answer", "reason", "cost"]].tolist() == [" 2\n", "So.", 0.5]


@each(
    ("column", "value", "reason"),
    [
        ("cost", "-1", "not a number from 0"),
        ("cost", "nan", "not a number from 0"),
        ("input_tokens", "1.5", "not a whole number from 0"),
        ("output_tokens", "many", "not a whole number from 0"),
    ],
)
def test_what_an_answer_cost_is_a_number(column, value, reason):
    with pytest.raises(BadInput, match=reason) as caught:
        read(f"topic\tdocument\tlevel\t{column}\n1\td1\t1\t1\n1\td2\t1\t{value}\n")
    assert (caught.value.line, caught.value.field) == (3, column)


def test_a_machine_is_described_by_columns_of_its_file():
    row = {"topic": 1, "level": 1, "model": "m", "version": "2", "prompt": "How\tgood?\n"}
    row |= {"parameters": {"temperature": 0.7, "seed": 3}, "date": "2026-01-31"}
    text = "".join(json.dumps(row | {"document": f"d{n}"}) + "\n" for n in range(2))
    assert describe(read(text)) == {
        "assessor_id": "llm",
        **{"model": "m", "version": "2", "prompt": "How\tgood?\n", "date": "2026-01-31"},
        "parameters": {"seed": 3, "temperature": 0.7},
    }


def test_such_a_column_is_the_same_in_all_rows_and_files():
    head = "topic\tdocument\tlevel\tmodel\n"
    with pytest.raises(BadInput, match="is not what the first row says") as caught:
        read(head + "1\td1\t1\ta\n1\td2\t1\tb\n")
    assert (caught.value.line, caught.value.field) == (3, "model")
    with pytest.raises(BadInput, match=r"different things of the machine \(model\)"):
        read(head + "1\td1\t1\ta\n", head + "1\td2\t1\tb\n")
    assert describe(read(head + "1\td1\t1\ta\n", head + "1\td2\t1\ta\n"))["model"] == "a"


def test_what_is_given_and_what_the_file_says_have_to_agree():
    text = 'topic\tdocument\tlevel\tmodel\tparameters\n1\td1\t1\ta\t{"seed": 1}\n'
    given = {"model": "a", "parameters": "seed=1", "date": "2026"}
    told = describe(read(text, description=given))
    assert (told["model"], told["parameters"], told["date"]) == ("a", {"seed": 1}, "2026")
    with pytest.raises(BadInput, match="the file says 'a', and 'b' was given"):
        read(text, description={"model": "b"})


def test_labels_of_several_machines_are_not_taken_for_one():
    head = "assessor\ttopic\tdocument\tlevel\n"
    with pytest.raises(BadInput, match="is by b, and others are by a"):
        read(head + "a\t1\td1\t1\nb\t1\td1\t1\n")
    assert set(read(head + "a\t1\td1\t1\n").frames["labels"]["assessor_id"]) == {"llm"}


def test_only_machines_give_answers_that_cannot_be_read():
    text = b"assessor\ttopic\tdocument\tlevel\tstate\na\t1\td1\t\tinvalid answer\n"
    with pytest.raises(BadInput, match="only a machine gives an 'invalid answer'"):
        read_import("labels", Source("f", text), scales=SCALES)


def test_a_file_may_say_of_what_kind_its_assessors_are():
    head = "assessor\ttopic\tdocument\tlevel\tstate\tkind\n"
    rows = "a\t1\td1\t1\t\t\nllm\t1\td1\t\tinvalid answer\tmachine\n"
    labels = read_import("labels", Source("f", (head + rows).encode()), scales=SCALES)
    assert labels.frames["labels"]["assessor_kind"].tolist() == ["person", "machine"]
    with pytest.raises(BadInput, match="'robot' is none of person, machine, gold"):
        read_import("labels", Source("f", f"{head}a\t1\td1\t1\t\trobot\n".encode()), scales=SCALES)


@each(
    "options",
    [
        {"mapped": MAP},
        {"description": {"model": "m"}},
        {"machine": "two\nlines"},
        {"machine": " llm"},
    ],
)
def test_options_of_a_machine_need_its_name_on_one_line(options):
    with pytest.raises(BadInput):
        read_import(
            "labels", Source("f", b"assessor\ttopic\tdocument\tlevel\na\t1\td\t1\n"), **options
        )


@each(
    ("text", "parameters"),
    [
        ("", {}),
        ("temperature=0, top_p=.9,seed=-7", {"temperature": 0, "top_p": 0.9, "seed": -7}),
        ("mode=a=b,stream=true,stop=", {"mode": "a=b", "stream": True, "stop": ""}),
        ('{"to": ["a"], "n": {"m": 1}}', {"n": {"m": 1}, "to": ["a"]}),
        ('{"name": "0.50", "none": null}', {"name": 0.5, "none": None}),
    ],
)
def test_parameters_are_pairs_or_json(text, parameters):
    assert read_parameters(text) == parameters


@each("text", ["temperature", "=1", "{1}", "{", "n=1e400", '{"n": [1e400]}'])
def test_other_parameters_are_refused(text):
    with pytest.raises(BadInput, match=r"parameter|name=value"):
        read_parameters(text)


STRAYS = {"RMITIR-llama70B": 2, "Olz-gpt4o": 0, "willia-umbrela1": 0}
"""How many levels of a real machine are on no scale."""


@pytest.mark.parametrize("name", few(STRAYS))
def test_real_machines_are_read_whole_or_refused(shared_data, name):
    strays = STRAYS[name]
    source = Source.at(str(shared_data / "machine" / "llmjudge" / f"{name}.qrels"))
    options = {"machine": name, "scales": SCALES}
    if strays:
        with pytest.raises(BadInput, match=f"{strays} of 2,123 levels.*'5' on line 1209"):
            read_import("labels", source, **options)
    mapped = {"mapped": {"5": "invalid"}} if strays else {}
    imported = read_import("labels", source, **options, **mapped)
    assert len(imported.frames["labels"]) == 2123
    assert imported.counts.get("invalid answers", 0) == strays
