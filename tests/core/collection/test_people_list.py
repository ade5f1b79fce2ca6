"""Lists of people to invite: with and without a header, and what refuses them."""

import pytest

from core.collection.files.source import Source
from core.collection.people_list import MOST_PEOPLE, Newcomer, is_email, read_people
from core.errors import BadInput
from tests.each import each


def read(text: str) -> list[Newcomer]:
    return read_people(Source("people.csv", text.encode()))


def test_a_header_says_which_column_is_which():
    text = 'E-mail;Name;phone\nanna@example.org;" Anna ";12\n\n;Bob\n'
    assert read(text) == [
        Newcomer("Anna", "", "anna@example.org", 2),
        Newcomer("Bob", "", "", 4),
    ]


def test_without_a_header_the_order_is_name_group_address():
    assert read("Anna,experts,anna@example.org\nBob,students\nZoë\n") == [
        Newcomer("Anna", "experts", "anna@example.org", 1),
        Newcomer("Bob", "students", "", 2),
        Newcomer("Zoë", "", "", 3),
    ]
    assert [one.name for one in read("Anna\nBob B.\n")] == ["Anna", "Bob B."]


@each(
    ("text", "fault"),
    [
        ("name,group\nAnna,x\n ,y\n", "people.csv:3: field 'name': a person needs a name"),
        (
            "name\nAnna\nBob\nAnna\n",
            "people.csv:4: field 'name': 'Anna' is there already, in line 2",
        ),
        ("Anna,,nowhere\n", "people.csv:1: field 'e-mail': 'nowhere' is no e-mail"),
        ("Anna,,a@exam\u202eple.org\n", "is no e-mail"),
        ("Anna,,a@b.c,more\n", "people.csv:1: has 4 cells where 3 are known"),
        ("name,group\nAnna,x,y\n", "people.csv:2: has 3 cells where 2 are known"),
        ("Anna\nBob, experts\n", "people.csv:2: holds a comma or semicolon"),
        (f"name,group\nAnna,{'x' * 201}\n", "people.csv:2: field 'group': one line of at most 200"),
        ('"An\x07na",x\n', "field 'name': one line"),
        ("name,group\n", "people.csv:1: nobody is listed"),
        ("name,name\nAnna,x\n", "two columns are called 'name'"),
        ("", "is empty"),
        ("\n".join(f"p{n}" for n in range(MOST_PEOPLE + 1)), "2,001 people at once are too many"),
    ],
)
def test_one_bad_line_refuses_all(text, fault):
    with pytest.raises(BadInput) as refused:
        read(text)
    assert fault in str(refused.value)


def test_addresses():
    assert is_email("anna@example.org")
    assert not any(map(is_email, ("anna", "a@b", "a b@example.org")))
