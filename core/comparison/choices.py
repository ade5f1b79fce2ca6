"""What may be chosen where systems are compared: tests, corrections, what limits hold for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DifferenceTest:
    """A test of the differences between all pairs of systems.

    Parameters
    ----------
    name, title, meaning : str
        As it is asked for, as it is called, and what it does.
    draws : str
        What it draws at random: 'exchanges' of topics, 'permutations', 'draws' of topics, or ''.
    is_paired : bool
        Whether it takes two systems at a time, and needs a correction for the number of pairs.
    pools_variance : bool
        Whether it takes the differences of all pairs to vary alike.
    rates : tuple of float
        The chance of any false difference among 45 pairs of 10 equal systems on 20 topics at
        α = .05, as simulated: systems that vary alike, that vary unequally, and of which all but
        one are near-duplicates. Paired tests are corrected by Holm's method.
    source : str
        The key of the work that it rests on: see `core.analysis.bibliography`.
    limits : str
        What the limits are called that are the test turned round, '' for none.
    """

    name: str
    title: str
    meaning: str
    draws: str
    is_paired: bool
    pools_variance: bool
    rates: tuple[float, float, float]
    source: str
    limits: str

    def name_limits(self, correction: str, pairs: int) -> str:
        """Return what the limits of a difference are called, among so many pairs; '' for none.

        A p that is found step by step has limits only where there is but one pair.
        """
        if pairs == 1 or (self.is_paired and correction == "none"):
            return self.limits or "max-t"
        if self.is_paired:
            return f"{self.limits}-bonferroni" if correction == "bonferroni" else ""
        return self.limits

    @property
    def error_rate(self) -> str:
        """The simulated rates in words."""
        alike, unequal, duplicates = (f"{rate:.2f}".lstrip("0") for rate in self.rates)
        return (
            "Simulated chance of any false difference at α = .05 (10 equal systems, 20 topics): "
            f"{alike} where systems vary alike, {unequal} where they vary unequally, {duplicates} "
            "where all but one are near-duplicates."
        )


MODERATED = "moderated"
"""The max-t test whose limits of very many differences hold best on few topics."""

TESTS = {
    test.name: test
    for test in (
        DifferenceTest(
            "single-step",
            "single-step randomised max-t test",
            "exchanges the signs of the differences of random topics; the largest t of all pairs "
            "(Westfall and Young 1993)",
            "exchanges",
            is_paired=False,
            pools_variance=False,
            rates=(0.05, 0.05, 0.04),
            source="westfall1993",
            limits="max-t",
        ),
        DifferenceTest(
            "max-t",
            "randomised max-t test",
            "as the single-step test, but clearer differences are set aside for less clear "
            "ones: finds a little more, and has no limits (Romano and Wolf 2005)",
            "exchanges",
            is_paired=False,
            pools_variance=False,
            rates=(0.05, 0.05, 0.04),
            source="romano2005",
            limits="",
        ),
        DifferenceTest(
            MODERATED,
            "moderated randomised max-t test",
            "as the single-step test, but the variance of each pair is drawn to the mean of all "
            "pairs: limits of very many differences on few topics hold more often; finds less of "
            "near-duplicates (after Smyth 2004)",
            "exchanges",
            is_paired=False,
            pools_variance=False,
            rates=(0.04, 0.04, 0.04),
            source="smyth2004",
            limits="moderated-max-t",
        ),
        DifferenceTest(
            "tukey",
            "randomised Tukey HSD",
            "permutes each topic's scores over all systems; takes systems to vary alike",
            "permutations",
            is_paired=False,
            pools_variance=True,
            rates=(0.05, 0.17, 0.16),
            source="carterette2012",
            limits="tukey",
        ),
        DifferenceTest(
            "parametric",
            "two-way Tukey HSD",
            "studentised range, for normally distributed residuals that vary alike",
            "",
            is_paired=False,
            pools_variance=True,
            rates=(0.05, 0.18, 0.19),
            source="carterette2012",
            limits="studentised-range",
        ),
        DifferenceTest(
            "t",
            "paired t test",
            "Student's t of every two systems",
            "",
            is_paired=True,
            pools_variance=False,
            rates=(0.05, 0.04, 0.03),
            source="sakai2018",
            limits="t",
        ),
        DifferenceTest(
            "randomisation",
            "paired randomisation test",
            "swaps the scores of two systems within topics",
            "exchanges",
            is_paired=True,
            pools_variance=False,
            rates=(0.04, 0.03, 0.03),
            source="sakai2018",
            limits="randomisation",
        ),
        DifferenceTest(
            "bootstrap",
            "paired bootstrap test",
            "draws topics with replacement, as if the means were equal (Sakai 2006)",
            "draws",
            is_paired=True,
            pools_variance=False,
            rates=(0.03, 0.03, 0.02),
            source="sakai2006",
            limits="bootstrap-t",
        ),
    )
}
"""The tests by name; the first is the default."""

DEFAULT = next(iter(TESTS))

CORRECTIONS = ("holm", "bonferroni", "none")
"""How p of the paired tests is corrected for the number of pairs."""

TOPICS, ASSESSORS, BOTH, SYSTEMS, HOLLANDER_WOLFE = UNITS = (
    "topic",
    "assessor",
    "both",
    "system",
    "hollander-wolfe",
)
"""What may be taken for the sample: topics, the assessors who judged them, both, or systems."""

MEANING = {
    TOPICS: "topics are a sample: bootstrap of topics",
    ASSESSORS: "assessors are a sample, each with the topics they judged: bootstrap of assessors",
    BOTH: "topics and assessors are samples: bootstrap of both",
    SYSTEMS: "systems are a sample: bivariate normal scores",
    HOLLANDER_WOLFE: "systems are a sample: asymptotic variance, as in Sakai (2017)",
}
"""The units in words."""

LEFT_OUT_TEST = "paired t, Holm's correction over all pairs of systems"
"""How differences are tested where a run is left out."""
