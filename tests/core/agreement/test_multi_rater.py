"""Agreement of many assessors against published examples, statsmodels and krippendorff."""

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats import inter_rater

from core.agreement.multi_rater import (
    METRICS,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    randolph_kappa,
)
from core.agreement.multi_rater_counts import level_counts, sum_items
from core.agreement.ratings import ratings_from_labels
from core.errors import BadInput
from tests.each import each
from tests.short import long

# Krippendorff (2004), Content Analysis, 2nd edition, section 11.3.4 (also "Computing
# Krippendorff's Alpha-Reliability", 2011, part C): four observers, twelve units, * missing.
# Gwet (2014) uses the same table for coefficients with missing ratings.
KRIPPENDORFF = ("123321412***", "1233224125*3", "*3332342251*", "12332441251*")
# Fleiss (1971), Psychological Bulletin 76(5), Table 1: 30 subjects, 6 raters, 5 diagnoses.
FLEISS_1971 = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 "
    "00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)
# irrCAC 1.0 (Gwet), vignette "overview": two abstractors, 100 records.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]


def count_columns(rows, levels):
    columns = zip(*rows, strict=True)
    return [
        [sum(label == str(level) for label in column) for level in levels] for column in columns
    ]


def count_pairs(matrix):
    """Return one row of counts for each item of a confusion matrix."""
    level = np.eye(len(matrix))
    cells = [(i, j) for i in range(len(matrix)) for j in range(len(matrix))]
    return np.array([level[i] + level[j] for i, j in cells for _ in range(matrix[i][j])])


unhurried = settings(deadline=None)
SAMPLE = sum_items(count_columns(KRIPPENDORFF, range(1, 6)), range(1, 6))
fixed = st.integers(2, 5).flatmap(
    lambda size: arrays(np.int64, (7, 5), elements=st.integers(0, size - 1)).map(
        lambda labels: np.array([np.bincount(row, minlength=size) for row in labels])
    )
)
ragged = arrays(np.int64, (8, 4), elements=st.integers(0, 3))


