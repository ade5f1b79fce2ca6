"""The study that the page shows: what is asked of measures, and the answer, kept by content.

What an organiser asks of measures: which rankings, how deep, relevant from where. It is computed
when asked, with progress.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd
import streamlit as st

from core.analysis.base.moments import count_since, describe_moment
from core.analysis.base.study import Study
from core.analysis.base.versioned_cache import VersionedCache
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.declared import declared_test, offer_versions
from core.analysis.results.qrels_choices import QrelsChoice, version_of
from core.analysis.results.scores import identify_state, probabilities_of, rankings_of
from core.errors import BadInput
from core.informativeness.choices import DEPTHS, PAPER, RECURSIONS
from core.informativeness.problem import choose_systems, choose_topics
from core.informativeness.study import InformativenessStudy, measure_informativeness
from core.informativeness.targets import Target, name_known, read_target, suggest_measures
from core.measures.ranking import Rankings
from core.reports.informativeness import Informativeness
from core.wording import count, plain
from pages.shared.facet_widgets import choose_facet, key_for
from pages.shared.scoring_widgets import choose_cut, choose_users, tell_declared, tell_unjudged
from pages.shared.session import PageContext

SUGGESTED = (*PAPER, "P@10", "CG", "RBP", "P-IA@5")
MOST = 100
"""The number of topics and runs chosen at first."""


@dataclass(frozen=True)
class InformativenessQuestion:
    """Whose judgements, which rankings and measures; 0 topics or systems stand for all.

    ``measures`` are texts; with ``weighted`` intents count by their stored probabilities.
    """

    choice: QrelsChoice
    measures: tuple[str, ...]
    depth: int
    level: float
    recursion: str
    weighted: bool
    topics: int
    systems: int

    @property
    def settings(self) -> dict[str, str | float]:
        """What was chosen, as columns of a file."""
        return {
            "depth": self.depth,
            "relevant_from": self.level,
            "recursion": self.recursion,
            "intents": "stored probabilities" if self.weighted else "equal shares",
        }


def ask(context: PageContext) -> InformativenessQuestion | None:
    """Let the organiser choose; None, with a word why, as long as nothing can be inferred."""
    facet = choose_facet(context, "scores-facet")
    model = choose_users(context, facet)
    choices = offer_versions(context.study, facet, model)
    if not choices:
        context.sheet.tell(tell_unjudged(context, facet))
        return None
    with context.sheet.options:
        key = st.selectbox(
            "Qrels version",
            list(choices),
            format_func=lambda one: choices[one].name,
            help="Made, compared and saved on the page *Qrels versions*. Imported qrels whose "
            "iterations differ have intents.",
            key=key_for(context, f"informativeness-version-{facet}"),
        )
        depth = st.number_input(
            "Depth (N)",
            *DEPTHS,
            10,
            key="informativeness-depth",
            help="How many ranks of each list are used. Depths beyond 20 take long to compute.",
        )
    choice = choices[key]
    tell_declared(context, choice=choice, facet=facet)
    level = choose_cut(context, facet, choice, version_of(context.study, choice))
    rankings = rankings_of(context.study, choice)
    with context.sheet.options:
        texts = _choose_measures(rankings, depth)
        topics, systems, recursion, weighted = _choose_scope(context, rankings)
    targets = _read(texts, depth, level, recursion)
    if not targets:
        context.sheet.tell("Choose at least one measure under *Options*.")
        return None
    with context.sheet.options:
        _tell_intents(rankings, targets)
    measures = tuple(map(str, targets))
    return InformativenessQuestion(
        choice, measures, depth, level, recursion, weighted, topics, systems
    )


def _choose_scope(context: PageContext, rankings: Rankings) -> tuple[int, int, str, bool]:
    """Return how many topics and systems, the recursion, and whether intents have weights."""
    chosen = {}
    for what, names in (("topics", rankings.topics), ("runs", rankings.systems)):
        number = st.number_input(
            f"{what.capitalize()} with most relevant documents",
            1,
            len(names),
            min(MOST, len(names)),
            key=f"informativeness-{what}-{len(names)}",
            help=f"There are {len(names):,}. The study of 2011 used 25 topics and 30 runs.",
        )
        chosen[what] = 0 if number == len(names) else number
    recursion = st.selectbox(
        "Expected value of cascade measures",
        list(RECURSIONS),
        key="informativeness-recursion",
        help="  \n".join(f"**{name}**: {meaning}" for name, meaning in RECURSIONS.items())
        + "  \nThe recursion of the paper takes a hundred times longer.",
    )
    weighted = probabilities_of(context.study) is not None and st.toggle(
        "Intents by their stored probabilities",
        key="informativeness-weighted",
        help="Otherwise all intents of a topic with something relevant are equally likely.",
    )
    return chosen["topics"], chosen["runs"], recursion, weighted


def _choose_measures(rankings: Rankings, depth: int) -> list[str]:
    intents, (plain_ones, by_intent) = len(rankings.intents.names), name_known()
    return st.multiselect(
        "Measures",
        SUGGESTED,
        default=list(suggest_measures(intents, depth)),
        accept_new_options=True,
        key=f"informativeness-measures-{intents > 1}-{depth < 5}",
        help=f"Measures whose expected value can be computed: {', '.join(plain_ones)}, and by "
        f"intent {', '.join(by_intent)}. Each is cut off at the depth, unless its text names an "
        "earlier rank.",
    )


def _read(texts: Sequence[str], depth: int, level: float, recursion: str) -> tuple[Target, ...]:
    """Return the measures that can be read, each once, and say what is wrong with the others."""
    targets = []
    for text in texts:
        try:
            targets.append(read_target(text, depth, level=level, recursion=recursion))
        except BadInput as error:
            st.error("This measure is left out.", icon=":material/block:")
            st.code(str(error), language=None, wrap_lines=True)
    return tuple(dict.fromkeys(targets))


def _tell_intents(rankings: Rankings, targets: Sequence[Target]) -> None:
    """Say how measures by intent are computed where the judgements have no intents."""
    if len(rankings.intents.names) > 1:
        return
    by_intent = [one.measure.name for one in targets if one.by_intent]
    words = "This version has no intents: all relevant documents count for a single intent."
    if by_intent:
        names = plain(", ".join(by_intent))
        words += (
            f" So measures by intent ({names}) tell no more than the same ones without intents."
        )
    else:
        names = ", ".join(name_known()[1])
        words += f" Measures by intent ({names}) need qrels with subtopics."
    st.caption(f":material/info: {words}")


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
        return Informativeness(self.study, alpha=declared_test(self.context.study).alpha)

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
