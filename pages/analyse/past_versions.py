"""All versions on offer at once, as they are or as they were at an earlier label event."""

from dataclasses import astuple, dataclass

import pandas as pd

from core.agreement.ratings import ratings_from_labels
from core.errors import DissentError
from core.store.frames import LATEST, read_labels
from core.versions.versions import QrelsVersion
from pages.analyse.facets import counted_levels
from pages.analyse.pair_weights import (
    Triples,
    combine_facets,
    estimate_pair_weights,
    has_both_scales,
    highest_levels,
)
from pages.analyse.user_model import UserModel
from pages.analyse.versions import (
    Offer,
    arrange_offers,
    combine_labels,
    estimate_weights,
    list_offers,
    rules_of,
    version_of,
)
from pages.shared.live import scales_of, settled
from pages.shared.masking import mask_people
from pages.shared.session import Visit


@dataclass(frozen=True, eq=False)
class Made:
    """A version on offer: what came of it, or the reason why nothing did."""

    offer: Offer
    version: QrelsVersion | None
    reason: str = ""


def versions_at(visit: Visit, facet: str, model: UserModel, until: int = LATEST) -> dict[str, Made]:
    """Return every version by key, as it stood after the event ``until``.

    Labels, adjudications and the UDM's weights are those of that time; the scale, groups, names,
    saved rules and imported qrels are those of today.
    """
    if until >= visit.store.state(visit.collection_id)[0]:
        return {key: _make(visit, offer) for key, offer in list_offers(visit, facet, model).items()}
    return settled(visit, _versions_then, facet, until, *astuple(model))


def _versions_then(visit: Visit, facet: str, until: int, *chosen: int) -> dict[str, Made]:
    labels = mask_people(visit, read_labels(visit.store, visit.collection_id, until))
    model, levels = UserModel(*chosen), list(counted_levels(scales_of(visit)[facet]))
    weights = estimate_weights(ratings_from_labels(labels, facet, levels), model)
    rules = rules_of(visit, labels, facet, until)
    pair_weights = _pair_weights_then(visit, facet, model, labels)
    offers = arrange_offers(visit, facet, model, rules, weights, pair_weights)
    return {key: _make(visit, offer, (labels, until)) for key, offer in offers.items()}


def _pair_weights_then(visit: Visit, facet: str, model: UserModel, labels: pd.DataFrame) -> Triples:
    if not has_both_scales(visit):
        return ()
    top = highest_levels(visit, facet, model)
    return estimate_pair_weights(combine_facets(visit, labels), top, model)


def _make(visit: Visit, offer: Offer, then: tuple | None = None) -> Made:
    try:
        if then is None or offer.rule is None:
            return Made(offer, version_of(visit, offer))
        return Made(offer, combine_labels(visit, *then, offer.rule))
    except DissentError as error:
        return Made(offer, None, str(error))
