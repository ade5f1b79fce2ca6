"""Whether everybody with a link can read the results of a collection, and what of them."""

from dataclasses import replace

import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.results.declared import declared_choice
from core.analysis.results.public_results import FEWEST, list_public_versions
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.store.content.public_pages import (
    FEWEST_LABELS,
    FEWEST_PEOPLE,
    PublicChoice,
    PublicPage,
    find_public_page,
    publish,
    withdraw_public_page,
)
from pages.shared.addresses import server_address
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse


def offer_public_page(context: PageContext) -> None:
    """Offer to make results public, and show the link while they are."""
    st.header("A public page of results", anchor=False)
    st.markdown(
        "Everybody who has the link can read it, without signing in: systems by their means with "
        "intervals, agreement, qrels versions and their rules. It names no assessor, and tells of "
        f"agreement only from {FEWEST} assessors on. The names of the collection, its systems and "
        "its versions are shown as they are."
    )
    page = find_public_page(context.store, context.collection_id)
    if page is not None:
        _show_link(context, page)
    _ask(context, page)


def _show_link(context: PageContext, page: PublicPage) -> None:
    st.code(f"{server_address()}/public/{page.code}", language=None, wrap_lines=True)
    if st.button("Withdraw the public page", help="The link leads nowhere from then on."):
        withdraw_public_page(context.store, context.collection_id, by=context.person_id)
        finish("The page is not public any more. Browsers may keep it for some seconds.")


def _ask(context: PageContext, page: PublicPage | None) -> None:
    versions = list_public_versions(context.study)
    if not versions:
        st.info("There are neither labels nor imported qrels yet.")
        return
    declared, wanted = declared_of(context.study), declared_choice(context.study)
    usual = next((key for key, one in versions.items() if one == wanted), next(iter(versions)))
    now = page.choice if page else PublicChoice(usual, declared.measure)
    keys = list(versions)
    with st.form(f"public-{context.collection_id}"):
        version = st.selectbox(
            "Qrels version",
            keys,
            index=keys.index(now.version) if now.version in keys else 0,
            help="Versions of single assessors or groups cannot be public.",
        )
        measure = st.text_input("Measure", now.measure)
        agreement = st.checkbox("Agreement between assessors", now.agreement)
        scores = st.checkbox("Means as a CSV file", now.scores)
        qrels = st.checkbox(
            "Judgements as a TREC qrels file",
            now.qrels,
            help="Given only once all rounds or the collection are closed: assessors could read "
            "in it what others said.",
        )
        bundle = st.checkbox(
            "Study bundle",
            now.bundle,
            help="With the version and the measure above, runs included: everybody can compute "
            "the page anew. Given only once all rounds or the collection are closed.",
        )
        bundle_labels = st.checkbox(
            "Labels of those who agreed, in the study bundle",
            now.bundle_labels,
            help="Under codes, and only of assessors who agreed here themselves.",
        )
        st.markdown(
            "**While rounds are open** assessors can read the page, too. It then says neither how "
            "much is judged nor of what, and stays as it is until there are new labels by several "
            "people. Who knows their own labels can learn from the difference how those of the "
            "others moved the systems together, and of agreement; the more labels it waits for, "
            "the less of each."
        )
        labels, people = st.columns(2)
        new_labels = labels.number_input(
            "New labels before it changes",
            FEWEST_LABELS,
            value=now.new_labels,
            help="Besides those of any one person.",
        )
        new_people = people.number_input("By how many people", FEWEST_PEOPLE, value=now.new_people)
        pressed = st.form_submit_button(
            "Change the public page" if page else "Make the results public", type="primary"
        )
    if pressed:
        allowed = agreement, scores, qrels, bundle, bundle and bundle_labels
        renewed = int(new_labels), int(new_people)
        _publish(context, PublicChoice(str(version), measure, *allowed, *renewed))


def _publish(context: PageContext, choice: PublicChoice) -> None:
    try:
        measure = str(parse_measure(choice.measure))
    except BadInput as error:
        refuse(error, "The page was not changed.")
        return
    wanted = replace(choice, measure=measure)
    publish(context.store, context.collection_id, wanted, by=context.person_id)
    finish("The results are public under the link below.")
