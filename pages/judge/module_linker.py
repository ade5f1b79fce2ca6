"""Joins ES modules into one: Streamlit takes a component's script as a single text.

The browser loads that text from a blob, from where no relative import leads anywhere. Each module
becomes a function of its own, so that what it does not export stays private, and is called once,
after the modules that it imports from. Nothing is fetched at run time. Comments with types, from
``/**`` to ``*/``, do not go along.

A module may use these forms, each at the beginning of a line:

- ``import { one, another } from "./folder/file.js";``
- ``export`` before a named ``function``, ``async function``, ``class`` or ``const``
- ``export default function name``, in the entry only
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

_IMPORT = re.compile(
    r'^import \{(\s*[\w$]+(?:\s*,\s*[\w$]+)*\s*,?\s*)\} from "(\.\.?/[^"\n]+)";$', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) ([\w$]+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default (?=function ([\w$]+))", re.MULTILINE)
_NOTE = re.compile(r"^[ \t]*/\*\*.*?\*/[ \t]*\n|/\*\*.*?\*/ ?", re.MULTILINE | re.DOTALL)
"""What is said of functions, and their types: for readers and the type checker."""

_OTHER_FORM = re.compile(r"^\s*(?:import|export)\b.*|\bimport\s*[.(].*", re.MULTILINE)


class LinkError(ValueError):
    """Modules that cannot be joined: the message names the file and the reason."""


@dataclass(frozen=True)
class Module:
    """One file: what it takes from which others, what it gives, and its code without both."""

    path: Path
    imports: tuple[tuple[Path, tuple[str, ...]], ...]
    exports: tuple[str, ...]
    default: str | None
    code: str


def link(folder: Path, entry: str, given: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return one module that does what the entry does.

    Parameters
    ----------
    folder : Path
        Where all modules lie.
    entry : str
        The file in it that has the default export.
    given : mapping of str to str, optional
        The text of some files, by their path in the folder, in place of what stands there.

    Raises
    ------
    LinkError
        A file is missing or outside the folder, a name is not exported, modules import one
        another in a circle, or a form of import or export is none of those above.
    """
    joined, main = _join(folder, entry, given)
    return f"{joined}\nexport default {main};\n"


def link_script(folder: Path, entry: str, given: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return one classic script that calls what the entry exports by default.

    A service worker is such a script: not every browser takes a module for one. Parameters and
    errors are those of `link`.
    """
    joined, main = _join(folder, entry, given)
    return f'"use strict";\n(() => {{\n{joined}\n{main}();\n}})();\n'


def _join(folder: Path, entry: str, given: Mapping[str, str]) -> tuple[str, str]:
    """Return all modules as constants, and the name of the entry's default export."""
    texts = {(folder / name).resolve(): text for name, text in given.items()}
    modules = list(_walk(folder.resolve(), (folder / entry).resolve(), (), {}, texts))
    *others, first = modules
    if first.default is None:
        raise LinkError(f"{entry}: no default export")
    for module in others:
        if module.default is not None:
            raise LinkError(f"{module.path.name}: only the entry has a default export")
    names = {module.path: f"module{number}" for number, module in enumerate(modules)}
    wrapped = [_wrap(module, names, folder.resolve()) for module in modules]
    return "\n".join(wrapped), f"{names[first.path]}.{first.default}"


def read_module(path: Path, text: str | None = None) -> Module:
    """Read one file, or what is given in its place, and find its imports and exports."""
    if text is None:
        text = path.read_text(encoding="utf-8")
    text = _NOTE.sub("", text)
    imports = tuple(
        ((path.parent / found[2]).resolve(), tuple(re.findall(r"[\w$]+", found[1])))
        for found in _IMPORT.finditer(text)
    )
    defaults = _DEFAULT.findall(text)
    code = _IMPORT.sub("", _DEFAULT.sub("", _EXPORT.sub("", text)))
    if other := _OTHER_FORM.search(code):
        raise LinkError(f"{path.name}: cannot be joined: {other[0].strip()}")
    default = defaults[0] if defaults else None
    return Module(path, imports, tuple(_EXPORT.findall(text)), default, code.strip())


def _walk(
    folder: Path,
    path: Path,
    way: tuple[Path, ...],
    seen: dict[Path, Module],
    texts: Mapping[Path, str],
) -> Iterator[Module]:
    """Yield a module after all that it imports from, each once."""
    if path in way:
        circle = " → ".join(one.name for one in (*way[way.index(path) :], path))
        raise LinkError(f"modules import one another in a circle: {circle}")
    if path in seen:
        return
    if folder not in path.parents or not path.is_file():
        raise LinkError(f"{way[-1].name if way else folder}: there is no module {path.name} here")
    module = read_module(path, texts.get(path))
    for other, names in module.imports:
        yield from _walk(folder, other, (*way, path), seen, texts)
        _check(module, seen[other], names)
    seen[path] = module
    yield module


def _check(module: Module, other: Module, names: tuple[str, ...]) -> None:
    unknown = sorted(set(names) - set(other.exports))
    if unknown:
        raise LinkError(
            f"{module.path.name}: {other.path.name} does not export {', '.join(unknown)}"
        )


def _wrap(module: Module, names: dict[Path, str], folder: Path) -> str:
    """Return the module as a constant: an object of what it exports."""
    taken = ", ".join(f"{{ {', '.join(wanted)} }}" for _, wanted in module.imports)
    given = ", ".join(names[path] for path, _ in module.imports)
    exported = ", ".join((*module.exports, *([module.default] if module.default else [])))
    return (
        f"// {module.path.relative_to(folder).as_posix()}\n"
        f"const {names[module.path]} = (({taken}) => {{\n"
        f"{module.code}\n"
        f"return {{ {exported} }};\n"
        f"}})({given});"
    )
