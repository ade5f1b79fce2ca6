"""What is found of assessors beside what chance gives: tables and sentences for their report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.agreement.assessor_null import (
    FEWEST_TOPICS,
    ByChance,
    DealtScores,
    compare_with_dealt,
)
from core.agreement.corrections import correct
from core.agreement.drifting import LEAST
from core.agreement.intervals import Floats
from core.agreement.topics import TOPIC_COEFFICIENT
from core.numerals import write_limits, write_number, write_p
from core.reports.report import Column, Estimated
from core.wording import count, mark_fact

if TYPE_CHECKING:
    import pandas as pd

LEVEL = 0.05
"""Below which p somebody is said to differ."""

NAMED = 3
"""How many are named in a sentence; of more there is the number."""

FINDINGS = MappingProxyType(
    {
        "kappa_mean": "mean κ",
        "leniency": "leniency",
        "gold_kappa": "κ with gold",
        "drift": "drift",
        "fast": "under 1 s",
        "longest_run": "longest run",
        "same_spot": "same spot",
    }
)
"""What is found of assessors, and what people call it."""


def write_corrected(p: float) -> str:
    """Return a corrected p as people read it; '' where there is none."""
    return "" if np.isnan(p) else write_p(p)


_DEALT = {
    "within_items": Column("dealt within items"),
    "within_topics": Column("dealt within topics"),
    "within_people": Column("dealt within people"),
}
_P = {
    "p": Column("p", "that chance gives as much", write=write_corrected),
    "beyond": Column("beyond chance"),
}

BESIDE_CHANCE = Estimated(
    "What is found beside what chance gives",
    "",
    {
        "assessor_id": Column("assessor"),
        "finding": Column("finding", write=FINDINGS.__getitem__, names="nobody"),
        "value": Column("value"),
        **_DEALT,
        **_P,
    },
    estimate="",
)

LEAVING_OUT = Estimated(
    f"Leaving out those who agree least with the others: {TOPIC_COEFFICIENT}",
    "",
    {
        "left_out": Column("left out"),
        "before": Column("before"),
        "after": Column("after"),
        **_DEALT,
        "within_people_before": Column("within people, before"),
        **_P,
    },
    estimate="",
)


class Lenient(NamedTuple):
    """Leniency of each assessor, p of its own test, and what chance gives; all corrected."""

    value: Floats
    p: Floats
    chance: ByChance


def list_findings(
    people: Sequence[str], dealt: DealtScores, lenient: Lenient, drift: pd.DataFrame
) -> pd.DataFrame:
    """Return what labels tell of each assessor, beside labels dealt anew.

    Low κ is set beside labels dealt within items and within topics, leniency either way beside
    those dealt within items: whether somebody judges otherwise than the others do. κ of labels
    dealt within people is that of labels that tell nothing of items. Drift is set beside the same
    labels in any other order.

    Parameters
    ----------
    people : sequence of str
        Assessors by code.
    dealt : DealtScores
        From `deal_labels`.
    lenient : Lenient
    drift : DataFrame
        From `try_drift`.

    Returns
    -------
    DataFrame
        ``assessor_id, finding`` (of ``FINDINGS``)``, value, within_items, within_topics,
        within_people``, each of these with 95 % limits, ``p`` (corrected for all assessors; the
        larger one of two tests; NaN with fewer topics than these take)`` and beyond``: whether it
        is said of anybody. The surest first.
    """
    import pandas as pd

    parts = [list_agreement(people, dealt)]
    p = np.maximum(lenient.p, lenient.chance.p)
    parts.append(_list(people, "leniency", lenient.value, p, lenient.chance))
    change, p, low, high, any_order = (
        drift[name].to_numpy(np.float64) for name in ("change", "p", "low", "high", "chance_p")
    )
    p = np.maximum(p, any_order)
    moves = ByChance(np.zeros(len(drift)), low, high, p)
    rows = _list(drift["assessor_id"].tolist(), "drift", change, p, within=moves)
    parts.append(rows.assign(beyond=rows["beyond"] & (rows["value"].abs() >= LEAST)))
    return sort_findings(pd.concat(parts, ignore_index=True))


def list_agreement(people: Sequence[str], dealt: DealtScores) -> pd.DataFrame:
    """Return the rows of `list_findings` that tell of κ with the others and with gold."""
    import pandas as pd

    parts = []
    for finding, name, is_over_topics in (
        ("kappa_mean", "kappa", dealt.is_over_topics),
        ("gold_kappa", "gold", dealt.is_gold_over_topics),
    ):
        value = getattr(dealt.found, name)
        items, topics, within = (
            compare_with_dealt(value, getattr(one, name), -1)
            for one in (dealt.within_items, dealt.within_topics, dealt.within_people)
        )
        p = join_p(items.p, topics.p, is_over_topics)
        parts.append(_list(people, finding, value, p, items, topics, within))
    return pd.concat(parts, ignore_index=True)


def _list(
    people: Sequence[str],
    finding: str,
    value: Floats,
    p: Floats,
    items: ByChance | None = None,
    topics: ByChance | None = None,
    within: ByChance | None = None,
) -> pd.DataFrame:
    """Return rows of those of whom something is found."""
    import pandas as pd

    nothing = ByChance(*np.full((4, len(value)), np.nan))
    table = pd.DataFrame(
        {
            "assessor_id": pd.Index([*people], dtype="str"),
            "finding": finding,
            "value": value,
            **_name_limits("within_items", items or nothing),
            **_name_limits("within_topics", topics or nothing),
            **_name_limits("within_people", within or nothing),
            "p": p,
            "beyond": p < LEVEL,
        }
    )
    return table[~np.isnan(value)]


def _name_limits(name: str, chance: ByChance) -> dict[str, Floats]:
    return {name: chance.mean, f"{name}_low": chance.low, f"{name}_high": chance.high}


def sort_findings(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with what is beyond chance first, and the surest of it first."""
    return rows.sort_values(
        ["beyond", "p"], ascending=[False, True], kind="stable", ignore_index=True
    )


