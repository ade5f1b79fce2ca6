"""``dissent interleave``: which of two runs users prefer, by clicks on interleaved lists."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

import numpy as np
import pandas as pd

from core.analysis.clicks.fitted_users import learn_user
from core.analysis.clicks.logs import log_of_import
from core.analysis.frames.interleaving import (
    IMPRESSIONS,
    Interleaving,
    compare_with_measure,
    make_traffic,
    read_preference,
    simulate_preference,
)
from core.clicks.click_model import ClickModel, parse_click_model
from core.collection.click_logs.interleaving_log import read_interleaving_log
from core.collection.formats import read_import
from core.command.arguments import add_seed, add_table_format, open_source, parse_count
from core.command.files.compare_files import shorten_paths
from core.command.files.score_files import read_qrels
from core.command.printing.interleave_tables import print_interleaving, print_interleaving_json
from core.command.printing.output import print_notes, show_progress
from core.errors import BadInput
from core.interleaving.base import LENGTH, METHODS, Method, parse_method
from core.interleaving.power import simulate_power
from core.interleaving.users import USERS, Clicks, User, parse_user
from core.measures.catalogue import parse_measure

MEASURE = "nDCG@10"
TEAM_DRAFT = "team-draft"


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Which of two runs users prefer, by what they click on lists made of both. Clicks come "
        "from a log of such lists, or from simulated users who click by relevance. Δ is the share "
        "of lists that the first run wins, ties counting half, less one half: above 0 users "
        "prefer the first. Its 95 % limits draw sessions again; p is of a sign test over sessions."
    )
    parser.epilog = (
        "A log is TSV or CSV with the columns session, topic, rank, document, clicked and team "
        "(first or second), a list beginning at rank 1; or JSONL, a list a line, with session, "
        "topic, shown, clicks (ids or ranks) and teams. Balanced and probabilistic interleaving "
        "need no teams. Simulated users say what such users would prefer if the judgements were "
        "right; they are no evidence of what people want. Whatever clicks say holds for the topics "
        "asked for: more lists do not make it hold for others."
    )
    for name, what in (("--first", "the run"), ("--second", "the run that it is compared with")):
        parser.add_argument(
            name, required=True, metavar="RUN", help=f"{what}, of one system, in TREC format"
        )
    parser.add_argument(
        "--method",
        type=_parse_method,
        default=TEAM_DRAFT,
        metavar="METHOD",
        help=f"how lists are made and clicks credited: {', '.join(METHODS.names())} (default "
        f"{TEAM_DRAFT})",
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--log", metavar="LOG", help="what users clicked on interleaved lists")
    source.add_argument(
        "--simulate",
        type=_parse_user,
        metavar="MODEL",
        help=f"simulated users: {', '.join(USERS.names())}; or a click model, PBM say, that is "
        "fitted to --clicks; needs --qrels",
    )
    parser.add_argument(
        "--clicks",
        metavar="LOG",
        help="a click log, in a format that 'dissent import clicks' reads: what a click model is "
        "fitted to; its queries are topics of --qrels",
    )
    parser.add_argument("--qrels", metavar="Q", help="TREC qrels: what simulated users find useful")
    parser.add_argument(
        "--impressions",
        type=parse_count(1),
        default=IMPRESSIONS,
        metavar="N",
        help=f"how many lists simulated users are shown (default {IMPRESSIONS:,})",
    )
    parser.add_argument(
        "--length",
        type=parse_count(1),
        default=LENGTH,
        metavar="K",
        help=f"how many documents simulated users are shown (default {LENGTH})",
    )
    parser.add_argument(
        "--power",
        action="store_true",
        help="simulate how many lists it takes until a difference shows, up to --impressions, "
        "beside an A/B test",
    )
    parser.add_argument(
        "--beside",
        nargs="+",
        metavar="RUN",
        help="more runs: simulate pairs of all of them and put Δ beside the difference of their "
        f"mean {MEASURE}",
    )
    add_seed(parser)
    add_table_format(parser)


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
    printed = print_interleaving_json if arguments.format == "json" else print_interleaving
    printed(found, source, power, beside, MEASURE)
    return 0


def read_run(path: str) -> pd.DataFrame:
    """Return the run of one system.

    Raises
    ------
    BadInput
        The file cannot be read, or has the runs of several systems.
    """
    source = open_source(path)
    frame = read_import("runs", [source], progress=show_progress).frames["runs"]
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
    qrels = read_qrels(arguments.qrels)
    user = _find_user(arguments, qrels)
    traffic, notes = make_traffic(first, second, qrels, user, length=arguments.length)
    settings = {"impressions": arguments.impressions, "seed": arguments.seed}
    found = simulate_preference(traffic, names, method, notes=notes, **settings)
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
            qrels,
            parse_measure(MEASURE),
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
    imported = read_import("clicks", [source], progress=show_progress)
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


def _parse_method(text: str) -> Method:
    try:
        return parse_method(text)
    except BadInput as error:
        raise ArgumentTypeError(str(error)) from error


def _parse_user(text: str) -> User | ClickModel:
    try:
        return parse_user(text)
    except BadInput as error:
        try:
            return parse_click_model(text)
        except BadInput as other:
            raise ArgumentTypeError(f"{error}; nor is it a click model: {other}") from other
