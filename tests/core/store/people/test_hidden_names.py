"""Tables and texts name nobody, whatever people are called; what only looks like a name stays."""

import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.store.content.collections import create_collection
from core.store.content.saved_rules import save_rule
from core.store.people.hidden_names import HiddenNames, hide_names
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.pseudonyms import assessor_codes
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.each import each
from tests.short import long

NAMES = ("a1", "a2", "Li", "李明", "7", "12345", "–", "A B", "a1, a2", "1", "a", "O'Hara (x)", "@m")
CODES = {name: f"a-{number:010x}" for number, name in enumerate(NAMES)}
HIDDEN = HiddenNames(CODES, ["A B or Li", "mine, of 7", "plain"])


def code(text: str) -> str:
    """Return a text in which names in braces are codes."""
    return re.sub(r"\{(.+?)\}", lambda found: CODES[found[1]], text)


@each(
    "text",
    [
        *(f"{{{name}}}" for name in NAMES),
        *("{a1} – {Li}", "{Li}, {李明} and {7}", "only {A B}", "only {7}: rank", "by {a1}"),
        *("{–} – {a1}", "{a1} – {–}", "imported: {7}", "the version 'only {李明}' has no label"),
        *("{Li}: yes\n{–}: no", "{Li} ({1})", "{O'Hara (x)}; {@m}"),
        *("slot 1", "UDM, 1 of 3", "P@7", "all, mean", "κ needs 7 items", "Annabel, Lili", "x1"),
        *("{A B} or {Li}", "{A B} or {Li}: measure", "mine, of {7}", "plain", "a-0123456789"),
    ],
)
def test_in_lists_people_are_the_whole_or_a_part(text):
    assert HIDDEN.in_lists(re.sub("[{}]", "", text)) == code(text)


@each(
    "text",
    [
        *("So says {Li}.", "({12345})", "{7}-{7}", "{李明}的评论", "问{李明}", "{A B}'s, {a1}!"),
        *("x7 Lili 123456", "ask {@m}!", "a-0000000002 and {Li}", "{a1, a2}", "yes – no"),
    ],
)
def test_in_words_they_are_any_word(text):
    assert HIDDEN.in_words(re.sub("[{}]", "", text)) == code(text)


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5), st.sampled_from(
    [", ", " – ", " and ", "; ", ": ", "\n"]))  # fmt: skip
def test_no_list_tells_anybody(names, mark):
    for hide in (HIDDEN.in_lists, HIDDEN.in_words):
        told = hide(mark.join(names))
        # One person's name is a dash: between dashes it is not told which is which.
        parts = re.split(r", | – | and |; |: |\n| (?=a-0{9})", told)
        assert all(part in CODES.values() for part in parts), told


@given(st.lists(st.sampled_from((*NAMES, "x", " ", ", ", ".", "é", "-", "_", "文")), max_size=8))
def test_no_word_tells_anybody(parts):
    told = re.sub("a-0{9}[0-9a-f]", "x", HIDDEN.in_words("".join(parts)))
    words = "|".join(name for name in NAMES if name.isascii() and name.isalnum())
    assert not re.search(rf"(?<![^\W_])(?:{words})(?![^\W_])", told)
    assert "李明" not in told


def test_a_rule_names_its_assessors_by_codes_and_its_topics_as_they_are():
    rule = QrelsRule("mine, of 7", assessors=("1", "Li"), topics=("1", "7"), judges=1)
    hidden = QrelsRule.from_json(HIDDEN.in_rule(rule.to_json()))
    assert set(hidden.assessors) == {CODES["1"], CODES["Li"]}
    assert (hidden.name, hidden.topics) == (f"mine, of {CODES['7']}", ("1", "7"))
    plain = QrelsRule("slot 1", slots=(1,), topics=("1",)).to_json()
    assert HIDDEN.in_rule(plain) == plain
    told = "The mean, by only {7}, {a1} and {Li}, only group 1s. At most the first 7 labels."
    assert HIDDEN.in_rule(re.sub("[{}]", "", told)) == code(told)


