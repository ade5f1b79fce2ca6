"""What comparing systems under several conditions comes to, in plain words."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from core.comparison.conditions import Comparison
from core.comparison.orders import say_best
from core.numerals import say_p, write_limits, write_number
from core.wording import name_some

Stress = Callable[[str], str]
"""What marks the key facts of a sentence."""


def reach_verdict(comparison: Comparison, stress: Stress = str) -> tuple[str, ...]:
    """Return what a comparison comes to, as sentences in plain text; the first sums it up.

    Parameters
    ----------
    comparison : Comparison
        From ``compare_conditions``.
    stress : function, default str
        Marks the key facts of the first sentence, for those who show them in bold.

    Returns
    -------
    tuple of str
        About two conditions or more: whether order and significance stand, what moves, which
        significant pairs come and go, what each condition tells apart. About a single one: its
        best system and what it tells apart.
    """
    if len(comparison.conditions) == 1:
        return (_describe_best(comparison, stress), *_describe_power(comparison))
    return (
        f"{_judge_order(comparison.orders, stress)} {_judge_significance(comparison, stress)}",
        _describe_moves(comparison.orders),
        *_describe_significance(comparison),
        *_describe_power(comparison),
    )


def describe_orders(orders: pd.DataFrame, stress: Stress = str) -> str:
    """Return whether the order of systems changes from condition to condition, and what moves."""
    return f"{_judge_order(orders, stress)} {_describe_moves(orders)}"


def _judge_order(orders: pd.DataFrame, stress: Stress) -> str:
    """Say which orders are shown to differ, and what could have been shown where none is."""
    tested = orders[orders["differ"].notna()]
    if not orders["largest"].any():
        return _judge_standstill(orders, not tested.empty, stress)
    differ = int(tested["differ"].sum())
    if tested.empty:
        changes = stress("changes")
        return f"The order of systems {changes}; too little is scored to test by how much."
    if not differ:
        least = tested["shown_below"].min()
        could = (
            f"a τ below {write_number(least)} would have been"
            if least == least
            else "so few topics could not have shown it"
        )
        shown = (
            "is not shown to differ" if len(tested) == 1 else "no two orders are shown to differ"
        )
        return f"The order of systems changes, but {stress(shown)} ({could})."
    if len(tested) == 1:
        return f"The orders of systems {stress('differ')} ({say_p(tested['p'].iloc[0])})."
    verb = "differs" if differ == 1 else "differ"
    return f"{stress(f'{differ} of the {len(tested)}')} pairs of orders {verb} by more than chance."


def _judge_standstill(orders: pd.DataFrame, tested: bool, stress: Stress) -> str:
    """Say that no system moves, if there is an order at all, and enough to say so."""
    if orders["tau"].isna().all():
        return f"{stress('No order')} of systems can be told: all share their ranks."
    if not tested:
        return f"{stress('Too little')} is scored to say whether the order of systems changes."
    return f"The order of systems {stress('stays exactly the same')}."


def _judge_significance(comparison: Comparison, stress: Stress) -> str:
    overlap = comparison.overlap
    tested = "" if comparison.power["significant"].notna().all() else " that was tested"
    if overlap.empty:
        return f"Significance is {stress('not compared')}, because too little can be tested."
    if not (overlap[["only_first", "both", "only_second"]].to_numpy()).any():
        none = stress("No difference")
        return f"{none} between systems is significant under any condition{tested}."
    if (overlap["share"] == 1).all():
        return f"{stress('Every significant difference')} is so under every condition{tested}."
    if overlap["turned"].any():
        return (
            f"Some differences are significant {stress('in opposite directions')} "
            f"({_count(int(overlap['turned'].max()), 'pair')} between two conditions): "
            "the conclusion depends on the condition."
        )
    return (
        f"{stress('No significant difference is reversed')}, but some are significant under one "
        "condition and not under another."
    )


def _describe_moves(orders: pd.DataFrame) -> str:
    """Say what moves between the two least alike orders."""
    pair = orders.sort_values(["tau", "largest"], ascending=[True, False], kind="stable").iloc[0]
    first, second = _quote(pair["first"]), _quote(pair["second"])
    if pair["largest"] == 0:
        best = _sentence(say_best(pair["best_first"], pair["tied_first"]))
        return f"{best} {'under every condition' if orders['differ'].notna().any() else 'so far'}."
    lead = "" if len(orders) == 1 else "The least similar orders: "
    verb = "moves" if pair["far"] == 1 else "move"
    systems = _count(int(pair["systems"]), "system")
    return (
        f"{lead}{pair['far']} of {systems} {verb} more than two ranks between {first} and "
        f"{second}, {pair['mover']} the farthest ({pair['largest']}); τ = {_write_tau(pair)}; "
        f"{_compare_best(pair)}."
    )


def _compare_best(pair: "pd.Series[Any]") -> str:
    """Say who is best under two conditions."""
    one = say_best(pair["best_first"], pair["tied_first"])
    if pair["same_best"]:
        return f"{one} with both"
    other = say_best(pair["best_second"], pair["tied_second"])
    if pair["tied_first"] == pair["tied_second"] == 1:
        other = pair["best_second"]
    return f"{one} with {_quote(pair['first'])}, but {other} with {_quote(pair['second'])}"


def _describe_significance(comparison: Comparison) -> list[str]:
    """Say how many significant pairs appear under one condition only, and how many under all."""
    power = comparison.power.dropna(subset="significant")
    if len(power) < 2:
        return []
    alone = [
        f"{row['only_here']} only with {_quote(row['condition'])}"
        for _, row in power.iterrows()
        if row["only_here"]
    ]
    number = "both" if len(power) == 2 else f"all {len(power)}"
    tested = " that were tested" if len(power) < len(comparison.power) else ""
    total = _count(comparison.everywhere, "pair")
    verb = "is" if comparison.everywhere == 1 else "are"
    sentence = f"{total} of systems {verb} significant with {number} conditions{tested}"
    return [f"{sentence}; {_enumerate(alone)}." if alone else f"{sentence}, none with one alone."]


def _describe_power(comparison: Comparison) -> list[str]:
    """Say how many pairs each condition tells apart, the most first."""
    power = comparison.power
    tested = power.dropna(subset="significant").sort_values(
        "significant", ascending=False, kind="stable"
    )
    by_condition = [
        f"{row['significant']} with {_quote(row['condition'])}" for _, row in tested.iterrows()
    ]
    sentences = []
    if by_condition:
        pairs = _count(int(tested["pairs"].max()), "pair")
        verb = "differs" if by_condition[0].startswith("1 ") else "differ"
        by_condition[0] = by_condition[0].replace(" with", f" {verb} significantly with", 1)
        sentences.append(
            f"At α = {comparison.alpha:g}, of {pairs} of systems {_enumerate(by_condition)}."
        )
    for _, row in power[power["significant"].isna()].iterrows():
        sentences.append(f"Not tested with {_quote(row['condition'])}: {row['reason']}.")
    return sentences


def _describe_best(comparison: Comparison, stress: Stress) -> str:
    ranked = comparison.ranked
    best = ranked.loc[ranked["rank"] == 1, "system"].tolist()
    named, all_of_them = name_some(best), _count(len(ranked), "system")
    if len(best) > 1:
        return f"{stress(str(len(best)))} of {all_of_them} share the first rank ({named})."
    return f"{_sentence(say_best(stress(named), 1))} of {all_of_them}."


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _write_tau(pair: "pd.Series[float]") -> str:
    if pd.isna(pair["tau"]):
        return "undefined"
    tau = write_number(pair["tau"])
    return tau if pd.isna(pair["low"]) else f"{tau} {write_limits(pair['low'], pair['high'])}"


def _quote(name: object) -> str:
    return f"'{name}'"


def _enumerate(parts: Sequence[str]) -> str:
    """Return parts as a list in words: ``a, b and c``."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else list(parts))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
