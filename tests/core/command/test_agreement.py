import gzip
import json
import re
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from core.agreement.base import COEFFICIENTS
from core.agreement.pairs import ONE_TOPIC
from tests.short import long

KEYS = {"pairs", "overall", "groups", "engines", "rounds", "topics", "differences"}
KEYS |= {"high_agreement", "low_agreement"}
PAIR = {"first", "second", "facet", "n", "levels", "matrix", "coefficients", "ceilings"}
COEFFICIENT = {"name", "value", "low", "high", "interval"}
OVERALL = {"name", "value", "low", "high"}
TOPIC = {"topic", "first", "second", "n", "name", "value", "low", "high"}


def write_labels(path: Path, rows: str, header: str = "assessor topic document level") -> Path:
    lines = [header, *rows.strip().splitlines()]
    path.write_text("\n".join("\t".join(line.split()) for line in lines) + "\n")
    return path


def test_real_labels_equal_statsmodels(dissent, dl19):
    result = dissent("agreement", dl19 / "labels.tsv", "--binary-at", "2", "--format", "json").json
    assert set(result) == {*KEYS, "answers", "notes"}
    assert len(result["pairs"]) == 6
    for pair in result["pairs"]:
        assert set(pair) == PAIR
        matrix = np.array(pair["matrix"])
        assert (pair["facet"], pair["levels"]) == ("page", [0, 1, 2, 3])
        assert matrix.sum() == pair["n"]
        if pair["n"] == 1:
            continue
        found = {one["name"]: one for one in pair["coefficients"]}
        expected = {
            "kappa": cohens_kappa(matrix).kappa,
            "kappa(linear)": cohens_kappa(matrix, wt="linear").kappa,
            "kappa(quadratic)": cohens_kappa(matrix, wt="quadratic").kappa,
            "kappa(binary>=2)": cohens_kappa(matrix.reshape(2, 2, 2, 2).sum(axis=(1, 3))).kappa,
            "raw": np.trace(matrix) / matrix.sum(),
            "overlap>=2": matrix[2:, 2:].sum() / (matrix.sum() - matrix[:2, :2].sum()),
        }
        (ceiling,) = (one for one in pair["ceilings"] if one["level"] == 2)
        assert ceiling["precision"] == matrix[2:, 2:].sum() / matrix[:, 2:].sum()
        assert ceiling["recall"] == matrix[2:, 2:].sum() / matrix[2:, :].sum()
        for name, value in expected.items():
            assert set(found[name]) == COEFFICIENT
            assert found[name]["value"] == pytest.approx(value, abs=1e-12)
            assert found[name]["low"] < value < found[name]["high"]


def test_topics_and_pooled_figures_of_real_labels(dissent, dl19):
    result = dissent("agreement", dl19 / "labels.tsv", "--format", "json").json
    assert all(set(row) >= OVERALL for row in result["overall"])
    assert all(set(row) >= TOPIC for row in result["topics"])
    assert {row["name"] for row in result["topics"]} == {"kappa(linear)"}
    lowest = {}
    for row in result["topics"]:
        if row["n"] >= 10 and row["value"] is not None:
            low = -1 if row["low"] is None else row["low"]
            lowest[row["topic"]] = min(low, lowest.get(row["topic"], 1))
    assert result["high_agreement"] == sorted(topic for topic in lowest if lowest[topic] > 0)
    assert result["low_agreement"] == sorted(topic for topic in lowest if lowest[topic] <= 0)
    assert len(lowest) == 22


def test_coefficients_of_all_assessors_equal_krippendorff(dissent, dl19):
    result = dissent("agreement", dl19 / "labels.tsv", "--format", "json").json
    found = {row["name"]: row for row in result["overall"]}
    assert {name.partition("(")[0].partition(">")[0] for name in found} == set(COEFFICIENTS.names())
    labels = pd.read_csv(dl19 / "labels.tsv", sep="\t")
    wide = labels.pivot(index=["topic", "document"], columns="assessor", values="level").to_numpy()
    for metric in ("nominal", "ordinal", "interval"):
        row = found[f"alpha({metric})"]
        oracle = krippendorff.alpha(wide.T, level_of_measurement=metric, value_domain=range(4))
        assert row["value"] == pytest.approx(float(oracle), abs=1e-9)
        assert row["low"] < row["value"] < row["high"]
        assert row["n"] == 2710
        assert "pairs" not in row
    assert found["kappa"]["pairs"] == 4
    assert result["groups"] == result["engines"] == result["differences"] == []


