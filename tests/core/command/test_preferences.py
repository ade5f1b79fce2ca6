import gzip

import numpy as np
import pytest

from core.preference.bradley_terry import NO_BOUND
from tests.short import long

PAIR = {"topic", "first", "second", "wins", "losses", "ties", "share", "low", "high", "p"}
STRENGTH = {"topic", "item", "strength", "low", "high"}

DOCUMENTS = """topic\tleft\tright\tchoice\tstrength\tassessor
1\ta\tb\tleft\t2\tx
1\tb\tc\tleft\t1\tx
1\tc\ta\tleft\t\tx
1\ta\tb\tleft\t\ty
1\tc\tb\ttie\t\ty
2\ta\tb\ttie\t\tx
"""


def systems_file(topics=12):
    """A beats B in all topics but the last two, of which one is tied; B and C always tie."""
    rows = ["topic\tleft\tright\tchoice\tassessor\tkind"]
    for topic in range(topics):
        winner = "B" if topic == topics - 1 else "tie" if topic == topics - 2 else "A"
        left, right = ("A", "B") if topic % 2 else ("B", "A")
        rows.append(f"{topic}\t{left}\t{right}\t{winner}\tx\tsystems")
        rows.append(f"{topic}\tB\tC\ttie\tx\tsystems")
    return "\n".join(rows) + "\n"


@pytest.fixture
def documents(tmp_path):
    path = tmp_path / "documents.tsv"
    path.write_text(DOCUMENTS)
    return path


@pytest.fixture
def systems(tmp_path):
    path = tmp_path / "systems.tsv"
    path.write_text(systems_file())
    return path


def test_documents_are_compared_topic_by_topic(dissent, documents):
    result = dissent("preferences", documents, "--format", "json").json
    assert set(result) >= {"pairs", "strengths", "side_bias", "intransitive"}
    assert all(set(row) >= PAIR for row in result["pairs"])
    assert all(set(row) >= STRENGTH for row in result["strengths"])
    found = {(row["topic"], row["first"], row["second"]): row for row in result["pairs"]}
    assert [found["1", "a", "b"][name] for name in ("wins", "losses", "ties", "share")] == [
        *(2, 0, 0, 1.0)
    ]
    assert found["1", "a", "b"]["p"] == 0.5
    assert found["2", "a", "b"]["p"] is None
    assert "drops ties" in found["2", "a", "b"]["reason"]
    assert "reason" not in found["1", "a", "b"]
    strengths = {(row["topic"], row["item"]): row["strength"] for row in result["strengths"]}
    assert len(strengths) == 5
    assert sum(value for (topic, _), value in strengths.items() if topic == "1") == pytest.approx(0)
    assert strengths["2", "a"] == strengths["2", "b"] == 0
    assert result["intransitive"]["n"] == 1
    assert result["intransitive"]["share"] == 1.0
    assert result["intransitive"]["examples"][0]["topic"] == "1"
    assert [result["side_bias"][name] for name in ("left", "n", "p")] == [4, 4, 0.125]
    assert [row["assessor"] for row in result["side_bias"]["assessors"]] == ["x", "y"]
    assert result["side_bias"]["repeats"]["n"] == 0
    assert "swapped" in result["side_bias"]["repeats"]["reason"]
    assert [row["name"] for row in result["agreement"]] == ["raw", "kappa"]
    assert result["agreement"][0]["value"] == 0.5


@long
def test_systems_are_compared_over_topics(dissent, systems):
    result = dissent("preferences", systems, "--format", "json")
    assert result.err.endswith(
        "note: systems (panel): agreement needs labels of two assessors; only x has given a level "
        "so far\n"
    )
    pairs = {(row["first"], row["second"]): row for row in result.json["pairs"]}
    assert pairs["A", "B"]["topic"] is None
    assert [pairs["A", "B"][name] for name in ("wins", "losses", "ties", "won", "lost")] == [
        *(10, 1, 1, 10, 1)
    ]
    assert pairs["A", "B"]["p"] == pytest.approx(2 * 12 / 2**11)
    assert pairs["B", "C"]["p"] is None
    strengths = {row["item"]: row["strength"] for row in result.json["strengths"]}
    assert strengths["A"] > strengths["B"] == pytest.approx(strengths["C"])
    assert strengths["A"] - strengths["B"] == pytest.approx(np.log(10.5 / 1.5))
    assert pairs["A", "B"]["interval"] == {
        "method": "jackknife",
        "unit": "topic",
        "n": 12,
        "of": "share of preferences for the first of the two, a tie half a win, over topics like "
        "these",
    }
    assert 0 < pairs["A", "B"]["low"] < pairs["A", "B"]["share"] < pairs["A", "B"]["high"] < 1
    assert pairs["B", "C"]["share"] == 0.5
    assert 0 < pairs["B", "C"]["low"] < 0.5 < pairs["B", "C"]["high"] < 1
    assert "every trial is tied" in pairs["B", "C"]["reason"]
    for row in result.json["strengths"]:
        kept = {name: row["interval"][name] for name in ("method", "unit", "n")}
        assert kept == {"method": "jackknife", "unit": "topic", "n": 12}
        assert row["interval"]["of"].startswith("strength of this item")
        assert row["low"] < row["strength"] < row["high"]
        assert row["unbounded"] is False
    by_topic = dissent("preferences", systems, "--format", "json", "--per-topic").json["pairs"]
    assert len(by_topic) == 2 + 24
    assert by_topic[:2] == result.json["pairs"]


