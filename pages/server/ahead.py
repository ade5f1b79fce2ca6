"""What pages take long to begin with, made before they are asked for.

All pages are imported while the browser of the first visitor loads the app, and what an organiser's
next page needs is read while they look at the first.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from core.errors import DissentError
from pages.server.log import log_error

if TYPE_CHECKING:
    from core.analysis.base.study import Study

_MOST = 64

_OF_MAIN = ("figure", "frame", "live", "navigation")
"""What the script of all pages imports, in its order: of two threads one waits for the other."""

_makers: list[ThreadPoolExecutor] = []
_made: dict[tuple[str, bool], int] = {}
_visited: list[ThreadPoolExecutor] = []


@contextmanager
def making_ahead() -> Iterator[None]:
    """Let what is asked of this module be done, in one thread, until this is left."""
    with ThreadPoolExecutor(1, "ahead") as maker:
        _makers.append(maker)
        try:
            yield
        finally:
            _makers.remove(maker)
            _made.clear()
            _visited.clear()
            maker.shutdown(cancel_futures=True)


def import_ahead() -> None:
    """Import all pages once the first visitor is there; before, a server starts sooner."""
    if _makers and not _visited:
        _visited.append(_makers[-1])
        _makers[-1].submit(_import_pages)


def _import_pages() -> None:
    shared = f"{__package__.removesuffix('server')}shared"
    try:
        for name in _OF_MAIN:
            import_module(f"{shared}.{name}")
    except Exception as error:  # whoever opens a page is told
        log_error("pages not imported ahead", error)


def make_ahead(study: "Study") -> None:
    """Read a collection's runs after each of its changes, before a page asks for them."""
    if not _makers or not study.collection_id:
        return
    changes = study.store.state(study.collection_id)[1]
    key = study.collection_id, study.is_masked
    if _made.get(key) == changes:
        return
    if len(_made) >= _MOST:
        _made.clear()
    _made[key] = changes
    _makers[-1].submit(_make, study)


def _make(study: "Study") -> None:
    from core.analysis.base.study import runs_of

    try:
        if not runs_of(study).empty:
            _tabulate()
    except DissentError:
        return  # The collection is gone, and no page will ask.
    except Exception as error:
        log_error("not made ahead", error, collection=study.collection_id)


def _tabulate() -> None:
    """Follow the curves of the measures that *Informativeness* begins with."""
    from core.informativeness.curves import tabulate_curves
    from core.informativeness.targets import read_target, suggest_measures

    for text in suggest_measures(intents=1):
        tabulate_curves(read_target(text).family)
