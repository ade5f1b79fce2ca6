"""What the pages about agreement answer, in a sentence or two."""

import pandas as pd

from core.wording import count, plain

ALPHA = 0.05
"""Below which p a pair counts as decided."""


def answer_preferences(outcomes: pd.DataFrame, kind: str) -> str:
    """Return in Markdown which pairs are decided, and the clearest of them.

    Parameters
    ----------
    outcomes : DataFrame
        As `outcomes_of` returns it, of one topic or of whole systems.
    kind : str
        What was compared: 'documents' or 'systems'.
    """
    clear = outcomes[(outcomes["p"] < ALPHA).fillna(False)]
    pairs = count(len(outcomes), f"pair of {kind}", f"pairs of {kind}")
    begun = f"Of {pairs}, **{len(clear)}** {'has' if len(clear) == 1 else 'have'} a clear winner"
    tested = f"{begun} (exact sign test, p < {ALPHA:g}, not corrected for the number of pairs)"
    if clear.empty:
        return f"{tested}."
    row = clear.sort_values("p", kind="stable").iloc[0]
    first, second = plain(str(row["first"])), plain(str(row["second"]))
    won, lost = (first, second) if row["won"] > row["lost"] else (second, first)
    most, least = max(row["won"], row["lost"]), min(row["won"], row["lost"])
    return f"{tested}; the clearest: **{won}** over {lost}, {most:.0f} to {least:.0f}."
