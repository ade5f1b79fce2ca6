"""Estimates from runs and the qrels of people and of a machine: values, tables, refusals."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.machines.judged_scores import JudgedScores
from core.machines.mean_limits import bound_differences, bound_means
from core.machines.prediction_powered import estimate_means, estimate_normally
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.reports.estimate import (
    ALIKE_APART,
    BIASED,
    LOG_ODDS,
    NO_SAMPLE,
    NORMAL,
    OTHER_FORM,
    POWERED,
    EstimateQuestion,
    estimate_scores,
)
from core.reports.scores import ALIKE
from core.versions.judgements import put_on_scale
from core.wording import drop_marks

TOPICS = [f"t{at:02}" for at in range(24)]
DOCUMENTS = [f"d{at}" for at in range(8)]
NDCG = [parse_measure("nDCG@5")]


def make_study(seed: int = 1, systems: int = 4) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return runs and both qrels; people judged the first eight topics."""
    rng = np.random.default_rng(seed)
    shape = len(TOPICS), len(DOCUMENTS)
    useful = rng.normal(size=shape) + rng.normal(size=(len(TOPICS), 1))
    useful[:, 0] += 4  # every topic has something to find
    keys = pd.MultiIndex.from_product([TOPICS, DOCUMENTS], names=["topic_id", "document_id"])
    rows = pd.DataFrame(index=keys).reset_index().assign(iteration="0")
    people = rows.assign(level=np.clip(np.round(useful + 1), 0, 3).ravel().astype(int))
    noisy = useful + 0.3 * rng.normal(size=shape) + 0.5
    machine = rows.assign(level=np.clip(np.round(noisy + 1), 0, 3).ravel().astype(int))
    parts = []
    for system in range(systems):
        score = (useful + (0.3 + system) * rng.normal(size=shape)).ravel()
        run = rows.assign(system=f"s{system}", score=score)
        run["rank"] = run.groupby("topic_id")["score"].rank(ascending=False).astype(int)
        parts.append(run)
    runs = pd.concat(parts).sort_values(["system", "topic_id", "rank"], ignore_index=True)
    return runs, people[people["topic_id"].isin(TOPICS[:8])], machine


@pytest.fixture
def study():
    return make_study()


def arrange(runs: pd.DataFrame, human: pd.DataFrame, machine: pd.DataFrame, systems: list[str]):
    """Return the scores of these systems, by topic."""
    people, other = (
        evaluate(NDCG, compile_rankings(runs, put_on_scale(one))).pivot(
            index="topic_id", columns="system", values="value"
        )[systems]
        for one in (human, machine)
    )
    judged = people.index
    parts = people, other.loc[judged], other.drop(judged)
    return JudgedScores(*(one.to_numpy(float) for one in parts))


@pytest.mark.parametrize("normal", [False, True])
def test_tables_have_what_the_scores_give(study, normal):
    found = estimate_scores(
        study[0], put_on_scale(study[1]), study[2], NDCG, EstimateQuestion(normal=normal)
    )
    systems = list(found.systems["system"].unique())
    scores = arrange(*study, systems)
    for table, own, bound in (
        (found.systems, scores, bound_means(1)),
        (found.differences, scores.subtract_pairs(), bound_differences(1)),
    ):
        wanted = estimate_normally(own) if normal else estimate_means(own, bound)
        for name, means in (
            ("classical", wanted.classical),
            ("ppi", wanted.powered),
            ("machine_only", wanted.machine_only),
        ):
            rows = table[table["estimate"] == name]
            for column in ("value", "low", "high"):
                assert rows[column].tolist() == pytest.approx(getattr(means, column).tolist())
        powers = table.loc[table["estimate"] == POWERED, "power"]
        assert powers.tolist() == pytest.approx(wanted.power.tolist())
    method = NORMAL if normal else LOG_ODDS
    assert found.systems["interval"].str.startswith(method).all()
    assert (found.systems["reason"] == "").all()


def test_systems_stand_from_the_best_to_the_worst_and_pairs_in_their_order(study):
    found = estimate_scores(study[0], put_on_scale(study[1]), study[2], NDCG)
    powered = found.systems[found.systems["estimate"] == POWERED]
    assert powered["value"].is_monotonic_decreasing
    differences = found.differences[found.differences["estimate"] == POWERED]
    first, second = (
        powered.set_index("system")["value"].loc[differences[one]].to_numpy()
        for one in ("first", "second")
    )
    assert (first > second).all()
    assert len(differences) == 6


