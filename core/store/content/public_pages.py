"""Which collections have a page of results that everybody with its link can read."""

import base64
import hashlib
import hmac
import secrets
from dataclasses import asdict, dataclass

from core.store.audit.change_diff import describe_change
from core.store.file.database import fetch
from core.store.store import Store, utc_now

SUBJECT = "public page"
_SIGNS = 32


@dataclass(frozen=True)
class PublicChoice:
    """What an organiser makes public: a qrels version, a measure, and what else is allowed.

    ``bundle_labels`` puts labels of those who consented into the bundle.
    """

    version: str
    measure: str
    agreement: bool = True
    scores: bool = True
    qrels: bool = False
    bundle: bool = False
    bundle_labels: bool = False


@dataclass(frozen=True)
class PublicPage:
    """A page that is public now; ``code`` is the secret part of its address."""

    collection_id: str
    code: str
    choice: PublicChoice


def publish(store: Store, collection_id: str, choice: PublicChoice, by: str = "") -> PublicPage:
    """Make a page public, or change what is on it; its link stays the same until it is withdrawn.

    The code is not in the store: it follows from the store's key, so that nobody who reads a
    backup can open the page.
    """
    before = find_public_page(store, collection_id)
    detail = describe_change(asdict(before.choice) if before else {}, asdict(choice))
    with store.change(collection_id, "publish", SUBJECT, detail, by) as cursor:
        cursor.execute(
            "INSERT INTO public_pages (collection_id, page_id, version, measure, agreement, "
            "scores, qrels, bundle, bundle_labels, published_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "version = excluded.version, measure = excluded.measure, "
            "agreement = excluded.agreement, scores = excluded.scores, qrels = excluded.qrels, "
            "bundle = excluded.bundle, bundle_labels = excluded.bundle_labels",
            [collection_id, secrets.token_hex(16), *asdict(choice).values(), utc_now()],
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
        "SELECT collection_id, page_id, version, measure, agreement, scores, qrels, bundle, "
        "bundle_labels "
        "FROM public_pages ORDER BY collection_id",
    )
    return [
        PublicPage(
            row.pop("collection_id"), _make_code(store, row.pop("page_id")), PublicChoice(**row)
        )
        for row in rows
    ]


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
