"""How often tests find a difference where none is, and where one is."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from core.agreement.confusion import confusion_matrices
from core.agreement.topics import agreement_by_topic, split_topics
from core.agreement.unusual_topics import ALPHA as SIZE_ALPHA
from core.agreement.unusual_topics import size_effect, unusual_topics
from core.comparison.choices import DEFAULT, TESTS
from core.comparison.difference_tests import compare_systems
from core.comparison.paired import are_skewed
from core.comparison.tau_limits import try_same_order
from core.disagreement.model_fit import assess_fit
from core.disagreement.verification import expect_draws
from core.machines.advantage_tests import p_over_items, p_over_topics
from core.machines.circularity import check_circularity
from core.measures.catalogue import parse_measure
from core.preference.outcomes import tabulate_outcomes
from core.preference.sides import side_bias, swapped_repeats
from core.reports.mean_limits import topics_crowd
from tests.calibration import assessors, label_models
from tests.calibration.groups import ALIKE, APART, PeopleModel, find_in_groups
from tests.calibration.interleaving import (
    IMPRESSIONS,
    TESTS_OF_LISTS,
    VISITORS,
    VISITS,
    VisitModel,
    find_arms,
    find_p,
    list_methods,
    try_arms,
)
from tests.calibration.label_models import LabelModel, Levels
from tests.calibration.machine_models import FOLLOWING, HONEST, RunModel
from tests.calibration.orders import DRAWS, SAME, OrderModel, Orders
from tests.calibration.preference_models import (
    STRENGTHS,
    PreferenceModel,
    compare_documents,
)
from tests.calibration.preference_models import (
    compare_systems as prefer_systems,
)
from tests.calibration.preferences import choose_sides
from tests.calibration.score_models import (
    ALIKE_RUNS,
    COLLECTIONS,
    CROWDED,
    DIFFERENT,
    EQUAL,
    RARELY,
    RunsModel,
    ScoreModel,
    matrix_of,
)
from tests.calibration.user_models import TRUE, VARIED, CrowdModel

ALPHA = 0.05
SYSTEMS = (2, 10, 30)


@dataclass(frozen=True)
class ErrorRate:
    """What came of a test on studies of one size.

    Parameters
    ----------
    what, model : str
        What was tried, on what.
    size, studies : int
        How much each study samples, and the number of studies.
    rate : float
        The share of studies in which the test finds anything.
    found : float
        The mean share of what could be found that is.
    """

    what: str
    model: str
    size: int
    studies: int
    rate: float
    found: float

    @property
    def error(self) -> float:
        """Return the standard error of the rate, by simulating so few."""
        return float(np.sqrt(max(self.rate * (1 - self.rate), 1e-4) / self.studies))


Simulate = Callable[[int, int], list[ErrorRate]]
"""Takes the size of a study and the number of studies."""


@dataclass(frozen=True)
class TestFamily:
    """One test: a row of the table.

    Parameters
    ----------
    title, sampled : str
        What it tests, and what a study samples.
    nulls, others : mapping of str to callable
        By the name of each model: what simulates studies of a size, with nothing to find and with
        something.
    sizes : tuple of int
        The sizes that are tried.
    is_default : bool
        Whether the product shows its p without being asked.
    """

    __test__ = False

    title: str
    sampled: str
    nulls: Mapping[str, Simulate]
    others: Mapping[str, Simulate]
    sizes: tuple[int, ...] = (6, 10, 21, 50)
    is_default: bool = True


def _compare(
    test: str, model: ScoreModel | RunsModel, topics: int, studies: int
) -> list[ErrorRate]:
    numbers = SYSTEMS[:-1] if test in _BY_PAIR else SYSTEMS[1:2] if test in _SLOW else SYSTEMS
    return [compare_all(test, model, topics, systems, studies) for systems in numbers]


def _find_unusual(model: label_models.LabelModel, topics: int, studies: int) -> list[ErrorRate]:
    """Count studies in which a topic is named as unusual, by two assessors of all its items."""
    rng = np.random.default_rng([topics, studies])
    found = [
        float(len(unusual_topics(label_models.rate(model.draw(topics, 2, rng)))) > 0)
        for _ in range(studies)
    ]
    return [_rate("a topic is unusual", model.name, topics, np.array(found))]


def _find_size(model: label_models.LabelModel, topics: int, studies: int) -> list[ErrorRate]:
    """Count studies in which large topics are said to agree less."""
    rng = np.random.default_rng([topics, studies])
    found = [
        float(size_effect(label_models.rate(model.draw(topics, 2, rng))) < SIZE_ALPHA)
        for _ in range(studies)
    ]
    return [_rate("large topics agree less", model.name, topics, np.array(found))]


def _find_crowded(models: Iterable[RunsModel], topics: int, studies: int) -> list[ErrorRate]:
    """Count studies in which limits of means are said to hold less often, of one system or ten."""
    rates = []
    for model in models:
        highest = parse_measure(model.measure).upper_bound
        for systems in (1, SYSTEMS[1]):
            rng = np.random.default_rng([topics, systems, studies])
            drawn = model.draw_runs(topics * studies, systems, rng)
            drawn = drawn.reshape(studies, topics, systems)
            found = topics_crowd(drawn.mean(axis=1), np.median(drawn, axis=1), highest)
            rates.append(_rate(f"topics crowd, {systems} systems", model.name, topics, found))
    return rates


def _compare_rarely(test: str, topics: int, studies: int) -> list[ErrorRate]:
    """Count what a test finds where one of two systems gains rarely, and what without a warning."""
    rng = np.random.default_rng([topics, studies])
    found, silent = np.zeros((2, studies))
    for study in range(studies):
        matrix = matrix_of(RARELY.draw(topics, 2, rng))
        pairs = compare_systems(matrix, test, correction="none", samples=999, rng=rng)
        found[study] = pairs["p"].iloc[0] < ALPHA
        silent[study] = found[study] and not are_skewed(matrix.values)[0]
    return [
        _rate(f"{test}, 2 systems", RARELY.name, topics, found),
        _rate(f"{test}, 2 systems, without a warning", RARELY.name, topics, silent),
    ]


def compare_all(
    test: str, model: ScoreModel | RunsModel, topics: int, systems: int, studies: int
) -> ErrorRate:
    """Count what a test of all pairs of systems finds; paired ones are corrected by Holm's."""
    samples = 20_000 if test in _BY_PAIR else 399
    rng = np.random.default_rng([topics, systems, studies])
    found = np.empty(studies)
    for study in range(studies):
        matrix = matrix_of(model.draw(topics, systems, rng))
        pairs = compare_systems(matrix, test, samples=samples, rng=rng)
        found[study] = (pairs["p"] < ALPHA).mean()
    return _rate(f"{test}, {systems} systems", model.name, topics, found)