def test_counts_say_what_limits_rest_on(study):
    row = estimate_scores(study[0], put_on_scale(study[1]), study[2], NDCG).systems.iloc[0]
    assert (row["n_human"], row["n_machine"], row["unit"], row["units"]) == (8, 16, "topic", 8)
    units = estimate_scores(study[0], put_on_scale(study[1]), study[2], NDCG).systems.iloc[2]
    assert (units["estimate"], units["units"]) == ("machine_only", 24)


def test_where_topics_are_all_there_are_the_machine_alone_has_no_limits(study):
    found = estimate_scores(
        study[0], put_on_scale(study[1]), study[2], NDCG, EstimateQuestion(finite=True)
    )
    machine = found.systems["estimate"] == "machine_only"
    assert (found.systems.loc[machine, "reason"] == NO_SAMPLE).all()
    assert found.systems.loc[machine, "low"].isna().all()
    assert (found.systems.loc[~machine, "reason"] == "").all()


def test_the_widths_are_of_means_and_of_differences(study):
    widths = estimate_scores(study[0], put_on_scale(study[1]), study[2], NDCG).widths
    assert widths["of"].unique().tolist() == ["mean", "difference"]
    assert list(widths) == ["measure", "of", "n_human", "n_machine", "classical", "powered"]


def test_one_system_has_no_differences():
    alone = make_study(systems=1)
    found = estimate_scores(alone[0], put_on_scale(alone[1]), alone[2], NDCG)
    assert found.differences.empty
    assert found.widths["of"].unique().tolist() == ["mean"]


def test_the_same_run_twice_differs_by_nothing_without_limits(study):
    runs, human, machine = study
    twin = runs[runs["system"] == "s0"].assign(system="twin")
    found = estimate_scores(
        pd.concat([runs, twin], ignore_index=True), put_on_scale(human), machine, NDCG
    )
    same = found.differences.query("first == 's0' and second == 'twin'")
    assert same["value"].tolist() == [0, 0, 0]
    assert same["low"].isna().all()
    assert (same["reason"] == ALIKE_APART).all()
    finite = EstimateQuestion(finite=True)
    again = estimate_scores(pd.concat([runs, twin]), put_on_scale(human), machine, NDCG, finite)
    same = again.differences.query("first == 's0' and second == 'twin'")
    assert same["reason"].tolist() == [ALIKE_APART, ALIKE_APART, NO_SAMPLE]


def test_several_measures_and_one_without_a_highest_score(study):
    measures = [parse_measure("AP"), parse_measure("DCG@5"), parse_measure("AP")]
    found = estimate_scores(study[0], put_on_scale(study[1]), study[2], measures)
    assert found.systems["measure"].unique().tolist() == ["AP", "DCG@5"]
    dcg = found.systems[found.systems["measure"] == "DCG@5"]
    assert dcg["interval"].iloc[0] == "t"
    assert "AP" in found._repr_html_()


def test_what_is_left_out_is_told(study):
    runs, human, machine = study
    extra = human.assign(topic_id="only-people").head(3)
    unanswered = machine.assign(topic_id="no-run").head(3)
    nothing = machine.assign(level=machine["level"].where(machine["topic_id"] != "t00", 0))
    found = estimate_scores(
        runs, put_on_scale(pd.concat([human, extra])), pd.concat([nothing, unanswered]), NDCG
    )
    assert found.left_out == [
        "topics that people judged and the machine did not, left out: 1 (only-people)",
        "judged topics that no run answers, left out: 1 (no-run)",
        "nDCG@5: topics that both judged, but with nothing to find by the labels of one of them, "
        "left out: 1 of 8",
    ]
    assert found.systems["n_human"].unique().tolist() == [7]
    kept = estimate_scores(
        runs, put_on_scale(human), nothing, NDCG, EstimateQuestion(empty_topics=True)
    )
    assert kept.systems["n_human"].unique().tolist() == [8]
    assert kept.left_out == []


def test_no_topic_judged_by_both_is_refused(study):
    runs, human, machine = study
    apart = machine[~machine["topic_id"].isin(human["topic_id"])]
    with pytest.raises(BadInput, match=r"no topic is judged by both people and the machine.* t00"):
        estimate_scores(runs, put_on_scale(human), apart, NDCG)
    with pytest.raises(BadInput, match=r"people judged t00, .* …, the machine none; the machine"):
        estimate_scores(runs, put_on_scale(human), machine[:0], NDCG)


def test_one_topic_of_people_is_too_few(study):
    runs, human, machine = study
    with pytest.raises(
        TooLittleData, match=r"^1 topic was judged .* is answered .* need two at least"
    ):
        estimate_scores(runs, put_on_scale(human[human["topic_id"] == "t00"]), machine, NDCG)


