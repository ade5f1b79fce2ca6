"""``dissent import``: files into a collection, whole or not at all."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from core.collection.formats import KINDS, format_names, read_import
from core.collection.records import FACETS, Import, Scale, default_scales
from core.command.arguments import add_collection, add_format, open_source, store_path
from core.command.files.label_files import add_label_options, label_options
from core.command.printing.output import print_json, print_notes, show_progress
from core.command.printing.tables import format_counts
from core.command.stores import open_at
from core.errors import BadInput, NotFound
from core.store.content.collections import create_collection, find_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales

_THERE = "already there"


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Read files of one kind into a collection. Everything is checked first: if one line is "
        "faulty, nothing is stored. Rows that are already stored are left as they are; rows that "
        "differ from stored ones are refused."
    )
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="any of the known formats, also .gz; - for stdin"
    )
    add_collection(parser)
    parser.add_argument(
        "--create",
        action="store_true",
        help="create the store and the collection if they do not exist",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="check and count everything, store nothing"
    )
    parser.add_argument(
        "--file-format",
        default="",
        metavar="NAME",
        help=f"the format, if it cannot be recognised from the content; {_list_formats()}",
    )
    parser.add_argument("--name", default="", metavar="QRELS", help="what to call these qrels")
    parser.add_argument(
        "--system-from",
        choices=("tag", "file"),
        help="where a run's name comes from: its tag or its file",
    )
    add_label_options(parser)
    parser.add_argument(
        "--facet", choices=FACETS, help="the facet of the labels, where the file does not say"
    )
    parser.add_argument(
        "--texts", action="store_true", help="also take topics and documents from a ratings table"
    )
    add_format(parser)


def _list_formats() -> str:
    """Return the formats of the kinds that have several."""
    names = {kind: format_names(kind) for kind in KINDS}
    return "; ".join(f"{kind}: {', '.join(names[kind])}" for kind in KINDS if len(names[kind]) > 1)


def run(arguments: Namespace) -> int:
    """Import files and print what was read and written."""
    if arguments.name and arguments.kind != "qrels":
        arguments.parser.error("--name is for qrels")
    path = store_path(arguments)
    stored = _find_scales(path, arguments)
    given = dict(arguments.scale)
    if stored is not None:
        _refuse_other_scales(given, stored)
    scales = stored or {**default_scales(), **given}
    sources = [open_source(file) for file in arguments.files]
    imported = read_import(
        arguments.kind,
        sources,
        format_name=arguments.file_format,
        progress=show_progress,
        **_options(arguments, scales),
    )
    written = _write(path, arguments, imported, scales, is_new=stored is None)
    _report(arguments, imported, written)
    return 0


def _find_scales(path: Path, arguments: Namespace) -> dict[str, Scale] | None:
    """Return the scales of the collection; None where it is still to be made."""
    if not path.exists():
        if arguments.create:
            return None
        raise NotFound(f"There is no store {path}; --create makes it.")
    with open_at(path) as store:
        try:
            return get_scales(store, find_collection(store, arguments.collection))
        except NotFound as error:
            if arguments.create:
                return None
            raise NotFound(f"{error} --create makes it.") from error


def _refuse_other_scales(given: dict[str, Scale], stored: dict[str, Scale]) -> None:
    for facet, scale in given.items():
        if [level.level for level in scale] != [level.level for level in stored.get(facet, ())]:
            raise BadInput(
                f"the collection has another {facet} scale; change it in the app, or leave "
                "--scale out",
                field="scale",
            )


def _options(arguments: Namespace, scales: dict[str, Scale]) -> dict[str, Any]:
    """Return what was chosen for reading; the reader refuses what the kind does not know."""
    options = label_options(arguments)
    options.pop("scales", None)
    if arguments.kind == "labels":
        options["scales"] = scales
    extra = {
        "facet": arguments.facet,
        "texts": arguments.texts,
        "system_from": arguments.system_from,
    }
    return options | {name: value for name, value in extra.items() if value}


def _write(
    path: Path, arguments: Namespace, imported: Import, scales: dict[str, Scale], *, is_new: bool
) -> dict[str, int]:
    """Write what was read, into a new collection where there is none, and return the counts."""
    if is_new and arguments.dry_run:
        return {name: len(frame) for name, frame in imported.frames.items()} | {_THERE: 0}
    with open_at(path) as store:
        if is_new:
            collection_id = create_collection(store, arguments.collection, scales=scales)
        else:
            collection_id = find_collection(store, arguments.collection)
        return write_import(
            store, collection_id, imported, name=arguments.name, rehearse=arguments.dry_run
        )


def _report(arguments: Namespace, imported: Import, written: dict[str, int]) -> None:
    print_notes(imported.notes)
    there = written.pop(_THERE)
    if arguments.format == "json":
        print_json(
            {
                "kind": imported.kind,
                "files": arguments.files,
                "read": imported.counts,
                "written": written,
                "already_there": there,
                "refused": 0,
                "notes": imported.notes,
                "dry_run": arguments.dry_run,
            }
        )
        return
    print(f"read: {format_counts(imported.counts)}")
    verb = "would write" if arguments.dry_run else "written"
    print(f"{verb}: {format_counts(dict(sorted(written.items())))}; {there:,} {_THERE}")
