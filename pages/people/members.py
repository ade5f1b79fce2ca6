"""Who can judge in a collection, as pickers want it."""

from core.store.people.members import list_members
from core.store.people.people import list_people
from core.store.store import Store


def judging_members(store: Store, collection_id: str) -> dict[str, str]:
    """Return the names of those who can sign in and judge, by id.

    Imported and simulated assessors have labels but nobody who could sign in.
    """
    accounts = {one.person_id for one in list_people(store) if one.disabled_at is None}
    members = list_members(store, collection_id)
    present = members[members["dropped_at"].isna() & members["assessor_id"].isin(accounts)]
    return dict(zip(present["assessor_id"], present["name"], strict=True))
