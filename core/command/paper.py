"""``dissent paper``: tables, figures, methods and BibTeX of a collection, as files."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from core.analysis.base.study import Study
from core.analysis.results.declared import declared_test
from core.analysis.results.qrels_choices import find_choice
from core.command.printing.output import print_json, print_notes
from core.command.stores import open_collection
from core.errors import BadInput
from core.paper.pack import make_pack


def run(arguments: Namespace) -> int:
    """Write the pack."""
    folder: Path = arguments.folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput("is there already and not an empty folder", file=str(folder))
    with open_collection(arguments) as (store, collection_id):
        study = Study(store, collection_id, is_masked=True)
        versions = [find_choice(study, name) for name in dict.fromkeys(arguments.versions)]
        pack = make_pack(
            study,
            versions,
            arguments.measures or (),
            replace(declared_test(study), test=arguments.test, correction=arguments.correction),
        )
    for path, content in pack.files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    print_notes(pack.notes)
    if arguments.format == "json":
        print_json({"folder": str(folder), "files": list(pack.files), "notes": pack.notes})
    else:
        print(f"{folder}: {len(pack.files):,} files; begin with paper.tex")
    return 0
