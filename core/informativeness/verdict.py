"""What a study of informativeness comes to, in plain words."""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

import numpy as np
import pandas as pd

from core.agreement.corrections import correct
from core.comparison.paired import paired_deviation, paired_t
from core.comparison.verdict import Stress
from core.informativeness.inferred_curves import view_curves
from core.informativeness.solve import STATUS
from core.informativeness.study import InformativenessStudy
from core.measures.ranked import Floats
from core.numerals import write_number

ALPHA = 0.05
"""Where nothing else is asked for, two measures' errors differ when p is below it."""

WITHOUT_SOLUTION = ("infeasible", "unsolved")

_FEW_RUNS = 3
"""With fewer runs an order says next to nothing."""

_DIGITS = 3


def name_measures(study: InformativenessStudy) -> dict[str, str]:
    """Return a short name for each measure, where it still tells them apart.

    What all have in common, depth and level, is left out: ``ERR-IA`` for
    ``ERR-IA(rel=2, norm='none')@10``.
    """
    depth = len(study.inferred[0].labels.actual)
    short = {}
    for each in study.inferred:
        measure = each.target.measure
        early = measure.cutoff not in (None, depth)
        short[str(measure)] = f"{measure.name}@{measure.cutoff}" if early else measure.name
    often = Counter(short.values())
    return {text: name if often[name] == 1 else text for text, name in short.items()}


def reach_verdict(
    study: InformativenessStudy, stress: Stress = str, alpha: float = ALPHA
) -> tuple[str, ...]:
    """Return what a study comes to, as sentences in plain text; the first sums it up.

    Parameters
    ----------
    study : InformativenessStudy
        From ``measure_informativeness``.
    stress : function, default str
        Marks the key facts of the first sentence, for those who show them in bold.
    alpha : float, default 0.05
        Two errors differ when p is below it; above 0 and below 1.

    Returns
    -------
    tuple of str
        Which measures predict precision–recall curves best, as relevance to any intent: those
        that Student's paired t test over the topics, corrected after Holm, does not tell from the
        best; which predicts the other measures best; how many problems have no solution; which
        graded measures are taken in their binary form.
    """
    names = name_measures(study)
    return (
        *_judge_curves(study, names, stress, alpha),
        *_describe_means_over_intents(study, names),
        *_describe_inference(study, names),
        _describe_statuses(study),
        *_describe_binary_forms(study, names),
    )


def _judge_curves(
    study: InformativenessStudy, names: dict[str, str], stress: Stress, alpha: float
) -> list[str]:
    """Say which measures come nearest to the actual curves, and what they gain."""
    errors, topic = _list_errors(study)
    if not len(errors):
        why = "no relevant document is retrieved, or nothing was inferred"
        return [f"{stress('No curve')} can be predicted: {why}."]
    *known, even = errors.mean(axis=0).tolist()
    order = sorted(range(len(known)), key=known.__getitem__)
    *alike, too_even = _find_alike(errors, topic, order[0], alpha)
    too_even = too_even or even <= known[order[0]]
    named = [(list(names.values())[at], known[at]) for at in order]
    leading = [pair for pair, at in zip(named, order, strict=True) if alike[at]]
    # Behind one that is told apart, nobody leads, though little may be known of its own lead.
    ahead = list(takewhile(leading.__contains__, named))
    leaders = _name_leaders(ahead, named, even, too_even, stress)
    by_intent = any(each.target.by_intent for each in study.inferred)
    view = "Read as relevance to any intent: " if by_intent else ""
    topics = _count(len(np.unique(topic)), "topic")
    if too_even:
        if even > known[order[0]]:
            leaders += f"; over {topics}, the difference may be chance"
    elif len(leading) > 1:
        others = _join([name for name, _ in leading[1:]])
        leaders += f"; over {topics}, the lead of {leading[0][0]} over {others} may be chance"
    first = f"{view}{leaders}." if view else f"{_begin(leaders)}."
    if alike[order[-1]] or too_even:
        return [first]
    last = f"largest error is that of {named[-1][0]} (RMS {named[-1][1]:.3f})."
    return [first, f"{view}{'the' if view else 'The'} {last}"]


def _name_leaders(
    leading: Sequence[tuple[str, float]],
    named: Sequence[tuple[str, float]],
    even: float,
    too_even: bool,
    stress: Stress,
) -> str:
    """Return which measures are not told from the best; each with its error, the best first."""
    rms = f"RMS {_join([f'{error:.3f}' for _, error in leading])}"
    without = f"{even:.3f} when only their number is known"
    chosen, where = _join([name for name, _ in leading]), "about where the relevant documents stand"
    if too_even:
        best, error = leading[0]
        return (
            f"no measure {stress('clearly tells more')} {where} than their number does (RMS "
            f"{error:.3f} from {best}, {without})"
        )
    if len(named) == 1:
        return f"{stress(chosen)} tells something {where} ({rms}, {without})"
    if len(leading) == 1:
        return f"{stress(chosen)} tells most {where} ({rms}, {without})"
    if len(leading) == len(named):
        return f"no measure {stress('clearly tells most')} {where} ({rms} from {chosen}, {without})"
    return f"{stress(chosen)} tell most {where} ({rms}, {without})"


