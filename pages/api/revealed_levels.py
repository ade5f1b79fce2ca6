"""What a machine said of the pages of a batch, told once all of it is judged."""

from typing import Any

from core.assessment.intake.judging import Grant
from pages.api.granted import grant_of, granted
from pages.shared.intake import revealed_of


def _parse(asked: Any) -> str:
    if not isinstance(asked["assignment"], str):
        raise TypeError
    return str(asked["assignment"])


@granted('{"assignment": …}', _parse, "nothing told", "levels not told")
def reveal_levels(grant: Grant, assignment: str) -> dict[str, Any]:
    """Return ``{"told": […]}`` of an assignment: nothing before it is judged."""
    return {"told": revealed_of(grant_of({"assignment": assignment}, grant))}