def _compare_halves(model: RunsModel, equal: bool, topics: int, studies: int) -> list[ErrorRate]:
    """Count what is found between runs of which every other one is stronger.

    Of pairs that are equal in truth it is an error; of the others it is what is there.
    """
    rates = []
    for systems in SYSTEMS[1:]:
        rng = np.random.default_rng([topics, systems, studies])
        first, second = np.triu_indices(systems, k=1)
        counts = ((first - second) % 2 == 0) == equal
        found = np.empty(studies)
        for study in range(studies):
            matrix = matrix_of(model.draw_runs(topics, systems, rng))
            pairs = compare_systems(matrix, samples=399, rng=rng)
            found[study] = (pairs["p"].to_numpy()[counts] < ALPHA).mean()
        rates.append(_rate(f"half are stronger, {systems} systems", model.name, topics, found))
    return rates


_SLOW = ("parametric",)
_BY_PAIR = ("randomisation", "bootstrap")
"""Tests of two systems at a time by drawing, whose p are as fine as the number of samples: slow."""


def _try_orders(model: Orders, topics: int, studies: int) -> list[ErrorRate]:
    """Count how often two orders come out different."""
    rates = []
    for systems in (5, 21):
        rng = np.random.default_rng([topics, systems, studies])
        p = [
            try_same_order(*model.draw(topics, systems, rng), rng, samples=DRAWS).p
            for _ in range(studies)
        ]
        found = np.array(p) < ALPHA
        rates.append(_rate(f"one order, {systems} systems", model.name, topics, found))
    return rates


