import json
import re

import pytest

from core.command.files.weight_files import read_weights
from core.errors import BadInput
from tests.short import long

LEVEL = {"level", "cases", "top_cases", "p", "low", "high", "weight", "few"}


@pytest.fixture
def labels(tmp_path):
    """Write two topics on which a and b meet: levels (0,2) (1,2) (2,2) (0,0) in each."""
    rows = [
        f"{who}\t{topic}\td{item}\t{level}"
        for topic in (1, 2)
        for item, pair in enumerate(["02", "12", "22", "00"])
        for who, level in zip("ab", pair, strict=True)
    ]
    path = tmp_path / "labels.tsv"
    path.write_text("\n".join(["assessor\ttopic\tdocument\tlevel", *rows]) + "\n")
    return path


@pytest.fixture
def both_facets(tmp_path):
    rows = ["assessor\ttopic\tdocument\tengine\tfacet\tlevel"]
    for topic in (1, 2):
        for who, snippet, page in (("a", 1, 1), ("b", 1, 0), ("c", 0, 1)):
            rows.append(f"{who}\t{topic}\td\tx\tsnippet\t{snippet}")
            rows.append(f"{who}\t{topic}\td\t\tpage\t{page}")
    path = tmp_path / "both.tsv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_shares_and_weights_by_hand(dissent, labels):
    words = ("weights", labels, "--top", 2, "--users", 3, "--at-least", 1, "--format", "json")
    result = dissent(*words).json
    assert (result["top"], result["users"], result["at_least"]) == (2, 3, 1)
    assert all(set(row) >= LEVEL for row in result["levels"])
    found = {row["level"]: row for row in result["levels"]}
    # Level 0 meets 2, 0 and 0 in each topic; level 1 meets 2; level 2 meets 0, 1, 2 and 2.
    assert (found[0]["cases"], found[0]["top_cases"]) == (6, 2)
    assert found[0]["p"] == pytest.approx(1 / 3)
    assert found[1]["p"] == 1
    assert found[2]["p"] == pytest.approx(2 / 4)
    assert [found[level]["weight"] for level in (0, 1, 2)] == [0, 1, 1]
    assert all(row["few"] for row in result["levels"])
    kept = dissent(*words, "--keep-lowest").json["levels"][0]
    assert kept["weight"] == pytest.approx(1 - (2 / 3) ** 2)
    for limit in ("low", "high"):
        assert kept[f"weight_{limit}"] == pytest.approx(1 - (1 - kept[limit]) ** 2)


def test_people_see_which_rest_on_few_cases(dissent, labels):
    out = dissent("weights", labels, "--top", 2, "--users", 3, "--at-least", 1).out
    # Two topics, both alike: limits as wide as two can tell.
    assert re.search(r"^ *0 .* 0\.333 \[0\.053, 0\.895\] .* yes$", out, re.MULTILINE)
    assert out.startswith("A page that one assessor calls 1 would be called 2 by at least 1 of 3 ")
    assert "95 % limits over topics (2), by the jackknife\nweight: at least 1 of 3 users" in out


def test_real_labels_count_every_ordered_pair(dissent, dl19):
    words = ("weights", dl19 / "labels.tsv", "--top", "Key", "--scale", "page=Non,Rel,HRel,Key")
    result = dissent(*words, "--users", 5, "--at-least", 2, "--format", "json").json
    assert [row["cases"] for row in result["levels"]] == [2249, 1377, 1244, 550]
    assert [row["top_cases"] for row in result["levels"]] == [102, 115, 197, 136]
    for row in result["levels"]:
        p = row["p"]
        assert p == pytest.approx(row["top_cases"] / row["cases"])
        assert row["low"] < p < row["high"]
        missed = (1 - p) ** 4 + (0 if row["level"] == 3 else 4 * p * (1 - p) ** 3)
        assert row["weight"] == pytest.approx(1 - missed if row["level"] else 0)


