"""What rounds will ask for that their order has not chosen yet."""

from core.store.rounds.orders import find_order_state, mean_steps
from core.store.rounds.rounds import Round
from core.store.store import Store


def count_to_come(store: Store, rules: Round) -> int:
    """Return how many judgements a round will ask for of what its order has not chosen yet.

    Pages that depend on their snippets are counted as if every one were called for. It is 0 for a
    round without an order, or one that is closed.
    """
    cursor = store.cursor()
    state = find_order_state(cursor, rules.round_id)
    if state is None or not state.left or rules.closed_at is not None:
        return 0
    return round(state.left * mean_steps(cursor, rules)) * rules.judges