def _try_groups(model: PeopleModel, people: int, studies: int) -> list[ErrorRate]:
    """Count how often two groups of people seem to rank, score or weigh differently."""
    found = find_in_groups(model, people, studies)
    kinds = ("rankings of two groups", "means of two groups", "weights of two groups")
    return [_rate(what, model.name, people, own) for what, own in zip(kinds, found, strict=True)]


def _try_signs(alike: bool, one_topic: bool, size: int, studies: int) -> list[ErrorRate]:
    """Count how often the sign test finds the first of two items preferred."""
    model = PreferenceModel("", 0 if one_topic else 1)
    rng = np.random.default_rng([size, studies])
    tell = compare_documents if one_topic else prefer_systems
    found = np.empty(studies)
    for study in range(studies):
        choices = model.draw(size, 1, rng)
        if alike:
            # Both sides of a pair are one item's: which is called the first is a coin.
            coin = rng.random(choices.shape) < 0.5
            choices = np.where(coin, 2 - choices, choices)
        found[study] = (tabulate_outcomes(tell(choices))["p"] < ALPHA).mean()
    name = "both as good" if alike else f"strengths from {STRENGTHS[0]:g} to {STRENGTHS[-1]:g}"
    # Pairs are tested one by one: what counts is the share of pairs.
    rate = float(found.mean())
    return [ErrorRate("sign test", name, size, studies, rate, rate)]


def _try_sides(share: float, size: int, studies: int) -> list[ErrorRate]:
    """Count how often an assessor seems to favour a side."""
    rng = np.random.default_rng([size, studies])
    rows = choose_sides(size * studies, (share, 0.0), rng)
    rows["assessor_id"] = [f"a{at // size:05}" for at in range(size * studies)] * 2
    return [
        _rate(what, f"left in {share:.0%}", size, table["p"].iloc[1:].to_numpy() < ALPHA)
        for what, table in (("side bias", side_bias(rows)), ("repeats", swapped_repeats(rows)))
    ]


def _try_high(shares: tuple[int, ...], items: int, studies: int) -> list[ErrorRate]:
    """Count how often a topic seems to be one of high agreement where only chance agrees.

    Both assessors draw their levels alone; without shares they see the same items, as
    ``label_models`` has them.
    """
    rng = np.random.default_rng([items, studies])
    if shares:
        chance = np.array(shares) / sum(shares)
        levels = rng.choice(len(shares), size=(studies, items, 2), p=chance)
    else:
        levels = replace(label_models.MODELS[0], items=items).draw(studies, 2, rng)
    ratings = label_models.rate(levels)
    sets = split_topics(agreement_by_topic(confusion_matrices(ratings)))
    found = np.isin(ratings.topics, sets.high)
    return [_rate("high agreement", "", items, found)]


def _try_assessors(
    try_study: Callable[[Levels, bool], assessors.Found],
    plant: assessors.Plant | None,
    model: LabelModel,
    people: int,
    topics: int,
    studies: int,
) -> list[ErrorRate]:
    """Count how often something is found of any of eight assessors, or of the one planted."""
    rng = np.random.default_rng([topics, studies])
    found = []
    for _ in range(studies):
        levels = model.draw(topics, people, rng)
        planted = plant(levels, rng) if plant else levels
        found.append(try_study(planted, plant is None))
    return [
        _rate(what, model.name, topics, np.array([one[what] for one in found])) for what in found[0]
    ]