def list_left_out(dealt: DealtScores) -> pd.DataFrame:
    """Return what becomes of α where those who agree least with the others are left out.

    Returns
    -------
    DataFrame
        ``left_out`` (how many)``, before, after``: α of the labels; ``within_items,
        within_topics, within_people``: what it comes to where labels are dealt anew and the same
        number is chosen by the same rule, with 95 % limits; ``within_people_before`` (in the other
        two it is the same as before)``, p``: that dealing within items, or within topics, raises it
        as much, the larger one, corrected for all rows (Holm); NaN with fewer topics than this
        takes; ``beyond``.
    """
    import pandas as pd

    before, *after = dealt.found.alpha
    items, topics, within = (
        one.alpha for one in (dealt.within_items, dealt.within_topics, dealt.within_people)
    )
    by_items, by_topics = (try_choices(np.array(after), one[:, 1:], 1) for one in (items, topics))
    p = join_p(by_items, by_topics, dealt.is_over_topics)
    table = pd.DataFrame(
        {
            "left_out": np.array(dealt.left_out, dtype=np.int64),
            "before": before,
            "after": np.array(after, dtype=np.float64),
            **describe_choices("within_items", items[:, 1:]),
            **describe_choices("within_topics", topics[:, 1:]),
            **describe_choices("within_people", within[:, 1:]),
            "within_people_before": np.nan if np.isnan(before) else within[:, 0].mean(),
            "p": p,
            "beyond": p < LEVEL,
        }
    )
    return table[table["after"].notna()].reset_index(drop=True)


def join_p(items: Floats, topics: Floats, is_over_topics: bool) -> Floats:
    """Return the larger p of two tests.

    NaN where that over topics is not known, unless there are topics enough and the other shows
    nothing in any case.
    """
    joined = np.maximum(items, topics)
    is_enough = is_over_topics & np.isnan(topics) & (items >= LEVEL)
    p: Floats = np.where(is_enough, items, joined)
    return p


def try_choices(found: Floats, dealt: Floats, sign: int) -> Floats:
    """Return p of each choice of whom to leave out, corrected for all of them (Holm).

    Parameters
    ----------
    found : array, shape (n_choices,)
    dealt : array, shape (n_dealings, n_choices)
    sign : {-1, 1}
        Whether it is asked if values are lower than by chance, or higher.
    """
    alone = [compare_with_dealt(found[[at]], dealt[:, [at]], sign).p[0] for at in range(len(found))]
    return correct(np.array(alone), "holm")


def describe_choices(name: str, dealt: Floats) -> dict[str, Floats]:
    """Return mean and 95 % limits of dealings, shape (n_dealings, n_choices), as columns."""
    known = ~np.isnan(dealt).all(axis=0)
    mean, low, high = np.full((3, dealt.shape[1]), np.nan)
    if known.any():
        mean[known] = np.nanmean(dealt[:, known], axis=0)
        low[known], high[known] = np.nanquantile(dealt[:, known], (0.025, 0.975), axis=0)
    return _name_limits(name, ByChance(mean, low, high, mean))


def tell_agreement(rows: pd.DataFrame, name: Callable[[str], str], times: int) -> str:
    """Return who agrees less with the others, and with gold, than chance gives."""
    findings = [
        _tell_finding(rows[rows["finding"] == finding], finding, whom, name)
        for finding, whom in (("kappa_mean", "the others"), ("gold_kappa", "gold"))
    ]
    if not (known := [one for one in findings if one]):
        return ""
    how = (
        "labels dealt anew in two ways: those of each item among those who judged it, and, so that "
        "everybody may read a topic in a way of their own, all of a person's in a topic among "
        "those who judged there"
    )
    return f"What chance gives is taken from {how}; {times} times each. {' '.join(known)}"


