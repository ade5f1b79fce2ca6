"""The screen as a whole: what keys do, what is sent when, what a rerun of the page changes."""

import pytest
from playwright.sync_api import Page, expect

from tests.pages.judge.screen.loopback import Answer, Intake, refuse
from tests.pages.judge.screen.mounting import LEVELS, Screen, data_for, step
from tests.short import few, long

pytestmark = pytest.mark.browser

THREE = (step("d1"), step("d2"), step("d3"))


@pytest.fixture
def screen(blank: Page, intake: Intake) -> Screen:
    """Three pages to judge."""
    return Screen(blank, data_for(*THREE))


def test_a_level_leads_to_the_next_item_and_is_sent(screen: Screen, intake: Intake):
    screen.judge("1", "3")
    expect(screen.part("progress")).to_have_text("3 of 3")
    expect(screen.part("save-state")).to_have_text("All saved")
    sent = [(one["document"], one["level"]) for one in intake.events]
    assert sent == [("d1", 0), ("d2", 2)]


def test_another_assessor_in_the_same_place_has_a_screen_of_their_own(
    screen: Screen, intake: Intake
):
    screen.judge("1")
    expect(screen.part("save-state")).to_have_text("All saved")
    screen.receive(assessor="p2", assignment="assignment 2", token="token 2")
    expect(screen.part("progress")).to_have_text("1 of 3")
    screen.judge("3")
    expect(screen.part("progress")).to_have_text("2 of 3")
    expect(screen.part("save-state")).to_have_text("All saved")
    sent = [(one["assignment"], one["document"], one["level"]) for one in intake.events]
    assert sent == [("assignment 1", "d1", 0), ("assignment 2", "d1", 2)]


def test_a_level_pressed_before_its_item_could_be_seen_is_none(screen: Screen, intake: Intake):
    screen.wait()
    shown = screen.page.evaluate("""async () => {
        const root = document.querySelector(".judge");
        const press = (key) => window.dispatchEvent(new KeyboardEvent("keydown", {key}));
        const steps = [];
        for (const key of ["1", "2"]) { press(key); steps.push(root.dataset.step.split("|")[1]); }
        return steps;
    }""")
    assert shown[0] == shown[1], "the second press was for an item that nobody had seen"
    expect(screen.part("notice")).to_contain_text("could not have been seen")
    screen.wait()
    assert screen.step.split("|")[1] == "d2"
    screen.judge("3")
    expect(screen.part("save-state")).to_have_text("All saved")
    said = [(one["document"], one["level"]) for one in intake.events]
    assert said == [("d1", 0), ("d2", 2)]


@long
def test_the_limit_counts_from_the_press_that_brought_the_item(blank: Page, intake: Intake):
    screen = Screen(blank, data_for(*(step(f"d{n}") for n in range(8))))
    screen.wait()
    pressed = blank.evaluate("""async () => {
        const root = document.querySelector(".judge");
        const isReady = async () => {
            while (root.dataset.ready !== "true") await new Promise((go) => setTimeout(go, 1));
        };
        const press = (key, at) => {
            const event = new KeyboardEvent("keydown", {key});
            Object.defineProperty(event, "timeStamp", {value: at});
            window.dispatchEvent(event);
            return at;
        };
        const times = [];
        for (let n = 0; n < 7; n += 1) {
            const last = press(String(n % 3 + 1), performance.now());
            await isReady(); // it is painted by now, however slow this machine is
            press("1", last + 149);
            times.push(performance.now() - last);
        }
        return times;
    }""")
    assert min(pressed) >= 150
    expect(screen.part("save-state")).to_have_text("All saved")
    assert [one["level"] for one in intake.events] == [n % 3 for n in range(7)]


