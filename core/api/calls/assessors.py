"""How each assessor judges, what they marked, and whether the User Disagreement Model holds."""

from collections.abc import Iterable

import pandas as pd

from core.api.calls.agreement import choose_facet
from core.api.calls.arguments import as_scale
from core.api.calls.files import warn_of
from core.collection.records import FACETS
from core.errors import BadInput
from core.measures.base import Weights
from core.measures.catalogue import parse_measure
from core.reports.assessors import AssessorQuality, read_assessors
from core.reports.groups import (
    VERSION,
    GroupRankings,
    GroupsQuestion,
    read_group_labels,
    read_rule,
)
from core.reports.left_out_rankings import RankingQuestion
from core.reports.passages import PassageAgreement
from core.reports.verification import (
    REPEATS,
    ModelVerification,
    VerificationQuestion,
    read_verification,
)


def assessors(
    labels: pd.DataFrame,
    runs: pd.DataFrame | None = None,
    *,
    facet: str = "",
    levels: Iterable[int] | None = None,
    gold: pd.DataFrame | None = None,
    paradata: pd.DataFrame | None = None,
    measure: str = RankingQuestion.measure,
    version: str = VERSION,
    topics: Iterable[str] = (),
    weights: Weights | None = None,
) -> AssessorQuality:
    """Tell how each assessor judges; nothing is corrected by it.

    Parameters
    ----------
    labels : DataFrame
        As `read_labels` or a store's ``labels`` gives them. Those of the assessor 'gold' are taken
        for gold, and are no assessor's.
    runs : DataFrame, optional
        The systems, as `read_runs` gives them: what leaving people out does to their ranking.
    facet, levels
        As for `agreement`.
    gold : DataFrame, optional
        The levels that are taken for right, as a store's ``gold`` gives them.
    paradata : DataFrame, optional
        How labels came about, as a store's ``paradata`` gives it.
    measure, version : str
        By which systems are scored, and how the labels of an item become one level.
    topics : iterable of str
        On which systems are scored; all, without any. Labels count on all of them for the rest.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.

    Returns
    -------
    AssessorQuality
        ``answer``, ``leniency_answer``, ``chance_answer``, ``ranking_answer`` and
        ``careless_answer`` are sentences.
        Tables: ``assessors``, with leniency in steps of the scale and its 95 % limits by the
        jackknife over topics, linear weighted κ with the others from 10 common items on, and
        agreement with gold; ``level_shares``; ``active_time``, in seconds; ``drift``, over tenths
        of the labels; ``drifting``; ``careless``, where there is paradata; and beside labels that
        are dealt anew ``chance``, ``leaving_out`` (α without those who agree least),
        ``leaving_out_ranking`` (Kendall's τ-b of the ranking of systems) and ``careless_chance``.

    Raises
    ------
    BadInput
        The facet is left open where there are two.

    Examples
    --------
    >>> import pandas as pd
    >>> labels = pd.DataFrame({
    ...     "topic_id": "t1", "document_id": list("abcd") * 2, "facet": "page", "engine": "",
    ...     "assessor_id": ["ann"] * 4 + ["bob"] * 4, "occasion": 0, "state": "level",
    ...     "group": "", "level": [0, 1, 2, 2, 0, 1, 2, 1],
    ... })
    >>> assessors(labels).assessors[["assessor_id", "common", "leniency"]]
      assessor_id  common  leniency
    0         ann       4      0.25
    1         bob       4     -0.25
    """
    scale, facet = as_scale(levels), choose_facet(labels, facet)
    rule, text = read_rule(version, facet), str(parse_measure(measure))
    ranking = RankingQuestion(runs, text, rule, weights, tuple(topics))
    found = read_assessors(labels, facet, scale, gold, paradata, ranking)
    warn_of(found.notes, 3)
    return found


