"""``dissent check``: proves that a store is whole, without changing it."""

import tempfile
import zipfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from textwrap import fill
from typing import Any

from core.command.arguments import add_format, store_path
from core.command.check_finished import check_finished
from core.command.check_rules import check_rules
from core.command.output import print_json
from core.errors import NotFound
from core.store.backup import restore_backup
from core.store.check_files import check_blocks, check_key, check_log, check_migrations
from core.store.check_labels import LABEL_PROOFS
from core.store.check_references import KEYS, check_owners
from core.store.check_slots import SLOTS
from core.store.integrity import Check, Fault, Finding
from core.store.store import Store

CHECKS: tuple[Check, ...] = (
    *(proof.check for proof in LABEL_PROOFS),
    KEYS.check,
    check_owners,
    SLOTS.check,
    check_rules,
)
"""What is proved of a store whose files are sound, in this order; finished batches come last."""

_BEFORE_FINISHED = ("keys", "owners", "k")
"""What has to hold before a batch can be laid out as its assessor saw it."""


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Prove that a store is whole: its log and its blocks, the order of the label events and "
        "what stands, what they name, k places for every batch, finished batches, saved rules, "
        "and the signing key. Nothing is changed. A backup is proved by restoring it beside. "
        "Exit status 1 means that faults were found."
    )
    parser.add_argument(
        "store",
        nargs="?",
        type=Path,
        metavar="STORE",
        help="a store or a backup (default: DISSENT_STORE, or dissent.duckdb in this folder)",
    )
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Check a store or a backup, and print every proof with its faults."""
    path = store_path(arguments)
    if not path.exists():
        raise NotFound(f"There is no store {path}.")
    findings = check_archive(path) if zipfile.is_zipfile(path) else check_store(path)
    is_whole = not any(finding.faults for finding in findings)
    if arguments.format == "json":
        print_json(
            {"store": str(path), "whole": is_whole, "proofs": [_as_json(one) for one in findings]}
        )
    else:
        _print(findings, is_whole)
    return 0 if is_whole else 1


def check_store(path: Path) -> list[Finding]:
    """Return what every proof finds in a store.

    Where the log is damaged, the schema incomplete or a table unreadable, nothing can be proved
    beyond that.
    """
    findings = [check_log(path), check_key(path)]
    if findings[0].faults:
        return findings
    findings.append(check_migrations(path))
    if findings[-1].faults:
        return findings
    with closing(Store(path, read_only=True)) as store:
        findings.append(check_blocks(store))
        if findings[-1].faults:
            return findings
        findings += [check(store) for check in CHECKS]
        if not any(finding.faults for finding in findings if finding.proof in _BEFORE_FINISHED):
            findings.append(check_finished(store))
        return findings


def check_archive(archive: Path) -> list[Finding]:
    """Return what every proof finds in the store that a backup restores to."""
    with tempfile.TemporaryDirectory() as folder:
        restored = Path(folder) / "restored.duckdb"
        counts = restore_backup(archive, restored)
        claim = "Every table of the backup fits its hash, and can be restored."
        unpacked = Finding("backup", claim, sum(counts.values()), "rows")
        found = [one for one in check_store(restored) if one.proof not in ("log", "key")]
    return [unpacked, *found]


def _as_json(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.proof,
        "claim": finding.claim,
        "checked": finding.checked,
        "what": finding.noun,
        "holds": not finding.faults,
        "faults": [
            {"what": fault.what, "count": fault.count, "places": fault.places}
            for fault in finding.faults
        ],
        "notes": finding.notes,
    }


def _print(findings: list[Finding], is_whole: bool) -> None:
    for one in findings:
        told = f"{one.proof}: {one.claim} ({one.checked:,} {one.noun})"
        print(fill(told, 100, initial_indent=_mark(one), subsequent_indent=" " * len(_mark(one))))
    for line in _details(findings):
        print(line)
    print("\nThe store is whole." if is_whole else "\nThe store has faults.")


def _mark(finding: Finding) -> str:
    return "FAULT  " if finding.faults else "holds  "


def _details(findings: list[Finding]) -> Iterator[str]:
    for finding in findings:
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
