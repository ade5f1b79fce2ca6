"""What other programs and papers call the measures: understood, or answered with what is near."""

import re
from difflib import get_close_matches
from math import sqrt

from core.errors import BadInput
from core.measures.base import MEASURES

OTHER_NAMES = {
    "AP": ("map", "map_cut"),
    "P": ("precision", "set_P", "SetP"),
    "R": ("recall", "set_recall", "SetR"),
    "F": ("set_F", "SetF"),
    "Rprec": ("R-precision",),
    "RR": ("recip_rank", "MRR"),
    "nDCG": ("ndcg_cut",),
    "GMAP": ("gm_map",),
    "Success": ("hit", "hits"),
    "judged": (),
    "Q": ("Q-measure",),
    "AP-IA": ("MAP-IA",),
    "strec": ("StRecall", "subtopic-recall"),
    "Compat": ("compatibility",),
    "infAP": ("inferred-AP",),
}
"""What a measure is called elsewhere, by its name here: by trec_eval, ndeval and ir_measures."""

MISSING = (
    "11pt_avg", "binG", "G", "gm_bpref", "iprec_at_recall", "ndcg_rel", "num_q",
    "num_nonrel_judged_ret", "num_rel", "num_rel_ret", "num_ret", "relative_P", "relstring",
    "Rndcg", "Rprec_mult", "set_map", "set_relative_P", "utility", "Accuracy", "BPM", "INSQ",
    "IPrec", "NumQ", "NumRel", "NumRelRet", "NumRet", "SDCG", "SetAP", "SetRelP",
)  # fmt: skip
"""Names of trec_eval and ir_measures for what is no measure here."""

NEAREST = 3
"""How many names an answer has at most."""

_HEAD = re.compile(r"\s*(?P<name>\w[\w\-]*)(?P<rest>.*)", re.DOTALL)
_CUT = re.compile(r"(?P<name>.*[^\W\d])[_.](?P<cut>\d{1,9})")
_DCG = {"'log2'": "'linear'", "'exp-log2'": "'exp'"}


def translate_name(text: str) -> str:
    """Return a measure's text as Dissent writes it, whoever's name it has.

    Parameters
    ----------
    text : str
        Such as ``map``, ``P_10``, ``ndcg_cut_10``, ``ndcg@10``, ``recip_rank``, ``MRR@10``,
        ``SetF(beta=4)``, ``nDCG(dcg='exp-log2')@10``; what is written as here stays as it is.

    Raises
    ------
    BadInput
        Nobody's name begins the text; says which are near.
    """
    found = _HEAD.fullmatch(text)
    if not found:
        return text
    name, rest = _part_cut(found["name"] + _begin(found["rest"]), _go_on(found["rest"]))
    known = _find(name)
    if known is None:
        raise BadInput(_answer(text, name, rest))
    return known + _translate_arguments(known, name, rest)


def list_other_names(name: str) -> tuple[str, ...]:
    """Return what else a measure is called, cut-offs left out."""
    return OTHER_NAMES.get(name, ())


def _begin(rest: str) -> str:
    """Return what belongs to trec_eval's name though it follows a full stop: ``P.10``."""
    found = re.match(r"\.\d+", rest)
    return found[0] if found else ""


def _go_on(rest: str) -> str:
    return rest[len(_begin(rest)) :]


def _part_cut(name: str, rest: str) -> tuple[str, str]:
    """Return a name without the cut-off that trec_eval writes into it, and what follows it."""
    found = None if "@" in rest else _CUT.fullmatch(name)
    return (found["name"], f"{rest.rstrip()}@{found['cut']}") if found else (name, rest)


def _plainly(name: str) -> str:
    return name.replace("α", "alpha").replace("_", "-").casefold()


def _names() -> dict[str, str]:
    """Return the measures by every name they have, as `_plainly` writes it."""
    own = {_plainly(entry.name): entry.name for entry in MEASURES}
    others = {_plainly(one): name for name, several in OTHER_NAMES.items() for one in several}
    return others | own


def _find(name: str) -> str | None:
    return _names().get(_plainly(name))


def _translate_arguments(known: str, name: str, rest: str) -> str:
    """Return what follows a name, with the parameters of ir_measures as they are called here."""
    if known == "F" and _plainly(name) == "setf":
        # What ir_measures calls beta reaches trec_eval as β².
        rest = re.sub(r"beta\s*=\s*([\d.]+)", lambda one: f"b={sqrt(float(one[1])):g}", rest)
    if known in ("nDCG", "DCG"):
        rest = re.sub(r"\bgains\s*=", "gain=", rest)
        for theirs, ours in _DCG.items():
            quoted = theirs.replace("'", "['\"]?")
            rest = re.sub(rf"\bdcg\s*=\s*{quoted}", f"gain={ours}", rest)
    return rest


def _answer(text: str, name: str, rest: str) -> str:
    """Return why a text is no measure, and which are near."""
    names = _names()
    written = dict.fromkeys([*(entry.name for entry in MEASURES), *_flat()])
    plain = {_plainly(one): one for one in written}
    near = get_close_matches(_plainly(re.sub(r"\d+$", "", name)), plain, NEAREST, 0.6)
    digits = re.search(r"\d+$", name)
    tail = rest if "@" in rest or not digits else f"{rest}@{digits[0]}"
    found = list(dict.fromkeys(f"{names[one]}{tail.strip()}" for one in near))
    begun = f"'{text}' is not a measure"
    if _plainly(name) in map(_plainly, MISSING):
        begun = f"'{text}' is a measure of other programs that Dissent does not have"
    if not found:
        return f"{begun}; known are {', '.join(MEASURES.names())}"
    *most, last = found
    return f"{begun}; did you mean {', '.join(most) + ' or ' if most else ''}{last}?"


def _flat() -> list[str]:
    return [one for several in OTHER_NAMES.values() for one in several]
