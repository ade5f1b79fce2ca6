"""The simplified dynamic Bayesian network model."""

from dataclasses import dataclass

from core.clicks.chain import BY_ITEM, EM, ESTIMATIONS, Chain
from core.clicks.click_log import Floats
from core.clicks.click_model import CLICK_MODELS, ClickModel


@CLICK_MODELS.register
@dataclass(frozen=True)
class Sdbn(ClickModel):
    """As the cascade model, but after a click users go on unless the document satisfied them."""

    estimation: str = EM

    name = "SDBN"
    description = "down the list until a clicked document satisfies"
    reference = "Chapelle & Zhang (2009), WWW, doi:10.1145/1526709.1526711"
    examples = ("SDBN", "SDBN(last-click)")
    suggested = ("SDBN",)
    bare = ("estimation",)

    def __post_init__(self) -> None:
        if self.estimation not in ESTIMATIONS:
            raise ValueError(f"estimation is one of: {', '.join(ESTIMATIONS)}")

    def on(self, items: int, depth: int, levels: Floats | None = None) -> Chain:
        """Return the model on so many items in lists up to a depth."""
        return Chain(items, depth, stop=BY_ITEM, estimation=self.estimation)
