"""Opening a store where it is: a file, or a database that several servers share."""

from core.place import Address, Place
from core.store.backing import Backing
from core.store.file.file_backing import FileBacking


def open_place(place: Place, *, read_only: bool = False, memory: str = "") -> Backing:
    """Open a place, fit to work on; see the errors of what it is."""
    if isinstance(place, Address):
        # Late: it needs a package that a store in a file does without.
        from core.store.shared.shared_database import SharedBacking

        return SharedBacking(place, read_only=read_only)
    return FileBacking(place, read_only=read_only, memory=memory)


def has_store(place: Place) -> bool:
    """Tell whether there is a store at a place; raises StoreUnreachable where nobody can tell."""
    if isinstance(place, Address):
        from core.store.shared.shared_database import has_tables

        return has_tables(place)
    return place.exists()
