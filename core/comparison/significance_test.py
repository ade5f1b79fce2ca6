"""How differences between systems are tested: the settings that a p-value is based on."""

from dataclasses import dataclass

from core.comparison.difference_tests import CORRECTIONS, TESTS
from core.errors import BadInput

SAMPLED, CORRECTED = ("tukey", "randomisation"), ("t", "randomisation")
NAMES = {
    "tukey": "randomised Tukey HSD",
    "parametric": "two-way Tukey HSD",
    "t": "paired t test",
    "randomisation": "paired randomisation test",
}


@dataclass(frozen=True)
class SignificanceTest:
    """How differences between systems are tested.

    Parameters
    ----------
    test, correction : str
        Of ``TESTS`` and ``CORRECTIONS``.
    samples, seed : int
        Random permutations, and where they start; each condition starts there anew.
    alpha : float
        A difference is significant when p < α.
    """

    test: str = "tukey"
    correction: str = "holm"
    samples: int = 10_000
    alpha: float = 0.05
    seed: int = 1

    def __post_init__(self) -> None:
        for field, known in (("test", TESTS), ("correction", CORRECTIONS)):
            if getattr(self, field) not in known:
                text = f"'{getattr(self, field)}' is none of {', '.join(known)}"
                raise BadInput(text, field=field)
        if self.samples < 1:
            raise BadInput("at least one permutation is needed", field="samples")
        if not 0 < self.alpha < 1:
            raise BadInput("α lies between 0 and 1", field="alpha")

    @property
    def settings(self) -> dict[str, str | float]:
        """The settings behind p-values, by name; what the test ignores is left out."""
        stated: dict[str, str | float] = {"test": self.test}
        if self.test in CORRECTED:
            stated["correction"] = self.correction
        if self.test in SAMPLED:
            stated |= {"permutations": self.samples, "seed": self.seed}
        return {**stated, "alpha": self.alpha}

    def __str__(self) -> str:
        """Return the settings in words: ``randomised Tukey HSD, B = 10,000, seed 1, α = 0.05``."""
        parts = [NAMES[self.test]]
        if self.test in CORRECTED:
            plain = self.correction == "none"
            parts.append("p not corrected" if plain else f"p after {self.correction.title()}")
        if self.test in SAMPLED:
            parts.append(f"B = {self.samples:,}, seed {self.seed}")
        return ", ".join([*parts, f"α = {self.alpha:g}"])
