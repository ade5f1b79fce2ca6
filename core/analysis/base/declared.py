"""What the study declares, as every analysis begins with it."""

from collections.abc import Iterable
from dataclasses import replace

from core.analysis.base.study import (
    Study,
    coded_labels_of_all,
    facets_of,
    follows_labels,
    has_snippets,
    scales_of,
    stands_apart_from_labels,
)
from core.collection.records import PAGE, SNIPPET, counted_levels
from core.reports.user_model import UserModel, usual_model
from core.store.content.declarations import Declaration, find_declaration
from core.wording import count


def declared_of(study: Study) -> Declaration:
    """Return what a study declares, with the facet that an empty one stands for."""
    found = _declared(study)
    known = scales_of(study)
    if found.facet in known:
        return found
    return replace(found, facet=_usual_facet(study))


@stands_apart_from_labels
def _declared(study: Study) -> Declaration:
    return find_declaration(study.store, study.collection_id)


@follows_labels
def _usual_facet(study: Study) -> str:
    """Return pages where they were judged, or nothing was; else snippets."""
    facets = facets_of(study)
    judged = {str(one).partition(" ")[0] for one in coded_labels_of_all(study)["facet"].unique()}
    return next((one for one in facets if one in judged), facets[0])


def declared_first(study: Study, facets: Iterable[str]) -> list[str]:
    """Return facets, that which the study declares first, if it is one of them."""
    declared = declared_of(study).facet
    return sorted(facets, key=lambda facet: facet != declared)


def judged_facets(study: Study) -> list[str]:
    """Return the facets that are judged, or may be, what the study declares first."""
    return declared_first(study, facets_of(study))


def shown_facets(study: Study) -> list[str]:
    """Return what can be shown to be judged, what the study declares first."""
    return declared_first(study, (PAGE, SNIPPET) if has_snippets(study) else (PAGE,))


def model_of(study: Study, facet: str = "") -> UserModel:
    """Return the users that a study declares, on the scale of a facet or the declared one."""
    declared = declared_of(study)
    levels = counted_levels(scales_of(study)[facet or declared.facet])
    return usual_model(levels, declared.users, declared.at_least)


def count_users(model: UserModel | Declaration) -> str:
    """Return whom weights stand for: ``2 of 5 users``."""
    return f"{model.at_least} of {count(model.users, 'user')}"


def tell_other_labels(study: Study, facet: str, model: UserModel | None = None) -> str:
    """Return in Markdown whose labels and users are declared and shown, where they differ.

    Parameters
    ----------
    study : Study
        The collection.
    facet : str
        Whose labels are shown; systems are not scored by them.
    model : UserModel, optional
        The users whom weights are shown for.
    """
    declared = declared_of(study)
    stated, shown = [], []
    if facet != declared.facet:
        stated, shown = [f"labels of {declared.facet}s"], [f"labels of {facet}s"]
    if model is not None and count_users(model) != count_users(declared):
        stated.append(count_users(declared))
        shown.append(count_users(model))
    return f"Declared: {', '.join(stated)}; shown: {', '.join(shown)}." if stated else ""
