"""Every interval and every test that the product shows, with the studies that try it."""

from tests.calibration import (
    agreement,
    differences,
    gains,
    interleaving,
    machine_scores,
    machines,
    means,
    orders,
    preferences,
    showing,
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
    *gains.FAMILIES,
    *machine_scores.FAMILIES,
    *showing.FAMILIES,
    *interleaving.FAMILIES,
)
TESTS: tuple[TestFamily, ...] = TEST_FAMILIES
