"""Logs of A/B tests: what came of each visit, in which arm its user was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.collection.files.checks import read_numbers, refuse_where
from core.collection.files.columns import FileColumn
from core.collection.files.source import Source
from core.collection.files.tables import read_table
from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = (
    FileColumn("user", ("user_id", "visitor", "visitor_id"), required=True),
    FileColumn("arm", ("variant", "bucket", "treatment"), required=True),
    FileColumn("outcome", ("clicks", "clicked", "click", "value"), required=True),
    FileColumn("before", ("pre", "pre_period", "outcome_before"), blank=True),
)

_WORDS = {"yes": "1", "true": "1", "no": "0", "false": "0"}


def read_ab_log(source: Source) -> pd.DataFrame:
    r"""Read what came of each visit in an A/B test; the whole file or nothing.

    TSV, CSV or JSONL with a row for each visit, session or list: ``user``, ``arm``, ``outcome``
    (a number, or yes and no) and perhaps ``before``, the user's outcome before the test began.

    Parameters
    ----------
    source : Source
        The file.

    Returns
    -------
    DataFrame
        ``user, arm, outcome, before``; ``before`` is NaN where it is not known.

    Raises
    ------
    BadInput
        A cell is no number, or a user has two values before; file and line are named. Or there
        are not two arms.

    Examples
    --------
    >>> rows = b"user\tarm\tclicks\nu1\tA\t1\nu2\tB\t0\n"
    >>> read_ab_log(Source("log.tsv", rows))["outcome"].tolist()
    [1.0, 0.0]
    """
    frame = read_table(source, _COLUMNS).frame
    words = frame["outcome"].str.lower().map(_WORDS).fillna(frame["outcome"])
    frame["outcome"] = read_numbers(
        frame.assign(outcome=words), "outcome", np.isfinite, "a number, or yes or no",
        file=source.name,
    )  # fmt: skip
    if "before" in frame:
        frame["before"] = read_numbers(
            frame, "before", np.isfinite, "a number", file=source.name, empty=np.nan
        )
    else:
        frame["before"] = np.nan
    first = frame.groupby("user")["before"].transform("first")
    refuse_where(
        frame,
        frame["before"].notna() & (frame["before"] != first),
        lambda row: f"user '{row['user']}' has two outcomes before the test",
        file=source.name,
        field="before",
    )
    arms = sorted(frame["arm"].unique())
    if len(arms) != 2:
        named = ", ".join(map(str, arms[:5]))
        raise BadInput(f"there are two arms in an A/B test, not {len(arms)}: {named}",
                       file=source.name, field="arm")  # fmt: skip
    return frame[["user", "arm", "outcome", "before"]].reset_index(drop=True)
