"""The command against core's own study, and against what is recomputed here from its JSON."""

import gzip

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.stats import kendalltau

from core.command.informativeness import print_informativeness_tables
from core.informativeness.choices import PAPER
from core.informativeness.solve import STATUS
from core.informativeness.study import measure_informativeness
from core.measures.ranking import compile_rankings
from core.reports.informativeness import Informativeness
from core.versions.judgements import put_on_scale
from tests.short import long

CONTRACT = {
    "problems": {"measure", "system", "topic", "status", "entropy", "p"},
    "curve_errors": {"measure", "rms", "mae", "uniform_rms"},
    "inference": {"target", "measure", "tau", "rmsr", "mare"},
}
DISCOUNT = 1 / np.arange(1, 11)


@pytest.fixture(scope="module")
def maximum(dl19, tmp_path_factory):
    """Write the higher of dl19's two labels as qrels."""
    labels = pd.read_csv(dl19 / "labels.tsv", sep="\t", dtype="str")
    labels.columns = pd.Index(["assessor", "topic", "document", "level"])
    labels["level"] = labels["level"].astype("int64")
    qrels = labels.groupby(["topic", "document"], as_index=False)["level"].max()
    qrels.insert(1, "iteration", "0")
    path = tmp_path_factory.mktemp("informativeness") / "maximum.qrels"
    qrels.to_csv(path, sep=" ", header=False, index=False)
    return path


@pytest.fixture(scope="module")
def web09_runs(shared_data, tmp_path_factory):
    """Write eight runs: the baseline and judged documents, perturbed, relevant ones rather up."""
    folder, rng = shared_data / "web09", np.random.default_rng(4)
    with gzip.open(folder / "diversity.qrels.gz", "rt") as file:
        qrels = pd.read_csv(file, sep=" ", header=None, dtype="str", usecols=[0, 2, 3])
    with gzip.open(folder / "indri-baseline.run.gz", "rt") as file:
        run = pd.read_csv(file, sep=r"\s+", header=None, dtype="str", usecols=[0, 2])
    relevant = qrels[qrels[3] == "1"][[0, 2]].drop_duplicates().groupby(0).head(20)
    lists = pd.concat([run.groupby(0).head(30), relevant]).drop_duplicates()
    found = pd.MultiIndex.from_frame(lists).isin(pd.MultiIndex.from_frame(relevant))
    path = tmp_path_factory.mktemp("informativeness") / "perturbed.run"
    with path.open("w") as file:
        for system in range(8):
            score = rng.random(len(lists)) + found * rng.random() * 0.8
            for (topic, document), value in zip(lists.to_numpy(), score, strict=True):
                file.write(f"{topic} Q0 {document} 0 {value:.6f} perturbed{system}\n")
    return path


def check_contract(found):
    for part, keys in CONTRACT.items():
        assert found[part]
        for entry in found[part]:
            assert set(entry) >= keys
            missing = [name for name, value in entry.items() if value is None]
            assert bool(missing) == ("reason" in entry)


def expect(problem) -> float:
    """Return the value that a problem's probabilities predict; textbook formulas, by rank."""
    lists, name = np.array(problem["p"]), problem["measure"].split("(")[0].split("@")[0]
    before = np.cumprod(1 - lists / 2, axis=1) / (1 - lists / 2)
    if name == "DCG":
        return float((lists[0] / np.log2(np.arange(2, 12))).sum())
    if name in ("ERR", "ERR-IA"):
        return float((0.5 * lists * before * DISCOUNT).sum(axis=1).mean())
    assert name == "P"
    return float(lists[0][:5].mean())


