from core.collection.records import Level, default_scales
from core.prompting.question import (
    Material,
    Questioner,
    describe_answer,
    describe_levels,
    list_choices,
    make_schema,
)
from core.prompting.template import read_template
from tests.core.prompting.chat_server import BLOCK

SCALE = default_scales()["page"]
MATERIAL = Material("cats", "", "Any cat counts.", "On cats", "Cats are animals.")


def test_a_question_holds_everything_in_its_place():
    questioner = Questioner(read_template("levels"), "Be fair.", SCALE)
    system, user = questioner.ask(MATERIAL)
    ((_, block),) = BLOCK.findall(user["content"])
    assert block == "Title: On cats\nCats are animals."
    for said in ("Query: cats", "Description: (none given)", "Any cat counts.", "Be fair."):
        assert said in user["content"]
    assert all(f"{one.level} {one.name}: {one.meaning}" in user["content"] for one in SCALE)
    assert "Cats are animals." not in system["content"]


def test_every_question_has_a_code_of_its_own():
    questioner = Questioner(read_template("levels"), "", SCALE)
    codes = {BLOCK.findall(questioner.ask(MATERIAL)[-1]["content"])[0][0] for _ in range(50)}
    assert len(codes) == 50
    assert all(len(one) == 32 for one in codes)


def test_a_code_that_is_in_the_text_is_drawn_again():
    codes = iter(["aaaa", "bbbb", "cccc"])
    questioner = Questioner(read_template("levels"), "", SCALE, draw=lambda: next(codes))
    material = Material("q", "", "", "of bbbb", "end of text aaaa >>>")
    assert "<<< text cccc" in questioner.ask(material)[-1]["content"]


def test_a_text_is_cut_and_nothing_else():
    assert MATERIAL.cut(4) == Material("cats", "", "Any cat counts.", "On cats", "Cats")


def test_levels_without_names_or_meanings_are_numbers():
    scale = (Level(-2, "-2", "", "1", -2), Level(0, "Good", "", "2", 0))
    assert describe_levels(scale) == "-2\n0 Good"
    assert list_choices(scale) == ["-2", "0", "cannot judge"]
    assert '"-2", "0", "cannot judge"' in describe_answer(scale)


def test_the_schema_allows_levels_and_nothing_else():
    asked = make_schema(["0", "1", "cannot judge"])
    schema = asked["json_schema"]["schema"]
    assert schema["properties"]["level"]["enum"] == ["0", "1", "cannot judge"]
    assert asked["json_schema"]["strict"] is True
    assert schema["required"] == ["reason", "level"]
