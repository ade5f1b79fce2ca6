"""The study bundle that everybody with the link of a public page can have."""

from core.analysis.base.study import Study, labels_of
from core.analysis.results.public_results import FEWEST, list_public_versions
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.errors import BadInput, NotFound, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.gain import needs_weights
from core.store.content.public_pages import PublicChoice, is_judging_open

BUNDLE = "study.zip"


def make_public_bundle(study: Study, wanted: PublicChoice) -> bytes | None:
    """Return the bundle of what a public page shows; None where there is none to have.

    It holds the page's qrels version and measure (usual ones where its weights would tell an
    agreement that is not public), and labels of those only who consented
    themselves. Agreement is in it where the page may tell it. There is no bundle while somebody
    judges: assessors could read in it what others said.

    Parameters
    ----------
    study : Study
        The collection.
    wanted : PublicChoice
        What its organiser allows.
    """
    if not wanted.bundle or is_judging_open(study.store, study.collection_id):
        return None
    study = Study(study.store, study.collection_id, is_masked=True)
    chosen = list_public_versions(study).get(wanted.version)
    if chosen is None:
        return None
    try:
        agreement = wanted.agreement and _are_enough(study)
        is_told = agreement or not needs_weights(parse_measure(wanted.measure))
        choices = Choices(
            versions=[chosen],
            labels=wanted.bundle_labels,
            measures=[wanted.measure] if is_told else None,
            agreement=agreement,
        )
        return make_bundle(study, choices).content
    except (BadInput, NotFound, TooLittleData):
        return None


def _are_enough(study: Study) -> bool:
    """Tell whether of every facet so many have judged that agreement betrays none of them."""
    labels = labels_of(study)
    return bool((labels.groupby("facet", observed=True)["assessor_id"].nunique() >= FEWEST).all())
