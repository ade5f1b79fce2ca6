"""Labels from a table: assessor, topic, document, level and perhaps more."""

import math

import numpy as np
import pandas as pd
import pytest

from core.collection.labels.label_options import LABEL
from core.collection.labels.label_values import find_level
from core.collection.records import default_scales, numeric_scale
from core.errors import BadInput

TSV = "assessor\ttopic\tdocument\tlevel\na1\t1\td1\t2\na2\t1\td1\t0\n"


def columns(result, *names):
    return result.frames["labels"][list(names)].values.tolist()


def test_tsv(read):
    result = read("labels", TSV)
    frame = result.frames["labels"]
    assert tuple(frame) == LABEL
    assert columns(result, "assessor_id", "topic_id", "document_id", "level") == [
        ["a1", "1", "d1", 2.0],
        ["a2", "1", "d1", 0.0],
    ]
    assert columns(result, "facet", "engine", "occasion", "state", "sequence") == [
        ["page", "", 0, "level", 1],
        ["page", "", 0, "level", 2],
    ]
    assert frame["time"].isna().all()
    assert frame["dwell_ms"].tolist() == [0, 0]
    assert result.counts == {
        "labels": 2,
        "assessors": 2,
        "topics": 1,
        "documents": 1,
        "cannot judge": 0,
        "missing": 0,
    }
    assert result.notes == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\t", ","),
        lambda text: text.replace("\t", ";"),
        lambda text: '"' + text.strip().replace("\t", '","').replace("\n", '"\n"') + '"',
        lambda text: text.replace("\t", " \t "),
        lambda text: "\n" + text.replace("\n", "\r\n\r\n"),
        lambda text: "\ufeff" + text.replace("assessor\ttopic", "Assessor\tTOPIC"),
        lambda text: text.replace("assessor", "assessor_id").replace("level", "Rating"),
    ],
)
def test_spelling_of_a_table_does_not_matter(read, change):
    assert columns(read("labels", change(TSV)), "assessor_id", "document_id", "level") == [
        ["a1", "d1", 2.0],
        ["a2", "d1", 0.0],
    ]


def test_all_columns(read):
    text = (
        "assessor,topic,document,facet,engine,occasion,level,group,time,dwell_ms,comment,mood\n"
        'a,1,d,Snippet,E,1,3,experts,2026-01-31T12:00:00.5+01:00,1200,"long, ""so""",good\n'
        "a,1,d,page,E,0,2,,1769857200,,,\n"
    )
    result = read("labels", text)
    frame = result.frames["labels"]
    assert columns(result, "facet", "engine", "occasion", "level", "group", "comment") == [
        ["snippet", "E", 1, 3.0, "experts", 'long, "so"'],
        ["page", "", 0, 2.0, "", ""],
    ]
    assert frame["dwell_ms"].tolist() == [1200, 0]
    assert frame["time"].tolist() == [
        pd.Timestamp("2026-01-31T11:00:00.5Z"),
        pd.Timestamp("2026-01-31T11:00:00Z"),
    ]
    assert result.notes == ("not used: the column(s) mood",)


def test_columns_may_be_called_anything(read):
    text = "topicID\tworkerID\tdocID\tlabel\tlevel\n1\tw\td\t2\tx\n"
    names = {"assessor": "workerID", "topic": "topicID", "document": "docID", "level": "label"}
    assert columns(read("labels", text, columns=names), "assessor_id", "level") == [["w", 2.0]]


def test_missing_values_are_no_labels(read):
    text = TSV + "a3\t1\td1\t-2.0\na4\t1\td1\tn/a\na5\t1\td1\t\n"
    result = read("labels", text, missing=(-2, "n/a", ""))
    assert result.frames["labels"]["assessor_id"].tolist() == ["a1", "a2"]
    assert result.counts["missing"] == 3


def test_level_names_need_a_scale(read, refuse):
    text = "assessor\ttopic\tdocument\tfacet\tlevel\na\t1\td\tpage\tNav\na\t1\td\tsnippet\tsure\n"
    result = read("labels", text, scales=default_scales())
    assert columns(result, "facet", "level") == [["page", 4.0], ["snippet", 3.0]]
    assert "need a scale" in refuse("labels", text).reason


def test_levels_off_the_scale_are_refused(refuse):
    scales = {"page": numeric_scale(range(3))}
    error = refuse(
        "labels", TSV + "a3\t1\td1\t3\n", "'3' is not on the scale: 0 0, 1", scales=scales
    )
    assert (error.line, error.field) == (4, "level")


def test_find_level():
    scale = default_scales()["page"]
    assert find_level("hrel", scale) == find_level("2", scale) == find_level("2.0", scale) == 2
    assert math.isnan(find_level("2.5", scale))
    assert find_level("2.5", ()) == 2.5
    assert math.isnan(find_level("-1", ()))
    assert math.isnan(find_level("", ()))


def test_cannot_judge_is_a_state(read):
    text = TSV + "a3\t1\td1\tCannot judge\na4\t1\td1\tbroken\n"
    result = read("labels", text, cannot_judge=("cannot judge", "broken"))
    frame = result.frames["labels"]
    assert frame["state"].tolist() == ["level", "level", "cannot judge", "cannot judge"]
    assert np.isnan(frame["level"][2:]).all()
    assert (result.counts["labels"], result.counts["cannot judge"]) == (2, 2)


