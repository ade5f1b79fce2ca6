"""Files of other annotation tools: read as their documentation has them, and back as written."""

import json

import pandas as pd
import pytest
from hypothesis import given, settings
from pandas.testing import assert_frame_equal

from core.collection.annotation_tools.texts import Texts
from core.collection.annotation_tools.writers import LABEL_WRITERS, PREFERENCE_WRITERS
from core.collection.detection import detect_kind
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.labels.label_options import CANNOT_JUDGE, JUDGED, KEY
from core.collection.labels.preferences import PREFERENCE
from core.collection.records import default_scales
from core.errors import BadInput
from tests.core.collection.export.test_label_export import label_frames
from tests.core.collection.labels.test_preferences import preference_frames
from tests.each import each
from tests.short import few, long

TEXTS = Texts({"t": "big cats"}, {"d": ("Lion", "Roars.")})
FORMAT_OF = {
    "quepid": "ratings CSV",
    "label-studio": "Label Studio JSON",
    "doccano": "doccano JSONL",
    "argilla": "Argilla records",
    "potato": "Potato",
}
KEPT = {
    "label-studio": ("time", "dwell_ms", "comment"),
    "doccano": ("sequence", "time", "dwell_ms", "comment"),
    "argilla": ("comment",),
    "potato": ("comment",),
}
"""What beside key, level and state goes into each tool's files and comes back."""


def rows(result, *more):
    columns = ["assessor_id", "topic_id", "document_id", "level", *more]
    return result.frames["labels"][columns].values.tolist()


def read(text, name="f", kind="labels", **options):
    return read_import(kind, Source(name, text.encode()), **options)


LABEL_STUDIO = {
    "id": 1,
    "created_at": "2021-03-09T21:52:49.513742Z",
    "project": 83,
    "data": {"topic": "t", "document": "d", "text": "Roars."},
    "annotations": [
        {
            "id": "1001",
            "result": [
                {
                    "from_name": "level",
                    "id": "Dx_aB91ISN",
                    "to_name": "text",
                    "type": "choices",
                    "value": {"choices": ["HRel"]},
                }
            ],
            "was_cancelled": False,
            "ground_truth": False,
            "created_at": "2021-03-09T22:16:08.728353Z",
            "lead_time": 4.288,
            "task": 1,
            "completed_by": 10,
        },
        {
            "result": [],
            "was_cancelled": True,
            "completed_by": {"id": 11, "email": "b@c.example", "first_name": "", "last_name": ""},
        },
        {"result": [], "was_cancelled": False, "completed_by": 12},
    ],
    "predictions": [{"result": [{"type": "choices", "value": {"choices": ["Non"]}}]}],
}
"""After https://labelstud.io/guide/task_format and https://labelstud.io/tags/choices: the example's
task with a choice; who annotated is a number, or described where the export expands it."""


def test_label_studio_tasks_are_read_as_documented():
    result = read(json.dumps([LABEL_STUDIO]), scales=default_scales())
    assert rows(result, "state", "dwell_ms") == [
        ["10", "t", "d", 2.0, JUDGED, 4288],
        ["b@c.example", "t", "d", pytest.approx(float("nan"), nan_ok=True), CANNOT_JUDGE, 0],
    ]
    assert result.counts["missing"] == 1
    assert str(result.frames["labels"]["time"][0]) == "2021-03-09 22:16:08.728353+00:00"


def make_task(document, *people):
    part = {"from_name": "level", "type": "rating", "value": {"rating": 1}}
    done = [{"completed_by": one, "result": [part]} for one in people]
    return {"data": {"topic": "t", "document": document}, "annotations": done}


ANN = {"id": 1, "email": "ann@example.org"}


def test_an_annotator_is_one_person_however_label_studio_writes_them():
    text = json.dumps([make_task("d", 1, 2), make_task("e", ANN, "2")])
    assert [row[0] for row in rows(read(text))] == ["ann@example.org", "2", "ann@example.org", "2"]


@each("other", [make_task("e", 1), make_task("e", ANN | {"email": "bob@example.org"})])
def test_an_annotator_of_two_names_in_two_files_is_refused(other):
    files = [Source(f"{name}.json", json.dumps([task]).encode())
             for name, task in (("a", make_task("d", ANN)), ("b", other))]  # fmt: skip
    with pytest.raises(BadInput, match=r"number 1, is called ann@example\.org and "):
        read_import("labels", files)


