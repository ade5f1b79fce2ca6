import sys

import pytest

from core.discovery import import_modules, list_folders, list_modules


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package below another one, with folders that have no ``__init__.py`` and one that has."""
    files = ["b.py", "a.py", "deep/er/c.py", "whole/__init__.py", "whole/d.py", "not-a-name/e.py"]
    files += ["__pycache__/f.py", "notes.txt"]
    for file in files:
        path = tmp_path / "some_house" / "room" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield "some_house.room"
    for name in [name for name in sys.modules if name.startswith("some_house")]:
        del sys.modules[name]


def test_modules_are_found_in_order_and_in_folders(package):
    inside = ["a", "b", "deep.er.c", "whole.d"]
    assert list_modules(package) == [f"{package}.{name}" for name in inside]
    assert list_folders(package) == [f"{package}.deep", f"{package}.whole"]


def test_all_are_imported(package):
    import_modules(package)
    assert {f"{package}.a", f"{package}.deep.er.c"} <= set(sys.modules)
