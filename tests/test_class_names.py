"""A class has a name of its own: what is read in one room is not another thing in the next."""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.test_layers import ROOT, sources

CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)[ \t]*[(:\[]", re.MULTILINE)


def find_twins(texts: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the class names that occur more than once, with the places of each."""
    places = defaultdict(list)
    for place, text in texts:
        for name in CLASS.findall(text):
            places[name].append(place)
    return {name: found for name, found in places.items() if len(found) > 1}


def read(path: Path) -> tuple[str, str]:
    return str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def test_no_two_classes_share_a_name():
    assert find_twins(map(read, sources())) == {}


def test_twins_are_found():
    texts = [
        ("core/a.py", "class Pair:\n    ...\n\n\nclass Other(Pair):\n    ..."),
        ("pages/b.py", "def f():\n    class Pair[T]:\n        ..."),
    ]
    assert find_twins(texts) == {"Pair": ["core/a.py", "pages/b.py"]}


def test_every_class_is_seen():
    assert sum(len(CLASS.findall(read(path)[1])) for path in sources()) > 500
