"""The position-based model."""

from dataclasses import dataclass

from core.clicks.click_log import Floats
from core.clicks.click_model import CLICK_MODELS, ClickModel
from core.clicks.examination import EXAMINED, FIRST, Examination


@CLICK_MODELS.register
@dataclass(frozen=True)
class Pbm(ClickModel):
    """A click needs a rank that is examined and a document that is attractive."""

    first: str = EXAMINED

    name = "PBM"
    description = "examined by rank, attractive by document; both together are a click"
    reference = "Craswell, Zoeter, Taylor & Ramsey (2008), WSDM, doi:10.1145/1341531.1341545"
    examples = ("PBM", "PBM(free)")
    suggested = ("PBM",)
    bare = ("first",)

    def __post_init__(self) -> None:
        if self.first not in FIRST:
            raise ValueError(f"first is one of: {', '.join(FIRST)}")

    def on(self, items: int, depth: int, levels: Floats | None = None) -> Examination:
        """Return the model on so many items in lists up to a depth."""
        return Examination(items, depth, by_click=False, first=self.first)
