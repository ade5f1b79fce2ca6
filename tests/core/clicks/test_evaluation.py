import numpy as np
import pandas as pd
import pytest

from core.clicks.choices import USUAL
from core.clicks.click_model import CLICK_MODELS, parse_click_model
from core.clicks.evaluation import _answer, compare_held_out, evaluate
from core.clicks.fitting import fit
from core.clicks.prediction import set_parameters
from core.errors import BadInput, TooLittleData
from tests.core.clicks import plain
from tests.core.clicks.worlds import draw_log, make_log
from tests.each import each

RANK_CTR = parse_click_model("rank-CTR")


def test_the_usual_models_are_there():
    assert set(USUAL) < set(CLICK_MODELS.names())


def test_perplexity_is_two_to_the_mean_surprise():
    world = set_parameters(RANK_CTR, 6, 3, {"rate": [0.5, 0.25, 0.9]})
    log = make_log(np.array([[0, 1, -1], [1, 0, -1]]), np.array([[1, 0, 0], [0, 0, 0]]))
    found = evaluate(world, log)
    assert found.perplexity_by_rank[:2] == pytest.approx([2, 1 / 0.75])
    assert np.isnan(found.perplexity_by_rank[2])
    assert found.perplexity == found.conditional == pytest.approx((2 + 1 / 0.75) / 2)
    assert found.log_likelihood == pytest.approx(2 * np.log(0.5) + 2 * np.log(0.75))
    assert found.pages == 2


def test_perplexity_given_the_clicks_above_is_as_in_plain_python():
    learnt, new = draw_log("SDBN", 300), draw_log("SDBN", 300, seed=1)
    found = fit(parse_click_model("SDBN"), learnt)
    bits, pages = np.zeros(4), np.zeros(4)
    for page in plain.pages_of(new):
        chance = plain.predict(
            page,
            lambda item: found.parameters["attractiveness"][item],
            lambda rank, item: found.parameters["satisfaction"][item],
        )
        bits[: len(page)] -= np.log2(chance)
        pages[: len(page)] += 1
    told = evaluate(found, new)
    assert told.conditional_by_rank == pytest.approx(2 ** (bits / pages))
    assert told.conditional == pytest.approx((2 ** (bits / pages)).mean())


def test_an_empty_log_cannot_be_predicted():
    log = draw_log("PBM", 10)
    with pytest.raises(TooLittleData, match="no page of results"):
        evaluate(fit(RANK_CTR, log), log.select(np.zeros(10, dtype=bool)))


def test_held_out_sessions():
    log = draw_log("PBM", 1_500)
    models = [parse_click_model(text) for text in ("PBM", "CTR", "PBM")]
    found = compare_held_out(models, log, RANK_CTR, draws=200)
    frame = found.frame.set_index("model")
    assert frame.index.tolist() == ["rank-CTR", "PBM", "CTR"]
    assert frame.loc["PBM", "difference_high"] < 0 < frame.loc["CTR", "difference_low"]
    assert frame.loc["PBM", "difference"] == pytest.approx(
        frame.loc["PBM", "perplexity"] - frame.loc["rank-CTR", "perplexity"]
    )
    assert np.isnan(frame.loc["rank-CTR", "difference_low"])
    assert (frame["low"] < frame["perplexity"]).all()
    assert (frame["perplexity"] < frame["high"]).all()
    assert frame["n"].unique().tolist() == [750]
    assert found.answer.startswith("PBM predicts the clicks of other sessions best: its perplex")
    of_pbm = found.by_rank[found.by_rank["model"] == "PBM"]
    assert of_pbm["perplexity"].mean() == pytest.approx(frame.loc["PBM", "perplexity"])
    again = compare_held_out(models, log, RANK_CTR, draws=200)
    assert again.frame.equals(found.frame)


def test_it_is_said_where_no_model_is_better():
    log = draw_log("CTR", 400)
    found = compare_held_out([parse_click_model("PBM")], log, RANK_CTR, draws=100)
    assert found.answer == (
        "No model is shown to predict the clicks of other sessions better than rank-CTR does."
    )


