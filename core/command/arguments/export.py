"""Arguments of ``dissent export``."""

from argparse import ArgumentParser

from core.collection.export.exported_kinds import (
    EXPORTED,
    LABEL_TOOLS,
    QRELS_FORMATS,
    SAMPLED_FORMATS,
)
from core.collection.records import FACETS
from core.command.arguments.shared import WEIGHTS_HELP, add_collection, parse_count, parse_list
from core.versions.combine import COMBINATIONS, PAIR
from core.versions.rules import ROUNDINGS

KINDS = ("qrels", "runs", *EXPORTED)
LISTS = ("assessors", "groups", "topics", "slots", "rounds")
_WEIGHTS = (
    f"for --combine udm, {WEIGHTS_HELP}; for --combine combined, that of 'dissent weights "
    "--combined'"
)
RULE = ("combine", "facet", *LISTS, "judges", "weights", "factor", "rounding")


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Write the qrels, labels, aspects, preferences or runs of a collection, the reasons of "
        "preferences, the questions of its assessors with what the organiser said, the versions "
        "of its guidelines, the passages that assessors marked, how labels came about (paradata), "
        "the raw answers of machines with what they cost, or a click log. Qrels are made from the "
        "labels by a rule: the highest level of all assessors of the page, unless the options say "
        "otherwise."
    )
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    add_collection(parser)
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="default: standard output; may be .gz"
    )
    parser.add_argument(
        "--format",
        choices=("csv", "parquet", *LABEL_TOOLS, *QRELS_FORMATS, *SAMPLED_FORMATS),
        help="format of labels (default: from the end of the file's name, or csv): also as a tool "
        "reads them; preferences can be written for label-studio, and qrels as trec (default), "
        "ntcir, or beir: a ZIP of Parquet with topics and documents; where a sample of the pool "
        "was judged, also as strata (for NIST's sample_eval), prels (with probabilities), or "
        "sample: TSV with both",
    )
    parser.add_argument(
        "--names",
        action="store_true",
        help="with what people said and wrote: their ids, and names where the file has them, in "
        "place of codes",
    )
    parser.add_argument(
        "--everybody",
        action="store_true",
        help="with labels, aspects, preferences, reasons, passages and paradata: also those of "
        "machines and gold, which no page counts",
    )
    parser.add_argument(
        "--aspect",
        default="",
        metavar="NAME",
        help="with qrels: of the levels of this aspect; with aspects: only this one",
    )
    parser.add_argument(
        "--after-discussion",
        action="store_true",
        help="with qrels, labels, aspects, preferences and reasons: as they stand after assessors "
        "have seen what others said; without it they are as given",
    )
    parser.add_argument(
        "--log", default="", metavar="NAME", help="with clicks: which click log, where several are"
    )
    _add_rule(parser)


def _add_rule(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("the version of the qrels")
    group.add_argument(
        "--version",
        metavar="RULE",
        help="by name, as on the page 'Qrels versions': 'all, maximum', 'slot 1', 'only' an "
        "assessor, a group, a saved rule, qrels as imported; 'UDM' is of at least 1 of 3 users, "
        "'UDM, 2 of 5' of others",
    )
    group.add_argument(
        "--combine",
        choices=(*COMBINATIONS, PAIR),
        help="how labels become one level (default maximum); of several equally frequent levels "
        "'majority' takes the lowest, 'majority-highest' the highest, and 'majority-untied' leaves "
        "the item out; 'combined' takes snippet and page together, and a document has the level "
        "of its best engine",
    )
    group.add_argument("--facet", choices=FACETS, help="which labels (default page)")
    for name in LISTS:
        group.add_argument(
            f"--{name}", type=parse_list, metavar="A,B,…", help=f"only these {name} (default all)"
        )
    count = parse_count(1)
    group.add_argument("--judges", type=count, metavar="K", help="the first K labels of an item")
    group.add_argument("--weights", metavar="FILE", help=_WEIGHTS)
    group.add_argument(
        "--factor", type=count, metavar="F", help="multiply levels before they are rounded"
    )
    group.add_argument(
        "--rounding",
        choices=ROUNDINGS,
        help="how levels are rounded to whole numbers (default nearest)",
    )