@long
def test_dl19_without_intents(dissent, maximum, dl19):
    runs = sorted((dl19 / "runs").iterdir())
    words = ("informativeness", "--qrels", maximum, "--run", *runs, "--level", "2")
    result = dissent(*words, "--measure", "AP", "DCG", "P@5", "ERR", "--format", "json")
    assert result.status == 0
    found = result.json
    check_contract(found)
    assert (found["depth"], found["level"], found["recursion"]) == (10, 2, "exact")
    assert (found["topics"], found["systems"]) == (22, 37)
    assert len(found["problems"]) == 22 * 37 * 4
    assert {one["status"] for one in found["problems"]} <= {"solved", "fixed", "vertex"}
    for problem in found["problems"]:
        if not problem["measure"].startswith("AP"):
            assert expect(problem) == pytest.approx(problem["value"], abs=1e-9)
    _check_inference(found)
    _check_errors(found, maximum, runs)


@long
def test_the_line_of_the_readme_on_real_data(dissent, maximum, dl19):
    runs = sorted((dl19 / "runs").iterdir())
    words = ("informativeness", "--qrels", maximum, "--run", *runs)
    result = dissent(*words, "--measure", "AP", "nDCG@10")
    assert result.status == 0
    assert result.out.startswith("topics: 22, systems: 37, depth 10, relevant from 1, ")
    assert "- nDCG tells most about where the relevant documents stand (RMS 0.048, " in result.out
    assert "- The other measures' order of 37 runs is predicted best by AP, " in result.out


def _check_inference(found):
    """DCG of each run as predicted by ERR: by hand from p, scipy's τ-b."""
    problems = pd.DataFrame(found["problems"])
    known = problems[problems["measure"].str.startswith("ERR")]
    lists = np.array(known["p"].tolist())[:, 0]
    predicted = lists @ (1 / np.log2(np.arange(2, 12)))
    inferred = pd.Series(predicted).groupby(known["system"].to_numpy()).mean()
    actual = problems[problems["measure"] == "DCG@10"].groupby("system")["value"].mean()
    (entry,) = (
        one
        for one in found["inference"]
        if one["target"].startswith("ERR") and one["measure"] == "DCG@10"
    )
    assert entry["tau"] == pytest.approx(kendalltau(inferred, actual).statistic)
    error = inferred / actual - 1
    assert entry["rmsr"] == pytest.approx(np.sqrt((error**2).mean()))
    assert entry["mare"] == pytest.approx(error.abs().mean())


def _check_errors(found, qrels, runs):
    """RMS of precision at the ranks of relevant documents, from the files themselves."""
    judged = pd.read_csv(qrels, sep=" ", header=None, dtype="str")
    relevant = set(zip(*judged[judged[3].isin(["2", "3"])][[0, 2]].to_numpy().T, strict=True))
    lines = pd.concat(pd.read_csv(run, sep=r"\s+", header=None, dtype="str") for run in runs)
    lines["score"] = lines[4].astype("float32")
    lines = lines.sort_values(["score", 2], ascending=False, kind="stable")
    tops = {key: rows[2].head(10) for key, rows in lines.groupby([5, 0])}
    ranks, errors, even = np.arange(1, 11), [], []
    for problem in found["problems"]:
        if problem["measure"] != "DCG@10":
            continue
        top = tops.get((problem["system"], problem["topic"]), [])
        actual = np.zeros(10)
        actual[: len(top)] = [(problem["topic"], document) in relevant for document in top]
        at = actual > 0
        if at.any():
            gap = (np.cumsum(problem["p"][0]) - np.cumsum(actual)) / ranks
            errors.append(np.sqrt((gap[at] ** 2).mean()))
            gap = actual.mean() - np.cumsum(actual) / ranks
            even.append(np.sqrt((gap[at] ** 2).mean()))
    (entry,) = (one for one in found["curve_errors"] if one["measure"] == "DCG@10")
    assert entry["rms"] == pytest.approx(np.mean(errors))
    assert entry["uniform_rms"] == pytest.approx(np.mean(even))


