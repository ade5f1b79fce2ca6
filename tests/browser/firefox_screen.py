"""The judging screen in Firefox: what is on it, and keys that lead from item to item."""

from collections.abc import Callable, Iterable

from tests.browser.firefox import Tab
from tests.browser.study import Study

ROOT = "[data-step]"
OVER = "[data-testid=over]"
ANOTHER = f"before => find('{ROOT}', '')[0]?.dataset.step !== before"
IN_FRAME = """() => {
  let one = document.activeElement;
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  return one?.tagName === 'IFRAME';
}"""
IN_SIGHT = """async (selector, text) => {
  const [one] = find(selector, text);
  const seen = new Promise(tell => {
    new IntersectionObserver(([entry]) => tell(entry.intersectionRatio > 0)).observe(one);
  });
  return await seen;
}"""
WAITING = "prefix => Object.keys(localStorage).filter(one => one.startsWith(prefix)).length"


class Screen:
    """The judging screen in one tab."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab

    @property
    def step(self) -> str:
        """What is being judged; empty where there is nothing."""
        return self.tab.attribute(ROOT, "data-step") or ""

    def wait(self) -> "Screen":
        """Wait until there is something to judge."""
        self.tab.see("[data-step]:not([data-step=''])")
        if self.step == "start":
            self.change_by(lambda: self.tab.press("Enter"))
        return self

    def judge(self, keys: Iterable[str]) -> list[str]:
        """Press keys, each on the item that the one before led to; returns what was on screen."""
        return [self.change_by(lambda key=key: self.press_when_seen(key)) for key in keys]

    def press_when_seen(self, key: str) -> None:
        """Press a key once the item on the screen could have been seen."""
        self.tab.see("[data-ready=true]")
        self.tab.press(key)

    def change_by(self, act: Callable[[], None]) -> str:
        """Do something that leads to another item; returns what was on screen before."""
        before = self.step
        act()
        self.tab.wait_for(ANOTHER, before)
        return before

    def expect_step(self, step: str) -> None:
        """Wait until this is being judged."""
        self.tab.see(f"[data-step='{step}']")

    def expect(self, name: str, text: str) -> None:
        """Wait until a part of the screen says something."""
        self.tab.see(part(name), text)

    def expect_saved(self) -> None:
        """Wait until everything pressed is acknowledged."""
        self.tab.see("[data-waiting='0']")
        self.expect("save-state", "All saved")

    def expect_over(self) -> None:
        """Wait until everything is judged and the app knows it."""
        self.tab.see(OVER, "There is nothing for you to judge now")

    def count_kept(self) -> int:
        """Return how many judgements wait on the device itself."""
        return int(self.tab.evaluate(WAITING, "dissent:outbox:"))


def part(name: str) -> str:
    """Return the selector of what bears a name for tests."""
    return f"[data-testid='{name}']"


def enter(tab: Tab, study: Study, session: str, path: str = "") -> None:
    """Open a page of the app in a session that has begun."""
    tab.set_cookie(study.server.cookie, session)
    tab.goto(f"{study.server.address}/{path}")


def sit(tab: Tab, study: Study, name: str) -> Screen:
    """Sign in as the assessor of a test and return the judging screen."""
    enter(tab, study, study.seats[name].session)
    return Screen(tab).wait()
