"""How often what was told at stops came true, in a study of real runs."""

import pandas as pd

STUDY = "25 topics and 38 runs of TREC-2, judged from the top and by MaxMean"
STOPS = 96

_ROWS = (
    (0.095, 0.091, 0.025, 0.278, 22),
    (0.291, 0.000, 0.000, 0.490, 4),
    (0.500, 0.500, 0.254, 0.746, 12),
    (0.700, 0.636, 0.354, 0.848, 11),
    (0.863, 1.000, 0.701, 1.000, 9),
    (0.950, 1.000, 0.676, 1.000, 8),
    (0.998, 1.000, 0.886, 1.000, 30),
)
"""Of ``python -m tests.calibration.stopping ../shared/data/trec2 8 depth-first max-mean``."""


def studied_reliability() -> pd.DataFrame:
    """Return predicted, observed, low, high, stops of P(best stays), by bins of what was told."""
    return pd.DataFrame(_ROWS, columns=["predicted", "observed", "low", "high", "stops"])
