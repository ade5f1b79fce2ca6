"""What goes into a bundle."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput

if TYPE_CHECKING:
    from core.analysis.results.qrels_choices import QrelsChoice

MEASURES = ("AP", "nDCG@10", "P@10")
"""What runs are scored by unless somebody chooses otherwise, besides the declared measure."""

WHOLE, HASHES = RUNS = ("whole", "hashes")


@dataclass(frozen=True)
class Choices:
    """What goes into a bundle.

    Parameters
    ----------
    versions : sequence of str or QrelsChoice
        Qrels versions, by name as `find_choice` takes them; the usual ones where none is named.
    labels : bool
        Labels of those who consented, with codes.
    imported_labels : bool
        Also those of assessors known by imported files only.
    runs : {'whole', 'hashes'}
        Whether runs are in the bundle, or only their hashes.
    measures : sequence of str, optional
        What runs are scored by; the declared measure and usual ones, without.
    test : SignificanceTest, optional
        Samples, seed and α of the test of differences; as usual at the declared α, without.
    licence : str
        An address or a text that says what others may do with the bundle.
    agreement : bool
        What rests on labels that are not published themselves: agreement and weights.
    """

    versions: "Sequence[str | QrelsChoice]" = ()
    labels: bool = False
    imported_labels: bool = False
    runs: str = WHOLE
    measures: Sequence[str] | None = None
    test: SignificanceTest | None = None
    licence: str = ""
    agreement: bool = True

    def __post_init__(self) -> None:
        if self.runs not in RUNS:
            raise BadInput(f"'{self.runs}' is none of {', '.join(RUNS)}", field="runs")
        if self.imported_labels and not self.labels:
            raise BadInput("imported labels are published with labels only", field="labels")
        if self.measures is not None and not self.measures:
            raise BadInput("at least one measure is needed", field="measures")
