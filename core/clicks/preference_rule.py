"""What a rule is that reads clicks on a list as preferences between its results."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from core.clicks.click_log import Mask
from core.registry import Registry, Value


@dataclass(frozen=True)
class PreferenceRule(Value, ABC):
    """Base of every rule.

    Notes
    -----
    ``title`` is what the literature calls it. A log has which results were clicked, but not in
    which order: rules that need it take clicks to go from the top to the bottom.
    """

    title: ClassVar[str]

    @abstractmethod
    def pairs(self, clicked: Mask, shown: Mask) -> Mask:
        """Return which result is preferred to which.

        Parameters
        ----------
        clicked, shown : array of bool, shape (n_pages, depth)

        Returns
        -------
        array of bool, shape (n_pages, depth, depth)
            Whether the first rank is preferred to the second.
        """


PREFERENCE_RULES: Registry[PreferenceRule] = Registry("preference rule", f"{__package__}.rules")
