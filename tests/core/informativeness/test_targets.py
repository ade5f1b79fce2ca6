"""Which measures can be inferred from, and in which form."""

import numpy as np
import pytest

from core.errors import BadInput
from core.informativeness.choices import PAPER
from core.informativeness.families import AveragePrecision, CascadeFamily, Linear, Recursion
from core.informativeness.targets import name_known, read_target
from core.measures.catalogue import parse_measure
from tests.each import each


def test_the_nine_measures_of_the_paper():
    targets = [read_target(text) for text in PAPER]
    kinds = [type(target.family) for target in targets]
    assert (
        kinds
        == [AveragePrecision, Linear, Linear, CascadeFamily, CascadeFamily, AveragePrecision]
        + [CascadeFamily] * 3
    )
    assert [target.by_intent for target in targets] == [False] * 5 + [True] * 4
    assert [target.shared for target in targets] == [True, *[False] * 4, True, *[False] * 3]
    assert str(targets[-2]) == "NRBP(norm='none')@10"


def test_what_is_known_is_told_apart_by_intent():
    for names, by_intent in zip(name_known(), (False, True), strict=True):
        assert names
        assert {read_target(f"{name}@5").by_intent for name in names} == {by_intent}


def test_cascade_measures_take_the_paper_form_and_constants():
    nrbp = read_target("NRBP", 3).family
    assert isinstance(nrbp, CascadeFamily)
    assert nrbp.discount == pytest.approx((1, 0.8, 0.64))
    assert nrbp.alpha == 0.5
    # A measure that comes ready made keeps the patience it has in its own norm.
    assert read_target(parse_measure("NRBP"), 3).family.discount == pytest.approx((1, 0.5, 0.25))
    assert str(read_target(parse_measure("NRBP"), 3)) == "NRBP(norm='none', beta=0.5)@3"
    plain = read_target("alpha-DCG(intents='any')")
    assert not plain.by_intent
    assert read_target(parse_measure("ERR"), 3).family.alpha == 0.5


def test_a_cutoff_before_the_depth_is_kept():
    assert read_target("AP@2", 4).family.discount == (1, 0.5, 0, 0)
    assert str(read_target("AP@2", 4)) == "AP@2"
    assert str(read_target("AP", 4)) == "AP@4"


def test_recursion_changes_cascades_only():
    assert isinstance(read_target("ERR-IA", recursion="paper").family, Recursion)
    assert type(read_target("AP-IA", recursion="paper").family) is AveragePrecision


def test_the_level_is_one_for_all():
    assert str(read_target("AP", level=2)) == "AP(rel=2)@10"
    assert str(read_target("DCG", level=2)) == "DCG@10"


def test_a_normalised_gain_is_a_share_of_the_best_order():
    target = read_target("nDCG", 3)
    assert isinstance(target.family, Linear)
    assert (str(target), target.normalised) == ("nDCG@3", True)
    best = 1 + 1 / np.log2(3)
    found = target.weights(np.array([1.0, 0.5, 1.0]), np.array([1, 2, 9]))
    assert found == pytest.approx([1, 0.5 / best, 1 / (best + 0.5)])
    cut = read_target("nCG@2", 5).weights(np.ones(2), np.array([1, 4]))
    assert cut.tolist() == [1, 0.5]


@each(
    ("text", "options", "message"),
    [
        ("bpref", {}, "expected value of bpref is not known; choose among AP, P, CG"),
        ("nDCG(gain='exp', discount='log')@11", {}, "looks beyond rank 10"),
        ("nDCG(gain='udm')", {}, "binary"),
        ("P@11", {}, "looks beyond rank 10"),
        ("AP(rel=2)", {}, "one level for all"),
        ("DCG(gain='udm')", {}, "binary"),
        ("ERR(gmax=3)", {}, "binary"),
        ("AP", {"depth": 1}, "depth is a rank from 2 to 50"),
        ("AP", {"depth": 51}, "depth is a rank from 2 to 50"),
        ("AP", {"recursion": "printed"}, "choose exact or paper"),
    ],
)
def test_what_cannot_be_inferred_from_is_refused(text, options, message):
    with pytest.raises(BadInput, match=message):
        read_target(text, **options)
