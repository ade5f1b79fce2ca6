"""Machine judges under audit: agreement with people, and what follows for systems."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import pandas as pd

from core.agreement.base import COEFFICIENTS
from core.api.calls.agreement import choose_facet
from core.api.calls.arguments import as_list, as_scale, judgements_by_name
from core.collection.topics_and_documents.words import add_words
from core.comparison.significance_test import SignificanceTest
from core.machines.choices import EPSILON, FEWEST_PEOPLE
from core.measures.base import Weights
from core.measures.catalogue import parse_measure
from core.reports.conclusions import Conclusions, draw_conclusions
from core.reports.estimate import EstimateQuestion, Estimation, estimate_scores
from core.reports.machines import MachineAudit


def machines(
    labels: pd.DataFrame,
    machines: Mapping[str, pd.DataFrame],
    coefficients: str | Sequence[str] = (),
    *,
    facet: str = "",
    levels: Iterable[int] | None = None,
    epsilon: float = EPSILON,
    scoring: str = "accuracy",
    fewest_items: int = 1,
    fewest_people: int = FEWEST_PEOPLE,
    chosen: str = "unknown",
) -> MachineAudit:
    """Measure how far machines agree with people, beside how far people agree with each other.

    Parameters
    ----------
    labels : DataFrame
        Of people, as `read_labels` gives them.
    machines : mapping of str to DataFrame
        By name, labels as `read_machine_labels` gives them: ``topic_id, document_id, level``.
    coefficients : str or sequence of str, optional
        Such as ``kappa(linear)``, ``alpha(ordinal)``; all that are suggested, without it.
    facet : {'', 'page', 'snippet'}
        Which labels of people; needed where there are both.
    levels : iterable of int, optional
        The levels of the scale; those that people gave, without it. What a machine gave beyond them
        is invalid: named and counted apart, never made another level.
    epsilon, scoring, fewest_items, fewest_people
        Of the alternative annotator test: what people may be better by (.2 for experts, .15 for
        skilled people, .1 for a crowd), 'accuracy' or 'rmse', how many items a person needs, and
        how many people an item (2 as in its authors' program).
    chosen : {'unknown', 'random', 'selected'}
        How the judged items were chosen; ``sampling`` of the result says what follows from it.

    Returns
    -------
    MachineAudit
        ``pairs, people, differences, verdicts, shifts, topics, distributions, near, invalid,
        coverage, alternative_tests, sampling``, computed when first asked for.

    Raises
    ------
    BadInput
        A coefficient, facet or way of choosing is unknown, the facet is left open where there are
        two, no machine is named, a person has a machine's name, or a machine has two labels for an
        item.
    TooLittleData
        A machine gave no level of the scale to an item that a person judged.

    Examples
    --------
    >>> import pandas as pd
    >>> labels = pd.DataFrame({
    ...     "topic_id": "t1", "document_id": list("abcd") * 2, "facet": "page", "engine": "",
    ...     "assessor_id": ["ann"] * 4 + ["bob"] * 4, "occasion": 0, "state": "level",
    ...     "group": "", "level": [0, 1, 2, 2, 0, 1, 2, 1],
    ... })
    >>> given = pd.DataFrame(
    ...     {"topic_id": "t1", "document_id": list("abcd"), "level": [0, 1, 2, 5]}
    ... )
    >>> found = machines(labels, {"m": given}, ["raw"])
    >>> found.pairs[["machine", "person", "n", "value"]]
      machine person  n  value
    0       m    ann  3    1.0
    1       m    bob  3    1.0
    >>> found.invalid[["machine", "topic_id", "document_id", "value"]]
      machine topic_id document_id  value
    0       m       t1           d      5
    """
    found = MachineAudit(
        labels,
        machines,
        choose_facet(labels, facet),
        as_scale(levels),
        tuple(map(COEFFICIENTS.parse, as_list(coefficients))),
        epsilon,
        scoring,
        fewest_items,
        fewest_people,
        chosen,
    )
    found.check()
    return found


def conclusions(
    runs: pd.DataFrame,
    people: pd.DataFrame,
    machines: Mapping[str, pd.DataFrame],
    measure: str,
    *,
    scale: Iterable[float] | None = None,
    lineages: Mapping[str, Collection[str]] | None = None,
    significance: SignificanceTest | None = None,
    weights: Weights | None = None,
    mixed: bool = True,
    same_documents: bool = False,
) -> Conclusions:
    """Tell whether a machine's judgements in place of people's change what is said of systems.

    Parameters
    ----------
    runs : DataFrame
        As `read_runs` gives them.
    people : DataFrame
        Qrels, ``topic_id, document_id, level``, however people's labels were combined.
    machines : mapping of str to DataFrame
        The same of each machine by name. Levels that are on no scale have to be taken out before.
    measure : str
        What systems are scored by, such as ``nDCG@10``.
    scale : iterable of numbers, optional
        As for `evaluate`.
    lineages : mapping of str to collection of str, optional
        By machine, the systems that use its model or one of its kind.
    significance : SignificanceTest, optional
        How differences are tested; the default test without it.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    mixed : bool, default True
        Whether people's judgements, filled up with each machine's, are compared, too.
    same_documents : bool, default False
        Whether only documents count that people and all machines have judged.

    Returns
    -------
    Conclusions
        ``sources, scores, rankings, orders, differences, significant, gains, lineage,
        circularity``.

    Raises
    ------
    BadInput
        There is no machine, the measure or a lineage cannot be used, or a name stands for two.
    TooLittleData
        Fewer than two systems, or than two topics that count under all judgements.

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame([
    ...     (system, topic, document, rank)
    ...     for system, order in (("one", "ab"), ("two", "ba"))
    ...     for topic in ("t1", "t2")
    ...     for rank, document in enumerate(order, start=1)
    ... ], columns=["system", "topic_id", "document_id", "rank"]).assign(score=lambda f: -f["rank"])
    >>> judged = {"topic_id": ["t1", "t1", "t2", "t2"], "document_id": list("abab")}
    >>> people = pd.DataFrame({**judged, "level": [1, 0, 1, 0]})
    >>> machine = pd.DataFrame({**judged, "level": [0, 1, 0, 1]})
    >>> found = conclusions(runs, people, {"m": machine}, "P@1", mixed=False)
    >>> found.scores[["source", "system", "value"]]
       source system  value
    0  people    one    1.0
    1  people    two    0.0
    2       m    one    0.0
    3       m    two    1.0
    """
    every = {str(number): one for number, one in enumerate((people, *machines.values()))}
    own, *others = judgements_by_name(every, scale).values()
    return draw_conclusions(
        runs,
        own,
        {name: one.frame for name, one in zip(machines, others, strict=True)},
        parse_measure(measure),
        lineages=lineages,
        significance=significance,
        weights=weights,
        mixed=mixed,
        same_documents=same_documents,
    )


def estimate(
    runs: pd.DataFrame,
    human: pd.DataFrame,
    machine: pd.DataFrame,
    measures: str | Sequence[str],
    *,
    scale: Iterable[float] | None = None,
    level: float | None = None,
    weights: Weights | None = None,
    finite: bool = False,
    normal: bool = False,
    empty_topics: bool = False,
    documents: pd.DataFrame | None = None,
) -> Estimation:
    """Estimate means of systems, and their differences, in three ways.

    From the topics that people judged; prediction-powered, from these and those that only a machine
    judged; and from the machine's labels alone, whose limits take no notice of its bias.

    Parameters
    ----------
    runs, measures, scale, level, weights, empty_topics, documents
        As for `evaluate`.
    human, machine : DataFrame
        Qrels, ``topic_id, document_id, level``. The machine judged the topics that people did,
        and more.
    finite : bool, default False
        Whether the topics are all there are, rather than a sample of more.
    normal : bool, default False
        Limits and λ as the package ppi-python has them, for many topics that people judged.

    Returns
    -------
    Estimation
        ``answer``, in a sentence; ``systems, differences, widths, notes``.

    Raises
    ------
    BadInput
        No topic is judged by both, a run answers none of those, or a measure cannot be used.
    TooLittleData
        Fewer than two topics that both judged count, or none that only the machine did.

    Examples
    --------
    >>> import pandas as pd
    >>> topics = ["t1", "t2", "t3"]
    >>> runs = pd.DataFrame({
    ...     "system": "bm25", "topic_id": topics * 2, "document_id": ["a"] * 3 + ["b"] * 3,
    ...     "score": [2.0] * 3 + [1.0] * 3, "rank": [1] * 3 + [2] * 3,
    ... })
    >>> machine = pd.DataFrame(
    ...     {"topic_id": topics, "document_id": ["a", "b", "a"], "level": [1, 1, 1]}
    ... )
    >>> people = machine[:2].assign(document_id=["b", "a"])
    >>> estimate(runs, people, machine, "RR").systems[["estimate", "value", "units"]]
           estimate     value  units
    0     classical  0.750000      2
    1           ppi  0.750000      2
    2  machine_only  0.833333      3
    """
    judged = judgements_by_name({"human": human, "machine": machine}, scale)
    texts = as_list(measures)
    given = {} if level is None else {"rel": level}
    return estimate_scores(
        runs if documents is None else add_words(runs, documents),
        judged["human"],
        judged["machine"].frame,
        [parse_measure(text, **given) for text in texts],
        EstimateQuestion(finite, normal, empty_topics),
        weights,
    )
