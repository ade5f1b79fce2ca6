"""``dissent token``: made once, listed, ended, on a store."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from core.store.content.collections import create_collection
from core.store.people.people import add_person
from core.store.people.tokens import find_token
from core.store.store import Store
from tests.core.command.conftest import Dissent
from tests.short import long


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, blank_store: Path) -> Path:
    """A store with an organiser and an assessor, to be copied."""
    path = Path(shutil.copy(blank_store, tmp_path_factory.mktemp("made") / "study.duckdb"))
    with closing(Store(path)) as store:
        add_person(store, "Olga", "organiser")
        add_person(store, "Anna", "assessor")
        create_collection(store, "Cats")
    return path


@pytest.fixture
def path(tmp_path: Path, made: Path) -> Path:
    return Path(shutil.copytree(made.parent, tmp_path, dirs_exist_ok=True)) / made.name


def test_a_token_is_made_listed_and_ended(dissent: Dissent, path: Path):
    words = ("--store", path, "--format", "json")
    made = dissent(
        "token", "make", "--person", "Olga", "--name", "script", "--collection", "Cats", *words
    ).json
    assert made["scopes"] == ["read", "write"]
    with closing(Store(path)) as store:
        found = find_token(store, made["token"])
        assert found is not None
        assert found[1].name == "Olga"
    listed = dissent("token", "list", *words).json["tokens"]
    assert [(one["name"], one["person"]) for one in listed] == [("script", "Olga")]
    assert made["token"] not in str(listed)
    ended = dissent("token", "end", "--token", listed[0]["id"], *words)
    assert ended.json == {"ended": listed[0]["id"], "notes": []}
    assert dissent("token", "list", *words).json == {"tokens": [], "notes": []}
    with closing(Store(path)) as store:
        assert find_token(store, made["token"]) is None


@long
def test_the_table_is_for_people(dissent: Dissent, path: Path):
    token = dissent("token", "make", "--person", "Anna", "--name", "x", "--store", path).out.strip()
    assert token.startswith("dissent_")
    told = dissent("token", "list", "--person", "Anna", "--store", path).out
    assert "judge" in told
    assert token not in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("make", "--person", "Zoe", "--name", "x"), "none of: Olga, Anna"),
        (("make", "--person", "Olga"), "needs a name"),
        (("make", "--person", "Anna", "--name", "x", "--scope", "write"), "may allow: judge"),
        (("make", "--person", "Olga", "--name", "x", "--days", "999"), "1 to 366 days"),
        (("end",), "say which"),
        (("end", "--token", "t-0"), "no token t-0"),
    ],
)
def test_what_cannot_be_had_is_refused(
    dissent: Dissent, path: Path, words: tuple[str, ...], said: str
):
    result = dissent("token", *words, "--store", path)
    assert result.status == 1
    assert said in result.err