def test_the_interval_of_1969_equals_statsmodels(dissent, dl19):
    words = ("agreement", dl19 / "labels.tsv", "--interval", "fleiss1969", "--format", "json")
    pair = max(dissent(*words).json["pairs"], key=lambda pair: pair["n"])
    by_name = {one["name"]: one for one in pair["coefficients"]}
    kappa, raw = by_name["kappa"], by_name["raw"]
    oracle = cohens_kappa(np.array(pair["matrix"]))
    methods = [one["interval"]["method"] for one in (kappa, raw)]
    assert methods == ["fleiss1969", "wilson"]
    assert kappa["low"] == pytest.approx(oracle.kappa_low, abs=1e-9)
    assert kappa["high"] == pytest.approx(oracle.kappa_upp, abs=1e-9)


def write_crowd(path: Path) -> Path:
    """Write simulated labels of two groups and two engines; gold is in no group."""
    rng = np.random.default_rng(1)
    rows = [
        f"{who} {topic} d{item} {min(2, max(0, level + rng.integers(-far, far + 1)))} "
        f"{group} snippet e{item % 2} {level}"
        for topic in range(6)
        for item, level in enumerate(rng.integers(0, 3, 14))
        for who, group, far in (("a", "crowd", 1), ("b", "crowd", 1), ("c", "student", 0))
    ]
    header = "assessor topic document level group facet engine truth"
    return write_labels(path, "\n".join(rows), header)


@long
def test_groups_engines_and_differences(dissent, tmp_path):
    path = write_crowd(tmp_path / "crowd.tsv")
    words = ("agreement", path, "--gold", "truth", "--differences")
    result = dissent(*words, "--format", "json").json
    linear = [row for row in result["groups"] if row["name"] == "kappa(linear)"]
    names = [(row["first_group"], row["second_group"]) for row in linear]
    assert names == [("", "crowd"), ("", "student"), ("crowd", "crowd"), ("crowd", "student")]
    assert [row["pairs"] for row in linear] == [2, 1, 1, 2]
    assert linear[1]["value"] == 1
    assert {row["engine"] for row in result["engines"]} == {"e0", "e1"}
    assert {row["name"] for row in result["engines"]} == {row["name"] for row in result["overall"]}
    first = result["differences"][0]
    assert (first["first"], first["second"]) == ("no group × crowd", "no group × student")
    assert first["difference"] == pytest.approx(linear[0]["value"] - 1)
    assert first["low"] < first["difference"] < first["high"] < 0
    assert "reason" not in first
    assert len(result["differences"]) == 6
    out = dissent(*words).out
    assert re.search(r"no group  student  linear weighted κ +84  1\.000 \[0\.081, 1\.000\]", out)
    assert "e1      Krippendorff's α (ordinal)" in out
    assert re.search(r"\ncrowd × crowd +crowd × student +linear weighted κ", out)


@long
def test_rounds_are_told_apart_and_may_be_chosen(dissent, tmp_path):
    rng = np.random.default_rng(2)
    rows = [
        f"{who} {topic} d{item} {min(2, max(0, level + rng.integers(-far, far + 1)))} {name}"
        for name, people, far in (("one", "ab", 0), ("two", "cd", 1))
        for topic in range(6)
        for item, level in enumerate(rng.integers(0, 3, 12))
        for who in people
    ]
    path = write_labels(tmp_path / "r.tsv", "\n".join(rows), "assessor topic document level round")
    result = dissent("agreement", path, "--format", "json").json
    linear = {row["round"]: row for row in result["rounds"] if row["name"] == "kappa(linear)"}
    assert linear["one"]["value"] == 1
    assert linear["two"]["value"] < 1
    assert linear["two"]["facet"] == "page"
    only = dissent("agreement", path, "--rounds", "two", "--format", "json").json
    (overall,) = [row for row in only["overall"] if row["name"] == "kappa(linear)"]
    assert overall["value"] == pytest.approx(linear["two"]["value"])
    assert "two    linear weighted κ" in dissent("agreement", path).out
    assert "no label was given in round 'x'; there are one, two" in (
        dissent("agreement", path, "--rounds", "x").err
    )


def test_files_without_rounds_cannot_be_chosen_from(dissent, dl19):
    refused = dissent("agreement", dl19 / "labels.tsv", "--rounds", "one")
    assert refused.status == 1
    assert "do not say in which round" in refused.err


def test_differences_of_pairs_where_there_are_no_groups(dissent, dl19):
    words = ("agreement", dl19 / "labels.tsv", "--differences", "--format", "json")
    rows = {(row["first"], row["second"]): row for row in dissent(*words).json["differences"]}
    assert len(rows) == 15
    assert rows["a3 × a4", "a7 × a8"]["high"] < 0
    assert rows["a1 × a2", "a2 × a5"]["difference"] is None
    assert "not defined" in rows["a1 × a2", "a2 × a5"]["reason"]