def test_a_tap_right_after_a_key_does_not_count_either(screen: Screen, intake: Intake):
    screen.wait()
    steps = screen.page.evaluate("""async () => {
        const root = document.querySelector(".judge");
        window.dispatchEvent(new KeyboardEvent("keydown", {key: "1"}));
        document.querySelector("[data-testid=level-2]").click();
        return root.dataset.step.split("|")[1];
    }""")
    assert steps == "d2"
    expect(screen.part("save-state")).to_have_text("All saved")
    assert len(intake.events) == 1


def test_the_end_is_told_once_and_when_everything_is_saved(screen: Screen, intake: Intake):
    intake.answer = refuse(503)
    screen.judge("1", "1", "1")
    expect(screen.part("finished")).to_contain_text("3 still waiting")
    assert screen.triggers == []
    intake.reset()
    screen.page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(screen.part("finished")).to_contain_text("Everything is saved.")
    screen.page.wait_for_function("triggers.length")
    screen.receive()
    assert screen.triggers == [["finished", "assignment 1"]]


def test_a_rerun_of_the_page_changes_nothing_on_the_screen(screen: Screen, intake: Intake):
    screen.judge("1")
    screen.page.evaluate("document.querySelector('[data-testid=query]').dataset.mine = 'yes'")
    before = screen.step
    screen.receive(token="token 2")
    assert screen.step == before
    expect(screen.part("query")).to_have_attribute("data-mine", "yes")
    screen.judge("2")
    expect(screen.part("save-state")).to_have_text("All saved")
    assert [one["level"] for one in intake.events] == [0, 1], "each press counts once"
    assert intake.tokens[-1] == "Bearer token 2"


def test_a_new_token_is_asked_for_once(screen: Screen, intake: Intake):
    intake.answer = refuse(401)
    screen.judge("1", "2")
    expect(screen.part("save-state")).to_have_text("Sign in again, 2 labels wait on this device")
    with screen.page.expect_event("requestfinished"):
        screen.receive(token="token 2")
    screen.page.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert intake.tokens[-1] == "Bearer token 2"
    assert screen.triggers == [["refresh", "token"]]


def test_judging_stops_where_it_is_not_allowed(screen: Screen, intake: Intake):
    intake.answer = refuse(403, "This collection is closed.")
    screen.judge("1")
    expect(screen.part("notice")).to_have_text("This collection is closed.")
    before = screen.step
    screen.page.keyboard.press("2")
    assert screen.step == before
    assert len(intake.batches[0]) == 1


def test_undo_goes_back_and_says_when_there_is_nothing(screen: Screen):
    first, _ = screen.judge("1", "u")
    assert screen.step == first
    screen.page.keyboard.press("u")
    expect(screen.part("notice")).to_contain_text("no judgement of this visit")


def test_a_digit_says_why_this_item_cannot_be_judged(screen: Screen, intake: Intake):
    screen.wait()
    screen.page.keyboard.press("x")
    expect(screen.part("reasons")).to_be_visible()
    screen.page.keyboard.press("9")
    assert screen.step.split("|")[1] == "d1", "nothing is noted before there is a reason"
    assert intake.events == []
    screen.judge("2")
    expect(screen.part("reasons")).to_be_hidden()
    expect(screen.part("save-state")).to_have_text("All saved")
    said = [(one["document"], one["state"], one["comment"]) for one in intake.events]
    assert said == [("d1", "cannot judge", "wrong language")]
    screen.judge("3")
    expect(screen.part("save-state")).to_have_text("All saved")
    assert (intake.events[-1]["document"], intake.events[-1]["level"]) == ("d2", 2)


@pytest.mark.parametrize("key", few(["Escape", "x"]))
def test_the_question_why_can_be_closed_again(screen: Screen, intake: Intake, key: str):
    screen.wait()
    screen.page.keyboard.press("x")
    screen.page.keyboard.press(key)
    expect(screen.part("reasons")).to_be_hidden()
    screen.judge("3")
    expect(screen.part("save-state")).to_have_text("All saved")
    assert [(one["state"], one["level"]) for one in intake.events] == [("level", 2)]


