"""What a machine judges, how it is asked, and for how much: a job before it is planned."""

from dataclasses import dataclass

import streamlit as st

from core.analysis.base.declared import shown_facets
from core.analysis.base.study import topics_of
from core.collection.labels.machine_labels import read_parameters
from core.errors import BadInput
from core.prompting.budget import Limits, Prices
from core.prompting.choices import (
    JUDGED,
    LEVELS,
    LONGEST_TEXT,
    PARAMETERS,
    POOL,
    STEPS,
    TRIES,
    UNJUDGED,
)
from core.prompting.endpoint import Endpoint
from core.prompting.job import Job
from core.prompting.selection import Selection
from core.prompting.template import Template, check_template, read_template
from core.wording import plain
from pages.shared.session import PageContext
from pages.shared.wording import refuse

_PARTS = {
    UNJUDGED: "the part of the pool that nobody has judged",
    JUDGED: "what people have judged, to compare",
    POOL: "the whole pool",
}
_OWN = "own"
_PROMPTS = {LEVELS: "plain levels", STEPS: "step by step", _OWN: "a text of your own"}
_MOST_REQUESTS = 1_000
_LOOKED_AT = "machine-looked-at"


def ask_job(context: PageContext) -> Job | None:
    """Ask for everything about a new job; return it once it is to be looked at, until it changes.

    It leads to the operator's server.
    """
    if context.machine_jobs is None:
        return None
    given = _ask(context)
    pressed = st.button("Show what would be sent", type="primary")
    try:
        job = _make_job(given, context.machine_jobs.endpoint)
    except BadInput as error:
        if pressed:
            refuse(error, "Nothing was planned.")
        return None
    if pressed:
        st.session_state[_LOOKED_AT] = context.collection_id, job
    looked_at = st.session_state.get(_LOOKED_AT)
    return job if looked_at == (context.collection_id, job) else None


def forget_job() -> None:
    """Look at no job any more."""
    st.session_state.pop(_LOOKED_AT, None)


@dataclass(frozen=True)
class _Given:
    """What was filled in."""

    part: Selection
    model: str
    machine: str
    prompt: str
    text: str
    options: tuple[str, int, int]
    limits: Limits
    prices: tuple[float | None, float | None]


def _ask(context: PageContext) -> _Given:
    what, who, much = st.columns(3, border=True)
    with what:
        st.markdown("**1 What is judged**")
        part = _ask_part(context)
    with who:
        st.markdown("**2 By which model**")
        model, machine, prompt = _ask_model(context)
        options = _ask_options()
    with much:
        st.markdown("**3 For how much at most**")
        limits, prices = _ask_limits()
    return _Given(part, model, machine, prompt, _ask_text(prompt), options, limits, prices)


def _make_job(given: _Given, endpoint: Endpoint) -> Job:
    """Return the job; raises BadInput where something cannot be used."""
    is_own = given.prompt == _OWN
    template = Template("your text", given.text) if is_own else read_template(given.prompt)
    check_template(template)
    parameters, longest, tries = given.options
    return Job(
        given.machine or given.model,
        given.model,
        endpoint,
        template,
        given.part,
        read_parameters(parameters),
        longest,
        tries,
        given.limits,
        _pair(*given.prices),
    )


def _ask_part(context: PageContext) -> Selection:
    which = st.selectbox(
        "Selection", list(_PARTS), format_func=_PARTS.__getitem__, key="machine-part"
    )
    facet = _ask_facet(context)
    depth = st.number_input(
        "Depth",
        1,
        1000,
        10,
        disabled=which == JUDGED,
        help="The pool has the documents of every run up to this rank.",
    )
    topics = topics_of(context.study)[["topic_id", "query"]].to_numpy().tolist()
    queries: dict[str, str] = dict(topics)
    chosen = st.multiselect(
        "Topics",
        list(queries),
        format_func=lambda one: f"{one} {queries.get(one, '')}",
        placeholder="All topics",
    )
    sample = st.number_input(
        "Items, drawn at random", 1, None, None, placeholder="All items", help="By a fixed seed."
    )
    drawn = None if sample is None else int(sample)
    return Selection(which, facet, int(depth), tuple(chosen), drawn)


def _ask_facet(context: PageContext) -> str:
    """Ask which facet is judged, where there is more than one."""
    facets = shown_facets(context.study)
    if len(facets) < 2:
        return facets[0]
    return st.selectbox("What is shown", facets, key="machine-facet")


def _ask_model(context: PageContext) -> tuple[str, str, str]:
    model = st.text_input("Model", key="machine-model", help="Its name at the server.").strip()
    machine = st.text_input(
        "Name of the machine",
        key="machine-name",
        placeholder="As the model",
        help="Its labels are given to a machine member of this name. Another model, prompt or "
        "parameter is another machine.",
    ).strip()
    prompt = st.selectbox(
        "Prompt", list(_PROMPTS), format_func=_PROMPTS.__getitem__, key="machine-prompt"
    )
    if context.machine_jobs is not None:
        host = plain(context.machine_jobs.endpoint.host)
        st.caption(f"It is asked at **{host}**, which whoever runs Dissent has set.")
    return model, machine, prompt


def _ask_limits() -> tuple[Limits, tuple[float | None, float | None]]:
    requests = st.number_input(
        "Requests",
        1,
        None,
        _MOST_REQUESTS,
        help="An item takes one, and more where the server fails. Nothing is sent beyond.",
    )
    money = st.number_input(
        "Money",
        0.0,
        None,
        None,
        placeholder="No limit",
        help="In the currency of the prices, which are needed for it.",
    )
    into = st.number_input("Price of a million tokens sent", 0.0, None, None, placeholder="–")
    out = st.number_input("Price of a million tokens answered", 0.0, None, None, placeholder="–")
    return Limits(int(requests), money), (into, out)


def _ask_options() -> tuple[str, int, int]:
    with st.popover("More options", icon=":material/tune:"):
        parameters = st.text_input(
            "Parameters",
            ", ".join(f"{name}={value}" for name, value in PARAMETERS.items()),
            key="machine-parameters",
            help="Sent with each request, as in temperature=0, seed=7.",
        )
        longest = st.number_input(
            "Characters of a text", 1, 1_000_000, LONGEST_TEXT, help="What follows is cut off."
        )
        tries = st.number_input(
            "Tries", 1, 20, TRIES, help="Requests for an item that fail before it is given up."
        )
    return parameters, int(longest), int(tries)


def _ask_text(prompt: str) -> str:
    """Show the chosen prompt, to be read, or to be written anew where it is one's own."""
    house = read_template(LEVELS if prompt == _OWN else prompt).text
    if prompt == _OWN:
        return st.text_area("Your prompt", house, height=360, key="machine-text").replace("\r", "")
    with st.expander(f"The prompt: {_PROMPTS[prompt]}"):
        st.code(house, language=None, wrap_lines=True)
    return house


def _pair(into: float | None, out: float | None) -> Prices | None:
    if into is None and out is None:
        return None
    if into is None or out is None:
        raise BadInput("give both prices, of tokens sent and of tokens answered, or neither")
    return Prices(into, out)
