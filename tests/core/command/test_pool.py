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
    }
    out = dissent(*words).out
    assert "1,348  pairs of topic and document\n" in out
    assert "591  of these without a text" in out


def test_run_files_alone_make_the_same_pool(dissent, dl19):
    words = ("pool", "--run", *sorted((dl19 / "runs").iterdir()), "--depth", 10)
    counts = dissent(*words, "--format", "json").json
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
