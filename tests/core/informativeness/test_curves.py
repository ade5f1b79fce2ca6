"""The tabulated curves themselves: where they lead, and where they break off."""

import numpy as np

from core.informativeness.curves import tabulate_curves
from core.informativeness.stationary import IntentRows
from core.informativeness.targets import read_target
from tests.each import each
from tests.short import long


@long
@each("text", ["AP", "DCG", "ERR", "cRBP", "alpha-DCG"])
def test_curves_of_the_paper_are_whole_and_rise(text: str):
    curves = tabulate_curves(read_target(text).family)
    assert (curves.first == 0).all()
    assert (curves.last == curves.value.shape[1] - 1).all()
    assert (np.diff(curves.value, axis=1) >= -1e-12).all()
    assert (curves.bounds[0] <= curves.value.min(axis=1) + 1e-12).all()
    assert (curves.bounds[1] >= curves.value.max(axis=1) - 1e-12).all()


@each("text", ["AP", "ERR", "DCG"])
def test_between_nodes_the_condition_nearly_holds(text: str):
    family, rret = read_target(text).family, np.arange(1, 10)
    curves = tabulate_curves(family)
    t = np.linspace(-4.03, 4.07, 9)
    rows = IntentRows(family, rret, np.sinh(t), curves.logits_at(rret, t))
    assert rows.error.max() < 1e-3
    assert np.abs(rows.surplus).max() < 1e-3
    value, slope = curves.values_at(rret, t)
    np.testing.assert_allclose(value, rows.value, rtol=0, atol=1e-4)
    ahead, behind = (curves.values_at(rret, t + step)[0] for step in (1e-6, -1e-6))
    np.testing.assert_allclose(slope, (ahead - behind) / 2e-6, rtol=0, atol=1e-6)


def test_a_curve_that_breaks_off_says_where():
    curves = tabulate_curves(read_target("cRBP(beta=0.99)").family)
    assert (curves.last[:5] < curves.value.shape[1] - 1).all()
    assert np.isnan(curves.value[0, curves.last[0] + 1 :]).all()
    assert np.isfinite(curves.bounds[1]).all()


def test_the_lowest_value_is_unknown_where_the_way_down_breaks_off():
    curves = tabulate_curves(read_target("alpha-DCG(alpha=1)", 6).family)
    broken = curves.first > 0
    assert broken.any()
    assert (np.isinf(curves.bounds[0]) == broken).all()


def test_curves_are_kept():
    family = read_target("ERR", 4).family
    assert tabulate_curves(family) is tabulate_curves(family)
