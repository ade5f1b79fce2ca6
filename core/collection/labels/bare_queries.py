"""Rows of a table of ratings that name a query and nothing else."""

from core.collection.files.tables import Cells


def leave_bare_queries(numbers: list[int], rows: list[list[str]]) -> Cells:
    """Return the rows of a table without those that hold a query alone.

    Quepid's case files have such a row for each query of which no document is rated. Where all rows
    are like that, they stay, and are refused as rows without a document.
    """
    kept = [place for place, row in enumerate(rows) if place == 0 or any(map(str.strip, row[1:]))]
    if len(kept) == 1:
        return numbers, rows
    return [numbers[place] for place in kept], [rows[place] for place in kept]
