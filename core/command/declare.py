"""``dissent declare``: what a study declares, so that its results begin there."""

from argparse import Namespace
from dataclasses import fields

from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study
from core.analysis.collection.declaring import declare
from core.command.printing.output import print_json
from core.command.printing.tables import format_table
from core.command.stores import open_collection
from core.store.content.declarations import Declaration


def run(arguments: Namespace) -> int:
    """Change what is asked for, and print what is declared."""
    given = {one.name: getattr(arguments, one.name) for one in fields(Declaration)}
    changes = {name: value for name, value in given.items() if value is not None}
    if "topics" in changes:
        changes["topics"] = tuple(changes["topics"])
    if "personal" in changes:
        changes["personal"] = changes["personal"] == "yes"
    with open_collection(arguments) as (store, collection_id):
        study = Study(store, collection_id, is_masked=True)
        declared = declare(study, changes) if changes else declared_of(study)
    if arguments.format == "json":
        print_json(declared.to_dict())
        return 0
    rows = [[name.replace("_", " "), _write(value)] for name, value in vars(declared).items()]
    print(format_table(["declared", ""], rows))
    return 0


def _write(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(value) or "all"
    return f"{value:g}" if isinstance(value, float) else str(value) or "none"
