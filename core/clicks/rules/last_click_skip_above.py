"""The last click, taken for the lowest, against what was skipped above it."""

from dataclasses import dataclass

import numpy as np

from core.clicks.click_log import Mask
from core.clicks.preference_rule import PREFERENCE_RULES, PreferenceRule


@PREFERENCE_RULES.register
@dataclass(frozen=True)
class LastClickSkipAbove(PreferenceRule):
    """The last click, taken for the lowest, against what was skipped above it."""

    name = "last-click-skip-above"
    title = "last click > skip above"
    description = "the lowest click is preferred to every result above it that was not clicked"
    reference = "Joachims, Granka, Pan, Hembrooke & Gay (2005), SIGIR, doi:10.1145/1076034.1076063"
    examples = ("last-click-skip-above",)
    suggested = ("last-click-skip-above",)

    def pairs(self, clicked: Mask, shown: Mask) -> Mask:
        """Return which result is preferred to which."""
        ranks = np.arange(clicked.shape[1])
        is_above = ranks[np.newaxis, :] < ranks[:, np.newaxis]
        last = np.where(clicked, ranks, -1).max(axis=1, initial=-1)
        is_last = clicked & (ranks == last[:, np.newaxis])
        skipped = shown & ~clicked
        preferred: Mask = is_last[:, :, np.newaxis] & skipped[:, np.newaxis, :] & is_above
        return preferred
