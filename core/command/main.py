"""The ``dissent`` command: finds what is asked for, runs it, turns errors into sentences."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from io import TextIOWrapper

from core.errors import DissentError
from core.settings import PREFIX
from core.version import __version__


@dataclass(frozen=True)
class Command:
    """One command: its name, what it is for, and the module that knows the rest.

    The module has ``add_arguments(parser)`` and ``run(arguments)``, which returns the exit
    status. It is imported only when its command is asked for, so that the others start quickly.
    """

    name: str
    summary: str
    module: str


COMMANDS = (
    Command("serve", "start the app and open it in a browser", "core.command.serve"),
    Command("import", "read files into a collection", "core.command.import_"),
    Command("export", "write qrels, labels or runs of a collection", "core.command.export"),
    Command("pool", "count what a depth-k pool holds, or write it", "core.command.pool"),
    Command(
        "simulate-judging",
        "what each order of judging would have cost",
        "core.command.simulate_judging",
    ),
    Command("judge", "have a language model judge, as a machine", "core.command.judge"),
    Command("bundle", "write a study as one archive for others", "core.command.bundle"),
    Command("reproduce", "compute a study bundle anew", "core.command.reproduce"),
    Command("backup", "copy a whole store into one archive", "core.command.backup"),
    Command("restore", "make a new store from a backup", "core.command.restore"),
    Command("move", "a store from a file to a database, or back", "core.command.move"),
    Command("merge", "one store of two that were judged apart", "core.command.merge"),
    Command("token", "tokens with which programs ask a server", "core.command.token"),
    Command("check", "check that a store is intact", "core.command.check"),
    Command("agreement", "how far assessors agree", "core.command.agreement"),
    Command("passages", "how far assessors marked the same passages", "core.command.passages"),
    Command("weights", "weights of levels, by the User Disagreement Model", "core.command.weights"),
    Command("verify", "test the weights against labels of many users", "core.command.verify"),
    Command("machines", "how far machines agree with people", "core.command.machines"),
    Command("evaluate", "score runs against qrels", "core.command.evaluate"),
    Command("compare", "which systems differ, and under which qrels", "core.command.compare"),
    Command("unpooled", "what a run outside the pool would lose", "core.command.unpooled"),
    Command("estimate", "means from few human and many machine labels", "core.command.estimate"),
    Command("plan", "how many topics, double judgements and hours", "core.command.plan"),
    Command("preferences", "what side-by-side preferences say", "core.command.preferences"),
    Command("clicks", "what users' clicks say, beside people", "core.command.clicks"),
    Command("interleave", "which of two runs users click", "core.command.interleave"),
    Command("paper", "write what a paper takes into a folder", "core.command.paper"),
    Command("measures", "what measures there are, and their names", "core.command.measures"),
    Command(
        "informativeness",
        "which measure tells most about the rankings",
        "core.command.informativeness",
    ),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The words after ``dissent``; those of this process by default.

    Returns
    -------
    int
        0 done; 1 something supplied cannot be used (said on stderr). Wrong usage raises
        SystemExit with status 2, as argparse does.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    _write_any_character()
    arguments = _parse(given)
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except DissentError as error:
        return _fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _fail(f"{error.filename or 'a file'}: {(error.strerror or str(error)).lower()}")
    except KeyboardInterrupt:
        return _fail("stopped")


def _parse(given: Sequence[str]) -> Namespace:
    """Return what was given; the files of an import may also stand behind its options."""
    parser = build_parser(given)
    arguments, rest = parser.parse_known_args(given)
    files: list[str] = getattr(arguments, "files", [])
    if rest and (not files or any(word.startswith("-") and word != "-" for word in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    files.extend(rest)
    return arguments


def build_parser(given: Sequence[str]) -> ArgumentParser:
    """Return the parser, complete for the command that is given and with the others' names."""
    parser = ArgumentParser(
        prog="dissent",
        usage="dissent [--help] [--version] COMMAND ...",
        description="Judge search results together and use the disagreement.",
        epilog="'dissent COMMAND --help' explains a command. Exit status: 0 done, 1 bad input, "
        "2 wrong usage.",
    )
    parser.add_argument(
        "--version", action="version", version=f"dissent {__version__}", help="say which version"
    )
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND ARGUMENT ...", required=True, prog="dissent"
    )
    chosen = next((word for word in given if not word.startswith("-")), "")
    for command in COMMANDS:
        entry = commands.add_parser(command.name, help=command.summary, allow_abbrev=False)
        if command.name == chosen:
            module = import_module(PREFIX + command.module)
            entry.set_defaults(run=module.run, parser=entry)
            module.add_arguments(entry)
    return parser


def _run(arguments: Namespace) -> int:
    """Run the command, its tables recorded where another format of tables is asked for."""
    form = vars(arguments).get("format", "")
    if form not in ("csv", "latex", "md"):
        return int(arguments.run(arguments))
    recording = import_module(f"{PREFIX}core.command.printing.recording")
    return int(recording.run_recorded(arguments.run, arguments, form))


def _fail(message: str) -> int:
    print(f"dissent: {message}", file=sys.stderr)
    return 1


def _write_any_character() -> None:
    """Let a terminal that cannot show a character show its code rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
