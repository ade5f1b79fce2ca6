"""How differences between systems are tested: the settings that a p-value is based on."""

from dataclasses import dataclass, replace

from core.comparison.choices import CORRECTIONS, DEFAULT, TESTS, DifferenceTest
from core.errors import BadInput

MOST_SAMPLES = 1_000_000
"""To how many samples a test is raised by itself."""


@dataclass(frozen=True)
class SignificanceTest:
    """How differences between systems are tested.

    Parameters
    ----------
    test, correction : str
        Of ``TESTS`` and ``CORRECTIONS``.
    samples, seed : int
        Random permutations, exchanges or draws of topics, and where they start; each condition
        starts there anew.
    alpha : float
        A difference is significant when p < α.
    over_conditions : bool
        Whether p is multiplied by the number of conditions, so that α holds for all of them
        together (Bonferroni).
    """

    test: str = DEFAULT
    correction: str = "holm"
    samples: int = 10_000
    alpha: float = 0.05
    seed: int = 1
    over_conditions: bool = False

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
    def kind(self) -> DifferenceTest:
        """What is known of the test."""
        return TESTS[self.test]

    def name_limits(self, systems: int) -> str:
        """Return what the limits of differences of so many systems are called; '' for none."""
        return self.kind.name_limits(self.correction, systems * (systems - 1) // 2)

    @property
    def settings(self) -> dict[str, str | float]:
        """The settings behind p-values, by name; what the test ignores is left out."""
        stated: dict[str, str | float] = {"test": self.test}
        if self.kind.is_paired:
            stated["correction"] = self.correction
        if self.kind.draws:
            stated |= {"permutations": self.samples, "seed": self.seed}
        return {**stated, "over_conditions": self.over_conditions, "alpha": self.alpha}

    def least_p(self, topics: int, systems: int, conditions: int = 1) -> float:
        """Return the p that no difference can go below, however clear; see ``least_p``."""
        from core.comparison.difference_tests import least_p

        least = least_p(topics, systems, self.test, self.correction, self.samples)
        return min(1.0, least * self._times(conditions))

    def raise_samples(self, topics: int, systems: int, conditions: int = 1) -> "SignificanceTest":
        """Return the same with as many samples as let a clear difference be found.

        Parameters
        ----------
        topics, systems, conditions : int
            How many are compared.

        Returns
        -------
        SignificanceTest
            Itself where it can find something, or where no number of samples could.

        Raises
        ------
        BadInput
            More samples are needed than ``MOST_SAMPLES``; says how many.
        """
        if self.least_p(topics, systems, conditions) < self.alpha:
            return self
        level = self.alpha / self._times(conditions)
        from core.comparison.difference_tests import enough_samples

        enough = enough_samples(topics, systems, self.test, self.correction, level)
        if enough is None or enough <= self.samples:
            return self
        if enough > MOST_SAMPLES:
            raise BadInput(
                f"{systems} systems need {enough:,} permutations to find any difference after "
                f"this correction; ask for so many, or choose the test {DEFAULT}, which needs no "
                "correction",
                field="samples",
            )
        return replace(self, samples=enough)

    def explain(self, systems: int, conditions: int = 1) -> str:
        """Say in one sentence what p is corrected for, and what it is not.

        Parameters
        ----------
        systems, conditions : int
            How many are compared.
        """
        pairs = systems * (systems - 1) // 2
        number = f"{pairs:,} pairs of systems" if pairs != 1 else "pair of systems"
        if pairs == 1:
            begun = "There is one pair of systems, so p needs no correction for pairs"
        elif not self.kind.is_paired:
            begun = f"p is corrected for the {number}, by the {self.kind.title} itself"
        elif self.correction == "none":
            begun = (
                f"p is not corrected for the {number}: among equal systems some {self.alpha:.0%} "
                "of all pairs come out significant"
            )
        else:
            begun = f"p is corrected for the {number}, by {_METHODS[self.correction]} method"
        if conditions == 1:
            return f"{begun}; other measures, topics or qrels that were tried are not counted."
        if self.over_conditions:
            return f"{begun}, and for the {conditions} conditions, by Bonferroni's."
        return f"{begun}, not for the {conditions} conditions: each has its own chance of an error."

    def __str__(self) -> str:
        """Return the settings in words: ``paired t test, p after Holm, α = 0.05``."""
        parts = [self.kind.title]
        if self.kind.is_paired:
            plain = self.correction == "none"
            parts.append("p not corrected" if plain else f"p after {self.correction.title()}")
        if self.kind.draws:
            parts.append(f"B = {self.samples:,}, seed {self.seed}")
        if self.over_conditions:
            parts.append("p times the number of conditions")
        return ", ".join([*parts, f"α = {self.alpha:g}"])

    def _times(self, conditions: int) -> int:
        return conditions if self.over_conditions else 1


_METHODS = {"holm": "Holm's", "bonferroni": "Bonferroni's"}
