"""Reading what ``dissent interleave`` is given: files, or a collection of a store."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study, runs_of
from core.analysis.clicks.fitted_users import learn_user
from core.analysis.clicks.logs import log_of_import
from core.analysis.results.declared import asked_choice, judged_of, scored_runs_of
from core.analysis.results.interleaving import InterleavingQuestion, find_user
from core.analysis.results.scores import weights_for
from core.clicks.click_model import ClickModel
from core.command.files.reading import open_source, read_files
from core.command.files.score_files import read_judgements, shorten_paths
from core.command.stores import open_collection
from core.errors import BadInput, NotFound
from core.interleaving.users import Clicks, User
from core.reports.level_weights import Weights
from core.store.content.declarations import Declaration
from core.versions.judgements import Judgements

FILES_ONLY = ("qrels", "scale")
STORES_ONLY = ("store", "version", "facet")


@dataclass(frozen=True)
class Interleaved:
    """Two runs, others beside them, and what simulated users click by.

    Parameters
    ----------
    names : pair of str
        What the two are called.
    runs : DataFrame
        All of them, by ``system``.
    judgements : Judgements, optional
        None where a log is read.
    user : Clicks, optional
        Who is simulated; None where a log is read.
    log : str
        What a click model was fitted to; '' for users by name.
    measure : str
        What Δ stands beside.
    alpha : float
        Below which p is significant.
    weights : tuple of level and weight
        What ``gain='udm'`` stands for.
    """

    names: tuple[str, str]
    runs: pd.DataFrame
    judgements: Judgements | None
    user: Clicks | None
    log: str
    measure: str
    alpha: float
    weights: Weights = ()

    def run(self, place: int) -> pd.DataFrame:
        """Return the first or the second run."""
        return self.runs[self.runs["system"] == self.names[place]]


def read_interleaved(arguments: Namespace) -> Interleaved:
    """Return what is interleaved.

    Raises
    ------
    BadInput, NotFound
        Something cannot be read, is not there, or is not for files, or for a store.
    """
    foreign, place = (FILES_ONLY, "files") if arguments.collection else (STORES_ONLY, "a store")
    for name in foreign:
        if vars(arguments)[name]:
            other = "leave out" if arguments.collection else "give"
            raise BadInput(f"--{name} is for {place}: {other} --collection", field=name)
    return _read_store(arguments) if arguments.collection else _read_files(arguments)


def _read_files(arguments: Namespace) -> Interleaved:
    first, second = read_run(arguments.first), read_run(arguments.second)
    names = _name(arguments, first, second)
    runs = _gather(arguments, first, second, names)
    wanted = _choose(arguments, Declaration())
    if arguments.log is not None:
        return Interleaved(names, runs, None, None, "", *wanted)
    if not arguments.qrels:
        raise BadInput("simulated users click by relevance; give --qrels", field="qrels")
    judged = read_judgements(arguments.qrels, arguments)
    user, log = arguments.simulate, ""
    if _asks_log(arguments):
        imported = read_files("clicks", [open_source(arguments.clicks)])
        user = learn_user(arguments.simulate, log_of_import(imported), judged.frame)
        log = Path(arguments.clicks).name
    return Interleaved(names, runs, judged, user, log, *wanted)


def _choose(arguments: Namespace, declared: Declaration) -> tuple[str, float]:
    """Return the measure and α that are named, else those that are declared."""
    alpha = declared.alpha if arguments.alpha is None else arguments.alpha
    return arguments.measure or declared.measure, alpha


def _asks_log(arguments: Namespace) -> bool:
    """Tell whether users are those of a click model; raises BadInput where it has no log."""
    chosen: User | ClickModel = arguments.simulate
    if isinstance(chosen, User):
        return False
    if not arguments.clicks:
        reason = f"{chosen} is a click model: give --clicks, the log that it is fitted to"
        raise BadInput(reason, field="clicks")
    return True


def read_run(path: str) -> pd.DataFrame:
    """Return the run of one system.

    Raises
    ------
    BadInput
        The file cannot be read, or has the runs of several systems.
    """
    source = open_source(path)
    frame = read_files("runs", [source]).frames["runs"]
    systems = frame["system"].unique()
    if len(systems) > 1:
        raise BadInput(
            f"has runs of {len(systems)} systems ({systems[0]}, {systems[1]} …); interleaving "
            "takes a file for each",
            file=path,
        )
    return frame


def _name(arguments: Namespace, first: pd.DataFrame, second: pd.DataFrame) -> tuple[str, str]:
    """Return what the runs are called: by their tags where these differ, else by their files."""
    tags = str(first["system"].iloc[0]), str(second["system"].iloc[0])
    if tags[0] != tags[1]:
        return tags
    paths = shorten_paths([arguments.first, arguments.second])
    return paths[arguments.first], paths[arguments.second]


def _gather(
    arguments: Namespace, first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]
) -> pd.DataFrame:
    """Return all runs as one frame; the first two under the names that they have here."""
    runs = {name: one.assign(system=name) for name, one in zip(names, (first, second), strict=True)}
    for path in arguments.beside or ():
        if path in (arguments.first, arguments.second):
            continue
        frame = read_run(path)
        name = str(frame["system"].iloc[0])
        if name in runs:
            raise BadInput(f"a second run is called '{name}'", file=path, field="system")
        runs[name] = frame
    return pd.concat(list(runs.values()), ignore_index=True)


def _read_store(arguments: Namespace) -> Interleaved:
    names = arguments.first, arguments.second
    with open_collection(arguments) as (store, collection_id):
        study = Study(store, collection_id, is_masked=True)
        every = runs_of(study) if arguments.log is not None else scored_runs_of(study)
        runs = _select(every, (*names, *(arguments.beside or ())))
        wanted = _choose(arguments, declared_of(study))
        if arguments.log is not None:
            return Interleaved(names, runs, None, None, "", *wanted)
        choice = asked_choice(study, arguments.version or "", arguments.facet or "")
        log = arguments.clicks if _asks_log(arguments) else ""
        asked = InterleavingQuestion(*names, user=str(arguments.simulate), log=log)
        user = find_user(study, choice, asked)
        weights = weights_for(study, choice, wanted[:1])
        return Interleaved(names, runs, judged_of(study, choice), user, log, *wanted, weights)


def _select(runs: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return the runs of these systems; raises NotFound."""
    known = runs["system"].astype("str")
    for name in names:
        if not (known == name).any():
            listed = ", ".join(sorted(set(known))) or "none"
            raise NotFound(f"There is no run of '{name}' here; there are: {listed}.")
    return runs[known.isin(names)].assign(system=known)