@each("text", ["[1]", "{", '{"assessors": 3}', '{"assessors": [[1]]}', "7"])
def test_what_is_no_rule_is_a_list(text):
    assert HIDDEN.in_rule(text) in (text, CODES.get(text))


@pytest.fixture
def collection(store: Store) -> tuple[str, dict[str, str]]:
    """A collection of people with odd names, and their codes by name."""
    collection_id = create_collection(store, "Small")
    for number, name in enumerate(NAMES):
        add_member(store, collection_id, f"p-{number}", name)
    ids = {name: f"p-{number}" for number, name in enumerate(NAMES)}
    codes = assessor_codes(store, collection_id, ids.values())
    return collection_id, {name: codes[one] for name, one in ids.items()}


def test_a_table_of_a_page_names_nobody(store: Store, collection):
    collection_id, codes = collection
    table = pd.DataFrame(
        {
            "first": ["a1", "1"],
            "second_id": ["p-2", "p-3"],
            "name": ["cats: Li – 7", "Lili"],
            "topic_id": ["1", "7"],
            "version": ["only Li", None],
            "slot 1: measure": ["P@7", "P@1"],
            "by Li": ["1", "7"],
            "7": [1, 2],
            "levels": pd.Categorical(["–", "7"]),
            "any": [1, "7"],
        }
    )
    hidden = hide_names(
        store, collection_id, table, nobody=("topic_id", "measure"), listed=("version",)
    )
    assert list(hidden.columns) == [
        *("first", "second_id", "name", "topic_id", "version", "slot 1: measure"),
        *(f"by {codes['Li']}", codes["7"], "levels", "any"),
    ]
    assert hidden["first"].tolist() == [codes["a1"], codes["1"]]
    assert hidden["second_id"].tolist() == [codes["Li"], codes["李明"]]
    assert hidden["name"].tolist() == [f"cats: {codes['Li']} – {codes['7']}", "Lili"]
    assert hidden["topic_id"].tolist() == ["1", "7"]
    assert hidden["version"].tolist()[0] == f"only {codes['Li']}"
    assert hidden["version"].isna().tolist() == [False, True]
    assert hidden["slot 1: measure"].tolist() == ["P@7", "P@1"]
    assert hidden[f"by {codes['Li']}"].tolist() == ["1", "7"]
    assert hidden[codes["7"]].tolist() == [1, 2]
    assert hidden["levels"].tolist() == [codes["–"], codes["7"]]
    assert hidden["any"].tolist() == [1, codes["7"]]
    assert table["first"].tolist() == ["a1", "1"]


@long
def test_levels_that_name_columns_stay(store: Store, collection):
    table = pd.DataFrame({"1": ["7"], "7": ["–"]})
    hidden = hide_names(store, collection[0], table, nobody=list(table))
    pd.testing.assert_frame_equal(hidden, table)


@long
def test_names_of_saved_versions_are_read_word_by_word(store: Store, collection):
    collection_id, codes = collection
    organiser = add_person(store, "Olga", "organiser")
    rule = QrelsRule("A B without Li or Olga", assessors=("p-0",))
    save_rule(store, collection_id, rule.name, rule.to_json())
    table = pd.DataFrame({"version": [rule.name, "slot 1"], "rule": [rule.to_json(), ""]})
    hidden = hide_names(store, collection_id, table, listed=("version", "rule"))
    olga = assessor_codes(store, collection_id, [organiser])[organiser]
    named = f"{codes['A B']} without {codes['Li']} or {olga}"
    assert hidden["version"].tolist() == [named, "slot 1"]
    told = QrelsRule.from_json(hidden["rule"][0])
    assert (told.name, told.assessors) == (named, (codes["a1"],))


def test_where_nobody_is_known_a_table_stays_as_it_is(store: Store):
    table = pd.DataFrame({"name": ["Anna"], "n": [1]})
    pd.testing.assert_frame_equal(
        hide_names(store, create_collection(store, "Empty"), table), table, check_dtype=False
    )
