"""Opening a store for one command."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager

from core.command.printing.output import print_notes
from core.errors import BadInput, NotFound
from core.place import Place
from core.settings import read_settings
from core.store.content.collections import find_collection
from core.store.opening import has_store
from core.store.store import Store


def store_place(arguments: Namespace) -> Place:
    """Return where the store is that is asked for, or the one the environment names."""
    given: Place | None = arguments.store
    place = given or read_settings().store
    if place is None:
        raise BadInput("the demo has no store of its own here; say which with --store")
    return place


@contextmanager
def open_store(arguments: Namespace) -> Iterator[Store]:
    """Open the store that is asked for; raises NotFound where there is none."""
    place = store_place(arguments)
    if not has_store(place):
        raise NotFound(f"There is no store {place}; 'dissent import … --create' makes one.")
    with open_at(place) as store:
        yield store


@contextmanager
def open_at(place: Place) -> Iterator[Store]:
    """Open the store at a place, new or not, and say what was found out while it was opened."""
    store = Store(place)
    print_notes(filter(None, [store.notice]))
    try:
        yield store
    finally:
        store.close()


@contextmanager
def open_collection(arguments: Namespace) -> Iterator[tuple[Store, str]]:
    """Open the store and find the collection that is asked for; yields its id as well."""
    with open_store(arguments) as store:
        yield store, find_collection(store, arguments.collection)
