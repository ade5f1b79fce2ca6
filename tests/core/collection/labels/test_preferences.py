"""Side-by-side preferences from files, and back."""

import gzip

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from core.collection.export.preference_export import write_preferences
from core.collection.files.source import Source
from core.collection.formats import format_names, read_import
from core.collection.labels.preferences import PREFERENCE
from core.errors import BadInput
from tests.short import try_often

TSV = """topic\tleft\tright\tchoice\tstrength\tassessor
1\tb\ta\tleft\t2\tx
1\ta\tc\tright\tslightly\tx
1\tb\tc\ttie\t\tx
1\tb\ta\ta\t\ty
1\tb\tc\tcannot judge\t\ty
"""


def rows(result, *columns):
    return result.frames["preferences"][list(columns)].values.tolist()


def test_a_table(read):
    result = read("preferences", TSV)
    frame = result.frames["preferences"]
    assert tuple(frame) == PREFERENCE
    assert (
        rows(result, "topic_id", "kind", "facet", "occasion") == [["1", "documents", "page", 0]] * 5
    )
    assert rows(
        result, "first", "second", "left", "choice", "strength", "assessor_id", "state"
    ) == [
        ["a", "b", "b", "second", 2, "x", "level"],
        ["a", "c", "a", "second", 1, "x", "level"],
        ["b", "c", "b", "tie", 0, "x", "level"],
        ["a", "b", "b", "first", 0, "y", "level"],
        ["b", "c", "b", "", 0, "y", "cannot judge"],
    ]
    assert result.counts == {
        "preferences": 4,
        "ties": 1,
        "cannot judge": 1,
        "pairs": 3,
        "topics": 1,
        "assessors": 2,
    }
    assert result.notes == ("the file does not say what was compared; it was taken for documents",)


def test_packed_files_and_commas(read):
    packed = gzip.compress(TSV.encode())
    commas = TSV.replace("\t", ",")
    expected = read("preferences", TSV).frames["preferences"]
    for text in (packed, commas):
        assert_frame_equal(read("preferences", text).frames["preferences"], expected)


def test_what_was_compared_may_be_said(read):
    systems = read("preferences", TSV, compared="systems")
    assert rows(systems, "kind", "facet")[0] == ["systems", "panel"]
    assert systems.notes == ()
    snippets = read("preferences", TSV, facet="snippet")
    assert rows(snippets, "kind", "facet")[0] == ["documents", "snippet"]
    text = "topic\tleft\tright\tchoice\tkind\tfacet\toccasion\tassessor\n"
    text += "1\ta\tb\tleft\tSystems\t\t0\tx\n1\ta\tb\tleft\tdocuments\tSnippet\t1\tx\n"
    mixed = read("preferences", text, compared="systems")
    assert rows(mixed, "kind", "facet", "occasion") == [
        ["systems", "panel", 0],
        ["documents", "snippet", 1],
    ]


def test_jsonl(read):
    lines = '{"topic": 1, "left": "a", "right": "b", "choice": "right", "judge": "x"}\n'
    assert rows(read("preferences", lines), "first", "second", "choice", "assessor_id") == [
        ["a", "b", "second", "x"]
    ]


def test_plain_lines(read):
    result = read("preferences", "1 docB docA docB\n\n1  docA docC tie\n2 left right left\n")
    assert rows(result, "topic_id", "first", "second", "left", "choice", "assessor_id") == [
        ["1", "docA", "docB", "", "second", "unnamed-1"],
        ["1", "docA", "docC", "", "tie", "unnamed-1"],
        ["2", "left", "right", "", "first", "unnamed-1"],
    ]
    tabbed = read("preferences", "1\tdoc A\tdoc B\tdoc B\n")
    assert rows(tabbed, "first", "choice") == [["doc A", "second"]]


def test_preferences_without_assessor_are_of_different_people(read):
    result = read("preferences", "1 a b a\n1 b a b\n1 a c a\n")
    assert rows(result, "assessor_id") == [["unnamed-1"], ["unnamed-2"], ["unnamed-1"]]
    assert "3 preferences name no assessor" in result.notes[1]
    some = "topic\tleft\tright\tchoice\tassessor\n1\ta\tb\ttie\tx\n1\ta\tb\ttie\t\n"
    assert rows(read("preferences", some), "assessor_id") == [["x"], ["unnamed-1"]]


