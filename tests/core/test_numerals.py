"""Numbers as people read them."""

import math

from core.numerals import say_p, write_limits, write_number, write_p
from tests.each import each


@each(
    ("value", "written", "signed"),
    [
        (0.5, "0.500", "+0.500"),
        (-0.3641, "−0.364", "−0.364"),
        (-0.0004, "0.000", "0.000"),
        (0.0004, "0.000", "0.000"),
        (-0.0, "0.000", "0.000"),
        (-1234.5, "−1,234.500", "−1,234.500"),
        (-math.inf, "−∞", "−∞"),
        (math.nan, "–", "–"),
    ],
)
def test_the_sign_is_a_minus_and_zero_has_none(value: float, written: str, signed: str):
    assert (write_number(value), write_number(value, signed=True)) == (written, signed)


def test_limits_that_are_two_are_written_as_two():
    assert write_limits(0.00002, 0.0004) == "[0.00002, 0.00040]"
    assert write_limits(0.9991, 0.9994) == "[0.99910, 0.99940]"
    assert write_limits(1 - 1e-12, 1.0) == write_limits(1.0, 1.0) == "[1.000, 1.000]"
    assert write_limits(math.nan, math.nan) == "[–, –]"
    assert write_limits(0.2, math.inf) == "[0.200, ∞]"


def test_decimals_can_be_chosen():
    assert (write_number(-0.4, 0), write_number(-0.05, 1), write_number(12.3, 1)) == (
        *("0", "−0.1", "12.3"),
    )


def test_limits_stand_in_brackets():
    assert write_limits(-0.12, math.inf) == "[−0.120, ∞]"


@each(
    ("p", "written", "said"),
    [
        (0.0, "< 0.001", "p < 0.001"),
        (0.00099, "< 0.001", "p < 0.001"),
        (0.001, "0.001", "p = 0.001"),
        (0.04, "0.040", "p = 0.040"),
        (1.0, "1.000", "p = 1.000"),
        (math.nan, "–", "p = –"),
    ],
)
def test_a_small_p_is_never_told_as_zero(p: float, written: str, said: str):
    assert (write_p(p), say_p(p)) == (written, said)
