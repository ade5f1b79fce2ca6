"""Every state of the judging screen, of the pages that lead to it and of a class.

``python -m tests.browser.chair_views FOLDER`` makes pictures into a folder: light and dark on a
laptop, dark on a phone, and a laptop's window at 200 %. With ``--only TEXT``, of the states whose
names have the text in them.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from core.store.store import Store
from tests.browser import class_views, course_views, entry_views, item_views, pair_views
from tests.browser.chair_looks import LOOKS, Act, seat_of, see
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.study import run_study

SITTINGS = item_views.SITTINGS | course_views.SITTINGS
WISHES = {seat_of(name, look): wish for name, wish in SITTINGS.items() for look in LOOKS}
STATES: dict[str, Act] = {
    **item_views.STATES,
    **course_views.STATES,
    **pair_views.STATES,
    **entry_views.STATES,
    **class_views.STATES,
}


def fill(store: Store) -> dict[str, str]:
    """Put into the store what is no sitting of one assessor; returns sessions and addresses."""
    parts = (course_views, pair_views, entry_views, class_views)
    return {name: found for part in parts for name, found in part.fill(store).items()}


def main() -> None:
    """Make the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--only", default="", help="make the states that have this in their names")
    asked = parser.parse_args()
    states = {name: act for name, act in STATES.items() if asked.only in name}
    if not states:
        parser.error(f"no state has '{asked.only}' in its name: {', '.join(STATES)}")
    asked.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        run_study(Path(folder), WISHES, fill) as study,
        sync_playwright() as playwright,
    ):
        path = find_chromium(bare=True)
        expect.set_options(timeout=30_000)
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        failed = 0
        for name, page, wrong in see(browser, study, states):
            page.screenshot(path=asked.folder / f"{name}.png")
            print(f"{name}: {wrong}" if wrong else name, flush=True)
            failed += bool(wrong)
        browser.close()
    if failed:
        sys.exit(f"{failed} states were not reached; their pictures show where it ended")


if __name__ == "__main__":
    main()