@long
def test_web09_with_intents(dissent, web09_runs, shared_data):
    qrels = shared_data / "web09" / "diversity.qrels.gz"
    words = ("informativeness", "--qrels", qrels, "--run", web09_runs, "--most-topics", 25)
    result = dissent(*words, "--most-systems", 6, "--format", "json")
    assert result.status == 0
    found = result.json
    check_contract(found)
    assert (found["topics"], found["systems"]) == (25, 6)
    assert [one["measure"].split("(")[0].split("@")[0] for one in found["statuses"]] == [
        name.split("@")[0] for name in PAPER
    ]
    assert len(found["problems"]) == 25 * 6 * len(PAPER)
    assert {one["curve"] for one in found["curve_errors"]} == {"mean", "union", "intent"}
    gaps = {one["reason"] for one in found["inference"] if one["tau"] is None}
    assert gaps == {"the probabilities of relevance to any intent do not tell intents apart"}
    several = [one for one in found["problems"] if one["measure"].startswith("ERR-IA")]
    assert max(len(one["p"]) for one in several) > 2
    for problem in several:
        assert len(problem["intents"]) == len(problem["p"])
        assert {len(one) for one in problem["p"]} == {10}
        assert expect(problem) == pytest.approx(problem["value"], abs=1e-9)


@pytest.fixture
def small(tmp_path):
    """Write two runs, qrels of two intents, and topics that say how likely these are."""
    lists = {"one": "abcd", "two": "dcba"}
    (tmp_path / "small.run").write_text(
        "".join(
            f"t1 Q0 {document} 0 {9 - rank} {system}\n"
            for system, order in lists.items()
            for rank, document in enumerate(order)
        )
    )
    (tmp_path / "small.qrels").write_text("t1 1 a 1\nt1 2 b 1\nt1 2 c 2\nt1 2 e 1\n")
    (tmp_path / "topics.jsonl").write_text(
        '{"id": "t1", "query": "q", "subtopics": ['
        '{"id": "1", "text": "x", "probability": 0.9}, '
        '{"id": "2", "text": "y", "probability": 0.1}]}\n'
    )
    words = ("informativeness", "--qrels", "small.qrels", "--run", "small.run", "--depth", 4)
    return tmp_path, words


def test_intents_by_their_probabilities(dissent, small):
    _, words = small
    words = (*words, "--measure", "ERR-IA", "--format", "json")
    even, weighed = (
        dissent(*words, *more).json["problems"][0]["value"]
        for more in ((), ("--intents", "topics.jsonl"))
    )
    first, second = 0.5, 0.5 / 2 + 0.5 * 0.5 / 3
    assert even == pytest.approx((first + second) / 2)
    assert weighed == pytest.approx(0.9 * first + 0.1 * second)


