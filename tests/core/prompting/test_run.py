import threading
from collections import Counter
from dataclasses import replace

import pytest

from core.errors import BadInput, StoreInUse
from core.prompting.budget import Limits, Prices
from core.prompting.pace import Pacing
from core.prompting.plan import begin_job, plan_rest
from core.prompting.selection import Selection
from core.store.machines.jobs import get_job, list_jobs
from core.store.machines.machines import find_machine, read_answers
from core.store.machines.requests import begin_request, count_job, list_given_up
from tests.core.prompting.chat_server import Asked, Told, fail, judge, say
from tests.core.prompting.collection import QUICK, Study
from tests.core.prompting.conftest import Serve
from tests.short import few, long

UNJUDGED = {f"t{t}d{n:04d}" for t in (1, 2) for n in range(1, 7)} - {"t1d0001", "t1d0002"}


def test_every_item_gets_one_label(serve: Serve, study: Study):
    server = serve(lambda asked: judge(int(asked.item[-1]) % 4))
    outcome = study.judge(server.url)
    assert outcome.stopped == ""
    assert (outcome.tally.items, outcome.tally.levels, outcome.tally.open) == (10, 10, 0)
    assert study.labels() == {one: ("level", int(one[-1]) % 4) for one in UNJUDGED}
    assert server.counts == Counter(UNJUDGED)
    answers = read_answers(study.store, study.collection_id)
    assert set(answers["reason"]) == {"It says so."}
    assert answers["input_tokens"].tolist() == [100] * 10
    assert (answers["cost"].isna()).all(), "nobody knows the prices"


def test_what_was_asked_is_on_record(serve: Serve, study: Study):
    server = serve(lambda _: judge(1))
    plan = study.begin(server.url, limits=Limits(requests=50))
    study.run(plan)
    record = get_job(study.store, plan.job_id)
    assert list_jobs(study.store, study.collection_id) == [record]
    assert (record.endpoint, record.model, record.tries) == (server.url, "judge-1", 5)
    assert record.prompt_hash == plan.job.template.sha256
    machine = find_machine(study.store, study.collection_id, "llm")
    assert machine is not None
    assert (machine.prompt, machine.model) == (plan.job.template.text, "judge-1")
    assert machine.parameters == {"temperature": 0, "max_tokens": 400, "longest_text": 20_000}
    assert {one["outcome"] for one in study.rows("machine_replies")} == {"answered"}
    assert {one["attempt"] for one in study.rows("machine_requests")} == {1}


INVALID = {
    "t2d0001": judge(7),
    "t2d0002": judge("3.5"),
    "t2d0003": judge("three"),
    "t2d0004": say('{"level": 1} or rather {"level": 3}'),
    "t2d0005": say("I am sorry, but I cannot help with that."),
    "t2d0006": say(None, refusal="I must not."),
    "t1d0003": say('{"reason": "It', finish_reason="length"),
    "t1d0004": say(""),
}


def test_what_is_no_level_is_an_invalid_answer_and_is_kept(serve: Serve, study: Study):
    server = serve(lambda asked: INVALID.get(asked.item, judge("cannot judge")))
    outcome = study.judge(server.url)
    assert (outcome.tally.invalid, outcome.tally.cannot_judge, outcome.tally.levels) == (8, 2, 0)
    assert server.counts == Counter(UNJUDGED), "nobody asks until the answer suits"
    told = {one: ("invalid answer", None) for one in INVALID}
    assert study.labels() == told | dict.fromkeys(UNJUDGED - set(INVALID), ("cannot judge", None))
    answers = read_answers(study.store, study.collection_id).set_index("document_id")
    assert answers.loc["t2d0001", "reason"] == "'7' is no level of the scale"
    assert answers.loc["t2d0004", "answer"] == '{"level": 1} or rather {"level": 3}'
    assert answers.loc["t2d0006", ["answer", "reason"]].tolist() == [
        *("I must not.", "the model refused"),
    ]
    assert answers.loc["t1d0003", "reason"].startswith("the answer was cut off")


FAULTS = {
    "t2d0001": fail(429),
    "t2d0002": fail(429, Retry_After="0"),
    "t2d0003": fail(500),
    "t2d0004": Told(200, judge(1).body[:40]),
    "t2d0005": Told(200, judge(1).body, breaks_after=0),
    "t2d0006": Told(200, judge(1).body, breaks_after=30),
    "t1d0004": fail(503, Retry_After="soon"),
}