def test_an_annotator_of_two_names_in_a_file_is_refused():
    text = json.dumps([make_task("d", ANN), make_task("e", ANN | {"email": "b@example.org"})])
    with pytest.raises(BadInput, match=r"annotator 1 is ann@example\.org and b@example\.org"):
        read(text)


PRODIGY = {"topic": "t", "document": "d", "_task_hash": 1, "_session_id": "set-ann"}


@each(
    ("given", "level", "state"),
    [
        ({"accept": ["2"], "answer": "accept"}, 2, JUDGED),
        ({"accept": ["2"], "answer": "ignore"}, None, CANNOT_JUDGE),
        ({"accept": [], "answer": "reject"}, None, CANNOT_JUDGE),
        ({"label": "relevant", "answer": "accept"}, 1, JUDGED),
        ({"label": "relevant", "answer": "reject"}, 0, JUDGED),
        ({"label": "relevant", "answer": "ignore"}, None, CANNOT_JUDGE),
        ({"label": "2", "answer": "accept"}, 2, JUDGED),
    ],
)
def test_prodigy_tasks_are_read_by_their_answer(given, level, state):
    """After https://prodi.gy/docs/api-interfaces: an answer is no level, and ignored is none."""
    found = read(json.dumps(PRODIGY | given))
    assert found.formats == ("Prodigy JSONL",)
    (row,) = rows(found, "state")
    assert row[:3] == ["set-ann", "t", "d"]
    assert row[4] == state
    assert row[3] == level or (level is None and row[3] != row[3])


def test_a_label_of_prodigy_that_a_scale_has_is_that_level():
    text = json.dumps(PRODIGY | {"label": "HRel", "answer": "accept"})
    assert rows(read(text, scales=default_scales())) == [["set-ann", "t", "d", 2.0]]


def test_who_judged_can_be_named_in_prodigys_tasks():
    item = {"topic": "t", "document": "d", "_task_hash": 1, "answer": "accept"}
    tasks = [item | {"accept": [level], "by": who} for level, who in (("1", "ann"), ("2", "bob"))]
    text = "\n".join(map(json.dumps, tasks))
    with pytest.raises(BadInput, match="nobody is named"):
        read(text)
    found = rows(read(text, columns={"assessor": "by"}))
    assert found == [["ann", "t", "d", 1.0], ["bob", "t", "d", 2.0]]


@each(
    ("given", "reason"),
    [
        ({"label": "2", "answer": "reject"}, "'2' was rejected, which does not say"),
        ({"accept": ["1", "2"], "answer": "accept"}, "has 2 options accepted"),
        ({"accept": ["1"], "answer": "maybe"}, "neither accepted"),
    ],
)
def test_prodigy_tasks_that_say_no_level_are_refused(given, reason):
    good = PRODIGY | {"accept": ["1"], "answer": "accept"}
    with pytest.raises(BadInput, match=reason) as told:
        read("\n".join(map(json.dumps, [good, PRODIGY | given])))
    assert told.value.line == 2


@each(
    ("kind", "value", "level"),
    [("rating", {"rating": 4}, 4), ("number", {"number": 2}, 2), ("choices", {"choices": [1]}, 1)],
)
def test_label_studio_levels_may_be_ratings_and_numbers(kind, value, level):
    """https://labelstud.io/tags/rating and https://labelstud.io/tags/number."""
    part = {"from_name": "stars", "to_name": "text", "type": kind, "value": value}
    said = {
        "data": {"qid": 1, "docid": "d"},
        "annotations": [{"completed_by": 1, "result": [part]}],
    }
    assert rows(read(json.dumps([said]))) == [["1", "1", "d", level]]


def test_of_several_controls_one_is_named():
    parts = [
        {"from_name": name, "type": "rating", "value": {"rating": level}}
        for name, level in (("trust", 1), ("fresh", 3))
    ]
    task = {"data": {"topic": "t", "document": "d"}}
    text = json.dumps([task | {"annotations": [{"completed_by": "a", "result": parts}]}])
    with pytest.raises(BadInput, match=r"holds the levels \(trust, fresh\); say which"):
        read(text)
    assert rows(read(text, columns={"level": "fresh"})) == [["a", "t", "d", 3.0]]


def test_data_that_do_not_name_a_topic_can_be_mapped():
    part = {"from_name": "level", "type": "rating", "value": {"rating": 2}}
    task = {"data": {"need": "t", "page": "d"}}
    text = json.dumps([task | {"annotations": [{"completed_by": "a", "result": [part]}]}])
    with pytest.raises(BadInput, match="does not name its topic; it has: need, page"):
        read(text)
    named = read(text, columns={"topic": "need", "document": "page"})
    assert rows(named) == [["a", "t", "d", 2.0]]


