"""The organiser offers reasons, changes them and takes them away."""

from core.store.events.preference_reasons import USUAL_REASONS, list_reason_choices
from tests.short import long

HERE = {"collection-part": "Reasons"}


def press(at, label: str):
    next(one for one in at.button if one.label == label).click()
    return at.run()


@long
def test_usual_reasons_are_there_to_be_saved(open_page, store, organiser, filled):
    at = open_page("collection", organiser, address=HERE)
    assert any("No reasons are offered now" in one.value for one in at.info)
    assert at.text_area[0].value.splitlines() == list(USUAL_REASONS)
    assert list_reason_choices(store, filled) == ()
    press(at, "Offer these reasons")
    assert list_reason_choices(store, filled) == USUAL_REASONS
    at = open_page("collection", organiser, address=HERE)
    at.text_area[0].set_value("newer\n\n *better* \n")
    at = press(at, "Offer these reasons")
    assert list_reason_choices(store, filled) == ("newer", "*better*")
    press(open_page("collection", organiser, address=HERE), "Offer none")
    assert list_reason_choices(store, filled) == ()


def test_too_many_are_refused_and_say_so(open_page, store, organiser, filled):
    at = open_page("collection", organiser, address=HERE)
    at.text_area[0].set_value("\n".join(str(n) for n in range(9)))
    at = press(at, "Offer these reasons")
    assert any("at most 8 reasons" in one.value for one in at.code)
    assert list_reason_choices(store, filled) == ()
