"""Catalogues hold what is said in the code, all of it and nothing else, with the same facts."""

import ast
import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from core.glossary import GLOSSARY
from core.language.translate import ENGLISH, LANGUAGES, read_catalogue, speaking, spoken, t, tn
from core.settings import ROOT
from pages.shared.navigation import DESTINATIONS, PAGES

SCREEN = ROOT / "pages" / "judge" / "screen"
IN_SCRIPTS = re.compile(r'\bt\(\s*"((?:[^"\\]|\\.)*)"')
BY_NUMBER = re.compile(r'\btn\(\s*[^",]+,\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"')
IN_MARKUP = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
SAYS = re.compile(r"\btn?\s*\(")
FACT = re.compile(r"\{(\w+)\}")
OTHERS = [one for one in LANGUAGES if one != ENGLISH]


@cache
def list_modules() -> list[str]:
    """Return the text of every module."""
    paths = (path for folder in ("core", "pages") for path in (ROOT / folder).rglob("*.py"))
    return [path.read_text(encoding="utf-8") for path in sorted(paths)]


def list_named(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the texts that have a name in a module, with their names."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            names = [one.id for one in node.targets if isinstance(one, ast.Name)]
            yield from ((name, str(node.value.value)) for name in names)


@cache
def find_said() -> frozenset[str]:
    """Return every text that is translated where it stands."""
    return frozenset(_list_said())


def _list_said() -> Iterator[str]:
    for tree in (ast.parse(text) for text in list_modules() if SAYS.search(text)):
        named = dict(list_named(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("t", "tn"):
                texts = node.args[1:3] if getattr(node.func, "id", "") == "tn" else node.args[:1]
                yield from (one.value for one in texts if isinstance(one, ast.Constant))
                yield from (named[one.id] for one in texts if getattr(one, "id", "") in named)
    for path in sorted(SCREEN.rglob("*.js")):
        text = path.read_text(encoding="utf-8")
        yield from IN_SCRIPTS.findall(text)
        for pair in BY_NUMBER.findall(text):
            yield from pair
    yield from IN_MARKUP.findall((SCREEN / "screen.html").read_text(encoding="utf-8"))
    yield from (term.meaning for term in GLOSSARY)
    for page in PAGES:
        if "assessor" in page.roles:
            yield from (page.title, page.destination, DESTINATIONS[page.destination])


def find_constants(texts: set[str]) -> set[str]:
    """Return which texts stand in the code: some are made there and translated elsewhere.

    Only the modules are parsed that hold how one of them begins.
    """
    begins = re.compile("|".join(sorted(re.escape(text[:25]) for text in texts)))
    return texts & {
        node.value
        for tree in (ast.parse(text) for text in list_modules() if begins.search(text))
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


MONTHS = {f"{date(2026, month, 1):%B}" for month in range(1, 13)}


class Markup(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))


@pytest.mark.parametrize("language", OTHERS)
def test_everything_said_is_in_the_catalogue(language: str):
    said = find_said()
    assert len(said) > 200
    assert sorted(said - set(read_catalogue(language))) == []


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_else_is_in_the_catalogue(language: str):
    others = set(read_catalogue(language)) - find_said() - MONTHS
    assert sorted(others - find_constants(others)) == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_facts_and_the_tags_of_its_text(language: str):
    for text, found in read_catalogue(language).items():
        assert sorted(FACT.findall(found)) == sorted(FACT.findall(text)), text
        assert sorted(map(str, Markup(found).tags)) == sorted(map(str, Markup(text).tags)), text
        assert found.strip(), text
        assert (found[-1:] in ".?!:") == (text[-1:] in ".?!:"), text


def test_a_language_is_spoken_until_it_is_left():
    with speaking("de"):
        assert (spoken(), t("Next"), t("no such text")) == ("de", "Weiter", "no such text")
        assert tn(1, "{n} page", "{n} pages") == "1 Seite"
        with speaking("xx"):
            assert (spoken(), t("Next")) == (ENGLISH, "Next")
        assert t("Next: {query}", query="{n}") == "Weiter: {n}"
    assert tn(2, "{n} page", "{n} pages") == "2 pages"


def test_where_the_folder_of_the_catalogues_is():
    folder = Path(ROOT / "core" / "language" / "catalogues")
    assert sorted(one.stem for one in folder.iterdir()) == OTHERS
