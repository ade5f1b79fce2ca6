"""Which collections have a page of results that everybody with its link can read."""

import base64
import hashlib
import hmac
import secrets
from dataclasses import asdict, dataclass, fields

from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.file.database import fetch
from core.store.store import Store, utc_now

SUBJECT = "public page"
_SIGNS = 32

FEWEST_LABELS, FEWEST_PEOPLE = 30, 3
"""Of new labels, and of people who gave them: with fewer a page would tell of single ones."""


@dataclass(frozen=True)
class PublicChoice:
    """What an organiser makes public: a qrels version, a measure, and what else is allowed.

    ``bundle_labels`` puts labels of those who consented into the bundle. While judging is open the
    page stays as it is until ``new_people`` people have given labels, ``new_labels`` of them
    besides those of any one person: who knows their own could otherwise tell what another said.
    """

    version: str
    measure: str
    agreement: bool = True
    scores: bool = True
    qrels: bool = False
    bundle: bool = False
    bundle_labels: bool = False
    new_labels: int = 100
    new_people: int = 3


_CHOSEN = [one.name for one in fields(PublicChoice)]


@dataclass(frozen=True)
class PublicPage:
    """A page that is public now; ``code`` is the secret part of its address.

    ``shown_until`` is the label event as of which it is while judging is open.
    """

    collection_id: str
    code: str
    choice: PublicChoice
    shown_until: int


def publish(store: Store, collection_id: str, choice: PublicChoice, by: str = "") -> PublicPage:
    """Make a page public, or change what is on it; its link stays the same until it is withdrawn.

    The code is not in the store: it follows from the store's key, so that nobody who reads a
    backup can open the page.

    Raises
    ------
    BadInput
        It would be renewed after too few labels, or those of too few people.
    """
    if choice.new_labels < FEWEST_LABELS:
        raise BadInput(f"a page waits for {FEWEST_LABELS} new labels or more", field="new_labels")
    if choice.new_people < FEWEST_PEOPLE:
        raise BadInput(f"a page waits for {FEWEST_PEOPLE} people or more", field="new_people")
    before = find_public_page(store, collection_id)
    detail = describe_change(asdict(before.choice) if before else {}, asdict(choice))
    until = store.labels.sequence(collection_id)
    with store.change(collection_id, "publish", SUBJECT, detail, by) as cursor:
        cursor.execute(
            f"INSERT INTO public_pages (collection_id, page_id, {', '.join(_CHOSEN)}, "
            f"published_at, shown_until) VALUES ({', '.join('?' * (len(_CHOSEN) + 4))}) "
            "ON CONFLICT DO UPDATE SET "
            f"{', '.join(f'{name} = excluded.{name}' for name in _CHOSEN)}",
            [collection_id, secrets.token_hex(16), *asdict(choice).values(), utc_now(), until],
        )
    (page,) = [one for one in list_public_pages(store) if one.collection_id == collection_id]
    return page


def withdraw_public_page(store: Store, collection_id: str, by: str = "") -> None:
    """End a public page: its link leads nowhere, and the next page gets another one."""
    if find_public_page(store, collection_id) is None:
        return
    with store.change(collection_id, "withdraw", SUBJECT, "", by) as cursor:
        cursor.execute("DELETE FROM public_pages WHERE collection_id = ?", [collection_id])


def find_public_page(store: Store, collection_id: str) -> PublicPage | None:
    """Return the public page of a collection, if it has one."""
    pages = list_public_pages(store)
    return next((one for one in pages if one.collection_id == collection_id), None)


def list_public_pages(store: Store) -> list[PublicPage]:
    """Return all public pages."""
    rows = fetch(
        store.cursor(),
        f"SELECT collection_id, page_id, shown_until, {', '.join(_CHOSEN)} "
        "FROM public_pages ORDER BY collection_id",
    )
    return [
        PublicPage(
            row["collection_id"],
            _make_code(store, row["page_id"]),
            PublicChoice(**{name: row[name] for name in _CHOSEN}),
            row["shown_until"],
        )
        for row in rows
    ]


def renew_public_page(store: Store, page: PublicPage) -> int:
    """Return the label event as of which a page is now, having moved it on where it may be."""
    rows = fetch(
        store.cursor(),
        "SELECT assessor_id, max(sequence) AS last, "
        "count(DISTINCT (topic_id, document_id, facet, engine)) AS labels FROM labels "
        "WHERE collection_id = ? AND sequence > ? AND NOT stale GROUP BY assessor_id",
        [page.collection_id, page.shown_until],
    )
    given = [row["labels"] for row in rows]
    besides = sum(given) - max(given, default=0)
    if len(given) < page.choice.new_people or besides < page.choice.new_labels:
        return page.shown_until
    until = int(max(row["last"] for row in rows))
    store.database.run(
        "UPDATE public_pages SET shown_until = ? WHERE collection_id = ? AND shown_until < ?",
        [until, page.collection_id, until],
    )
    return until


def is_judging_open(store: Store, collection_id: str) -> bool:
    """Tell whether assessors may still judge: then nothing that others said can be given away."""
    rows = fetch(
        store.cursor(),
        "SELECT 1 FROM rounds JOIN collections USING (collection_id) WHERE collection_id = ? "
        "AND rounds.closed_at IS NULL AND collections.closed_at IS NULL LIMIT 1",
        [collection_id],
    )
    return bool(rows)


def _make_code(store: Store, page_id: str) -> str:
    made = hmac.digest(store.secret.encode(), f"public page {page_id}".encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(made).decode()[:_SIGNS]
