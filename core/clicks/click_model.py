"""What a click model is: a value that says how a user goes down a list of results."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from core.clicks.click_log import Floats
from core.clicks.likelihood import Likelihood
from core.registry import Registry, Value


@dataclass(frozen=True)
class ClickModel(Value, ABC):
    """Base of every click model.

    Notes
    -----
    ``needs_levels`` says that items need a level to be told apart.
    """

    needs_levels: ClassVar[bool] = False

    @abstractmethod
    def on(self, items: int, depth: int, levels: Floats | None = None) -> Likelihood[Any]:
        """Return the model on so many items, whose levels may be given, in lists up to a depth."""


CLICK_MODELS: Registry[ClickModel] = Registry("click model", f"{__package__}.models")


def parse_click_model(text: str) -> ClickModel:
    """Return the click model that a text like ``PBM`` or ``DCM(last-click)`` writes down.

    Raises
    ------
    BadInput
        The text is malformed, the model unknown or a parameter unfit; says which are known.
    """
    return CLICK_MODELS.parse(text)
