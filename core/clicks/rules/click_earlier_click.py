"""A click against earlier ones, taken for those above it."""

from dataclasses import dataclass

import numpy as np

from core.clicks.click_log import Mask
from core.clicks.preference_rule import PREFERENCE_RULES, PreferenceRule


@PREFERENCE_RULES.register
@dataclass(frozen=True)
class ClickEarlierClick(PreferenceRule):
    """A click against earlier ones, taken for those above it."""

    name = "click-earlier-click"
    title = "click > earlier click"
    description = "a click is preferred to every click above it"
    reference = "Joachims, Granka, Pan, Hembrooke & Gay (2005), SIGIR, doi:10.1145/1076034.1076063"
    examples = ("click-earlier-click",)
    suggested = ("click-earlier-click",)

    def pairs(self, clicked: Mask, shown: Mask) -> Mask:
        """Return which result is preferred to which."""
        ranks = np.arange(clicked.shape[1])
        is_above = ranks[np.newaxis, :] < ranks[:, np.newaxis]
        both = clicked & shown
        preferred: Mask = both[:, :, np.newaxis] & both[:, np.newaxis, :] & is_above
        return preferred
