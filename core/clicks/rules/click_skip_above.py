"""A click against what was skipped above it."""

from dataclasses import dataclass

import numpy as np

from core.clicks.click_log import Mask
from core.clicks.preference_rule import PREFERENCE_RULES, PreferenceRule


@PREFERENCE_RULES.register
@dataclass(frozen=True)
class ClickSkipAbove(PreferenceRule):
    """A click against what was skipped above it."""

    name = "click-skip-above"
    title = "click > skip above"
    description = "a click is preferred to every result above it that was not clicked"
    reference = "Joachims, Granka, Pan, Hembrooke & Gay (2005), SIGIR, doi:10.1145/1076034.1076063"
    examples = ("click-skip-above",)
    suggested = ("click-skip-above",)

    def pairs(self, clicked: Mask, shown: Mask) -> Mask:
        """Return which result is preferred to which."""
        ranks = np.arange(clicked.shape[1])
        is_above = ranks[np.newaxis, :] < ranks[:, np.newaxis]
        skipped = shown & ~clicked
        preferred: Mask = clicked[:, :, np.newaxis] & skipped[:, np.newaxis, :] & is_above
        return preferred
