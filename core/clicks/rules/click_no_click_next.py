"""A click against the result just below it."""

from dataclasses import dataclass

import numpy as np

from core.clicks.click_log import Mask
from core.clicks.preference_rule import PREFERENCE_RULES, PreferenceRule


@PREFERENCE_RULES.register
@dataclass(frozen=True)
class ClickNoClickNext(PreferenceRule):
    """A click against the result just below it."""

    name = "click-no-click-next"
    title = "click > no-click next"
    description = "a click is preferred to the result just below it, if that was not clicked"
    reference = "Joachims, Granka, Pan, Hembrooke & Gay (2005), SIGIR, doi:10.1145/1076034.1076063"
    examples = ("click-no-click-next",)
    suggested = ("click-no-click-next",)

    def pairs(self, clicked: Mask, shown: Mask) -> Mask:
        """Return which result is preferred to which."""
        ranks = np.arange(clicked.shape[1])
        is_next = ranks[np.newaxis, :] == ranks[:, np.newaxis] + 1
        skipped = shown & ~clicked
        preferred: Mask = clicked[:, :, np.newaxis] & skipped[:, np.newaxis, :] & is_next
        return preferred
