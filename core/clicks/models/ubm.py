"""The user browsing model."""

from dataclasses import dataclass

from core.clicks.click_log import Floats
from core.clicks.click_model import CLICK_MODELS, ClickModel
from core.clicks.examination import EXAMINED, FIRST, Examination


@CLICK_MODELS.register
@dataclass(frozen=True)
class Ubm(ClickModel):
    """As the position-based model, with examination by the rank of the click above, too."""

    first: str = EXAMINED

    name = "UBM"
    description = "examined by rank and by the rank of the click above, attractive by document"
    reference = "Dupret & Piwowarski (2008), SIGIR, doi:10.1145/1390334.1390392"
    examples = ("UBM", "UBM(free)")
    suggested = ("UBM",)
    bare = ("first",)

    def __post_init__(self) -> None:
        if self.first not in FIRST:
            raise ValueError(f"first is one of: {', '.join(FIRST)}")

    def on(self, items: int, depth: int, levels: Floats | None = None) -> Examination:
        """Return the model on so many items in lists up to a depth."""
        return Examination(items, depth, by_click=True, first=self.first)
