"""Judging where runs may be right: Thompson sampling over runs."""

from dataclasses import dataclass

from core.orders.bandit import Bandit, BanditChooser
from core.orders.base import NOTHING, ORDERS, Chooser, Known
from core.orders.candidates import Candidates, Floats


class _Thompson(BanditChooser):
    def rate_runs(self, topic: int, number: int) -> Floats:
        relevant, other = self.count(topic)
        drawn: Floats = self.rng.beta(relevant + 1, other + 1, (number, len(relevant)))
        return drawn


@ORDERS.register
@dataclass(frozen=True)
class Thompson(Bandit):
    """The next document of the run whose draw from its posterior is the highest.

    Every document has draws of its own, so runs of which little is known are tried as well.
    """

    name = "thompson"
    description = "the next document of a run drawn by how often its documents may be relevant"
    reference = "Losada, Parapar & Barreiro (2017), IP&M 53, doi:10.1016/j.ipm.2017.04.005"
    examples = (
        "thompson",
        "thompson(credit='chosen')",
        "thompson(rate=0.95, topics='shared')",
    )
    suggested = ("thompson",)

    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        """Return what chooses from these candidates, given what is known."""
        return _Thompson(candidates, known, seed, self)
