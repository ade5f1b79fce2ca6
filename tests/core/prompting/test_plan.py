from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from core.errors import BadInput, NotFound
from core.prompting.budget import Limits, Prices
from core.prompting.endpoint import read_endpoint
from core.prompting.job import Job
from core.prompting.plan import (
    begin_job,
    estimate_job,
    list_fields,
    make_example,
    plan_rest,
)
from core.prompting.selection import Selection
from core.prompting.template import Template, read_template
from core.store.content.collections import close_collection
from core.store.machines.machines import Machine, describe_machine, find_machine
from core.store.people.people import add_person
from core.store.people.roster import read_left_out
from tests.core.prompting.collection import Study
from tests.each import each

URL = "http://127.0.0.1:9/v1"


def test_a_plan_stores_nothing(study: Study):
    plan = study.plan(URL)
    assert (len(plan.items), plan.job_id) == (10, "")
    assert find_machine(study.store, study.collection_id, "llm") is None
    assert study.rows("machine_jobs") == study.rows("machine_items") == []


def test_the_estimate_follows_its_rules_of_thumb(study: Study):
    plan = study.plan(URL, prices=Prices(2.0, 10.0), longest=7)
    estimate = estimate_job(study.store, plan)
    question = make_example(study.store, plan)
    length = sum(len(one["content"]) for one in question)
    assert estimate.characters == 10 * length, "these documents are equally long"
    assert estimate.input_tokens == -(-10 * length // 4)
    assert (estimate.output_tokens, estimate.cut) == (800, 10)
    assert estimate.money == pytest.approx((estimate.input_tokens * 2 + 800 * 10) / 1e6)
    assert estimate.most_money is not None
    assert estimate.most_money > 10 * (length * 2 + 400 * 10) / 1e6
    assert estimate.seconds(5, None) == 6
    assert estimate.seconds(5, 10) == 60
    free = estimate_job(study.store, study.plan(URL))
    assert (free.money, free.most_money, free.cut) == (None, None, 0)


def test_what_leaves_is_what_the_prompt_asks_for(study: Study):
    every = ["query", "description", "narrative", "guidelines", "title", "page"]
    assert list_fields(study.plan(URL)) == every
    own = Template("own", "{{query}}{{levels}}\n{{begin}}\n{{text}}\n{{end}}")
    plan = study.plan(URL, template=own, part=Selection(facet="snippet"))
    assert list_fields(plan) == ["query", "snippet"]
    (question,) = make_example(study.store, plan)
    assert "ITEM t1d0001 by one" in question["content"]
    assert "Be fair." not in question["content"]


def test_a_page_of_html_is_sent_as_text(study: Study):
    with study.store.database.write() as cursor:
        cursor.execute("UPDATE documents SET text = '', html = '<p>One<script>x</script><p>Two'")
    question = make_example(study.store, study.plan(URL))[-1]["content"]
    assert "\nOne\nTwo\nend of text" in question


def test_a_job_that_is_begun_can_be_planned_again(study: Study):
    options: dict[str, Any] = {
        "parameters": {"temperature": 0.5, "max_completion_tokens": 50, "seed": 3},
        "limits": Limits(20, 1.5),
        "prices": Prices(1.0, 2.0),
        "part": Selection(topics=("t2",), sample=3),
    }
    plan = study.begin(URL, longest=99, tries=2, **options)
    rest = plan_rest(study.store, plan.job_id)
    assert rest == replace(
        plan,
        job=replace(plan.job, template=replace(plan.job.template, name=rest.job.template.name)),
    )
    assert read_left_out(study.store, study.collection_id) == {"llm": "machine"}


def test_a_machine_has_one_description(study: Study):
    study.begin(URL)
    with pytest.raises(BadInput, match="described with the parameter 'temperature'"):
        study.begin(URL, parameters={"max_tokens": 400})
    person = add_person(study.store, "Olga", "assessor")
    with pytest.raises(BadInput, match="is not a machine here but person"):
        study.begin(URL, machine=person)
    assert len(study.rows("machine_jobs")) == 1


def test_a_machine_that_was_imported_keeps_its_name(study: Study):
    told = Machine("The model", parameters={"max_tokens": 400})
    describe_machine(study.store, study.collection_id, "llm", told)
    plan = begin_job(study.store, study.plan(URL))
    machine = find_machine(study.store, study.collection_id, "llm")
    assert machine is not None
    assert (machine.name, machine.model) == ("The model", "judge-1")
    assert plan_rest(study.store, plan.job_id).job.machine == "llm"


def test_where_nothing_can_be_judged_nothing_begins(study: Study):
    plan = study.begin(URL)
    with pytest.raises(NotFound, match="no machine job j-0"):
        plan_rest(study.store, "j-0")
    with study.store.database.write() as cursor:
        cursor.execute("DELETE FROM levels WHERE facet = 'snippet'")
    with pytest.raises(BadInput, match="no scale for a snippet"):
        study.plan(URL, part=Selection(facet="snippet"))
    close_collection(study.store, study.collection_id, closed=True)
    for ask in (lambda: study.plan(URL), lambda: plan_rest(study.store, plan.job_id)):
        with pytest.raises(BadInput, match="this collection is closed"):
            ask()
    with study.store.database.write() as cursor:
        cursor.execute("DELETE FROM machines")
    with pytest.raises(NotFound, match="not described any more"):
        plan_rest(study.store, plan.job_id)


NAN = float("nan")


@each(
    ("given", "says"),
    [
        ({"machine": " "}, "the machine needs a name"),
        ({"model": "a\nb"}, "the model needs a name"),
        ({"machine": "x" * 201}, "the machine needs a name"),
        ({"longest": 0}, "at least one character"),
        ({"tries": 0}, "at least once"),
        ({"parameters": {"messages": []}}, "'messages' is set by Dissent"),
        ({"parameters": {"longest_text": 3}}, "'longest_text' is set by Dissent"),
        ({"limits": Limits(money=1.0)}, "needs the prices"),
        ({"limits": Limits(money=-1.0), "prices": Prices(1, 1)}, "numbers from 0"),
        ({"prices": Prices(NAN, 1)}, "numbers from 0"),
        (
            {"limits": Limits(money=1.0), "prices": Prices(1, 1), "parameters": {}},
            "needs max_tokens",
        ),
        (
            {
                "limits": Limits(money=1.0),
                "prices": Prices(1, 1),
                "parameters": {"max_tokens": "9"},
            },
            "needs max_tokens",
        ),
    ],
)
def test_a_job_that_cannot_be_done_is_refused(given: Mapping[str, Any], says: str):
    usual = {"machine": "llm", "model": "m", "endpoint": read_endpoint(URL)}
    with pytest.raises(BadInput, match=says):
        Job(**{**usual, "template": read_template("levels"), **given})
