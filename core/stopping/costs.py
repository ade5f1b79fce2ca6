"""What judging costs."""

from dataclasses import dataclass

from core.errors import BadInput


@dataclass(frozen=True)
class Price:
    """What judging costs: an hour, a label, or both.

    Parameters
    ----------
    hour, label : float
        At least 0, in any one currency.
    """

    hour: float = 0.0
    label: float = 0.0

    def __post_init__(self) -> None:
        if not (self.hour >= 0 and self.label >= 0):
            raise BadInput("a price is a number from 0", field="price")


@dataclass(frozen=True)
class Cost:
    """Labels, hours and money.

    Parameters
    ----------
    labels : float
        How many; a forecast need not be whole.
    hours : float
        How long they take.
    money : float
        What they are paid with; 0 without a price.
    """

    labels: float
    hours: float
    money: float


def tell_cost(labels: float, hours: float, price: Price) -> Cost:
    """Return what labels that took so many hours have cost."""
    return Cost(labels, hours, labels * price.label + hours * price.hour)