def _tell_finding(rows: pd.DataFrame, finding: str, whom: str, name: Callable[[str], str]) -> str:
    if rows.empty:
        return ""
    found, of = rows[rows["beyond"]], count(len(rows), "assessor")
    if rows["p"].isna().all():
        gold = ", of items with a gold level" if finding == "gold_kappa" else ""
        return (
            f"Whether any of {of} agrees less with {whom} than chance gives {mark_fact(UNKNOWN)}: "
            f"{FEW_TOPICS}{gold}."
        )
    if found.empty:
        return (
            f"None of {of} is shown to agree less with {whom} than chance gives: the lowest "
            f"{FINDINGS[finding]} is {write_number(rows['value'].min())}."
        )
    who = [_tell_one(name, row) for row in found.to_dict("records")]
    named = f": {', '.join(who)}" if len(who) <= NAMED else ""
    verb = "agrees" if len(found) == 1 else "agree"
    return (
        f"{mark_fact(f'{len(found):,} of {of}')} {verb} less with {whom} than chance gives "
        f"(p < {LEVEL:g}, corrected for all of them){named}."
    )


UNKNOWN = "cannot be said"
FEW_TOPICS = (
    "how topics are read may differ by chance, which shows in no fewer than "
    f"{FEWEST_TOPICS} topics with items that two people judged, the same two in several"
)


def _tell_one(name: Callable[[str], str], row: Mapping[Any, Any]) -> str:
    items, topics = (
        write_limits(row[f"within_{one}_low"], row[f"within_{one}_high"])
        for one in ("items", "topics")
    )
    value = f"{FINDINGS[row['finding']]} {write_number(row['value'])}"
    chance = f"by chance {items} within items, {topics} within topics"
    return f"{mark_fact(name(row['assessor_id']))} ({value}, {chance})"


def name_left_out(number: int) -> str:
    """Return who is left out: 'the 3 assessors who agree least with the others'."""
    who = "the assessor who agrees" if number == 1 else f"the {number:,} assessors who agree"
    return f"{who} least with the others"


def tell_left_out(rows: pd.DataFrame) -> str:
    """Return what leaving out those who agree least does to α, and to that of dealt labels."""
    if rows.empty:
        return ""
    shown = rows[rows["beyond"]]
    chosen = shown if len(shown) else rows
    row = chosen.iloc[
        (chosen["after"] - chosen[["within_items", "within_topics"]].max(axis=1))
        .to_numpy()
        .argmax()
    ]
    items, topics = (
        f"{write_number(row[name])} {write_limits(row[f'{name}_low'], row[f'{name}_high'])}"
        for name in ("within_items", "within_topics")
    )
    if rows["p"].isna().all():
        unknown = f"whether that is more than this choice gives by chance {mark_fact(UNKNOWN)}"
        beside, more = "", f"; {unknown}, as {FEW_TOPICS}"
    else:
        verdict = mark_fact("more than" if len(shown) else "not shown to be more than")
        beside = "" if np.isnan(row["within_topics"]) else f", within topics to {topics}"
        more = f", {verdict} this choice gives by chance"
    return (
        f"Leaving out {name_left_out(row['left_out'])} takes {TOPIC_COEFFICIENT} from "
        f"{write_number(row['before'])} to {write_number(row['after'])}{more}: where labels are "
        f"dealt anew within items it comes to {items}{beside}, and where they are dealt anew "
        "within people, so that they tell nothing, it goes from "
        f"{write_number(row['within_people_before'])} to {write_number(row['within_people'])}."
    )


def tell_move(row: Mapping[Any, Any]) -> str:
    """Return whether a row of `try_drift` is more than the same labels give in any order."""
    is_shown = max(row["p"], row["chance_p"]) < LEVEL and abs(row["change"]) >= LEAST
    more = mark_fact("more than" if is_shown else "not shown to be more than")
    return (
        "From the first tenth to the last a straight line moves by "
        f"{write_number(row['change'], signed=True)} steps, {more} chance gives: the same labels "
        f"in any other order move by {write_limits(row['low'], row['high'])}. It is tested for all "
        "assessors together."
    )


def tell_signs(rows: pd.DataFrame, name: Callable[[str], str]) -> str:
    """Return who shows more signs of careless responding than others do on the same items."""
    if rows.empty:
        return ""
    found, of = rows[rows["beyond"]], count(rows["assessor_id"].nunique(), "assessor")
    if found.empty:
        return (
            f"None of {of} shows more signs of careless responding than chance gives: what was "
            "noted of the labels of each item, dealt anew among those who judged it."
        )
    people = found["assessor_id"].unique()
    who = "" if len(people) > NAMED else ": " + ", ".join(mark_fact(name(one)) for one in people)
    signs = ", ".join(FINDINGS[one] for one in found["finding"].unique())
    verb = "shows" if len(people) == 1 else "show"
    return (
        f"{mark_fact(f'{len(people):,} of {of}')} {verb} more signs of careless responding "
        f"({signs}) than others on the same items (p < {LEVEL:g}, corrected){who}."
    )
