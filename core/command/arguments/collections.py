"""Arguments of commands about one collection: what is read into it, declared, and written."""

from argparse import ArgumentParser
from pathlib import Path

from core.bundle.choices import MEASURES as BUNDLE_MEASURES
from core.bundle.choices import RUNS
from core.collection.export.exported_kinds import (
    EXPORTED,
    LABEL_TOOLS,
    QRELS_FORMATS,
    SAMPLED_FORMATS,
)
from core.collection.records import FACETS
from core.command.arguments.label_files import add_label_options
from core.command.arguments.score_files import add_permutations, add_test, parse_measure_text
from core.command.arguments.shared import (
    WEIGHTS_HELP,
    add_collection,
    add_format,
    add_qrels_reading,
    add_run_reading,
    add_seed,
    parse_count,
    parse_list,
    parse_pairs,
)
from core.paper.choices import MEASURES as PAPER_MEASURES
from core.registered import list_formats
from core.versions.combine import COMBINATIONS, PAIR
from core.versions.rules import ROUNDINGS


def describe_declare(parser: ArgumentParser) -> None:
    """Describe ``dissent declare``."""
    parser.description = (
        "Say, or without options print, what a study declares: by which measure and qrels version "
        "systems are compared, at which α, on which topics. Pages, commands on the store, the API, "
        "the public page, bundles and paper packs begin there. The change is on record. While a "
        "server has the store open, use its page Collection."
    )
    add_collection(parser)
    parser.add_argument("--facet", choices=("page", "snippet"), help="whose labels count")
    parser.add_argument(
        "--measure", metavar="M", type=parse_measure_text, help="the primary measure, as nDCG@10"
    )
    parser.add_argument("--version", metavar="NAME", help="the qrels version, as 'all, median'")
    parser.add_argument(
        "--users", type=parse_count(1), metavar="N", help="users for whom the UDM stands"
    )
    parser.add_argument(
        "--at-least", type=parse_count(1), metavar="M", help="so many of them find an item top"
    )
    parser.add_argument("--alpha", type=float, metavar="A", help="of tests, above 0 and below 1")
    parser.add_argument(
        "--baseline", metavar="SYSTEM", help="what others are compared with; '' for none"
    )
    parser.add_argument(
        "--topics", nargs="*", metavar="ID", help="topics to score on; none named: all"
    )
    parser.add_argument(
        "--groups",
        metavar="WHAT",
        help="what groups of assessors are by, as expertise; '' for nothing in particular",
    )
    parser.add_argument(
        "--personal",
        choices=("yes", "no"),
        help="whether that is a personal attribute: groups below 20 people are then not shown, and "
        "groups are in no file and no bundle. Age, sex, country and the like always are",
    )
    add_format(parser)


def describe_import(parser: ArgumentParser) -> None:
    """Describe ``dissent import``."""
    parser.description = (
        "Read files into a collection. Of what kind they are is told from how they begin, unless "
        "one is named before them. Everything is checked first: if one line is faulty, nothing is "
        "stored. Rows that are already stored are left as they are; rows that "
        "differ from stored ones are refused."
    )
    parser.usage = (
        "dissent import [KIND] FILE [FILE ...] [options]\n"
        "       dissent import labels --machine NAME FILE [FILE ...] [options]"
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="[KIND] FILE",
        help="files in any of the known formats, also .gz; - for stdin. KIND: "
        f"{', '.join(list_formats())}. With the kind, irds:ID is a data set of the package "
        "ir_datasets",
    )
    add_collection(parser)
    parser.add_argument(
        "--create",
        action="store_true",
        help="create the store and the collection if they do not exist",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="check and count everything, store nothing"
    )
    parser.add_argument(
        "--file-format",
        default="",
        metavar="NAME",
        help=f"the format, if it cannot be recognised from the content; {_list_formats()}",
    )
    parser.add_argument(
        "--name", default="", metavar="NAME", help="what to call these qrels, or this click log"
    )
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="with clicks: leave malformed sessions out and count them, with their first lines; "
        "without it the first refuses the file",
    )
    add_run_reading(parser)
    add_qrels_reading(parser)
    add_label_options(parser)
    parser.add_argument(
        "--facet", choices=FACETS, help="the facet of the labels, where the file does not say"
    )
    parser.add_argument(
        "--aspect",
        default="",
        metavar="NAME",
        help="with aspects: only the rows of this aspect, or what all of a file without such a "
        "column are of",
    )
    parser.add_argument(
        "--texts", action="store_true", help="also take topics and documents from a ratings table"
    )
    add_machine_options(parser)
    add_format(parser)


def _list_formats() -> str:
    """Return the formats of the kinds that have several."""
    known = list_formats().items()
    return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in known if len(names) > 1)


