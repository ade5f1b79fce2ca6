from io import StringIO

import pandas as pd

from tests.short import long


@long
def test_a_collection_pool_is_counted(dissent, dl19_store):
    words = ("pool", "--store", dl19_store, "--collection", "dl19", "--depth", 10)
    assert dissent(*words, "--format", "json").json == {
        "depth": 10,
        "topics": 22,
        "pairs": 1348,
        "labelled": 743,
        "without_text": 591,
        "unknown_topics": 0,
        "assignable": 757,
        "notes": [],
    }
    out = dissent(*words).out
    assert "1,348  pairs of topic and document\n" in out
    assert "591  of these without a text" in out


@long
def test_run_files_alone_make_the_same_pool(dissent, dl19):
    words = ("pool", "--run", *sorted((dl19 / "runs").iterdir()), "--depth", 10)
    counts = dissent(*words, "--format", "json").json
    assert counts.pop("notes")[0] == "runs read as TREC run"
    assert counts == {"depth": 10, "topics": 22, "pairs": 1348}
    header, *lines = dissent(*words, "-o", "-").out.splitlines()
    assert header == "topic\tdocument\tbest_rank\tsystems"
    assert len(lines) == len({tuple(line.split("\t")[:2]) for line in lines}) == 1348
    assert all(1 <= int(line.split("\t")[2]) <= 10 for line in lines)


def test_pairs_can_go_to_a_file_beside_the_counts(dissent, tmp_path):
    (tmp_path / "a.run").write_text("1 Q0 d 1 9 a\n1 Q0 e 2 8 a\n")
    (tmp_path / "b.run").write_text("1 Q0 e 1 9 b\n1 Q0 f 2 8 b\n")
    words = ("pool", "--run", tmp_path / "a.run", tmp_path / "b.run", "--depth", 1)
    result = dissent(*words, "-o", tmp_path / "pool.tsv")
    assert "2  pairs" in result.out
    rows = (tmp_path / "pool.tsv").read_text().splitlines()[1:]
    assert rows == ["1\td\t1\t1", "1\te\t1\t1"]


def test_csv_is_a_row_of_plain_numbers(dissent, tmp_path):
    lines = (f"{topic} Q0 d{rank} {rank} {-rank} a" for topic in range(30) for rank in range(1, 51))
    (tmp_path / "a.run").write_text("\n".join(lines))
    words = ("pool", "--run", tmp_path / "a.run", "--depth", 50, "--format")
    (row,) = pd.read_csv(StringIO(dissent(*words, "csv").out)).to_dict("records")
    assert row == {"depth": 50, "topics": 30, "pairs": 1500}
    assert row == {name: dissent(*words, "json").json[name] for name in row}


@long
def test_topics_unknown_to_the_collection_are_counted(dissent, tmp_path):
    (tmp_path / "a.run").write_text("1 Q0 d 1 9 a\n")
    place = ("--store", tmp_path / "s.duckdb", "--collection", "x")
    assert dissent("import", "runs", tmp_path / "a.run", *place, "--create").status == 0
    counts = dissent("pool", *place, "--depth", 5, "--format", "json").json
    assert (counts["pairs"], counts["unknown_topics"], counts["assignable"]) == (1, 1, 0)


def test_a_pool_is_of_a_collection_or_of_files(dissent, tmp_path):
    assert dissent("pool", "--depth", 5).status == 2
    assert dissent("pool", "--run", "a", "--collection", "x", "--depth", 5).status == 2
    assert dissent("pool", "--run", "a", "--store", "x", "--depth", 5).status == 2
    assert dissent("pool", "--run", "a", "--depth", 0).status == 2


def write_two_runs(folder):
    """Two runs of one topic that have nothing in common."""
    lines = {name: [f"1 Q0 {name}{rank} {rank} {9 - rank} {name}" for rank in (1, 2, 3)]
             for name in "ab"}  # fmt: skip
    for name, run in lines.items():
        (folder / f"{name}.run").write_text("\n".join(run) + "\n")
    return "pool", "--run", folder / "a.run", folder / "b.run", "--depth", 3, "-o", "-"


def read_rows(result):
    return [line.split("\t") for line in result.out.splitlines()]


def test_pairs_come_in_the_order_in_which_they_would_be_judged(dissent, tmp_path):
    words = (*write_two_runs(tmp_path), "--order", "depth-first", "--batch", 1)
    header, *rows = read_rows(dissent(*words))
    assert header == [
        *("topic", "document", "best_rank", "systems", "place", "probability", "chosen_from")
    ]
    assert [row[1] for row in rows] == ["a1", "b1", "a2", "b2", "a3", "b3"]
    assert [row[4] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert {row[5] for row in rows} == {""}
    assert len(read_rows(dissent(*words, "--budget", 2))) == 3


def test_an_order_learns_from_judgements(dissent, tmp_path):
    words = (*write_two_runs(tmp_path), "--order", "max-mean", "--batch", 1)
    qrels = tmp_path / "q.qrels"
    qrels.write_text("1 0 a1 0\n1 0 b1 2\n1 0 b2 1\n1 0 b3 1\n")
    rows = read_rows(dissent(*words, "--judgements", qrels))[1:]
    found = [row[1] for row in rows]
    assert all(found.index(one) < found.index("a2") for one in ("b1", "b2", "b3"))
    assert [row[6] for row in rows] == [one[0] for one in found]
    # From level 3 on nothing is relevant: the runs take turns.
    rows = read_rows(dissent(*words, "--judgements", qrels, "--relevant-from", 3))[1:]
    assert len({row[6] for row in rows[:2]}) == 2
    unlearnt = read_rows(dissent(*words))[1:]
    assert len({row[6] for row in unlearnt[:3]}) == 1


@long
def test_an_order_learns_from_the_labels_of_a_collection(dissent, dl19_store):
    words = ("pool", "--store", dl19_store, "--collection", "dl19", "--depth", 10)
    ordered = (*words, "--order", "max-mean", "--budget", 100)
    counts = dissent(*ordered, "--format", "json").json
    assert (counts["pairs"], counts["chosen"]) == (1348, 100)
    rows = read_rows(dissent(*ordered, "-o", "-"))[1:]
    assert len({tuple(row[:2]) for row in rows}) == 100


def test_judgements_and_a_budget_go_with_an_order(dissent, tmp_path):
    words = write_two_runs(tmp_path)
    assert dissent(*words, "--budget", 3).status == 2
    assert dissent(*words, "--judgements", tmp_path / "q").status == 2
    refused = dissent(*words, "--order", "best-first")
    assert (refused.status, "depth-first" in refused.err) == (1, True)
