"""The dependent click model."""

from dataclasses import dataclass

from core.clicks.chain import BY_RANK, EM, ESTIMATIONS, Chain
from core.clicks.click_log import Floats
from core.clicks.click_model import CLICK_MODELS, ClickModel


@CLICK_MODELS.register
@dataclass(frozen=True)
class Dcm(ClickModel):
    """As the cascade model, but after a click users may go on, more or less by its rank."""

    estimation: str = EM

    name = "DCM"
    description = "down the list; whether a click is the last depends on its rank"
    reference = "Guo, Liu & Wang (2009), WSDM, doi:10.1145/1498759.1498818"
    examples = ("DCM", "DCM(last-click)")
    suggested = ("DCM",)
    bare = ("estimation",)

    def __post_init__(self) -> None:
        if self.estimation not in ESTIMATIONS:
            raise ValueError(f"estimation is one of: {', '.join(ESTIMATIONS)}")

    def on(self, items: int, depth: int, levels: Floats | None = None) -> Chain:
        """Return the model on so many items in lists up to a depth."""
        return Chain(items, depth, stop=BY_RANK, estimation=self.estimation)