def test_label_studio_pairs_are_read_as_documented():
    """https://labelstud.io/tags/pairwise: the value is {"selected": "left"} or right."""
    part = {"from_name": "pw", "to_name": "txt-1,txt-2", "type": "pairwise"}
    task = {
        "data": {"topic": "t", "left": "d", "right": "e", "text1": "x", "text2": "y"},
        "annotations": [
            {"completed_by": 1, "result": [part | {"value": {"selected": "right"}}]},
            {"completed_by": 2, "result": [], "was_cancelled": True},
        ],
    }
    source = Source("f", json.dumps([task]).encode())
    assert detect_kind(source).kind == "preferences"
    found = read_import("preferences", source).frames["preferences"]
    assert found[["first", "second", "left", "choice", "state"]].values.tolist() == [
        ["d", "e", "d", "second", JUDGED],
        ["d", "e", "d", "", CANNOT_JUDGE],
    ]


ARGILLA = {
    "id": "r1",
    "fields": {"text": "Roars."},
    "metadata": {"topic": "t", "document": "d"},
    "suggestions": {"level": {"value": 3, "score": None, "agent": "model"}},
    "responses": {
        "level": [{"value": 2, "user_id": "u1"}, {"value": 0, "user_id": "u2"}],
        "comment": [{"value": "why not", "user_id": "u2"}],
    },
    "vectors": {},
    "_server_id": None,
}
"""After https://docs.argilla.io/latest/reference/argilla/records/records (``Record.to_dict``)."""


def test_argilla_records_are_read_as_documented():
    result = read(json.dumps([ARGILLA]))
    expected = [["u1", "t", "d", 2.0, ""], ["u2", "t", "d", 0.0, "why not"]]
    assert rows(result, "comment") == expected


def test_flat_argilla_records_are_read_as_documented():
    """``Dataset.records.to_datasets`` flattens: question.responses, .users and .status."""
    record = {
        "id": "r1",
        "text": "Roars.",
        "topic": "t",
        "document": "d",
        "level.responses": [2, 1, None],
        "level.responses.users": ["u1", "u2", "u3"],
        "level.responses.status": ["submitted", "draft", "discarded"],
        "level.suggestion": 3,
    }
    result = read(json.dumps(record))
    assert rows(result, "state")[0] == ["u1", "t", "d", 2.0, JUDGED]
    assert result.frames["labels"]["assessor_id"].tolist() == ["u1", "u3"]
    assert result.counts["cannot judge"] == 1


POTATO = {
    "id": "t:::d",
    "displayed_text": "Roars.",
    "label_annotations": {"relevance": {"scale_3": "3"}, "comment": {"text_box": "hm"}},
    "span_annotations": [],
    "behavioral_data": {"time_string": "Time spent: 0d 0h 0m 5s "},
}
"""As Potato 1.2 writes ``annotation_output/USER/annotated_instances.jsonl`` (its flask_server.py,
``save_user_state``); https://potatoannotator.readthedocs.io has the schemes."""


def test_potato_instances_are_read_as_they_are_written():
    result = read(json.dumps(POTATO), name="annotation_output/ann/annotated_instances.jsonl")
    assert rows(result, "comment") == [["ann", "t", "d", 3.0, "hm"]]
    chosen = {"positive": "false", "2": "true"}
    record = POTATO | {"user_id": "u", "label_annotations": {"level": chosen}}
    assert rows(read(json.dumps(record))) == [["u", "t", "d", 2.0]]


def test_potato_tables_are_read_as_they_are_written():
    """``save_all_annotations``: user, instance_id, displayed_text and a column scheme:::label."""
    table = (
        "user\tinstance_id\tdisplayed_text\tlevel:::1\tlevel:::2\n"
        'ann\tt:::d\t"two\nlines"\t\ttrue\n'
        "bea\tt:::d\tx\ttrue\t\n"
        "bea\tt:::e\tx\t\t\n"
    )
    result = read(table)
    assert rows(result) == [["ann", "t", "d", 2.0], ["bea", "t", "d", 1.0]]
    assert result.counts["missing"] == 1


def test_quepid_cases_are_read_as_they_are_written():
    """Quepid's ratings_controller.rb: query, docid, rating; a query alone where none is rated.

    A text that begins like a formula begins with a space there.
    """
    result = read("query,docid,rating\nbig cats,d1,3\nbig cats,d2,0\ndogs,,\n +1,d3,2\n")
    assert rows(result) == [
        ["rating", "big cats", "d1", 3.0],
        ["rating", "big cats", "d2", 0.0],
        ["rating", "+1", "d3", 2.0],
    ]


