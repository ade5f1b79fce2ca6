"""Dissent from Python.

The names are those of ``core.api``. Each is taken in when it is first asked for: the command line
and the server are found through this package as well, and need none of them.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.api import *  # noqa: F403


def __getattr__(name: str) -> Any:
    from core import api

    return getattr(api, name)


def __dir__() -> list[str]:
    from core import api

    return list(api.__all__)
