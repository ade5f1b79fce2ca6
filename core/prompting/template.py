"""Templates of prompts: texts with named places, checked before anything is asked with them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from core.collection.files.source import Source
from core.errors import BadInput
from core.prompting.choices import INCLUDED

BEGIN, END = "begin", "end"
TITLE, TEXT = "title", "text"
TOPIC = ("query", "description", "narrative")
PLACES = (*TOPIC, "guidelines", "levels", BEGIN, TITLE, TEXT, END, "answer")
"""What a template can have filled in, by name."""


_FOLDER = Path(__file__).parent / "templates"
_PLACE = re.compile(r"\{\{[ \t]*([^{}\n]*?)[ \t]*\}\}")
_SYSTEM, _USER = "[system]\n", "[user]\n"


@dataclass(frozen=True)
class Template:
    """A template as it was written.

    A place is a name in two braces, ``{{query}}``. A line ``[system]`` begins what the model is
    told first, a line ``[user]`` the question; without these lines all of it is the question.

    Parameters
    ----------
    name : str
        That of an included template, or of the file.
    text : str
    """

    name: str
    text: str

    @property
    def sha256(self) -> str:
        """The digest of the text's UTF-8, in hexadecimal."""
        return sha256(self.text.encode()).hexdigest()

    @cached_property
    def parts(self) -> tuple[str, str]:
        """What the model is told first, perhaps nothing, and the question."""
        if not self.text.startswith(_SYSTEM):
            return "", self.text.removeprefix(_USER)
        system, _, user = self.text.removeprefix(_SYSTEM).partition(f"\n{_USER}")
        return system, user

    @property
    def places(self) -> frozenset[str]:
        """The names of what it has filled in."""
        return frozenset(name for _, name in _find_places(self.text))

    def fill(self, values: Mapping[str, str]) -> list[dict[str, str]]:
        """Return the messages for one item.

        Every place is filled once: what looks like a place in a value stays as it is.

        Parameters
        ----------
        values : mapping
            A text for each of ``PLACES``.
        """
        system, user = (
            _PLACE.sub(lambda place: values[place[1]], part).strip() for part in self.parts
        )
        question = {"role": "user", "content": user}
        return [{"role": "system", "content": system}, question] if system else [question]


def read_template(given: str) -> Template:
    """Return an included template by its name, or one's own by its file.

    Raises
    ------
    BadInput
        The file cannot be read, or `check_template` refuses it.
    """
    if given in INCLUDED:
        return Template(given, Source.at(_FOLDER / f"{given}.txt").text)
    source = Source.at(given)
    template = Template(source.name, source.text)
    check_template(template)
    return template


def check_template(template: Template) -> None:
    """Raise BadInput, with the line, for a template that cannot be used safely.

    It has an unknown place, or lacks the query, the levels or the text; or the document's title
    or text is not between the lines ``{{begin}}`` and ``{{end}}``, which are there once, each on
    a line of its own, in the question.
    """
    for line, name in _find_places(template.text):
        if name not in PLACES:
            known = ", ".join(f"{{{{{one}}}}}" for one in PLACES)
            raise BadInput(
                f"{{{{{name}}}}} is no place that is filled in; there are {known}",
                file=template.name,
                line=line,
            )
    if missing := [one for one in ("query", "levels", TEXT) if one not in template.places]:
        raise BadInput(f"the prompt lacks {{{{{missing[0]}}}}}", file=template.name)
    _check_block(template)


def _check_block(template: Template) -> None:
    lines = template.text.split("\n")
    marks = {one: [n for n, name in _find_places(template.text) if name == one] for one in PLACES}
    for mark in (BEGIN, END):
        alone = [n for n in marks[mark] if _PLACE.fullmatch(lines[n - 1].strip())]
        if len(marks[mark]) != 1 or alone != marks[mark]:
            raise BadInput(
                f"the prompt needs {{{{{mark}}}}} once, on a line of its own: between "
                "{{begin}} and {{end}} stands what is data",
                file=template.name,
                line=marks[mark][-1] if marks[mark] else None,
            )
    ((begin,), (end,)) = marks[BEGIN], marks[END]
    user = len(lines) - template.parts[1].count("\n")
    for name in (TITLE, TEXT):
        for line in marks[name]:
            if not user <= begin < line < end:
                raise BadInput(
                    f"{{{{{name}}}}} has to stand between {{{{begin}}}} and {{{{end}}}} in the "
                    "question, so that what a document says is not taken for an instruction",
                    file=template.name,
                    line=line,
                )


def _find_places(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each place."""
    for found in _PLACE.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found[1]
