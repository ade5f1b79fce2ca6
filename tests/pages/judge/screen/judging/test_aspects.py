"""Which questions follow a level, what is kept of a set that was begun, what its event says."""

from typing import Any

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

SETUP = """
const texts = new Map();
const kept = {get: (key) => texts.get(key) ?? null, set: (key, text) => texts.set(key, text)};
const page = {topic: "t", document: "d", facet: "page", occasion: 0};
const levels = [0, 1, 2].map((level) => ({level, name: `L${level}`}));
const all = [
  {name: "trust", facets: ["page"], from_level: 2, may_be_left_out: false, levels},
  {name: "age", facets: ["page", "snippet"], from_level: null, may_be_left_out: true, levels},
];
const aspects = new Aspects(kept);
aspects.load(all);
const name = () => aspects.current(page)?.name ?? null;
"""


def ask(run: Run, script: str) -> Any:
    return run("judging/aspects.js", script=SETUP + script)


def test_what_is_asked_follows_from_facet_level_and_kind(run: Run):
    script = """const of = (step, level) =>
          aspects.asked({...page, ...step}, level).map((one) => one.name);
        return [of({}, 2), of({}, 1), of({facet: "snippet"}, 2), of({practice: true}, 2),
          of({facet: "page pair", sides: []}, 2)]"""
    assert ask(run, script) == [["trust", "age"], ["age"], ["age"], [], []]


def test_a_set_is_one_event_and_leaves_nothing_behind(run: Run):
    script = """const begun = aspects.begin(page, 2, null);
        const more = [aspects.say(page, 1), aspects.say(page, null)];
        const said = aspects.take(page, 2);
        return [begun, more, said, texts.get("t|d|page||0"), name()]"""
    assert ask(run, script) == [
        True,
        [True, False],
        {"aspects": {"trust": 1, "age": None}, "asked": ["trust", "age"]},
        None,
        None,
    ]


def test_back_leads_to_the_level_and_what_was_said_stays(run: Run):
    script = """aspects.begin(page, 2, null); aspects.say(page, 1);
        const names = [name()];
        aspects.back(page); names.push(name());
        const shown = aspects.chosen(page, null);
        aspects.back(page); names.push(name());
        const level = aspects.chosen(page, null);
        const more = aspects.back(page);
        aspects.begin(page, 1, null); names.push(name());
        aspects.say(page, 0);
        return [names, shown.level, level, more, aspects.take(page, 1)]"""
    names, shown, level, more, said = ask(run, script)
    assert names == ["age", "trust", None, "age"]
    assert (shown, level, more) == (1, {"state": "level", "level": 2}, False)
    assert said == {"aspects": {"age": 0}, "asked": ["age"]}


def test_another_visit_goes_on_where_it_was(run: Run):
    script = """aspects.begin(page, 2, null); aspects.say(page, 1);
        const again = new Aspects(kept); again.load(all);
        const fewer = new Aspects(kept); fewer.load(all.slice(0, 1));
        const none = new Aspects(kept); none.load([]);
        texts.set("t|odd|page||0", "no JSON");
        return [again.current(page).name, again.given(page, null), fewer.current(page).name,
          none.current(page), again.current({...page, document: "odd"})]"""
    assert ask(run, script) == ["age", {"trust": 1}, "trust", None, None]


def test_an_earlier_label_is_offered_again(run: Run):
    script = """const label = {state: "level", level: 2, aspects: {trust: 2, age: 0}};
        const before = aspects.chosen(page, label);
        aspects.begin(page, 2, label);
        return [before.level, aspects.chosen(page, label).level, aspects.given(page, label)]"""
    assert ask(run, script) == [2, 2, {"trust": 2, "age": 0}]


def test_without_aspects_an_event_is_as_ever(run: Run):
    script = """const none = new Aspects(kept); none.load(undefined);
        return [none.begin(page, 2, null), none.take(page, 2), none.back(page), texts.size]"""
    assert ask(run, script) == [False, {}, False, 0]
