"""``dissent check``: proves that a store is whole, without changing it."""

import zipfile
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import Any

from core.command.checks.proofs import USE, check_finished, check_rules, check_use
from core.command.printing.output import print_json, show_progress
from core.command.stores import store_place
from core.errors import NotFound, StoreUnusable
from core.place import Address, Place
from core.store.backup.backup import restore_backup
from core.store.check.check_attachments import AFTERWARDS, ASPECTS, PARADATA, PASSAGES, REASONS
from core.store.check.check_clicks import check_clicks
from core.store.check.check_copies import INDEXES, check_indexes, copy_store
from core.store.check.check_files import (
    check_acknowledged,
    check_blocks,
    check_key,
    check_log,
    check_schema,
    check_tables,
)
from core.store.check.check_labels import LABEL_PROOFS
from core.store.check.check_machines import MACHINE_JOBS, MACHINES
from core.store.check.check_messages import WEBHOOKS, WORDS
from core.store.check.check_references import KEYS, check_owners
from core.store.check.check_rounds import ORDERS, SLOTS, TESTS
from core.store.check.integrity import Check, CheckResult, Fault, make_fault
from core.store.file.database import UNREADABLE, Database, find_file, first_line
from core.store.file.memory import expect_memory, lacks_memory, limit_memory
from core.store.file.scratch import scratch_folder
from core.store.opening import has_store
from core.store.store import Store

CHECKS: tuple[Check, ...] = (
    check_acknowledged,
    *(proof.check for proof in LABEL_PROOFS),
    KEYS.check,
    check_owners,
    SLOTS.check,
    ORDERS.check,
    WORDS.check,
    PASSAGES.check,
    PARADATA.check,
    MACHINES.check,
    check_clicks,
    MACHINE_JOBS.check,
    ASPECTS.check,
    TESTS.check,
    REASONS.check,
    AFTERWARDS.check,
    WEBHOOKS.check,
    check_rules,
)
"""The checks of a store that can be read to its end; finished batches come last."""

_BEFORE_USE = ("schema", "tables", "answers")
"""What has to hold before anything is tried in a copy."""

_BEFORE_FINISHED = ("keys", "owners", "k")
"""What has to hold before a batch can be laid out as its assessor saw it."""

_FILES = ("log", "key", "acknowledged")
"""What is proved of a store's own files, and not of one that a backup was restored to."""


def run(arguments: Namespace) -> int:
    """Check a store or a backup, and print every proof with its faults."""
    place = store_place(arguments)
    if not has_store(place):
        raise NotFound(f"There is no store {place}.")
    findings = check_place(place, by_use=not arguments.no_copy)
    whole = _sum_up(findings)
    if arguments.format == "json":
        print_json(
            {"store": str(place), "whole": whole, "proofs": [_as_json(one) for one in findings]}
        )
    else:
        _print(findings, whole)
    return 1 if whole is False else 0


def check_place(place: Place, *, by_use: bool = True) -> list[CheckResult]:
    """Return what every proof finds in a store, wherever it is, or in a backup."""
    if isinstance(place, Address):
        return check_database(place, by_use=by_use)
    _require_file(place)
    check = check_archive if zipfile.is_zipfile(place) else check_store
    return check(place, by_use=by_use)


def check_database(address: Address, *, by_use: bool = True) -> list[CheckResult]:
    """Return what every proof finds in a store in PostgreSQL, whose files it keeps itself.

    Raises
    ------
    StoreUnusable, StoreUnreachable
        It is no store, or one of another version; it does not answer.
    """
    # Late: it needs a package that a store in a file does without.
    from core.store.check.check_shared import check_columns, check_log_entries
    from core.store.move.to_file import write_copy

    with closing(Store(address, read_only=True)) as store:
        tables = check_tables(store, show_progress)
        found = [check_columns(store, address), check_log_entries(address), tables]
        if any(one.faults for one in found):
            return found
        found += [check(store) for check in CHECKS if check is not check_acknowledged]
        if not any(finding.faults for finding in found if finding.proof in _BEFORE_FINISHED):
            found.append(check_finished(store))
        if not by_use or any(one.faults for one in found if one.proof in _BEFORE_USE):
            return [*found, replace(USE, unknown="this was not requested")]
        with scratch_folder() as folder:
            copy = folder / "copy.duckdb"
            write_copy(address, copy)
            return [*found, check_use(copy)]


def check_store(path: Path, *, by_use: bool = True) -> list[CheckResult]:
    """Return what every proof finds in a store.

    Where a log or a block is damaged, the schema is not that of a store, or a table cannot be
    read, nothing can be proved beyond that.

    Parameters
    ----------
    path : Path
        The store; what is beside it is looked for where it lies itself, and not beside a link.
    by_use : bool
        Make a copy, to try there what must not be tried on the store.

    Raises
    ------
    StoreInUse, StoreUnusable
        Another process holds it; it is no store.
    BadInput
        It takes far more memory than its size tells.
    """
    path = find_file(path)
    _refuse_held(path)
    with expect_memory(path):
        return _check_file(path, by_use)


