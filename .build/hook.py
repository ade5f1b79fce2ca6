"""Builds the wheel: everything lies under ``dissent`` there, and is imported from there.

A checkout has the packages ``core`` and ``pages`` at its top. Other people may have packages of the
same names, so in the wheel they are ``dissent.core`` and ``dissent.pages``. The file selection and
the new places stand in pyproject.toml; this hook adds the package ``dissent`` itself, which lies
beside it, and changes the imports.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "dissent"
MOVED = ("core", "pages")
"""The packages that are elsewhere in the wheel."""

_EXAMPLE = re.compile(rf"^(\s*(?:>>>|\.\.\.) (?:from|import) )(?=(?:{'|'.join(MOVED)})\b)", re.M)
"""The beginning of an import in an example of a docstring."""


class WheelHook(BuildHookInterface[Any]):
    """Puts changed copies of the modules into the wheel in place of those of the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the copies and name them; an editable installation uses the checkout as it is."""
        if version == "editable":
            return
        typed = Path(self.root, ".build", "package", PACKAGE, "py.typed")
        build_data["force_include"][str(typed)] = typed.name
        self._copies = TemporaryDirectory()
        for place, source in self._find_modules():
            copy = Path(self._copies.name, place)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(move_imports(source.read_bytes(), place))
            build_data["force_include"][str(copy)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copies."""
        if version != "editable":
            self._copies.cleanup()

    def _find_modules(self) -> Iterator[tuple[str, Path]]:
        """Yield every module, after the place that it has in the package."""
        for file in self.build_config.builder.recurse_selected_project_files():
            if file.path.endswith(".py"):
                yield file.relative_path, Path(file.path)
        for source in sorted(Path(self.root, ".build", "package", PACKAGE).glob("*.py")):
            yield source.name, source


def move_imports(source: bytes, name: str) -> bytes:
    """Return the source of a module that imports what is moved from its new place.

    Raises
    ------
    ValueError
        It uses what it imports by the old name, as ``import core.errors`` allows.
    """
    tree = ast.parse(source, name)
    lines = source.splitlines(keepends=True)
    # From the end, so that what is put in moves no place that is still to come.
    for line, column in sorted(_find_places(tree), reverse=True):
        before, after = lines[line - 1][:column], lines[line - 1][column:]
        if not after.startswith(tuple(one.encode() for one in MOVED)):
            raise ValueError(f"{name}, line {line}: an import that this hook cannot read")
        lines[line - 1] = before + f"{PACKAGE}.".encode() + after
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if used := _find_plain(tree) & names:
        raise ValueError(f"{name}: uses {', '.join(used)} by name; write from … import …")
    return _EXAMPLE.sub(rf"\1{PACKAGE}.", b"".join(lines).decode()).encode()


def _find_places(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """Yield line and byte of the name of every moved module in an import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and _is_moved(node.module or ""):
            yield node.lineno, node.col_offset + len("from ")
        elif isinstance(node, ast.Import):
            yield from (
                (alias.lineno, alias.col_offset) for alias in node.names if _is_moved(alias.name)
            )


def _find_plain(tree: ast.AST) -> set[str]:
    """Return the packages that are imported by ``import package.module`` and not renamed."""
    return {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if _is_moved(alias.name) and not alias.asname
    }


def _is_moved(module: str) -> bool:
    return module.partition(".")[0] in MOVED
