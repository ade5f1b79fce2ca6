"""Short names of conditions, and names of measures as people type them, in commands."""

import pytest

from core.command.files.score_files import shorten_paths
from tests.each import each
from tests.short import long


@pytest.fixture
def small(tmp_path):
    """Write two systems, three topics and two qrels in folders of their own."""
    for system, order in {"s1": "abc", "s2": "bca"}.items():
        lines = [
            f"t{topic} Q0 {document} 0 {9 - rank} {system}\n"
            for topic in (1, 2, 3)
            for rank, document in enumerate(order)
        ]
        (tmp_path / f"{system}.run").write_text("".join(lines))
    for name, best in {"one": "a", "two": "c"}.items():
        (tmp_path / name).mkdir()
        lines = [f"t{topic} 0 {one} {int(one == best)}\n" for topic in (1, 2, 3) for one in "abc"]
        (tmp_path / name / f"{name}.qrels").write_text("".join(lines))
    return ["--run", tmp_path / "s1.run", tmp_path / "s2.run"]


@each(
    ("paths", "names"),
    [
        (["q.txt"], ["q"]),
        (["a/first.qrels.gz", "b/second.qrels"], ["first", "second"]),
        (["a/x.qrels", "a/x.txt"], ["x.qrels", "x.txt"]),
        (["a/x.qrels", "b/x.qrels"], ["a/x", "b/x"]),
        (["c/a/x.qrels", "d/a/x.qrels"], ["c/a/x.qrels", "d/a/x.qrels"]),
        (["qrels.v1.2", "qrels.v1.3"], ["qrels.v1.2", "qrels.v1.3"]),
        ([".hidden", "-"], [".hidden", "-"]),
    ],
)
def test_files_go_by_the_shortest_name_that_tells_them_apart(paths, names):
    assert list(shorten_paths(paths).values()) == names
    assert list(shorten_paths(paths)) == paths


@long
def test_compare_calls_conditions_by_short_names(dissent, small):
    words = ("compare", "--qrels", "one/one.qrels", "two/two.qrels", *small, "--measure", "map")
    result = dissent(*words)
    assert result.status == 0
    assert "one/one.qrels" not in result.out
    assert result.out.startswith("AP; ")
    found = dissent(*words, "--format", "json").json
    assert [one["condition"] for one in found["conditions"]] == ["one", "two"]
    assert [one["qrels"] for one in found["rankings"]] == ["one/one.qrels", "two/two.qrels"]
    assert (found["tau"][0]["first"], found["tau"][0]["second"]) == ("one", "two")


def test_compare_prints_means_as_trec_eval_does(dissent, small):
    words = ("compare", "--qrels", "one/one.qrels", *small, "--measure", "recip_rank", "P_1")
    result = dissent(*words, "--format", "trec_eval")
    assert result.out.splitlines() == [
        *("runid\tall\ts1", "RR\tall\t1.0000", "P@1\tall\t1.0000"),
        *("runid\tall\ts2", "RR\tall\t0.3333", "P@1\tall\t0.0000"),
    ]
    refused = dissent(*words, "--qrels", "two/two.qrels", "--format", "trec_eval")
    assert refused.status == 2
    assert "cannot show several qrels or topic sets" in refused.err


def test_evaluate_answers_a_misspelt_measure(dissent, small):
    result = dissent("evaluate", "--qrels", "one/one.qrels", *small, "--measure", "ndgc_10")
    assert result.status == 2
    assert "'ndgc_10' is not a measure; did you mean nDCG@10" in result.err
