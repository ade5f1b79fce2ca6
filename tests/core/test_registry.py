from dataclasses import dataclass
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.registry import Registry, Value
from tests.each import each

FRUIT: Registry[Value] = Registry("fruit")


@FRUIT.register
@dataclass(frozen=True)
class Apple(Value):
    name = "apple"
    bare = ("sort", "colour")

    sort: str = "plain"
    colour: str = "green"
    table: dict | None = None
    weight: float = 1.0
    level: int | None = None
    cutoff: int | None = None

    def __post_init__(self):
        if not isinstance(self.sort, str):
            raise ValueError("a sort is a word")


@FRUIT.register
@dataclass(frozen=True)
class Pear(Value):
    name = "pear-αγτκ"

    cutoff: int
    size: tuple = (1, 2)


@each(
    ("text", "value"),
    [
        ("apple", Apple()),
        (" apple() ", Apple()),
        ("apple@10", Apple(cutoff=10)),
        ("apple>=2@10", Apple(level=2, cutoff=10)),
        ("apple(linear)", Apple("linear")),
        ("apple(binary>=2)", Apple("binary>=2")),
        ("apple(binary>=-2)", Apple("binary>=-2")),
        ("apple('red, ripe', colour=red)", Apple("red, ripe", "red")),
        ("apple(linear, red, weight=.5)>=1", Apple("linear", "red", weight=0.5, level=1)),
        ("apple(table={0: 0.5, 1: 1})", Apple(table={0: 0.5, 1: 1})),
        ("pear-αγτκ(size=(3, 4))@5", Pear(5, (3, 4))),
    ],
)
def test_texts_and_their_values(text, value):
    assert FRUIT.parse(text) == value
    assert FRUIT.parse(str(value)) == value


def test_defaults_fill_in_what_the_text_leaves_out():
    assert FRUIT.parse("apple", sort="linear") == Apple("linear")
    assert FRUIT.parse("apple(plain)", sort="linear") == Apple("plain")
    assert FRUIT.parse("pear-αγτκ@5", sort="linear") == Pear(5)


@each(
    ("value", "text"),
    [
        (Apple(), "apple"),
        (Apple("linear"), "apple(linear)"),
        (Apple("binary>=2"), "apple(binary>=2)"),
        (Apple(weight=0.5, level=1, cutoff=3), "apple(weight=0.5)>=1@3"),
        (Apple(colour="red"), "apple(colour='red')"),
        (Apple("3"), "apple('3')"),
        (Apple("a, b", "c d"), "apple('a, b', c d)"),
        (Pear(5), "pear-αγτκ@5"),
    ],
)
def test_the_shortest_text_is_printed(value, text):
    assert str(value) == text


@given(
    st.builds(
        Apple,
        sort=st.from_regex(r"[a-z0-9]+(>=-?[0-9]+)?", fullmatch=True)
        | st.text("a3, =()", min_size=1),
        colour=st.sampled_from(["green", "red", "None", "1"]),
        weight=st.floats(allow_nan=False, allow_infinity=False),
        level=st.none() | st.integers(0, 99),
        cutoff=st.none() | st.integers(0, 9999),
    )
)
def test_every_text_parses_back(value):
    assert FRUIT.parse(str(value)) == value


@each(
    ("text", "reason"),
    [
        ("", "is not a fruit; known are apple, pear-αγτκ"),
        ("plum", "is not a fruit"),
        ("apple(", "is not a fruit"),
        ("apple@ten", "is not a fruit"),
        ("apple(a, b, c)", "'c' needs a name, as in name=value"),
        ("apple(pips=3)", "apple takes no 'pips'"),
        ("pear-αγτκ", "pear-αγτκ needs 'cutoff'"),
        ("pear-αγτκ>=1@2", "takes no 'level'"),
        ("apple(3)", "a sort is a word"),
        ("apple(table={)", r"cannot read 'table=\{'"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(text, reason):
    with pytest.raises(BadInput, match=reason):
        FRUIT.parse(text)


def test_entries_and_names_in_order():
    assert list(FRUIT) == [Apple, Pear]
    assert FRUIT.names() == ["apple", "pear-αγτκ"]


def test_the_order_does_not_depend_on_what_is_imported_first(tmp_path, monkeypatch):
    """A registry imports the modules of its package when it is first asked for something."""
    (tmp_path / "orchard").mkdir()
    for module, names in {"b": ("fig", "date"), "a": ("kiwi",)}.items():
        lines = ["from orchard.kinds import REGISTRY, Value"]
        lines += [
            f"@REGISTRY.register\nclass {name.title()}(Value):\n    name = '{name}'\n"
            f"    suggested = ('{name}@1',)"
            for name in names
        ]
        (tmp_path / "orchard" / f"{module}.py").write_text("\n".join(lines))
    (tmp_path / "orchard" / "kinds.py").write_text(
        "from core.registry import Registry, Value\nREGISTRY = Registry('fruit', __package__)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import_module("orchard.b")
    registry = import_module("orchard.kinds").REGISTRY
    assert registry.names() == ["kiwi", "fig", "date"]
    assert registry.suggested() == ["kiwi@1", "fig@1", "date@1"]


def test_two_entries_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two fruits are called apple"):
        FRUIT.register(Apple)
