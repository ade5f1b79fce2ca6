"""What an organiser asks of measures: which rankings, how deep, relevant from where."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.analysis.results.declared import offer_declared
from core.analysis.results.informativeness import probabilities_of
from core.analysis.results.qrels_choices import QrelsChoice, list_choices, version_of
from core.analysis.results.scores import rankings_of
from core.errors import BadInput
from core.informativeness.choices import DEPTHS, PAPER, RECURSIONS
from core.informativeness.targets import Target, name_known, read_target, suggest_measures
from core.measures.ranking import Rankings
from core.wording import plain
from pages.shared.aspect_widgets import key_for
from pages.shared.declared import tell_declared
from pages.shared.facet_widgets import choose_facet
from pages.shared.scoring_widgets import choose_cut, choose_users, tell_unjudged
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
    choices = offer_declared(context.study, facet, list_choices(context.study, facet, model))
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
