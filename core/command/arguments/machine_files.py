"""Arguments of commands that read machines' labels."""

from argparse import ArgumentParser

from core.command.arguments.shared import parse_pairs


def add_machine_options(parser: ArgumentParser) -> None:
    """Add the options that say which machine gave labels, and how its levels are read."""
    group = parser.add_argument_group(
        "labels of a machine",
        "Files are qrels of TREC, or tables and JSONL of labels, perhaps with the columns answer "
        "(word for word), reason, state (level, cannot judge, invalid answer), cost, input_tokens "
        "and output_tokens, and with model, version, prompt, parameters and date, which are the "
        "same in all rows. Labels of machines count only where a rule names them.",
    )
    group.add_argument("--machine", default="", metavar="NAME", help="whose labels these are")
    group.add_argument("--model", default="", help="which model it is")
    group.add_argument(
        "--model-version", default="", metavar="VERSION", help="which version of the model"
    )
    group.add_argument(
        "--prompt", default="", metavar="FILE", help="the text that it was asked with"
    )
    group.add_argument(
        "--parameters",
        default="",
        metavar="NAME=VALUE,…",
        help="how it was asked besides, as in temperature=0,seed=7; or a JSON object",
    )
    group.add_argument("--date", default="", help="when it judged")
    group.add_argument(
        "--map",
        type=parse_pairs,
        action="append",
        default=[],
        metavar="VALUE=LEVEL,…",
        help="what values mean that are on no scale, as in 5=3,10=invalid: a level, invalid (no "
        "level can be read) or cannot (cannot judge); without it they are refused. The rule is "
        "recorded",
    )