def test_states_may_stand_in_a_column(read, refuse):
    text = "assessor\ttopic\tdocument\tstate\tlevel\n"
    result = read("labels", text + "a\t1\td\tlater\t \na\t1\te\t\t1\na\t1\tf\tlevel\t2\n")
    assert result.frames["labels"]["state"].tolist() == ["later", "level", "level"]
    assert refuse("labels", text + "a\t1\td\tlost\t1\n", "no state").field == "state"


def test_repeats_become_occasions(read):
    result = read("labels", TSV + "a1\t1\td1\t1\na1\t1\td1\t2\n")
    assert result.frames["labels"]["occasion"].tolist() == [0, 0, 1, 2]
    assert result.counts["repeated"] == 2
    assert result.notes[0].startswith("2 rows repeat")


def test_numbered_occasions_may_not_repeat(refuse):
    text = (
        "assessor\ttopic\tdocument\toccasion\tlevel\na\t1\td\t1\t0\na\t1\td\t\t0\na\t1\td\t1\t0\n"
    )
    error = refuse("labels", text, "topic 1, document d, facet page, assessor a, occasion 1 is alr")
    assert error.line == 4


def test_gold_is_one_more_assessor(read):
    text = (
        "assessor\ttopic\tdocument\tlevel\tgold\n"
        "a\t1\td\t2\t1\nb\t1\td\t-2\t1\na\t1\te\t0\t-1\na\t1\tf\t0\t\na\t2\td\t0\t2\n"
    )
    result = read("labels", text, missing=(-2,), gold="gold")
    assert columns(result, "assessor_id", "topic_id", "document_id", "level")[3:] == [
        ["a", "2", "d", 0.0],
        ["gold", "1", "d", 1.0],
        ["gold", "2", "d", 2.0],
    ]
    assert result.counts["missing"] == 1


def test_gold_column_may_be_called_anything(read, refuse):
    text = "assessor\ttopic\tdocument\tlevel\tgold\tFinal\na\t1\td\t2\tx\t1\n"
    result = read("labels", text, gold="Final")
    assert columns(result, "assessor_id", "level") == [["a", 2.0], ["gold", 1.0]]
    assert refuse("labels", text, "no column 'best'", gold="best").line == 1


def test_conflicting_gold_is_refused(refuse):
    text = "assessor\ttopic\tdocument\tlevel\tgold\na\t1\td\t2\t1\nb\t1\td\t2\t1\nc\t1\td\t2\t0\n"
    error = refuse("labels", text, "gold is 0 here but another level", gold="gold")
    assert (error.line, error.field) == (4, "gold")
    taken = "assessor\ttopic\tdocument\tlevel\tgold\ngold\t1\td\t2\t1\n"
    assert refuse("labels", taken, "is called 'gold' already", gold="gold").line == 2


@pytest.mark.parametrize(
    ("row", "match", "field"),
    [
        ("a3\t1\td1", "has 3 cells where the header has 4", ""),
        ("a3\t1\td1\t1\tx", "has 5 cells", ""),
        ("\t1\td1\t1", "empty", "assessor_id"),
        ("a3\t\td1\t1", "empty", "topic_id"),
        ("a3\t1\td1\t", "empty", "level"),
        ("a3\t1\td1\t-1", "say missing=-1", "level"),
        ("a3\t1\td1\tgood", "not a number", "level"),
        ("a3\t1\td1\tinf", "not a number", "level"),
    ],
)
def test_faults_are_named(refuse, row, match, field):
    error = refuse("labels", f"{TSV}{row}\n", match)
    assert (error.line, error.field) == (4, field)


@pytest.mark.parametrize(
    ("column", "cell", "match"),
    [
        ("facet", "title", "'title' is no facet"),
        ("occasion", "-1", "whole number from 0"),
        ("occasion", "1.5", "whole number from 0"),
        ("dwell_ms", "soon", "whole number from 0"),
        ("sequence", "x", "whole number from 0"),
        ("time", "yesterday", "'yesterday' is not a time"),
        ("time", "12", "'12' is not a time"),
    ],
)
def test_faults_of_details_are_named(refuse, column, cell, match):
    header = f"assessor\ttopic\tdocument\tlevel\t{column}\n"
    error = refuse("labels", f"{header}a\t1\td\t1\t{cell}\n", match)
    assert (error.line, error.field) == (2, column)


def test_header_faults_are_named(refuse):
    assert (
        refuse(
            "labels",
            "a\tb\n1\t2\n",
            "no column 'assessor', nor 'topic', 'document', 'level', only: a, b",
        ).line
        == 1
    )
    assert refuse("labels", "assessor\ttopic\tdocument\tlevel\n", "no rows").line == 1
    assert "no column 'x'" in refuse("labels", TSV, columns={"level": "x"}).reason
    assert "'colour' is known" in refuse("labels", TSV, columns={"colour": "level"}).reason
    refuse("labels", TSV, "no row has a label", missing=(0, 2))


def test_facet_option(read):
    assert columns(read("labels", TSV, facet="snippet"), "facet") == [["snippet"], ["snippet"]]
    with pytest.raises(BadInput, match="snippet or page"):
        read("labels", TSV, facet="title")
