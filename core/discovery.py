"""Finding the modules of a folder, so that what is added to it needs no entry in a list."""

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules


@cache
def import_modules(package: str) -> None:
    """Import every module of a package, once; those of its folders, too."""
    for name in list_modules(package):
        import_module(name)


def list_modules(package: str) -> list[str]:
    """Return the full names of all modules of a package and its folders, in sorted order."""
    path = import_module(package).__path__
    names = {f"{package}.{found.name}" for found in iter_modules(path) if not found.ispkg}
    for folder in list_folders(package):
        names.update(list_modules(folder))
    return sorted(names)


def list_folders(package: str) -> list[str]:
    """Return the full names of the folders of a package, with or without an ``__init__.py``."""
    inside = [found for path in import_module(package).__path__ for found in Path(path).iterdir()]
    names = {found.name for found in inside if found.is_dir() and found.name.isidentifier()}
    return sorted(f"{package}.{name}" for name in names if not name.startswith("_"))