@long
def test_another_reason_is_written_and_not_left_empty(screen: Screen, intake: Intake):
    screen.wait()
    screen.page.keyboard.press("x")
    screen.part("reasons").get_by_text("other").click()
    screen.page.keyboard.press("Control+Enter")
    expect(screen.part("notice")).to_have_text("Say why in a word or two.")
    screen.part("comment-text").fill("behind a wall")
    first = screen.step
    screen.page.keyboard.press("Control+Enter")
    expect(screen.root).not_to_have_attribute("data-step", first)
    expect(screen.part("save-state")).to_have_text("All saved")
    said = [(one["document"], one["state"], one["comment"]) for one in intake.events]
    assert said == [("d1", "cannot judge", "behind a wall")]


@long
def test_a_reason_goes_with_a_comment_begun_before(screen: Screen, intake: Intake):
    screen.wait()
    screen.page.keyboard.press("c")
    screen.part("comment-text").fill("odd")
    screen.page.keyboard.press("Control+Enter")
    expect(screen.part("notice")).to_have_text("The comment goes with your judgement.")
    first = screen.step
    screen.page.keyboard.press("x")
    screen.part("reasons").get_by_text("unreadable").click()
    expect(screen.root).not_to_have_attribute("data-step", first)
    screen.judge("ArrowLeft")
    screen.judge("1")
    expect(screen.part("save-state")).to_have_text("All saved")
    said = [(one["state"], one["comment"]) for one in intake.events]
    assert said == [("cannot judge", "unreadable; odd"), ("level", "odd")]


def test_escape_discards_a_comment_only_after_asking(screen: Screen):
    screen.wait()
    screen.page.keyboard.press("c")
    screen.page.keyboard.press("Escape")
    expect(screen.part("comment-form")).to_be_hidden()
    screen.page.keyboard.press("c")
    screen.page.keyboard.type("worth keeping")
    screen.page.keyboard.press("Escape")
    expect(screen.part("comment-ask")).to_be_visible()
    screen.page.keyboard.press("2")
    screen.page.keyboard.press("Escape")
    expect(screen.part("comment-ask")).to_be_hidden()
    expect(screen.part("comment-text")).to_be_focused()
    expect(screen.part("comment-text")).to_have_value("worth keeping")
    assert screen.step.split("|")[1] == "d1"
    screen.page.keyboard.press("Escape")
    screen.part("comment-discard").click()
    expect(screen.part("comment-form")).to_be_hidden()
    screen.page.keyboard.press("c")
    expect(screen.part("comment-text")).to_have_value("")


def test_practice_shows_what_is_right_before_it_goes_on(blank: Page, intake: Intake):
    intake.answer = lambda events: Answer(
        200,
        {
            "acks": [
                {"event_id": one["event_id"], "status": "new",
                 "practice": {"level": 2, "why": "<b>It</b> fits."}}
                for one in events
            ]
        },
    )  # fmt: skip
    screen = Screen(blank, data_for(step("p1", practice=True), *THREE))
    screen.wait()
    first = screen.step
    screen.page.keyboard.press("3")
    expect(screen.part("feedback")).to_contain_text("Yes: Level 2. <b>It</b> fits.")
    expect(screen.root).to_have_attribute("data-practice", "true")
    assert screen.step == first
    assert screen.judge("Enter") == [first]
    expect(screen.part("practised-counts")).to_have_text(
        "Practice: 1 of 1 as the organiser set it."
    )
    screen.page.keyboard.press("2")
    assert screen.step == "practised", "what is not on the screen gets no level"
    screen.judge("Enter")
    expect(screen.root).to_have_attribute("data-practice", "false")
    expect(screen.part("progress")).to_have_text("1 of 3")


SECOND = {
    "assignment": "assignment 2",
    "topics": {"t2": {"query": "dogs", "description": "", "narrative": ""}},
    "steps": [step("e1", topic="t2"), step("e2", topic="t2")],
    "documents": {
        one: {"title": f"Title {one}", "url": "", "text": "Dogs.", "frame": None}
        for one in ("e1", "e2")
    },
}


