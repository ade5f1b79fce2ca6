"""Collections: their names and guidelines, and whether they are open."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from core.collection.records import default_scales
from core.errors import BadInput, NotFound
from core.language.translate import ENGLISH, LANGUAGES, speaking, t
from core.store.audit.change_diff import describe_change, describe_scale
from core.store.content.declarations import NEW_STUDY, insert_declaration
from core.store.content.guidelines import check_note, insert_version
from core.store.content.scales import Scales, insert_scale
from core.store.file.database import fetch
from core.store.store import Store, utc_now


@dataclass(frozen=True)
class Collection:
    """What is being judged, and how. ``simulated`` says so where the labels are.

    ``language`` is the code of what assessors and students read around the items;
    ``hides_pace`` tells whether the judging screen shows nobody how quick they are.
    """

    collection_id: str
    name: str
    description: str
    guidelines: str
    simulated: str
    created_at: datetime
    closed_at: datetime | None
    language: str = ENGLISH
    hides_pace: bool = False


def create_collection(
    store: Store,
    name: str,
    *,
    description: str = "",
    guidelines: str = "",
    simulated: str = "",
    scales: Scales | None = None,
    language: str = ENGLISH,
    by: str = "",
) -> str:
    """Create an empty collection and return its id; its usual scales are in its language.

    It declares what new studies do.

    Raises
    ------
    BadInput
        It has no name, there is no such language, or a scale has levels that cannot be told apart.
    """
    name = _check_name(name)
    _check_language(language)
    collection_id = secrets.token_hex(4)
    made = {"name": name, "description": description, "guidelines": guidelines}
    made = {field: text for field, text in (made | {"simulated": simulated}).items() if text}
    if language != ENGLISH:
        made["language"] = LANGUAGES[language]
    with speaking(language):
        scales = scales or default_scales()
    for facet, levels in scales.items():
        made |= {f"{facet} {field}": text for field, text in describe_scale(levels).items()}
    made["qrels version"] = NEW_STUDY.version
    detail = describe_change({}, made)
    with store.change(collection_id, "create", "collection", detail, by) as cursor:
        cursor.execute(
            "INSERT INTO collections VALUES (?, ?, ?, ?, ?, ?, NULL, ?, false)",
            [collection_id, name, description, guidelines, simulated, utc_now(), language],
        )
        if guidelines:
            insert_version(cursor, collection_id, guidelines, "", by)
        for facet, levels in scales.items():
            insert_scale(cursor, collection_id, facet, levels)
        insert_declaration(cursor, collection_id, NEW_STUDY)
    return collection_id


def list_collections(store: Store) -> list[Collection]:
    """Return every collection, oldest first."""
    rows = fetch(store.cursor(), "FROM collections ORDER BY created_at, collection_id")
    return [Collection(**row) for row in rows]


def get_collection(store: Store, collection_id: str) -> Collection:
    """Return one collection; raises NotFound."""
    rows = fetch(store.cursor(), "FROM collections WHERE collection_id = ?", [collection_id])
    if not rows:
        raise NotFound(t("There is no such collection."))
    return Collection(**rows[0])


def find_collection(store: Store, name: str) -> str:
    """Return the id of the collection of this name or id; raises NotFound."""
    for collection in list_collections(store):
        if name in (collection.collection_id, collection.name):
            return collection.collection_id
    raise NotFound(f"There is no collection called '{name}' in this store.")


def describe_collection(
    store: Store,
    collection_id: str,
    *,
    name: str,
    description: str,
    guidelines: str,
    note: str = "",
    by: str = "",
) -> None:
    """Change the name and the texts of a collection; other guidelines are a new version.

    Parameters
    ----------
    note : str
        What changed in the guidelines, in one line, for assessors who judged under older ones.

    Raises
    ------
    BadInput
        It has no name, or the note is not one line or too long.
    """
    note = check_note(note)
    name = _check_name(name)
    after = {"name": name, "description": description, "guidelines": guidelines}
    before: dict[str, str] = {}

    def detail() -> str:
        return describe_change(before, after)

    # No label comes in between: each has one version that was in force.
    change = store.change(collection_id, "describe", "collection", detail, by)
    with store.labels.pause(), change as cursor:
        before |= fetch(
            cursor,
            "SELECT name, description, guidelines FROM collections WHERE collection_id = ?",
            [collection_id],
        )[0]
        cursor.execute(
            "UPDATE collections SET name = ?, description = ?, guidelines = ? "
            "WHERE collection_id = ?",
            [name, description, guidelines, collection_id],
        )
        if guidelines != before["guidelines"]:
            insert_version(cursor, collection_id, guidelines, note, by)


def choose_language(store: Store, collection_id: str, language: str, by: str = "") -> None:
    """Choose what assessors and students read around the items; raises BadInput, NotFound."""
    _check_language(language)
    before = get_collection(store, collection_id).language
    detail = describe_change({"language": LANGUAGES[before]}, {"language": LANGUAGES[language]})
    with store.change(collection_id, "describe", "collection", detail, by) as cursor:
        cursor.execute(
            "UPDATE collections SET language = ? WHERE collection_id = ?",
            [language, collection_id],
        )


def hide_pace(store: Store, collection_id: str, *, hidden: bool, by: str = "") -> None:
    """Show assessors of a collection their own pace and the time left, or hide them from all."""
    before = get_collection(store, collection_id).hides_pace
    detail = describe_change({"pace hidden": before}, {"pace hidden": hidden})
    with store.change(collection_id, "describe", "collection", detail, by) as cursor:
        cursor.execute(
            "UPDATE collections SET hides_pace = ? WHERE collection_id = ?", [hidden, collection_id]
        )


def close_collection(store: Store, collection_id: str, *, closed: bool, by: str = "") -> None:
    """Close a collection to new judgements, or open it again."""
    what = "close" if closed else "reopen"
    detail = describe_change({"closed": not closed}, {"closed": closed})
    with store.change(collection_id, what, "collection", detail, by) as cursor:
        cursor.execute(
            "UPDATE collections SET closed_at = ? WHERE collection_id = ?",
            [utc_now() if closed else None, collection_id],
        )


def _check_language(language: str) -> None:
    if language not in LANGUAGES:
        raise BadInput(
            f"there is no language '{language}'; there are {', '.join(LANGUAGES)}", field="language"
        )


def _check_name(name: str) -> str:
    if not name.strip():
        raise BadInput("a collection needs a name", field="name")
    return name.strip()
