"""Whom the User Disagreement Model stands for."""

from collections.abc import Iterable
from dataclasses import dataclass

USERS = 3
"""N, unless somebody chooses another."""


@dataclass(frozen=True)
class UserModel:
    """At least ``at_least`` of ``users`` users want an item of the level ``top`` or above.

    ``weighting`` is ``item`` where every item counts alike in the estimate, and ``pairs`` where
    every pair of labels does. With ``keep_lowest`` the lowest level has a weight of its own.
    """

    top: int
    users: int = USERS
    at_least: int = 1
    weighting: str = "item"
    keep_lowest: bool = False


def usual_model(levels: Iterable[int], users: int = USERS, at_least: int = 1) -> UserModel:
    """Return what is used unless somebody chooses otherwise: the top level is the highest."""
    return UserModel(max(levels), users, at_least)
