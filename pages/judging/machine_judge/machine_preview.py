"""What a job would send, shown word for word and confirmed before anything leaves."""

import json
from collections.abc import Callable
from datetime import timedelta

import streamlit as st

from core.analysis.judging.machine_jobs import Preview
from core.errors import DissentError
from core.prompting.job import Job
from core.prompting.pace import Pacing
from core.prompting.plan import CHARACTERS_A_TOKEN, SECONDS_A_REQUEST, TOKENS_AN_ANSWER
from core.wording import count, plain
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

_SEEN = "machine-seen"
_HEIGHT = 340


def confirm_job(
    context: PageContext, look: Callable[[], Preview], forget: Callable[[], None]
) -> None:
    """Show what would be sent, and send exactly that once it is confirmed.

    Parameters
    ----------
    look : callable
        Returns what would be sent now.
    forget : callable
        Called once it is on its way.
    """
    st.header("What leaves this server", anchor=False)
    try:
        preview = look()
    except DissentError as error:
        refuse(error, "Nothing can be sent.")
        return
    _warn_of_change(preview)
    _tell(preview)
    _show_request(preview)
    # The keys hold what was shown: a click on anything else is no click on this.
    agreed = st.checkbox("I have read this, and it may be sent.", key=f"agree-{preview.digest}")
    pressed = st.button("Begin", type="primary", disabled=not agreed, key=f"begin-{preview.digest}")
    if pressed and agreed:
        _begin(context, preview, forget)


def _warn_of_change(preview: Preview) -> None:
    """Say so where the same job would send something else than was shown before."""
    job = preview.plan.job, preview.plan.job_id
    asked, digest = st.session_state.get(_SEEN, (job, preview.digest))
    st.session_state[_SEEN] = job, preview.digest
    if asked == job and digest != preview.digest:
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
        f"Budget: {_tell_limits(job, len(plan.items))}.",
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


def _tell_limits(job: Job, items: int) -> str:
    requests, money = job.limits.requests, job.limits.money
    limits_named = []
    if requests is not None:
        few = ", fewer than there are items" if requests < items else ""
        limits_named.append(f"{count(requests, 'request')}{few}")
    if money is not None:
        limits_named.append(f"{money:g} in money")
    return "; ".join(limits_named) or "none"


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


def _begin(context: PageContext, preview: Preview, forget: Callable[[], None]) -> None:
    if context.machine_jobs is None:
        return
    try:
        job_id = context.machine_jobs.begin(preview.plan, context.person_id)
    except DissentError as error:
        refuse(error, "Nothing was sent.")
        return
    forget()
    finish(f"Job {job_id} has begun.")
