"""What can be judged in a collection: pages, and snippets where there are any."""

from core.analysis.base.study import (
    Study,
    coded_labels_of_all,
    follows_labels,
    results_of,
    scales_of,
    stands_apart_from_labels,
)
from core.collection.records import PAGE, SNIPPET


@stands_apart_from_labels
def has_snippets(study: Study) -> bool:
    """Tell whether a result of the collection has a snippet."""
    return bool((results_of(study)["snippet"].fillna("") != "").any())


@follows_labels
def facets_of(study: Study) -> list[str]:
    """Return the facets with a scale, pages first; without snippets where none is known or judged.

    Where a collection holds neither results nor labels yet, both may come.
    """
    facets = sorted(scales_of(study), key=lambda facet: facet != PAGE)
    labels = coded_labels_of_all(study)
    judged = {str(one).partition(" ")[0] for one in labels["facet"].unique()}
    if judged and SNIPPET not in judged and not has_snippets(study):
        return [one for one in facets if one != SNIPPET] or facets
    return facets
