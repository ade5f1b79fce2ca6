"""What pages about agreement answer."""

import pandas as pd

from core.analysis.agreement.answers import answer_preferences


def outcomes(*p: float) -> pd.DataFrame:
    rows = [("a", "b_", 2, 9, p[0])] + [("a", "c", 1, 1, other) for other in p[1:]]
    return pd.DataFrame(rows, columns=["first", "second", "won", "lost", "p"])


def test_of_preferences_the_clearest_is_named():
    begun = "(exact sign test, p < 0.05, not corrected for the number of pairs)"
    assert answer_preferences(outcomes(0.01, 1.0), "systems") == (
        f"Of 2 pairs of systems, **1** has a clear winner {begun}; the clearest: **b\\_** over a, "
        "9 to 2."
    )
    assert answer_preferences(outcomes(0.2), "documents") == (
        f"Of 1 pair of documents, **0** have a clear winner {begun}."
    )
