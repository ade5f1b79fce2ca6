"""``dissent interleave``: which of two runs users prefer, by clicks on interleaved lists."""

from argparse import Namespace
from pathlib import Path

import numpy as np
import pandas as pd

from core.analysis.clicks.fitted_users import learn_user
from core.analysis.clicks.logs import log_of_import
from core.clicks.click_model import ClickModel
from core.collection.click_logs.interleaving_log import read_interleaving_log
from core.command.files.opening import open_source
from core.command.files.reading import read_files
from core.command.files.score_files import read_judgements, shorten_paths
from core.command.printing.interleave_tables import print_interleaving, print_interleaving_json
from core.command.printing.output import print_notes, show_progress
from core.command.printing.recording import print_data
from core.errors import BadInput
from core.interleaving.base import Method
from core.interleaving.power import simulate_power
from core.interleaving.users import Clicks, User
from core.reports.interleaving import (
    Interleaving,
    compare_with_measure,
    make_traffic,
    read_preference,
    simulate_preference,
)
from core.reports.report import stack_tables


def run(arguments: Namespace) -> int:
    """Print which run users prefer."""
    method: Method = arguments.method
    first, second = read_run(arguments.first), read_run(arguments.second)
    names = _name(arguments, first, second)
    if arguments.log is None:
        found, power, beside = _simulate(arguments, method, first, second, names)
        source = f"simulated: {arguments.simulate}"
    else:
        _refuse_simulation(arguments)
        found, power, beside = _read(arguments, method, first, second, names), None, None
        source = "log"
    print_notes(found.notes)
    if arguments.format == "csv":
        extra = {"power": power, "beside": beside}
        tables = {name: one for name, one in extra.items() if one is not None}
        print_data(stack_tables({"preference": found.preference, **tables}))
        return 0
    printed = print_interleaving_json if arguments.format == "json" else print_interleaving
    printed(found, source, power, beside, str(arguments.measure))
    return 0


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


def _simulate(
    arguments: Namespace,
    method: Method,
    first: pd.DataFrame,
    second: pd.DataFrame,
    names: tuple[str, str],
) -> tuple[Interleaving, pd.DataFrame | None, pd.DataFrame | None]:
    """Return what simulated users say, and of what else was asked."""
    if not arguments.qrels:
        raise BadInput("simulated users click by relevance; give --qrels", field="qrels")
    judged = read_judgements(arguments.qrels, arguments)
    user = _find_user(arguments, judged.frame)
    traffic, left_out = make_traffic(first, second, judged, user, length=arguments.length)
    settings = {"impressions": arguments.impressions, "seed": arguments.seed}
    who, log = str(arguments.simulate), Path(arguments.clicks or "").name
    found = simulate_preference(
        traffic, names, method, left_out=left_out, user=who, log=log, **settings
    )
    power = beside = None
    if arguments.power:
        power = simulate_power(
            traffic,
            [method],
            arguments.impressions,
            np.random.default_rng(arguments.seed),
            progress=lambda share: show_progress(share, "power"),
        )
    if arguments.beside:
        beside = compare_with_measure(
            _gather(arguments, first, second, names),
            judged,
            arguments.measure,
            method,
            user,
            length=arguments.length,
            progress=lambda share: show_progress(share, "pairs"),
            **settings,
        )
    return found, power, beside


def _find_user(arguments: Namespace, qrels: pd.DataFrame) -> Clicks:
    """Return the users of that name, or those that a click model has learnt from a log."""
    chosen: User | ClickModel = arguments.simulate
    if isinstance(chosen, User):
        return chosen
    if not arguments.clicks:
        reason = f"{chosen} is a click model: give --clicks, the log that it is fitted to"
        raise BadInput(reason, field="clicks")
    source = open_source(arguments.clicks)
    imported = read_files("clicks", [source])
    return learn_user(chosen, log_of_import(imported), qrels)


def _gather(
    arguments: Namespace, first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]
) -> pd.DataFrame:
    """Return all runs as one frame; the first two under the names that they have here."""
    runs = {name: one.assign(system=name) for name, one in zip(names, (first, second), strict=True)}
    for path in arguments.beside:
        frame = read_run(path)
        name = str(frame["system"].iloc[0])
        if path in (arguments.first, arguments.second):
            continue
        if name in runs:
            raise BadInput(f"a second run is called '{name}'", file=path, field="system")
        runs[name] = frame
    return pd.concat(list(runs.values()), ignore_index=True)


def _read(
    arguments: Namespace,
    method: Method,
    first: pd.DataFrame,
    second: pd.DataFrame,
    names: tuple[str, str],
) -> Interleaving:
    source = open_source(arguments.log)
    lists = read_interleaving_log(source)
    return read_preference(
        lists, first, second, names, method, seed=arguments.seed, file=source.name
    )


def _refuse_simulation(arguments: Namespace) -> None:
    """Raise BadInput where something is asked for that only a simulation can tell."""
    for name in ("power", "beside"):
        if vars(arguments)[name]:
            reason = f"--{name} needs simulated users: give --simulate in place of --log"
            raise BadInput(reason, field=name)
