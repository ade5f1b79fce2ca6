"""Whether groups of assessors rank systems differently: the report of groups.

References
----------
Demeester et al. (2014), WSDM, doi:10.1145/2556195.2556268: weights of levels by who judges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from core.agreement.groups import read_groups
from core.agreement.intervals import Floats, divide
from core.agreement.ratings import Ratings, ratings_from_labels
from core.collection.labels.counted_labels import counted_labels
from core.collection.labels.label_options import GOLD
from core.collection.labels.level_use import describe_gap
from core.collection.personal import is_personal
from core.comparison.assessor_groups import (
    Dealt,
    Mask,
    PeopleScores,
    common_means,
    deal_people,
    refuse_rule,
    step_down,
)
from core.comparison.rank_correlation import kendall_tau
from core.comparison.ties import tie_close
from core.disagreement.user_disagreement import relevance_weights, sum_by_topic
from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.numerals import LEAST_P, say_p, write_number, write_p
from core.reports.level_weights import LevelLabels, LevelWeights, WeightsQuestion
from core.reports.report import Column, Estimated, Report
from core.reports.sampling import SEED, new_rng
from core.reports.scores import Scores, ScoresQuestion, judge_runs
from core.reports.user_model import USERS, UserModel, usual_model
from core.versions.rules import WHOLE, QrelsRule, in_whole_levels
from core.versions.versions import combine_all, qrels_from_labels
from core.wording import count, mark_fact, name_some

FEWEST = 20
"""Groups of fewer people are not shown where they are by a personal attribute."""

DEALINGS = 999
"""How often people are dealt anew."""

VERSION = f"all, median, {WHOLE}"
"""How the labels of a group become one level of each item, unless another way is chosen."""


def read_rule(version: str, facet: str) -> QrelsRule:
    """Return the rule of a version of all labels by its name, as ``all, maximum``.

    Raises
    ------
    BadInput
        It is no such name.
    """
    name = version.removesuffix(f", {WHOLE}")
    how = name.removeprefix("all, ")
    if how == name:
        raise BadInput(f"'{version}' is not written as '{VERSION}'", field="version")
    rule = combine_all(how, facet)
    return rule if name == version else in_whole_levels(rule)


@dataclass(frozen=True)
class GroupsQuestion:
    """What is asked of groups of assessors.

    Parameters
    ----------
    attribute : str
        What the groups are by: 'expertise', say; 'group' where nobody has said.
    personal : bool
        Whether it is declared a personal attribute; some are by their names.
    measure : str
        By which systems are scored.
    rule : QrelsRule, optional
        How the labels of a group become one level of each item; `VERSION`, without: what a new
        study declares.
    users, at_least : int
        Whom the User Disagreement Model stands for.
    alpha : float
        A difference is shown for p < α.
    samples, seed : int
        How often people are dealt anew, and where that begins.
    """

    attribute: str = "group"
    personal: bool = False
    measure: str = "nDCG@10"
    rule: QrelsRule | None = None
    users: int = USERS
    at_least: int = 1
    alpha: float = 0.05
    samples: int = DEALINGS
    seed: int = SEED

    def __post_init__(self) -> None:
        if not 99 <= self.samples <= 100_000:
            raise BadInput("people are dealt anew 99 to 100,000 times", field="samples")
        if not 0 < self.alpha < 1:
            raise BadInput("α lies between 0 and 1", field="alpha")

    @property
    def withholds(self) -> bool:
        """Whether small groups are not shown."""
        return self.personal or is_personal(self.attribute)


USUAL = GroupsQuestion()
"""What is asked where nothing is chosen."""


@dataclass(frozen=True, eq=False)
class GroupLabels:
    """The labels of one facet, and who is in which group, from wherever they come.

    Parameters
    ----------
    facet : str
        'snippet' or 'page'.
    labels : DataFrame
        As for ``ratings_from_labels``, of people only.
    ratings : Ratings
        The same, coded.
    groups : mapping of str to str
        The group of each assessor; '', or no entry, for none.
    names : mapping of int to str
        What levels are called; one that is not in it goes by its number.
    notes : tuple of str
        What the reader has to know of how they were read.
    """

    facet: str
    labels: pd.DataFrame
    ratings: Ratings
    groups: Mapping[str, str]
    names: Mapping[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read_group_labels(
    labels: pd.DataFrame,
    facet: str,
    levels: Sequence[int] | None = None,
    people: pd.DataFrame | None = None,
    by: str = "group",
    names: Mapping[int, str] | None = None,
) -> GroupLabels:
    """Return the labels of a facet of a frame, with the groups of its own or of a list of people.

    Parameters
    ----------
    labels : DataFrame
        As for ``ratings_from_labels``, with a column that ``by`` names where ``people`` is absent.
    facet : str
        'snippet' or 'page'.
    levels : sequence of int, optional
        All levels of the scale; without it those that occur, and a note says what that may miss.
    people : DataFrame, optional
        ``assessor_id`` (or ``assessor``) and the column that ``by`` names: a row for each.
    by : str
        The attribute that people are grouped by.
    names : mapping of int to str, optional
        What levels are called.

    Raises
    ------
    BadInput
        There is no such column, somebody is in two groups; and as from ``ratings_from_labels``.
    """
    gap = describe_gap(labels, facet) if levels is None else ""
    own = labels[(labels["facet"] == facet) & (labels["assessor_id"] != GOLD)]
    given = own
    if people is not None:
        given = people.rename(columns={"assessor": "assessor_id"})
    for name in ("assessor_id", by):
        if name not in given:
            where = "the labels have" if people is None else "the list of people has"
            what = name.removesuffix("_id")
            raise BadInput(f"{where} no column '{what}' to tell groups by", field=what)
    rows = given[["assessor_id", by]].set_axis(["assessor_id", "group"], axis=1)
    groups = read_groups(rows.astype("object").fillna("").astype("str"))
    ratings = ratings_from_labels(own, facet, levels)
    return GroupLabels(facet, own, ratings, groups, names or {}, (gap,) if gap else ())


class _Apart(NamedTuple):
    """What was found of two groups: means over common topics, weights, and the dealings."""

    names: tuple[str, str]
    people: tuple[int, int]
    means: tuple[Floats, Floats]
    topics: int
    weights: tuple[Floats, Floats]
    dealt: Dealt


_TWO = {
    "first": Column("first", names="nobody"),
    "second": Column("second", names="nobody"),
}
_P = {"p": Column("p", "People dealt anew to the groups.", write=write_p)}
_LEVEL = {"name": Column("level", names="nobody")}


@dataclass(frozen=True, eq=False)
class GroupRankings(Report):
    """Whether groups of assessors rank systems differently; ``dissent.groups`` makes it.

    Tests deal people, with all their labels, anew to groups of the same sizes: labels of one
    person are never parted. p of systems, and of levels, are corrected for their number
    (step-down by the largest), and for the number of pairs of groups besides (Bonferroni).

    Parameters
    ----------
    labels : GroupLabels
        Who gave which level, and who is in which group.
    runs : DataFrame
        The systems, if there are any.
    question : GroupsQuestion
        What is asked.
    gains : mapping of level to weight, optional
        What a measure with ``gain='udm'`` takes.
    topics : collection of str
        The topics that systems are scored on; all, where none is named.
    progress : callable, optional
        Told the share done.
    """

    labels: GroupLabels
    runs: pd.DataFrame | None = None
    question: GroupsQuestion = USUAL
    gains: Mapping[int, float] | None = None
    topics: Collection[str] = ()
    progress: Callable[[float], None] = lambda _: None

    name: ClassVar[str] = "groups"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "groups": Estimated(
            "Groups of assessors",
            "",
            {"group": Column("group", names="nobody"), "people": Column("people"),
             "labels": Column("labels"), "items": Column("items"), "topics": Column("topics")},
        ),
        "orders": Estimated(
            "Rankings of two groups",
            "",
            {**_TWO, "tau": Column("Kendall's τ-b"),
             "dealt": Column("τ-b, dealt anew", "The mean where people are dealt anew."), **_P,
             "topics": Column("common topics")},
        ),
        "ranking": Estimated(
            "Systems by the labels of each group",
            "mean score of this system by the labels of this group",
            {"system": Column("system", names="nobody"), "group": Column("group", names="nobody"),
             "rank": Column("rank"), "value": Column("mean")},
            across="group",
            spread=("value", "rank"),
        ),
        "systems": Estimated(
            "Mean scores by two groups",
            "",
            {**_TWO, "system": Column("system", names="nobody"),
             "first_mean": Column("by first"), "second_mean": Column("by second"),
             "difference": Column("difference"), **_P},
        ),
        "weights": Estimated(
            "Weights and gains of levels by group",
            "p(top | level) in this group",
            {"group": Column("group", names="nobody"), **_LEVEL,
             "cases": Column("cases", digits=1),
             "p": Column("p(top | level)"),
             "weight": Column("UDM weight", "the chance that enough users find it top"),
             "linear": Column("linear", "the level as a gain, the highest being 1"),
             "exp": Column("exponential", "2 to the level, less 1, the highest being 1")},
            estimate="p",
        ),
        "levels": Estimated(
            "Weights of levels by two groups",
            "",
            {**_TWO, **_LEVEL, "first_weight": Column("by first"),
             "second_weight": Column("by second"), "difference": Column("difference"), **_P},
        ),
    }  # fmt: skip

    @property
    def rule(self) -> QrelsRule:
        """How the labels of a group become one level of each item."""
        return self.question.rule or read_rule(VERSION, self.labels.facet)

    @property
    def model(self) -> UserModel:
        """Whom weights stand for."""
        asked = self.question
        return usual_model(self.labels.ratings.levels, asked.users, asked.at_least)

    @cached_property
    def _sizes(self) -> Counter[str]:
        ratings, groups = self.labels.ratings, self.labels.groups
        return Counter(groups.get(one, "") for one in ratings.assessors)

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The groups that are shown, in order: of a personal attribute only large ones."""
        least = FEWEST if self.question.withholds else 1
        return tuple(sorted(one for one, size in self._sizes.items() if one and size >= least))

    def _members(self, group: str) -> set[str]:
        groups = self.labels.groups
        return {one for one in self.labels.ratings.assessors if groups.get(one, "") == group}

    def _of_group(self, group: str) -> pd.DataFrame:
        labels = self.labels.labels
        return labels[labels["assessor_id"].isin(sorted(self._members(group)))]

    def _require_groups(self) -> None:
        """Raise TooLittleData where there are no two groups to compare."""
        if len(self.shown) > 1:
            return
        attribute = self.question.attribute
        if self.question.withholds:
            raise TooLittleData(
                f"'{attribute}' is a personal attribute, and fewer than two of its groups have "
                f"{FEWEST} people or more who judged; smaller ones are not shown"
            )
        raise TooLittleData(
            "fewer than two groups of assessors have judged; say under Roster, or in a column of "
            "the labels, who is in which"
        )

    @cached_property
    def groups(self) -> pd.DataFrame:
        """``group, people, labels, items, topics`` of each group that is shown."""
        self._require_groups()
        rows = []
        for group in self.shown:
            own = counted_labels(self._of_group(group), self.labels.facet)
            items = len(own.drop_duplicates(["topic_id", "document_id", "engine"]))
            topics = own["topic_id"].nunique()
            rows.append((group, len(self._members(group)), len(own), items, topics))
        return pd.DataFrame(rows, columns=["group", "people", "labels", "items", "topics"])

    @cached_property
    def lack(self) -> str:
        """Why systems are not ranked; empty where they are."""
        if self.runs is None or self.runs.empty:
            return "there are no runs, so systems are not ranked"
        measure = parse_measure(self.question.measure)
        if measure.geometric:
            return f"systems are not ranked: {measure.obstacle}"
        if why := refuse_rule(self.rule):
            return (
                f"systems are not ranked: the version '{self.rule.name}' cannot be made of one "
                f"group's labels, as {why}"
            )
        return ""

    @cached_property
    def _scores(self) -> PeopleScores | None:
        if self.runs is None or self.lack:
            return None
        everybody = {one for group in self.shown for one in self._members(group)}
        labels = self.labels.labels
        labels = labels[labels["assessor_id"].isin(sorted(everybody))]
        if self.topics:
            labels = labels[labels["topic_id"].isin(list(self.topics))]
        measure = parse_measure(self.question.measure)
        top = max(self.labels.ratings.levels)
        return PeopleScores(labels, self.rule, self.runs, measure, top, self.gains)

    @cached_property
    def _in_order(self) -> Ratings:
        """The labels with people in an order that follows from these alone, not from ids.

        So the same dealings are made where people are known by codes.
        """
        ratings = self.labels.ratings
        by_person = np.argsort(ratings.assessor, kind="stable")
        given = np.stack([ratings.item, ratings.level])[:, by_person]
        ends = np.cumsum(np.bincount(ratings.assessor, minlength=len(ratings.assessors)))
        patterns = [own.tobytes() for own in np.split(given, ends[:-1], axis=1)]
        order = sorted(range(len(patterns)), key=patterns.__getitem__)
        names = tuple(ratings.assessors[code] for code in order)
        return replace(ratings, assessor=np.argsort(order)[ratings.assessor], assessors=names)

    @cached_property
    def _pairs(self) -> list[_Apart]:
        """Every two groups, with their dealings."""
        self._require_groups()
        pairs, rng = list(combinations(self.shown, 2)), new_rng(self.question.seed)
        found = []
        for number, (names, own) in enumerate(zip(pairs, rng.spawn(len(pairs)), strict=True)):

            def tell(share: float, number: int = number) -> None:
                self.progress((number + share) / len(pairs))

            found.append(self._deal(names, own, tell))
        return found

    def _deal(
        self, names: tuple[str, str], rng: np.random.Generator, progress: Callable[[float], None]
    ) -> _Apart:
        ratings, scores = self._in_order, self._scores
        people = ratings.assessors
        members = [self._members(one) for one in names]
        masks = [np.array([one in own for one in people]) for own in members]
        place = {one: at for at, one in enumerate(people)}
        # Who has no label on a topic that is scored still counts: labels tell weights besides.
        where = np.array([place[one] for one in scores.people]) if scores else np.zeros(0, np.int64)
        model = self.model

        def means(first: Mask, second: Mask) -> tuple[Floats, Floats, int]:
            if scores is None:
                return np.zeros(0), np.zeros(0), 0
            return common_means(scores.score(first[where]), scores.score(second[where]))

        def tell(first: Mask, second: Mask) -> Floats:
            one, other, _ = means(first, second)
            apart = np.abs(_weigh(ratings, first, model) - _weigh(ratings, second, model))
            return np.concatenate([[1 - tau_of(one, other)], np.abs(one - other), apart])

        dealt = deal_people(masks[0], masks[1], tell, self.question.samples, rng, progress)
        one, other, topics = means(masks[0], masks[1])
        weights = (_weigh(ratings, masks[0], model), _weigh(ratings, masks[1], model))
        sizes = (len(members[0]), len(members[1]))
        return _Apart(names, sizes, (one, other), topics, weights, dealt)

    @property
    def _systems(self) -> int:
        return len(self._scores.systems) if self._scores else 0

    def _find_p(self, values: slice, kept: Mask | bool = True) -> list[Floats]:
        """Return p of some values of each pair of groups, corrected for the number of pairs."""
        return [
            np.minimum(
                len(self._pairs)
                * step_down(
                    np.where(kept, one.dealt.observed[values], np.nan), one.dealt.drawn[:, values]
                ),
                1,
            )
            for one in self._pairs
        ]

    @cached_property
    def orders(self) -> pd.DataFrame:
        """Every two groups: ``first, second, tau, dealt, p``, sizes, ``topics, dealings, reason``.

        ``dealt`` is the mean τ-b where people are dealt anew: what two groups of these sizes
        differ by when nothing tells them apart.
        """
        p = self._find_p(slice(1))
        rows = [
            {
                **_name(one),
                "tau": 1 - one.dealt.observed[0],
                "dealt": 1 - _mean(one.dealt.drawn[:, 0]),
                "p": own[0],
                "least_p": one.dealt.least,
                "topics": one.topics,
                "dealings": self.question.samples,
                "reason": self._say_undefined(one),
            }
            for one, own in zip(self._pairs, p, strict=True)
        ]
        return pd.DataFrame(rows)

    def _say_undefined(self, one: _Apart) -> str:
        if not np.isnan(one.dealt.observed[0]):
            return ""
        return self.lack or _WHY_NOT[bool(one.topics)]

    @cached_property
    def systems(self) -> pd.DataFrame:
        """``first, second, system, first_mean, second_mean, difference, p, reason``, by groups."""
        names = self._scores.systems if self._scores else ()
        p = self._find_p(slice(1, self._systems + 1))
        parts = [
            pd.DataFrame(
                {
                    **_name(one),
                    "system": names,
                    "first_mean": one.means[0],
                    "second_mean": one.means[1],
                    "difference": one.means[0] - one.means[1],
                    "p": own,
                    "reason": "" if one.topics else _WHY_NOT[False],
                }
            )
            for one, own in zip(self._pairs, p, strict=True)
        ]
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def levels(self) -> pd.DataFrame:
        """``first, second, level, name, first_weight, second_weight, difference, p``.

        A row for each level whose weight both groups tell and that is no convention.
        """
        ratings = self.labels.ratings
        p = self._find_p(slice(self._systems + 1, None), _free(ratings, self.model))
        parts = [
            pd.DataFrame(
                {
                    **_name(one),
                    "level": ratings.levels,
                    "name": [self._name_level(level) for level in ratings.levels],
                    "first_weight": one.weights[0],
                    "second_weight": one.weights[1],
                    "difference": one.weights[0] - one.weights[1],
                    "p": own,
                }
            )[~np.isnan(own)]
            for one, own in zip(self._pairs, p, strict=True)
        ]
        return pd.concat(parts, ignore_index=True)

    def _name_level(self, level: int) -> str:
        return self.labels.names.get(level, str(level))

    @cached_property
    def weights(self) -> pd.DataFrame:
        """The columns of ``LevelWeights.levels`` by the labels of each group, after ``group``."""
        self._require_groups()
        parts = []
        for group in self.shown:
            ratings = _select(self.labels.ratings, self._members(group))
            of_group = LevelLabels(self.labels.facet, ratings, self.labels.names)
            table = LevelWeights(of_group, WeightsQuestion(self.model)).levels.copy()
            table.insert(0, "group", group)
            parts.append(table)
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """``group`` and the columns of ``Scores.means``, over topics that all groups count."""
        self._require_groups()
        if self.runs is None or self._scores is None:
            return pd.DataFrame(columns=["group", "system", "rank", "value"])
        known = [
            ~np.isnan(self._scores.score(self._scores.mask(self._members(one)))).any(axis=0)
            for one in self.shown
        ]
        common = [self._scores.topics[at] for at in np.flatnonzero(np.all(known, axis=0))]
        if not common:
            return pd.DataFrame(columns=["group", "system", "rank", "value"])
        top, parts = max(self.labels.ratings.levels), []
        for group in self.shown:
            version = qrels_from_labels(self._of_group(group), self.rule, None, top)
            judged = judge_runs(self.runs, version, group, self.gains, common)
            means = Scores(judged, ScoresQuestion((self.question.measure,))).means.copy()
            means.insert(0, "group", group)
            parts.append(means)
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def answer(self) -> str:
        """Whether groups rank systems differently, score any of them so, or weigh a level so."""
        said = [self._tell_orders(), *self._tell_values()]
        if any(table["p"].notna().any() for table in self._tested.values()):
            dealt = f"People were dealt anew {count(self.question.samples, 'time')}"
            alpha = self.question.alpha
            level = "" if alpha == USUAL.alpha else f"; what has p < {alpha:g} is shown"
            said += [*self._tell_short(), f"{dealt}{level}."]
        return " ".join(said)

    def _tell_orders(self) -> str:
        known = self.orders[self.orders["p"].notna()]
        who = " and ".join(map(mark_fact, self.shown))
        if len(self.shown) > 2:
            who = count(len(self.shown), "group")
        if known.empty:
            return f"{who} are not compared by their rankings: {self.orders['reason'].iloc[0]}."
        found = known[known["p"] < self.question.alpha]
        least = known.iloc[known["p"].argmin()]
        if len(self._pairs) == 1:
            return (
                f"{who} are {mark_fact('not shown' if found.empty else 'shown')} to rank the "
                f"systems differently (Kendall's τ-b {write_number(least['tau'])}, and "
                f"{write_number(least['dealt'])} on average where people are dealt anew; "
                f"{say_p(least['p'])})."
            )
        named = ", ".join(f"{one} and {other}" for one, other in found[[*_TWO]].to_numpy())
        number = mark_fact(f"{len(found):,}" if len(found) else "none")
        return (
            f"Of {count(len(known), 'pair')} of {who}, {number} {_be(len(found))} shown to rank "
            f"the systems differently{f': {named}' if named else ''} (least {say_p(least['p'])}, "
            "corrected for the pairs)."
        )

    def _tell_values(self) -> list[str]:
        """Say how many differences of means, and of weights, are shown."""
        sentences = []
        for rows, of in (
            (self.systems, f"mean {self.question.measure} of a system"),
            (self.levels, "UDM weight of a level"),
        ):
            p = rows["p"].dropna()
            if p.empty:
                continue
            found = int((p < self.question.alpha).sum())
            least = f"least {say_p(p.min())}, corrected for all"
            differ = count(len(p), f"difference in the {of}", f"differences in the {of}")
            number = mark_fact(f"{found:,}" if found else "none")
            sentences.append(f"Of {differ}, {number} {_be(found)} shown ({least}).")
        return sentences

    def _tell_short(self) -> list[str]:
        """Say where so few people, or so few dealings, cannot show anything."""
        pairs, alpha, samples = len(self._pairs), self.question.alpha, self.question.samples
        known = [one.dealt.least * pairs for one in self._pairs]
        by_dealings = pairs / (samples + 1)
        short = [least for least in known if least >= alpha and least > by_dealings]
        said = []
        if short:
            whose = "" if len(short) == pairs else f" in {count(len(short), 'pair')} of groups"
            none = "nothing could be shown" + (" there" if whose else "")
            said = [f"With so few people{whose} no p can be below {_say_least(short)}: {none}."]
        if by_dealings >= alpha and len(short) < pairs:
            said.append(
                f"With {count(samples, 'dealing')} no p can be below {_say_least([by_dealings])}: "
                "only more of them could show anything."
            )
        return said

    @property
    def notes(self) -> Sequence[str]:
        """What is left out, and what the test takes for granted."""
        notes = list(self.labels.notes)
        if self.question.withholds:
            notes.append(
                f"'{self.question.attribute}' is a personal attribute: groups of fewer than "
                f"{FEWEST} people are not shown, and groups are in no bundle"
            )
        elif none := self._sizes[""]:
            notes.append(f"{count(none, 'person', 'people')} without a group left out")
        if self.lack and len(self.shown) > 1:
            notes.append(self.lack)
        notes.append(
            "the test takes people for exchangeable, with whatever items they were given: where "
            "groups were given other items, that may be what differs"
        )
        tested = [what for what, table in self._tested.items() if table["p"].notna().any()]
        if len(tested) > 1:
            notes.append(
                f"{name_some(tested)} are tested each on its own: where nothing differs, any of "
                "rankings, means and weights at p < .05 came up in up to "
                f"{ANY_OF_THREE} of 100 simulated studies"
            )
        return notes

    @property
    def _tested(self) -> dict[str, pd.DataFrame]:
        return {"rankings": self.orders, "means": self.systems, "weights": self.levels}