def test_quepid_books_are_read_as_they_are_written():
    """Quepid's books_controller.rb: query, docid, and a column for each rater, by name."""
    result = read("query,docid,Ann A,Unknown\nbig cats,d1,3,\nbig cats,d2,,1\n")
    assert rows(result) == [["Ann A", "big cats", "d1", 3.0], ["Unknown", "big cats", "d2", 1.0]]


@pytest.mark.parametrize("tool", few(KEPT))
@settings(deadline=None)
@given(frame=label_frames())
def test_labels_come_back_from_each_tool_as_they_went(tool, frame):
    said = frame[frame["state"].isin([JUDGED, CANNOT_JUDGE])].reset_index(drop=True)
    said["comment"] = said["comment"].str.strip()
    if said.empty:
        return
    written = LABEL_WRITERS[tool].write(said, TEXTS)
    columns = [*KEY, "level", "state", *KEPT[tool]]
    again = read_import("labels", Source("f", written), format_name=FORMAT_OF[tool])
    back, gone = (
        one[columns].sort_values(list(KEY), ignore_index=True)
        for one in (again.frames["labels"], said)
    )
    if "comment" in columns:
        back["comment"] = back["comment"].str.strip()
    assert_frame_equal(back, gone)


SMALL = pd.DataFrame(
    {
        "topic_id": ["t", "t", "=u", "t"],
        "document_id": ["d", "d", "e", "e"],
        "facet": "page",
        "engine": "",
        "assessor_id": ["a", "b", "a", "a"],
        "occasion": 0,
        "level": [1.0, 2.0, 0.5, float("nan")],
        "state": [JUDGED, JUDGED, JUDGED, CANNOT_JUDGE],
    }
)


@each("tool", LABEL_WRITERS)
def test_what_is_written_for_a_tool_is_known_again(tool):
    source = Source("f", LABEL_WRITERS[tool].write(SMALL, TEXTS))
    found = detect_kind(source)
    assert (found.kind, found.format_name) == ("labels", FORMAT_OF[tool])


def test_a_quepid_book_has_queries_and_comes_back():
    written = LABEL_WRITERS["quepid"].write(SMALL, TEXTS)
    assert written.decode().splitlines() == [
        '"query","docid","a","b"',
        '"big cats","d","1","2"',
        '" =u","e","0.5",""',
    ]
    assert sorted(rows(read(written.decode()))) == [
        ["a", "=u", "e", 0.5],
        ["a", "big cats", "d", 1.0],
        ["b", "big cats", "d", 2.0],
    ]


def test_a_query_of_two_topics_stands_for_none():
    frame = SMALL.assign(topic_id=["t", "t", "u", "t"])
    written = LABEL_WRITERS["quepid"].write(frame, Texts({"t": "cats", "u": "cats"}))
    assert [line.split(",")[0] for line in written.decode().splitlines()[1:]] == ['"t"', '"u"']


@long
@settings(deadline=None)
@given(frame=preference_frames())
def test_preferences_come_back_as_they_went(frame):
    writer = PREFERENCE_WRITERS["label-studio"]
    if (frame["left"] == "").any():
        with pytest.raises(BadInput, match="sides are unknown"):
            writer.write(frame, TEXTS)
        return
    source = Source("f", writer.write(frame, TEXTS))
    again = read_import("preferences", source, format_name="Label Studio JSON")
    assert_frame_equal(again.frames["preferences"][[*PREFERENCE]], frame[[*PREFERENCE]])


@each(
    ("text", "line", "reason"),
    [
        ('[\n{"data": {}, "annotations": [{"result": []}]}]', 2, "does not say who made it"),
        ('[{"data": {},\n "annotations": []},\n 7]', 3, "not a JSON object"),
        ('[{"data": {}, "annotations": []}\n{}]', 2, "a comma or ] is missing"),
        ('[{"data": {}, "annotations": []}]\nx', 2, "more follows"),
        ('[{"data": {}, "annotations": []},\n{]', 2, "is not JSON"),
        ('[{"data": 1, "annotations": []}]', 1, "has no data"),
    ],
)
def test_a_faulty_file_is_refused_by_its_line(text, line, reason):
    with pytest.raises(BadInput, match=reason) as caught:
        read(text, format_name="Label Studio JSON")
    assert caught.value.line == line