def _list_errors(
    study: InformativenessStudy,
) -> tuple[Floats, "np.ndarray[tuple[int], np.dtype[np.int64]]"]:
    """Return the RMS of each ranking by measure, that of p = Rret / N last, and its topic.

    Only rankings that have an error by every measure.
    """
    columns = []
    for each in study.inferred:
        columns.append(view_curves(each.labels, each.solution.p)["union"].errors()[0])
    plain = next((one for one in study.inferred if not one.target.by_intent), study.inferred[0])
    even = np.broadcast_to(plain.labels.rret / len(plain.solution.p), plain.solution.p.shape)
    columns.append(view_curves(plain.labels, even)["union"].errors()[0])
    errors = np.stack(columns, axis=1)
    topic = np.arange(len(errors)) % len(plain.labels.topics)
    kept = ~np.isnan(errors).any(axis=1)
    return errors[kept], topic[kept]


def _find_alike(
    errors: Floats, topic: "np.ndarray[tuple[int], np.dtype[np.int64]]", best: int, alpha: float
) -> "list[bool]":
    """Tell which columns do not differ clearly from the best one over the topics."""
    by_topic = pd.DataFrame(errors).groupby(topic).mean().to_numpy()
    if len(by_topic) < 2:  # a single topic tells nothing apart
        return [True] * errors.shape[1]
    # Two topics or three may be all alike by chance: the signs of as many have no smaller p.
    least = np.where(paired_deviation(by_topic) > 0, 0, 2.0 ** (1 - len(by_topic)))
    p = correct(np.maximum(paired_t(by_topic).p, least), "holm")
    first, second = np.triu_indices(errors.shape[1], k=1)
    alike = [at == best for at in range(errors.shape[1])]
    for one, other, chance in zip(first.tolist(), second.tolist(), p.tolist(), strict=True):
        if best in (one, other) and not chance < alpha:
            alike[other if one == best else one] = True
    return alike


def _describe_means_over_intents(study: InformativenessStudy, names: dict[str, str]) -> list[str]:
    """Say which measure by intent comes nearest where the curve is the mean over intents."""
    errors = study.curve_errors
    rows = errors[(errors["curve"] == "mean") & errors["rms"].notna()]
    if rows.empty:
        return []
    best = rows.nsmallest(1, "rms").to_dict("records")[0]
    several = len(rows) > 1
    verb = "is nearest" if several else "is the only one to be read so"
    tested = "whether this is due to chance is not tested; " if several else ""
    return [
        f"Read as the mean over intents, {names[best['measure']]} {verb} (RMS "
        f"{best['rms']:.3f}, {best['uniform_rms']:.3f} when only the numbers by intent are known); "
        f"{tested}only measures by intent can be read so, and the two readings cannot be compared."
    ]


def _describe_inference(study: InformativenessStudy, names: dict[str, str]) -> list[str]:
    """Say from which measure the others' orders of runs are inferred best on average."""
    rows = study.inference
    shared = [str(each.target) for each in study.inferred if not each.target.by_intent]
    if len(shared) > 1:  # what every measure can predict, so that none has easier tasks
        rows = rows[rows["measure"].isin(shared)]
    rows = rows[rows["tau"].notna()]
    labels = study.inferred[0].labels
    runs = len(labels.systems)
    # The means of a single topic give no order of runs.
    if rows["target"].nunique() < 2 or runs < _FEW_RUNS or len(labels.topics) < 2:
        return []
    mean = rows.groupby("target", sort=False)[["tau", "mare"]].mean().rename(index=names)
    tau, mare = mean["tau"].round(_DIGITS), mean["mare"]
    highest, lowest = write_number(tau.max()), write_number(tau.min())
    if tau.max() == tau.min():
        return [
            f"Each measure predicts the others' order of {runs} runs with τ {highest} on average."
        ]
    best, worst = (list(tau.index[tau == end]) for end in (tau.max(), tau.min()))
    return [
        f"The other measures' order of {runs} runs is predicted best by {_join(best)}, with τ "
        f"{highest} on average (means off by {mare[best[0]]:.1%}), and least by "
        f"{_join(worst)}, with τ {lowest}; whether this is due to chance is not tested."
    ]


def _describe_statuses(study: InformativenessStudy) -> str:
    count = study.problems["status"].value_counts().reindex(list(STATUS), fill_value=0)
    total, lost = int(count.sum()), int(count[list(WITHOUT_SOLUTION)].sum())
    certain = int(count["fixed"] + count["vertex"])
    problems = _count(total, "inference problem")
    sentence = f"In {certain:,} of {problems} only one solution is possible"
    if certain == total:
        return f"{sentence}."
    if not lost:
        return f"{sentence}; all the others are solved."
    have, are = ("has", "is") if lost == 1 else ("have", "are")
    return f"{sentence}; {lost:,} {have} no solution and {are} left out, each with its reason."


def _describe_binary_forms(study: InformativenessStudy, names: dict[str, str]) -> list[str]:
    """Say which measures would tell levels apart, but do not here."""
    if not study.binarised:
        return []
    graded, one = _join([names[text] for text in study.binarised]), len(study.binarised) == 1
    return [
        f"{graded} {'is' if one else 'are'} taken in {'its' if one else 'their'} binary form: a "
        f"document at level {study.level:g} or above gains 1, any other 0."
    ]


def _begin(sentence: str) -> str:
    """Return a sentence with a capital, unless it begins with a measure's name."""
    return f"N{sentence[1:]}" if sentence.startswith("no ") else sentence


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _join(names: Sequence[str]) -> str:
    """Return names as a list in words."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
