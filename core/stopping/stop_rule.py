"""The rule by which an organiser wants to be told that it is enough: it proposes, no more."""

import json
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from core.errors import BadInput
from core.stopping.expected import ExpectedTau

BEST, LOWER = 0.95, 0.9
"""What a rule asks for, unless somebody chooses otherwise."""


@dataclass(frozen=True)
class StopRule:
    """When to propose to stop.

    Parameters
    ----------
    best_stays : float
        The least probability that the best system stays best, in [0, 1]; 0 asks for nothing.
    tau_low : float
        The least lower limit of τ to the ranking of the full pool, in [-1, 1]; -1 asks for nothing.
    measure : str
        By which measure systems are ranked.
    depth : int
        How deep the pool is, from 1.
    version : str
        The qrels version by its key; empty for the first on offer.

    Raises
    ------
    BadInput
        A number is out of its range, or nothing is asked for.
    """

    best_stays: float = BEST
    tau_low: float = LOWER
    measure: str = "AP"
    depth: int = 100
    version: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.best_stays <= 1:
            raise BadInput("a probability is a number from 0 to 1", field="best_stays")
        if not -1 <= self.tau_low <= 1:
            raise BadInput("the lower limit of τ is a number from -1 to 1", field="tau_low")
        if self.best_stays == 0 and self.tau_low == -1:
            raise BadInput("the rule asks for nothing; set a probability or a lower limit of τ")
        if self.depth < 1:
            raise BadInput("a pool is at least 1 document deep", field="depth")

    def proposes(self, expected: ExpectedTau) -> bool:
        """Tell whether the rule is met; what is not known does not meet it."""
        best = self.best_stays == 0 or expected.best_stays >= self.best_stays
        low = self.tau_low == -1 or expected.low >= self.tau_low
        return bool(best and low and not np.isnan(expected.tau))

    def tell(self) -> str:
        """Return what it asks for, in words."""
        best = f"P(best stays) ≥ {self.best_stays:g}" if self.best_stays else ""
        low = f"lower limit of τ ≥ {self.tau_low:g}" if self.tau_low > -1 else ""
        return " and ".join(filter(None, (best, low)))

    def to_json(self) -> str:
        """Return the rule as it is stored."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "StopRule":
        """Return the rule that a text stores.

        Raises
        ------
        BadInput
            It is no rule of this kind.
        """
        try:
            return cls(**json.loads(text))
        except (TypeError, ValueError) as error:
            raise BadInput(f"this is no stop rule: {text}") from error


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
