"""What reaches what: a graph of the definitions in core, pages and tests, read and not run.

A node is a place: a definition at the top of a module, ``("core.errors", "BadInput")``, or what a
module does when it is imported, ``("core.errors", "")``; all of a module is ``("core.errors",
"*")``. A file that is no module is ``("pages/shared/styles/frame.css", "")``. Names lead to
definitions; texts lead to modules and files that they name, and paths to what lies there. Types
that are merely annotated lead nowhere: who hands the object over made it.
"""

import ast
import pickle
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

Node = tuple[str, str]
Function = ast.FunctionDef | ast.AsyncFunctionDef

PARTS = ("core/", "pages/", "tests/", "sample_data/")
CACHE = Path(".pytest_cache") / "definitions.pickle"
ROUTES = {
    ("pages.api.v1.table", "ROUTES"): ("v1", "/api/v1"),
    ("pages.api.public_results", "show_results"): ("public",),
    ("pages.api.public_results", "give_file"): ("public",),
}
"""Routes that ask for analyses: doors to who has these words."""

LISTS = {
    *(("core.command.main", "COMMANDS"), ("pages.shared.page", "PAGES")),
    *(("pages.shared.page", "DESTINATIONS"), ("pages.shared.navigation", "ORDER")),
}
"""Who reads one of these goes through all doors."""

ANY = "*"
NOT_IN_FILES = {"on_engine"}
"""Fixtures of all tests that do nothing while stores are in files."""

_WORD = re.compile(r"[\w-]+")
_NAMED = re.compile(r"(?:core|pages|tests|dissent|app)\b[\w.]*")
_SCRIPT = re.compile(r"^\s*(?:from|import) ((?:core|pages|tests|dissent)\b[\w.]*)", re.MULTILINE)


