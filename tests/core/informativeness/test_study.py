"""The whole study on simulated and on real rankings: complete tables, nothing failed silently."""

import numpy as np
import pandas as pd
import pytest

from core.comparison.rank_correlation import kendall_tau
from core.errors import BadInput
from core.informativeness.choices import PAPER
from core.informativeness.inference import (
    NO_INTENTS,
    NO_ORDER,
    NO_TOPIC,
    NO_VALUE,
    compare_inferences,
    infer_means,
)
from core.informativeness.problem import choose_systems, choose_topics
from core.informativeness.solve import STATUS
from core.informativeness.study import InformativenessStudy, measure_informativeness
from core.measures.ranking import Rankings, compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.informativeness.problems import QRELS, RUNS
from tests.short import long

PLAIN, BY_INTENT = PAPER[:5], PAPER[5:]


def check_study(study: InformativenessStudy, systems: int, topics: int, measures: int) -> None:
    """Every problem has a status that is not a failure, and every gap in a table a reason."""
    problems = study.problems
    assert len(problems) == systems * topics * measures
    assert set(problems["status"]) <= {"solved", "fixed", "vertex"}
    assert (problems["reason"] == "").all()
    assert problems[["value", "entropy"]].notna().all(axis=None)
    assert study.statuses().drop(columns="measure").to_numpy().sum() == len(problems)
    assert list(study.statuses().columns) == ["measure", *STATUS]
    errors = study.curve_errors
    assert errors.notna().all(axis=None)
    assert (errors["problems"] + errors["left_out"] == systems * topics).all()
    assert len(study.inference) == measures * (measures - 1)
    gaps = study.inference["tau"].isna()
    assert (study.inference.loc[gaps, "reason"] == NO_INTENTS).all()
    assert (study.inference.loc[~gaps, "reason"] == "").all()
    assert study.inference.loc[~gaps, ["rmsr", "mare"]].notna().all(axis=None)
    assert len(study.means) == measures * (measures - 1) * systems


@pytest.fixture(scope="module")
def simulated_study(simulated: Rankings) -> InformativenessStudy:
    return measure_informativeness(simulated, PAPER)


@long
def test_the_papers_study_on_simulated_runs(simulated_study: InformativenessStudy):
    check_study(simulated_study, systems=30, topics=25, measures=9)
    counts = simulated_study.problems["p"].map(len)
    assert counts.max() == 5
    assert (
        simulated_study.problems["p"]
        .map(lambda lists: {len(one) for one in lists})
        .map(lambda lengths: lengths == {10})
        .all()
    )


def test_a_value_tells_more_than_the_number_of_relevant_documents(
    simulated_study: InformativenessStudy,
):
    errors = simulated_study.curve_errors
    assert (errors["rms"] < errors["uniform_rms"])[errors["curve"] != "union"].all()
    inference = simulated_study.inference.dropna()
    assert (inference["tau"] > 0.3).all()
    assert (inference["mare"] < 0.5).all()


def test_web09_with_intents(web09: Rankings):
    topics, systems = choose_topics(web09, 25), choose_systems(web09, 30)
    study = measure_informativeness(web09, PAPER, topics=topics, systems=systems)
    check_study(study, systems=30, topics=25, measures=9)


def test_dl19_without_intents(dl19: Rankings):
    study = measure_informativeness(dl19, PLAIN, level=2, systems=choose_systems(dl19, 30, 2))
    check_study(study, systems=30, topics=len(study.inferred[0].labels.topics), measures=5)


def test_one_intent_is_no_intent(dl19: Rankings):
    study = measure_informativeness(dl19, ["cRBP", "NRBP"], systems=choose_systems(dl19, 5))
    check_study(study, systems=5, topics=22, measures=2)
    plain, intent = (part for _, part in study.problems.groupby("measure", sort=False))
    np.testing.assert_allclose(plain["entropy"], intent["entropy"], atol=1e-7)
    np.testing.assert_allclose(study.inference["tau"], 1)
    np.testing.assert_allclose(study.inference["rmsr"], 0, atol=1e-7)


def test_the_papers_recursion_gives_complete_tables(simulated: Rankings):
    study = measure_informativeness(
        simulated,
        ["cRBP", "NRBP", "AP"],
        depth=5,
        recursion="paper",
        systems=simulated.systems[:2],
        topics=simulated.topics[3:4],
    )
    check_study(study, systems=2, topics=1, measures=3)