def groups(
    labels: pd.DataFrame,
    runs: pd.DataFrame | None = None,
    *,
    people: pd.DataFrame | None = None,
    by: str = "group",
    personal: bool = GroupsQuestion.personal,
    facet: str = "",
    levels: Iterable[int] | None = None,
    measure: str = GroupsQuestion.measure,
    version: str = VERSION,
    users: int = GroupsQuestion.users,
    at_least: int = GroupsQuestion.at_least,
    alpha: float = GroupsQuestion.alpha,
    samples: int = GroupsQuestion.samples,
    seed: int = GroupsQuestion.seed,
    topics: Iterable[str] = (),
    weights: Weights | None = None,
) -> GroupRankings:
    """Tell whether groups of assessors rank systems differently.

    Parameters
    ----------
    labels, facet, levels
        As for `agreement`; with the column that ``by`` names, unless ``people`` has it.
    runs : DataFrame, optional
        The systems, as `read_runs` gives them; without it only weights of levels are compared.
    people : DataFrame, optional
        ``assessor`` (or ``assessor_id``) and the column that ``by`` names, a row for each.
    by : str
        The attribute that people are grouped by, as 'expertise'.
    personal : bool
        Whether it is a personal attribute; age, sex, country and the like always are. Groups below
        20 people are then not shown.
    measure : str
        By which systems are scored.
    version : str
        How a group's labels of an item become one level, as 'all, maximum'.
    users, at_least : int
        Whom the User Disagreement Model stands for.
    alpha : float
        A difference is shown for p < α.
    samples, seed : int
        How often people are dealt anew, 99 times or more, and where that begins.
    topics : iterable of str
        On which systems are scored; all, without any. Weights of levels are of all labels.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.

    Returns
    -------
    GroupRankings
        ``answer``, ``notes``, and the tables ``groups``; ``orders`` (τ-b of two groups' rankings,
        τ-b where people are dealt anew, p), ``ranking``, ``systems`` (differences of means, p
        step-down); ``weights`` (and usual gains) and ``levels`` (differences of weights, p).

    Raises
    ------
    BadInput
        There is no such column, somebody is in two groups, or the version is not of one group.
    TooLittleData
        There are no two groups that may be shown.

    Examples
    --------
    >>> import pandas as pd
    >>> labels = pd.DataFrame({
    ...     "topic_id": [*"1122"] * 4, "document_id": list("abcd") * 4, "facet": "page",
    ...     "engine": "", "assessor_id": sorted(["ann", "bob", "cy", "di"] * 4), "occasion": 0,
    ...     "state": "level", "level": [0, 1, 2, 2, 1, 1, 2, 1, 0, 2, 2, 1, 0, 1, 1, 2],
    ... })
    >>> people = pd.DataFrame({"assessor": ["ann", "bob", "cy", "di"],
    ...                        "expertise": ["expert", "expert", "student", "student"]})
    >>> groups(labels, people=people, by="expertise", levels=[0, 1, 2]).groups["people"].tolist()
    [2, 2]
    """
    facet = choose_facet(labels, facet)
    scale = None if levels is None else sorted(levels)
    given = read_group_labels(labels, facet, scale, people, by)
    rule = read_rule(version, facet)
    text = str(parse_measure(measure))
    question = GroupsQuestion(by, personal, text, rule, users, at_least, alpha, samples, seed)
    found = GroupRankings(given, runs, question, weights, tuple(topics))
    warn_of(found.notes, 3)
    return found


def passage_agreement(passages: pd.DataFrame, *, facet: str = "") -> PassageAgreement:
    """Measure how far assessors marked the same passages.

    Parameters
    ----------
    passages : DataFrame
        As a store's ``passages`` gives them.
    facet : {'', 'page', 'snippet'}
        Which passages; needed where there are both.

    Returns
    -------
    PassageAgreement
        ``answer``, ``notes``, and the tables ``overall`` and ``items``. In ``overall``, ``f1`` is
        of characters, in [0, 1], the mean over pairs of assessors and then over items, and
        ``alpha(nominal)``, at most 1, has each character as a unit. 95 % limits by the jackknife
        over topics.

    Raises
    ------
    BadInput
        The facet is unknown, or left open where there are two.

    Examples
    --------
    >>> import pandas as pd
    >>> passages = pd.DataFrame({
    ...     "topic_id": "t1", "document_id": "d1", "facet": "page", "engine": "",
    ...     "assessor_id": ["ann", "bob"], "occasion": 0, "state": "level",
    ...     "start": [0, 5], "end": [10, 15], "characters": 40,
    ... })
    >>> passage_agreement(passages).overall[["coefficient", "value"]]
          coefficient     value
    0              f1  0.500000
    1  alpha(nominal)  0.341667
    """
    known = [one for one in FACETS if (passages["facet"] == one).any()]
    if facet and facet not in FACETS:
        raise BadInput(f"'{facet}' is none of {', '.join(FACETS)}", field="facet")
    if not facet and len(known) > 1:
        raise BadInput(f"say which of {', '.join(known)}", field="facet")
    report = PassageAgreement(passages, facet or (known or [*FACETS])[0])
    warn_of(report.notes, 3)
    return report


def verify(
    labels: pd.DataFrame,
    top: int,
    *,
    facet: str = "",
    levels: Iterable[int] | None = None,
    group_by: str = "topic",
    min_labels: int | None = None,
    repeats: int = REPEATS,
) -> ModelVerification:
    """Compare the User Disagreement Model with labels of many users (Demeester et al. 2014).

    Parameters
    ----------
    labels, facet, levels
        As for `agreement`.
    top : int
        The level that a user wants, or above.
    group_by : {'topic', 'document'}
        Whether an item is a document of one topic, or of all topics together.
    min_labels : int, optional
        Items with fewer labels are left out of the draws; without it as many, up to 6, as leave 50
        items or, where there are fewer, all with two.
    repeats : int, default 50
        How often labels are drawn again.

    Returns
    -------
    ModelVerification
        ``answer``, in a sentence; ``chances, weights, fit``, by draws; ``mutual``, assessors scored
        by each other; ``consistency`` and the table ``repeats``, assessors beside themselves;
        ``strata(results, topics)``, p(top | level) in parts of the collection. Each is computed
        when first asked for and raises TooLittleData where labels do not do.

    Raises
    ------
    BadInput
        The facet is left open where there are two.

    Examples
    --------
    >>> import pandas as pd
    >>> labels = pd.DataFrame({
    ...     "topic_id": "t1", "document_id": list("abcd") * 2, "facet": "page", "engine": "",
    ...     "assessor_id": ["ann"] * 4 + ["bob"] * 4, "occasion": 0, "state": "level",
    ...     "group": "", "level": [0, 1, 2, 2, 0, 1, 2, 1],
    ... })
    >>> verify(labels, 2, min_labels=2).draws.items
    4
    """
    question = VerificationQuestion(top, group_by, min_labels, repeats)
    found = read_verification(labels, choose_facet(labels, facet), question, as_scale(levels))
    warn_of(found.labels.notes, 3)
    return found
