"""A machine's labels on the command line: whose they are, and what is known of it."""

from argparse import Namespace
from typing import Any

from core.command.arguments.shared import merge_pairs
from core.command.files.opening import open_source

_DESCRIPTION = {
    "model": "model",
    "version": "model_version",
    "prompt": "prompt",
    "parameters": "parameters",
    "date": "date",
}


def is_of_machine(arguments: Namespace) -> bool:
    """Tell whether anything is said of a machine."""
    return any(getattr(arguments, one) for one in ("machine", "map", *_DESCRIPTION.values()))


def machine_options(arguments: Namespace) -> dict[str, Any]:
    """Return what was chosen, as ``read_import`` takes it; what was not is left out."""
    told = {name: getattr(arguments, option) for name, option in _DESCRIPTION.items()}
    if told["prompt"]:
        told["prompt"] = open_source(told["prompt"]).text
    options = {
        "machine": arguments.machine,
        "description": {name: text for name, text in told.items() if text},
        "mapped": merge_pairs(arguments.map),
    }
    return {name: value for name, value in options.items() if value}
