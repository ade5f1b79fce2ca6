"""Sentences: what the numbers allow to be said, and nothing more."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from core.informativeness import verdict
from core.informativeness.choices import PAPER
from core.informativeness.study import InformativenessStudy, measure_informativeness
from core.informativeness.targets import suggest_measures
from core.informativeness.verdict import (
    ALPHA,
    _describe_means_over_intents,
    _describe_statuses,
    _judge_curves,
    name_measures,
    reach_verdict,
)
from core.measures.ranking import Rankings, compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.informativeness.problems import QRELS, RUNS


def simulate(systems: int, topics: int, depth: int = 10, level: int = 1) -> Rankings:
    """Rankings of random lists in which a third is relevant, rather early ones."""
    rng, runs, qrels = np.random.default_rng(3), [], []
    for topic in range(topics):
        relevant = rng.permutation(2 * depth)[: 2 * depth // 3]
        qrels += [(f"t{topic}", "0", f"d{document}", level) for document in relevant]
        for system in range(systems):
            order = rng.permutation(2 * depth)
            runs += [
                (f"s{system}", f"t{topic}", f"d{document}", rank)
                for rank, document in enumerate(order, start=1)
            ]
    return compile_rankings(pd.DataFrame(runs, columns=RUNS.columns), put_on_scale(_frame(qrels)))


def _frame(qrels) -> pd.DataFrame:
    return pd.DataFrame(qrels, columns=QRELS.columns)


def numbers(sentence: str) -> list[str]:
    return re.findall(r"\d\.\d+", sentence)


def rms(study: InformativenessStudy, view: str = "union") -> dict[str, float]:
    rows = study.curve_errors[study.curve_errors["curve"] == view]
    names = name_measures(study)
    return {names[row.measure]: row.rms for row in rows.itertuples()}


def test_names_are_short_as_long_as_they_tell_measures_apart():
    rankings = simulate(2, 2)
    measures = ["AP", "P@5", "P@7", "RBP(p=0.5)", "RBP(p=0.9)", "ERR-IA"]
    study = measure_informativeness(rankings, measures)
    assert list(name_measures(study).values()) == [
        *("AP", "P@5", "P@7", "RBP(p=0.5)@10", "RBP(p=0.9)@10", "ERR-IA"),
    ]
    assert list(name_measures(study)) == [str(each.target) for each in study.inferred]


def test_the_best_and_the_worst_have_the_numbers_of_the_table():
    study = measure_informativeness(simulate(8, 20), ["ERR", "P@2"])
    first, second, *_ = reach_verdict(study)
    errors, even = rms(study), study.curve_errors["uniform_rms"].iloc[0]
    assert first.startswith("ERR tells most about where the relevant documents stand (RMS ")
    assert numbers(first) == [f"{errors['ERR']:.3f}", f"{even:.3f}"]
    assert second == f"The largest error is that of P@2 (RMS {errors['P@2']:.3f})."


def test_equals_are_named_together():
    study = measure_informativeness(simulate(8, 20), ["ERR-IA", "P@2", "ERR"])
    first = reach_verdict(study)[0]
    assert first.startswith(
        "Read as relevance to any intent: ERR-IA and ERR tell most about where the relevant"
    )
    assert first.endswith("; over 20 topics, the lead of ERR-IA over ERR may be chance.")


def test_a_stricter_level_tells_less_apart():
    study = measure_informativeness(simulate(8, 20), ["ERR", "P@2"])
    assert reach_verdict(study, alpha=0.05)[0].startswith("ERR tells most about where")
    strict = reach_verdict(study, alpha=1e-12)[0]
    assert strict.endswith("; over 20 topics, the difference may be chance.")


def test_a_single_topic_tells_nothing_apart():
    study = measure_informativeness(simulate(4, 1), ["ERR", "P@2"])
    first, *rest = reach_verdict(study)
    assert first.startswith("No measure clearly tells more about where the relevant documents")
    assert first.endswith("; over 1 topic, the difference may be chance.")
    assert not any("largest error" in sentence or "order of" in sentence for sentence in rest)


def test_alike_measures_have_no_best():
    study = measure_informativeness(simulate(8, 20), ["ERR", "ERR-IA"])
    assert reach_verdict(study)[0].startswith(
        "Read as relevance to any intent: no measure clearly tells most"
    )
    predicted = "Each measure predicts the others' order of 8 runs with τ 1"
    assert reach_verdict(study)[1].startswith(predicted)


def _judge(errors: list[list[float]]) -> list[str]:
    """Return what is said of errors by topic (a row) and measure, that of their number last."""
    targets = [SimpleNamespace(target=SimpleNamespace(by_intent=False))] * 3
    given = {
        "name_measures": {"a": "A", "b": "B", "c": "C"},
        "_list_errors": (np.array(errors), np.arange(len(errors))),
        "_describe_means_over_intents": [],
        "_describe_inference": [],
        "_describe_statuses": "",
        "_describe_binary_forms": [],
    }
    with pytest.MonkeyPatch.context() as patched:
        for name, value in given.items():
            patched.setattr(verdict, name, lambda *_, value=value: value)
        return [one for one in reach_verdict(SimpleNamespace(inferred=targets)) if one]


def test_topics_that_are_all_alike_show_nothing_where_they_are_few():
    row = [0.1, 0.2, 0.3, 0.5]
    assert _judge([row] * 2)[0].startswith("No measure clearly tells more")
    assert _judge([row] * 12)[0].startswith("A tells most")


def test_behind_one_that_is_told_apart_none_is_said_to_tell_most():
    """C differs from A by much, but on few topics; B by less, on all."""
    wild = [[0.1, 0.2 + at % 3 / 1000, 0.1 + (at == 0) * 2.4, 1.0] for at in range(12)]
    said = _judge(wild)
    assert said == [
        "A tells most about where the relevant documents stand (RMS 0.100, 1.000 when only their "
        "number is known); over 12 topics, the lead of A over C may be chance."
    ]


def test_a_single_measure():
    first, *rest = reach_verdict(measure_informativeness(simulate(4, 10), ["ERR"]))
    assert first.startswith("ERR tells something about where the relevant documents stand (RMS ")
    assert len(rest) == 1


def test_predicting_is_compared_on_what_all_can_predict(simulated: Rankings):
    study = measure_informativeness(simulated, PAPER)
    verdict = reach_verdict(study)
    (said,) = (one for one in verdict if "predicted best" in one)
    rows = study.inference
    plain = [text for text in rows["measure"].unique() if "-" not in text and "NRBP" not in text]
    assert len(plain) == 5
    tau = rows[rows["measure"].isin(plain)].groupby("target")["tau"].mean()
    assert f"order of 30 runs is predicted best by {name_measures(study)[tau.idxmax()]}" in said
    assert [f"{tau.max():.3f}", f"{tau.min():.3f}"] == [
        one for one in numbers(said) if len(one) > 4
    ]
    (mean,) = (one for one in verdict if one.startswith("Read as the mean over intents"))
    view = rms(study, "mean")
    best = min(view, key=view.__getitem__)
    assert f"intents, {best} is nearest (RMS {view[best]:.3f}" in mean


def test_problems_are_counted():
    study = measure_informativeness(simulate(3, 5), ["AP", "ERR"])
    counts = study.problems["status"].value_counts()
    certain = counts.get("fixed", 0) + counts.get("vertex", 0)
    assert reach_verdict(study)[-1] == (
        f"In {certain} of 30 inference problems only one solution is possible; all the others are "
        "solved."
    )


def test_problems_without_a_solution_are_told():
    study = measure_informativeness(simulate(3, 5), ["AP", "ERR"])
    study.problems.loc[:1, "status"] = "unsolved"
    assert reach_verdict(study)[-1].endswith(
        "; 2 have no solution and are left out, each with its reason."
    )


def test_nothing_retrieved_is_relevant():
    qrels = _frame([("t1", "0", "d99", 1), ("t1", "0", "d1", 0)])
    study = measure_informativeness(compile_rankings(RUNS, put_on_scale(qrels)), ["AP", "ERR"])
    assert reach_verdict(study)[0].startswith("No curve can be predicted")


def test_the_measures_to_begin_with():
    assert suggest_measures(3) == PAPER
    assert suggest_measures(1) == PAPER[:5]
    assert suggest_measures(1, 3) == ("AP", "DCG", "ERR", "cRBP")


def test_graded_measures_say_that_they_are_taken_in_their_binary_form(dl19: Rankings):
    study = measure_informativeness(dl19, ["AP", "nDCG@10"], level=2)
    told = "nDCG is taken in its binary form: a document at level 2 or above gains 1, any other 0."
    assert reach_verdict(study)[-1] == told
    both = measure_informativeness(dl19, ["nDCG@10", "ERR", "P@5"])
    assert reach_verdict(both)[-1].startswith("nDCG and ERR are taken in their binary form: a doc")


def test_binary_judgements_have_no_other_form():
    study = measure_informativeness(simulate(3, 4), ["AP", "nDCG"])
    assert study.binarised == ()
    assert not any("binary form" in sentence for sentence in reach_verdict(study))


def test_graded_measures_are_said_to_be_taken_in_their_binary_form():
    told = reach_verdict(measure_informativeness(simulate(3, 4, level=2), ["nDCG@5", "ERR@5"]))
    (said,) = [one for one in told if "binary form" in one]
    assert said.startswith(
        "nDCG@5 and ERR@5 are taken in their binary form: a document at level 1 "
    )
    alone = reach_verdict(measure_informativeness(simulate(3, 4, level=2), ["AP", "nDCG@5"]))
    assert any(one.startswith("nDCG@5 is taken in its binary form") for one in alone)
    assert not any(
        "binary form" in one
        for one in reach_verdict(measure_informativeness(simulate(3, 4), ["nDCG@5"]))
    )


def test_a_measure_that_is_worse_than_the_number_alone_tells_nothing_most(
    monkeypatch: pytest.MonkeyPatch,
):
    """Its error differs from that of the number alone, but it is the larger one."""
    rng = np.random.default_rng(1)
    even = rng.uniform(0.1, 0.2, 20)
    errors = np.column_stack([even + 0.2 + rng.normal(0, 0.01, 20), even])
    study = SimpleNamespace(inferred=[SimpleNamespace(target=SimpleNamespace(by_intent=False))])

    def judge(found) -> list[str]:
        monkeypatch.setattr(verdict, "_list_errors", lambda _: (found, np.arange(20)))
        return _judge_curves(study, {"AP": "AP"}, str, ALPHA)

    (worse,) = judge(errors)
    assert worse.startswith("No measure clearly tells more about where")
    assert "may be chance" not in worse
    (better,) = judge(errors[:, ::-1])
    assert better.startswith("AP tells something about where")


def test_the_nearest_over_intents_is_told_as_what_was_seen():
    names = {"a": "A", "b": "B"}
    rows = pd.DataFrame(
        {"measure": ["a", "b"], "curve": "mean", "rms": [0.1, 0.2], "uniform_rms": 0.3}
    )
    (both,) = _describe_means_over_intents(SimpleNamespace(curve_errors=rows), names)
    assert "A is nearest (RMS 0.100" in both
    assert "whether this is due to chance is not tested; only measures by intent" in both
    (alone,) = _describe_means_over_intents(SimpleNamespace(curve_errors=rows[:1]), names)
    assert "A is the only one to be read so (RMS 0.100" in alone
    assert "nearest" not in alone


def test_counts_of_problems_are_whole_sentences():
    def say(*statuses: str) -> str:
        return _describe_statuses(SimpleNamespace(problems=pd.DataFrame({"status": statuses})))

    assert say("fixed", "vertex") == "In 2 of 2 inference problems only one solution is possible."
    assert say("fixed") == "In 1 of 1 inference problem only one solution is possible."
    assert say("fixed", "unsolved").endswith(
        "; 1 has no solution and is left out, each with its reason."
    )