def test_the_card_of_a_topic_stays_until_one_goes_on(screen: Screen, intake: Intake):
    screen.wait()
    screen.page.keyboard.press("x")
    screen.judge("1", "1", "1")
    card = screen.part("finished")
    expect(card).to_contain_text("This topic is done")
    expect(card).to_contain_text("2 judgements, 1 cannot judge.")
    screen.page.wait_for_function("triggers.length")
    screen.receive(**SECOND)
    expect(screen.part("next")).to_contain_text("Next: dogs")
    assert screen.step == "finished", "the counts stay on the screen"
    screen.judge("Enter")
    assert screen.step.split("|")[1] == "e1"


@long
def test_going_on_before_the_next_topic_has_come_begins_it_when_it_comes(
    screen: Screen, intake: Intake
):
    screen.judge("1", "1", "1")
    screen.page.keyboard.press("Enter")
    expect(screen.part("next")).to_contain_text("Getting what is next")
    screen.receive(**SECOND)
    expect(screen.part("query")).to_have_text("dogs")


@long
def test_back_and_undo_lead_into_the_topic_before(screen: Screen, intake: Intake):
    steps = screen.judge("1", "2", "3")
    screen.page.wait_for_function("triggers.length")
    screen.receive(**SECOND)
    screen.judge("Enter", "ArrowLeft")
    assert screen.step == steps[2]
    expect(screen.part("query")).to_have_text("cats")
    expect(screen.part("level-2")).to_have_attribute("aria-pressed", "true")
    screen.judge("1")
    assert screen.step.split("|")[1] == "e1", "after a revision the topic in work goes on"
    screen.judge("u")
    assert screen.step == steps[2]
    expect(screen.part("notice")).to_contain_text("stands until you give another")
    screen.judge("2")
    assert screen.step.split("|")[1] == "e1"
    expect(screen.part("save-state")).to_have_text("All saved")
    said = [(one["assignment"], one["document"], one["state"], one["level"])
            for one in intake.events]  # fmt: skip
    assert said[2:] == [
        ("assignment 1", "d3", "level", 2),
        ("assignment 1", "d3", "level", 0),
        ("assignment 1", "d3", "level", 1),
    ], "nothing is missing from a topic that is done while one thinks again"


@long
def test_what_is_done_is_not_put_off(screen: Screen, intake: Intake):
    screen.judge("1", "2", "3")
    screen.page.wait_for_function("triggers.length")
    screen.judge("ArrowLeft")
    before = screen.step
    screen.wait()
    screen.page.keyboard.press("l")
    expect(screen.part("notice")).to_contain_text("This topic is done")
    assert screen.step == before
    assert [one["state"] for one in intake.events] == ["level"] * 3


@long
def test_the_topic_can_be_gone_through_again_before_the_next(screen: Screen):
    steps = screen.judge("1", "2", "3")
    screen.receive(**SECOND)
    screen.part("review").click()
    assert screen.step == steps[0]
    screen.judge("ArrowRight", "ArrowRight", "ArrowRight")
    assert screen.step == "finished"
    screen.judge("Enter")
    assert screen.step.split("|")[1] == "e1"


WITHOUT_WORK = {
    **{"assignment": "none", "over": True, "steps": [], "documents": {}, "topics": {}},
    **{"scales": {}, "pace": {"median_seconds": None, "topics": None, "today": 3}},
}


