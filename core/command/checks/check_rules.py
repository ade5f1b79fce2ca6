"""The proof that saved rules of qrels versions can be used and are what was saved."""

from core.errors import BadInput
from core.store.check.integrity import CheckResult, make_fault
from core.store.content.saved_rules import list_recorded_rules
from core.store.store import Store
from core.versions.rules import QrelsRule


def check_rules(store: Store) -> CheckResult:
    """Prove that each rule parses and has the hash of the text that was saved under its name."""
    broken, altered = [], []
    rows = list_recorded_rules(store)
    for row in rows:
        where = f"collection {row['collection_id']}: '{row['name']}'"
        try:
            now = QrelsRule.from_json(row["rule"]).rule_hash
        except BadInput as error:
            broken.append(f"{where}: {error}")
            continue
        then = _hash_recorded(row["recorded"], row["name"])
        if now != then:
            altered.append(f"{where}: rule {now[:12]}, recorded {then[:12] or 'never'}")
    return CheckResult(
        "rules",
        "Every saved rule of a qrels version can be read, and has the hash that was recorded.",
        len(rows),
        "rules",
        make_fault("a rule cannot be read", broken)
        + make_fault("a rule is not the one that was saved", altered),
    )


def _hash_recorded(detail: str | None, name: str) -> str:
    """Return the hash of the rule that the record of changes has under a name."""
    try:
        return QrelsRule.from_json((detail or "").removeprefix(f"{name}: ")).rule_hash
    except BadInput:
        return ""
