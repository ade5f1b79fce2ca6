import numpy as np
import pandas as pd
import pytest

from core.comparison.difference_tests import compare_systems
from core.comparison.power import asl_curve, discriminative_power, significant, superscripts, wins
from core.errors import BadInput
from tests.core.comparison.matrices import matrix_of, scattered
from tests.each import each

PAIRS = pd.DataFrame(
    [
        ("s0", "s1", 0.1, 0.20),
        ("s0", "s2", 0.3, 0.01),
        ("s0", "s3", 0.4, 0.01),
        ("s1", "s2", 0.2, 0.05),
        ("s1", "s3", 0.3, 0.04),
        ("s2", "s3", 0.1, 1.00),
    ],
    columns=["first", "second", "difference", "p"],
)
MATRIX = matrix_of([[0.9, 0.8, 0.6, 0.5], [0.7, 0.6, 0.4, 0.3]])


def test_significant_is_below_the_level():
    found = significant(PAIRS)
    assert list(zip(found["first"], found["second"], strict=True)) == [
        ("s0", "s2"),
        ("s0", "s3"),
        ("s1", "s3"),
    ]
    assert found.index.tolist() == [0, 1, 2]
    assert list(found) == list(PAIRS)
    assert discriminative_power(PAIRS) == (3, 6)
    assert discriminative_power(PAIRS, 0.01) == (0, 6)
    assert discriminative_power(PAIRS, 0.5) == (5, 6)


def test_the_curve_falls():
    curve = asl_curve(PAIRS)
    assert list(curve) == ["pair", "p", "first", "second"]
    assert curve["pair"].tolist() == [1, 2, 3, 4, 5, 6]
    assert curve["p"].tolist() == [1.0, 0.2, 0.05, 0.04, 0.01, 0.01]
    assert curve["second"].tolist() == ["s3", "s1", "s2", "s3", "s2", "s3"]


def test_superscripts_name_whom_a_system_beats():
    table = superscripts(MATRIX, PAIRS)
    assert list(table) == ["system", "mean", "letter", "better_than"]
    assert table["system"].tolist() == ["s0", "s1", "s2", "s3"]
    assert table["mean"].tolist() == pytest.approx([0.8, 0.7, 0.5, 0.4])
    assert table["letter"].tolist() == ["a", "b", "c", "d"]
    assert table["better_than"].tolist() == ["c d", "d", "", ""]


def test_the_better_system_may_be_the_second():
    turned = PAIRS.rename(columns={"first": "second", "second": "first"})
    turned["difference"] *= -1
    assert wins(turned) == wins(PAIRS)
    assert superscripts(MATRIX, turned).equals(superscripts(MATRIX, PAIRS))


def test_more_systems_than_letters():
    rng = np.random.default_rng(1)
    matrix = matrix_of(rng.random((5, 1)) - np.arange(60) + rng.normal(0, 1e-3, size=(5, 60)))
    table = superscripts(matrix, compare_systems(matrix, "parametric"))
    assert table["letter"].tolist()[24:29] == ["y", "z", "aa", "ab", "ac"]
    assert table["letter"].tolist()[51:54] == ["az", "ba", "bb"]
    assert table["letter"].is_unique
    assert table["better_than"].iloc[56] == "bf bg bh"
    assert table["better_than"].iloc[-1] == ""


def test_as_many_letters_as_significant_pairs(dl19):
    pairs = compare_systems(dl19)
    found, every = discriminative_power(pairs)
    assert every == 666
    table = superscripts(dl19, pairs)
    assert table["better_than"].str.split().map(len).sum() == found
    assert (np.diff(asl_curve(pairs)["p"]) <= 0).all()


@each("alpha", [0, 1, -1, float("nan")])
def test_a_level_is_a_chance(alpha):
    pairs = compare_systems(scattered(4, 3, seed=1), "t")
    for read in (significant, discriminative_power, wins):
        with pytest.raises(BadInput, match="between 0 and 1"):
            read(pairs, alpha)
