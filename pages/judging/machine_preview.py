"""What a job would send, shown word for word and confirmed before anything leaves."""

import json
from datetime import timedelta

import streamlit as st

from core.analysis.base.wording import count, plain
from core.analysis.judging.machine_jobs import Preview, preview_job, preview_rest
from core.errors import DissentError
from core.prompting.job import Job
from core.prompting.pace import Pacing
from core.prompting.plan import CHARACTERS_A_TOKEN, SECONDS_A_REQUEST, TOKENS_AN_ANSWER
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

_DRAFT, _SEEN = "machine-draft", "machine-seen"
_HEIGHT = 340

Draft = Job | str
"""A new job, or the id of one to go on with."""


def keep_draft(context: PageContext, draft: Draft) -> None:
    """Draw the page again with a draft to be confirmed."""
    st.session_state[_DRAFT] = context.collection_id, draft
    st.session_state.pop(_SEEN, None)
    st.rerun()


def find_draft(context: PageContext) -> Draft | None:
    """Return the draft of the collection in view; None where there is none."""
    collection_id, draft = st.session_state.get(_DRAFT, ("", None))
    return draft if collection_id == context.collection_id else None


def confirm_job(context: PageContext, draft: Draft) -> None:
    """Show what would be sent, and send exactly that once it is confirmed."""
    st.header("What leaves this server", anchor=False)
    try:
        preview = _look(context, draft)
    except DissentError as error:
        refuse(error, "Nothing can be sent.")
        _offer_change()
        return
    _warn_of_change(preview)
    _tell(preview)
    _show_request(preview)
    # The keys hold what was shown: a click on anything else is no click on this.
    host = preview.plan.job.endpoint.host
    agreed = st.checkbox(
        f"I have read this. It may be sent to {plain(host)}.", key=f"agree-{preview.digest}"
    )
    with st.container(horizontal=True):
        pressed = st.button(
            "Begin", type="primary", disabled=not agreed, key=f"begin-{preview.digest}"
        )
        _offer_change()
    if pressed and agreed:
        _begin(context, preview)


def _look(context: PageContext, draft: Draft) -> Preview:
    if isinstance(draft, str):
        return preview_rest(context.study, draft)
    return preview_job(context.study, draft)


def _offer_change() -> None:
    if st.button("Change", key="machine-change"):
        _forget()
        st.rerun()


def _forget() -> None:
    for key in (_DRAFT, _SEEN):
        st.session_state.pop(key, None)


def _warn_of_change(preview: Preview) -> None:
    if st.session_state.setdefault(_SEEN, preview.digest) != preview.digest:
        st.warning("The collection has changed. This is what would be sent now.")


def _tell(preview: Preview) -> None:
    plan, estimate = preview.plan, preview.estimate
    job, topics = plan.job, len({one.topic_id for one in plan.items})
    host, address = plain(job.endpoint.host), plain(str(job.endpoint))
    secure = "" if job.endpoint.is_secure else " **It is not encrypted on its way.**"
    lines = [
        f"**{count(len(plan.items), 'item')}** of {count(topics, 'topic')} go to **{host}** "
        f"({address}), one in each request.{secure}",
        f"A request holds {', '.join(preview.fields)}, the levels of the scale, and the prompt. "
        "Labels are not sent, nor who gave them.",
        f"*{plain(job.model)}* answers; its labels are those of the machine "
        f"*{plain(job.machine)}*.",
        _tell_estimate(preview),
        f"Budget: {_tell_limits(job)}.",
    ]
    if estimate.cut:
        lines.insert(2, f"{count(estimate.cut, 'text')} cut after {job.longest:,} characters.")
    st.markdown("\n".join(f"- {line}" for line in lines))


def _tell_estimate(preview: Preview) -> str:
    estimate, pacing = preview.estimate, Pacing()
    time = timedelta(seconds=round(estimate.seconds(pacing.concurrency, pacing.per_minute)))
    money = ""
    if estimate.money is not None:
        most = f"at the very most {estimate.most_money:,.4g}"
        money = f"{estimate.money:,.4g} in money ({most}, without tries that fail), "
    return (
        f"Likely: {estimate.input_tokens:,} tokens sent, {estimate.output_tokens:,} answered, "
        f"{money}about {time}. By rule of thumb: {CHARACTERS_A_TOKEN} characters a token, "
        f"{TOKENS_AN_ANSWER} tokens an answer, {SECONDS_A_REQUEST:g} seconds a request, "
        f"{pacing.concurrency} at once."
    )


def _tell_limits(job: Job) -> str:
    told = [] if job.limits.requests is None else [count(job.limits.requests, "request")]
    told += [] if job.limits.money is None else [f"{job.limits.money:g} in money"]
    return ", ".join(told) or "none"


def _show_request(preview: Preview) -> None:
    body = dict(preview.example)
    messages = body.pop("messages")
    st.caption(
        "The first request, word for word. The code around the text is another one in each. The "
        "key goes along in the head of the request."
    )
    with st.container(height=_HEIGHT):
        for one in messages:
            st.code(f"[{one['role']}]\n{one['content']}", language=None, wrap_lines=True)
        st.code(json.dumps(body, ensure_ascii=False, indent=1), language="json", wrap_lines=True)


def _begin(context: PageContext, preview: Preview) -> None:
    if context.machine_jobs is None:
        return
    try:
        job_id = context.machine_jobs.begin(preview.plan, context.person_id)
    except DissentError as error:
        refuse(error, "Nothing was sent.")
        return
    _forget()
    finish(f"Job {job_id} has begun.")
