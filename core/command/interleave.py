"""``dissent interleave``: which of two runs users prefer, by clicks on interleaved lists."""

from argparse import Namespace

import numpy as np
import pandas as pd

from core.collection.click_logs.interleaving_log import read_interleaving_log
from core.command.files.interleave_files import Interleaved, read_interleaved
from core.command.files.opening import open_source
from core.command.printing.interleave_tables import print_interleaving, print_interleaving_json
from core.command.printing.output import print_notes, show_progress
from core.command.printing.recording import print_data
from core.errors import BadInput
from core.interleaving.base import Method
from core.interleaving.power import simulate_power
from core.measures.catalogue import parse_measure
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
    if arguments.log is not None:
        _refuse_simulation(arguments)
    given = read_interleaved(arguments)
    power = beside = None
    if arguments.log is None:
        found, power, beside = _simulate(arguments, given)
        source = f"simulated: {arguments.simulate}"
    else:
        found, source = _read(arguments, given), "log"
    print_notes(found.notes)
    if arguments.format == "csv":
        extra = {"power": power, "beside": beside}
        tables = {name: one for name, one in extra.items() if one is not None}
        print_data(stack_tables({"preference": found.preference, **tables}))
        return 0
    printed = print_interleaving_json if arguments.format == "json" else print_interleaving
    printed(found, source, power, beside, given.measure)
    return 0


def _simulate(
    arguments: Namespace, given: Interleaved
) -> tuple[Interleaving, pd.DataFrame | None, pd.DataFrame | None]:
    """Return what simulated users say, and of what else was asked."""
    assert given.judgements is not None
    assert given.user is not None
    method: Method = arguments.method
    length, seed, impressions = arguments.length, arguments.seed, arguments.impressions
    traffic, left_out = make_traffic(
        given.run(0), given.run(1), given.judgements, given.user, length=length
    )
    found = simulate_preference(
        traffic,
        given.names,
        method,
        impressions=impressions,
        seed=seed,
        left_out=left_out,
        user=str(arguments.simulate),
        log=given.log,
    )
    power = beside = None
    if arguments.power:
        power = simulate_power(
            traffic,
            [method],
            impressions,
            np.random.default_rng(seed),
            progress=lambda share: show_progress(share, "power"),
        )
    if arguments.beside:
        beside = compare_with_measure(
            given.runs,
            given.judgements,
            parse_measure(given.measure),
            method,
            given.user,
            impressions=impressions,
            length=length,
            seed=seed,
            progress=lambda share: show_progress(share, "pairs"),
        )
    return found, power, beside


def _read(arguments: Namespace, given: Interleaved) -> Interleaving:
    source = open_source(arguments.log)
    return read_preference(
        read_interleaving_log(source),
        given.run(0),
        given.run(1),
        given.names,
        arguments.method,
        seed=arguments.seed,
        file=source.name,
    )


def _refuse_simulation(arguments: Namespace) -> None:
    """Raise BadInput where something is asked for that only a simulation can tell."""
    for name in ("power", "beside"):
        if vars(arguments)[name]:
            reason = f"--{name} needs simulated users: give --simulate in place of --log"
            raise BadInput(reason, field=name)
