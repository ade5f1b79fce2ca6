import numpy as np
import pytest

from core.clicks import limits
from core.clicks.click_model import parse_click_model
from core.clicks.fitting import cannot_tell, fit
from core.clicks.limits import FEW, HELD, parameter_limits
from tests.core.clicks.worlds import EVERY, LEVELS, draw_log, make_log, set_world
from tests.each import each
from tests.short import long


def fit_to(text, log, **chosen):
    return fit(parse_click_model(text), log, levels=LEVELS, **chosen)


@long
@each("text", EVERY)
def test_limits_hold_the_estimate_and_are_probabilities(text: str):
    log = draw_log("UBM", 600)
    table = parameter_limits(fit_to(text, log), log, draws=100)
    known = table[table["reason"] == ""]
    assert known.empty == text.endswith("(free)")
    assert (known["low"] < known["high"]).all()
    assert ((known["low"] <= known["value"]) & (known["value"] <= known["high"])).all()
    assert known[["low", "high"]].stack().between(0, 1).all()
    assert table.loc[table["reason"] != "", ["low", "high"]].isna().all(axis=None)
    assert (table["n"] == 300).all()


def test_what_they_belong_to():
    log = draw_log("UBM", 200)
    table = parameter_limits(fit_to("UBM", log), log, draws=20)
    assert table["item"].tolist() == [*log.items, *[""] * 10]
    assert table["query"].tolist() == ["q"] * 6 + [""] * 10
    assert table["rank"].tolist() == [0] * 6 + [1, 2, 2, 3, 3, 3, 4, 4, 4, 4]
    assert table["previous"].tolist() == [0] * 6 + [0, 0, 1, 0, 1, 2, 0, 1, 2, 3]
    assert table["reason"][6] == HELD
    of_levels = parameter_limits(fit_to("level-rank-CTR", log), log, draws=20)
    assert of_levels["level"].tolist()[:12] == [0] * 4 + [1] * 4 + [2] * 4
    assert of_levels["level"][12:].isna().all()


def test_draws_in_parts_are_draws(monkeypatch):
    log = draw_log("PBM", 600)
    found = fit_to("PBM", log)
    whole = parameter_limits(found, log, draws=300)
    monkeypatch.setattr(limits, "CELLS", 1_000)
    parts = parameter_limits(found, log, draws=300)
    assert parts[["low", "high"]].to_numpy() == pytest.approx(
        whole[["low", "high"]].to_numpy(), abs=0.06, nan_ok=True
    )


def test_a_document_that_had_no_click_leaves_room_for_some():
    log = make_log(np.tile([0, 1], (40, 1)), np.tile([1, 0], (40, 1)))
    table = parameter_limits(fit_to("document-CTR", log), log).iloc[:2]
    assert table["low"][1] == pytest.approx(0, abs=1e-3)
    assert table["high"][1] > 0.05
    assert table["low"][0] < 0.95


def test_one_session():
    log = make_log(np.tile([0, 1], (5, 1)), np.tile([1, 0], (5, 1)), session=[0] * 5)
    table = parameter_limits(fit_to("rank-CTR", log), log, draws=10)
    assert table["reason"].tolist() == [FEW] * 2


def say(text, item, clicked):
    log = make_log(np.array(item), np.array(clicked))
    found = fit_to(text, log)
    return [one.what for one in cannot_tell(found, log)], found


def test_documents_that_nothing_links_to_the_first_rank():
    """Documents 2 and 3 stand on ranks 3 and 4 alone, 0 and 1 on ranks 1 and 2 alone."""
    item = [[0, 1, 2, 3], [1, 0, 3, 2]] * 20
    told, _ = say("PBM", item, [[1, 1, 1, 0], [1, 0, 1, 1]] * 20)
    apart = "no clicked document links it to the first rank"
    assert told[0].startswith("2 of 6 documents whose attractiveness cannot be told: no clicked")
    assert told[1] == "2 of 6 documents whose attractiveness cannot be told: never shown so"
    assert told[2].startswith("2 of 4 places whose examination cannot be told: " + apart)
    assert len(told) == 3


def test_documents_seen_at_one_rank_or_never_clicked():
    item = [[0, 1, 2], [1, 0, 2]] * 20
    told, _ = say("UBM", item, [[1, 1, 0], [1, 0, 0]] * 20)
    assert any(one.startswith("1 of 3 documents were seen at one rank only") for one in told)
    assert any(one.startswith("1 of 3 documents were never clicked") for one in told)


def test_a_scale_that_is_free():
    told, _ = say("PBM(free)", [[0, 1], [1, 0]] * 20, [[1, 1], [1, 0]] * 20)
    assert "up to a common factor" in told[0]


def test_satisfaction_without_clicks_above_others():
    item, clicked = [[0, 1, 2], [0, 2, 1]] * 20, [[1, 0, 0], [0, 0, 1]] * 20
    told, _ = say("DBN", item, clicked)
    assert any(one.startswith("5 of 6 documents whose satisfaction cannot be") for one in told)
    assert any(one.startswith("1 of 3 documents were never clicked") for one in told)
    told, _ = say("DCM", item, clicked)
    assert "2 of 3 ranks whose continuation cannot be told: never clicked with a" in " ".join(told)
    told, _ = say("SDBN", [[0, 1, 2]] * 20, [[1, 0, 0]] * 20)
    assert any(one.startswith("2 of 3 documents stood always below the last click") for one in told)


def test_no_clicks_at_all():
    told, found = say("DBN", [[0, 1], [1, 0]] * 5, [[0, 0]] * 10)
    assert told[0] == "No page has a click: estimates are the prior's"
    assert any("nobody was seen to go on" in one for one in told)
    assert np.isfinite(found.log_likelihood)


def test_all_can_be_told_of_a_rate():
    told, _ = say("CTR", [[0, 1]], [[1, 0]])
    assert told == []


def test_estimates_that_still_move():
    log = draw_log("PBM", 100)
    moving = fit_to("PBM", log, steps=2)
    assert cannot_tell(moving, log)[-1].what.startswith("After 2 steps estimates still move")


@long
@each("text", ["PBM", "UBM", "DCM", "DBN"])
def test_parameters_are_recovered_within_three_standard_errors(text: str):
    world, log = set_world(text), draw_log(text, 1_500, seed=5)
    table = parameter_limits(fit_to(text, log), log, draws=60)
    known = table[table["reason"] == ""]
    true = known.apply(lambda row: find_truth(world, row), axis=1)
    errors = (known["high"] - known["low"]) / (2 * 1.96)
    apart = (known["value"] - true).abs() / errors
    assert len(known) >= {"PBM": 9, "UBM": 15, "DCM": 9, "DBN": 13}[text]
    assert apart.max() < 3


def find_truth(world, row):
    values = world.parameters[row["parameter"]]
    if row["item"]:
        return values[int(row["item"][1:])]
    at = (row["rank"] - 1, row["previous"]) if values.ndim == 2 else max(row["rank"] - 1, 0)
    return values[at]
