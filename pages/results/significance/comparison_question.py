"""What an organiser asks of a comparison: what is compared, by what measure, with which test."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.results.declared import declared_measures, offer_declared
from core.analysis.results.qrels_choices import MEANS, QrelsChoice, add_means
from core.analysis.results.scores import SUGGESTED, Scoring, scoring_of
from core.analysis.results.version_scores import ALL, topic_sets
from core.comparison.choices import CORRECTIONS, MEANING, TESTS, UNITS
from core.comparison.significance_test import SignificanceTest
from core.measures.catalogue import parse_measure
from core.published import SAKAI_MEASURES
from core.reports.user_model import UserModel
from core.wording import plain
from pages.shared.facet_widgets import key_for
from pages.shared.scoring_widgets import choose_alpha, choose_scoring, read_measures, tell_declared
from pages.shared.session import PageContext

VERSIONS, SETS, MEASURES = "qrels versions", "topic sets", "measures"
KINDS = (VERSIONS, SETS, MEASURES)
MOST_SLOTS = 4
USUAL_TEST = SignificanceTest()


@dataclass(frozen=True)
class ComparisonQuestion:
    """One comparison; of versions, topic sets and measures only one is more than one.

    ``choices`` are the versions, ``sets`` the topics of each topic set by name (none listed: all).
    """

    kind: str
    facet: str
    choices: tuple[QrelsChoice, ...]
    sets: tuple[tuple[str, tuple[str, ...]], ...]
    measures: tuple[str, ...]
    scoring: Scoring
    model: UserModel
    significance: SignificanceTest
    tau_unit: str

    @property
    def identity(self) -> "tuple[object, ...]":
        """What makes it another question: all but α, and what labels move by themselves."""
        return (
            self.kind,
            self.facet,
            tuple(choice.name for choice in self.choices),
            tuple(name for name, _ in self.sets),
            self.measures,
            self.scoring.gain,
            self.model,
            replace(self.significance, alpha=USUAL_TEST.alpha),
        )

    @property
    def fixed(self) -> str:
        """What all conditions have in common, in plain text."""
        parts = {
            VERSIONS: ", ".join(choice.name for choice in self.choices),
            SETS: ", ".join(name for name, _ in self.sets),
            MEASURES: ", ".join(self.measures),
        }
        return " · ".join(text for kind, text in parts.items() if kind != self.kind)


def ask(context: PageContext) -> ComparisonQuestion | None:
    """Let the organiser choose; None, with a word why, as long as nothing can be compared."""
    facet, gain, model, choices = choose_scoring(context)
    if not choices:
        return None
    choices = offer_declared(context.study, facet, add_means(context.study, facet, choices))
    usual_measures = declared_measures(context.study, SAKAI_MEASURES)
    with context.sheet.choices:
        kind = st.segmented_control(
            "Compare",
            KINDS,
            default=VERSIONS,
            required=True,
            key="comparison-kind",
            bind="query-params",
            label_visibility="collapsed",
            help="Qrels versions: would other assessors lead to the same conclusion? Topic sets: "
            "would topics on which assessors agree? Measures: does it depend on how rankings are "
            "scored?",
        )
    with context.sheet.options:
        keys = _choose(
            "Qrels version",
            list(choices),
            _usual(choices),
            key_for(context, f"versions-{facet}"),
            several=kind == VERSIONS,
            write=lambda key: choices[key].name,
        )
        sets = topic_sets(context.study, facet)
        names = _choose(
            "Topics",
            list(sets),
            _agreement(sets),
            key_for(context, f"sets-{facet}"),
            several=kind == SETS,
        )
        texts = _choose(
            "Measure",
            list(dict.fromkeys([*usual_measures, *SUGGESTED])),
            usual_measures,
            "measures",
            several=kind == MEASURES,
            free=True,
        )
        rel = st.number_input(
            "Relevant from",
            0.01,
            value=1.0,
            step=1.0,
            key="comparison-cut",
            help="For P, AP and other measures with binary relevance.",
        )
        significance, tau_unit = _choose_test(declared_of(context.study).alpha)
    scoring = scoring_of(context.study, facet, model, texts, gain=gain, rel=rel)
    measures = _keep_comparable(read_measures(texts, scoring))
    if not (keys and names and measures):
        context.sheet.tell("Choose at least one version, topic set and measure under *Options*.")
        return None
    chosen = tuple(choices[key] for key in keys)
    tell_declared(
        context,
        measure=measures[0],
        choice=chosen[0],
        facet=facet,
        alpha=significance.alpha,
        model=model if scoring.weights else None,
    )
    topics = tuple((name, sets[name]) for name in names)
    return ComparisonQuestion(
        kind, facet, chosen, topics, measures, scoring, model, significance, tau_unit
    )


def _choose(
    label: str,
    options: Sequence[str],
    usual: Sequence[str],
    key: str,
    *,
    several: bool,
    write: Callable[[str], str] = str,
    free: bool = False,
) -> list[str]:
    """Let the organiser choose one, or several to lay side by side."""
    if several:
        return st.multiselect(
            f"{label}s" if not label.endswith("s") else label,
            options,
            default=list(usual),
            format_func=write,
            accept_new_options=free,
            key=f"comparison-{key}",
            bind="query-params",
            help="The first sorts the systems.",
        )
    chosen = st.selectbox(
        label,
        options,
        index=options.index(usual[0]) if usual else 0,
        format_func=write,
        accept_new_options=free,
        key=f"comparison-one-{key}",
        bind="query-params",
    )
    return [chosen] if chosen else []


def _keep_comparable(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the measures by which systems are compared; say why the others are left out."""
    obstacles = {text: parse_measure(text).obstacle for text in measures}
    for text, obstacle in obstacles.items():
        if obstacle:
            st.error(f"{plain(text)} is left out: {plain(obstacle)}.")
    return tuple(text for text, obstacle in obstacles.items() if not obstacle)