def add_machine_options(parser: ArgumentParser) -> None:
    """Add the options that say which machine gave labels, and how its levels are read."""
    group = parser.add_argument_group(
        "labels of a machine",
        "Files are qrels of TREC, or tables and JSONL of labels, perhaps with the columns answer "
        "(word for word), reason, state (level, cannot judge, invalid answer), cost, input_tokens "
        "and output_tokens, and with model, version, prompt, parameters and date, which are the "
        "same in all rows. Labels of machines count only where a rule names them.",
    )
    group.add_argument("--machine", default="", metavar="NAME", help="whose labels these are")
    group.add_argument("--model", default="", help="which model it is")
    group.add_argument(
        "--model-version", default="", metavar="VERSION", help="which version of the model"
    )
    group.add_argument(
        "--prompt", default="", metavar="FILE", help="the text that it was asked with"
    )
    group.add_argument(
        "--parameters",
        default="",
        metavar="NAME=VALUE,…",
        help="how it was asked besides, as in temperature=0,seed=7; or a JSON object",
    )
    group.add_argument("--date", default="", help="when it judged")
    group.add_argument(
        "--map",
        type=parse_pairs,
        action="append",
        default=[],
        metavar="VALUE=LEVEL,…",
        help="what values mean that are on no scale, as in 5=3,10=invalid: a level, invalid (no "
        "level can be read) or cannot (cannot judge); without it they are refused. The rule is "
        "recorded",
    )


KINDS = ("qrels", "runs", *EXPORTED)
LISTS = ("assessors", "groups", "topics", "slots", "rounds")
_WEIGHTS = (
    f"for --combine udm, {WEIGHTS_HELP}; for --combine combined, that of 'dissent weights "
    "--combined'"
)
RULE = ("combine", "facet", *LISTS, "judges", "weights", "factor", "rounding")


def describe_export(parser: ArgumentParser) -> None:
    """Describe ``dissent export``."""
    parser.description = (
        "Write the qrels, labels, aspects, preferences or runs of a collection, the reasons of "
        "preferences, the questions of its assessors with what the organiser said, the versions "
        "of its guidelines, the passages that assessors marked, how labels came about (paradata), "
        "the raw answers of machines with what they cost, or a click log. Qrels are those of "
        "the version that the collection declares, unless another is named or options make a rule: "
        "the highest level of all assessors of the page, but for what they say."
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
    tip = "which labels (default: as declared; with options that make a rule, page)"
    group.add_argument("--facet", choices=FACETS, help=tip)
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


def describe_bundle(parser: ArgumentParser) -> None:
    """Describe ``dissent bundle``."""
    parser.description = (
        "Write a study bundle: qrels, the rules they were made by, runs, tables, figures and "
        "methods as one ZIP archive, an RO-Crate 1.1. 'dissent reproduce' computes its tables "
        "anew. Nobody's name is in it; labels are only if you ask for them."
    )
    parser.add_argument("file", type=Path, metavar="OUT.zip", help="must not exist yet")
    add_collection(parser)
    parser.add_argument(
        "--version",
        nargs="+",
        default=[],
        metavar="NAME",
        help="qrels versions by name, as on the page 'Qrels versions' (default: the declared "
        "one, 'all, maximum', 'all, median', 'all, minimum' and imported qrels)",
    )
    parser.add_argument(
        "--labels",
        action="store_true",
        help="with the labels of those who consented, under codes",
    )
    parser.add_argument(
        "--imported-labels",
        action="store_true",
        help="with --labels: also those of assessors known by imported files only, whom nobody "
        "can ask here; you vouch for their consent",
    )
    parser.add_argument(
        "--runs", choices=RUNS, default=RUNS[0], help="whole runs (default) or only their hashes"
    )
    parser.add_argument(
        "--measure",
        nargs="+",
        default=None,
        metavar="M",
        help=f"for the scores (default: {', '.join(BUNDLE_MEASURES)}, and the declared one)",
    )
    add_permutations(parser)
    parser.add_argument(
        "--licence", default="", metavar="TEXT", help="what others may do: an address or a text"
    )
    add_seed(parser)
    add_format(parser)


def describe_reproduce(parser: ArgumentParser) -> None:
    """Describe ``dissent reproduce``."""
    parser.description = (
        "Compute every table, figure and qrels version of a study bundle anew from what it holds, "
        "and compare each with what was published. Exit status 0: nothing differs; 1: something "
        "does, was changed, or nothing could be checked."
    )
    parser.add_argument("file", type=Path, metavar="STUDY.zip", help="of 'dissent bundle'")
    parser.add_argument(
        "--run",
        dest="runs",
        nargs="+",
        default=[],
        metavar="R",
        help="runs that the bundle has the hashes of only",
    )
    add_format(parser)


def describe_paper(parser: ArgumentParser) -> None:
    """Describe ``dissent paper``."""
    parser.description = (
        "Write what a paper takes into a folder: every table as LaTeX (booktabs, longtable) "
        "and Markdown, its data as CSV, every figure as SVG and PDF, a paragraph on methods with "
        "its numbers filled in, BibTeX of what it rests on, and paper.tex, which shows all of it. "
        "Assessors appear by codes. Figures need Matplotlib: pip install 'dissent-ir[paper]'."
    )
    parser.add_argument("folder", type=Path, metavar="OUT_FOLDER", help="a new or empty folder")
    add_collection(parser)
    parser.add_argument(
        "--version",
        nargs="+",
        action="extend",
        default=[],
        dest="versions",
        metavar="NAME",
        help="qrels versions as the pages name them, such as 'all, median' (default: that "
        "which the study declares)",
    )
    parser.add_argument(
        "--measure",
        nargs="+",
        action="extend",
        dest="measures",
        metavar="M",
        type=parse_measure_text,
        help="differences are tested by the first (default: the declared one, and "
        f"{' and '.join(PAPER_MEASURES)})",
    )
    add_test(parser)
    add_format(parser)
