"""``dissent import``: files into a collection, whole or not at all."""

from argparse import Namespace
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from core.collection.detection import require_kind
from core.collection.files.source import Source
from core.collection.formats import KINDS, option_names, read_import
from core.collection.public_datasets import PREFIX, load_dataset
from core.collection.records import Import, Scale, default_scales
from core.command.arguments.shared import QRELS_READING, RUN_READING, chosen_reading, merge_pairs
from core.command.files.label_files import label_options
from core.command.files.reading import open_source
from core.command.printing.output import print_json, print_notes, show_progress
from core.command.printing.tables import format_counts
from core.command.stores import open_at, store_place
from core.errors import BadInput, NotFound
from core.place import Place
from core.store.content.aspects import read_aspect_scales
from core.store.content.collections import create_collection, find_collection
from core.store.content.imports import NAMED, Incoming, write_imports
from core.store.content.scales import get_scales
from core.store.opening import has_store
from core.store.store import Store

_THERE = "already there"


def run(arguments: Namespace) -> int:
    """Import files and print what was read and written."""
    files = _sort_files(arguments)
    if arguments.name and not files.keys() & set(NAMED):
        arguments.parser.error(f"--name is for {' and '.join(NAMED)}")
    if arguments.lenient and "clicks" not in files:
        arguments.parser.error("--lenient is for clicks")
    if arguments.aspect and "aspects" not in files:
        arguments.parser.error("--aspect is for aspects")
    if is_of_machine(arguments) and list(files) != ["labels"]:
        arguments.parser.error("what is said of a machine is for labels: import labels --machine …")
    place = store_place(arguments)
    is_there = has_store(place)
    if not (is_there or arguments.create):
        raise NotFound(f"There is no store {place}; --create makes it.")
    with open_at(place) if is_there else nullcontext() as store:
        incoming, written = _import(place, store, arguments, files)
    names = [[source.name for source in sources] for sources in files.values()]
    _report(arguments, incoming, names, written)
    return 0


def _import(
    place: Place, store: Store | None, arguments: Namespace, files: dict[str, list[Source]]
) -> tuple[list[Incoming], list[dict[str, int]]]:
    """Read the files and write what they hold; there may be no store yet. Returns the counts."""
    stored, of_aspects = _find_scales(store, arguments) if store else (None, {})
    given = dict(arguments.scale)
    if stored is not None:
        _refuse_other_scales(given, stored)
    scales = stored or {**default_scales(), **given}
    by_kind = {"labels": scales, "aspects": of_aspects}
    incoming = [
        Incoming(
            read_import(
                kind,
                sources,
                format_name=arguments.file_format,
                progress=show_progress,
                **_options(arguments, kind, list(files), by_kind.get(kind, {})),
            ),
            arguments.name if kind in NAMED else "",
        )
        for kind, sources in files.items()
    ]
    if stored is None and arguments.dry_run:
        frames = [one.imported.frames for one in incoming]
        return incoming, [
            {name: len(frame) for name, frame in one.items()} | {_THERE: 0} for one in frames
        ]
    with nullcontext(store) if store else open_at(place) as opened:
        if stored is None:
            collection_id = create_collection(opened, arguments.collection, scales=scales)
        else:
            collection_id = find_collection(opened, arguments.collection)
        return incoming, write_imports(opened, collection_id, incoming, rehearse=arguments.dry_run)


def _sort_files(arguments: Namespace) -> dict[str, list[Source]]:
    """Return the files by kind: the kind that is named first, or what each seems to hold."""
    first, *others = arguments.files
    if first in KINDS and others:
        return {first: [_open(first, file) for file in others]}
    if unnamed := [file for file in arguments.files if file.startswith(PREFIX)]:
        arguments.parser.error(f"say what to take of {unnamed[0]}: dissent import topics …")
    sorted_out: dict[str, list[Source]] = {}
    for source in map(open_source, arguments.files):
        kind = require_kind(source)
        sorted_out.setdefault(kind, []).append(source)
        print_notes([f"{source.name} holds {kind}"])
    return {kind: sorted_out[kind] for kind in KINDS if kind in sorted_out}


def _open(kind: str, file: str) -> Source:
    """Return a file, or a data set that is named in place of one."""
    return load_dataset(kind, file) if file.startswith(PREFIX) else open_source(file)


