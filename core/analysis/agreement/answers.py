"""What the pages about agreement answer, in a sentence or two."""

from collections.abc import Mapping

import pandas as pd

from core.numerals import write_limits, write_number
from core.reports.user_model import UserModel
from core.wording import plain


def answer_weights(
    rows: pd.DataFrame, model: UserModel, facet: str, levels: Mapping[int, str]
) -> str:
    """Return in Markdown what the weight of the level below the top means; empty if unknown.

    Parameters
    ----------
    rows : DataFrame
        ``level, name, weight, weight_low, weight_high, few, reason`` of each level, lowest first.
    model : UserModel
        Whom the weights stand for.
    facet : str
        Whose levels these are.
    levels : mapping of int to str
        The names of the levels, lowest first.
    """
    below = rows[(rows["level"] < model.top) & (model.keep_lowest | (rows["level"] > min(levels)))]
    known = below[below["weight"].notna()]
    if known.empty:
        return ""
    row = known.iloc[-1]
    limits = (
        f"95 % interval over topics {write_limits(row['weight_low'], row['weight_high'])}"
        if pd.notna(row["weight_low"])
        else f"no interval: {row['reason']}"
    )
    rough = "; few cases: a rough indication" if row["few"] else ""
    return (
        f"A {facet} that one assessor calls **{plain(row['name'])}** would be called "
        f"**{plain(levels[model.top])}** by at least {model.at_least} of {model.users} users with "
        f"probability **{write_number(row['weight'])}** ({limits}{rough}), that assessor being one "
        "of them."
    )