@long
def test_a_file_that_does_not_say_may_be_of_systems(dissent, documents):
    result = dissent("preferences", documents, "--kind", "systems", "--format", "json")
    assert "does not say what was compared" not in result.err
    assert {row["kind"] for row in result.json["pairs"]} == {"systems"}
    assert {row["topic"] for row in result.json["strengths"]} == {None}
    noted = dissent("preferences", documents, "--format", "json")
    assert "does not say what was compared" in noted.err


@long
def test_kinds_and_facets_are_kept_apart(dissent, tmp_path):
    rows = ["topic\tleft\tright\tchoice\tassessor\tkind\tfacet"]
    for kind, facet in (("documents", "page"), ("documents", "snippet"), ("systems", "panel")):
        rows += [f"1\ta\tb\tleft\t{who}\t{kind}\t{facet}" for who in "xy"]
    rows.append("1\ta\tb\tcannot judge\tz\tdocuments\tpage")
    path = tmp_path / "mixed.tsv.gz"
    path.write_bytes(gzip.compress("\n".join(rows).encode()))
    result = dissent("preferences", path, "--format", "json")
    assert "could not judge, left out: 1" in result.err
    parts = [(row["kind"], row["facet"]) for row in result.json["pairs"]]
    assert parts == [("documents", "page"), ("documents", "snippet"), ("systems", "panel")]
    sides = result.json["side_bias"]
    assert [(row["kind"], row["facet"], row["n"]) for row in sides["parts"]] == [
        (*part, 2) for part in parts
    ]
    assert (sides["left"], sides["n"], sides["p"]) == (None, None, None)
    assert "see parts" in sides["reason"]
    for words, expected in (
        (("--kind", "documents"), parts[:2]),
        (("--kind", "systems"), parts[2:]),
        (("--facet", "snippet"), parts[1:2]),
    ):
        chosen = dissent("preferences", path, *words, "--format", "json").json
        assert [(row["kind"], row["facet"]) for row in chosen["pairs"]] == expected
        assert [row["n"] for row in chosen["side_bias"]["parts"]] == [2] * len(expected)
    assert (chosen["side_bias"]["left"], chosen["side_bias"]["n"]) == (2, 2)


@long
def test_plain_lines_and_davidson(dissent, tmp_path):
    path = tmp_path / "lines.txt"
    lines = ["1 a b a"] * 8 + ["1 a b tie"] * 6 + ["1 a b b"] * 2
    path.write_text("\n".join(lines) + "\n")
    words = ("preferences", path, "--format", "json")
    result = dissent(*words, "--model", "davidson").json
    assert result["tie_parameters"][0]["tie_parameter"] == pytest.approx(6 / np.sqrt(16))
    assert result["strengths"][0]["strength"] == pytest.approx(np.log(4) / 2)
    assert result["side_bias"]["left"] == 0
    assert result["side_bias"]["p"] is None
    plain = dissent(*words).json
    assert plain["tie_parameters"] == []
    assert plain["strengths"][0]["strength"] == pytest.approx(np.log(11 / 5) / 2)
    assert plain["intransitive"] == {
        "n": 0,
        "triples": 0,
        "share": None,
        "examples": [],
        "reason": "no triple of items has a majority on all three pairs",
    }


def test_people_see_tables(dissent, documents):
    out = dissent("preferences", documents).out
    assert out.startswith("documents (page): Of 4 pairs of documents, none has a clear winner")
    assert "1 of 1 triple with a majority on all three pairs is intransitive" in out
    assert "first > second > third > first\n" in out
    assert "(all)" in out
    assert "1.000 [0.398, 1.000]  0.125" in out
    assert "unweighted κ" in out
    assert "tie parameter" in dissent("preferences", documents, "--model", "davidson").err


@long
def test_notes_groups_and_repeats_are_shown(dissent, tmp_path):
    rows = [
        "topic\tleft\tright\tchoice\tassessor\toccasion",
        *("1\ta\tb\tleft\tx\t0", "1\tb\ta\tleft\tx\t1", "1\tc\td\tleft\tx\t0"),
    ]
    path = tmp_path / "p.tsv"
    path.write_text("\n".join(rows) + "\n")
    result = dissent("preferences", path)
    out = result.out
    assert "note: documents (page): some items in the group won, or lost," in result.err
    assert "comparable within its group only" in result.err
    assert "The same pair again with sides swapped" in out
    lines = [line.split() for line in out.splitlines()]
    assert ["(all)", "1", "0", "1", "0", "0"] in [line[:6] for line in lines]
    strengths = dissent("preferences", path, "--format", "json").json["strengths"]
    assert [row["group"] for row in strengths] == [1, 1, 2, 2]
    assert all(row["note"] for row in strengths)
    assert [row["low"] for row in strengths] == [row["high"] for row in strengths] == [None] * 4
    assert all(row["unbounded"] for row in strengths)
    assert {row["reason"] for row in strengths} == {NO_BOUND}
    assert "[-∞, ∞]" in out
    assert "95 % limits over assessors (1), by the jackknife" in out


