"""Click models in plain Python, page by page: after the book, and by listing all that is hidden."""

from collections import defaultdict
from itertools import product
from math import log

LEAST = 1e-6


def pages_of(click_log):
    for item, clicked in zip(click_log.item.tolist(), click_log.clicked.tolist(), strict=True):
        yield [(one, bool(click)) for one, click in zip(item, clicked, strict=True) if one >= 0]


def share(yes, total, prior):
    return min((yes + prior) / (total + 2 * prior), 1 - LEAST)


def browse(pages, steps, *, by_click, prior=1.0, free=True):
    """Return attractiveness, examination and the log-likelihood after steps from one half.

    The updates are those of Chuklin, Markov and de Rijke (2015, ch. 4) and of PyClick, which
    begins every sum with one event that came and one that did not.
    """
    attractive, examined = defaultdict(lambda: 0.5), defaultdict(lambda: 0.5)

    def rows():
        for page in pages:
            above = 0
            for rank, (item, click) in enumerate(page):
                yield item, (rank, above if by_click else 0), click
                above = rank + 1 if click else above

    if not free:
        examined[0, 0] = 1.0
    for _ in range(steps):
        sums = {"a": defaultdict(lambda: [0.0, 0.0]), "e": defaultdict(lambda: [0.0, 0.0])}
        for item, context, click in rows():
            a, e = attractive[item], examined[context]
            for name, key, one, other in (("a", item, a, e), ("e", context, e, a)):
                sums[name][key][0] += 1 if click else (1 - other) * one / (1 - a * e)
                sums[name][key][1] += 1
        attractive |= {key: share(*found, prior) for key, found in sums["a"].items()}
        examined |= {key: share(*found, prior) for key, found in sums["e"].items()}
        if not free:
            examined[0, 0] = 1.0
    found = sum(
        log(attractive[item] * examined[context])
        if click
        else log(1 - attractive[item] * examined[context])
        for item, context, click in rows()
    )
    return dict(attractive), dict(examined), found


def count_to_last_click(pages, *, by_rank, prior=1.0):
    """Return what PyClick's SDBN, or DCM, takes from the log: closed sums to the last click."""
    attractive, goes_on = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])
    for page in pages:
        clicks = [rank for rank, (_, click) in enumerate(page) if click]
        last = clicks[-1] if clicks else len(page)
        for rank, (item, click) in enumerate(page):
            if rank <= last:
                attractive[item][0] += click
                attractive[item][1] += 1
            if click and rank + 1 < len(page):
                goes_on[rank if by_rank else item][0] += rank != last
                goes_on[rank if by_rank else item][1] += 1
    return (
        {key: share(*found, prior) for key, found in sums.items()} for sums in (attractive, goes_on)
    )


def predict(page, attract, stop, goes_on=1.0):
    """Return the chance of each click or skip of a page, given those above, as PyClick does."""
    examined, found = 1.0, []
    for rank, (item, click) in enumerate(page):
        chance = attract(item) * examined
        if click:
            examined = (1 - stop(rank, item)) * goes_on
        else:
            examined = goes_on * examined * (1 - attract(item)) / (1 - chance)
        found.append(chance if click else 1 - chance)
    return found


def stories(page, attract, stop, goes_on):
    """Yield the chance of every story that has the page's clicks, with what is hidden in it.

    A story says how far the user went down the list, and whether the last click satisfied.
    """
    length = len(page)
    last = max((rank for rank, (_, click) in enumerate(page) if click), default=-1)
    for end, satisfied in product(range(1, length + 1), (False, True)):
        if end <= last or (satisfied and end != last + 1):
            continue
        chance, looked, stayed, went, stopped = 1.0, [], 0, 0, []
        for rank, (item, click) in enumerate(page[:end]):
            chance *= attract(item) if click else 1 - attract(item)
            looked.append((item, click))
            is_end, is_stop = rank == end - 1, satisfied and rank == last
            below = rank + 1 < length
            if click:
                chance *= stop(rank, item) if is_stop else 1 - stop(rank, item)
                if below:
                    stopped.append((rank, item, is_stop))
            if below and not is_stop:
                chance *= 1 - goes_on if is_end else goes_on
                stayed += 1
                went += not is_end
        yield chance, looked, stayed, went, stopped


def go_down(pages, steps, *, by_rank=False, gives_up=False, prior=1.0):
    """Return the parameters and log-likelihood of DCM, SDBN or DBN after steps from one half."""
    attractive, stops, goes_on = defaultdict(lambda: 0.5), defaultdict(lambda: 0.5), 1.0
    goes_on = 0.5 if gives_up else 1.0

    def tell(page):
        return list(
            stories(
                page,
                lambda item: attractive[item],
                lambda rank, item: stops[rank if by_rank else item],
                goes_on,
            )
        )

    for _ in range(steps):
        seen, ends, on = (defaultdict(lambda: [0.0, 0.0]) for _ in range(3))
        for page in pages:
            told = tell(page)
            whole = sum(one[0] for one in told)
            for chance, looked, stayed, went, stopped in told:
                part = chance / whole
                for item, click in looked:
                    seen[item][0] += part * click
                    seen[item][1] += part
                for rank, item, is_stop in stopped:
                    ends[rank if by_rank else item][0] += part * is_stop
                    ends[rank if by_rank else item][1] += part
                on[0][0] += part * went
                on[0][1] += part * stayed
        attractive |= {key: share(*found, prior) for key, found in seen.items()}
        stops |= {key: share(*found, prior) for key, found in ends.items()}
        goes_on = share(*on[0], prior) if gives_up else 1.0
    found = sum(log(sum(one[0] for one in tell(page))) for page in pages)
    return dict(attractive), dict(stops), goes_on, found