@dataclass
class Definition:
    """What one definition mentions."""

    names: set[tuple[str, ...]] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    arguments: set[str] = field(default_factory=set)
    paths: set[tuple[str, str, bool]] = field(default_factory=set)
    """A path from a name or from this file (""), and whether more is put behind it here."""

    registered: list[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    """Decorators by which it is found later, and the texts that they are given."""

    calls: list[tuple[str, ...]] = field(default_factory=list)
    """Texts that stand together in one call."""

    is_fixture: bool = False
    for_all: bool = False
    walks: bool = False
    finds_modules: str = ""


@dataclass
class Module:
    """The definitions of a module, and what its imports bind: a module, and a name in it."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    bindings: dict[str, Node] = field(default_factory=dict)
    imported: set[Node] = field(default_factory=set)


def read_module(source: str) -> Module:
    """Return what the source of a module defines and mentions."""
    found, tree = Module(), _parse(source)
    for statement in tree.body:
        names = list(_defined(statement))
        if isinstance(statement, ast.Import | ast.ImportFrom):
            found.imported |= {place for _, place in _bound(statement)}
        for name in names or [""]:
            _read(statement, found.definitions.setdefault(name, Definition()))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.bindings.update(_bound(node))
    found.definitions.setdefault("", Definition())
    return found


def _defined(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, Function | ast.ClassDef):
        yield statement.name
    if isinstance(statement, ast.If) and "'__main__'" in ast.unparse(statement.test):
        yield "__main__"
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    for target in targets:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _bound(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Node]]:
    if isinstance(node, ast.ImportFrom):
        yield from ((one.asname or one.name, (node.module or "", one.name)) for one in node.names)
    else:
        for one in node.names:
            yield one.asname or one.name, (one.name, "")


def _read(statement: ast.stmt, into: Definition) -> None:
    if isinstance(statement, Function):
        into.arguments |= {one.arg for one in ast.walk(statement.args) if isinstance(one, ast.arg)}
    if isinstance(statement, Function | ast.ClassDef):
        for decorator in statement.decorator_list:
            _read_decorator(decorator, into)
    for node in _walk(statement):
        _read_node(node, into)


def _read_decorator(decorator: ast.expr, into: Definition) -> None:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    chain = _chain(called)
    if chain[-1:] == ("fixture",):
        into.is_fixture = True
        into.for_all = "autouse" in ast.dump(decorator)
    elif chain[-1:] == ("register",):
        into.registered.append((chain[:-1], ()))
    elif chain and isinstance(decorator, ast.Call):
        into.registered.append((chain, tuple(_texts_in(decorator))))


def _read_node(node: ast.AST, into: Definition) -> None:
    if isinstance(node, ast.Name):
        into.names.add((node.id,))
    elif isinstance(node, ast.Attribute):
        into.walks |= node.attr in ("rglob", "glob", "iterdir")
        if chain := _chain(node):
            into.names.add(chain)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        into.texts.add(node.value)
    elif isinstance(node, ast.Call):
        if len(texts := tuple(_texts_in(node))) > 1:
            into.calls.append(texts)
        if ("__package__",) in map(_chain, node.args):
            into.finds_modules = into.finds_modules or "."
    elif isinstance(node, ast.JoinedStr):
        parts = [ast.unparse(one) for one in node.values]
        if any("__package__" in one for one in parts):
            into.finds_modules = "".join(
                str(one.value) for one in node.values if isinstance(one, ast.Constant)
            )
    if isinstance(node, ast.expr) and (path := _read_path(node)):
        into.paths.add(path)


def _texts_in(call: ast.Call) -> Iterator[str]:
    for one in call.args:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def _chain(node: ast.expr) -> tuple[str, ...]:
    """Return the names of ``a.b.c``, or nothing where it does not begin with a name."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ast.Name) else ()


def _read_path(node: ast.expr) -> tuple[str, str, bool] | None:
    """Return where ``Path(__file__).parent / "a"`` or ``FOLDER / "a" / name`` leads."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        base = _read_path(node.left) or _begin_path(node.left)
        if base is None or base[2]:
            return base
        if isinstance(node.right, ast.Constant):
            return base[0], f"{base[1]}/{node.right.value}", False
        return *base[:2], True
    if isinstance(node, ast.Attribute) and node.attr == "parent":
        base = _read_path(node.value) or _begin_path(node.value)
        return base and (base[0], f"{base[1]}/..", base[2])
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
        base = _read_path(node.value.value) or _begin_path(node.value.value)
        if base and node.value.attr == "parents" and isinstance(node.slice, ast.Constant):
            return base[0], f"{base[1]}{'/..' * (int(str(node.slice.value)) + 1)}", False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "resolve":
            return _read_path(node.func.value)
        if node.func.attr == "with_name" and (texts := list(_texts_in(node))):
            return "", f"/../{texts[0]}", False
    return _begin_path(node) if isinstance(node, ast.Call) else None


def _begin_path(node: ast.expr) -> tuple[str, str, bool] | None:
    if isinstance(node, ast.Name):
        return node.id, "", False
    of_file = isinstance(node, ast.Call) and list(map(_chain, node.args)) == [("__file__",)]
    return ("", "", False) if of_file else None


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a statement consists of, without annotations and where it is registered."""
    waiting: deque[ast.AST] = deque([node])
    while waiting:
        one = waiting.popleft()
        yield one
        if isinstance(one, ast.Attribute) and _chain(one):
            continue
        for name, value in ast.iter_fields(one):
            if name in ("annotation", "returns"):
                continue
            parts = value if isinstance(value, list) else [value]
            if name == "decorator_list":
                parts = [part for part in parts if _chain(part)[-1:] != ("register",)]
            waiting.extend(part for part in parts if isinstance(part, ast.AST))


def differing(before: str, after: str) -> set[str]:
    """Return which definitions differ between two sources; comments and layout do not count."""
    old, new = (_dump(source) for source in (before, after))
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def _dump(source: str) -> dict[str, str]:
    found: dict[str, str] = defaultdict(str)
    for statement in _parse(source).body:
        for name in list(_defined(statement)) or [""]:
            found[name] += ast.dump(statement)
    return found


def _parse(source: str) -> ast.Module:
    """Parse a module; docstrings go, unless it reads them."""
    tree = ast.parse(source)
    if "__doc__" not in source:
        for node in ast.walk(tree):
            if isinstance(node, Function | ast.ClassDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
    return tree


def read_modules(root: Path, files: Iterable[str]) -> dict[str, Module]:
    """Return the modules among files, by their paths; those read before are kept in a file."""
    kept: dict[str, Module] = {}
    known = sha256(Path(__file__).read_bytes()).hexdigest()
    if (root / CACHE).is_file():
        version, kept = pickle.loads((root / CACHE).read_bytes())
        kept = kept if version == known else {}
    found, used = {}, {}
    for file in files:
        content = (root / file).read_bytes()
        key = sha256(content).hexdigest()
        found[file] = used[key] = kept.get(key) or read_module(content.decode())
    if used.keys() != kept.keys():
        (root / CACHE).parent.mkdir(exist_ok=True)
        (root / CACHE).write_bytes(pickle.dumps((known, used)))
    return found


def name_module(file: str) -> str:
    """Return the dotted name by which a file is imported."""
    place = PurePosixPath(file.removeprefix(".build/package/"))
    return ".".join(place.with_suffix("").parts).removesuffix(".__init__")


@dataclass(frozen=True)
class Door:
    """What is reached by its name only: a command, a page; ``words`` are its names."""

    hall: Node
    place: Node
    words: tuple[str, ...]


class Graph:
    """What reaches what among the files of a checkout."""

    def __init__(self, root: Path, files: Iterable[str]) -> None:
        self.files = sorted(files)
        read = read_modules(root, [one for one in self.files if one.endswith(".py")])
        self.modules = {name_module(file): module for file, module in read.items()}
        self.file_of = {name_module(file): file for file in read}
        self._named = {file: name_module(file) for file in read}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for file in self.files:
            self._by_name[PurePosixPath(file).name].append(file)
        self.leads: dict[Node, set[Node]] = defaultdict(set)
        self.doors: list[Door] = []
        for name in self.modules:
            self._connect(name)

    @cached_property
    def led_from(self) -> Mapping[Node, set[Node]]:
        """Return who reaches a node directly."""
        back: dict[Node, set[Node]] = defaultdict(set)
        for node, others in self.leads.items():
            for other in others:
                back[other].add(node)
        return back

    def node_of(self, file: str) -> Node:
        """Return what stands for all of a file."""
        return (self._named[file], "*") if file in self._named else (file, "")

    def definition(self, node: Node) -> Definition | None:
        """Return a definition, where the node is one."""
        module = self.modules.get(node[0])
        return module.definitions.get(node[1]) if module else None

    def count_tests(self, file: str) -> int:
        """Return how many tests a file has."""
        module = self.modules.get(name_module(file), Module())
        return sum(map(is_test, module.definitions))

    def reaching(self, nodes: Iterable[Node]) -> set[Node]:
        """Return these nodes and all that reach them, by no door."""
        found, waiting = set(nodes), deque(nodes)
        while waiting:
            for other in self.led_from.get(waiting.popleft(), ()):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def words_of(self, node: Node) -> set[str]:
        """Return the texts, and the words in them, that the tests' part of a node's reach has."""
        found, waiting, words = {node}, deque([node]), set()
        while waiting:
            here = waiting.popleft()
            for text in one.texts if (one := self.definition(here)) else ():
                # Of a sentence the words say nothing; of an address and a command line they do.
                found_words = _WORD.findall(text)
                is_sentence = " " in text and " -" not in text and "dissent " not in text
                words |= {text, *found_words[: 1 if is_sentence else None]}
            others = self.leads.get(here, set())
            words |= {ANY} if others & LISTS else set()
            fresh = {one for one in others - found if one[0].startswith("tests.")}
            found |= fresh
            waiting.extend(fresh)
        return words

    def _connect(self, name: str) -> None:
        module = self.modules[name]
        everything, imported = (name, "*"), (name, "")
        for place in module.imported:
            self.leads[imported] |= {(one, "") for one, _ in self._targets(place)}
        for part, definition in module.definitions.items():
            node = (name, part)
            self.leads[everything].add(node)
            self.leads[node].add(imported)
            self.leads[node].update(self._mentioned(name, definition))
            self.leads[node].discard(node)
            for route in ROUTES if node == ("pages.api.routes", "ROUTES") else ():
                self.leads[node].discard(route)
                self.doors.append(Door(node, route, ROUTES[route]))
            self._register(name, node, definition)
        if self.file_of[name].startswith("tests/"):
            self._connect_fixtures(name)

    def _mentioned(self, name: str, definition: Definition) -> Iterator[Node]:
        module = self.modules[name]
        for chain in definition.names:
            first, rest = chain[0], chain[1:]
            if first in module.definitions:
                yield name, first
            if first in module.bindings:
                yield from self._follow(module.bindings[first], rest)
            for length in range(2, len(chain) + 1):  # import core.errors
                if (dotted := ".".join(chain[:length])) in module.bindings:
                    yield from self._follow((dotted, ""), chain[length:])
        for text in definition.texts - {name}:
            yield from self._named_in(text, definition, self.file_of[name])
        for base, steps, is_open in definition.paths:
            # The folders on the way to a place are not what is meant.
            if is_open or not any(
                one[0] == base and one[1].startswith(f"{steps}/") for one in definition.paths
            ):
                yield from self._at(name, base, steps, is_open or definition.walks)
        if definition.finds_modules:
            package = name.rpartition(".")[0]
            beside = f"{package}{definition.finds_modules.rstrip('.')}."
            yield from ((one, "*") for one in self.modules if one.startswith(beside))

    def _follow(self, place: Node, rest: tuple[str, ...]) -> Iterator[Node]:
        """Yield what a bound name and the names behind it lead to."""
        for module, part in self._targets(place):
            if part != "*" or not rest:
                yield module, part
                continue
            deeper = list(self._targets((module, rest[0])))
            yield from deeper if rest[1:] == () else self._follow((module, rest[0]), rest[1:])

    def _targets(self, place: Node) -> Iterator[Node]:
        """Yield a definition, or all of a module, followed through those who pass it on."""
        module, part = place
        if part and f"{module}.{part}" in self.modules:
            yield f"{module}.{part}", "*"
        elif module in self.modules:
            if part in ("", "*"):
                yield module, "*"
            elif part not in (there := self.modules[module]).definitions and part in there.bindings:
                yield module, ""
                yield from self._targets(there.bindings[part])
            else:
                yield module, part
        else:  # it is not ours, or not there any more
            yield module, part

    def _named_in(self, text: str, definition: Definition, by: str) -> Iterator[Node]:
        if len(text) > 200:
            for dotted in _SCRIPT.findall(text):
                yield from self._module_named(dotted)
            return
        if _NAMED.match(text) and not any(text in call[1:] for call in definition.calls):
            for dotted in _NAMED.findall(text):
                yield from self._module_named(dotted)
        for file in self._files_named(text):
            # The product reads nothing but what is part of it.
            if by.startswith("tests/") or file.startswith(("core/", "pages/", "app.py")):
                yield self.node_of(file)

    def _module_named(self, dotted: str) -> Iterator[Node]:
        whole, _, part = dotted.rpartition(".")
        if dotted in self.modules:
            yield dotted, "*"
            if f"{dotted}.__main__" in self.modules:
                yield f"{dotted}.__main__", "*"
        elif whole in self.modules:
            yield whole, part

    def _files_named(self, text: str) -> Iterator[str]:
        for word in text.split():
            for file in self._by_name.get(word.rpartition("/")[2], ()):
                if file == word or file.endswith(f"/{word}"):
                    yield file

    def _at(self, name: str, base: str, steps: str, is_open: bool) -> Iterator[Node]:
        """Yield what lies at a path, where more of it is open in the whole folder."""
        place = self._place(name, base, steps)
        if place in self._named or place in self.files:
            yield self.node_of(place)
        elif place is not None and (is_open or place.count("/")):
            yield f"{place}/", ""

    def _place(self, name: str, base: str, steps: str, depth: int = 0) -> str | None:
        begin = self.file_of[name]
        if base:
            found = None
            places = [(name, base)]
            if base in self.modules[name].bindings:
                places = list(self._targets(self.modules[name].bindings[base]))
            for there, part in places:
                one = self.modules[there].definitions.get(part)
                if one and one.paths and depth < 5:
                    longest = max(one.paths, key=lambda path: (len(path[1]), path[0] != ""))
                    found = self._place(there, *longest[:2], depth + 1)
            if found is None:
                return None
            begin = found
        parts = [one for one in begin.split("/") if one not in ("", ".")]
        for step in steps.split("/")[1:]:
            if step == "..":
                parts = parts[:-1]
            else:
                parts.append(step)
        return "/".join(parts) or "."

    def _register(self, name: str, node: Node, definition: Definition) -> None:
        """Note what is found through a decorator, or by a name beside it in a call."""
        module = self.modules[name]
        for chain, texts in definition.registered:
            place = module.bindings.get(chain[0], (name, chain[0]))
            for there in self._targets(place):
                one = self.definition(there)
                if not one or not self.file_of[there[0]].startswith(("core/", "pages/")):
                    continue
                if texts and there == ("pages.shared.page", "page"):
                    hall = ("pages.shared.navigation", "Navigation")
                    self.doors.append(Door(hall, node, (texts[0], *texts[2:3])))
                elif not texts:
                    self.leads[there].add(node)
        for call in definition.calls:
            for text in call[1:]:
                if text in self.modules and not text.startswith("tests."):
                    self.doors.append(Door(node, (text, "*"), call[:1]))

    def _connect_fixtures(self, name: str) -> None:
        """Let tests and fixtures lead to the fixtures that they are given."""
        folder = PurePosixPath(self.file_of[name]).parent
        holders = [name]
        for place in (folder, *folder.parents):
            if (holder := ".".join((*place.parts, "conftest"))) in self.modules:
                holders.append(holder)
        for part, definition in self.modules[name].definitions.items():
            node = (name, part)
            for asked in (*definition.arguments, *definition.texts):
                for holder in dict.fromkeys(holders):
                    if holder == name and asked == part:
                        continue
                    there = self.modules[holder]
                    if asked in there.definitions and (
                        there.definitions[asked].is_fixture or asked in definition.arguments
                    ):
                        self.leads[node].add((holder, asked))
                        break
                    if asked in there.bindings and asked in definition.arguments:
                        self.leads[node] |= set(self._targets(there.bindings[asked]))
                        break
            if not is_test(part):
                continue
            for holder in holders:
                for other, one in self.modules[holder].definitions.items():
                    is_asked = one.for_all and other not in NOT_IN_FILES
                    if is_asked or other.startswith(("pytestmark", "pytest_")):
                        self.leads[node].add((holder, other))


def is_test(name: str) -> bool:
    """Tell whether pytest collects a definition of this name."""
    return name.startswith(("test_", "Test"))
