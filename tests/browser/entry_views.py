"""The pages outside the app, as strangers see them."""

from playwright.sync_api import Page

from core.assessment.class_mode import start_lesson
from core.store.content.collections import create_collection
from core.store.people.members import add_member
from core.store.people.people import accept_invitation, add_person, invite, list_people
from core.store.rounds.lessons import lesson_code, stop_joining
from core.store.store import Store
from tests.browser.chair_looks import Act
from tests.browser.study import Study


def fill(store: Store) -> dict[str, str]:
    """Invite somebody, open a class and close one to new students; returns the addresses."""
    (organiser,) = (one.person_id for one in list_people(store) if one.name == "Organiser")
    collection_id = create_collection(store, "Cats and cars", by=organiser)
    invited, came = (
        add_person(store, name, "assessor", by=organiser) for name in ("Invited", "Has come")
    )
    for person in (invited, came):
        add_member(store, collection_id, person, "Someone", by=organiser)
    used = invite(store, came, by=organiser)
    accept_invitation(store, used)
    shut = start_lesson(store, "t01", by=organiser)
    stop_joining(store, shut, stopped=True, by=organiser)
    return {
        "welcome": "",
        "sign-in": "sign-in",
        "invitation": f"enter/{invite(store, invited, by=organiser)}",
        "invitation-used": f"enter/{used}",
        "join-code": "join",
        "join-class": f"join/{lesson_code(store, start_lesson(store, 't01', by=organiser))}",
        "join-closed": f"join/{lesson_code(store, shut)}",
        "join-wrong": "join/AAAA",
        "nothing-there": "no-such-page",
        "no-single-sign-on": "sso",
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
            *("join-closed", "join-wrong", "nothing-there", "no-single-sign-on"),
        )
    },
    "invitation-german": visit("invitation", locale="de"),
    "join-class-german": visit("join-class", locale="de"),
    "sign-in-wrong": sign_in_wrongly,
    "join-name-refused": take_name,
    "nothing-there-signed-in": get_lost,
}
