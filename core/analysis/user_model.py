"""Whom the User Disagreement Model stands for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class UserModel:
    """At least ``at_least`` of ``users`` users want an item of the level ``top`` or above.

    ``weighting`` is ``item`` where every item counts alike in the estimate, and ``pairs`` where
    every pair of labels does. With ``keep_lowest`` the lowest level has a weight of its own.
    """

    top: int
    users: int
    at_least: int
    weighting: str
    keep_lowest: bool