def test_tables_of_inference_by_hand(simulated_study: InformativenessStudy):
    pair = simulated_study.means[
        (simulated_study.means["target"] == "AP@10") & (simulated_study.means["measure"] == "P@5")
    ]
    row = simulated_study.inference.query("target == 'AP@10' and measure == 'P@5'").iloc[0]
    error = pair["inferred"] / pair["actual"] - 1
    assert row["tau"] == pytest.approx(kendall_tau(pair["inferred"], pair["actual"]), abs=0.02)
    assert row["rmsr"] == pytest.approx(np.sqrt((error**2).mean()))
    assert row["mare"] == pytest.approx(error.abs().mean())
    assert (pair["topics"] == 25).all()
    ap, precision = simulated_study.inferred[0], simulated_study.inferred[2]
    first = ap.solution.p[:5, :25].mean()
    assert pair["inferred"].iloc[0] == pytest.approx(first)
    assert pair["actual"].iloc[0] == pytest.approx(precision.labels.actual[:5, :25].mean())


def test_missing_numbers_say_why():
    columns = ["target", "measure", "system", "inferred", "actual", "topics", "reason"]
    rows = [
        ("A", "B", "s1", np.nan, np.nan, 0, NO_TOPIC),
        ("A", "B", "s2", np.nan, np.nan, 0, NO_TOPIC),
        ("A", "C", "s1", 0.0, 0.0, 1, ""),
        ("A", "C", "s2", 0.0, 0.0, 1, ""),
        ("A", "D", "s1", 0.5, 0.25, 1, ""),
        ("A", "D", "s2", np.nan, np.nan, 0, NO_TOPIC),
        ("A", "E", "s1", 0.5, 0.0, 1, ""),
        ("A", "E", "s2", 0.6, 0.5, 1, ""),
    ]
    found = compare_inferences(pd.DataFrame(rows, columns=columns)).set_index("measure")
    assert found["reason"].to_dict() == {"B": NO_TOPIC, "C": NO_VALUE, "D": NO_ORDER, "E": ""}
    assert found["systems"].tolist() == [0, 2, 1, 2]
    assert found.loc["D", "rmsr"] == 1
    assert found.loc["E", ["tau", "mare"]].tolist() == pytest.approx([1, 0.2])
    assert compare_inferences(infer_means([])).empty


def test_problems_without_a_solution_are_left_out_of_means(simulated: Rankings):
    study = measure_informativeness(simulated, ["AP", "ERR"], topics=simulated.topics[:2])
    inferred = study.inferred[0]
    inferred.solution.p[:, 0] = np.nan
    means = infer_means(study.inferred)
    assert means["topics"].tolist() == [1] + [2] * 29 + [2] * 30
    inferred.solution.p[:, 1] = np.nan
    means = infer_means(study.inferred)
    assert means["reason"].iloc[0] == NO_TOPIC
    assert np.isnan(means["inferred"].iloc[0])


def test_curves_of_one_ranking(simulated_study: InformativenessStudy):
    labels = simulated_study.inferred[-1].labels
    curves = simulated_study.curves(labels.systems[3], labels.topics[7])
    assert list(curves["measure"].unique()) == [str(e.target) for e in simulated_study.inferred]
    assert set(curves["curve"]) == {"mean", "union", "intent"}
    plain = curves[curves["measure"] == "AP@10"]
    problem = simulated_study.problems.query("measure == 'AP@10'").iloc[3 * 25 + 7]
    np.testing.assert_allclose(plain["precision"].iloc[4], np.mean(problem["p"][0][:5]))
    with pytest.raises(BadInput, match="not part of the study"):
        simulated_study.curves("nobody", labels.topics[0])


def test_a_single_measure_has_nothing_to_be_compared_with():
    study = measure_informativeness(compile_rankings(RUNS, put_on_scale(QRELS)), ["AP"], depth=4)
    assert study.inference.empty
    assert study.means.empty


def test_measures_are_needed_and_once_each(simulated: Rankings):
    with pytest.raises(BadInput, match="at least one measure"):
        measure_informativeness(simulated, [])
    with pytest.raises(BadInput, match="AP@10 is chosen twice"):
        measure_informativeness(simulated, ["AP", "P@5", "AP@10"])


def test_progress_runs_over_all_measures(simulated: Rankings):
    shares: list[float] = []
    measure_informativeness(
        simulated, ["AP", "DCG"], systems=simulated.systems[:2], progress=shares.append
    )
    assert shares == [0.5, 1.0]
