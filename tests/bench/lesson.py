"""A lesson with forty students, from joining to the reveal, while a projector shows it.

``python -m tests.bench.lesson``: all but two join and judge over HTTP, two in browsers. It prints
how long a seat and a label take, and how soon the labels show after the lecturer goes on: on the
projector, and on the students' own screens. An error of the server, or of a page, ends it.
"""

import argparse
import re
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from core.assessment.class_mode import ITEMS
from tests.bench.clients import percentile
from tests.browser.chromium import ARGUMENTS, get_chromium
from tests.browser.test_class import come_in, judge_pages
from tests.browser.test_projector import Hall, Student, go_on, on, open_hall, press

IN_BROWSERS = 2
AT_ONCE = 8
FAULT = re.compile(r'"level": ?"(?:error|ERROR)"|Traceback')
AIM = 1.0
"""Seconds within which the projector is to show the first page's labels."""


def main() -> None:
    """Hold the lesson and print how long things took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=40)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        hall = open_hall(Path(folder))
        browser = playwright.chromium.launch(executable_path=get_chromium(), args=ARGUMENTS)
        try:
            hold(hall, browser, chosen.students)
        finally:
            browser.close()
            hall.close()
        said = hall.server.log.read_text(encoding="utf-8")
        if FAULT.search(said):
            raise SystemExit(f"the server reported an error:\n{said}")
        print("no error in the server's log, nor on the projector")


def hold(hall: Hall, browser: Browser, students: int) -> None:
    """Go from the way in to the summary."""
    screen = hall.enter(browser, "class-mode?projector=1&step=join")
    errors: list[str] = []
    screen.on("pageerror", lambda error: errors.append(str(error)))
    on(screen, "Join")
    guests = [come_in(browser, f"{hall.server.address}/join/{hall.code}") for _ in range(2)]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        began = time.perf_counter()
        sitting = list(threads.map(hall.sit_down, range(students - IN_BROWSERS)))
        tell("join", began, len(sitting), "seats")
    expect(screen.get_by_test_id("joined")).to_have_text(f"{students} joined", timeout=15_000)
    press(screen, "ArrowRight")
    on(screen, "Judge")
    judge(hall, sitting)
    for place, guest in enumerate(guests):
        judge_pages(guest, dict.fromkeys(hall.pages, place), ITEMS)
    done = screen.get_by_test_id("done")
    expect(done).to_have_text(f"{students} of {students}", timeout=15_000)
    reveal(screen, guests)
    for _ in range(ITEMS):
        go_on(screen)
    on(screen, "Summary")
    if errors:
        raise SystemExit(f"the projector reported an error: {errors}")


def judge(hall: Hall, sitting: list[Student]) -> None:
    """Let those without a browser judge everything, a few at the same time."""
    ids = hall.find_ids(sitting)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        began = time.perf_counter()
        taken = list(threads.map(lambda one: one.judge(ids[one.number]), sitting))
        tell("judge", began, sum(map(len, taken)), "labels")
    each = [1000 * seconds for one in taken for seconds in one]
    shown = " ".join(f"p{share:.0%}".rstrip("%") + f" {percentile(each, share):.0f}"
                     for share in (0.5, 0.95))  # fmt: skip
    print(f"judge: a label is acknowledged after ms {shown} largest {max(each):.0f}")


def reveal(screen: Page, guests: list[Page]) -> None:
    """Go on to the labels and print after how many seconds they are seen, and where."""
    screen.wait_for_timeout(2500)
    press(screen, " ")
    began = time.perf_counter()
    screen.get_by_test_id("bars").wait_for()
    on_screen = time.perf_counter() - began
    for guest in guests:
        guest.get_by_role("heading", name="You and your class").wait_for()
    on_guests = time.perf_counter() - began
    met = "met" if on_screen <= AIM else "missed"
    print(f"reveal: on the projector after {on_screen:.2f} s (aim {AIM:g} s: {met})")
    print(f"reveal: on the students' own screens after {on_guests:.2f} s")


def tell(what: str, began: float, number: int, noun: str) -> None:
    """Print how many there were of something, and in what time."""
    seconds = time.perf_counter() - began
    print(
        f"{what}: {number} {noun} in {seconds:.1f} s, {number / seconds:.0f} a second", flush=True
    )


if __name__ == "__main__":
    main()
