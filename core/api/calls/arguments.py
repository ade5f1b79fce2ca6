"""What calls are given: judgements on their scale, and names alone or as several."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from core.errors import BadInput
from core.versions.judgements import GMAX, Judgements, put_on_one_scale


def judgements_from(qrels: pd.DataFrame, scale: Iterable[float] | None = None) -> Judgements:
    """Return qrels as judgements on a scale; without one, on that which the frame came with.

    Raises
    ------
    BadInput
        A level is above the scale.
    """
    return judgements_by_name({"": qrels}, scale)[""]


def judgements_by_name(
    qrels: Mapping[str, pd.DataFrame], scale: Iterable[float] | None = None
) -> dict[str, Judgements]:
    """Return several qrels as judgements, those that say no scale on one of all of them.

    Raises
    ------
    BadInput
        A level is above the scale, or the scale has no level.
    """
    if scale is not None:
        levels = list(scale)
        if not levels:
            raise BadInput("a scale has levels, such as 0, 1, 2 and 3", field="scale")
        return put_on_one_scale(qrels, max(levels))
    known = {name: one.attrs[GMAX] for name, one in qrels.items() if GMAX in one.attrs}
    others = {name: one for name, one in qrels.items() if name not in known}
    found = put_on_one_scale(others, at_least=max(known.values(), default=0.0)) | {
        name: put_on_one_scale({name: qrels[name]}, highest)[name]
        for name, highest in known.items()
    }
    return {name: found[name] for name in qrels}


def as_scale(levels: Iterable[int] | None) -> list[int] | None:
    """Return levels in order; None where those that occur are taken for the scale."""
    return None if levels is None else sorted(levels)


def as_list(names: str | Sequence[str]) -> list[str]:
    """Return names as a list; a text is one name, and not its letters."""
    return [names] if isinstance(names, str) else list(names)
