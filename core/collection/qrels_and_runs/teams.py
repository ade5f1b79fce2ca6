"""Which team each system is of: a list with a line ``system team`` for each."""

from core.collection.files.source import Source
from core.collection.files.trec_lines import SPACE
from core.errors import BadInput


def read_teams(source: Source) -> dict[str, str]:
    """Read which team each system is of.

    Parameters
    ----------
    source : Source
        Lines ``system team``, parted by a tab or, where there is none, by white space. Blank lines
        and such as begin with # are left out.

    Returns
    -------
    dict
        Team by system.

    Raises
    ------
    BadInput
        A line has not two cells, or a system is in two teams.
    """
    teams: dict[str, str] = {}
    for number, line in source.lines():
        text = line.strip(" \t\v\f")
        if not text or text.startswith("#"):
            continue
        words = [cell.strip() for cell in (text.split("\t") if "\t" in text else SPACE.split(text))]
        if len(words) != 2 or "" in words:
            raise BadInput("is not 'system team', parted by a tab or white space",
                           file=source.name, line=number)  # fmt: skip
        system, team = words
        if teams.setdefault(system, team) != team:
            raise BadInput(f"system '{system}' is in two teams: '{teams[system]}' and '{team}'",
                           file=source.name, line=number)  # fmt: skip
    return teams
