"""The stop rule of a collection is kept, changed and ended, and each change is on record."""

from core.store.content.collections import create_collection
from core.store.content.saved_rules import find_stop_rule, set_stop_rule
from core.store.store import Store


def test_a_rule_is_kept_changed_and_ended(store: Store):
    here = create_collection(store, "mine")
    assert find_stop_rule(store, here) == ""
    set_stop_rule(store, here, '{"best_stays": 0.95}', "o1")
    assert find_stop_rule(store, here) == '{"best_stays": 0.95}'
    set_stop_rule(store, here, '{"best_stays": 0.95}')
    set_stop_rule(store, here, '{"best_stays": 0.9}')
    assert find_stop_rule(store, here) == '{"best_stays": 0.9}'
    set_stop_rule(store, here, "")
    assert find_stop_rule(store, here) == ""
    rows = store.cursor().execute("SELECT detail FROM changes WHERE subject = 'stop rule'")
    assert [detail for (detail,) in rows.fetchall()] == [
        "best_stays: none → 0.95",
        "best_stays: 0.95 → 0.9",
        "best_stays: 0.9 → none",
    ]
