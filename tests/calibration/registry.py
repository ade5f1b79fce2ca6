"""Every interval and every test that the product shows, with the studies that try it."""

from tests.calibration import (
    agreement,
    clicks,
    clicks_judged,
    differences,
    gains,
    interleaving,
    judging,
    machine_scores,
    machines,
    means,
    orders,
    planning,
    preferences,
    showing,
    stopping,
)
from tests.calibration.coverage import Family
from tests.calibration.error_rates import TEST_FAMILIES, TestFamily

FAMILIES: tuple[Family, ...] = (
    *agreement.FAMILIES,
    *machines.FAMILIES,
    *preferences.FAMILIES,
    *means.FAMILIES,
    *differences.FAMILIES,
    *orders.FAMILIES,
    *judging.FAMILIES,
    *planning.FAMILIES,
    *gains.FAMILIES,
    *machine_scores.FAMILIES,
    *showing.FAMILIES,
    *stopping.FAMILIES,
    *clicks.FAMILIES,
    *clicks_judged.FAMILIES,
    *interleaving.FAMILIES,
)
TESTS: tuple[TestFamily, ...] = TEST_FAMILIES