@long
def test_after_the_work_the_card_stays_and_new_work_is_asked_for(screen: Screen, intake: Intake):
    screen.judge("1", "2", "3")
    screen.receive(**WITHOUT_WORK)
    card = screen.part("finished")
    expect(card).to_contain_text("Finished: thank you")
    expect(card).to_contain_text("3 judgements.")
    expect(screen.part("done-today")).to_have_text("Today you judged 3 items.")
    expect(screen.part("over")).to_contain_text("There is nothing for you to judge now.")
    expect(screen.part("next")).to_be_hidden()
    assert card.get_by_role("link", name="History").get_attribute("href") == "history?collection=c1"
    screen.page.wait_for_function("triggers.some(([name, why]) => why === 'work')")
    screen.receive(**SECOND, intro={"asked_by": "Dogs asks"})
    expect(screen.part("start")).to_be_visible()
    expect(screen.part("query")).to_be_hidden()
    screen.judge("Enter")
    assert screen.step.split("|")[1] == "e1"


@long
def test_new_work_is_not_asked_for_where_nobody_looks(screen: Screen):
    screen.receive(**WITHOUT_WORK)
    asked = screen.page.evaluate("""() => {
        const look = (hidden) => {
            triggers.length = 0;
            Object.defineProperty(document, "hidden", {get: () => hidden, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
            return triggers.filter(([, why]) => why === "work").length;
        };
        return [look(true), look(false)];
    }""")
    assert asked == [0, 1]


def test_a_card_says_what_is_asked_before_the_first_item(blank: Page, intake: Intake):
    asked = {"asked_by": "<b>Cats</b> asks for your judgement"}
    screen = Screen(blank, data_for(step("p1", practice=True), *THREE, intro=asked))
    card = screen.part("start")
    for words in (asked["asked_by"], "Judge 3 items", "1 practice item", "Level 1", "Means 1"):
        expect(card).to_contain_text(words)
    blank.keyboard.press("1")
    assert screen.step == "start"
    screen.judge("Enter")
    assert screen.step.split("|")[1] == "p1"
    blank.keyboard.press("Escape")
    screen.wait()
    blank.keyboard.press("1")
    expect(screen.part("save-state")).to_have_text("All saved")
    again = Screen(blank, data_for(*THREE, intro=asked))
    again.wait()
    assert again.step.split("|")[1] == "d1", "something was judged in this tab"


@long
def test_todays_count_and_the_topic_stand_below_the_item(blank: Page):
    pace = {
        "median_seconds": None,
        "topics": {"number": 2, "total": 5, "at_most": True},
        "today": 7,
    }
    screen = Screen(blank, data_for(*THREE, pace=pace))
    expect(screen.part("topics")).to_have_text("Topic 2 of at most 5")
    expect(screen.part("today")).to_have_text("7 today")
    screen.receive(pace={**pace, "topics": {**pace["topics"], "what": "part"}})
    expect(screen.part("topics")).to_have_text("Part 2 of at most 5")
    screen.judge("1")
    expect(screen.part("today")).to_have_text("8 today")
    screen.judge("u")
    expect(screen.part("today")).to_have_text("7 today")


@long
def test_several_snippets_of_a_page_say_which_this_is(blank: Page):
    snippets = [step("d1", facet="snippet", engine=one, snippet="Cats") for one in "ab"]
    screen = Screen(blank, data_for(*snippets, step("d2")))
    expect(screen.part("kind")).to_have_text("Snippet 1 of 2 of this page")
    screen.judge("1")
    expect(screen.part("kind")).to_have_text("Snippet 2 of 2 of this page")
    screen.judge("1")
    expect(screen.part("kind")).to_have_text("Page")


@long
def test_a_scale_of_plain_numbers_says_which_end_is_good(blank: Page):
    numbers = [{"level": n, "name": str(n), "meaning": "", "key": str(n)} for n in range(4)]
    screen = Screen(blank, data_for(*THREE, scales={"page": numbers, "snippet": LEVELS}))
    expect(screen.part("ends")).to_have_text("0 = lowest … 3 = highest")
    expect(screen.part("level-0")).to_contain_text("lowest")
    expect(screen.part("level-3")).to_contain_text("highest")