def test_long_tables_are_cut_for_people(dissent, tmp_path):
    lines = [f"{topic} a b a" for topic in range(30)]
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(lines) + "\n")
    out = dissent("preferences", path).out
    assert "… and 10 more; --format json has all" in out


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        (DOCUMENTS + "1\ta\tb\tnone\t\tz\n", (), "p.tsv:8: field 'choice': 'none' is no choice"),
        (DOCUMENTS + "1\tb\ta\tleft\t\ty\n", (), "p.tsv:8: field 'occasion': topic 1"),
        (systems_file(), ("--kind", "documents"), "no preference is of the kind 'documents'"),
        (DOCUMENTS, ("--facet", "snippet", "--kind", "systems"), "of the facet 'snippet'"),
        ("1 a b\n", (), "p.tsv:1: has 3 words"),
        ("1 a b tie\n", ("--model", "davidson"), "every preference is a tie"),
        (
            "topic\tleft\tright\tchoice\n1\ta\tb\tcannot judge\n",
            (),
            "nobody has given a preference so far",
        ),
    ],
)
def test_what_does_not_fit_is_refused(dissent, tmp_path, text, words, said):
    (tmp_path / "p.tsv").write_text(text)
    result = dissent("preferences", "p.tsv", *words)
    assert (result.status, result.out) == (1, "")
    assert said in result.err


@long
def test_reasons_are_counted_with_their_sides(dissent, tmp_path):
    head = "topic\tfirst\tsecond\tleft\tchoice\tassessor\tkind\toccasion"
    said = [
        ("1\ta\tb\ta\tfirst\tx\tdocuments\t0", ("fresh", "short")),
        ("1\ta\tb\tb\tfirst\ty\tdocuments\t0", ("fresh",)),
        ("1\ta\tb\tb\ttie\tz\tdocuments\t0", ("alike",)),
        ("1\ta\tb\ta\tsecond\tx\tdocuments\t1", ("repeated",)),
    ]
    preferences, reasons = tmp_path / "p.tsv", tmp_path / "r.tsv"
    preferences.write_text("\n".join([head, *(row for row, _ in said)]) + "\n")
    rows = [f"{row}\t{reason}" for row, given in said for reason in given]
    reasons.write_text("\n".join([f"{head}\treason", *rows]) + "\n")
    words = ("preferences", preferences, "--reasons", reasons)
    found = dissent(*words, "--format", "json").json["reasons"]
    names = ("winner", "reason", "n", "left", "right", "of", "share")
    assert [tuple(row[name] for name in names) for row in found] == [
        ("a", "fresh", 2, 1, 1, 2, 1.0),
        ("a", "short", 1, 1, 0, 2, 0.5),
        ("tie", "alike", 1, None, None, 1, 1.0),
    ]
    assert {(row["kind"], row["facet"]) for row in found} == {("documents", "page")}
    table = dissent(*words).out
    assert "winner" in table
    assert "0.500" in table
    assert dissent("preferences", preferences, "--format", "json").json["reasons"] == []
    without = dissent("preferences", preferences, "--reasons", preferences)
    assert (without.status, "there is no column 'reason'" in without.err) == (1, True)


def test_labels_are_set_beside_preferences(dissent, documents, tmp_path):
    levels = ["1\ta\t2", "1\tb\t0", "1\tc\t1", "2\ta\t1", "2\tb\t1"]
    rows = [f"x\t{level}" for level in levels]
    (tmp_path / "labels.tsv").write_text("\n".join(["assessor\ttopic\tdocument\tlevel", *rows]))
    words = ("preferences", documents, "--labels", tmp_path / "labels.tsv")
    result = dissent(*words, "--weights", "0=0,1=0.2,2=1", "--format", "json").json
    assert [row["of"] for row in result["slopes"]] == ["mean level", "mean UDM weight"]
    assert sum(row["n"] for row in result["by_level"]) == 6
    counts = [(row["higher"], row["lower"], row["ties"]) for row in result["by_level"] if row["n"]]
    assert counts == [(0, 0, 1), (0, 2, 1), (2, 0, 0)]
    assert all(row["interval"]["unit"] == "topic" for row in result["by_weight"])
    shown = dissent(*words).out
    assert "Preferences by the difference of mean levels" in shown
    assert "The slope of the log odds of being preferred, for a unit of mean level, is" in shown
    assert dissent("preferences", documents, "--format", "json").json["slopes"] == []
    refused = dissent("preferences", documents, "--weights", "0=0,1=1")
    assert (refused.status, "give --labels" in refused.err) == (2, True)
