"""Which tests a change can touch: those that lead to what differs, and all where nobody knows."""

import subprocess
from pathlib import Path

import pytest

from tests.changed import EVERYTHING, TYPES, choose_checks, find_tests, list_files, read_change
from tests.definitions import Graph, differing

HOUSE = {
    ".gitignore": ".pytest_cache/\n",
    "pyproject.toml": "",
    "README.md": "Told.\n",
    "app.py": "import pages.main\n",
    "core/numbers.py": """
def one():
    '''Return 1.'''
    return 1

def two():
    return one() + 1

def three():
    return 3
""",
    "core/shapes/base.py": "SHAPES = Registry('shape', __package__)\n",
    "core/shapes/square.py": """
from core.shapes.base import SHAPES

@SHAPES.register
class Square:
    sides = 4
""",
    "core/command/main.py": """
COMMANDS = [
    Command('count', 'counts', 'core.command.count'),
    Command('draw', 'draws', 'core.command.draw'),
]

def main(words):
    return COMMANDS
""",
    "core/command/count.py": """
from core.numbers import three

def run():
    return three()
""",
    "core/command/draw.py": """
from core.shapes.base import SHAPES

def run():
    return SHAPES
""",
    "core/texts.py": """
from pathlib import Path

FOLDER = Path(__file__).parent / 'words'

def say(name):
    return (FOLDER / name).read_text()
""",
    "core/words/hello.txt": "Hello\n",
    "core/lost/forgotten.bin": "?\n",
    "pages/main.py": "from core.texts import say\n\nsay('hello.txt')\n",
    "tests/conftest.py": """
import pytest
from core import numbers

@pytest.fixture
def given():
    return numbers.two()
""",
    "tests/core/conftest.py": """
import pytest
from core.command.count import run

@pytest.fixture(autouse=True)
def counted():
    return run()
""",
    "tests/core/test_numbers.py": """
from core.numbers import one

def test_one():
    one()
""",
    "tests/test_given.py": """
def test_given(given):
    assert given

def test_nothing():
    pass
""",
    "tests/test_command.py": """
from core.command.main import main

def test_count():
    main(['count'])

def test_draw():
    main(['draw'])
""",
    "tests/test_texts.py": """
from core.texts import say

def test_say():
    say('hello.txt')
""",
    "tests/test_app.py": """
from pathlib import Path

APP = Path(__file__).parent.parent / 'app.py'

def test_app():
    assert APP
""",
    "tests/test_types.py": """
from core.shapes.square import Square

def test_kind(square: Square):
    pass
""",
    "tests/test_readme.py": """
def test_told():
    open('README.md')
""",
    "tests/test_walk.py": """
from pathlib import Path

ROOT = Path(__file__).parent.parent

def test_all():
    list((ROOT / 'core').rglob('*.py'))
""",
}
WALK = "tests/test_walk.py"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A small checkout of which everything is committed."""
    for name, text in HOUSE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for words in (
        ("init", "-q", "-b", "main"),
        ("add", "-A"),
        ("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "All"),
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def change(house: Path, name: str, old: str = "", new: str = "") -> None:
    path = house / name
    text = path.read_text() if path.exists() else ""
    assert old in text
    path.parent.mkdir(exist_ok=True)
    path.write_text(text.replace(old, new) if old else new)


def chosen(house: Path) -> list[str]:
    return find_tests(Graph(house, list_files(house)), read_change(house))


@pytest.mark.parametrize(
    ("name", "old", "new", "tests"),
    [
        ("core/numbers.py", "return 1", "return 2", {"tests/core/test_numbers.py",
         "tests/test_given.py::test_given"}),
        ("core/numbers.py", "one() + 1", "one() + 2", {"tests/test_given.py::test_given"}),
        ("core/numbers.py", "return 3", "return 4", {"tests/core/test_numbers.py",
         "tests/test_command.py::test_count"}),
        ("core/numbers.py", "Return 1.", "Return one.", set()),
        ("core/numbers.py", "return 3", "return 3  # three", set()),
        ("core/shapes/square.py", "sides = 4", "sides = 5", {"tests/test_command.py::test_draw"}),
        ("core/command/main.py", "return COMMANDS", "return None", {"tests/test_command.py"}),
        ("core/words/hello.txt", "Hello", "Good day", {"tests/test_texts.py", "tests/test_app.py"}),
        ("README.md", "Told", "Said", {"tests/test_readme.py"}),
        ("tests/conftest.py", "numbers.two()", "3", {"tests/test_given.py::test_given"}),
        ("tests/test_given.py", "pass", "assert True", {"tests/test_given.py::test_nothing"}),
        ("core/lost/forgotten.bin", "?", "!", {"tests"}),
        ("pyproject.toml", "", "[tool]", {"tests"}),
    ],
)  # fmt: skip
def test_tests_are_chosen_that_lead_to_what_differs(
    house: Path, name: str, old: str, new: str, tests: set[str]
):
    change(house, name, old, new)
    walking = {WALK} if name.startswith("core/") and tests != {*EVERYTHING} else set()
    assert set(chosen(house)) == tests | walking


def test_without_a_change_nothing_is_chosen(house: Path):
    assert chosen(house) == []


def test_what_is_gone_and_what_is_new_are_seen(house: Path):
    (house / "core" / "texts.py").unlink()
    change(house, "core/shapes/circle.py", new="from core.shapes.base import SHAPES\n")
    change(house, "tests/test_new.py", new="def test_new():\n    pass\n")
    found = {"tests/test_texts.py", "tests/test_app.py", "tests/test_command.py::test_draw"}
    assert set(chosen(house)) == found | {"tests/test_new.py", WALK}


def test_a_commit_of_the_branch_counts_and_one_can_be_named(house: Path):
    change(house, "core/numbers.py", "one() + 1", "one() + 2")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "checkout", "-q", "-b", "other"], cwd=house, check=True)
    subprocess.run([*git, "commit", "-q", "-a", "-m", "More"], cwd=house, check=True)
    assert set(chosen(house)) == {"tests/test_given.py::test_given", WALK}
    assert read_change(house, "HEAD").texts == {}


def test_style_and_types_of_what_differs_are_checked(
    house: Path, capsys: pytest.CaptureFixture[str]
):
    change(house, "tests/test_given.py", "pass", "assert True")
    checks = choose_checks([], house)
    assert [one[-1] for one in checks.style()] == ["tests/test_given.py"] * 2
    assert checks.types() == []
    change(house, "core/numbers.py", "one() + 1", "one() + 2")
    assert choose_checks(["HEAD"], house).types() == [TYPES]
    assert "2 files differ" in capsys.readouterr().out


def test_a_definition_differs_where_its_code_does():
    before = "import a\n\nX = 1\n\ndef f():\n    'Tell.'\n    return X\n"
    assert differing(before, before.replace("Tell", "Say")) == set()
    assert differing(before, before.replace("X = 1", "X = 2")) == {"X"}
    assert differing(before, before.replace("return X", "return 0")) == {"f"}
    assert differing(before, "") == {"", "X", "f"}