def _try_careless(is_planted: bool, topics: int, studies: int) -> list[ErrorRate]:
    """Count how often somebody seems careless, and how often the one who answers twice as fast."""
    rng = np.random.default_rng([topics, studies])
    found = np.empty(studies)
    for study in range(studies):
        noted = assessors.draw_noted(label_models.MODELS[1], topics, rng)
        noted = assessors.plant_fast(noted) if is_planted else noted
        found[study] = assessors.try_signs(noted, not is_planted)["signs"]
    return [_rate("signs", "", topics, found)]


def _try_users(model: CrowdModel, topics: int, studies: int) -> list[ErrorRate]:
    """Count how often the User Disagreement Model seems to fail, and the one in which p varies."""
    rng = np.random.default_rng([topics, studies])
    fits = [assess_fit(expect_draws(model.draw(topics, rng), 2)) for _ in range(studies)]
    plain = [fit is not None and fit.verdict == "fails" for fit in fits]
    if model.spread:
        return [_rate("one chance for all items", model.name, topics, np.array(plain))]
    varied = [bool(fit and fit.varied and fit.varied.verdict == "fails") for fit in fits]
    return [
        _rate("one chance for all items", model.name, topics, np.array(plain)),
        _rate("a chance that varies", model.name, topics, np.array(varied)),
    ]


def _try_runs(model: RunModel, topics: int, studies: int) -> list[ErrorRate]:
    """Count how often a run seems to agree with a machine beyond the others.

    Of what follows the machine there is one run.
    """
    rng = np.random.default_rng([topics, studies])
    flagged = [
        check_circularity(*model.draw(topics, RUNS, rng)).set_index("system")["flagged"]
        for _ in range(studies)
    ]
    found = np.array([one["s00"] if model.followed else one.any() for one in flagged])
    return [_rate(f"circularity, {RUNS} runs", model.name, topics, found)]


RUNS = 8


def _try_machine(
    over: str, ahead: float, spread: float, topics: int, studies: int
) -> list[ErrorRate]:
    """Count how often a machine seems no worse than a person, at a margin of .2.

    On four items in ten both are as close to the others; on the rest the person is closer so much
    oftener that the mean difference is ``ahead``, in each topic ``spread`` more or less.
    """
    rng = np.random.default_rng([topics, studies])
    mean = ahead + spread * rng.choice([-1, 1], (topics, studies))
    chances = np.stack([(0.6 + mean) / 2, np.full_like(mean, 0.4), (0.6 - mean) / 2], axis=-1)
    outcomes = np.moveaxis(rng.multinomial(12, chances), -1, 0).astype(np.float64)
    if over == "topics":
        p = p_over_topics(outcomes, _MARGIN)
    else:
        p = p_over_items(outcomes.sum(axis=1), _MARGIN)
    return [_rate(f"no worse, over {over}", f"{ahead:g} ahead", topics, p < ALPHA)]


_MARGIN = 0.2


def _try_lists(test: str, kind: str, size: int, studies: int) -> list[ErrorRate]:
    """Count how often users seem to prefer a run, by each way to interleave."""
    return [
        _rate(f"{test}, {method}", kind, size, find_p(kind, method, size, studies)[test] < ALPHA)
        for method in list_methods()
    ]


def _try_arms(kind: str, size: int, studies: int) -> list[ErrorRate]:
    """Count how often one of two runs seems better, by what an A/B test measures."""
    return [
        ErrorRate(f"A/B test of {measure}", kind, size, max(studies, 20), share, share)
        for measure, share in find_arms(kind, size, studies).items()
    ]


def _try_log(model: VisitModel, size: int, studies: int) -> list[ErrorRate]:
    """Count how often two arms of an A/B test seem to differ, by its log."""
    return [_rate("two arms differ", model.name, size, try_arms(model, size, studies) < ALPHA)]


