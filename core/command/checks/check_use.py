"""The proof that a store can be worked with: everything is done once, in a copy."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from core.command.checks.everyday import use_store
from core.command.printing.output import show_progress
from core.store.check.check_copies import NO_MEMORY, NO_ROOM
from core.store.check.check_files import check_tables
from core.store.check.integrity import CheckResult, make_fault
from core.store.file.database import Database, first_line
from core.store.file.disk import lacks_room
from core.store.file.memory import lacks_memory, limit_memory
from core.store.store import Store

USE = CheckResult(
    "use",
    "In a copy, everyday work can be done and read afterwards: a label is stored, a person signs "
    "in, a round is opened.",
    0,
    "things done",
)
"""What is claimed of use, before anything was tried."""

_ABOUT = 40
"""How many things are done, more or less: for the bar that shows how far it is."""


def check_use(copy: Path) -> CheckResult:
    """Prove that a label can be taken and a person signed in, and all the rest.

    Afterwards the copy is closed, which merges its log into its file, and read to its end.
    """
    doing, done, places = "opening it", 0, []
    try:
        with closing(Store(copy, memory=limit_memory(copy))) as store:
            for doing in use_store(store):
                show_progress(min(done / _ABOUT, 0.99), doing)
                done += 1
            doing = "closing it"
        doing = "reading it again"
        with closing(Database(copy, read_only=True, memory=limit_memory(copy))) as read:
            places = [place for fault in check_tables(read).faults for place in fault.places]
    except Exception as error:  # whatever it is, somebody would meet with it
        if lacks_room(error):
            return replace(USE, unknown=NO_ROOM)
        if lacks_memory(error):
            return replace(USE, unknown=NO_MEMORY)
        places = [f"{doing}: {first_line(error)}"]
    finally:
        show_progress(1, "use")
    faults = make_fault("everyday work is no longer possible: restore a backup", places)
    return replace(USE, checked=done, faults=faults)
