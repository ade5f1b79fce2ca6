"""What follows from the registries: the README's tables, and what help reads.

``python -m tests.readme`` renews both.
"""

import json
import re

from core.agreement.base import COEFFICIENTS
from core.clicks.click_model import CLICK_MODELS
from core.clicks.preference_rule import PREFERENCE_RULES
from core.collection.file_format import formats_of
from core.collection.formats import KINDS, format_names
from core.glossary import GLOSSARY, Term
from core.interleaving.base import METHODS
from core.interleaving.users import USERS
from core.measures.base import MEASURES
from core.orders.base import ORDERS
from core.planning.designs import DESIGNS
from core.registered import Entry
from core.registry import Registry
from core.settings import ROOT

README = ROOT / "README.md"
REGISTERED = ROOT / "core" / "registered.json"

REGISTRIES = (
    *(ORDERS, MEASURES, COEFFICIENTS, DESIGNS),
    *(CLICK_MODELS, PREFERENCE_RULES, METHODS, USERS),
)
"""All that there are."""


def make_tables() -> dict[str, str]:
    """Return each table as Markdown, by the name that its place in the README has."""
    return {
        "formats": lay_out(("what", "formats"), [(kind, _formats(kind)) for kind in KINDS]),
        "orders": _describe(ORDERS),
        "measures": _describe(MEASURES),
        "coefficients": _describe(COEFFICIENTS),
        "designs": _describe(DESIGNS),
        "click models": _describe(CLICK_MODELS),
        "preference rules": _describe(PREFERENCE_RULES),
        "glossary": lay_out(Term._fields, list(GLOSSARY)),
    }


def lay_out_registered() -> str:
    """Return what `core.registered` reads: what is told of values and formats, as JSON."""
    values = {
        registry.kind: [
            {field: getattr(entry, field) for field in Entry._fields} for entry in registry
        ]
        for registry in REGISTRIES
    }
    told = {"formats": {kind: format_names(kind) for kind in KINDS}, "values": values}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def put_in(text: str) -> str:
    """Return the README's text with its tables as they should be."""
    for name, table in make_tables().items():
        text = replace_table(text, name, table)
    return text


def replace_table(text: str, name: str, table: str) -> str:
    """Return the README's text with one table as it should be."""
    place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    text, places = place.subn(lambda found: found[1] + table + found[2], text)
    assert places == 1, f"the README has no place for the table of {name}"
    return text


def _formats(kind: str) -> str:
    return "; ".join(f"**{entry.name}** {entry.layout}" for entry in formats_of(kind))


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
    README.write_text(put_in(README.read_text(encoding="utf-8")), encoding="utf-8")
