import json

from hypothesis import given
from hypothesis import strategies as st

from core.collection.labels.label_options import INVALID_ANSWER as INVALID
from core.collection.labels.label_options import JUDGED as LEVEL
from core.prompting.answers import LONGEST, ParsedAnswer, read_answer
from tests.each import each

LEVELS = (-1, 0, 1, 2, 3)


@each(
    ("text", "level"),
    [
        ('{"reason": "Yes.", "level": "2"}', 2),
        ('{"level": 0}', 0),
        ('{"level": -1}', -1),
        ('```json\n{"level": "3"}\n```', 3),
        ('It {sort of} fits.\n\n{"level": 1, "reason": null}\nDone.', 1),
        ('{"level": "1"} and once more {"level": 1}', 1),
        ("First this, then that.\nlevel: 3", 3),
        ("Level : 2  \r\n\n", 2),
        ("level: 2\nbecause\nLEVEL: 2", 2),
    ],
)
def test_a_level_is_read(text: str, level: int):
    answer = read_answer(text, LEVELS)
    assert (answer.state, answer.level) == (LEVEL, level)


@each("text", ['{"level": "cannot judge"}', "Hm.\nlevel: Cannot judge"])
def test_that_there_is_none_to_give_is_an_answer(text: str):
    assert read_answer(text, LEVELS).state == "cannot judge"


OFF, MANY, NONE = "is no level of the scale", "more than one level", "no level in the answer"


@each(
    ("text", "says"),
    [
        ('{"level": 7}', OFF),
        ('{"level": "7"}', OFF),
        ('{"level": "3.5"}', OFF),
        ('{"level": 2.0}', OFF),
        ('{"level": "three"}', OFF),
        ('{"level": true}', OFF),
        ('{"level": null}', OFF),
        ('{"level": [2, 3]}', OFF),
        ('{"level": {"level": 2}}', OFF),
        ('{"level": "+2"}', OFF),
        ('{"level": "02"}', OFF),
        ('{"level": "-0"}', OFF),
        ('{"level": "2 "}', OFF),
        ('{"level": "٢"}', OFF),
        ('{"level": ""}', OFF),
        (f'{{"level": "{"9" * 5000}"}}', OFF),
        ('{"level": 1, "level": 3}', MANY),
        ('{"level": 2} {"level": 3}', MANY),
        ('{"level": 2} {"level": "x"}', MANY),
        ("level: 2\nno\nlevel: 3", MANY),
        ("level: 2 or 3", OFF),
        ("level: 3.5", OFF),
        ("level: 2.", OFF),
        ("level: 2\nThat is all.", NONE),
        ("I would say 2.", NONE),
        ("I am sorry, but I cannot help with that.", NONE),
        ('{"answer": {"level": 2}}', NONE),
        ('{"level": 2', NONE),
        ('{"level": ' + "9" * 5000 + "}", NONE),
        ('{"a":' * 10_000, "nested too deeply"),
        ("", "it is empty"),
        (" \n", "it is empty"),
        ('{"level": 2}' + " " * LONGEST, "characters"),
    ],
)
def test_whatever_is_not_exactly_one_level_is_invalid(text: str, says: str):
    answer = read_answer(text, LEVELS)
    assert (answer.state, answer.level) == (INVALID, None)
    assert says in answer.reason
    assert len(answer.reason) < 200


def test_the_reason_is_kept():
    text = json.dumps({"reason": "It names the year.", "level": "1"})
    assert read_answer(text, LEVELS) == ParsedAnswer(LEVEL, 1, "It names the year.")
    assert read_answer('{"reason": 4, "level": "1"}', LEVELS).reason == ""


@given(st.text() | st.from_regex(r'\{"level": .{0,8}\}|level: .{0,6}', fullmatch=True))
def test_no_text_gives_what_is_not_on_the_scale(text: str):
    answer = read_answer(text, LEVELS)
    assert answer.level in LEVELS if answer.state == LEVEL else answer.level is None


@given(st.sampled_from(LEVELS), st.text())
def test_what_the_schema_allows_is_read(level: int, reason: str):
    text = json.dumps({"reason": reason, "level": str(level)})
    assert read_answer(text, LEVELS) == ParsedAnswer(LEVEL, level, reason)
