"""Organisers make results public, see the link, change what is shown, and withdraw it."""

from core.store.content.public_pages import find_public_page
from core.store.store import Store
from tests.pages.conftest import OpenPage
from tests.short import long

PUBLIC_PAGE = {"export-part": "Public page"}


def press(at, label: str):
    (button,) = [one for one in at.button if one.label == label]
    return button.click().run()


def test_results_are_public_by_a_link_until_it_is_withdrawn(
    open_page: OpenPage, organiser, store: Store, filled: str
):
    at = open_page("export", organiser, **PUBLIC_PAGE)
    assert not [one for one in at.code if "/public/" in one.value]
    at = press(at, "Make the results public")
    page = find_public_page(store, filled)
    assert page is not None
    assert any(f"/public/{page.code}" in one.value for one in at.code)
    at.text_input[0].set_value("P@5")
    press(at, "Change the public page")
    changed = find_public_page(store, filled)
    assert changed is not None
    assert (changed.code, changed.choice.measure) == (page.code, "P@5")
    press(open_page("export", organiser, **PUBLIC_PAGE), "Withdraw the public page")
    assert find_public_page(store, filled) is None


@long
def test_a_measure_that_cannot_be_read_is_refused(
    open_page: OpenPage, organiser, store: Store, filled: str
):
    at = open_page("export", organiser, **PUBLIC_PAGE)
    (measure,) = [one for one in at.text_input if one.label == "Measure"]
    measure.set_value("nDGC@10")
    at = press(at, "Make the results public")
    assert "The page was not changed." in " ".join(one.value for one in at.error)
    assert find_public_page(store, filled) is None


@long
def test_the_study_bundle_is_offered_and_labels_in_it_only_with_it(
    open_page: OpenPage, organiser, store: Store, filled: str
):
    at = press(open_page("export", organiser, **PUBLIC_PAGE), "Make the results public")
    assert not find_public_page(store, filled).choice.bundle
    boxes = {one.label: one for one in at.checkbox}
    boxes["Labels of those who agreed, in the study bundle"].check()
    at = press(at, "Change the public page")
    assert not find_public_page(store, filled).choice.bundle_labels
    boxes = {one.label: one for one in at.checkbox}
    boxes["Labels of those who agreed, in the study bundle"].check()
    boxes["Study bundle"].check()
    press(at, "Change the public page")
    choice = find_public_page(store, filled).choice
    assert (choice.bundle, choice.bundle_labels) == (True, True)
