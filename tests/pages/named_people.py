"""A collection of people with names, and whether a page names them."""

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Dataframe

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.imports import write_import
from core.store.content.saved_rules import save_rule
from core.store.content.scales import get_scales
from core.store.store import Store
from core.versions.rules import QrelsRule
from pages.shared.navigation import PAGES

NAMES = ("Wilhelmina", "Bartholomew", "Ermintrude")
REMARK = "a remark of one person"
RESULTS = [page.path for page in PAGES if "viewer" in page.roles and "assessor" not in page.roles]


def give_names(store: Store, filled: str) -> None:
    """Add labels of people with names, with comments, their preferences, and a saved rule."""
    lines = ["assessor\ttopic\tdocument\tlevel\tgroup\tcomment"]
    lines += [
        f"{name.lower()}-id\t{topic}\t{document}\t{(place + number) % 4}\texperts\t{REMARK}"
        for place, name in enumerate(NAMES)
        for number, (topic, document) in enumerate(
            [("t1", "d1"), ("t1", "d2"), ("t1", "d3"), ("t2", "d2")]
        )
    ]
    preferences = ["topic\tleft\tright\tchoice\tstrength\tassessor"]
    preferences += [f"t1\td1\td2\tleft\t2\t{name.lower()}-id" for name in NAMES]
    for kind, rows in (("labels", lines), ("preferences", preferences)):
        options = {"scales": get_scales(store, filled)} if kind == "labels" else {}
        source = Source(f"{kind}.tsv", ("\n".join(rows) + "\n").encode())
        write_import(store, filled, read_import(kind, source, **options))
    for name in NAMES:
        with store.database.write() as cursor:
            cursor.execute(
                "UPDATE members SET name = ? WHERE assessor_id = ?", [name, f"{name.lower()}-id"]
            )
    rule = QrelsRule("a saved one", assessors=("wilhelmina-id", "ermintrude-id"))
    save_rule(store, filled, rule.name, rule.to_json())


def everything(at: AppTest) -> bytes:
    """Return what a page sent to the browser: the serialised elements, tables as they are."""
    stack, seen = [at._tree], b""
    while stack:
        node = stack.pop()
        stack.extend(getattr(node, "children", {}).values())
        proto = getattr(node, "proto", None)
        if proto is not None and hasattr(proto, "SerializeToString"):
            seen += proto.SerializeToString()
        if isinstance(node, Dataframe):
            seen += node.value.to_csv().encode()
    return seen


def named_in(sent: bytes) -> list[str]:
    told = [*NAMES, *(f"{name.lower()}-id" for name in NAMES), REMARK]
    return [name for name in told if name.encode() in sent]
