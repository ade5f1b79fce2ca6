"""The share of results that are clicked, by rank."""

from dataclasses import dataclass

from core.clicks.click_log import Floats
from core.clicks.click_model import CLICK_MODELS, ClickModel
from core.clicks.likelihood import RANK
from core.clicks.rates import Rates


@CLICK_MODELS.register
@dataclass(frozen=True)
class RankCtr(ClickModel):
    """A rate of clicks for each rank: what every other model is set against."""

    name = "rank-CTR"
    description = "a rate of clicks for each rank"
    reference = "Chuklin, Markov & de Rijke (2015), doi:10.2200/S00654ED1V01Y201507ICR043"
    examples = ("rank-CTR",)
    suggested = ("rank-CTR",)

    def on(self, items: int, depth: int, levels: Floats | None = None) -> Rates:
        """Return the model on so many items in lists up to a depth."""
        return Rates(items, depth, by=(RANK,))
