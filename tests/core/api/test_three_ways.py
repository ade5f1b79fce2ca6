"""Page, command and Python API find the same: numbers, intervals, reasons.

Each analysis is asked for in three ways: of a store, as pages do; by the command, on exported
files; and by the API, on the same files. The data are the real ones and, for those who do not have
them, a small study made up by rule, with figures that are frozen.
"""

import json
from pathlib import Path

import pandas as pd
import pytest
import pytrec_eval
from sklearn.metrics import cohen_kappa_score

import dissent
from core.analysis.agreement import between_assessors as pages_agreement
from core.analysis.agreement.user_disagreement import ask_verification, ask_weights
from core.analysis.base.labels import ratings_of
from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import find_choice, version_of, weights_of
from core.analysis.results.scores import scores_of
from core.analysis.results.version_scores import score_version
from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.command.main import main
from core.comparison.bayes import compare_posterior
from core.comparison.conditions import compare_conditions
from core.comparison.significance_test import SignificanceTest
from core.informativeness.study import measure_informativeness
from core.measures.evaluate import mean_scores
from core.measures.ranking import Rankings
from core.reports.conditions import examine_conditions, split_variances
from core.reports.level_weights import WeightsQuestion
from core.reports.user_model import UserModel
from core.reports.verification import VerificationQuestion
from core.store.content.collections import find_collection
from core.store.events.frames import read_documents
from core.store.store import Store
from tests.conftest import import_study
from tests.core.api.made_up import write_study
from tests.short import few, long

MEASURES = ("nDCG@10", "AP", "RR(rel=2)@10", "Q@10", "nERR@10", "bpref")
VERSIONS = ("all, maximum", "all, minimum")
TEST = SignificanceTest(samples=200)
FROZEN = {
    "kappa": 0.594595,
    "s0": 0.76898,
    "s1": 0.863536,
    "s2": 0.857214,
    "s3": 0.913043,
    "s4": 0.894505,
}


@pytest.fixture(scope="module", params=few(["made up", "dl19"]))
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param == "dl19":
        return request.getfixturevalue("dl19")
    return write_study(tmp_path_factory.mktemp("study") / "made-up")


