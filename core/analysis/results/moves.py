"""How two orders of systems differ, in words."""

import pandas as pd

from core.analysis.base.wording import count, plain


def describe_least_alike(pairs: pd.DataFrame) -> str:
    """Return in Markdown how the two least alike orders of `compare_orders` differ."""
    pair = pairs.sort_values(["tau", "largest"], ascending=[True, False], kind="stable").iloc[0]
    if pair["largest"] == 0:
        return _describe_standstill(pairs)
    first, second = plain(pair["first"]), plain(pair["second"])
    if pair["best_first"] == pair["best_second"]:
        best = f"the best system is the same (**{plain(pair['best_first'])}**)"
    else:
        best = (
            f"the best system changes from **{plain(pair['best_first'])}** to "
            f"**{plain(pair['best_second'])}**"
        )
    lead = "The two orders" if len(pairs) == 1 else "The least similar orders"
    verb = "moves" if pair["far"] == 1 else "move"
    return (
        f"{lead} are those of '{first}' and '{second}' (τ = {pair['tau']:.2f}): {pair['far']} of "
        f"{count(pair['systems'], 'system')} {verb} more than two ranks between them; {best}."
    )


def _describe_standstill(pairs: pd.DataFrame) -> str:
    versions = len(set(pairs["first"]) | set(pairs["second"]))
    return (
        f"All {versions} versions put the {count(pairs['systems'].max(), 'system')} in the same "
        f"order; the best is **{plain(pairs['best_first'].iloc[0])}**."
    )