def test_guidelines_open_over_the_item_and_judge_nothing(screen: Screen):
    screen.wait()
    before = screen.step
    screen.page.keyboard.press("g")
    expect(screen.part("guidelines")).to_be_visible()
    screen.page.keyboard.press("1")
    screen.page.keyboard.press("g")
    expect(screen.part("guidelines")).to_be_hidden()
    assert screen.step == before
    screen.judge("1")


@long
def test_help_is_open_for_nothing_but_reading(screen: Screen):
    before = screen.step
    screen.page.keyboard.press("?")
    expect(screen.part("help-text")).to_be_visible()
    screen.page.keyboard.press("1")
    assert screen.step == before
    screen.page.keyboard.press("Escape")
    expect(screen.part("help-text")).to_be_hidden()
    screen.judge("1")


def test_a_screen_that_was_taken_away_takes_no_keys(screen: Screen, intake: Intake):
    screen.page.evaluate("unmount()")
    before = screen.step
    screen.page.keyboard.press("1")
    assert (screen.step, intake.batches) == (before, [])


def test_everything_that_strangers_wrote_is_shown_as_text(blank: Page, intake: Intake):
    hostile = '<img src=x onerror="window.hurt = 1"><b data-hurt>cats</b>'
    document = {"title": hostile, "url": hostile, "text": hostile, "frame": None}
    snippet = step("d1", facet="snippet", snippet=hostile)
    levels = [{**one, "name": hostile, "meaning": hostile} for one in LEVELS]
    screen = Screen(
        blank,
        data_for(
            snippet,
            step("d1"),
            guidelines=hostile,
            documents={"d1": document},
            topics={"t1": {"query": hostile, "description": hostile, "narrative": hostile}},
            scales={"page": levels, "snippet": levels},
        ),
    )
    expect(screen.part("snippet")).to_contain_text(hostile)
    screen.judge("1")
    for part in (
        "page",
        "query",
        "description",
        "narrative",
        "guidelines",
        "level-0",
        "meanings",
        "announcement",
    ):
        expect(screen.part(part)).to_contain_text(hostile[:30])
    assert blank.locator("img, [data-hurt]").count() == 0
    assert blank.evaluate("window.hurt === undefined")


def test_what_is_left_out_is_said_before_the_first_item(blank: Page):
    intro = {"asked_by": "Somebody asks"}
    screen = Screen(blank, data_for(step("d1"), left_out=2, intro=intro))
    expect(screen.part("start-left-out")).to_have_text(
        "2 more pages of this query have no text stored and are left out."
    )
    data = data_for(step("d1"), left_out=0, intro=intro, assignment="other")
    screen.receive(**data)
    expect(screen.part("start-left-out")).to_be_hidden()


def test_the_pace_can_be_hidden_and_this_device_remembers_it(blank: Page):
    data = data_for(*(step(f"d{number}") for number in range(6)))
    screen = Screen(blank, data)
    screen.judge("1", "2")
    expect(screen.part("pace")).to_be_visible()
    blank.keyboard.press("?")
    shown = screen.part("pace-shown")
    expect(shown).to_have_attribute("aria-pressed", "true")
    shown.click()
    expect(shown).to_have_attribute("aria-pressed", "false")
    blank.keyboard.press("Escape")
    expect(screen.part("pace")).to_be_hidden()
    blank.evaluate("unmount()")
    again = Screen(blank, data)
    again.judge("1")
    expect(again.part("pace")).to_be_hidden()
    expect(again.part("progress")).to_be_visible()


def test_an_organiser_can_hide_the_pace_from_all(blank: Page):
    data = data_for(*(step(f"d{number}") for number in range(6)))
    screen = Screen(blank, data | {"pace": {"hidden": True}})
    screen.judge("1", "2", "1", "2")
    expect(screen.part("progress")).to_be_visible()
    expect(screen.part("pace")).to_be_hidden()
    blank.keyboard.press("?")
    expect(screen.part("help-text")).to_be_visible()
    expect(screen.part("pace-shown")).to_be_hidden()
