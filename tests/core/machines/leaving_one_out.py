"""The alternative annotator test in plain Python, item by item, with SciPy's tests."""

from collections import defaultdict
from functools import cache
from statistics import mean

import numpy as np
from scipy.stats import false_discovery_control, ttest_1samp, wilcoxon


def accuracy(level, others):
    return sum(level == one for one in others) / len(others)


def negative_rmse(level, others):
    return -((sum((level - one) ** 2 for one in others) / len(others)) ** 0.5)


def compare_items(people, machine, score=accuracy, fewest_people=2):
    """Return (topic, W of the machine, W of the person) of each item, by the person left out."""
    items, machine = defaultdict(dict), {tuple(row[:2]): row[2] for row in machine}
    for topic, document, person, level in people:
        items[topic, document][person] = level
    compared = defaultdict(list)
    for item, own in items.items():
        for person, level in own.items():
            others = [one for name, one in own.items() if name != person]
            if item in machine and len(others) >= fewest_people - 1:
                of_machine, of_person = score(machine[item], others), score(level, others)
                # Differences of equal levels add up in another order: roots of equals may differ.
                ahead, behind = of_machine - of_person > -1e-9, of_person - of_machine > -1e-9
                compared[person].append((item[0], float(ahead), float(behind)))
    return compared


def p_of_one(compared, epsilon):
    """Return the p over items of one person."""
    apart = sorted(behind - ahead for _, ahead, behind in compared)
    if len(apart) >= 30:
        return ttest_1samp(apart, epsilon, alternative="less").pvalue
    return rank(tuple(apart), epsilon)


@cache
def rank(apart, epsilon):
    """Return the p of signed ranks: SciPy takes a while to go through all signs."""
    return wilcoxon(np.array(apart) - epsilon, alternative="less").pvalue


def run(people, machine, epsilon=0.2, score=accuracy, fewest=1, fewest_people=2):
    """Return by person n, advantage, p and whether it is rejected; and omega and rho."""
    compared = sorted(compare_items(people, machine, score, fewest_people).items())
    compared = {person: own for person, own in compared if len(own) >= fewest}
    p = [p_of_one(own, epsilon) for own in compared.values()]
    rejected = false_discovery_control(p, method="by") <= 0.05
    found = {
        person: (len(own), mean(ahead for _, ahead, _ in own), p[at], bool(rejected[at]))
        for at, (person, own) in enumerate(compared.items())
    }
    return found, mean(map(float, rejected)), mean(one[1] for one in found.values())
