import pytest

from tests.short import long

RF10 = (
    *("--columns", "assessor=workerID,topic=topicID,document=docID,level=label"),
    *("--missing=-2", "--gold", "gold", "--group-by", "document"),
)


@pytest.fixture
def labels(tmp_path):
    """Write two items: on d all four assessors say 2, on e all say 1; x has one label."""
    rows = [f"{who}\t1\t{item}\t{level}" for who in "abcd" for item, level in (("d", 2), ("e", 1))]
    path = tmp_path / "labels.tsv"
    path.write_text("\n".join(["assessor\ttopic\tdocument\tlevel", *rows, "a\t1\tx\t0"]) + "\n")
    return path


def test_the_keys_of_the_contract(dissent, labels):
    words = ("verify", labels, "--top", 2, "--min-labels", 3, "--repeats", 4, "--format", "json")
    result = dissent(*words).json
    assert (result["items"], result["top"], result["repeats"]) == (2, 2, 4)
    p = {(row["level"], row["n"]): row for row in result["p"]}
    assert set(p) == {(level, n) for level in (0, 1, 2) for n in (1, 2)}
    assert (p[2, 1]["mean"], p[2, 1]["sd"], p[1, 2]["mean"]) == (1, 0, 0)
    assert p[0, 1]["mean"] is None
    assert "no item has a first label of this level" in p[0, 1]["reason"]
    weights = {(row["level"], row["at_least"], row["users"]): row for row in result["weights"]}
    assert len(weights) == len(result["weights"]) == 3 * (2 + 3)
    assert set(weights[2, 3, 3]) >= {"observed", "sd", "predicted"}
    assert (weights[2, 3, 3]["observed"], weights[2, 3, 3]["predicted"]) == (1, 1)
    assert (weights[1, 1, 3]["observed"], weights[1, 1, 3]["predicted"]) == (0, 0)


def test_an_item_is_a_document_of_a_topic_or_of_all(dissent, labels):
    labels.write_text(labels.read_text() + "a\t2\td\t2\nb\t2\td\t2\n")
    words = ("verify", labels, "--top", 2, "--min-labels", 6, "--format", "json")
    assert "no item has 6 labels; the most is 4" in dissent(*words).err
    assert dissent(*words, "--group-by", "document").json["items"] == 1


def test_people_see_tables(dissent, labels):
    out = dissent("verify", labels, "--top", 2, "--min-labels", 4, "--repeats", 1).out
    assert out.startswith("No prediction is put to the test: one topic alone tells of each")
    assert (
        "2 items with 4 or more labels; means of 1 repeats, and their sd: of redrawing, no" in out
    )
    assert "drawn in one repeat only" in out
    assert "p(top | level)" in out
    assert "at least" in out


@long
def test_the_figures_of_the_paper(dissent, shared_data):
    words = ("verify", shared_data / "rf10" / "labels.tsv.gz", "--top", 2, *RF10)
    result = dissent(*words, "--format", "json").json
    assert result["items"] == 2738
    weights = {(row["level"], row["at_least"], row["users"]): row for row in result["weights"]}
    for at_least, users, observed, predicted in (
        *((1, 3, 0.49, 0.51), (2, 3, 0.10, 0.09)),
        *((2, 4, 0.23, 0.21), (2, 5, 0.35, 0.35)),
    ):
        row = weights[1, at_least, users]
        assert abs(row["observed"] - observed) < row["sd"]
        assert row["predicted"] == pytest.approx(predicted, abs=0.01)
    # For M = 1 large N fall short of the prediction; for larger M they exceed it.
    for at_least, observed, predicted in ((1, 0.788, 0.829), (4, 0.054, 0.030)):
        row = weights[1, at_least, 6]
        assert row["observed"] == pytest.approx(observed, abs=5e-4)
        assert row["predicted"] == pytest.approx(predicted, abs=5e-4)
        assert (row["predicted"] < row["low"]) == (at_least > 1)
        assert (row["predicted"] > row["high"]) == (at_least == 1)
        assert row["interval"]["unit"] == "item"
    fit = result["fit"]
    assert (fit["verdict"], fit["outside"], fit["tested"]) == ("fails", 36, 42)
    worst = [fit["worst"][name] for name in ("level", "at_least", "users")]
    assert worst == [0, 5, 6]
    assert fit["worst"]["ratio"] == pytest.approx(4.7, abs=0.05)
    assert (fit["varied"]["outside"], fit["varied"]["tested"]) == (0, 36)
    assert "does not hold here: 36 of 42 predictions lie outside" in result["answer"]
    assert " 0.298 [" in dissent(*words).out
    again, other = dissent(*words, "--format", "json"), dissent(*words, "--seed", 2)
    assert again.json == result
    assert other.out != dissent(*words).out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--top", "9"), 1, "9 is not a level of the scale"),
        (("--top", "2", "--min-labels", "1"), 2, "not a whole number from 2"),
        (("--top", "2", "--repeats", "0"), 2, "not a whole number from 1"),
        (("--top", "2", "--group-by", "engine"), 2, "invalid choice"),
        ((), 2, "--top"),
    ],
)
def test_what_does_not_fit_is_refused(dissent, labels, words, status, said):
    result = dissent("verify", labels, "--min-labels", 4, *words)
    assert (result.status, result.out) == (status, "")
    assert said in result.err
