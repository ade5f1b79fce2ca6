"""Webhooks that are not told what they should be: an address fails, time and again."""

from core.analysis.base.study import Study
from core.analysis.base.wording import count
from core.analysis.overview.findings import OPEN, Finding
from core.store.content.webhook_deliveries import DELIVERED, GIVEN_UP, list_deliveries

TRIES = 3
"""How often a message has to fail before it is worth a look: a server may be restarted."""

_LOOKED_AT = 1000


def find_failing(study: Study) -> tuple[Finding, ...]:
    """Return that webhooks fail, if the latest that was tried of one did so three times or more.

    Addresses are not named: a viewer of the overview need not know them.
    """
    latest: dict[str, bool] = {}
    lost = 0
    for one in list_deliveries(study.store, study.collection_id, _LOOKED_AT):
        fails = one.state == GIVEN_UP or (one.state != DELIVERED and one.attempts >= TRIES)
        if one.attempts and one.webhook_id not in latest:
            latest[one.webhook_id] = fails
        lost += fails and latest.get(one.webhook_id, False)
    failing = sum(latest.values())
    if not failing:
        return ()
    what = f"{count(failing, 'address', 'addresses')} not reached, {count(lost, 'message')} waiting"
    return (Finding("Webhooks", what, "export", OPEN, failing / len(latest)),)
