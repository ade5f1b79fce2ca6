"""Values with a text form: measures and coefficients that print, parse, compare and hash.

Whoever writes a new one adds a module to the folder of its kind. It is found there, and what is
to be known of it stands in it as attributes: lists, command line, laws and the handbook follow.

The text is ``name``, then optional arguments in brackets, an optional ``>=level`` and an
optional ``@cutoff``: ``nDCG(gain='udm', discount='zipf')@10``, ``kappa(linear)``, ``overlap>=2``.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Generic, TypeVar

from core.discovery import import_modules
from core.errors import BadInput

_TEXT = re.compile(
    r"""^\s*(?P<name>[^\W\d][\w\-αγτκ]*)
        (?:\((?P<arguments>.*)\))?
        (?:>=(?P<level>\d{1,9}))?
        (?:@(?P<cutoff>\d{1,9}))?\s*$""",
    re.VERBOSE,
)
_ARGUMENT = re.compile(
    r"""\s*(?:(?P<key>[A-Za-z_]\w*)\s*=(?!=)\s*)?
        (?P<value>'[^']*'|"[^"]*"|\{[^}]*\}|\([^)]*\)|[^,'"{}()]+)\s*(?:,|$)""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Value:
    """Base of everything registered: a frozen dataclass whose fields are its parameters.

    ``bare`` names the fields that are written without their name, in order. Fields called
    ``cutoff`` and ``level`` are written ``@cutoff`` and ``>=level``.

    ``description`` says in a few words what the value is, ``reference`` where it is defined.
    ``examples`` are texts that show its parameters, the plainest first; every law is tried on
    them. ``suggested`` are those that are offered where somebody chooses.
    """

    name: ClassVar[str]
    bare: ClassVar[tuple[str, ...]] = ()
    description: ClassVar[str]
    reference: ClassVar[str]
    examples: ClassVar[tuple[str, ...]]
    suggested: ClassVar[tuple[str, ...]] = ()

    def __str__(self) -> str:
        """Return the shortest text that parses back to this value."""
        shown, tail, unbroken = [], "", True
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "level" and value is not None:
                tail = f">={value}{tail}"
            elif field.name == "cutoff" and value is not None:
                tail = f"{tail}@{value}"
            elif value == field.default or value is None:
                unbroken = unbroken and field.name not in self.bare
            elif field.name in self.bare and unbroken:
                shown.append(_word(value))
            else:
                shown.append(f"{field.name}={value!r}")
        return self.name + (f"({', '.join(shown)})" if shown else "") + tail


V = TypeVar("V", bound=Value)


class Registry(Generic[V]):
    """The known values of one kind, by name.

    Their order is that of their modules' names, and in a module as written there: it does not
    depend on what was imported first.

    Parameters
    ----------
    kind : str
        What the entries are, in the singular ("measure"), for messages.
    package : str, optional
        The package whose modules hold the entries: all are imported when the registry is first
        asked for something.
    """

    def __init__(self, kind: str, package: str = "") -> None:
        self.kind = kind
        self._package = package
        self._types: dict[str, type[V]] = {}

    def register(self, entry: type[V]) -> type[V]:
        """Add a class to the registry; for use as a decorator."""
        if entry.name in self._types:
            raise ValueError(f"two {self.kind}s are called {entry.name}")
        self._types[entry.name] = entry
        return entry

    def __iter__(self) -> Iterator[type[V]]:
        if self._package:
            import_modules(self._package)
        return iter(sorted(self._types.values(), key=lambda entry: entry.__module__))

    def names(self) -> list[str]:
        """Return the registered names, in order."""
        return [entry.name for entry in self]

    def suggested(self) -> list[str]:
        """Return the texts that are offered where somebody chooses."""
        return [text for entry in self for text in entry.suggested]

    def parse(self, text: str, **defaults: Any) -> V:
        """Return the value that ``text`` writes down.

        Parameters
        ----------
        text : str
            The value as it prints.
        **defaults
            Parameters for values that have them and whose text leaves them out.

        Raises
        ------
        BadInput
            The text is malformed, the name unknown or a parameter unfit; says which.
        """
        match = _TEXT.match(text)
        entry = self._find(match["name"]) if match else None
        if not match or not entry:
            known = ", ".join(self.names())
            article = "an" if self.kind[0] in "aeiou" else "a"
            raise BadInput(f"'{text}' is not {article} {self.kind}; known are {known}")
        given = dict(_arguments(match["arguments"] or "", entry, text))
        for field in ("level", "cutoff"):
            if match[field] is not None:
                given[field] = int(match[field])
        return self._build(entry, _fitting(defaults, entry) | given, text)

    def _find(self, name: str) -> type[V] | None:
        """Return the entry of a name, also where it is spelt α or with an underscore."""
        known = {entry.name: entry for entry in self}
        return known.get(name, known.get(name.replace("α", "alpha").replace("_", "-")))

    def _build(self, entry: type[V], given: dict[str, Any], text: str) -> V:
        known = {field.name: field for field in fields(entry)}
        for name in given:
            if name not in known:
                raise BadInput(f"'{text}': {entry.name} takes no '{name}'")
        for name, field in known.items():
            if name not in given and field.default is MISSING:
                raise BadInput(f"'{text}': {entry.name} needs '{name}'")
        try:
            return entry(**given)
        except (TypeError, ValueError) as error:
            raise BadInput(f"'{text}': {error}") from error


def _fitting(defaults: dict[str, Any], entry: type[Value]) -> dict[str, Any]:
    known = {field.name for field in fields(entry)}
    return {name: value for name, value in defaults.items() if name in known}


def _arguments(text: str, entry: type[Value], whole: str) -> Iterator[tuple[str, Any]]:
    """Yield the name and value of each argument between the brackets."""
    position, bare = 0, iter(entry.bare)
    while position < len(text):
        match = _ARGUMENT.match(text, position)
        if not match:
            raise BadInput(f"'{whole}': cannot read '{text[position:]}'")
        name = match["key"] or next(bare, None)
        if name is None:
            raise BadInput(f"'{whole}': '{match['value'].strip()}' needs a name, as in name=value")
        yield name, _literal(match["value"].strip())
        position = match.end()


def _word(value: Any) -> str:
    """Return the value as it is written without a name: quoted only where it must be."""
    text = str(value)
    is_plain = text == text.strip() and not re.search(r"[,'\"{}()=]", text.replace(">=", ""))
    return text if is_plain and text and _literal(text) == value else repr(value)


def _literal(text: str) -> Any:
    """Return a number, quoted string, tuple or table; any other word is itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text
