"""The works that results rest on, as BibTeX: only what was used goes into a paper.

What a measure or a coefficient rests on stands in its class; so does what BibTeX says of it, unless
it is in the list below, with its title.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from core.agreement.base import COEFFICIENTS
from core.comparison.choices import TESTS
from core.measures.base import MEASURES


@dataclass(frozen=True)
class Work:
    """One work.

    Parameters
    ----------
    key : str
        What it is cited by: the first author's surname and the year, as in ``cohen1968``.
    kind : str
        BibTeX's: article, inproceedings, book, techreport.
    citation : str
        How running text names it: ``Cohen 1968``.
    fields : tuple of (str, str)
        BibTeX's fields, in order.
    """

    key: str
    kind: str
    citation: str
    fields: tuple[tuple[str, str], ...]


def _article(
    key: str, citation: str, doi: str, author: str, title: str, journal: str, year: int, place: str
) -> Work:
    """Return an article; ``place`` is ``volume(number):pages``, the number left out if unknown."""
    issue, _, pages = place.partition(":")
    volume, _, number = issue.rstrip(")").partition("(")
    fields = [("author", author), ("title", title), ("journal", journal), ("year", str(year))]
    fields += [("volume", volume)] + ([("number", number)] if number else [])
    fields += [("pages", pages)] + ([("doi", doi)] if doi else [])
    return Work(key, "article", citation, tuple(fields))


def _paper(
    key: str,
    citation: str,
    doi: str,
    author: str,
    title: str,
    book: str,
    year: int,
    pages: str = "",
) -> Work:
    fields = [("author", author), ("title", title), ("booktitle", book), ("year", str(year))]
    fields += [("pages", pages)] if pages else []
    fields += [("doi", doi)] if doi else []
    return Work(key, "inproceedings", citation, tuple(fields))


def _book(key: str, citation: str, author: str, title: str, publisher: str, year: int) -> Work:
    named = {"author": author, "title": title, "publisher": publisher, "year": str(year)}
    return Work(key, "book", citation, tuple(named.items()))


_SIGIR = "Proceedings of the International ACM SIGIR Conference on Research and Development in Information Retrieval"  # noqa: E501
_WSDM = "Proceedings of the ACM International Conference on Web Search and Data Mining"
_CIKM = "Proceedings of the ACM Conference on Information and Knowledge Management"
_TOIS = "ACM Transactions on Information Systems"
_BULLETIN = "Psychological Bulletin"

# fmt: off
_WORKS = (
    _paper("agrawal2009", "Agrawal et al. 2009", "10.1145/1498759.1498766",
           "Agrawal, Rakesh and Gollapudi, Sreenivas and Halverson, Alan and Ieong, Samuel",
           "Diversifying search results", _WSDM, 2009, "5--14"),
    _paper("ashkan2011", "Ashkan and Clarke 2011", "",
           "Ashkan, Azin and Clarke, Charles L. A.",
           "On the informativeness of cascade and intent-aware effectiveness measures",
           "Proceedings of the International Conference on World Wide Web", 2011, "407--416"),
    _book("aslam2007", "Aslam and Pavlu 2007",
          "Aslam, Javed A. and Pavlu, Virgil",
          "A practical sampling strategy for efficient retrieval evaluation",
          "Northeastern University", 2007),
    _book("baezayates2011", "Baeza-Yates and Ribeiro-Neto 2011",
          "Baeza-Yates, Ricardo and Ribeiro-Neto, Berthier",
          "Modern Information Retrieval: The Concepts and Technology behind Search, 2nd edition",
          "Addison-Wesley", 2011),
    _paper("buckley2004", "Buckley and Voorhees 2004", "10.1145/1008992.1009000",
           "Buckley, Chris and Voorhees, Ellen M.",
           "Retrieval evaluation with incomplete information", _SIGIR, 2004, "25--32"),
    _article("carterette2012", "Carterette 2012", "10.1145/2094072.2094076",
             "Carterette, Benjamin A.",
             "Multiple testing in statistical analysis of systems-based information retrieval "
             "experiments", _TOIS, 2012, "30(1):4:1--4:34"),
    _paper("chapelle2009", "Chapelle et al. 2009", "10.1145/1645953.1646033",
           "Chapelle, Olivier and Metzler, Donald and Zhang, Ya and Grinspan, Pierre",
           "Expected reciprocal rank for graded relevance", _CIKM, 2009, "621--630"),
    _paper("clarke2008", "Clarke et al. 2008", "10.1145/1390334.1390446",
           "Clarke, Charles L. A. and Kolla, Maheedhar and Cormack, Gordon V. and Vechtomova, Olga "
           "and Ashkan, Azin and B{\\\"u}ttcher, Stefan and MacKinnon, Ian",
           "Novelty and diversity in information retrieval evaluation", _SIGIR, 2008, "659--666"),
    _paper("clarke2009", "Clarke et al. 2009", "10.1007/978-3-642-04417-5_17",
           "Clarke, Charles L. A. and Kolla, Maheedhar and Vechtomova, Olga",
           "An effectiveness measure for ambiguous and underspecified queries",
           "Advances in Information Retrieval Theory ({ICTIR})", 2009, "188--199"),
    _article("clarke2021", "Clarke et al. 2021", "10.1145/3451161",
             "Clarke, Charles L. A. and Vtyurina, Alexandra and Smucker, Mark D.",
             "Assessing top-k preferences", _TOIS, 2021, "39(3):33:1--33:21"),
    _article("cohen1968", "Cohen 1968", "10.1037/h0026256", "Cohen, Jacob",
             "Weighted kappa: Nominal scale agreement with provision for scaled disagreement or "
             "partial credit", _BULLETIN, 1968, "70(4):213--220"),
    _paper("craswell2004", "Craswell and Hawking 2004", "",
           "Craswell, Nick and Hawking, David", "Overview of the {TREC} 2004 {W}eb track",
           "Proceedings of the Text {RE}trieval Conference ({TREC})", 2004),
    _paper("demeester2014", "Demeester et al. 2014", "10.1145/2556195.2556268",
           "Demeester, Thomas and Aly, Robin and Hiemstra, Djoerd and Nguyen, Dong and "
           "Trieschnigg, Dolf and Develder, Chris",
           "Exploiting user disagreement for web search evaluation: An experimental approach",
           _WSDM, 2014, "33--42"),
    _article("fleiss1971", "Fleiss 1971", "10.1037/h0031619", "Fleiss, Joseph L.",
             "Measuring nominal scale agreement among many raters", _BULLETIN, 1971,
             "76(5):378--382"),
    _article("gwet2008", "Gwet 2008", "10.1348/000711006X126600", "Gwet, Kilem Li",
             "Computing inter-rater reliability and its variance in the presence of high agreement",
             "British Journal of Mathematical and Statistical Psychology", 2008, "61(1):29--48"),
    _book("gwet2014", "Gwet 2014", "Gwet, Kilem Li",
          "Handbook of Inter-Rater Reliability, 4th edition", "Advanced Analytics", 2014),
    _article("holm1979", "Holm 1979", "", "Holm, Sture",
             "A simple sequentially rejective multiple test procedure",
             "Scandinavian Journal of Statistics", 1979, "6(2):65--70"),
    _article("jarvelin2002", "Järvelin and Kekäläinen 2002", "10.1145/582415.582418",
             "J{\\\"a}rvelin, Kalervo and Kek{\\\"a}l{\\\"a}inen, Jaana",
             "Cumulated gain-based evaluation of {IR} techniques", _TOIS, 2002, "20(4):422--446"),
    _article("krippendorff2004", "Krippendorff 2004", "10.1111/j.1468-2958.2004.tb00738.x",
             "Krippendorff, Klaus",
             "Reliability in content analysis: Some common misconceptions and recommendations",
             "Human Communication Research", 2004, "30(3):411--433"),
    _paper("macavaney2022", "MacAvaney et al. 2022", "",
           "MacAvaney, Sean and Macdonald, Craig and Ounis, Iadh",
           "Streamlining evaluation with ir-measures",
           "Advances in Information Retrieval ({ECIR})", 2022, "305--310"),
    _article("moffat2008", "Moffat and Zobel 2008", "10.1145/1416950.1416952",
             "Moffat, Alistair and Zobel, Justin",
             "Rank-biased precision for measurement of retrieval effectiveness", _TOIS, 2008,
             "27(1):2:1--2:27"),
    _paper("moffat2015", "Moffat et al. 2015", "10.1145/2838931.2838938",
           "Moffat, Alistair and Bailey, Peter and Scholer, Falk and Thomas, Paul",
           "{INST}: An adaptive metric for information retrieval evaluation",
           "Proceedings of the Australasian Document Computing Symposium", 2015, "5:1--5:4"),
    _paper("moffat2024", "Moffat et al. 2024", "",
           "Moffat, Alistair and Mackenzie, Joel and Mallia, Antonio and Petri, Matthias",
           "Rank-biased quality measurement for sets and rankings",
           "Proceedings of the ACM {SIGIR} Conference on Information Retrieval in the Asia Pacific "
           "Region", 2024),
    Work("randolph2005", "techreport", "Randolph 2005", (
        ("author", "Randolph, Justus J."),
        ("title", "Free-marginal multirater kappa: An alternative to {F}leiss' fixed-marginal "
                  "multirater kappa"),
        ("institution", "ERIC"), ("number", "ED490661"), ("year", "2005"))),
    _paper("robertson2006", "Robertson 2006", "10.1145/1183614.1183630", "Robertson, Stephen",
           "On {GMAP}: and other transformations", _CIKM, 2006, "78--83"),
    _paper("robertson2010", "Robertson et al. 2010", "10.1145/1835449.1835550",
           "Robertson, Stephen E. and Kanoulas, Evangelos and Yilmaz, Emine",
           "Extending average precision to graded relevance judgments", _SIGIR, 2010, "603--610"),
    _article("romano2005", "Romano and Wolf 2005", "10.1198/016214504000000539",
             "Romano, Joseph P. and Wolf, Michael",
             "Exact and approximate stepdown methods for multiple hypothesis testing",
             "Journal of the American Statistical Association", 2005, "100(469):94--108"),
    _paper("sakai2006", "Sakai 2006", "", "Sakai, Tetsuya",
           "Evaluating evaluation metrics based on the bootstrap", _SIGIR, 2006, "525--532"),
    _paper("sakai2011", "Sakai and Song 2011", "10.1145/2009916.2010055",
           "Sakai, Tetsuya and Song, Ruihua",
           "Evaluating diversified search results using per-intent graded relevance", _SIGIR, 2011,
           "1043--1052"),
    _book("sakai2018", "Sakai 2018", "Sakai, Tetsuya",
          "Laboratory Experiments in Information Retrieval: Sample Sizes, Effect Sizes, and "
          "Statistical Power", "Springer", 2018),
    _article("scott1955", "Scott 1955", "10.1086/266577", "Scott, William A.",
             "Reliability of content analysis: The case of nominal scale coding",
             "Public Opinion Quarterly", 1955, "19(3):321--325"),
    _paper("smucker2012", "Smucker and Clarke 2012", "10.1145/2348283.2348300",
           "Smucker, Mark D. and Clarke, Charles L. A.",
           "Time-based calibration of effectiveness measures", _SIGIR, 2012, "95--104"),
    _article("smyth2004", "Smyth 2004", "10.2202/1544-6115.1027", "Smyth, Gordon K.",
             "Linear models and empirical {B}ayes methods for assessing differential expression in "
             "microarray experiments",
             "Statistical Applications in Genetics and Molecular Biology", 2004, "3(1):Article 3"),
    _article("voorhees2000", "Voorhees 2000", "10.1016/S0306-4573(00)00010-8",
             "Voorhees, Ellen M.",
             "Variations in relevance judgments and the measurement of retrieval effectiveness",
             "Information Processing and Management", 2000, "36(5):697--716"),
    _book("westfall1993", "Westfall and Young 1993", "Westfall, Peter H. and Young, S. Stanley",
          "Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment", "Wiley",
          1993),
    _article("wilson1927", "Wilson 1927", "10.1080/01621459.1927.10502953", "Wilson, Edwin B.",
             "Probable inference, the law of succession, and statistical inference",
             "Journal of the American Statistical Association", 1927, "22(158):209--212"),
    _paper("yilmaz2006", "Yilmaz and Aslam 2006", "10.1145/1183614.1183633",
           "Yilmaz, Emine and Aslam, Javed A.",
           "Estimating average precision with incomplete and imperfect judgments",
           _CIKM, 2006, "102--111"),
    _paper("yilmaz2008", "Yilmaz et al. 2008", "10.1145/1390334.1390437",
           "Yilmaz, Emine and Kanoulas, Evangelos and Aslam, Javed A.",
           "A simple and efficient sampling method for estimating {AP} and {NDCG}",
           _SIGIR, 2008, "603--610"),
    _paper("zhai2003", "Zhai et al. 2003", "10.1145/860435.860440",
           "Zhai, ChengXiang and Cohen, William W. and Lafferty, John",
           "Beyond independent relevance: Methods and evaluation metrics for subtopic retrieval",
           _SIGIR, 2003, "10--17"),
)
# fmt: on

_KNOWN = {work.key: work for work in _WORKS}
_REFERENCE = re.compile(r"(?:^|: )([^():]+?) \((\d{4})\),? ?(.*)")
_NEXT = re.compile(r", | & |(?= et al\.)")


@cache
def list_works() -> dict[str, Work]:
    """Return every work by its key: those above, and what else measures and coefficients name."""
    read = (_read(entry.reference) for entry in (*MEASURES, *COEFFICIENTS))
    return {work.key: work for work in read if work} | _KNOWN


def _read(reference: str) -> Work | None:
    """Return what a reference such as ``Cohen (1968), Psychological Bulletin 70(4)`` tells.

    None where it does not begin with authors and a year.
    """
    if not (found := _REFERENCE.search(reference)):
        return None
    names, year, place = found.groups()
    authors = [name.strip().replace("et al.", "others") for name in _NEXT.split(names)]
    plain = normalize("NFKD", authors[0]).encode("ascii", "ignore").decode().lower()
    authors_named = authors[0] if len(authors) == 1 else f"{authors[0]} and {authors[1]}"
    if len(authors) > 2 or authors[-1] == "others":
        authors_named = f"{authors[0]} et al."
    place, _, doi = place.partition("doi:")
    fields = [("author", " and ".join(authors)), ("year", year)]
    fields += [("howpublished", re.sub(r"([&%#_])", r"\\\1", place.rstrip(", ")))]
    fields += [("doi", doi)] if doi else []
    return Work(
        re.sub(r"[^a-z]", "", plain) + year, "misc", f"{authors_named} {year}", tuple(fields)
    )


def cite_measure(name: str) -> str:
    """Return the key of the work that defines a measure or a coefficient; '' if none does.

    Parameters
    ----------
    name : str
        As the registry has it, without arguments: ``nDCG``, ``kappa``.
    """
    known = (entry for entry in (*MEASURES, *COEFFICIENTS) if entry.name == name)
    work = next((_read(entry.reference) for entry in known), None)
    return work.key if work else ""


def cite_test(test: str, correction: str = "none") -> list[str]:
    """Return the keys of the works that a test of differences, and its correction, rest on."""
    found = [TESTS[test].source] if test in TESTS else []
    return [*found, *(["holm1979"] if correction == "holm" else [])]


def write_bibtex(keys: Iterable[str]) -> str:
    """Return the BibTeX of some works, each once, in the order of keys.

    Raises
    ------
    KeyError
        A key is unknown.
    """
    return "\n".join(_write(list_works()[key]) for key in sorted(set(keys)))


def _write(work: Work) -> str:
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in work.fields)
    return f"@{work.kind}{{{work.key},\n{fields}}}\n"
