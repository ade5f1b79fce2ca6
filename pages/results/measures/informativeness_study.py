"""The study that the page shows: computed when asked, with progress, and kept by content."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd
import streamlit as st

from core.analysis.base.moments import count_since, describe_moment
from core.analysis.base.study import Study
from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.informativeness import identify_state, probabilities_of
from core.analysis.results.qrels_choices import version_of
from core.analysis.results.scores import rankings_of
from core.informativeness.problem import choose_systems, choose_topics
from core.informativeness.study import InformativenessStudy, measure_informativeness
from core.measures.ranking import Rankings
from core.reports.informativeness import Informativeness
from core.wording import count
from pages.results.measures.informativeness_question import InformativenessQuestion
from pages.shared.session import PageContext

QUICK, DEEP = 20_000, 20
"""Problems, and the depth, up to which a study follows every label; about a second of work."""

_STUDIES = VersionedCache(most=32)
_SHOWN = "informativeness-shown"


@dataclass(frozen=True, eq=False)
class ShownStudy:
    """What the page shows: the answer to a question as things stood at an event."""

    context: PageContext
    question: InformativenessQuestion
    basis: ScoreBasis
    study: InformativenessStudy
    state: tuple[str, ...]
    event: int

    @cached_property
    def report(self) -> Informativeness:
        """The answer."""
        return Informativeness(self.study)

    @property
    def names(self) -> dict[str, str]:
        """What each measure is called."""
        return self.report.names

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that count."""
        return self.study.inferred[0].labels.topics

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that count."""
        return self.study.inferred[0].labels.systems

    def stamp(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame with what it is based on as columns."""
        stamped = self.basis.add_columns(frame, self.context.study)
        return stamped.assign(
            **self.question.settings,
            counted_topics=len(self.topics),
            counted_systems=len(self.systems),
        )

    def note(self) -> str:
        """Return in one line of Markdown what the page is based on."""
        question, judged = self.question, self.basis.judged_share(self.question.depth)
        what = f"relevant from {question.level:g}, depth {question.depth}, {question.recursion}"
        shares = judged[list(self.systems)]
        runs = f"{len(self.systems):,} of {count(len(self.basis.rankings.systems), 'run')}"
        return f"{self.basis.note(what, len(self.topics), shares)} · {runs}"


def study_rankings(context: PageContext, question: InformativenessQuestion) -> ShownStudy:
    """Return the study that answers a question, and show meanwhile how far it is.

    A visitor who chooses something else ends it: drawing the bar then stops the script. What
    takes long waits for the organiser when labels come in, so that the page can be read.
    """
    event, choice = context.store.state(context.collection_id)[0], question.choice
    version, rankings = version_of(context.study, choice), rankings_of(context.study, choice)
    key = f"{_SHOWN}-{context.collection_id}"
    before: ShownStudy | None = st.session_state.get(key)
    state = identify_state(context.study, choice)
    if before is not None and before.state != state and _waits(before, question, rankings):
        _offer_again(context.study, before.event, key)
        return before
    bar = st.empty()

    def tell(share: float) -> None:
        bar.progress(min(share, 1.0), "Inferring the rankings")

    study: InformativenessStudy = _STUDIES.get(
        (context.store, context.collection_id, question),
        state,
        lambda: _measure(context, question, rankings, tell),
    )
    bar.empty()
    moment = describe_moment(context.study, version.last_sequence)
    shown = ShownStudy(
        context, question, ScoreBasis(choice, version, rankings, (), moment), study, state, event
    )
    st.session_state[key] = shown
    return shown


def _measure(
    context: PageContext,
    question: InformativenessQuestion,
    rankings: Rankings,
    tell: Callable[[float], None],
) -> InformativenessStudy:
    tell(0.0)
    level, topics, systems = question.level, question.topics, question.systems
    return measure_informativeness(
        rankings,
        question.measures,
        depth=question.depth,
        level=level,
        recursion=question.recursion,
        probabilities=probabilities_of(context.study) if question.weighted else None,
        systems=choose_systems(rankings, systems, level) if systems else None,
        topics=choose_topics(rankings, topics, level) if topics else None,
        progress=tell,
    )


def _waits(before: ShownStudy, question: InformativenessQuestion, rankings: Rankings) -> bool:
    """Tell whether the same was asked before, and an answer to new labels would take long."""
    if _identify(before.question) != _identify(question):
        return False
    topics = question.topics or len(rankings.topics)
    systems = question.systems or len(rankings.systems)
    work = topics * systems * len(question.measures)
    return work > QUICK or question.depth > DEEP or question.recursion != "exact"


def _identify(question: InformativenessQuestion) -> tuple[str, InformativenessQuestion]:
    """Return what makes it another question; labels move the rule of a choice by themselves."""
    return question.choice.name, replace(question, choice=replace(question.choice, rule=None))


def _offer_again(study: Study, event: int, key: str) -> None:
    """Say that what is shown is of an earlier state, and let the organiser compute again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Compute again",
            icon=":material/refresh:",
            key="informativeness-again",
            on_click=lambda: st.session_state.pop(key, None),
        )
        st.markdown(
            f":material/update: {count(came, 'label')} came in since; this is how things stood "
            f"on {describe_moment(study, event)}."
            if (came := count_since(study, event))
            else ":material/update: The collection has changed since this was computed."
        )