def _choose_test(usual_alpha: float) -> tuple[SignificanceTest, str]:
    st.markdown("**How differences are tested**")
    test = st.selectbox(
        "Test",
        list(TESTS),
        format_func=lambda name: TESTS[name].title,
        key="comparison-test",
        help="  \n".join(f"**{one.title}**: {one.meaning}" for one in TESTS.values()),
    )
    correction = USUAL_TEST.correction
    if TESTS[test].is_paired:
        correction = st.selectbox(
            "Correction for many pairs", CORRECTIONS, key="comparison-correction"
        )
    alpha = choose_alpha(usual_alpha, "comparison-alpha")
    samples, seed = USUAL_TEST.samples, USUAL_TEST.seed
    if TESTS[test].draws:
        samples = st.number_input(
            "Permutations (B)", 99, 200_000, samples, 1000, key="comparison-samples"
        )
        seed = st.number_input("Seed", 0, value=seed, key="comparison-seed")
    over = st.toggle(
        "Correct for the number of conditions",
        key="comparison-over-conditions",
        help="Multiplies p by the number of conditions (Bonferroni), so that α holds for all "
        "of them together.",
    )
    unit = st.selectbox(
        "Limits of τ",
        UNITS,
        format_func=_UNIT_NAMES.__getitem__,
        key="comparison-tau-unit",
        help="  \n".join(f"**{_UNIT_NAMES[unit]}**: {MEANING[unit]}" for unit in UNITS),
    )
    chosen = SignificanceTest(test, correction, int(samples), float(alpha), int(seed), over)
    return chosen, unit


_UNIT_NAMES = dict(
    zip(
        UNITS,
        ("topics", "assessors", "topics and assessors", "systems", "systems (Hollander–Wolfe)"),
        strict=True,
    )
)


def _usual(choices: dict[str, QrelsChoice]) -> list[str]:
    """Return the versions to begin with: the declared one, then each slot (Sakai 2017)."""
    slots = [key for key, choice in choices.items() if choice.rule and choice.rule.slots]
    first, *others = choices
    others = [key for key in others if key not in {f"all, {how}" for how in MEANS}]
    return [first, *(slots or others)][: MOST_SLOTS + bool(slots)]


def _agreement(sets: dict[str, tuple[str, ...]]) -> list[str]:
    """Return the topic sets to begin with: all, those of high and those of low agreement."""
    return [ALL, *(name for name in sets if name.endswith("-agreement topics"))]