@each(("metric", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorffs_example(metric, printed):
    assert round(float(krippendorff_alpha(SAMPLE, metric)), 3) == printed


def test_gwets_example_with_missing_ratings():
    # irrCAC 1.0, vignette "overview", four raters; Gwet (2014), chapter 2.
    assert round(float(gwet_ac(SAMPLE)), 5) == 0.77544
    assert round(float(fleiss_kappa(SAMPLE)), 5) == 0.76117
    assert round(float(krippendorff_alpha(SAMPLE)), 5) == 0.74342
    assert round(float(randolph_kappa(SAMPLE)), 5) == 0.77273


def test_gwets_example_of_two_raters():
    sums = sum_items(count_pairs(ABSTRACTORS))
    assert round(float(gwet_ac(sums)), 7) == 0.8493305
    assert round(float(fleiss_kappa(sums)), 7) == 0.7962397
    assert round(float(randolph_kappa(sums)), 3) == 0.835
    assert round(float(krippendorff_alpha(sums)), 7) == 0.7972585


def test_fleiss_of_his_own_example():
    counts = np.array([[int(digit) for digit in row] for row in FLEISS_1971.split()])
    assert (counts.sum(axis=1) == 6).all()
    assert round(float(fleiss_kappa(sum_items(counts))), 3) == 0.430
    assert float(fleiss_kappa(sum_items(counts))) == pytest.approx(
        inter_rater.fleiss_kappa(counts), abs=1e-12
    )


@unhurried
@given(fixed)
def test_fixed_numbers_of_labels_equal_statsmodels(counts):
    sums = sum_items(counts)
    if not np.isnan(fleiss_kappa(sums)):
        assert float(fleiss_kappa(sums)) == pytest.approx(
            inter_rater.fleiss_kappa(counts), abs=1e-9
        )
    assert float(randolph_kappa(sums)) == pytest.approx(
        inter_rater.fleiss_kappa(counts, method="randolph"), abs=1e-9
    )


@pytest.mark.parametrize("metric", METRICS)
@unhurried
@given(counts=ragged)
def test_any_numbers_of_labels_equal_krippendorff(metric, counts):
    ours = float(krippendorff_alpha(sum_items(counts, (0, 1, 2, 5)), metric))
    levels = counts[counts.sum(axis=1) > 1].any(axis=0)
    assert np.isnan(ours) == (levels.sum() < 2)
    if levels.sum() > 1:
        oracle = krippendorff.alpha(
            value_counts=counts, value_domain=[0, 1, 2, 5], level_of_measurement=metric
        )
        assert ours == pytest.approx(float(oracle), abs=1e-9)


@unhurried
@given(ragged, st.sampled_from(["unweighted", "linear", "quadratic"]))
def test_gwets_coefficient_equals_its_definition_written_out(counts, weighting):
    size, far = 4, {"unweighted": lambda i, j: i != j, "linear": lambda i, j: abs(i - j) / 3}
    far["quadratic"] = lambda i, j: (i - j) ** 2 / 9
    weights = [[1 - far[weighting](i, j) for j in range(size)] for i in range(size)]
    several = [row for row in counts.tolist() if sum(row) > 1]
    judged = [row for row in counts.tolist() if sum(row)]
    value = float(gwet_ac(sum_items(counts), weighting))
    if not several:
        assert np.isnan(value)
        return
    agreed = 0.0
    for row in several:
        alike = [sum(w * r for w, r in zip(line, row, strict=True)) for line in weights]
        pairs = sum(n * (a - 1) for n, a in zip(row, alike, strict=True))
        agreed += pairs / (sum(row) * (sum(row) - 1)) / len(several)
    shares = [sum(row[k] / sum(row) for row in judged) / len(judged) for k in range(size)]
    chance = sum(map(sum, weights)) / (size * (size - 1)) * sum(p * (1 - p) for p in shares)
    assert value == pytest.approx((agreed - chance) / (1 - chance), abs=1e-9)


@long
def test_alpha_over_all_rows_of_rf10(shared_data):
    """All 98,453 rows, −2 (a broken link) missing.

    Once with one label for each worker and item, the first row in the file, as everywhere in this
    package; and once with each of the 1,570 repeats as one more label.
    """
    path = shared_data / "rf10" / "labels.tsv.gz"
    rows = pd.read_csv(path, sep="\t", dtype={"topicID": "str"})
    assert len(rows) == 98_453
    labels = rows.set_axis(["topic_id", "assessor_id", "document_id", "gold", "level"], axis=1)
    key = ["topic_id", "document_id", "assessor_id"]
    labels["occasion"] = labels.groupby(key).cumcount()
    labels["state"] = np.where(labels["level"] == -2, "cannot judge", "level")
    ratings = ratings_from_labels(labels.assign(facet="page", engine=""), "page", (0, 1, 2))
    ours = level_counts(ratings)
    first = labels[(labels["occasion"] == 0) & (labels["level"] >= 0)]
    wide = first.pivot(index=key[:2], columns="assessor_id", values="level")
    once = np.stack([(wide == level).sum(axis=1) for level in range(3)], axis=1)
    np.testing.assert_array_equal(ours.counts, once)
    given = labels[labels["level"] >= 0].groupby([*key[:2], "level"]).size()
    every = given.unstack(fill_value=0).to_numpy()
    assert every.sum() == (rows["label"] != -2).sum()
    for counts in (once, every):
        for metric in METRICS:
            oracle = krippendorff.alpha(
                value_counts=counts, value_domain=[0, 1, 2], level_of_measurement=metric
            )
            found = float(krippendorff_alpha(sum_items(counts), metric))
            assert found == pytest.approx(float(oracle), abs=1e-9)
    assert float(krippendorff_alpha(ours.by_topic().total())) == pytest.approx(
        float(krippendorff_alpha(sum_items(once))), abs=1e-9
    )


def test_three_raters_of_chorus_equal_statsmodels_and_krippendorff(chorus_labels):
    counts = level_counts(ratings_from_labels(chorus_labels, "page", range(4)))
    assert (counts.counts.sum(axis=1) == 3).all()
    total = counts.by_topic().total()
    for method, ours in (("fleiss", fleiss_kappa), ("randolph", randolph_kappa)):
        oracle = inter_rater.fleiss_kappa(counts.counts, method=method)
        assert float(ours(total)) == pytest.approx(oracle, abs=1e-9)
    _alpha_equals_krippendorff(chorus_labels, total)


def test_eight_assessors_of_dl19_equal_krippendorff(dl19_labels):
    counts = level_counts(ratings_from_labels(dl19_labels, "page", range(4)))
    _alpha_equals_krippendorff(dl19_labels, counts.by_topic().total())


def _alpha_equals_krippendorff(labels, sums):
    wide = labels.pivot(
        index=["topic_id", "document_id"], columns="assessor_id", values="level"
    ).to_numpy()
    for metric in METRICS:
        oracle = krippendorff.alpha(
            reliability_data=wide.T, value_domain=range(4), level_of_measurement=metric
        )
        assert float(krippendorff_alpha(sums, metric)) == pytest.approx(float(oracle), abs=1e-9)


@each("counts", [np.zeros((0, 3)), np.zeros((4, 3)), np.eye(3)], ids=["none", "unjudged", "single"])
def test_without_two_labels_on_an_item_nothing_is_defined(counts):
    sums = sum_items(counts)
    for metric in METRICS:
        assert np.isnan(krippendorff_alpha(sums, metric))
    for statistic in (fleiss_kappa, randolph_kappa, gwet_ac):
        assert np.isnan(statistic(sums))


def test_one_level_only():
    used = sum_items([[3, 0], [2, 0]])
    assert np.isnan(fleiss_kappa(used))
    assert all(np.isnan(krippendorff_alpha(used, metric)) for metric in METRICS)
    assert randolph_kappa(used) == gwet_ac(used) == gwet_ac(used, "linear") == 1
    on_scale = sum_items([[3], [2]])
    assert np.isnan(randolph_kappa(on_scale))
    assert np.isnan(gwet_ac(on_scale))


def test_an_unknown_metric_is_refused():
    with pytest.raises(BadInput, match="'ratio' is not a metric; known are nominal, ordinal"):
        krippendorff_alpha(SAMPLE, "ratio")