@pytest.mark.parametrize("header", ["topic\tdocA\tdocB\twinner", "qid\tfirst\tsecond\tpreferred"])
def test_a_header_without_sides_leaves_them_unknown(read, header):
    result = read("preferences", f"{header}\n1\tb\ta\tb\n1\tb\tc\tfirst\n1\tc\ta\tsecond\n")
    assert rows(result, "first", "second", "left", "choice") == [
        ["a", "b", "", "second"],
        ["b", "c", "", "first"],
        ["a", "c", "", "first"],
    ]


def test_first_and_second_may_say_what_stood_on_the_left(read):
    text = (
        "topic\tfirst\tsecond\tleft\tchoice\n1\ta\tb\tb\tleft\n1\ta\tc\ta\tright\n1\tb\tc\t\ttie\n"
    )
    assert rows(read("preferences", text), "left", "choice") == [
        ["b", "second"],
        ["a", "second"],
        ["", "tie"],
    ]


def test_in_a_table_words_come_before_ids(read):
    text = "topic\tleft\tright\tchoice\n1\tright\tleft\tleft\n1\ttie\tb\ttie\n"
    assert rows(read("preferences", text), "first", "choice") == [
        ["left", "second"],
        ["b", "tie"],
    ]


HEADER = "topic\tleft\tright\tchoice\tstrength\tassessor\tkind\tfacet\toccasion\n"
GOOD = HEADER + "1\ta\tb\tleft\t\tx\t\t\t\n"


@pytest.mark.parametrize(
    ("row", "match", "field"),
    [
        (
            "1\ta\tc\tnone\t\tx\t\t\t",
            "'none' is no choice; it is left, right, tie, 'cannot",
            "choice",
        ),
        ("1\ta\tc\t\t\tx\t\t\t", "'' is no choice", "choice"),
        ("1\ta\tc\tleft\t3\tx\t\t\t", "'3' is no strength", "strength"),
        ("1\ta\tc\ttie\t1\tx\t\t\t", "only a choice between the two has a strength", "strength"),
        ("1\ta\ta\tleft\t\tx\t\t\t", "'a' is compared with itself", "right"),
        ("1\ta\t\tleft\t\tx\t\t\t", "an item is empty", "left"),
        ("\ta\tc\tleft\t\tx\t\t\t", "is empty", "topic_id"),
        ("1\ta\tc\tleft\t\tx\tpeople\t\t", "it is documents or systems", "kind"),
        (
            "1\ta\tc\tleft\t\tx\tsystems\tpage\t",
            "'page' is no facet of systems; it is panel",
            "facet",
        ),
        ("1\ta\tc\tleft\t\tx\t\tpanel\t", "no facet of documents; it is snippet or page", "facet"),
        ("1\ta\tc\tleft\t\tx\t\tlist\t", "'list' is no facet of documents", "facet"),
        ("1\ta\tc\tleft\t\tx\t\t\t-1", "'-1' is not a whole number", "occasion"),
        (
            "1\tb\ta\tright\t\tx\t\t\t",
            "assessor x, occasion 0 is already there, on line 2",
            "occasion",
        ),
        ("1\ta\tc\tleft", "has 4 cells where the header has 9", ""),
    ],
)
def test_faults_are_named(refuse, row, match, field):
    error = refuse("preferences", GOOD + row + "\n", match)
    assert (error.line, error.field) == (3, field)


def test_the_same_pair_again_is_another_occasion_or_assessor(read):
    text = (
        GOOD
        + "1\ta\tb\tleft\t\ty\t\t\t\n1\tb\ta\tleft\t\tx\t\t\t1\n1\ta\tb\tleft\t\tx\t\tsnippet\t\n"
    )
    assert len(read("preferences", text).frames["preferences"]) == 4


@pytest.mark.parametrize(
    ("text", "match", "line"),
    [
        ("1 a b a\n1 a b\n", "has 3 words; expected 4", 2),
        ("1 a b c\n", "'c' is no choice; it is tie, 'cannot judge' or the id", 1),
        ("1 a a a\n", "compared with itself", 1),
        ("1\ta\tb\ta\n\ta\tb\ta\n", "is empty", 2),
        ("topic\tleft\tchoice\n1\ta\tleft\n", "there is no column 'right'", 1),
        ("topic\tleft\tright\n1\ta\tb\n", "there is no column 'choice'", 1),
        ("topic\tfirst\tsecond\tleft\tchoice\n1\ta\tb\tc\ttie\n", "'c' is neither 'a' nor 'b'", 2),
        ("topic\tfirst\tsecond\tleft\tchoice\n1\ta\tb\t\tleft\n", "'left' is no choice", 2),
    ],
)
def test_faults_of_other_forms_are_named(refuse, text, match, line):
    assert refuse("preferences", text, match).line == line


