import numpy as np
import pytest

from core.clicks.cells import BLOCK
from core.clicks.click_model import parse_click_model
from core.clicks.fitting import MAXIMUM_LIKELIHOOD, PYCLICK, Prior, fit
from core.clicks.prediction import click_probabilities, set_parameters
from core.errors import BadInput, TooLittleData
from tests.core.clicks.worlds import LEVELS, draw_log, make_log, set_world
from tests.each import each

TWO = np.array([[0, 1], [1, 0], [0, 1], [1, 0]])
CLICKS = np.array([[1, 0], [1, 1], [1, 0], [0, 0]])


def test_rates_are_shares():
    log = make_log(TWO, CLICKS)
    found = {
        text: fit(parse_click_model(text), log, prior=MAXIMUM_LIKELIHOOD, levels=LEVELS)
        for text in ("CTR", "rank-CTR", "document-CTR", "level-CTR", "level-rank-CTR")
    }
    rates = {text: one.parameters["rate"] for text, one in found.items()}
    assert rates["CTR"] == pytest.approx([0.5])
    assert rates["rank-CTR"] == pytest.approx([0.75, 0.25])
    assert rates["document-CTR"][:2] == pytest.approx([0.75, 0.25])
    assert rates["level-CTR"] == pytest.approx([0.75, 0.25, 0.5, 0.5])
    assert rates["level-rank-CTR"][:2] == pytest.approx(np.array([[1, 0.5], [0.5, 0]]), abs=1e-5)
    assert all(one.converged and one.steps == 1 for one in found.values())


def test_without_levels_there_is_no_rate_by_level():
    with pytest.raises(BadInput, match="needs judgements"):
        fit(parse_click_model("level-CTR"), make_log(TWO, CLICKS))


def test_a_prior_of_one_half():
    found = fit(parse_click_model("rank-CTR"), make_log(TWO, CLICKS), prior=PYCLICK)
    assert found.parameters["rate"] == pytest.approx([4 / 6, 2 / 6])


def test_the_prior_of_documents_is_what_holds_for_all():
    log = draw_log("DBN", 500)
    found = fit(parse_click_model("document-CTR"), log)
    assert found.means["rate"] == pytest.approx(log.clicked[log.shown].mean(), abs=0.01)
    once = fit(parse_click_model("DBN"), log, steps=1)
    assert once.means["continuation"] == 0.5
    assert once.means["attractiveness"] != 0.5
    assert not once.converged


@each("wrong", [(0.0, 2.0, 0.2), (1.0, 2.0, 0.2), (None, -1.0, 0.2)])
def test_a_prior_that_cannot_be(wrong):
    with pytest.raises(BadInput, match="a prior needs"):
        Prior(*wrong)


def test_a_log_without_pages():
    log = make_log(TWO, CLICKS).select(np.zeros(4, dtype=bool))
    with pytest.raises(TooLittleData, match="has no page"):
        fit(parse_click_model("PBM"), log)


def test_blocks_of_a_large_log_are_counted_together():
    log = make_log(TWO, CLICKS)
    pages = np.arange(2 * BLOCK + 8) % 4
    for text in ("PBM", "document-CTR"):
        evidence = parse_click_model(text).on(6, 2).read(log.select(pages))
        once = parse_click_model(text).on(6, 2).read(log)
        assert evidence.cell.tolist() == once.cell.tolist()
        assert (evidence.shown == once.shown * len(pages) // 4).all()
        assert (evidence.clicked == once.clicked * len(pages) // 4).all()


@each(
    ("parameters", "message"),
    [
        ({"attractiveness": [0.5] * 6}, "their shapes are: attractiveness"),
        ({"attractiveness": [0.5] * 6, "examination": [0.5]}, "their shapes are"),
        ({"attractiveness": [1.5] * 6, "examination": [0.5] * 4}, "must be in"),
    ],
)
def test_parameters_that_do_not_fit(parameters, message: str):
    with pytest.raises(BadInput, match=message):
        set_parameters(parse_click_model("PBM"), 6, 4, parameters)


@each(("item", "message"), [([[0, 1, 2, 3, 4]], "lists of 5 results"), ([[0, 6]], "does not know")])
def test_lists_that_do_not_fit(item, message: str):
    with pytest.raises(BadInput, match=message):
        click_probabilities(set_world("PBM"), np.array(item))
