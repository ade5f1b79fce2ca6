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
    names: set[str] = set()
    for path in import_module(package).__path__:
        names.update(f"{package}.{found.name}" for found in iter_modules([path]))
        for folder in Path(path).iterdir():  # pkgutil passes over folders without __init__.py
            if folder.is_dir() and folder.name.isidentifier() and not folder.name.startswith("_"):
                names.update(list_modules(f"{package}.{folder.name}"))
    return sorted(names)