def _check_file(path: Path, by_use: bool) -> list[CheckResult]:
    # The file is read as it lies before it is opened: closing it later would end the lock on it.
    log, key, blocks = check_log(path), check_key(path), check_blocks(path, show_progress)
    findings = [log, key, blocks]
    if log.faults or blocks.faults:
        return findings
    try:
        for finding in _check_content(path):
            findings.append(finding)
    except UNREADABLE as error:
        if lacks_memory(error):
            raise
        findings.append(_tell_unreadable(error))
    if any(finding.faults for finding in findings if finding.proof in _BEFORE_USE):
        return findings
    return findings + _check_by_use(path, by_use)


def _require_file(path: Path) -> None:
    """Raise StoreUnusable for a folder, and for a device or a pipe, which may never end."""
    if not path.is_file():
        raise StoreUnusable(f"{path} is no file, and so no store.")


def _refuse_held(path: Path) -> None:
    """Raise StoreInUse where another process holds the store; why else it does not open is seen."""
    _require_file(path)
    with suppress(StoreUnusable):
        Database(path, read_only=True).close()


def _check_content(path: Path) -> Iterator[CheckResult]:
    """Prove what is in the file, as far as the schema and the tables allow."""
    schema = check_schema(path)
    yield schema
    if schema.faults:
        return
    with closing(Store(path, read_only=True, memory=limit_memory(path))) as store:
        tables = check_tables(store, show_progress)
        yield tables
        if tables.faults:
            return
        found = [check(store) for check in CHECKS]
        yield from found
        if not any(finding.faults for finding in found if finding.proof in _BEFORE_FINISHED):
            yield check_finished(store)


def _tell_unreadable(error: Exception) -> CheckResult:
    claim = "Whatever the proofs ask of the store can be answered."
    faults = make_fault("a question cannot be answered: restore a backup", [first_line(error)])
    return CheckResult("answers", claim, 0, "answers", faults)


def _check_by_use(path: Path, by_use: bool) -> list[CheckResult]:
    """Prove what only a copy can, where there is to be one and there is room."""
    reason = "this was not requested"
    try:
        if by_use:
            with copy_store(path) as copy:
                return [check_indexes(copy, show_progress), check_use(copy)]
    except OSError as error:
        reason = f"no copy could be made: {error.strerror or error}"
    except StoreUnusable as error:
        reason = f"no copy could be made: {error}"
    return [replace(one, unknown=reason) for one in (INDEXES, USE)]


def check_archive(archive: Path, *, by_use: bool = True) -> list[CheckResult]:
    """Return what every proof finds in the store that a backup restores to."""
    with scratch_folder() as folder:
        restored = folder / "restored.duckdb"
        counts = restore_backup(archive, restored)
        claim = "Every table of the backup fits its hash, and can be restored."
        unpacked = CheckResult("backup", claim, sum(counts.values()), "rows")
        found = [one for one in check_store(restored, by_use=by_use) if one.proof not in _FILES]
    return [unpacked, *found]


def _as_json(finding: CheckResult) -> dict[str, Any]:
    return {
        "name": finding.proof,
        "claim": finding.claim,
        "checked": finding.checked,
        "what": finding.noun,
        "holds": finding.holds,
        "unknown": finding.unknown or None,
        "faults": [
            {"what": fault.what, "count": fault.count, "places": fault.places}
            for fault in finding.faults
        ],
        "notes": finding.notes,
    }


def _sum_up(findings: list[CheckResult]) -> bool | None:
    """Tell whether a store is whole; None where no fault was found and not all was looked at."""
    if any(finding.holds is False for finding in findings):
        return False
    return None if any(finding.holds is None for finding in findings) else True


def _print(findings: list[CheckResult], whole: bool | None) -> None:
    for one in findings:
        claim = f"{one.proof}: {one.claim} ({one.checked:,} {one.noun})"
        mark = f"{_MARKS[one.holds]:<9}"
        print(fill(claim, 100, initial_indent=mark, subsequent_indent=" " * len(mark)))
    for line in _details(findings):
        print(line)
    unknown = ", ".join(one.proof for one in findings if one.holds is None)
    print(f"\n{_SUMMARIES[whole].format(unknown)}")


_MARKS = {True: "holds", False: "FAULT", None: "unknown"}
_SUMMARIES = {
    True: "The store is whole.",
    False: "The store has faults.",
    None: "No fault was found, but not everything could be checked: {}.",
}


def _details(findings: list[CheckResult]) -> Iterator[str]:
    for finding in findings:
        if finding.unknown:
            yield f"\n{finding.proof}, unknown: {finding.unknown}"
        for note in finding.notes:
            yield f"\n{finding.proof}, to know: {note}"
        for fault in finding.faults:
            yield f"\n{finding.proof}, fault: {fault.what} ({fault.count:,})"
            yield from _places(fault)


def _places(fault: Fault) -> Iterator[str]:
    for place in fault.places:
        yield f"  {place}"
    if fault.count > len(fault.places):
        yield f"  … and {fault.count - len(fault.places):,} more"
