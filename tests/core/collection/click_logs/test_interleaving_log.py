"""Logs of interleaved lists: what they say, and what is refused."""

import gzip

import pytest

from core.collection.click_logs.interleaving_log import read_interleaving_log
from core.collection.files.source import Source
from core.errors import BadInput
from tests.each import each

TABLE = """session\ttopic\trank\tdocument\tteam\tclicked
s1\tt1\t1\ta\tfirst\t0
s1\tt1\t2\tb\tSecond\t2
s1\tt2\t1\tc\t\tyes
s2\tt1\t1\tb\tsecond\tno
"""
OBJECTS = """{"session": "s1", "topic": "t1", "shown": ["a", "b"], "teams": ["first", "second"], \
"clicks": ["b"]}
{"session": "s1", "topic": "t2", "shown": ["c"], "teams": [null], "clicks": [1]}

{"session": "s2", "topic": "t1", "shown": ["b"], "teams": ["second"], "clicks": []}
"""


def read(text: str, name: str = "log"):
    return read_interleaving_log(Source(name, text.encode()))


@each("text", [TABLE, OBJECTS], ids=["table", "jsonl"])
def test_both_forms_say_the_same(text: str):
    first, second, third = read(text)
    assert (first.session, first.topic_id) == ("s1", "t1")
    assert (first.documents, first.teams) == (("a", "b"), ("first", "second"))
    assert first.clicked == (False, True)
    assert (second.teams, second.clicked) == (("",), (True,))
    assert (third.session, third.clicked) == ("s2", (False,))


def test_a_packed_log_is_read_and_lines_are_known():
    lists = read_interleaving_log(Source("log.gz", gzip.compress(TABLE.encode())))
    assert [one.line for one in lists] == [2, 4, 5]
    assert [one.line for one in read(OBJECTS)] == [1, 2, 4]


def test_without_teams_there_are_none():
    text = TABLE.replace("\tteam", "").replace("\tfirst", "")
    text = text.replace("\tSecond", "").replace("\tsecond", "").replace("\t\t", "\t")
    assert [one.teams for one in read(text)] == [(), (), ()]


def row(*cells: str) -> str:
    return TABLE.split("\n", 1)[0] + "\n" + "\t".join(cells) + "\n"


@each(
    ("text", "reason", "line"),
    [
        (row("s", "t", "2", "a", "first", "0"), "does not follow rank 0", 2),
        (row("s", "t", "x", "a", "first", "0"), "'x' is not a rank", 2),
        (row("s", "t", "1", "a", "third", "0"), "'third' is not a team", 2),
        (row("s", "t", "1", "a", "first", "often"), "neither a number of clicks", 2),
        (TABLE.replace("s1\tt1\t2", "s1\tt1\t3"), "rank 3 does not follow rank 1", 3),
        (TABLE.replace("s1\tt1\t2", "s9\tt1\t2"), "the session changes within a list", 3),
        (TABLE.replace("s1\tt1\t2", "s1\tt9\t2"), "the topic changes within a list", 3),
        (TABLE.replace("2\tb", "2\ta"), "shows document 'a' twice", 2),
        (OBJECTS.replace('["b"]}', '["z"]}'), "a click on 'z', which was not shown", 1),
        (OBJECTS.replace('"clicks": [1]', '"clicks": [2]'), "a click on '2'", 2),
        (OBJECTS.replace('"clicks": [1]', '"clicks": [true]'), "a click on 'True'", 2),
        (OBJECTS.replace('"clicks": [1]', '"clicks": 1'), "no list of clicks", 2),
        (OBJECTS.replace('"clicks": [1]', '"clicks": [[1]]'), "no list of clicks", 2),
        (OBJECTS.replace('[null]', '["first", "second"]'), "2 teams for 1 documents", 2),
        (OBJECTS.replace('"session": "s2", ', ""), "there is no session", 4),
        (OBJECTS.replace('"topic": "t2"', '"topic": true'), "there is no topic", 2),
        (
            '{"session": "s", "topic": 3, "shown": [], "clicks": []}\n',
            "the list shows nothing",
            1,
        ),
        (OBJECTS.replace('"teams": ["second"], ', ""), "some lists say which ranking", 4),
    ],
)  # fmt: skip
def test_a_faulty_log_is_refused_by_line(text: str, reason: str, line: int):
    with pytest.raises(BadInput) as refused:
        read(text)
    assert reason in refused.value.reason
    assert (refused.value.file, refused.value.line) == ("log", line)