def test_a_model_is_best_only_beside_those_that_are_shown_to_be_worse():
    """Whose perplexity is lowest by chance is not called best; one model alone is none, either."""
    log = draw_log("PBM", 1_500)
    alone = compare_held_out([parse_click_model("PBM")], log, RANK_CTR, draws=200).answer
    assert alone.startswith("PBM predicts the clicks of other sessions better than rank-CTR: its")
    models = [parse_click_model(text) for text in ("PBM", "UBM", "CTR")]
    several = compare_held_out(models, log, RANK_CTR, draws=400)
    first, second = several.frame.sort_values("perplexity")["model"].iloc[:2]
    assert {first, second} == {"PBM", "UBM"}
    assert several.answer.startswith(f"{first} predicts the clicks of other sessions better than")
    assert several.answer.endswith(f"; {second} is not shown to predict worse.")


def test_limits_of_the_best_allow_for_how_many_were_tried():
    """Drawn differences of which 1.5 % lie above 0 are shown of one model, not of ten."""
    rng = np.random.default_rng(1)
    base = np.full(4_001, 2.0)
    better = base - 1 + rng.normal(0, 1 / 2.17, 4_001)
    names = ["a", *(f"b{one}" for one in range(9))]
    drawn = {"rank-CTR": base, "a": better} | dict.fromkeys(names[1:], base + 1)
    rows = [
        {"model": name, "perplexity": one.mean(), "difference": one.mean() - 2,
         "difference_low": -2.0, "difference_high": -0.1, "n": 100}
        for name, one in drawn.items()
    ]  # fmt: skip
    frame = pd.DataFrame(rows)
    assert _answer(frame[:2], "rank-CTR", drawn).startswith("a predicts")
    assert _answer(frame, "rank-CTR", drawn).startswith("No model is shown to predict")
    near = frame[:2].assign(difference_low=-0.00007, difference_high=-0.00005)
    told = _answer(near, "rank-CTR", drawn)
    assert told.endswith(" below that of rank-CTR [0.000050, 0.000070], over 100 sessions.")


@each(("clicked", "what"), [(0, "No result was clicked"), (1, "All results were clicked")])
def test_where_clicks_are_all_alike_no_model_is_better(clicked: int, what: str):
    """All that tells models apart is what they take for granted: every draw has one sign."""
    item = draw_log("PBM", 100).item
    log = make_log(item, np.full(item.shape, clicked) * (item >= 0), np.arange(100))
    found = compare_held_out([parse_click_model("PBM")], log, RANK_CTR, draws=100)
    assert found.frame["difference_high"].iloc[1] < 0
    assert found.answer.startswith(f"{what}, so that models differ by what they take for granted")


def test_of_few_sessions_no_model_is_called_better():
    """Where rank is all that counts, .095 of logs of five sessions had another model better."""
    item = np.tile([[0, 1], [1, 0]], (5, 1))
    log = make_log(item, item == 0, np.arange(10))
    found = compare_held_out([parse_click_model("PBM")], log, RANK_CTR, draws=100)
    assert found.answer.startswith("PBM predicts the clicks of other sessions better")
    few = compare_held_out([parse_click_model("PBM")], log.select(log.session < 9), RANK_CTR)
    assert few.answer == (
        "Of 9 sessions it is not told which model predicts better: with fewer than 10, limits hold "
        "too seldom."
    )


def test_one_model_is_set_against_nothing():
    found = compare_held_out([RANK_CTR], draw_log("PBM", 100), RANK_CTR, draws=10)
    assert found.answer == "No model is set against rank-CTR."


def test_too_few_to_hold_out():
    log = draw_log("PBM", 6)
    with pytest.raises(TooLittleData, match="3 sessions cannot be dealt into 5 folds"):
        compare_held_out([], log, RANK_CTR)
    with pytest.raises(TooLittleData, match="1 session cannot be dealt into 5 folds"):
        compare_held_out([], log.select(log.session < 1), RANK_CTR)
    with pytest.raises(BadInput, match="at least two folds"):
        compare_held_out([], log, RANK_CTR, folds=1)