def test_a_machine_without_topics_of_its_own_is_refused(study):
    runs, human, machine = study
    with pytest.raises(TooLittleData, match="only the machine judged"):
        estimate_scores(
            runs, put_on_scale(human), machine[machine["topic_id"].isin(TOPICS[:8])], NDCG
        )


def test_a_run_without_the_topics_of_people_is_refused(study):
    runs, human, machine = study
    kept = (runs["system"] != "s1") | ~runs["topic_id"].isin(TOPICS[:8])
    with pytest.raises(BadInput, match="s1: no line for any topic that people judged"):
        estimate_scores(runs[kept], put_on_scale(human), machine, NDCG)


def test_too_few_topics_with_something_to_find_are_refused(study):
    runs, human, machine = study
    nothing = human.assign(level=human["level"].where(human["topic_id"] == "t00", 0))
    with pytest.raises(TooLittleData, match=r"nDCG@5: topics with something to find.*: 1,"):
        estimate_scores(runs, put_on_scale(nothing), machine, NDCG)


def test_a_geometric_mean_is_refused(study):
    with pytest.raises(BadInput, match="geometric"):
        estimate_scores(study[0], put_on_scale(study[1]), study[2], [parse_measure("GMAP")])


def test_two_forms_at_once_are_refused():
    with pytest.raises(BadInput, match="choose one"):
        EstimateQuestion(finite=True, normal=True)


def test_the_answer_has_widths_with_and_without_the_machine(study):
    found = estimate_scores(study[0], put_on_scale(study[1]), study[2], NDCG)
    row = found.systems[found.systems["estimate"] == POWERED].iloc[0]
    now = found.widths[(found.widths["of"] == "mean") & (found.widths["n_human"] == row["n_human"])]
    assert drop_marks(found.answer) == (
        f"People judged {row['n_human']} topics, only the machine {row['n_machine']} more. 95 % "
        f"intervals of means by {NDCG[0]}, topics being what is sampled, are on average "
        f"{now['powered'].iloc[0]:.3f} wide with the machine's labels and "
        f"{now['classical'].iloc[0]:.3f} with people's alone. The machine's scores are trusted by "
        f"λ = {row['power']:.3f}; 0 is not at all."
    )
    assert found.notes == (BIASED,)


def test_the_answer_tells_the_limits_that_stand_in_the_table(study):
    """By ppi-python's form limits are others than in the curve, and λ is of each system."""
    runs, human, machine = study
    asked = EstimateQuestion(normal=True)
    found = estimate_scores(runs, put_on_scale(human), machine, NDCG, asked)
    rows = found.systems[found.systems["estimate"] == POWERED]
    told = drop_marks(found.answer)
    assert f"on average {(rows['high'] - rows['low']).mean():.3f} wide with" in told
    least, most = rows["power"].min(), rows["power"].max()
    assert least < most
    assert f"trusted by λ from {least:.3f} to {most:.3f}, by system; 0 is" in told
    assert found.notes == (OTHER_FORM, BIASED)


def test_of_a_system_that_never_varies_no_lambda_is_told_for_all(study):
    """People's scores of the best system are all 1: it has λ = 0, and the others have not."""
    runs, human, machine = study
    ideal = human.sort_values(["topic_id", "level"], ascending=[True, False])
    best = pd.concat([ideal, machine[~machine["topic_id"].isin(human["topic_id"])]])
    best = best.assign(system="best", score=-np.arange(len(best), dtype=float))
    best["rank"] = best.groupby("topic_id").cumcount() + 1
    runs = pd.concat([runs, best[runs.columns]], ignore_index=True)
    found = estimate_scores(runs, put_on_scale(human), machine, NDCG)
    rows = found.systems[found.systems["estimate"] == POWERED]
    assert rows["system"].iloc[0] == "best"
    assert rows["power"].iloc[0] == 0 < rows["power"].max()
    assert f"λ from 0.000 to {rows['power'].max():.3f}, by system" in found.answer


def test_where_no_mean_has_limits_the_reason_is_told():
    levels = [3, 2, 1, 0]
    judged = pd.DataFrame(
        [(topic, "0", f"d{at}", level) for topic in TOPICS for at, level in enumerate(levels)],
        columns=["topic_id", "iteration", "document_id", "level"],
    )
    runs = judged.assign(system="s", rank=judged.groupby("topic_id").cumcount() + 1)
    runs["score"] = -runs["rank"].astype(float)
    human = judged[judged["topic_id"].isin(TOPICS[:5])]
    found = estimate_scores(runs, put_on_scale(human), judged, [parse_measure("DCG@3")])
    told = drop_marks(found.answer)
    assert told.endswith(f"only the machine 19 more. Means by DCG@3 have no interval: {ALIKE}.")