def test_options_that_do_not_fit_are_refused():
    for options in ({"compared": "people"}, {"facet": "panel"}):
        with pytest.raises(BadInput, match=" or "):
            read_import("preferences", Source("f", TSV.encode()), **options)


def test_preferences_have_formats():
    names = format_names("preferences")
    assert {"JSONL", "TSV"} < set(names)
    assert names[-1] == "lines"


NAME = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\n\t\0", exclude_categories=["Zs", "Cc"]),
    min_size=1,
).filter(lambda text: text == text.strip())
WORDS = st.sampled_from(["left", "right", "tie", "first", "a", "b", "'=x", '"q"', "topic"])
ID = NAME | WORDS


@st.composite
def preference_frames(draw):
    pair = st.tuples(ID, ID).filter(lambda two: two[0] != two[1]).map(sorted).map(tuple)
    what = st.sampled_from([("documents", "page"), ("documents", "snippet"), ("systems", "panel")])
    keys = st.tuples(ID, what, pair, ID, st.integers(0, 2))
    found, is_sided = [], draw(st.booleans())
    for topic, (kind, facet), (first, second), assessor, occasion in draw(
        st.lists(keys, min_size=1, unique=True)
    ):
        left = draw(st.sampled_from([first, second] if is_sided else [first, second, ""]))
        choice = draw(st.sampled_from(["first", "second", "tie", ""]))
        strength = draw(st.integers(0, 2)) if choice in ("first", "second") else 0
        state = "level" if choice else "cannot judge"
        pair_columns = (topic, kind, facet, first, second, left, choice)
        found.append((*pair_columns, strength, assessor, occasion, state))
    frame = pd.DataFrame(found, columns=PREFERENCE)
    texts = [name for name in PREFERENCE if name not in ("strength", "occasion")]
    return frame.astype(dict.fromkeys(texts, "str"))


@try_often(2)
@given(preference_frames())
def test_round_trip(frame):
    again = read_import("preferences", Source("p.tsv", write_preferences(frame)))
    assert_frame_equal(again.frames["preferences"], frame)
    assert again.notes == ()


def test_the_written_file_is_the_documented_one(read):
    frame = read("preferences", TSV).frames["preferences"]
    assert write_preferences(frame).decode().splitlines()[:4] == [
        "topic\tleft\tright\tchoice\tstrength\tassessor\tkind\tfacet\toccasion",
        "1\tb\ta\tleft\t2\tx\tdocuments\tpage\t0",
        "1\ta\tc\tright\t1\tx\tdocuments\tpage\t0",
        "1\tb\tc\ttie\t0\tx\tdocuments\tpage\t0",
    ]


def test_an_id_that_tsv_cannot_hold_is_refused(read):
    frame = read("preferences", TSV).frames["preferences"]
    with pytest.raises(BadInput, match=r"'a\\tb' cannot be written in a TSV file"):
        write_preferences(frame.assign(topic_id="a\tb"))


@st.composite
def spoilt_files(draw):
    data = draw(st.sampled_from([TSV, GOOD, "1 a b a\n1 b c tie\n", '{"topic": 1, "left": "a"}']))
    data = data.encode()
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        piece = draw(st.binary(max_size=3) | st.sampled_from([b"\n", b"\t", b'"', b"-1", b"nan"]))
        data = data[:start] + piece + data[draw(st.sampled_from([start, end])) :]
    return data


@given(spoilt_files())
@try_often(2)
def test_any_file_is_read_or_refused_by_name(data):
    frame, error = read_or_refuse(data)
    if frame is None:
        assert error.file == "f"
        assert error.reason
    else:
        assert len(frame)
        assert (frame["first"] < frame["second"]).all()
        assert not frame.isna().any(axis=None)


def read_or_refuse(data):
    try:
        return read_import("preferences", Source("f", data)).frames["preferences"], None
    except BadInput as error:
        return None, error
