import numpy as np
import pytest

from core.disagreement.consistency import estimate_consistency
from core.disagreement.repeated_labels import code_repeated_labels
from core.errors import BadInput, TooLittleData
from tests.short import long


def estimate(labels, top=2, levels=(0, 1, 2), weighting="pairs", samples=50, seed=1):
    coded = code_repeated_labels(labels, "page", levels)
    rng = np.random.default_rng(seed)
    return estimate_consistency(coded, top, weighting, samples=samples, rng=rng)


@pytest.fixture(scope="session")
def repeated(make_labels):
    """Return a function from {(document, assessor): levels by occasion} to labels."""

    def build(given):
        rows = [
            ("t", document, name, level)
            for (document, name), levels in given.items()
            for level in levels
        ]
        occasions = [at for levels in given.values() for at in range(len(levels))]
        return make_labels(rows).assign(occasion=occasions)

    return build


FIRM = {
    ("d", "a"): (2, 2),
    ("d", "b"): (1,),
    ("d", "c"): (2,),
    ("e", "a"): (1, 1, 1),
    ("e", "b"): (2, 2),
    ("f", "a"): (2,),
    ("f", "b"): (2,),
}


def test_firm_assessors_agree_with_themselves_whatever_others_say(repeated):
    found = estimate(repeated(FIRM))
    assert (found.items, found.repeated) == (2, 3)
    table = found.summary()
    assert " ".join(table.columns) == "within level mean sd reason"
    table = table.set_index(["within", "level"])
    assert table.loc[("self", 2), ["mean", "sd"]].tolist() == [1, 0]
    assert table.loc[("self", 1), ["mean", "sd"]].tolist() == [0, 0]
    # Items somebody repeated: d has 2 1 2 and e 1 2, so 2 meets 1 2 1 2 1 and 1 meets 2 2 2.
    assert table.loc[("cross", 2), ["mean", "sd"]].tolist() == pytest.approx([0.4, 0])
    assert table.loc[("cross", 1), ["mean", "sd"]].tolist() == [1, 0]
    assert np.isnan(table.loc[("cross", 0), "mean"])
    assert table.loc[("cross", 0), "reason"] == table.loc[("self", 0), "reason"] != ""


def test_an_item_may_weigh_as_one_double_judgement(repeated):
    table = estimate(repeated(FIRM), weighting="item").summary().set_index(["within", "level"])
    # In d each ordered pair weighs 1/3, in e 1.
    assert table.loc[("cross", 2), "mean"] == pytest.approx((2 / 3) / (4 / 3 + 1))


def test_a_label_is_never_compared_with_itself(repeated):
    found = estimate(repeated({("d", "a"): (2, 0), ("e", "b"): (2, 1, 0)}), samples=400)
    table = found.summary().set_index(["within", "level"])
    assert table.loc[("self", 2), "mean"] == 0
    # When b's label below the top is drawn, half of b's other ones are top; a's other one always.
    assert table.loc[("self", 1), "mean"] == pytest.approx(0.5, abs=0.1)
    assert found.samples["cross"].shape == (400, 3)
    assert np.isnan(found.samples["cross"]).all()


def test_samples_spread_as_an_assessor_wavers(repeated):
    wavering = {("d", "a"): (2, 0), ("d", "b"): (2,), ("e", "b"): (1, 1), ("e", "a"): (2,)}
    table = estimate(repeated(wavering), samples=2000).summary().set_index(["within", "level"])
    # a's label on d is 2 in half of the samples: 2 then meets 2 2 1, otherwise 0 1.
    assert table.loc[("cross", 2), "mean"] == pytest.approx((2 / 3 + 0) / 2, abs=0.02)
    assert table.loc[("cross", 2), "sd"] == pytest.approx(1 / 3, abs=0.01)


def test_histograms_hold_every_sample_once(repeated):
    wavering = {("d", "a"): (2, 0), ("d", "b"): (2,), ("e", "b"): (1, 1), ("e", "a"): (2,)}
    found = estimate(repeated(wavering), samples=300)
    bins = found.histogram(0.1)
    assert " ".join(bins.columns) == "within level low high share"
    totals = bins.groupby(["within", "level"])["share"].sum()
    assert totals.tolist() == pytest.approx([1] * len(totals))
    own = bins[(bins["within"] == "cross") & (bins["level"] == 2)]
    assert own["low"].tolist() == pytest.approx([0, 0.6])
    always = bins[(bins["within"] == "cross") & (bins["level"] == 1)]
    assert always[["low", "high", "share"]].to_numpy().tolist() == [[pytest.approx(0.9), 1, 1]]
    for width in (0, 1.1, float("nan")):
        with pytest.raises(BadInput, match="field 'width'"):
            found.histogram(width)


@long
def test_rf10_self_and_cross(rf10_labels):
    crowd = rf10_labels[rf10_labels["assessor_id"] != "gold"]
    coded = code_repeated_labels(crowd, "page")
    found = estimate_consistency(coded, 2, rng=np.random.default_rng(1))
    assert found.repeated == 1314
    table = found.summary().set_index(["within", "level"])
    assert table.loc[("self", 2), "mean"] == pytest.approx(0.72, abs=0.005)
    assert table.loc[("cross", 2), "mean"] == pytest.approx(0.34, abs=0.005)
    # Fig. 3: the levels stay apart despite the spread that inconsistency brings.
    cross = table.loc["cross"]
    assert (np.diff(cross["mean"]) > 5 * cross["sd"].max()).all()
    assert (
        found.histogram().groupby(["within", "level"])["share"].sum().tolist()
        == [pytest.approx(1)] * 6
    )


def test_what_does_not_fit_is_refused(repeated, make_labels):
    labels = repeated(FIRM)
    with pytest.raises(BadInput, match="'labels' is not a weighting"):
        estimate(labels, weighting="labels")
    with pytest.raises(BadInput, match="field 'samples'"):
        estimate(labels, samples=0)
    with pytest.raises(BadInput, match="field 'top'"):
        estimate(labels, top=4)
    for rows in ([], [("t", "d", "a", 1), ("t", "d", "b", 2)]):
        with pytest.raises(TooLittleData, match="nobody judged an item several times"):
            estimate(make_labels(rows))


def test_the_share_of_samples_in_which_people_agree_with_themselves_more(repeated):
    found = estimate(repeated(FIRM))
    own, others = (found.samples[name][:, 2] for name in ("self", "cross"))
    both = ~np.isnan(own + others)
    assert found.share_apart(2) == pytest.approx((own > others)[both].mean())
    nobody = estimate(repeated({("d", "a"): (0, 0), ("d", "b"): (0,), ("e", "a"): (1, 1)}))
    assert np.isnan(nobody.share_apart(1))