ANY_OF_THREE = 10
"""In so many of 100 studies of people alike one of three tests at least errs at .05, at most."""

_WHY_NOT = {
    False: "no topic counts for both groups",
    True: "one system has no order, and systems that are all alike neither",
}


def tau_of(first: Floats, second: Floats) -> float:
    """Return Kendall's τ-b of the order of systems by two sets of means; NaN if undefined."""
    if np.isnan(first).any() or np.isnan(second).any():
        return float("nan")
    return kendall_tau(tie_close(first), tie_close(second))


def _free(ratings: Ratings, model: UserModel) -> Mask:
    """Return which levels have a weight that labels tell."""
    levels = np.array(ratings.levels)
    below = (levels < model.top) | (model.at_least > 1)
    free: Mask = below & ((levels > levels.min()) | model.keep_lowest)
    return free


def _select(ratings: Ratings, people: set[str]) -> Ratings:
    """Return the labels of some people; items, assessors and topics stay as they are numbered."""
    chosen = np.array([one in people for one in ratings.assessors], dtype=np.bool_)
    return _by(ratings, chosen)


def _by(ratings: Ratings, chosen: Mask) -> Ratings:
    kept = chosen[ratings.assessor]
    arrays: dict[str, Any] = {
        name: getattr(ratings, name)[kept] for name in ("item", "assessor", "level", "topic")
    }
    return replace(ratings, **arrays)


def _weigh(ratings: Ratings, chosen: Mask, model: UserModel) -> Floats:
    """Return the UDM weight of each level by the labels of some people; NaN without a case."""
    own = _by(ratings, chosen)
    is_top = np.array(ratings.levels) >= model.top
    top_cases, cases = sum_by_topic(own, is_top, model.weighting).sum(axis=1)
    p = np.clip(divide(top_cases, cases), 0, 1)
    weights = relevance_weights(
        dict(zip(ratings.levels, p, strict=True)),
        model.top,
        users=model.users,
        at_least=model.at_least,
        keep_lowest=model.keep_lowest,
    )
    return np.array([weights[level] for level in ratings.levels])


def _name(one: _Apart) -> dict[str, Any]:
    first, second = one.names
    return {
        "first": first,
        "second": second,
        "first_people": one.people[0],
        "second_people": one.people[1],
    }


def _be(number: int) -> str:
    return "are" if number > 1 else "is"


def _say_least(known: Sequence[float]) -> str:
    """Return the least of what p cannot be below; in its own digits where three say nothing."""
    least = min(*known, 1)
    return write_number(least) if least >= LEAST_P else f"{least:.2g}"


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
