"""Labels written as CSV read back as they were, and open safely in a spreadsheet."""

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from core.collection.export.label_export import write_labels_csv
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.labels.label_options import LABEL, STATES

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"))
AWKWARD = st.sampled_from(["=1+1", "'=x", "''-2", "@me", "-1", "+", "'quoted'", 'a"b', "a\nb",
                          "a;=1;", "a;'=1", "a\n\n=1", "a\t''@b", "f(a,'=')"])  # fmt: skip
COMMENT = TEXT | AWKWARD
ID = COMMENT.map(str.strip).filter(bool)
MOMENT = st.datetimes(
    min_value=pd.Timestamp("1970-01-01").to_pydatetime(),
    max_value=pd.Timestamp("2200-01-01").to_pydatetime(),
)


def without_engine(key):
    return (*key[:3], *key[4:])


@st.composite
def label_frames(draw):
    keys = st.tuples(ID, ID, st.sampled_from(["page", "snippet"]), ID, ID, st.integers(0, 3))
    rows = []
    for topic, document, facet, engine, assessor, occasion in draw(
        st.lists(keys, min_size=1, unique_by=without_engine)
    ):
        state = draw(st.sampled_from(STATES))
        level = draw(st.integers(0, 5) | st.floats(0, 9)) if state == "level" else np.nan
        engine = engine if facet == "snippet" else ""
        key = (topic, document, facet, engine, assessor, occasion)
        group, sequence = draw(COMMENT).strip(), draw(st.integers(0, 2**40))
        details = (draw(MOMENT), draw(st.integers(0, 2**31)), draw(COMMENT))
        rows.append((*key, float(level), state, group, sequence, *details))
    frame = pd.DataFrame(rows, columns=LABEL)
    frame["time"] = frame["time"].astype("datetime64[us]").dt.tz_localize("UTC")
    texts = ["topic_id", "document_id", "facet", "engine", "assessor_id", "state"]
    return frame.astype(dict.fromkeys([*texts, "group", "comment"], "str"))


@settings(deadline=None)
@given(label_frames())
def test_round_trip(frame):
    again = read_import("labels", Source("l.csv", write_labels_csv(frame))).frames["labels"]
    assert_frame_equal(again, frame)


@settings(deadline=None)
@given(label_frames())
def test_no_cell_is_a_formula(frame):
    rows = csv.reader(io.StringIO(write_labels_csv(frame).decode(), newline=""))
    cells = [part for row in rows for cell in row for part in re.split("[\t\n,;]", cell)]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_what_others_wrote_keeps_the_apostrophes_within_it():
    text = "topic,document,assessor,level,comment\n1,d,a,1,\"f(a,'='); it's\"\n"
    comments = read_import("labels", Source("l.csv", text.encode())).frames["labels"]["comment"]
    assert comments.tolist() == ["f(a,'='); it's"]


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "topic_id": ["1", "1"],
            "document_id": ["d", "e"],
            "facet": "page",
            "engine": "",
            "assessor_id": "a",
            "occasion": 0,
            "level": [3.0, np.nan],
            "state": ["level", "cannot judge"],
        }
    )


def test_columns_may_be_absent(frame):
    assert write_labels_csv(frame).decode().splitlines() == [
        "assessor,topic,document,facet,engine,occasion,level,state",
        "a,1,d,page,,0,3,level",
        "a,1,e,page,,0,,cannot judge",
    ]


def test_the_given_level_is_written(frame):
    text = write_labels_csv(frame.assign(given_level=[4, None])).decode()
    assert text.splitlines()[1] == "a,1,d,page,,0,4,level"


def test_what_text_files_cannot_hold_is_replaced(frame):
    awkward = frame.assign(
        comment=["a\r\nb\rc\0d", None], time=[pd.NaT, pd.Timestamp("2026-01-01")]
    )
    again = read_import("labels", Source("l.csv", write_labels_csv(awkward))).frames["labels"]
    assert again["comment"].tolist() == ["a\nb\nc\ufffdd", ""]
    assert again["time"][1] == pd.Timestamp("2026-01-01", tz="UTC")


def test_names_of_assessors_are_written_and_not_mistaken_for_their_ids(frame):
    data = write_labels_csv(frame.assign(name="=Ann"))
    assert data.decode().splitlines()[1] == "a,'=Ann,1,d,page,,0,3,level"
    result = read_import("labels", Source("l.csv", data))
    assert result.frames["labels"]["assessor_id"].tolist() == ["a", "a"]
    assert result.notes == ("not used: the column(s) name",)