@pytest.fixture(scope="module")
def study(folder: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    if folder.name == "dl19":
        path = request.getfixturevalue("dl19_store")
    else:
        path = import_study(folder, tmp_path_factory.mktemp("made-up") / "store.duckdb")
    store = Store(path, read_only=True)
    yield Study(store, find_collection(store, "dl19"), is_masked=False)
    store.close()


@pytest.fixture(scope="module")
def files(study: Study, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return what the store exports, as files."""
    given, folder = folder, tmp_path_factory.mktemp("files")
    found = {"labels": given / "labels.tsv", "run": folder / "all.run"}
    runs = pd.concat([dissent.read_runs(path) for path in sorted((given / "runs").iterdir())])
    found["run"].write_bytes(write_run(runs.reset_index(drop=True)))
    for name in VERSIONS:
        choice = find_choice(study, name, "page")
        found[name] = folder / f"{name.replace(', ', '-')}.qrels"
        found[name].write_bytes(write_qrels(version_of(study, choice).frame))
    return found


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]):
    def call(*words: object):
        capsys.readouterr()
        assert main([*map(str, words), "--format", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


def by_key(rows: pd.DataFrame, keys: list[str], values: list[str]) -> dict[object, object]:
    """Return rows by key, to be compared up to the last bits: items may come in another order."""
    plain = rows[values].astype("float64").to_numpy()
    found = zip(rows[keys].itertuples(index=False, name=None), plain, strict=True)
    return {key: pytest.approx(list(value), rel=1e-12, nan_ok=True) for key, value in found}


def lists(rows: pd.DataFrame, keys: list[str], values: list[str]) -> dict[object, list[float]]:
    return {key: one.expected for key, one in by_key(rows, keys, values).items()}


LIMITS = ["value", "low", "high"]


def test_agreement(study, files, command):
    shown = pages_agreement.agreement_of(study, "page").overall
    words = (files["labels"], "--run", files["run"])
    printed = pd.DataFrame(command("agreement", *words)["overall"])
    texts = [name for name in shown["coefficient"] if name in set(printed["name"])]
    runs = dissent.read_runs(files["run"])
    found = dissent.agreement(dissent.read_labels(files["labels"]), texts, runs=runs)
    assert len(texts) >= 13
    assert "alpha(ordinal, p=0.8)" in texts
    columns = [*LIMITS, "n", "pairs"]
    expected = by_key(shown[shown["coefficient"].isin(texts)], ["coefficient"], columns)
    printed = printed[printed["name"].isin(texts)]
    assert lists(printed, ["name"], columns) == expected
    assert lists(found.overall, ["coefficient"], columns) == expected


@long
def test_agreement_of_pairs(study, files, command):
    shown = pages_agreement.pairs_of_assessors(study, "page")
    shown = shown[shown["n"] > 0].rename(columns={"linear": "value"})
    expected = by_key(shown, ["first_id", "second_id"], ["n", *LIMITS])
    found = dissent.agreement(dissent.read_labels(files["labels"]), ["kappa(linear)"]).pairs
    assert lists(found, ["first", "second"], ["n", *LIMITS]) == expected
    printed = pd.DataFrame(
        {"first": pair["first"], "second": pair["second"], "n": pair["n"], **one}
        for pair in command("agreement", files["labels"])["pairs"]
        for one in pair["coefficients"]
        if one["name"] == "kappa(linear)"
    )
    assert lists(printed, ["first", "second"], ["n", *LIMITS]) == expected


@long
def test_agreement_by_topic(study, files, command):
    columns, keys = [*LIMITS, "n", "counted"], ["topic_id", "first", "second"]
    expected = by_key(pages_agreement.rows_by_topic(study, "page"), keys, columns)
    found = dissent.agreement(dissent.read_labels(files["labels"])).topics
    assert lists(found, keys, columns) == expected
    printed = pd.DataFrame(command("agreement", files["labels"])["topics"])
    assert lists(printed, ["topic", "first", "second"], columns) == expected


@pytest.mark.parametrize(("users", "at_least"), [(3, 1), (5, 2)])
def test_weights(study, files, command, users, at_least):
    top = max(ratings_of(study, "page").levels)
    model = UserModel(top, users, at_least)
    chances = ask_weights(study, "page", WeightsQuestion(model)).levels
    weights = dict(weights_of(study, "page", model))
    columns = ["p", "low", "high", "cases"]
    expected = by_key(chances, ["level"], columns)
    words = ("--top", top, "--users", users, "--at-least", at_least)
    printed = pd.DataFrame(command("weights", files["labels"], *words)["levels"])
    assert lists(printed, ["level"], columns) == expected
    labels = dissent.read_labels(files["labels"])
    found = dissent.weights(labels, top, users=users, at_least=at_least)
    assert lists(found, ["level"], columns) == expected
    for table in (printed, found):
        assert dict(zip(table["level"], table["weight"], strict=True)) == weights


@pytest.mark.parametrize("name", few(VERSIONS))
def test_scores(study, files, command, name):
    choice = find_choice(study, name, "page")
    shown = scores_of(study, choice, MEASURES)
    keys, columns = ["system", "measure", "topic_id"], ["value", "judged"]
    expected = by_key(shown, keys, columns)
    words = ("--qrels", files[name], "--run", files["run"], "--measure", *MEASURES, "--per-topic")
    printed = pd.DataFrame(command("evaluate", *words)["scores"]).rename(
        columns={"topic": "topic_id"}
    )
    topics = printed[printed["topic_id"].notna() & printed["value"].notna()]
    runs, qrels = dissent.read_runs(files["run"]), dissent.read_qrels(files[name])
    found = dissent.evaluate(runs, qrels, MEASURES)
    assert lists(topics, keys, columns) == expected
    assert lists(found.by_topic[found.by_topic["value"].notna()], keys, columns) == expected
    means = printed[printed["topic_id"].isna()]
    assert lists(means, keys[:2], [*LIMITS, "judged"]) == by_key(
        found.means, keys[:2], [*LIMITS, "judged"]
    )
    assert lists(means, keys[:2], columns) == by_key(mean_scores(shown), keys[:2], columns)


def test_lengths_of_documents(study, files, command, tmp_path):
    """TBG reckons with the texts in the store, and with the same ones given beside files."""
    name = VERSIONS[0]
    shown = scores_of(study, find_choice(study, name, "page"), ["TBG"])
    keys, columns = ["system", "topic_id"], ["value"]
    documents = read_documents(study.store, study.collection_id)
    path = tmp_path / "documents.jsonl"
    texts = documents.rename(columns={"document_id": "id"})[["id", "text", "html"]]
    path.write_text(texts.to_json(orient="records", lines=True))
    words = ("--qrels", files[name], "--run", files["run"], "--measure", "TBG", "--per-topic")
    printed = pd.DataFrame(command("evaluate", *words, "--documents", path)["scores"])
    printed = printed.rename(columns={"topic": "topic_id"}).dropna(subset=["topic_id", "value"])
    runs, qrels = dissent.read_runs(files["run"]), dissent.read_qrels(files[name])
    found = dissent.evaluate(runs, qrels, "TBG", documents=documents).by_topic
    expected = by_key(shown, keys, columns)
    assert lists(printed, keys, columns) == expected
    assert lists(found[found["value"].notna()], keys, columns) == expected
    alike = dissent.evaluate(runs, qrels, "TBG").by_topic
    assert (documents["text"] != "").any()
    assert lists(alike[alike["value"].notna()], keys, columns) != expected


def test_comparison(study, files, command):
    conditions = [
        score_version(study, find_choice(study, name, "page"), "nDCG@10") for name in VERSIONS
    ]
    shown = compare_conditions(examine_conditions(conditions, TEST), TEST)
    words = ("--qrels", *(files[name] for name in VERSIONS), "--run", files["run"])
    options = ("--measure", "nDCG@10", "--permutations", TEST.samples)
    printed = command("compare", *words, *options)
    runs = dissent.read_runs(files["run"])
    qrels = {Path(files[name]).stem: dissent.read_qrels(files[name]) for name in VERSIONS}
    found = dissent.compare(runs, qrels, "nDCG@10", test=TEST)
    names = dict(zip(VERSIONS, qrels, strict=True))
    columns = ["difference", "low", "high", "p", "effect_size"]
    keys = ["condition", "first", "second"]
    pairs = pd.concat([one.pairs.assign(condition=names[one.name]) for one in shown.conditions])
    expected = by_key(pairs, keys, columns)
    systems = runs["system"].nunique()
    assert len(expected) == 2 * systems * (systems - 1) / 2
    assert lists(found.pairs, keys, columns) == expected
    assert lists(pd.DataFrame(printed["pairs"]), keys, columns) == expected
    assert printed["verdict"] == found.verdict
    (tau,) = printed["tau"]
    names_of_tau = ["tau", "low", "high", "p", "shown_below"]
    for table in (shown.orders, found.comparison.orders):
        assert [tau[name.replace("tau", "value")] for name in names_of_tau] == [
            *table[names_of_tau].iloc[0]
        ]
    assert printed["correction_note"] == shown.correction == found.comparison.correction
    for splits in (split_variances(conditions, shown.conditions), found.variances):
        assert len(splits) == len(printed["variance"]) > 0
        for split, row in zip(splits, printed["variance"], strict=True):
            shares = [one["variance"] for one in row["components"]]
            assert shares == [*split.study.components["variance"]]
            assert (row["relative"], row["absolute"]) == (
                split.study.relative,
                split.study.absolute,
            )
    columns = ["first_better", "equal", "low"]
    posterior = [
        compare_posterior(one.matrix).assign(condition=names[one.name]) for one in shown.conditions
    ]
    assert lists(found.bayesian(), keys, columns) == by_key(pd.concat(posterior), keys, columns)


@long
def test_informativeness(study, files, command):
    few = ("P@5", "AP")
    name = VERSIONS[0]
    words = ("--qrels", files[name], "--run", files["run"], "--measure", *few)
    printed = command("informativeness", *words, "--depth", 5)
    runs, qrels = dissent.read_runs(files["run"]), dissent.read_qrels(files[name])
    found = dissent.informativeness(runs, qrels, few, depth=5)
    shown = measure_informativeness(_rankings(study, name), few, depth=5)
    for table in (found, shown):
        errors = pd.DataFrame(printed["curve_errors"])
        columns = ["rms", "mae", "uniform_rms"]
        assert lists(table.curve_errors, ["measure"], columns) == by_key(
            errors, ["measure"], columns
        )


def _rankings(study: Study, name: str) -> Rankings:
    from core.analysis.results.scores import rankings_of

    return rankings_of(study, find_choice(study, name, "page"))


def test_verification(study, files, command):
    """There are two labels an item at most, so that nothing puts the model to the test."""
    top = max(ratings_of(study, "page").levels)
    asked = ask_verification(study, "page", VerificationQuestion(top))
    shown = asked.chances
    printed = command("verify", files["labels"], "--top", top)
    keys, columns = ["level", "n"], ["mean", "sd"]
    assert lists(pd.DataFrame(printed["p"]), keys, columns) == by_key(shown, keys, columns)
    assert (printed["fit"], printed["min_labels"], asked.fit) == (None, 2, None)
    assert len(shown) > 2


def test_figures_of_the_made_up_study(tmp_path):
    """Against scikit-learn and trec_eval, and frozen: they change only if the study does."""
    given = write_study(tmp_path / "study")
    labels = dissent.read_labels(given / "labels.tsv")
    pairs = dissent.agreement(labels, ["kappa(linear)"]).pairs.set_index(["first", "second"])
    item = ["topic_id", "document_id"]
    one, two = (
        labels[labels["assessor_id"] == who].set_index(item)["level"] for who in ("a0", "a1")
    )
    both = pd.concat([one, two], axis=1, join="inner").astype(int)
    kappa = cohen_kappa_score(*both.to_numpy().T, labels=range(4), weights="linear")
    assert pairs["value"]["a0", "a1"] == pytest.approx(kappa)
    assert pairs["value"]["a0", "a1"] == pytest.approx(FROZEN["kappa"], abs=1e-6)
    qrels = labels.groupby(item, as_index=False)["level"].max().astype({"level": int})
    runs = dissent.read_runs(sorted((given / "runs").iterdir()))
    means = dissent.evaluate(runs, qrels, "nDCG@10").means.set_index("system")["value"]
    for system, own in runs.groupby("system"):
        judged, ranked = (
            {t: o.set_index("document_id")[name].to_dict() for t, o in rows.groupby("topic_id")}
            for rows, name in ((qrels, "level"), (own, "score"))
        )
        oracle = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10"}).evaluate(ranked)
        values = [scores["ndcg_cut_10"] for scores in oracle.values()]
        assert means[system] == pytest.approx(sum(values) / len(values))
        assert means[system] == pytest.approx(FROZEN[system], abs=1e-6)