@long
def test_more_differences_than_anybody_reads_are_refused_with_their_number(dissent, shared_data):
    """763 people have judged rf10; the pairs of their pairs would never end."""
    words = ("agreement", shared_data / "rf10" / "labels.tsv.gz", "--differences", "--missing=-2")
    columns = "assessor=workerID,topic=topicID,document=docID,level=label"
    result = dissent(*words, "--columns", columns)
    assert result.status == 1
    assert result.out == ""
    assert re.search(r"every two of [\d,]{6,} pairs of assessors are [\d,]{9,} diff", result.err)
    assert "give the assessors groups" in result.err


def test_an_assessor_in_two_groups_is_refused(dissent, tmp_path):
    header = "assessor topic document level group"
    path = write_labels(tmp_path / "two.tsv", "a 1 d 0 x\na 1 e 0 y\nb 1 d 1 x", header)
    result = dissent("agreement", path)
    assert (result.status, result.out) == (1, "")
    assert "a is in more than one group ('x', 'y')" in result.err


def test_what_is_undefined_is_null_and_says_why(dissent, tmp_path):
    labels = write_labels(tmp_path / "same.tsv", "a 1 d 2\nb 1 d 2\na 1 e 2\nb 1 e 2")
    (pair,) = dissent("agreement", labels, "--format", "json").json["pairs"]
    by_name = {one["name"]: one for one in pair["coefficients"]}
    kappa, raw = by_name["kappa"], by_name["raw"]
    assert (kappa["value"], kappa["low"]) == (None, None)
    assert "one level only" in kappa["reason"]
    assert raw["value"] == 1
    assert raw["reason"] == ONE_TOPIC
    of = "agreement of these two assessors, over topics like these"
    assert raw["interval"] == {"method": "jackknife", "unit": "topic", "n": 1, "of": of}


@long
def test_the_same_seed_gives_the_same_numbers(dissent, dl19):
    words = ("agreement", dl19 / "labels.tsv", "--interval", "bootstrap", "--format", "json")
    first = dissent(*words, "--seed", 7)
    assert first.out == dissent(*words, "--seed", 7).out
    assert first.out != dissent(*words, "--seed", 8).out
    found = [one["interval"] for one in first.json["pairs"][0]["coefficients"]]
    assert {one["method"] for one in found} == {"bootstrap"}


def test_other_columns_missing_values_and_gold(dissent, tmp_path):
    rows = "9 w1 d 1 0\n9 w2 d 1 1\n9 w1 e 0 -2\n9 w2 e 0 1"
    path = write_labels(tmp_path / "crowd.tsv", rows, "topicID workerID docID truth label")
    path.write_bytes(gzip.compress(path.read_bytes()))
    result = dissent(
        *("agreement", path, "--missing=-2", "--gold", "truth", "--format", "json"),
        *(
            "--columns",
            "assessor=workerID,topic=topicID",
            "--columns",
            "document=docID,level=label",
        ),
    )
    pairs = {(pair["first"], pair["second"]): pair["n"] for pair in result.json["pairs"]}
    assert pairs == {("gold", "w1"): 1, ("gold", "w2"): 2, ("w1", "w2"): 1}
    assert "note: cells without a label, left out: 1" in result.err


@long
def test_facets_are_kept_apart_and_can_be_chosen(dissent, tmp_path):
    header = "assessor topic document engine facet level"
    given = ("d x snippet 01", "d x page 11", "e x page 00")
    rows = "\n".join(
        f"{who} 1 {item[:-2]} {item[place]}"
        for item in given
        for who, place in (("a", -2), ("b", -1))
    )
    path = write_labels(tmp_path / "both.tsv", rows, header)
    both = dissent("agreement", path, "--format", "json").json
    assert [pair["facet"] for pair in both["pairs"]] == ["snippet", "page"]
    page = dissent("agreement", path, "--facet", "page", "--format", "json").json
    assert page["pairs"] == both["pairs"][1:]


def test_a_facet_with_one_assessor_is_a_note_beside_the_other(dissent, tmp_path):
    header = "assessor topic document facet level"
    rows = "a 1 d snippet 0\na 1 d page 1\nb 1 d page 0"
    path = write_labels(tmp_path / "labels.tsv", rows, header)
    result = dissent("agreement", path, "--format", "json")
    assert [pair["facet"] for pair in result.json["pairs"]] == ["page"]
    assert "note: snippet: agreement needs labels of two assessors" in result.err
    alone = dissent("agreement", path, "--facet", "snippet")
    assert (alone.status, alone.out) == (1, "")


