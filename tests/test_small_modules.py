"""A small module that one other imports stands in it, unless it is one of a folder of kinds."""

import re
from collections import defaultdict
from collections.abc import Mapping

from tests.each import each
from tests.test_layers import dotted, sources

SMALL = 90
"""Lines: with fewer a module of one importer has to say why it is one."""

KINDS = {
    "core.api.calls": "calls of the Python API, a module a subject",
    "core.collection.annotation_tools": "annotation tools, each with its files",
    "core.collection.topics_and_documents": "kinds of files, each with its formats",
    "core.measures": "measures and their families",
    "pages.api": "routes, a module a subject",
    "pages.api.v1": "routes of the REST API, a module a subject",
}
"""Folders whose modules are kinds of one thing, found by being there: each is its own, however
small it is and whoever builds on it."""

FROM = re.compile(r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|.*)", re.MULTILINE)
IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w.]+)", re.MULTILINE)


def read_sources() -> dict[str, str]:
    return {
        dotted(path).removesuffix(".__init__"): path.read_text(encoding="utf-8")
        for path in sources()
    }


def find_importers(texts: Mapping[str, str]) -> dict[str, set[str]]:
    """Return who imports each module, wherever in it and be it for types alone."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, text in texts.items():
        named = {*IMPORT.findall(text)}
        for module, names in FROM.findall(text):
            named |= {module, *(f"{module}.{one}" for one in re.findall(r"\w+", names))}
        for one in named & texts.keys() - {name}:
            found[one].add(name)
    return found


def find_lone(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return small modules that one alone imports, of the same folder of core or pages, and it.

    What another stage of the flow imports stays where it is: stages are apart whatever they hold.
    """
    importers = find_importers(texts)
    lone = [
        (name, next(iter(importers[name])))
        for name, text in sorted(texts.items())
        if text.count("\n") < SMALL and len(importers[name]) == 1
    ]
    return [(name, importer) for name, importer in lone if find_stage(name) == find_stage(importer)]


def find_stage(name: str) -> list[str]:
    return name.split(".")[:2]


def find_folder(name: str) -> str:
    return name.rpartition(".")[0]


def test_a_small_module_of_one_importer_is_of_a_kind():
    strays = [
        f"{name} into {importer}"
        for name, importer in find_lone(read_sources())
        if find_folder(name) not in KINDS
    ]
    assert strays == [], "join what is one subject, or join two of a subject to one module"


def test_no_folder_of_kinds_is_named_in_vain():
    assert {find_folder(name) for name, _ in find_lone(read_sources())} >= KINDS.keys()


BIG = "one = 1\n" * SMALL


@each(
    ("importing", "found"),
    [
        ({"core.store.b": "from core.store.a import one\n"}, ["core.store.a"]),
        ({"core.store.b": "from core.store import a\n"}, ["core.store.a"]),
        ({"core.store.b": "from core.store import (\n    a,\n    c,\n)\n"}, ["core.store.a"]),
        ({"core.store.b": "def f():\n    import core.store.a\n"}, ["core.store.a"]),
        ({"core.store.deep.b": "from core.store.a import one\n"}, ["core.store.a"]),
        ({"core.reports.b": "from core.store.a import one\n"}, []),
        ({"core.store.b": BIG, "core.store.c": "from core.store.b import one\n"}, []),
        ({"core.store.b": "import core.store.a\n", "core.store.c": "import core.store.a\n"}, []),
        ({"core.store.b": '"""As core.store.a has it."""\n'}, []),
    ],
)
def test_a_lone_module_is_found(importing: dict[str, str], found: list[str]):
    lone = find_lone({"core.store.a": "one = 1\n", **importing})
    assert [name for name, _ in lone] == found