def _find_scales(
    store: Store, arguments: Namespace
) -> tuple[dict[str, Scale] | None, dict[str, Scale]]:
    """Return the scales of the collection, None where it is still to be made, and of aspects."""
    try:
        found = find_collection(store, arguments.collection)
        return get_scales(store, found), read_aspect_scales(store, found)
    except NotFound as error:
        if arguments.create:
            return None, {}
        raise NotFound(f"{error} --create makes it.") from error


def _refuse_other_scales(given: dict[str, Scale], stored: dict[str, Scale]) -> None:
    for facet, scale in given.items():
        if [level.level for level in scale] != [level.level for level in stored.get(facet, ())]:
            raise BadInput(
                f"the collection has another {facet} scale; change it in the app, or leave "
                "--scale out",
                field="scale",
            )


def _options(
    arguments: Namespace, kind: str, kinds: Sequence[str], scales: dict[str, Scale]
) -> dict[str, Any]:
    """Return what was chosen for reading a kind.

    Of several kinds each takes what it knows; the reader refuses what none of them does. Names
    of columns are those of the labels where there are some. ``scales`` are those of this kind.
    """
    options = label_options(arguments) | machine_options(arguments)
    options.pop("scales", None)
    if kind in ("labels", "aspects"):
        options["scales"] = scales
    if kind == "labels":
        options.pop("aspect", None)
    extra = {
        "facet": arguments.facet,
        "texts": arguments.texts,
        "lenient": arguments.lenient,
        **chosen_reading(arguments, RUN_READING | QRELS_READING),
    }
    options |= {name: value for name, value in extra.items() if value}
    labelled = {"columns"} if kind != "labels" and "labels" in kinds else set()
    own = set(option_names(kind)) - labelled
    elsewhere = {name for other in kinds for name in option_names(other)}.difference(own)
    return {name: value for name, value in options.items() if name not in elsewhere}


def _report(
    arguments: Namespace,
    incoming: list[Incoming],
    names: list[list[str]],
    written: list[dict[str, int]],
) -> None:
    """Print what was read and written of each kind; as JSON under "imports" if of several."""
    imports = [one.imported for one in incoming]
    for imported in imports:
        print_notes(imported.notes)
    if arguments.format == "json":
        reports = [
            _tell(arguments, imported, files, counts)
            for imported, files, counts in zip(imports, names, written, strict=True)
        ]
        print_json(reports[0] if len(reports) == 1 else {"imports": reports})
        return
    verb = "would write" if arguments.dry_run else "written"
    for imported, counts in zip(imports, written, strict=True):
        there = counts.pop(_THERE)
        print(f"read: {format_counts(imported.counts)} ({' and '.join(imported.formats)})")
        print(f"{verb}: {format_counts(dict(sorted(counts.items())))}; {there:,} {_THERE}")


def _tell(
    arguments: Namespace, imported: Import, files: list[str], counts: dict[str, int]
) -> dict[str, Any]:
    there = counts.pop(_THERE)
    return {
        "kind": imported.kind,
        "files": files,
        "formats": list(imported.formats),
        "read": imported.counts,
        "written": counts,
        "already_there": there,
        "refused": 0,
        "notes": imported.notes,
        "dry_run": arguments.dry_run,
    }


_DESCRIPTION = {
    "model": "model",
    "version": "model_version",
    "prompt": "prompt",
    "parameters": "parameters",
    "date": "date",
}


def is_of_machine(arguments: Namespace) -> bool:
    """Tell whether anything is said of a machine."""
    return any(getattr(arguments, one) for one in ("machine", "map", *_DESCRIPTION.values()))


def machine_options(arguments: Namespace) -> dict[str, Any]:
    """Return what was chosen, as ``read_import`` takes it; what was not is left out."""
    description = {name: getattr(arguments, option) for name, option in _DESCRIPTION.items()}
    if description["prompt"]:
        description["prompt"] = open_source(description["prompt"]).text
    options = {
        "machine": arguments.machine,
        "description": {name: text for name, text in description.items() if text},
        "mapped": merge_pairs(arguments.map),
    }
    return {name: value for name, value in options.items() if value}