def test_what_fails_is_asked_again(serve: Serve, study: Study):
    def behave(asked: Asked) -> Told:
        return FAULTS[asked.item] if asked.count == 1 and asked.item in FAULTS else judge(2)

    server = serve(behave)
    outcome = study.judge(server.url)
    assert outcome.tally.levels == 10
    assert server.counts == Counter([*UNJUDGED, *FAULTS])
    assert study.labels() == dict.fromkeys(UNJUDGED, ("level", 2))


@long
def test_what_comes_too_late_is_asked_again(serve: Serve, study: Study):
    stalled = replace(judge(1), stall=1.5)
    server = serve(lambda asked: stalled if asked.count == 1 else judge(2))
    study.patience = 0.5
    outcome = study.judge(server.url, part=Selection(topics=("t1",)), tries=50)
    assert outcome.tally.levels == 4
    assert min(server.counts.values()) >= 2
    assert {level for _, level in study.labels().values()} == {2}


def test_an_item_is_given_up_after_so_many_tries_with_a_reason(serve: Serve, study: Study):
    server = serve(lambda asked: fail(500) if asked.item == "t2d0003" else judge(2))
    outcome = study.judge(server.url, tries=3)
    assert (outcome.tally.levels, outcome.tally.given_up, outcome.tally.open) == (9, 1, 0)
    assert server.counts["t2d0003"] == 3
    (one,) = list_given_up(study.store, outcome.job_id)
    assert (one.document_id, one.reason) == ("t2d0003", "the server answered 500: out of order")
    again = study.run(plan_rest(study.store, outcome.job_id))
    assert again.tally == outcome.tally
    assert server.counts["t2d0003"] == 3, "it stays given up"


def test_a_server_that_asks_for_a_pause_gets_it(serve: Serve, study: Study):
    held = threading.Event()

    def behave(asked: Asked) -> Told:
        if not held.is_set():
            held.set()
            return fail(429, Retry_After="1")
        return judge(2)

    server, study.pacing = serve(behave), replace(QUICK, concurrency=1)
    plan = study.begin(server.url, part=Selection(topics=("t2",)))
    study.run(plan)
    sent = sorted(one["sent_at"] for one in study.rows("machine_requests"))
    assert (sent[1] - sent[0]).total_seconds() >= 1
    assert server.counts.total() == 7


@long
def test_a_server_that_asks_for_a_long_pause_ends_the_run(serve: Serve, study: Study):
    server = serve(lambda _: fail(429, "come back tomorrow", Retry_After="86400"))
    outcome = study.judge(server.url)
    assert outcome.stopped == "the server answered 429: come back tomorrow"
    assert outcome.tally.given_up == 0
    assert server.counts.total() <= QUICK.concurrency


@pytest.mark.parametrize("status", few([401, 301, 404]))
def test_what_would_fail_for_every_item_ends_the_run(status: int, serve: Serve, study: Study):
    server = serve(lambda _: fail(status))
    outcome = study.judge(server.url)
    assert outcome.stopped == f"the server answered {status}: out of order"
    assert (outcome.tally.done, outcome.tally.open) == (0, 10)
    assert server.counts.total() <= QUICK.concurrency
    server.behave = lambda _: judge(2)
    assert study.run(plan_rest(study.store, outcome.job_id)).tally.levels == 10


def test_many_items_in_a_row_that_are_given_up_end_the_run(serve: Serve, study: Study):
    server, study.pacing = serve(lambda _: fail(500)), replace(QUICK, concurrency=1)
    outcome = study.judge(server.url, tries=1, part=Selection("pool"))
    assert outcome.stopped.startswith("10 items in a row were given up, the last as the server")
    assert (outcome.tally.given_up, outcome.tally.open) == (10, 2)


