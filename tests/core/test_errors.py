"""Messages are for people: they name what people see, not what programs call it."""

import ast
import re
from collections.abc import Iterator
from functools import cache

from core import errors
from core.errors import BadInput
from core.settings import ROOT

KINDS = {name for name in vars(errors) if isinstance(getattr(errors, name), type)}


def test_a_parameter_is_named_to_programmers_only():
    error = BadInput("α lies between 0 and 1", field="alpha")
    assert str(error) == "α lies between 0 and 1"
    assert error.field == "alpha"
    assert error.__notes__ == ["field 'alpha'"]


def test_a_column_is_named_beside_its_file_as_people_call_it():
    error = BadInput("is empty", file="labels.tsv", line=3, field="topic_id")
    assert str(error) == "labels.tsv:3: field 'topic': is empty"
    assert not hasattr(error, "__notes__")
    assert str(BadInput("is no table", file="labels.tsv")) == "labels.tsv: is no table"


@cache
def list_refusals() -> list[tuple[str, str, set[str]]]:
    return list(find_refusals())


def find_refusals() -> Iterator[tuple[str, str, set[str]]]:
    """Yield where an error is made, its words without what is put in, and its keywords."""
    for path in [*(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id in KINDS and node.args:
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield place, read_words(node.args[0]), {str(one.arg) for one in node.keywords}


def read_words(node: ast.expr) -> str:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return " … ".join(
        one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)
    )


OTHERS_OWN = re.compile("ir_datasets|max_tokens")
"""The names of a package and of a protocol's parameter, which people write themselves."""


def test_no_message_has_a_name_of_the_code():
    found = list_refusals()
    assert len(found) > 200
    assert [
        place for place, words, _ in found if re.search("[a-z]_[a-z]", OTHERS_OWN.sub("", words))
    ] == []


def test_no_message_needs_the_name_of_its_field_to_be_understood():
    leaning = re.compile(r"(is|are|has|have|must|contains|this (is|has)) ")
    assert [
        place
        for place, words, keywords in list_refusals()
        if "field" in keywords and "file" not in keywords and leaning.match(words)
    ] == []


def test_half_a_character_can_be_shown():
    str(BadInput("'\ud83d' is no level", file="labels.tsv")).encode()
