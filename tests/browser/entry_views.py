"""The pages outside the app, as strangers see them."""

from playwright.sync_api import Page

from core.assessment.class_mode import start_lesson
from core.store.people.people import accept_invitation, add_person, invite, list_people
from core.store.rounds.lessons import lesson_code, stop_joining
from core.store.store import Store
from tests.browser.chair_looks import Act
from tests.browser.study import Study


def fill(store: Store) -> dict[str, str]:
    """Invite assessors, open classes and close one to new students; returns the addresses."""
    people = {one.name: one.person_id for one in list_people(store)}
    by = people["Organiser"]
    used = invite(store, add_person(store, "Has come", "assessor", by=by), by=by)
    accept_invitation(store, used)
    shut, german, lesson = (
        start_lesson(store, "t01", language=language, by=by) for language in ("en", "de", "en")
    )
    stop_joining(store, shut, stopped=True, by=by)
    return {
        "welcome": "",
        "sign-in": "sign-in",
        "invitation": f"enter/{invite(store, people['texts, light'], by=by)}",
        "invitation-german": f"enter/{invite(store, people['german, light'], by=by)}",
        "invitation-used": f"enter/{used}",
        "join-code": "join",
        "join-class": f"join/{lesson_code(store, lesson)}",
        "join-class-german": f"join/{lesson_code(store, german)}",
        "join-closed": f"join/{lesson_code(store, shut)}",
        "join-wrong": "join/AAAA",
        "nothing-there": "no-such-page",
    }


def visit(name: str, *, locale: str = "") -> Act:
    """Return what opens a page as a stranger does."""

    def act(page: Page, study: Study, look: str) -> None:
        if locale:
            page.set_extra_http_headers({"Accept-Language": locale})
        page.goto(f"{study.server.address}/{study.collections[name]}")
        page.evaluate("document.fonts.ready.then(() => 1)")

    return act


def sign_in_wrongly(page: Page, study: Study, look: str) -> None:
    """Sign in with a name and a password that nobody has."""
    visit("sign-in")(page, study, look)
    for place, word in enumerate((f"Nobody, {look}", "not a password at all")):
        page.locator("main input").nth(place).fill(word)
    page.locator("main button").first.click()
    page.wait_for_load_state()


def take_name(page: Page, study: Study, look: str) -> None:
    """Join under a name that shows nothing, which is refused."""
    visit("join-class")(page, study, look)
    page.locator("main input").first.fill("\u2800\u2800")
    page.get_by_role("button", name="Join the class").click()
    page.wait_for_load_state()


def get_lost(page: Page, study: Study, look: str) -> None:
    """Open a page that is not there, signed in."""
    study.enter(page, study.seats[f"texts, {look}"].session, "no-such-page")
    page.wait_for_timeout(2_500)


STATES: dict[str, Act] = {
    **{
        name: visit(name)
        for name in (
            *("welcome", "sign-in", "invitation", "invitation-used", "join-code", "join-class"),
            *("join-closed", "join-wrong", "nothing-there", "invitation-german"),
            "join-class-german",
        )
    },
    "welcome-german": visit("welcome", locale="de"),
    "sign-in-german": visit("sign-in", locale="de"),
    "sign-in-wrong": sign_in_wrongly,
    "join-name-refused": take_name,
    "nothing-there-signed-in": get_lost,
}