@long
def test_named_levels_with_a_scale_count_as_it_says(dissent, tmp_path):
    labels = write_labels(tmp_path / "named.tsv", "a 1 d Nav\nb 1 d Key\na 1 e Non\nb 1 e Rel")
    scale = "page=Non,Rel,HRel,Key,Nav=Key"
    words = ("agreement", labels, "--binary-at", "HRel", "--format", "json")
    (pair,) = dissent(*words, "--scale", scale).json["pairs"]
    assert pair["levels"] == [0, 1, 2, 3]
    assert np.array(pair["matrix"])[3, 3] == 1
    assert pair["coefficients"][-1]["name"] == "raw(binary>=2)"
    assert dissent(*words, "--scale", "page=default").json["pairs"] == [pair]
    unnamed = dissent(*words)
    assert unnamed.status == 1
    assert f"{labels}:2: field 'level'" in unnamed.err


@pytest.mark.parametrize(
    ("line", "reason"),
    [("a 1 d x", "'x' is not a number"), ("a 1 d", "3 cells"), ("a 1 d -1", "negative")],
)
def test_a_faulty_line_is_named(dissent, tmp_path, line, reason):
    labels = write_labels(tmp_path / "labels.tsv", f"b 1 d 1\n{line}")
    result = dissent("agreement", labels, "--format", "json")
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith(f"dissent: {labels}:3: ")
    assert reason in result.err


@pytest.mark.parametrize(
    "scale", ["page", "page=", "cover=1,2", "page=1", "page=A,A", "page=A,B=C"]
)
def test_a_scale_that_is_none_is_wrong_usage(dissent, scale):
    result = dissent("agreement", "labels.tsv", "--scale", scale)
    assert result.status == 2
    assert "--scale" in result.err


@long
def test_tables_for_people_show_matrix_intervals_and_sets(dissent, dl19):
    out = dissent("agreement", dl19 / "labels.tsv").out
    assert "a7 (rows) × a8 (columns)" in out
    assert "0  143  83  21   0\n" in out
    assert "0.481 [0.256, 0.653]" in out
    formula = dissent("agreement", dl19 / "labels.tsv", "--interval", "analytic").out
    assert "0.481 [0.434, 0.527]" in formula
    assert "\n4 pairs of assessors pooled\n" in out
    assert "Krippendorff's α (ordinal)" in out
    assert "22 pairs of assessors have no common items." in out
    assert "high agreement (18 topics): 1063750, " in out
    assert "low agreement (4 topics): 104861, " in out


@long
def test_a_crowd_is_cut_short_for_people_only(dissent, tmp_path):
    rows = "\n".join(f"a{who} 1 d{item} {(who + item) % 2}" for who in range(6) for item in (1, 2))
    labels = write_labels(tmp_path / "crowd.tsv", rows)
    assert "… and 3 more; --format json has all" in dissent("agreement", labels).out
    assert len(json.loads(dissent("agreement", labels, "--format", "json").out)["pairs"]) == 15


@long
def test_limits_of_topics_are_over_items_and_by_formula_on_demand(dissent, dl19):
    by_item, formula = (
        dissent("agreement", dl19 / "labels.tsv", "--format", "json", *words).json["topics"]
        for words in ((), ("--interval", "analytic"))
    )
    assert {(row["interval"]["method"], row["interval"]["unit"]) for row in by_item} == {
        ("jackknife", "item")
    }
    assert {row["interval"]["method"] for row in formula} == {"cohen1968"}
    assert all(row["interval"]["n"] == row["n"] for row in by_item + formula)
    assert [row["value"] for row in by_item] == [row["value"] for row in formula]
    assert [row["low"] for row in by_item] != [row["low"] for row in formula]


@long
def test_runs_tell_where_items_rank(dissent, tmp_path):
    """Both agree on the first document and not on the second: the sooner, the better."""
    rows = ["assessor\ttopic\tdocument\tlevel"]
    for topic in ("t1", "t2"):
        rows += [f"{who}\t{topic}\tx\t{level}" for who, level in (("ann", 1), ("bob", 1))]
        rows += [f"{who}\t{topic}\ty\t{level}" for who, level in (("ann", 0), ("bob", 2))]
        rows += [f"{who}\t{topic}\tz\t{level}" for who, level in (("ann", 2), ("bob", 2))]
    (tmp_path / "labels.tsv").write_text("\n".join(rows) + "\n")
    values = {}
    for order in ("xzy", "yzx"):
        lines = [
            f"{topic} Q0 {document} 0 {9 - rank} s"
            for topic in ("t1", "t2")
            for rank, document in enumerate(order)
        ]
        (tmp_path / "one.run").write_text("\n".join(lines) + "\n")
        words = ("agreement", tmp_path / "labels.tsv", "--run", tmp_path / "one.run")
        overall = dissent(*words, "--format", "json").json["overall"]
        found = {row["name"]: row["value"] for row in overall}
        values[order] = found["alpha(ordinal, p=0.8)"]
    assert values["yzx"] < found["alpha(ordinal)"] < values["xzy"]
