"""Numbers as texts have them: a real minus sign, no zero below zero, no p of 0."""

import math

ABSENT = "–"
"""What stands where there is no number."""

LEAST_P = 0.001
"""A p below it is told as that, not by its digits."""


def write_number(value: float, digits: int = 3, *, signed: bool = False) -> str:
    """Return a number for people to read, thousands separated.

    Parameters
    ----------
    value : float
        NaN is written as a dash, what has no end as ∞.
    digits : int, default 3
        Decimals.
    signed : bool, default False
        Whether numbers above zero have their sign, too. Zero never has one.

    Examples
    --------
    >>> write_number(-0.3641), write_number(0.5, signed=True), write_number(-0.0001)
    ('−0.364', '+0.500', '0.000')
    """
    if math.isnan(value):
        return ABSENT
    text = f"{value:{'+' if signed else ''},.{digits}f}"
    if not text.strip("+-0.,"):
        text = text.lstrip("+-")
    return text.replace("-", "−").replace("inf", "∞")


def tell_digits(width: float, least: int = 3) -> int:
    """Return the decimals at which limits so far apart are two: two digits of their distance.

    Parameters
    ----------
    width : float
        How far apart; where that is 0 or unknown, or there is room enough, ``least`` are told.
    least : int, default 3

    Examples
    --------
    >>> tell_digits(0.4), tell_digits(0.00107), tell_digits(0.0)
    (3, 4, 3)
    """
    if not 0 < width < math.inf:
        return least
    return max(least, 1 - math.floor(math.log10(width)))


MOST_DIGITS = 6
"""Limits that are closer are written alike."""


def tell_limits_apart(low: float, high: float, digits: int = 3) -> int:
    """Return as many decimals, or so many more that limits are not written alike.

    Examples
    --------
    >>> tell_limits_apart(0.12, 0.31), tell_limits_apart(0.00002, 0.0004)
    (3, 5)
    >>> tell_limits_apart(0.9999999, 1.0), tell_limits_apart(0.5, 0.5)
    (3, 3)
    """
    if not low < high or round(float(low), digits) != round(float(high), digits):
        return digits
    more = tell_digits(high - low, digits)
    return more if more <= MOST_DIGITS else digits


def write_limits(low: float, high: float, digits: int = 3) -> str:
    """Return the limits of an interval in brackets: ``[−0.120, 0.310]``.

    Limits that so many decimals would write alike have more.
    """
    digits = tell_limits_apart(low, high, digits)
    return f"[{write_number(low, digits)}, {write_number(high, digits)}]"


def write_p(p: float) -> str:
    """Return a p-value: ``0.012``, or ``< 0.001`` for all that are smaller."""
    return f"< {LEAST_P:g}" if p < LEAST_P else write_number(p)


def say_p(p: float) -> str:
    """Return what p is: ``p = 0.012`` or ``p < 0.001``."""
    return f"p {write_p(p)}" if p < LEAST_P else f"p = {write_p(p)}"
