"""Two benches that take turns, so that both meet the same of all else that the machine does."""

import argparse
import time

from playwright.sync_api import Page


def add_turns(parser: argparse.ArgumentParser) -> None:
    """Add when turns begin, and which of two benches this one is."""
    parser.add_argument("--begin", type=float, help="when turns begin, in seconds since 1970")
    parser.add_argument("--turn", type=int, choices=(0, 1), default=0)


def list_turns(chosen: argparse.Namespace, number: int, seconds: float) -> list[float | None]:
    """Return when each turn of this bench begins, in seconds since 1970.

    Parameters
    ----------
    chosen : Namespace
        Of a parser with ``add_turns``; without ``--begin`` there is no other bench, and each turn
        begins at once: None.
    number : int
        How many there are.
    seconds : float
        How long one takes; the other bench has as long before the next.
    """
    if chosen.begin is None:
        return [None] * number
    return [chosen.begin + (2 * at + chosen.turn) * seconds for at in range(number)]


def wait_for(page: Page, at: float | None) -> None:
    """Wait until a turn begins; raises RuntimeError where that has passed."""
    if at is None:
        return
    wait = at - time.time()
    if wait < 0:
        raise RuntimeError(f"a turn began {-wait:.1f} s ago")
    page.wait_for_timeout(1000 * wait)