@long
def test_combined_levels_are_pairs(dissent, both_facets):
    words = ("weights", both_facets, "--top", 1, "--users", 2, "--at-least", 1, "--combined")
    result = dissent(*words, "--format", "json").json
    assert result["top"] == [1, 1]
    found = {tuple(row["level"]): row for row in result["levels"]}
    assert set(found) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert found[1, 1]["weight"] == 1
    assert found[1, 0]["weight"] == 0
    assert found[0, 1]["p"] == pytest.approx(1 / 2)
    assert found[0, 0]["p"] is None
    assert "no label" in found[0, 0]["reason"]
    assert (
        dissent(*words, "--format", "json").json
        == dissent(
            *("weights", both_facets, "--top", "1,1", "--users", 2, "--at-least", 1, "--combined"),
            *("--format", "json"),
        ).json
    )
    assert re.search(r"^ *1 +1 .* 1\.000 ", dissent(*words).out, re.MULTILINE)


def test_snippets_without_their_page_are_told(dissent, both_facets):
    both_facets.write_text(both_facets.read_text() + "d\t1\td\tx\tsnippet\t1\n")
    words = ("weights", both_facets, "--top", 1, "--users", 2, "--at-least", 1, "--combined")
    assert (
        "note: 1 snippet label left out, as the same assessor gave the page no level"
        in dissent(*words).err
    )


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--top", "9", "--users", "3", "--at-least", "1"), 1, "9 is not a level of the scale"),
        (("--top", "Key", "--users", "3", "--at-least", "1"), 1, "names need a scale"),
        (("--top", "2", "--users", "2", "--at-least", "3"), 1, "at most all 2 users"),
        (("--top", "2", "--users", "0", "--at-least", "1"), 2, "not a whole number from 1"),
        (("--top", "2", "--users", "3"), 2, "--at-least"),
        (
            ("--top", "2", "--users", "3", "--at-least", "1", "--combined", "--facet", "page"),
            2,
            "both facets",
        ),
        (("--top", "1,2,3", "--users", "3", "--at-least", "1", "--combined"), 1, "SNIPPET,PAGE"),
    ],
)
def test_what_does_not_fit_is_refused(dissent, labels, words, status, said):
    result = dissent("weights", labels, *words)
    assert (result.status, result.out) == (status, "")
    assert said in result.err


def test_weights_are_read_from_the_json_or_written_out(dissent, labels, tmp_path):
    file = tmp_path / "weights.json"
    words = ("weights", labels, "--top", 2, "--users", 3, "--at-least", 2, "--format", "json")
    file.write_text(dissent(*words).out)
    levels = json.loads(file.read_text())["levels"]
    assert read_weights(str(file)) == {row["level"]: row["weight"] for row in levels}
    assert read_weights("0=0, 1=.25,2=1") == {0: 0, 1: 0.25, 2: 1}


@pytest.mark.parametrize(
    "text", ["0=x", "a=1", "1=-1", "1=nan", "1", '{"levels": [{"level": 1}]}', "[]", "{"]
)
def test_weights_that_are_none_are_refused(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    if "=" not in text:
        (tmp_path / "weights.json").write_text(text)
        text = "weights.json"
    with pytest.raises(BadInput):
        read_weights(text)


def test_combined_weights_are_no_gain(dissent, both_facets, tmp_path):
    words = ("weights", both_facets, "--top", 1, "--users", 2, "--at-least", 1, "--combined")
    (tmp_path / "combined.json").write_text(dissent(*words, "--format", "json").out)
    with pytest.raises(BadInput):
        read_weights(str(tmp_path / "combined.json"))


def test_an_unknown_weight_says_why(tmp_path):
    file = tmp_path / "weights.json"
    file.write_text('{"levels": [{"level": 1, "weight": null, "reason": "nobody said so"}]}')
    with pytest.raises(BadInput, match="level 1 has no weight: nobody said so"):
        read_weights(str(file))
