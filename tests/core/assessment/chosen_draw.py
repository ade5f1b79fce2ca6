"""A draw as a test needs it: which pages a machine's level is shown of."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from core.assessment.showing import is_drawn
from core.store.events.labels import Key
from core.store.rounds.showing import find_showing
from core.store.store import Store


def choose_draw(store: Store, round_id: str, wanted: Mapping[Key, bool]) -> None:
    """Give a round a key by which exactly the wanted ones of some pages are drawn."""
    showing = find_showing(store, round_id)
    keys = (replace(showing, draw_key=f"{number:064x}") for number in count())
    fit = next(
        one for one in keys if all(is_drawn(one, key) == drawn for key, drawn in wanted.items())
    )
    with store.database.write() as cursor:
        cursor.execute(
            "UPDATE machine_rounds SET draw_key = ? WHERE round_id = ?", [fit.draw_key, round_id]
        )
