"""One's own preferences in the history: what was said, ties among them, and the way back."""

import pandas as pd
import pytest

from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan
from core.store.events.labels import LabelEvent
from core.store.events.preference_reasons import read_reasons, set_reason_choices
from core.store.people.members import add_member
from core.store.people.people import add_person
from tests.short import long

CHOSEN = {"selection": {"rows": [0], "columns": []}}


@pytest.mark.parametrize(
    ("level", "said"),
    [
        (-2, "left, clearly"),
        pytest.param(-1, "left, slightly", marks=long),
        (0, "tie"),
        pytest.param(1, "right, slightly", marks=long),
    ],
)
def test_what_was_said_is_listed_and_can_be_judged_again(
    store, filled, open_page, level: int, said: str
):
    anna = add_person(store, "Anna", "assessor")
    add_member(store, filled, anna, "Anna")
    frame = pd.DataFrame(
        [("t1", "systems", "e1", "e2")], columns=["topic_id", "kind", "first", "second"]
    )
    open_pair_round(store, filled, Plan(judges=1, flow="systems side by side"), frame)
    _, content = next_assignment(store, filled, anna)
    (step,) = content.steps
    event = LabelEvent("00000000-0000-4000-8000-000000000001", None, step.key(anna), "level", level)
    store.labels.append(filled, [event])
    at = open_page("history", anna, **{"history-pairs": CHOSEN})
    assert not at.exception
    assert at.dataframe[0].value["Said"].tolist() == [said]
    assert "Reasons" not in at.dataframe[0].value
    assert [one.proto.label for one in at.get("page_link")] == ["Judge again"]


@long
def test_reasons_are_listed_and_changed_with_the_preference(store, filled, open_page):
    anna = add_person(store, "Anna", "assessor")
    add_member(store, filled, anna, "Anna")
    set_reason_choices(store, filled, ["fresher", "<b>clearer</b>"])
    frame = pd.DataFrame(
        [("t1", "systems", "e1", "e2")], columns=["topic_id", "kind", "first", "second"]
    )
    open_pair_round(store, filled, Plan(judges=1, flow="systems side by side"), frame)
    at = open_page("judge", anna)
    at.sidebar.toggle[0].set_value(True).run()
    at.multiselect[0].set_value(["<b>clearer</b>"])
    next(one for one in at.button if (one.key or "").startswith("-1-")).click().run()
    assert not at.exception
    assert read_reasons(store, filled)["reason"].tolist() == ["<b>clearer</b>"]
    at = open_page("history", anna, **{"history-pairs": CHOSEN})
    assert at.dataframe[0].value["Reasons"].tolist() == ["<b>clearer</b>"]
    assert at.multiselect[0].value == ["<b>clearer</b>"]
    at.multiselect[0].set_value(["fresher", "<b>clearer</b>"])
    next(one for one in at.button if one.label == "Save").click().run()
    assert not at.exception
    at = open_page("history", anna)
    assert at.dataframe[0].value["Reasons"].tolist() == ["fresher, <b>clearer</b>"]
    set_reason_choices(store, filled, [])
    at = open_page("history", anna)
    assert at.dataframe[0].value["Reasons"].tolist() == ["fresher, <b>clearer</b>"]
