"""The dynamic Bayesian network model."""

from dataclasses import dataclass

from core.clicks.chain import BY_ITEM, Chain
from core.clicks.click_log import Floats
from core.clicks.click_model import CLICK_MODELS, ClickModel


@CLICK_MODELS.register
@dataclass(frozen=True)
class Dbn(ClickModel):
    """As its simplified form, but users who are not satisfied may give up after any result."""

    name = "DBN"
    description = "down the list until a clicked document satisfies or the user gives up"
    reference = "Chapelle & Zhang (2009), WWW, doi:10.1145/1526709.1526711"
    examples = ("DBN",)
    suggested = ("DBN",)

    def on(self, items: int, depth: int, levels: Floats | None = None) -> Chain:
        """Return the model on so many items in lists up to a depth."""
        return Chain(items, depth, stop=BY_ITEM, gives_up=True)
