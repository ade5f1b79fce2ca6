"""The study that the page shows: computed when asked, with progress, and kept by content."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b

import pandas as pd
import streamlit as st

from core.informativeness.problem import choose_systems, choose_topics
from core.informativeness.study import Study, measure_informativeness
from core.informativeness.verdict import name_measures
from core.measures.ranking import Rankings
from pages.analyse.basis import Basis
from pages.analyse.informativeness_question import Question, probabilities_of
from pages.analyse.scores import rankings_of, rankings_under
from pages.analyse.versions import from_version, make_version, version_of
from pages.shared.session import Visit
from pages.shared.shelf import Shelf
from pages.shared.wording import count

QUICK, DEEP = 20_000, 20
"""Problems, and the depth, up to which a study follows every label; about a second of work."""

_STUDIES = Shelf(most=32)
_SHOWN = "informativeness-shown"


@dataclass(frozen=True, eq=False)
class Shown:
    """What the page shows: the answer to a question as things stood at an event."""

    visit: Visit
    question: Question
    basis: Basis
    study: Study
    state: tuple[str, ...]
    event: int

    @property
    def names(self) -> dict[str, str]:
        """What each measure is called."""
        return name_measures(self.study)

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that count."""
        return self.study.inferred[0].labels.topics

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that count."""
        return self.study.inferred[0].labels.systems

    def stamp(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame with what it rests on as columns."""
        stamped = self.basis.add_columns(frame, self.visit)
        chosen = {"counted_topics": len(self.topics), "counted_systems": len(self.systems)}
        return stamped.assign(**self.question.settings, **chosen)

    def note(self) -> str:
        """Return in one line of Markdown what the page rests on."""
        question, judged = self.question, self.basis.judged_share(self.question.depth)
        what = f"relevant from {question.level:g}, depth {question.depth}, {question.recursion}"
        shares = judged[list(self.systems)]
        runs = f"{len(self.systems)} of {count(len(self.basis.rankings.systems), 'run')}"
        return f"{self.basis.note(what, len(self.topics), shares)} · {runs}"


def study_rankings(visit: Visit, question: Question) -> Shown:
    """Return the study that answers a question, and show meanwhile how far it is.

    A visitor who chooses something else ends it: drawing the bar then stops the script. What
    takes long waits for the organiser when labels come in, so that the page can be read.
    """
    event, offer = visit.store.state(visit.collection_id)[0], question.offer
    version, rankings = version_of(visit, offer), rankings_of(visit, offer)
    place = f"{_SHOWN}-{visit.collection_id}"
    before: Shown | None = st.session_state.get(place)
    state = from_version(visit, _identify_state, *offer.choice)
    if before is not None and before.state != state and _waits(before, question, rankings):
        _offer_again(event - before.event, before.event, place)
        return before
    bar = st.empty()

    def tell(share: float) -> None:
        bar.progress(min(share, 1.0), "Inferring the rankings")

    study: Study = _STUDIES.get(
        (visit.store, visit.collection_id, question),
        state,
        lambda: _measure(visit, question, rankings, tell),
    )
    bar.empty()
    shown = Shown(visit, question, Basis(offer, version, rankings), study, state, event)
    st.session_state[place] = shown
    return shown


def _measure(
    visit: Visit, question: Question, rankings: Rankings, tell: Callable[[float], None]
) -> Study:
    tell(0.0)
    level, topics, systems = question.level, question.topics, question.systems
    return measure_informativeness(
        rankings,
        question.measures,
        depth=question.depth,
        level=level,
        recursion=question.recursion,
        probabilities=probabilities_of(visit) if question.weighted else None,
        systems=choose_systems(rankings, systems, level) if systems else None,
        topics=choose_topics(rankings, topics, level) if topics else None,
        progress=tell,
    )


def _identify_state(visit: Visit, name: str, rule: str) -> tuple[str, ...]:
    """Return what a study depends on besides its question: judgements, runs, probabilities."""
    rankings = rankings_under(visit, name, rule)
    found = blake2b(repr((rankings.systems, rankings.topics)).encode())
    for cells in (rankings.retrieved, rankings.intents.retrieved):
        for numbers in (cells.row, cells.rank, cells.level):
            found.update(numbers.tobytes())
    probabilities = probabilities_of(visit)
    weights = "" if probabilities is None else probabilities.to_json()
    content = from_version(visit, make_version, name, rule).content_hash
    return content, found.hexdigest(), weights


def _waits(before: Shown, question: Question, rankings: Rankings) -> bool:
    """Tell whether the same was asked before, and an answer to new labels would take long."""
    if _identify(before.question) != _identify(question):
        return False
    topics = question.topics or len(rankings.topics)
    systems = question.systems or len(rankings.systems)
    work = topics * systems * len(question.measures)
    return work > QUICK or question.depth > DEEP or question.recursion != "exact"


def _identify(question: Question) -> tuple[str, Question]:
    """Return what makes it another question; labels move the rule of an offer by themselves."""
    return question.offer.name, replace(question, offer=replace(question.offer, rule=None))


def _offer_again(labels: int, event: int, place: str) -> None:
    """Say that what is shown is of an earlier state, and let the organiser compute again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Compute again",
            icon=":material/refresh:",
            key="informativeness-again",
            on_click=lambda: st.session_state.pop(place, None),
        )
        st.markdown(
            f":material/update: {count(labels, 'label')} came in since; this is how things stood "
            f"at event {event:,}."
            if labels
            else ":material/update: The collection has changed since this was computed."
        )
