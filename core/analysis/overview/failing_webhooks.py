"""Webhooks that are not told what they should be: an address fails, time and again."""

from core.analysis.base.study import Study
from core.analysis.overview.findings import OPEN, Finding
from core.store.content.webhook_deliveries import (
    DELIVERED,
    GIVEN_UP,
    Delivery,
    list_deliveries,
)
from core.wording import count

TRIES = 3
"""How often a message has to fail before it is worth a look: a server may be restarted."""

_LOOKED_AT = 1000


def find_failing(study: Study) -> tuple[Finding, ...]:
    """Return that webhooks fail, if the latest that was tried of one did so three times or more.

    Addresses are not named: a viewer of the overview need not know them.
    """
    deliveries = list_deliveries(study.store, study.collection_id, _LOOKED_AT)
    tried = [one for one in deliveries if one.attempts]
    latest = {one.webhook_id: one for one in reversed(tried)}
    failing = {webhook_id for webhook_id, one in latest.items() if _fails(one)}
    if not failing:
        return ()
    lost = sum(_fails(one) for one in tried if one.webhook_id in failing)
    addresses = count(len(failing), "address", "addresses")
    what = f"{addresses} not reached, {count(lost, 'message')} not delivered"
    return (Finding("Webhooks", what, "export", OPEN, len(failing) / len(latest)),)


def _fails(one: Delivery) -> bool:
    return one.state == GIVEN_UP or (one.state != DELIVERED and one.attempts >= TRIES)