def test_weights_of_intents_reach_value_and_inference(dissent, small):
    """Weights .6 and .2 count as .75 and .25, since nothing is relevant to the third, of .9.

    By hand: run one has intent 1 at ranks 2 and 4, intent 2 at rank 3. The most entropy under
    these constraints is found by a general optimiser here.
    """
    folder, words = small
    (folder / "small.qrels").write_text("t1 1 b 1\nt1 1 d 1\nt1 2 c 2\nt1 2 e 1\nt1 3 a 0\n")
    (folder / "topics.jsonl").write_text(
        '{"id": "t1", "query": "q", "subtopics": ['
        '{"id": "1", "text": "x", "probability": 0.6}, '
        '{"id": "2", "text": "y", "probability": 0.2}, '
        '{"id": "3", "text": "z", "probability": 0.9}]}\n'
    )
    words = (*words, "--measure", "ERR-IA", "--intents", "topics.jsonl", "--format", "json")
    problem = dissent(*words).json["problems"][0]
    assert (problem["system"], problem["intents"]) == ("one", ["1", "2"])
    value = 0.75 * (0.5 / 2 + 0.5 * 0.5 / 4) + 0.25 * 0.5 / 3
    assert problem["value"] == pytest.approx(value, abs=1e-12)

    def predict(flat):
        lists = flat.reshape(2, 4)
        before = np.cumprod(1 - lists / 2, axis=1) / (1 - lists / 2)
        return np.array([0.75, 0.25]) @ (0.5 * lists * before * DISCOUNT[:4]).sum(axis=1)

    inferred = np.array(problem["p"]).ravel()
    assert predict(inferred) == pytest.approx(value, abs=1e-9)
    assert inferred.reshape(2, 4).sum(axis=1) == pytest.approx([2, 1], abs=1e-9)
    best = minimize(
        lambda flat: -entropy(flat),
        np.repeat([0.5, 0.25], 4),
        bounds=[(1e-6, 1 - 1e-6)] * 8,
        constraints=[
            {"type": "eq", "fun": lambda flat: flat.reshape(2, 4).sum(axis=1) - [2, 1]},
            {"type": "eq", "fun": lambda flat: predict(flat) - value},
        ],
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert best.success
    assert inferred == pytest.approx(best.x, abs=1e-4)
    assert entropy(inferred) == pytest.approx(-best.fun, abs=1e-7)


def entropy(p):
    """Return the bits that independent probabilities leave open, added up."""
    return -float((p * np.log2(p) + (1 - p) * np.log2(1 - p)).sum())


def test_topics_without_probabilities_are_refused(dissent, small):
    folder, words = small
    (folder / "bare.jsonl").write_text(
        '{"id": "t1", "query": "q", "subtopics": [{"id": "1", "text": "x"}]}\n'
    )
    result = dissent(*words, "--intents", "bare.jsonl")
    assert result.status == 1
    assert "bare.jsonl" in result.err
    assert "no subtopic has a probability" in result.err


@long
def test_tables_for_people(dissent, small):
    _, words = small
    result = dissent(*words)
    assert result.status == 0
    assert result.out.startswith("topics: 1, systems: 2, depth 4, relevant from 1, recursion exact")
    for title in ("error of the inferred precision", "Kendall's τ-b", "RMSR", "MARE", *STATUS):
        assert title in result.out
    assert "P@5" not in result.out
    assert "each intent by itself" in result.out
    assert "– the probabilities of relevance to any intent do not tell intents apart" in result.out


def test_problems_without_a_solution_are_listed_up_to_a_number(capsys):
    runs = pd.DataFrame(
        [
            (f"s{n}", "t1", document, rank)
            for n in range(12)
            for rank, document in ((1, "a"), (2, "b"))
        ],
        columns=["system", "topic_id", "document_id", "rank"],
    )
    qrels = pd.DataFrame(
        [("t1", "0", "a", 1)], columns=["topic_id", "iteration", "document_id", "level"]
    )
    study = measure_informativeness(compile_rankings(runs, put_on_scale(qrels)), ["AP"])
    study.problems["reason"] = "out of reach"
    facts = {"qrels": "Q", "content_hash": "", "depth": 10, "level": 1, "recursion": "exact"}
    print_informativeness_tables(Informativeness(study), {**facts, "topics": 1, "systems": 12})
    out = capsys.readouterr().out
    assert "AP, s9, topic t1: out of reach\nand 2 more, all in --format json" in out


@long
def test_a_single_intent_is_told(dissent, small):
    folder, words = small
    (folder / "small.qrels").write_text("t1 0 a 1\nt1 0 c 2\n")
    result = dissent(*words, "--measure", "AP-IA", "--recursion", "paper", "--level", 2)
    assert result.status == 0
    assert "note: these qrels have no intents" in result.err
    assert "recursion paper" in result.out
    assert "inferred from one" not in result.out
    defaults = dissent(*words, "--format", "json").json["statuses"]
    assert len(defaults) == 4


@pytest.mark.parametrize(
    ("more", "status", "message"),
    [
        (("--measure", "bpref"), 1, "the expected value of bpref is not known"),
        (("--measure", "P@5"), 1, "looks beyond rank 4"),
        (("--measure", "nonsense"), 2, "nonsense"),
        (("--level", "3"), 1, "choose a lower level"),
        (("--recursion", "printed"), 2, "invalid choice"),
        (("--most-topics", "0"), 2, "not a whole number from 1"),
    ],
)
def test_what_cannot_be_used_is_refused(dissent, small, more, status, message):
    _, words = small
    result = dissent(*words, *more)
    assert result.status == status
    assert message in result.err
    assert result.out == ""
