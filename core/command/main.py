"""The ``dissent`` command: finds what is asked for, runs it, turns errors into sentences."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from io import TextIOWrapper
from keyword import iskeyword

from core.errors import DissentError
from core.settings import PREFIX
from core.version import __version__


@dataclass(frozen=True)
class Command:
    """One command: its name, what it is for, and which module has its arguments.

    That module of ``core.command.arguments`` has ``describe_<name>(parser)``, beside commands of
    the same subject. It is imported when the command is named, and imports nothing heavy: help and
    wrong usage are told at once. The module in ``core.command`` that is called like the command has
    ``run(arguments)``, which returns the exit status. It is imported when the arguments are known.
    """

    name: str
    summary: str
    arguments: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Describe the command to its parser."""
        from core.published import list_published

        module = import_module(f"{PREFIX}core.command.arguments.{self.arguments}")
        getattr(module, f"describe_{self.name.replace('-', '_')}")(parser)
        if papers := list_published(self.name):
            named = "; ".join(f"{one.key}, {' '.join(one.words(self.name))}" for one in papers)
            parser.add_argument(
                "--as",
                dest="published",
                choices=[one.key for one in papers],
                help=f"the settings of a paper, where they are not given: {named}",
            )

    def run(self, arguments: Namespace) -> int:
        """Do what the command is asked for, and return the exit status."""
        name = self.name.replace("-", "_") + "_" * iskeyword(self.name)
        return int(import_module(f"{PREFIX}core.command.{name}").run(arguments))


COMMANDS = (
    Command("serve", "start the app and open it in a browser", "stores"),
    Command("import", "read files into a collection", "collections"),
    Command("declare", "by what a study compares its systems", "collections"),
    Command("export", "write qrels, labels or runs of a collection", "collections"),
    Command("pool", "count what a depth-k pool holds, or write it", "judging"),
    Command("progress", "how far a round is, and when it ends", "judging"),
    Command("simulate-judging", "what each order of judging would have cost", "judging"),
    Command("enough", "whether enough of a pool is judged", "judging"),
    Command("judge", "have a language model judge, as a machine", "machines"),
    Command("bundle", "write a study as one archive for others", "collections"),
    Command("reproduce", "compute a study bundle anew", "collections"),
    Command("backup", "copy a whole store into one archive", "stores"),
    Command("restore", "make a new store from a backup", "stores"),
    Command("move", "a store from a file to a database, or back", "stores"),
    Command("merge", "one store of two that were judged apart", "stores"),
    Command("token", "tokens with which programs ask a server", "stores"),
    Command("check", "check that a store is intact", "stores"),
    Command("agreement", "how far assessors agree", "agreement"),
    Command("assessors", "how each assessor judges", "agreement"),
    Command("groups", "whether groups of assessors rank systems differently", "agreement"),
    Command("passages", "how far assessors marked the same passages", "agreement"),
    Command("weights", "weights of levels, by the User Disagreement Model", "agreement"),
    Command("verify", "test the weights against labels of many users", "agreement"),
    Command("machines", "how far machines agree with people", "machines"),
    Command("evaluate", "score runs against qrels", "scores"),
    Command("compare", "which systems differ, and under which qrels", "scores"),
    Command("curves", "precision by recall, and gain by rank", "scores"),
    Command("unpooled", "what a run outside the pool would lose", "scores"),
    Command("estimate", "means from few human and many machine labels", "machines"),
    Command("plan", "how many topics, double judgements and hours", "plan"),
    Command("preferences", "what side-by-side preferences say", "agreement"),
    Command("clicks", "what users' clicks say, beside people", "clicks"),
    Command("interleave", "which of two runs users click", "clicks"),
    Command("ab", "whether users fare otherwise in an A/B test", "clicks"),
    Command("paper", "write what a paper takes into a folder", "collections"),
    Command("measures", "what measures there are, and their names", "scores"),
    Command("informativeness", "which measure tells most about the rankings", "scores"),
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
    try:
        status = _run(parse(given))
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


def parse(given: Sequence[str]) -> Namespace:
    """Return what was given; the files of an import may also stand behind its options."""
    given = _add_published(given)
    parser = build_parser(given)
    if not given:
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    arguments, rest = parser.parse_known_args(given)
    files: list[str] = getattr(arguments, "files", [])
    if rest and (not files or any(word.startswith("-") and word != "-" for word in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    files.extend(rest)
    return arguments


def _name_command(given: Sequence[str]) -> str:
    """Return the word that is the command; '' without one."""
    return next((word for word in given if not word.startswith("-")), "")


def _add_published(given: Sequence[str]) -> list[str]:
    """Return the words with those of a paper's settings that ``--as`` names."""
    words, command = list(given), _name_command(given)
    at = next((n for n, word in enumerate(words) if word.partition("=")[0] == "--as"), None)
    if at is None:
        return words
    from core.published import PUBLISHED

    key = words[at].partition("=")[2] or "".join(words[at + 1 : at + 2])
    paper = PUBLISHED.get(key)
    if paper is None or command not in paper.settings:
        return words
    end = words.index("--") if "--" in words else len(words)
    return [*words[:end], *paper.words(command, words), *words[end:]]


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
    chosen = _name_command(given)
    for command in COMMANDS:
        entry = commands.add_parser(command.name, help=command.summary, allow_abbrev=False)
        if command.name == chosen:
            entry.set_defaults(run=command.run, parser=entry)
            command.add_arguments(entry)
    return parser


def _run(arguments: Namespace) -> int:
    """Run the command, its tables recorded where another format of tables is asked for."""
    output = import_module(f"{PREFIX}core.command.printing.output")
    output.forget_notes()
    if published := vars(arguments).get("published"):
        from core.published import PUBLISHED

        paper = PUBLISHED[published]
        output.print_notes([f"settings of {paper.cited} where none are given; {paper.besides}"])
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
