"""The cascade model."""

from dataclasses import dataclass

from core.clicks.chain import ALWAYS, Chain
from core.clicks.click_log import Floats
from core.clicks.click_model import CLICK_MODELS, ClickModel


@CLICK_MODELS.register
@dataclass(frozen=True)
class Cascade(ClickModel):
    """Users go down the list to the first attractive document, click it and stop."""

    name = "cascade"
    description = "down the list to the first attractive document; a second click cannot be"
    reference = "Craswell, Zoeter, Taylor & Ramsey (2008), WSDM, doi:10.1145/1341531.1341545"
    examples = ("cascade",)
    suggested = ("cascade",)

    def on(self, items: int, depth: int, levels: Floats | None = None) -> Chain:
        """Return the model on so many items in lists up to a depth."""
        return Chain(items, depth, stop=ALWAYS)