def _rate(what: str, model: str, size: int, found: np.ndarray) -> ErrorRate:
    return ErrorRate(what, model, size, len(found), float((found > 0).mean()), float(found.mean()))


_LIKELY = OrderModel("orders differ", 1.0, turned=0.5)


def _of_assessors(
    try_study: Callable[[Levels, bool], assessors.Found],
    models: Sequence[LabelModel],
    plant: assessors.Plant | None = None,
    people: int = assessors.PEOPLE,
) -> dict[str, Simulate]:
    return {
        f"{one.name}, one planted" if plant else one.name: partial(
            _try_assessors, try_study, plant, one, people
        )
        for one in models
    }


TEST_FAMILIES = (
    *(
        TestFamily(
            f"Systems differ: {test}",
            "topics",
            {
                model.name: partial(_compare, test, model)
                for model in (*EQUAL, *(ALIKE_RUNS if test == DEFAULT else ()))
            },
            {model.name: partial(_compare, test, model) for model in DIFFERENT},
            sizes=(6, 10, 21, 50) if test == DEFAULT else (10, 21),
            is_default=test == DEFAULT,
        )
        for test in TESTS
    ),
    TestFamily(
        "Equal systems differ beside stronger ones",
        "topics",
        {one.name: partial(_compare_halves, one, True) for one in ALIKE_RUNS[:2]},
        {f"{one.name}, unequal": partial(_compare_halves, one, False) for one in ALIKE_RUNS[:2]},
        sizes=(10, 21),
    ),
    *(
        TestFamily(
            f"One gains rarely: {test}",
            "topics",
            {RARELY.name: partial(_compare_rarely, test)},
            {DIFFERENT[0].name: partial(_compare, test, DIFFERENT[0])},
            sizes=(10, 21, 50),
            is_default=False,
        )
        for test in (DEFAULT, "bootstrap")
    ),
    TestFamily(
        "Topics crowd at an end",
        "topics",
        {
            name: partial(_find_crowded, [one for one in COLLECTIONS if one.name.endswith(name)])
            for name in ("dl19", "trec2")
        },
        {model.name: partial(_find_crowded, [model]) for model in CROWDED},
        sizes=(5, 10, 20),
    ),
    TestFamily(
        "Two orders differ",
        "topics",
        {model.name: partial(_try_orders, model) for model in SAME},
        {_LIKELY.name: partial(_try_orders, _LIKELY)},
        sizes=(5, 10, 21, 50),
    ),
    *(
        TestFamily(
            f"One item is preferred: sign test{where}",
            sampled,
            {"both as good": partial(_try_signs, True, one_topic)},
            {"strengths differ": partial(_try_signs, False, one_topic)},
        )
        for where, sampled, one_topic in (
            ("", "topics", False),
            (" in one topic", "assessors in one topic", True),
        )
    ),
    TestFamily(
        "A topic is of high agreement",
        "items of one topic",
        {
            "levels alike": partial(_try_high, (1, 1, 1, 1)),
            "levels skewed": partial(_try_high, (30, 4, 2, 1)),
        },
        {"assessors agree": partial(_try_high, ())},
        sizes=(21, 50),
    ),
    TestFamily(
        "A topic was read differently",
        "topics",
        {
            model.name: partial(_find_unusual, model)
            for model in (*label_models.MODELS[:2], *label_models.REAL)
        },
        {model.name: partial(_find_unusual, model) for model in label_models.MISREAD},
        sizes=(5, 10, 21, 50),
    ),
    TestFamily(
        "Large topics agree less",
        "topics",
        {
            f"{model.name}, unequal": partial(_find_size, model)
            for model in (*label_models.UNEQUAL, *label_models.UNEQUAL_BESIDE)
        },
        {model.name: partial(_find_size, model) for model in label_models.LARGER},
        sizes=(5, 10, 21, 50),
    ),
    TestFamily(
        "An assessor is lenient or strict",
        "topics",
        _of_assessors(assessors.try_lenient, label_models.MODELS),
        _of_assessors(assessors.try_lenient, label_models.MODELS[1:2], assessors.plant_lenient),
        sizes=(5, 10, 21, 50),
    ),
    TestFamily(
        "An assessor agrees less, or leaving out helps",
        "topics",
        _of_assessors(
            assessors.try_agreement,
            (*label_models.MODELS[:2], *label_models.READING),
            people=assessors.PEOPLE + 1,
        ),
        _of_assessors(
            assessors.try_agreement,
            (label_models.MODELS[1], *label_models.READING),
            assessors.plant_random,
            people=assessors.PEOPLE + 1,
        ),
        sizes=(5, 10, 21),
    ),
    TestFamily(
        "Leaving out moves the ranking",
        "topics",
        _of_assessors(assessors.try_ranking, (label_models.MODELS[1], label_models.READING[1])),
        _of_assessors(assessors.try_ranking, label_models.MODELS[1:2], assessors.plant_odd),
        sizes=(5, 10),
    ),
    TestFamily(
        "An assessor's leniency moves",
        "topics",
        _of_assessors(assessors.try_drift, label_models.MODELS[:2]),
        _of_assessors(assessors.try_drift, label_models.MODELS[1:2], assessors.plant_moving),
        sizes=(5, 21),
    ),
    TestFamily(
        "An assessor shows signs of carelessness",
        "topics",
        {"items take unequally long": partial(_try_careless, False)},
        {"one answers twice as fast": partial(_try_careless, True)},
        sizes=(5, 10),
    ),
    TestFamily(
        "The User Disagreement Model fails",
        "topics",
        {model.name: partial(_try_users, model) for model in TRUE},
        {VARIED.name: partial(_try_users, VARIED)},
        sizes=(5, 10, 21, 50),
    ),
    *(
        TestFamily(
            f"A machine is no worse: over {over}",
            "topics",
            {
                "topics alike": partial(_try_machine, over, _MARGIN, 0.0),
                "topics differ": partial(_try_machine, over, _MARGIN, 0.3),
            },
            {"as good": partial(_try_machine, over, 0.0, 0.3)},
            is_default=over == "topics",
        )
        for over in ("topics", "items")
    ),
    TestFamily(
        "Groups of people differ",
        "people",
        {model.name: partial(_try_groups, model) for model in ALIKE},
        {APART.name: partial(_try_groups, APART)},
        sizes=(10, 30),
    ),
    TestFamily(
        "A side is favoured",
        "preferences",
        {"neither": partial(_try_sides, 0.5)},
        {"left in 70 %": partial(_try_sides, 0.7)},
    ),
    TestFamily(
        "A run stands out by a machine's labels",
        "topics",
        {model.name: partial(_try_runs, model) for model in HONEST},
        {FOLLOWING.name: partial(_try_runs, FOLLOWING)},
        sizes=(10, 21),
    ),
    *(
        TestFamily(
            f"Users prefer a run, interleaved: {test}",
            "lists",
            {kind: partial(_try_lists, test, kind) for kind in ("as good", "identical")},
            {"better": partial(_try_lists, test, "better")},
            sizes=IMPRESSIONS,
        )
        for test in TESTS_OF_LISTS
    ),
    TestFamily(
        "Users prefer a run: A/B test",
        "visits",
        {kind: partial(_try_arms, kind) for kind in ("as good", "identical")},
        {"better": partial(_try_arms, "better")},
        sizes=VISITS,
    ),
    TestFamily(
        "Two arms differ",
        "users in each arm",
        {one.name: partial(_try_log, one) for one in VISITORS},
        {f"{one.name}, .7 apart": partial(_try_log, replace(one, lead=0.7)) for one in VISITORS},
        sizes=VISITS,
    ),
)
