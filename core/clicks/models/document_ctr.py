"""The share of times that a document was clicked."""

from dataclasses import dataclass

from core.clicks.click_log import Floats
from core.clicks.click_model import CLICK_MODELS, ClickModel
from core.clicks.likelihood import ITEM
from core.clicks.rates import Rates


@CLICK_MODELS.register
@dataclass(frozen=True)
class DocumentCtr(ClickModel):
    """A rate of clicks for each query and document."""

    name = "document-CTR"
    description = "a rate of clicks for each query and document"
    reference = "Chuklin, Markov & de Rijke (2015), doi:10.2200/S00654ED1V01Y201507ICR043"
    examples = ("document-CTR",)
    suggested = ("document-CTR",)

    def on(self, items: int, depth: int, levels: Floats | None = None) -> Rates:
        """Return the model on so many items in lists up to a depth."""
        return Rates(items, depth, by=(ITEM,))
