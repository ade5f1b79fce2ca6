"""The page that has a model judge: what leaves is shown and confirmed, and only that is sent."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.prompting.endpoint import ADDRESS_VARIABLE, KEY_VARIABLE
from core.store.content.collections import describe_collection
from core.store.content.declarations import Declaration, set_declaration
from core.store.machines.jobs import list_jobs
from core.store.people.people import begin_session
from core.store.store import Store
from pages.server.running import server, stop
from tests.browser.running import wait_until
from tests.core.prompting.chat_server import Asked, ChatServer, Told, fail, judge, say
from tests.core.prompting.collection import fill_store
from tests.pages.conftest import MAIN, OpenPage, serve_copy
from tests.pages.named_people import everything
from tests.patience import PATIENCE
from tests.short import long

SECRET = "sk-very-secret-key"
UNJUDGED = {f"t{t}d{n:04d}" for t in (1, 2) for n in range(1, 7)} - {"t1d0001", "t1d0002"}


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with closing(ChatServer(lambda _: judge(1))) as opened:
        yield opened


@pytest.fixture
def store(
    tmp_path: Path, blank_store: Path, chat: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    """A store whose server may ask the model."""
    monkeypatch.setenv(ADDRESS_VARIABLE, chat.url)
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    with serve_copy(blank_store, tmp_path) as opened:
        yield opened


@pytest.fixture
def cats(store: Store) -> str:
    return fill_store(store)


def press(at: AppTest, label: str) -> AppTest:
    return next(one for one in at.button if one.label == label).click().run()


def field(at: AppTest, label: str):
    widgets = (*at.text_input, *at.number_input, *at.selectbox, *at.multiselect, *at.text_area)
    return next(one for one in widgets if one.label == label)


def texts(at: AppTest) -> str:
    found = (*at.markdown, *at.info, *at.caption, *at.code, *at.warning, *at.error, *at.success)
    return "\n".join(one.value for one in found).replace("\\", "")


def plan(at: AppTest, model: str = "judge-1") -> AppTest:
    field(at, "Model").set_value(model)
    return press(at, "Show what would be sent")


def confirm(at: AppTest) -> AppTest:
    at = at.checkbox[0].check().run()
    return press(at, "Begin")


def wait_for_end() -> None:
    jobs = server().machine_jobs
    assert jobs is not None
    wait_until(lambda: jobs.under_way is None)


def test_what_leaves_is_shown_and_nothing_is_sent_before_it_is_confirmed(
    open_page: OpenPage, organiser: str, chat: ChatServer, cats: str
):
    at = plan(open_page("machine-judge", organiser))
    assert not at.exception
    told = texts(at)
    assert "**10 items** of 2 topics go to **127.0.0.1**" in told
    assert "A request holds query, description, narrative, guidelines, title, page" in told
    assert "It is not encrypted on its way." in told
    assert "Budget: 1,000 requests." in told
    assert "ITEM t1d0003 is a text." in told
    assert "Be fair." in told
    begin = next(one for one in at.button if one.label == "Begin")
    assert begin.disabled
    assert chat.asked == []


def test_exactly_what_was_shown_is_sent_and_judged(
    open_page: OpenPage, organiser: str, store: Store, chat: ChatServer, cats: str
):
    at = plan(open_page("machine-judge", organiser))
    shown = json.loads(at.code[-1].value)
    at = confirm(at)
    assert not at.exception
    assert at.success[0].value.endswith("has begun.")
    wait_for_end()
    assert chat.counts == Counter(UNJUDGED)
    assert {one.headers["Authorization"] for one in chat.asked} == {f"Bearer {SECRET}"}
    for one in chat.asked:
        assert {key: part for key, part in one.body.items() if key != "messages"} == shown
    held = store.labels.current(cats, "judge-1")
    assert {key.document_id for key in held} == UNJUDGED
    assert {one.level for one in held.values()} == {1}
    (job,) = list_jobs(store, cats)
    assert (job.started_by, job.endpoint) == (organiser, chat.url)
    at = open_page("machine-judge", organiser)
    assert "The latest job, of **judge-1**, is finished: 10 of 10 items have a level." in texts(at)


def test_the_key_is_on_no_page_in_no_log_and_in_no_file(
    open_page: OpenPage, organiser: str, store: Store, chat: ChatServer, cats: str, caplog, capfd
):
    chat.behave = lambda asked: (
        say(f"you said {asked.headers['Authorization']}")
        if asked.item != "t1d0003"
        else fail(400, asked.headers["Authorization"])
    )
    at = plan(open_page("machine-judge", organiser))
    seen = everything(at)
    at = confirm(at)
    wait_for_end()
    seen += everything(at) + everything(open_page("machine-judge", organiser))
    assert b"[key]" in seen, "what the server quotes is shown without it"
    store.cursor().execute("CHECKPOINT")
    files = [one.read_bytes() for one in store.path.parent.iterdir() if one.is_file()]
    said = caplog.text + "".join(capfd.readouterr()) + repr(vars(server().machine_jobs))
    assert SECRET.encode() not in b"".join([seen, said.encode(), *files])


@long
def test_a_confirmation_is_for_what_was_shown_only(
    open_page: OpenPage, organiser: str, store: Store, chat: ChatServer, cats: str
):
    at = plan(open_page("machine-judge", organiser)).checkbox[0].check().run()
    describe_collection(store, cats, name="Cats", description="", guidelines="Be harsh.")
    at = press(at, "Begin")
    assert "The collection has changed. This is what would be sent now." in texts(at)
    assert "Be harsh." in texts(at)
    assert not at.checkbox[0].value
    assert (chat.asked, list_jobs(store, cats)) == ([], [])
    confirm(at)
    wait_for_end()
    assert chat.counts == Counter(UNJUDGED)
    assert all("Be harsh." in one.question for one in chat.asked)


@long
def test_a_plan_can_be_changed(open_page: OpenPage, organiser: str, chat: ChatServer, cats: str):
    at = plan(open_page("machine-judge", organiser))
    assert "What leaves this server" in [one.value for one in at.header]
    at = field(at, "Topics").set_value(["t2"]).run()
    assert "What leaves this server" not in [one.value for one in at.header]
    field(at, "Items, drawn at random").set_value(3)
    field(at, "Prompt").set_value("steps")
    field(at, "Requests").set_value(2)
    field(at, "Parameters").set_value("temperature=0.5, max_tokens=90")
    at = plan(at, "judge-2")
    assert "**3 items** of 1 topic go to" in texts(at)
    assert "Intent: what does somebody" in texts(at)
    confirm(at)
    wait_for_end()
    assert chat.counts.total() == 2
    assert {one.body["temperature"] for one in chat.asked} == {0.5}
    at = open_page("machine-judge", organiser)
    told = (
        "ended early, since the budget of 2 requests is used up. Still to be judged: 1 of 3 items."
    )
    assert told in texts(at)
    assert "1 item still open: the budget of 2 requests is used up." in texts(at)


def test_it_begins_with_what_is_declared(
    open_page: OpenPage, organiser: str, store: Store, chat: ChatServer, cats: str
):
    for facet in ("page", "snippet"):
        set_declaration(store, cats, Declaration(facet=facet))
        assert field(open_page("machine-judge", organiser), "What is shown").value == facet


@long
def test_snippets_are_judged_within_a_budget_in_money(
    open_page: OpenPage, organiser: str, store: Store, chat: ChatServer, cats: str
):
    at = open_page("machine-judge", organiser)
    field(at, "What is shown").set_value("snippet")
    field(at, "Selection").set_value("pool")
    field(at, "Requests").set_value(5)
    field(at, "Money").set_value(2.0)
    field(at, "Price of a million tokens sent").set_value(1.0)
    field(at, "Price of a million tokens answered").set_value(2.0)
    field(at, "Characters of a text").set_value(12)
    at = plan(at)
    told = texts(at)
    assert "**16 items** of 2 topics" in told
    assert "guidelines, title, snippet, the levels" in told
    assert "16 texts cut after 12 characters." in told
    assert "in money (at the very most 0.0" in told
    assert "Budget: 5 requests, fewer than there are items; 2 in money." in told
    confirm(at)
    wait_for_end()
    assert all(len(one.block.splitlines()[-1]) == 12 for one in chat.asked)
    held = store.labels.current(cats, "judge-1")
    assert {key.facet for key in held} == {"snippet"}
    jobs = open_page("machine-judge", organiser).dataframe[0].value
    assert jobs.loc[0, ["requests", "open"]].tolist() == [5, 11]
    assert jobs.loc[0, "spent"] == pytest.approx(5 * (100 + 2 * 20) / 1_000_000)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{query}} {{levels}}", "the prompt lacks {{text}}"),
        pytest.param(
            "{{query}} {{levels}} {{text}}", "the prompt needs {{begin}} once", marks=long
        ),
    ],
)
def test_a_prompt_of_ones_own_is_checked(
    open_page: OpenPage, organiser: str, cats: str, text: str, reason: str
):
    at = open_page("machine-judge", organiser)
    at = field(at, "Prompt").set_value("own").run()
    assert "{{begin}}" in field(at, "Your prompt").value
    field(at, "Your prompt").set_value(text)
    at = plan(at)
    assert at.error[0].value == "Nothing was planned."
    assert reason in at.code[-1].value


@long
def test_a_prompt_of_ones_own_is_sent(
    open_page: OpenPage, organiser: str, chat: ChatServer, cats: str
):
    at = open_page("machine-judge", organiser)
    at = field(at, "Prompt").set_value("own").run()
    own = "MINE {{query}} {{levels}}\n{{begin}}\n{{text}}\n{{end}}\n{{answer}}"
    field(at, "Your prompt").set_value(own)
    confirm(plan(at))
    wait_for_end()
    assert chat.counts == Counter(UNJUDGED)
    assert all(one.question.startswith("MINE query of t") for one in chat.asked)


@pytest.mark.parametrize(
    ("label", "value", "reason"),
    [
        ("Parameters", "model=other", "'model' is set by Dissent"),
        pytest.param("Model", " ", "the machine needs a name", marks=long),
        pytest.param("Price of a million tokens sent", 1.0, "give both prices", marks=long),
        pytest.param("Money", 1.0, "a budget in money needs the prices", marks=long),
    ],
)
def test_what_cannot_be_planned_is_refused_with_the_reason(
    open_page: OpenPage, organiser: str, cats: str, label: str, value: object, reason: str
):
    at = open_page("machine-judge", organiser)
    field(at, "Model").set_value("judge-1")
    field(at, label).set_value(value)
    at = press(at, "Show what would be sent")
    assert at.error[0].value == "Nothing was planned."
    assert reason in at.code[-1].value


@long
def test_a_name_that_is_a_persons_is_refused_before_anything_is_sent(
    open_page: OpenPage, organiser: str, store: Store, chat: ChatServer, cats: str
):
    at = open_page("machine-judge", organiser)
    field(at, "Name of the machine").set_value("anna")
    at = confirm(plan(at))
    assert at.error[0].value == "Nothing was sent."
    assert "'anna' is not a machine here" in at.code[-1].value
    assert (chat.asked, list_jobs(store, cats)) == ([], [])


def slowly(asked: Asked) -> Told:
    return Told(200, judge(2).body, stall=0.2)


@long
def test_a_job_is_watched_stopped_and_gone_on_with(
    open_page: OpenPage, organiser: str, store: Store, chat: ChatServer, cats: str
):
    chat.behave = slowly
    at = confirm(plan(open_page("machine-judge", organiser)))
    at = open_page("machine-judge", organiser)
    assert "**judge-1** is judging 10 items." in texts(at)
    assert "Show what would be sent" not in [one.label for one in at.button]
    press(at, "Stop")
    wait_for_end()
    done = len(store.labels.current(cats, "judge-1"))
    assert 0 < done < 10
    chat.behave = lambda _: judge(3)
    at = open_page("machine-judge", organiser)
    assert f"{10 - done} items still open: it was stopped." in texts(at)
    at = press(at, "Go on with this job")
    assert f"**{10 - done} items** of" in texts(at)
    confirm(at)
    wait_for_end()
    assert chat.counts == Counter(UNJUDGED), "nothing was asked twice"
    assert len(list_jobs(store, cats)) == 1


@long
def test_a_job_goes_on_after_the_server_was_started_again(
    open_page: OpenPage, organiser: str, store: Store, chat: ChatServer, cats: str
):
    chat.behave = slowly
    confirm(plan(open_page("machine-judge", organiser)))
    wait_until(lambda: len(chat.asked) > 0)
    stop()
    at = open_again(organiser)
    assert "ended early" in texts(at)
    assert "it was stopped, or the server was." in texts(at)
    confirm(press(at, "Go on with this job"))
    wait_for_end()
    assert len(server().store.labels.current(cats, "judge-1")) == 10
    assert chat.counts == Counter(UNJUDGED), "what was under way had been waited for"


def open_again(organiser: str) -> AppTest:
    """Open the page on the store that the server opens now."""
    at = AppTest.from_file(MAIN, default_timeout=PATIENCE)
    at.session_state["session_token"] = begin_session(server().store, organiser)
    at._page_hash = calc_hash("machine-judge")
    return at.run()


@long
def test_a_job_of_another_server_cannot_go_on_here(
    open_page: OpenPage, organiser: str, store: Store, chat: ChatServer, cats: str
):
    chat.behave = slowly
    at = plan(open_page("machine-judge", organiser))
    confirm(at)
    jobs = server().machine_jobs
    assert jobs is not None
    jobs.stop()
    wait_for_end()
    with store.database.write() as cursor:
        cursor.execute("UPDATE machine_jobs SET endpoint = 'http://elsewhere.example/v1'")
    at = open_page("machine-judge", organiser)
    assert "It asked http://elsewhere.example/v1, which this server may not." in texts(at).replace(
        "\u2060", ""
    )
    assert "Go on with this job" not in [one.label for one in at.button]
    (job,) = list_jobs(store, cats)
    at = open_page("machine-judge", organiser, **{"machine-rest": (cats, job.job_id)})
    at = confirm(at)
    assert at.error[0].value == "Nothing was sent."
    assert "may only ask" in at.code[-1].value
    at = press(at, "Not now")
    assert "A new job" in [one.value for one in at.header]


@long
def test_outcomes_are_listed_with_their_reasons(
    open_page: OpenPage, organiser: str, chat: ChatServer, cats: str
):
    answers = {"t1d0003": judge(7), "t1d0004": judge("cannot judge", "It is Greek.")}
    answers["t1d0005"] = fail(400, "too long")
    chat.behave = lambda asked: answers.get(asked.item, judge(2))
    confirm(plan(open_page("machine-judge", organiser)))
    wait_for_end()
    at = open_page("machine-judge", organiser)
    jobs, found = (one.value for one in at.dataframe)
    row = jobs.iloc[0]
    counts = ["items", "levels", "cannot_judge", "invalid", "given_up", "open", "requests"]
    assert row[counts].tolist() == [10, 7, 1, 1, 1, 0, 11]
    assert found.set_index("document_id")[["state", "reason"]].T.to_dict("list") == {
        "t1d0003": ["invalid answer", "'7' is no level of the scale"],
        "t1d0004": ["cannot judge", "It is Greek."],
        "t1d0005": ["given up", "the server answered 400: too long"],
    }


@long
def test_when_nothing_is_left_the_page_says_so(
    open_page: OpenPage, organiser: str, chat: ChatServer, cats: str
):
    confirm(plan(open_page("machine-judge", organiser)))
    wait_for_end()
    at = plan(open_page("machine-judge", organiser))
    assert at.error[0].value == "Nothing can be sent."
    assert "this machine has judged all of it" in at.code[-1].value


@long
def test_without_a_server_to_ask_the_page_says_what_to_set(
    open_page: OpenPage, organiser: str, cats: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv(ADDRESS_VARIABLE)
    stop()
    at = open_again(organiser)
    assert not at.exception
    assert ADDRESS_VARIABLE in at.info[0].value
    assert KEY_VARIABLE in at.info[0].value
    assert "Show what would be sent" not in [one.label for one in at.button]
