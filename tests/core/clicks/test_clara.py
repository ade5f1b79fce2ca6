"""Real clicks: half of CLARA2 beta. They stay where they are; without them these are skipped."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from core.clicks.click_lift import Worths, click_lift
from core.clicks.click_log import ClickLog
from core.clicks.click_model import parse_click_model
from core.clicks.click_rates import attractiveness_by_level, rates_by_level, rates_by_rank
from core.clicks.contradictions import find_contradictions, middle_level
from core.clicks.evaluation import compare_held_out
from core.clicks.fitting import PYCLICK, cannot_tell, fit
from core.clicks.label_prediction import predict_levels
from core.clicks.limits import parameter_limits
from core.clicks.preference_rule import PREFERENCE_RULES
from tests.short import long

MODELS = ["CTR", "level-rank-CTR", "PBM", "UBM"]
OTHERS = ["document-CTR", "cascade", "DCM", "SDBN", "DBN"]
"""Tried in the long form: those that go down lists take their time."""


@pytest.fixture(scope="module")
def clara(shared_data: Path) -> tuple[ClickLog, np.ndarray]:
    """The log, and the grade of each item."""
    folder = shared_data / "clicks"
    if not folder.is_dir():
        pytest.skip("the click log is not beside this checkout")
    queries, items, sessions, pages = {}, {}, {}, []
    with gzip.open(folder / "log.tsv.gz", "rt") as opened:
        lines = opened.read().splitlines()
    for line in lines:
        name, _, kind, *rest = line.split("\t")
        session = sessions.setdefault(name, len(sessions))
        if kind == "Q":
            query, _, *shown = rest
            item = [items.setdefault((query, one), len(items)) for one in shown]
            pages.append((session, queries.setdefault(query, len(queries)), shown, item, set()))
            continue
        for page in reversed(pages):
            if page[0] != session or rest[0] in page[2]:
                page[4].add(rest[0])
                break
    grades = {}
    with gzip.open(folder / "grades.tsv.gz", "rt") as lines:
        for line in list(lines)[1:]:
            query, document, grade = line.split("\t")
            grades[query, document] = float(grade)
    session, query, shown, item, clicked = zip(*pages, strict=True)
    log = ClickLog(
        tuple(queries),
        tuple(document for _, document in items),
        np.array(session),
        np.array(query),
        np.array(item, dtype=np.int32),
        np.array([[one in own for one in page] for page, own in zip(shown, clicked, strict=True)]),
    )
    return log, np.array([grades.get(one, np.nan) for one in items])


def compare(clara, models, **chosen):
    log, levels = clara
    parsed = [parse_click_model(text) for text in models]
    baseline = parse_click_model("rank-CTR")
    found = compare_held_out(parsed, log, baseline, levels=levels, folds=2, draws=200, **chosen)
    return found.frame.set_index("model"), found.answer


@long
@pytest.mark.timeout(600)
def test_what_predicts_clicks_better_than_rank_alone(clara, long_form: bool):
    frame, answer = compare(clara, MODELS + OTHERS * long_form)
    better = set(frame.index[frame["difference_high"] < 0])
    assert {"PBM", "UBM", "level-rank-CTR", *["DBN"] * long_form} <= better
    assert "CTR" not in better
    assert answer.startswith(("PBM", "UBM", "DBN"))
    assert frame["perplexity"].between(1.10, 1.17).all()


@long
def test_a_prior_that_knows_nothing_of_all_documents_costs_much(clara):
    """Most documents of a session are new: half of them are not attractive."""
    frame, _ = compare(clara, ["DCM"], prior=PYCLICK)
    assert frame.loc["DCM", "difference_low"] > 0


@long
def test_examination_falls_with_rank(clara):
    log, _ = clara
    found = fit(parse_click_model("PBM"), log)
    assert found.converged
    assert found.parameters["examination"][:6] == pytest.approx(
        [1, 0.55, 0.25, 0.14, 0.083, 0.039], abs=0.02
    )
    table = parameter_limits(found, log, draws=10, steps=10)
    known = table[(table["parameter"] == "examination") & (table["reason"] == "")]
    assert len(known) == 9
    told = " ".join(one.what for one in cannot_tell(found, log))
    assert "15,013 of 20,288 documents were seen at one rank only" in told
    assert "18,392 of 20,288 documents were never clicked" in told


def test_rates_by_rank_and_by_grade(clara):
    log, levels = clara
    by_rank = rates_by_rank(log)
    assert by_rank["value"].iloc[[0, 1, 9]].tolist() == pytest.approx(
        [0.1556, 0.0602, 0.0028], abs=1e-4
    )
    by_level = rates_by_level(log, levels).set_index("level")
    assert by_level.loc[[2, 3, 4, 5], "value"].tolist() == pytest.approx(
        [0.0061, 0.0317, 0.0717, 0.1865], abs=1e-4
    )
    assert (by_level.loc[2:4, "high"].to_numpy() < by_level.loc[3:5, "low"].to_numpy()).all()


def test_every_rule_has_lift_over_position(clara):
    log, levels = clara
    rules = [entry() for entry in PREFERENCE_RULES]
    found = click_lift(rules, log, Worths(levels)).set_index("rule")
    assert (found["low"] > 1).all()
    above = found.loc["click-skip-above"]
    assert above["pairs"] == 2472
    assert (above["agree"], above["expected"]) == pytest.approx((0.366, 0.184), abs=1e-3)
    assert (above["low"], above["high"]) == pytest.approx((1.853, 2.129), abs=0.01)


def test_the_best_grade_is_the_most_attractive(clara):
    log, levels = clara
    found = attractiveness_by_level(parse_click_model("PBM"), log, levels, draws=50)
    found = found.set_index("level")
    assert found.loc[5, "low"] > found.loc[[2, 3, 4], "high"].max()
    assert found.loc[2, "high"] < found.loc[[3, 4], "low"].min()


@long
def test_contradictions_are_few_beside_what_was_judged(clara):
    log, levels = clara
    fitted = fit(parse_click_model("PBM"), log)
    found = find_contradictions(fitted, log, levels, middle_level(levels))
    assert found.cut == 3
    assert found.compared == 20_256
    assert found.low_mean < 0.1 < found.high_mean
    assert 20 < (found.frame["false_share"] < 0.05).sum() < 60


@long
def test_clicks_add_little_to_rank(clara):
    log, levels = clara
    attractive = fit(parse_click_model("PBM"), log).parameters["attractiveness"]
    found = predict_levels(log, levels, {"attractiveness": attractive}).set_index("predictor")
    assert found.loc["rank", "value"] == pytest.approx(0.792, abs=0.002)
    assert 0 < found.loc["rank and attractiveness", "difference_low"] < 0.01
