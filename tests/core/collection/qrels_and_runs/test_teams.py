"""Lists of teams: read whole, or refused by line."""

import pytest

from core.collection.files.source import Source
from core.collection.qrels_and_runs.teams import read_teams
from core.errors import BadInput
from tests.each import each


def test_teams_are_read():
    text = b"# runs of the track\n\ns1 red\ns2\tthe blue ones\n  s3   red  \ns1 red\n"
    assert read_teams(Source("teams", text)) == {"s1": "red", "s2": "the blue ones", "s3": "red"}


@each(
    ("text", "line", "says"),
    [
        (b"s1 red\ns2\n", 2, "system team"),
        (b"s1 the red\n", 1, "system team"),
        (b"s1\t\n", 1, "system team"),
        (b"s1 red\n\ns1 blue\n", 3, "in two teams: 'red' and 'blue'"),
    ],
)
def test_faults_are_named(text, line, says):
    with pytest.raises(BadInput, match=says) as caught:
        read_teams(Source("teams", text))
    assert (caught.value.file, caught.value.line) == ("teams", line)
