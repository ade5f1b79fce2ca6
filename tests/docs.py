"""What follows from the registries: the handbook's tables, and what help reads.

``python -m tests.docs`` renews both.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from core.agreement.base import COEFFICIENTS
from core.clicks.click_model import CLICK_MODELS
from core.clicks.preference_rule import PREFERENCE_RULES
from core.collection.file_format import formats_of
from core.collection.formats import KINDS, find_kind, format_names
from core.glossary import GLOSSARY, Term
from core.interleaving.base import METHODS
from core.interleaving.users import USERS
from core.measures.base import MEASURES
from core.orders.base import ORDERS
from core.planning.designs import DESIGNS
from core.registered import RegisteredValue
from core.registry import Registry
from core.settings import ROOT
from core.store.schema.catalogue import COMPLETE, digest_all
from tests.adding import list_examples

README = ROOT / "README.md"
FOLDER = ROOT / ".docs"
REGISTERED = ROOT / "core" / "registered.json"

REGISTRIES = (
    *(ORDERS, MEASURES, COEFFICIENTS, DESIGNS),
    *(CLICK_MODELS, PREFERENCE_RULES, METHODS, USERS),
)
"""All that there are."""


def read_pages() -> dict[Path, str]:
    """Return the text of the README and of every page of the handbook."""
    paths = [README, *sorted((ROOT / ".docs").glob("*.md"))]
    return {path: path.read_text(encoding="utf-8") for path in paths}


def read_part(name: str) -> str:
    """Return what stands behind a mark such as ``<!-- python -->``, in whichever page has it."""
    (rest,) = [
        text.partition(f"<!-- {name} -->\n")[2]
        for text in read_pages().values()
        if f"<!-- {name} -->\n" in text
    ]
    return rest


def read_block(name: str) -> str:
    """Return the lines of the fence behind a mark."""
    return re.split(r"^```.*\n", read_part(name), flags=re.MULTILINE)[1]


def make_tables() -> dict[str, str]:
    """Return each table as Markdown, by the name that its place has."""
    return {
        "formats": "\n".join(map(_formats, KINDS)),
        "orders": _describe(ORDERS),
        "measures": _describe(MEASURES),
        "coefficients": _describe(COEFFICIENTS),
        "designs": _describe(DESIGNS),
        "click models": _describe(CLICK_MODELS),
        "preference rules": _describe(PREFERENCE_RULES),
        "adding": _list_examples(),
        "glossary": lay_out(Term._fields, list(GLOSSARY)),
    }


def lay_out_registered() -> str:
    """Return what `core.registered` reads: what is told of values and formats, as JSON."""
    values = {
        registry.kind: [
            {field: getattr(entry, field) for field in RegisteredValue._fields}
            for entry in registry
        ]
        for registry in REGISTRIES
    }
    told = {"formats": {kind: format_names(kind) for kind in KINDS}, "values": values}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def read_table(name: str) -> str:
    """Return a table as it stands in its page."""
    return read_part(name).partition("<!-- end -->")[0]


def put_in(tables: Mapping[str, str]) -> None:
    """Put tables into their pages, by the names of their places."""
    for name, table in tables.items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        ((path, text),) = [one for one in read_pages().items() if place.search(one[1])]
        renewed = place.sub(lambda found, made=table: found[1] + made + found[2], text)
        path.write_text(renewed, encoding="utf-8")


def _formats(kind: str) -> str:
    """Return a section with each format of a kind and a small file of it."""
    parts = [f"## {kind.capitalize()}\n\n{find_kind(kind).meaning}\n"]
    for entry in formats_of(kind):
        example = entry.example.rstrip("\n")
        parts.append(f"**{entry.name}**: {entry.layout}.\n\n```text\n{example}\n```\n")
    return "\n".join(parts)


def _list_examples() -> str:
    """Return what can be added, with the files that an example of it takes."""
    rows = []
    for one in list_examples():
        module, *tests = (f"`{name}`" for name in one.files)
        page = one.page.relative_to(ROOT).as_posix()
        rows.append((f"[{one.title}](../{page})", module, ", ".join(tests), str(len(one.files))))
    return lay_out(("what", "its file", "its test, or its row there", "files"), rows)


def _describe(registry: Registry) -> str:
    rows = [
        (entry.name, entry.description, f"`{entry.examples[-1]}`", entry.reference)
        for entry in registry
    ]
    return lay_out((registry.kind, "what", "written, say", "source"), rows)


def lay_out(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a table as Markdown."""
    lines = [header, ("---",) * len(header), *rows]
    return "".join("| " + " | ".join(map(_escape, cells)) + " |\n" for cells in lines)


def _escape(cell: str) -> str:
    return cell.replace("|", r"\|")


if __name__ == "__main__":
    REGISTERED.write_text(lay_out_registered(), encoding="utf-8")
    COMPLETE.write_text(f"{digest_all()}\n", encoding="utf-8")
    put_in(make_tables())