@long
def test_a_server_without_structured_answers_is_asked_without(serve: Serve, study: Study):
    def behave(asked: Asked) -> Told:
        if "response_format" in asked.body:
            return fail(400, "response_format is not supported")
        return say("It says so.\nlevel: 3")

    server = serve(behave)
    outcome = study.judge(server.url, tries=1)
    assert outcome.tally.levels == 10
    structured = [one for one in server.asked if "response_format" in one.body]
    assert 1 <= len(structured) <= QUICK.concurrency
    assert server.counts.total() == 10 + len(structured)
    assert study.rows("machine_replies")[0]["outcome"] == "unstructured"


@long
def test_a_server_that_has_refused_them_is_not_asked_for_them_again(serve: Serve, study: Study):
    stop = threading.Event()

    def behave(asked: Asked) -> Told:
        if "response_format" in asked.body:
            return fail(400)
        stop.set()
        return say("level: 3")

    server, study.pacing = serve(behave), replace(QUICK, concurrency=1)
    plan = study.begin(server.url)
    assert study.run(plan, stop=stop).stopped == "it was stopped"
    study.run(plan_rest(study.store, plan.job_id))
    assert sum("response_format" in one.body for one in server.asked) == 1


@long
def test_an_item_that_a_server_cannot_take_is_given_up(serve: Serve, study: Study):
    server = serve(lambda asked: fail(400, "too long") if asked.item == "t2d0003" else judge(1))
    outcome = study.judge(server.url)
    assert outcome.tally.given_up == 1
    assert server.counts["t2d0003"] == 2, "once with a schema, once without"


def test_a_budget_of_requests_is_never_exceeded(serve: Serve, study: Study):
    server = serve(lambda asked: judge(1) if asked.count > 1 else fail(500))
    outcome = study.judge(server.url, limits=Limits(requests=7))
    assert outcome.stopped == "the budget of 7 requests is used up"
    assert server.counts.total() == outcome.tally.requests == 7
    again = study.run(plan_rest(study.store, outcome.job_id))
    assert (again.stopped, server.counts.total()) == (outcome.stopped, 7)


def test_what_was_sent_before_a_kill_counts(serve: Serve, study: Study):
    server = serve(lambda _: judge(1))
    prices = Prices(input=0.0, output=1_000.0)
    plan = study.begin(server.url, limits=Limits(5, 1.3), prices=prices)
    for place in range(3):
        begin_request(study.store, plan.job_id, place, 1, 0.4)
    # Of three requests nobody knows what came; they may have cost 1.2, which leaves no 0.4.
    outcome = study.run(plan_rest(study.store, plan.job_id))
    assert (server.counts.total(), outcome.tally.requests) == (0, 3)
    assert "1.2 is spent, and the next one can cost 0.4" in outcome.stopped
    richer = replace(plan, job=replace(plan.job, limits=Limits(5, 9.0)))
    outcome = study.run(richer)
    assert outcome.stopped == "the budget of 5 requests is used up"
    assert server.counts.total() == 2


@long
def test_a_budget_of_money_is_never_exceeded(serve: Serve, study: Study):
    prices = Prices(input=0.0, output=1_000.0)
    server = serve(lambda _: judge(1))
    options = {"limits": Limits(money=1.0), "prices": prices}
    outcome = study.judge(server.url, **options)
    # An answer has 400 tokens at the most, which would cost 0.4, and 20 in fact, which cost 0.02.
    assert outcome.tally.levels == 10
    assert outcome.tally.spent == pytest.approx(10 * 0.02)
    options["limits"] = Limits(money=0.45)
    outcome = study.judge(server.url, machine="other", **options)
    assert outcome.tally.requests == 3, "the fourth could cost more than is left"
    assert outcome.tally.spent == pytest.approx(0.06)
    assert "does not allow another request: 0.06 is spent" in outcome.stopped


@long
def test_what_may_have_been_billed_counts_at_the_most(serve: Serve, study: Study):
    server, study.patience = serve(lambda _: Told(200, judge(1).body, stall=1.0)), 0.1
    options = {"limits": Limits(money=1.0), "prices": Prices(input=0.0, output=1_000.0)}
    outcome = study.judge(server.url, **options)
    assert (outcome.tally.requests, outcome.tally.spent) == (2, pytest.approx(0.8))


