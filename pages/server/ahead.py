"""What an organiser's next page takes long to begin with, made while the first is looked at."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from core.errors import DissentError
from pages.server.log import log_error

if TYPE_CHECKING:
    from core.analysis.base.study import Study

_MOST = 64

_makers: list[ThreadPoolExecutor] = []
_made: dict[tuple[str, bool], int] = {}


@contextmanager
def making_ahead() -> Iterator[None]:
    """Let `make_ahead` work, in one thread, until this is left; elsewhere it does nothing."""
    with ThreadPoolExecutor(1, "ahead") as maker:
        _makers.append(maker)
        try:
            yield
        finally:
            _makers.remove(maker)
            _made.clear()
            maker.shutdown(cancel_futures=True)


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
