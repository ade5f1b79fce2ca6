"""How two orders of systems differ, in words."""

import pandas as pd

from core.comparison.orders import say_best
from core.numerals import write_number
from core.wording import count, plain


def describe_least_alike(pairs: pd.DataFrame) -> str:
    """Return in Markdown how the two least alike orders of `compare_orders` differ."""
    pair = pairs.sort_values(["tau", "largest"], ascending=[True, False], kind="stable").iloc[0]
    if pair["largest"] == 0:
        return _describe_standstill(pairs)
    first, second = plain(pair["first"]), plain(pair["second"])
    lead = "The two orders" if len(pairs) == 1 else "The least similar orders"
    verb = "moves" if pair["far"] == 1 else "move"
    return (
        f"{lead} are those of '{first}' and '{second}' (τ = {write_number(pair['tau'])}): "
        f"{pair['far']} of {count(pair['systems'], 'system')} {verb} more than two ranks between "
        "them; "
        f"{_compare_best(pair)}."
    )


def _compare_best(pair: "pd.Series[str]") -> str:
    first, second = (f"**{plain(pair[one])}**" for one in ("best_first", "best_second"))
    tied = int(pair["tied_first"]), int(pair["tied_second"])
    one, other = say_best(first, tied[0]), say_best(second, tied[1])
    if pair["same_best"]:
        return f"{one} with both"
    if tied == (1, 1):
        return f"the best system changes from {first} to {second}"
    return f"{one} with '{plain(pair['first'])}', but {other} with '{plain(pair['second'])}'"


def _describe_standstill(pairs: pd.DataFrame) -> str:
    best = say_best(f"**{plain(pairs['best_first'].iloc[0])}**", pairs["tied_first"].iloc[0])
    if pairs["tau"].isna().all():
        return f"There is no order of systems: {best}."
    if "differ" in pairs and pairs["differ"].isna().all():
        return f"Too little is scored to say whether the order of systems changes; {best} so far."
    versions = len(set(pairs["first"]) | set(pairs["second"]))
    return (
        f"All {versions} versions put the {count(pairs['systems'].max(), 'system')} in the same "
        f"order; {best}."
    )
