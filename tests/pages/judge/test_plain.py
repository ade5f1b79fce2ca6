"""What is judged with plain buttons is there with them: no level is given to what has not come."""

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, open_round
from core.store.events.frames import read_labels
from core.store.events.paradata import read_paradata
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store
from pages.judge.plain import strip_marks
from tests.each import each

TEXT = "<h1>Cats</h1><p>They are *big* <b>cats</b>.</p><script>alert(1)</script>"
PICTURE = "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>"
SEE = "I can see the page"


@pytest.fixture
def anna(store: Store, filled: str) -> str:
    person = add_person(store, "Anna", "assessor")
    add_member(store, filled, person, "Anna")
    return person


def hold(store: Store, html: dict[str, str]) -> None:
    for document_id, one in html.items():
        store.database.run(
            "UPDATE documents SET html = ?, text = '' WHERE document_id = ?", [one, document_id]
        )


def begin(open_page, person: str) -> AppTest:
    at = open_page("judge", person)
    at.sidebar.toggle[0].set_value(True).run()
    assert not at.exception
    return at


def names(at: AppTest) -> list[str]:
    return [one.label for one in at.main.button]


def press(at: AppTest, label: str) -> AppTest:
    next(one for one in at.main.button if one.label.startswith(label)).click().run()
    assert not at.exception
    return at


def judged(store: Store, collection_id: str, person: str) -> pd.DataFrame:
    return read_labels(store, collection_id, assessor_id=person)


def test_a_page_of_html_is_judged_by_its_text(store: Store, filled: str, anna: str, open_page):
    hold(store, {"d1": TEXT, "d2": TEXT})
    open_round(store, filled, Plan(judges=1, flow="page only"))
    at = begin(open_page, anna)
    assert "Cats\n\nThey are *big* cats." in [one.value for one in at.text]
    assert not at.get("iframe")
    (link,) = at.get("link_button")
    assert link.proto.label == "Open the page in a new tab"
    assert link.proto.url.startswith("/api/page/")
    assert SEE not in names(at)
    press(at, "No")
    assert judged(store, filled, anna)["state"].tolist() == ["level"]
    (known,) = read_paradata(store, filled).to_dict("records")
    assert known["text_only"] is True
    assert pd.isna(known["given_by"]), "who presses a button of Streamlit is not told"


def test_what_comes_as_text_is_not_said_to_be_text_only(
    store: Store, filled: str, anna: str, open_page
):
    open_round(store, filled, Plan(judges=1, flow="page only"))
    at = press(begin(open_page, anna), "No")
    assert not at.get("link_button")
    assert len(judged(store, filled, anna)) == 1
    assert read_paradata(store, filled).empty


def test_a_picture_takes_no_level_before_it_is_said_to_be_seen(
    store: Store, filled: str, anna: str, open_page
):
    hold(store, {"d1": PICTURE, "d2": PICTURE})
    open_round(store, filled, Plan(judges=1, flow="page only"))
    at = begin(open_page, anna)
    assert len(at.get("iframe")) == 1
    assert names(at)[:3] == [SEE, "Cannot judge", "Later"]
    press(at, SEE)
    assert SEE not in names(at)
    press(at, "No")
    assert names(at)[0] == SEE, "the next one is asked for anew"
    press(at, "Cannot judge")
    assert judged(store, filled, anna)["state"].tolist() == ["level", "cannot judge"]
    assert read_paradata(store, filled).empty


@pytest.mark.parametrize(("second", "asks"), [(TEXT, False), (PICTURE, True)])
def test_both_sides_of_a_pair_are_there(
    store: Store, filled: str, anna: str, open_page, second: str, asks: bool
):
    hold(store, {"d1": TEXT, "d2": second})
    pairs = pd.DataFrame({"topic_id": "t1", "kind": "documents", "first": "d1", "second": ["d2"]})
    open_pair_round(store, filled, Plan(judges=1, flow="pages side by side"), pairs, "")
    at = begin(open_page, anna)
    assert [one.value for one in at.text].count("Cats\n\nThey are *big* cats.") == 2 - asks
    assert len(at.get("link_button")) == 2
    assert len(at.get("iframe")) == asks
    assert (SEE in names(at)) is asks
    if asks:
        assert names(at)[0] == SEE
        press(at, SEE)
    at.main.button[0].click().run()
    assert [one.state for one in store.labels.current(filled, anna).values()] == ["level"]
    (known,) = read_paradata(store, filled).to_dict("records")
    assert known["text_only"] is True


@each(
    ("written", "shown"),
    [
        ("## Whom you judge for\nA *patient* person.", "Whom you judge for\n\nA patient person."),
        ("- **Key**: the page\n- `Nav`: __home__", "• Key: the page\n• Nav: home"),
        ("see [the manual](https://x.test/m)", "see the manual (https://x.test/m)"),
        ("1. first\n2. second", "1. first\n2. second"),
        ("> quoted\n\n---\n\n```\ncode\n```\nend", "quoted\n\ncode\n\nend"),
        ("_really_ a_b_c and a * b * c, 2 ** 3", "really a_b_c and a * b * c, 2 ** 3"),
        (r"a \*star\* \# and C:\new", r"a *star* # and C:\new"),
        ("#tag and <b>no</b> &amp;", "#tag and <b>no</b> &amp;"),
        ("", ""),
    ],
)
def test_marks_go_and_words_stay(written: str, shown: str):
    assert strip_marks(written) == shown


@each("part", ["*", "_", "**a", "[", "`", "# ", "[a](", "- " * 3, "\\"])
def test_no_text_takes_long(part: str):
    assert len(strip_marks(part * 20_000)) <= len(part) * 20_000
