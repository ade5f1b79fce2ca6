"""Arguments of ``dissent serve``."""

from argparse import ArgumentParser, ArgumentTypeError

from core.command.arguments.shared import add_store, parse_count


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Start the app on this machine. A store without an organiser prints a one-time link to "
        "sign in with; the demo runs on a throw-away store of its own. Ctrl+C stops the server. "
        "Webhooks go to public machines, and to the networks that DISSENT_WEBHOOK_NETWORKS lists. "
        "Language models are asked at DISSENT_JUDGE_URL only."
    )
    which = parser.add_mutually_exclusive_group()
    add_store(which)
    which.add_argument("--demo", action="store_true", help="try it with the demo collection")
    parser.add_argument(
        "--port", type=_port, default=8501, metavar="N", help="default 8501; 0 for any free one"
    )
    parser.add_argument(
        "--address",
        default="127.0.0.1",
        metavar="A",
        help="where to listen (default 127.0.0.1: this machine only); elsewhere, put a proxy with "
        "TLS in front",
    )


def _port(text: str) -> int:
    number = parse_count(0)(text)
    if number > 65535:
        raise ArgumentTypeError(f"{number} is not a port; the highest is 65535")
    return number