@long
def test_answers_without_counts_of_tokens_count_at_the_most(serve: Serve, study: Study):
    server = serve(lambda _: say('{"level": 1}', usage=None))
    options = {"limits": Limits(money=1.0), "prices": Prices(input=0.0, output=1_000.0)}
    outcome = study.judge(server.url, **options)
    assert (outcome.tally.levels, outcome.tally.spent) == (2, pytest.approx(0.8))
    assert read_answers(study.store, study.collection_id)["cost"].isna().all()


@long
def test_requests_are_spaced_and_side_by_side(serve: Serve, study: Study):
    together = threading.Barrier(2)

    def behave(asked: Asked) -> Told:
        together.wait(20)
        return judge(1)

    server = serve(behave)
    study.judge(server.url, part=Selection(topics=("t2",)))
    assert 2 <= server.most_at_once <= QUICK.concurrency
    server.behave = lambda _: judge(1)
    study.pacing = Pacing(concurrency=4, per_minute=1200)
    study.judge(server.url, machine="slow", part=Selection(topics=("t2",)))
    sent = sorted(one["sent_at"] for one in study.rows("machine_requests"))[6:]
    assert (sent[-1] - sent[0]).total_seconds() >= 5 * 0.05 * 0.8


def test_a_run_that_is_stopped_goes_on_later(serve: Serve, study: Study):
    stop = threading.Event()

    def behave(asked: Asked) -> Told:
        if len(server.asked) == 5:
            stop.set()
        return judge(1)

    server = serve(behave)
    plan = study.begin(server.url)
    outcome = study.run(plan, stop=stop)
    assert outcome.stopped == "it was stopped"
    assert 5 <= outcome.tally.levels < 10
    assert study.run(plan_rest(study.store, plan.job_id)).tally.levels == 10
    assert server.counts == Counter(UNJUDGED), "what was under way was waited for"


@long
def test_progress_is_told(serve: Serve, study: Study):
    told: list[tuple[int, int]] = []
    server = serve(lambda _: judge(1))
    study.run(study.begin(server.url), progress=lambda *now: told.append(now))
    assert told[-1] == (10, 10)


def test_two_runs_of_one_job_do_not_ask_the_same(serve: Serve, study: Study):
    server = serve(lambda _: replace(judge(1), stall=0.2))
    plan = study.begin(server.url)
    errors: list[BaseException] = []

    def run() -> None:
        try:
            study.run(plan)
        except StoreInUse as error:
            errors.append(error)

    runs = [threading.Thread(target=run) for _ in range(2)]
    for one in runs:
        one.start()
    for one in runs:
        one.join()
    assert "Another run of job" in str(errors[0])
    assert max(server.counts.values()) == 1
    study.run(plan_rest(study.store, plan.job_id))
    assert study.labels().keys() == UNJUDGED


def test_a_job_goes_on_only_as_it_began(serve: Serve, study: Study):
    server = serve(lambda _: judge(1))
    plan = study.begin(server.url)
    begin_job(study.store, replace(plan, job=replace(plan.job, model="judge-2"), job_id=""))
    rest = plan_rest(study.store, plan.job_id)
    assert rest == replace(plan, job=replace(plan.job, template=rest.job.template))
    with study.store.database.write() as cursor:
        cursor.execute("UPDATE machines SET prompt = 'another'")
    with pytest.raises(BadInput, match="its prompt is not that of the machine any more"):
        plan_rest(study.store, plan.job_id)


@pytest.mark.file_only
def test_the_key_is_nowhere_but_in_the_request(serve: Serve, study: Study, capfd):
    secret = "sk-very-secret"

    def behave(asked: Asked) -> Told:
        assert asked.headers["Authorization"] == f"Bearer {secret}"
        told = f"you said {asked.headers['Authorization']}"
        if asked.item == "t2d0003":
            return fail(400, told)
        return say(told) if asked.count > 1 else fail(500, told)

    server, study.key = serve(behave), secret
    outcome = study.judge(server.url)
    assert (outcome.tally.invalid, outcome.tally.given_up) == (9, 1)
    assert count_job(study.store, outcome.job_id) == outcome.tally
    study.store.cursor().execute("CHECKPOINT")
    said = "".join(capfd.readouterr()) + repr(list_given_up(study.store, outcome.job_id))
    assert secret not in said
    files = [one for one in study.path.parent.iterdir() if one.is_file()]
    assert all(secret.encode() not in one.read_bytes() for one in files)
    assert "[key]" in said
