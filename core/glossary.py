"""The terms of the field that Dissent uses: shown on the page *Glossary* and in the handbook."""

from typing import NamedTuple


class Term(NamedTuple):
    """A term, what it means in one sentence, and where it comes from."""

    term: str
    meaning: str
    source: str


_TREC = "Voorhees & Harman (eds.), TREC: Experiment and Evaluation in Information Retrieval (2005)"
_TEXTBOOK = "Baeza-Yates & Ribeiro-Neto (2011), Modern Information Retrieval, 2nd ed., ch. 4"
_UDM = "Demeester et al. (2014), WSDM, doi:10.1145/2556195.2556268"
_CLICKS = "Chuklin, Markov & de Rijke (2015), doi:10.2200/S00654ED1V01Y201507ICR043"
_DISSENT = "as used in Dissent"

GLOSSARY = (
    Term("AC1, AC2", "Agreement beyond chance that stays stable where one level prevails; AC2 "
         "counts near misses in part.",
         "Gwet (2008), Br. J. Math. Stat. Psychol. 61(1), doi:10.1348/000711006X126600"),
    Term("agreement matrix", "A table that counts, for two assessors, how often each pair of "
         "levels was given to the same item; also called confusion matrix.",
         "Cohen (1960), Educ. Psychol. Meas. 20(1), doi:10.1177/001316446002000104"),
    Term("alternative annotator test", "Whether a machine is as close to the other people as each "
         "person who is left out in turn, but for a margin.",
         "Calderon, Reichart & Dror (2025), ACL, arXiv:2501.10970"),
    Term("AP", "Average precision: the mean of the precision at each relevant document, counting "
         "0 for those that were not retrieved.", _TEXTBOOK),
    Term("as given, after discussion", "Labels as their assessors gave them without knowing those "
         "of others, and as they stand after some have seen where others differ; agreement counts "
         "the first.", _DISSENT),
    Term("aspect", "What is judged of an item besides its relevance and in the same pass, trust or "
         "freshness for instance, on levels of its own.", _DISSENT),
    Term("assessor", "A person who judges items; an organiser invites assessors to a "
         "collection.", _TREC),
    Term("attractiveness", "How likely a user clicks a result once it is examined, whatever its "
         "rank.", _CLICKS),
    Term("bpref", "The share of pairs of a relevant and a non-relevant judged document that are "
         "in the right order, so that unjudged documents have no influence.",
         "Buckley & Voorhees (2004), SIGIR, doi:10.1145/1008992.1009000"),
    Term("Bradley–Terry model", "A model that gives each document or system a strength such that "
         "the chance of being preferred is its share of the two strengths.",
         "Bradley & Terry (1952), Biometrika 39(3/4), doi:10.2307/2334029"),
    Term("careless responding", "Answers given without looking at what is asked, as by clicking at "
         "random; speed, long runs of one answer and low agreement are its signs.",
         "Meade & Craig (2012), Psychol. Methods 17(3), doi:10.1037/a0028085"),
    Term("circularity", "The agreement of a run with a machine beyond what people's levels and the "
         "other runs explain: a sign that the run was made with the machine's labels, or by a "
         "model like it.", _DISSENT),
    Term("click model", "A model of how a user goes down a list of results and clicks, fitted to a "
         "click log; it tells what results are worth from where they stood.", _CLICKS),
    Term("common items", "The items that two assessors have both judged: what their agreement is "
         "computed from.", _DISSENT),
    Term("compatibility", "The rank-biased overlap of a ranking with the ideal ranking that is "
         "most like it; only the order of the levels matters.",
         "Clarke, Vtyurina & Smucker (2021), ACM TOIS 39(3), doi:10.1145/3451161"),
    Term("condensed list", "A ranking without the documents that have no judgement; measures on it "
         "(judged_only) do not count these as not relevant.",
         "Sakai (2007), SIGIR, doi:10.1145/1277741.1277756"),
    Term("confidence interval", "The range of values that fits the data at 95 % confidence, its "
         "limits in brackets or as from and to; the sampling unit, usually the topic, is shown "
         "beside it.",
         "Sakai (2018), Laboratory Experiments in Information Retrieval"),
    Term("depth", "The number of top results of each run that go into the pool.", _TREC),
    Term("design effect", "How many times as many items of few topics have to be judged as if each "
         "were of a topic of its own, because items of one topic are alike.",
         "Kish (1965), Survey Sampling"),
    Term("detectable difference", "The least difference of two mean scores that a number of topics "
         "tells with the power that is wanted.",
         "Sakai (2016), Inf. Retr. J. 19(3), doi:10.1007/s10791-015-9273-z"),
    Term("effect size", "A difference between two systems relative to how much it varies over "
         "topics, so that it does not grow with their number.",
         "Sakai (2018), Laboratory Experiments in Information Retrieval"),
    Term("examination", "That a user looks at a result: without it there is no click, however "
         "attractive the result is.",
         "Craswell, Zoeter, Taylor & Ramsey (2008), WSDM, doi:10.1145/1341531.1341545"),
    Term("facet", "The part of a result that is judged: its snippet or its page.", _DISSENT),
    Term("gain", "The value that a measure gives a document of some level, for example the level "
         "itself or its UDM weight.",
         "Järvelin & Kekäläinen (2002), ACM TOIS 20(4), doi:10.1145/582415.582418"),
    Term("generalisability", "How much of the variance of scores is due to systems: Eρ² for their "
         "order, Φ for the scores themselves; with more topics both come nearer to 1.",
         "Urbano, Marrero & Martín (2013), SIGIR, doi:10.1145/2484028.2484038"),
    Term("generalisability study", "Splitting the variance of labels or scores by what they come "
         "from, as topics, items and assessors, so that one can say what more of each would buy.",
         "Brennan (2001), Generalizability Theory, Springer"),
    Term("GMAP", "The geometric mean of the topics' average precision, in which poor topics count "
         "most.", "Robertson (2006), CIKM, doi:10.1145/1183614.1183630"),
    Term("gold label", "A level known in advance for some items, with which an assessor's labels "
         "are compared.", _DISSENT),
    Term("hidden repeat, occasion", "An item shown again to the same assessor without saying so; "
         "the first time is occasion 0, and only that label counts in agreement and qrels.",
         _DISSENT),
    Term("inclusion probability", "How likely a document of the pool was to be drawn into a sample "
         "of it; a drawn document stands for one over this probability.",
         "Horvitz & Thompson (1952), JASA 47(260), doi:10.1080/01621459.1952.10483446"),
    Term("inferred measure", "A measure estimated from judgements of a sample of the pool, as "
         "infAP, xinfAP, infNDCG and statAP.",
         "Yilmaz, Kanoulas & Aslam (2008), SIGIR, doi:10.1145/1390334.1390437"),
    Term("informativeness", "How closely the rankings inferred from a measure's value by maximum "
         "entropy resemble the real ones.",
         "Aslam et al. (2005), SIGIR; Ashkan & Clarke (2011), WWW"),
    Term("INST", "The mean gain of the documents read by a person who looks for T useful ones and "
         "reads on while they are not found.",
         "Moffat, Bailey, Scholer & Thomas (2015), ADCS, doi:10.1145/2838931.2838938"),
    Term("intent", "One of several meanings or needs behind a query, with judgements of its own; "
         "also called subtopic.",
         "Clarke et al. (2008), SIGIR, doi:10.1145/1390334.1390446"),
    Term("interleaving", "Comparing two systems by one list that is mixed of both their rankings: "
         "the system whose results are clicked more wins the page.",
         "Radlinski, Kurup & Joachims (2008), CIKM, doi:10.1145/1458082.1458092"),
    Term("invalid answer", "An answer of a machine of which no level of the scale can be read; it "
         "is kept, and counts as no level.", _DISSENT),
    Term("judged share", "The share of the documents that a measure looks at that are judged; the "
         "others count as not relevant.",
         "MacAvaney, Macdonald & Ounis (2022), Streamlining Evaluation with ir-measures, ECIR"),
    Term("Krippendorff's α", "Agreement beyond chance of any number of assessors, with levels "
         "treated as names, ranks or numbers, and with labels allowed to be missing.",
         "Krippendorff (2004), Human Commun. Res. 30(3), doi:10.1111/j.1468-2958.2004.tb00738.x"),
    Term("learning curve", "How near the score of a part of the labels comes to that of all, by "
         "how large the part is.", "Perlich, Provost & Simonoff (2003), JMLR 4"),
    Term("leave-one-run-out", "Scoring each run as if it, or its team's runs, had not contributed "
         "to the pool, to see how fair the judgements are to runs outside it.",
         "Zobel (1998), SIGIR, doi:10.1145/290941.291014"),
    Term("level", "The degree of relevance that an assessor gives an item; other texts call it "
         "grade, and Dissent always says level.", _TREC),
    Term("level shift", "How much higher a machine judges than a person on the items of both, on "
         "average: above 0 it is more lenient.", _DISSENT),
    Term("lift over position", "How many times more often people prefer what clicks prefer than "
         "they prefer results at the same two ranks in all pages; 1 means that clicks tell nothing "
         "more.", _DISSENT),
    Term("lineage", "The runs that use a machine's model or one of its family: what they gain from "
         "its labels is compared with what the other runs gain.", _DISSENT),
    Term("machine", "A model that judges in place of a person; it is marked wherever it is named, "
         "and its labels count only where a rule names it.", _DISSENT),
    Term("max-t test", "A test of all pairs of systems at once: the signs of differences are "
         "exchanged topic by topic, and each pair's t is compared with the largest of all.",
         "Westfall & Young (1993), Resampling-Based Multiple Testing"),
    Term("MaxMean", "An order of judging: the next document of the run whose judged documents "
         "have been relevant most often, by the mean of a Beta posterior.",
         "Losada, Parapar & Barreiro (2017), IP&M 53, doi:10.1016/j.ipm.2017.04.005"),
    Term("nDCG", "Normalised discounted cumulated gain: the sum of gains, each discounted by its "
         "rank, divided by that of an ideal ranking.",
         "Järvelin & Kekäläinen (2002), ACM TOIS 20(4), doi:10.1145/582415.582418"),
    Term("novelty", "The property that a document adds something about an intent that earlier "
         "documents did not cover; α-nDCG and related measures reward it.",
         "Clarke et al. (2008), SIGIR, doi:10.1145/1390334.1390446"),
    Term("order of judging", "Which items of a pool are judged first; one that learns from labels "
         "follows the runs that have been right, and needs fewer.",
         "Cormack, Palmer & Clarke (1998), SIGIR, doi:10.1145/290941.291009"),
    Term("p(top | level)", "The estimated chance that another assessor gives the top level to an "
         "item that one assessor gave this level.", _UDM),
    Term("paradata", "What is known of how an answer came about: how long it took, by key or "
         "pointer, what had been in view.",
         "Couper (1998), Proc. ASA Survey Research Methods; Kreuter (ed.), Improving Surveys with "
         "Paradata (2013)"),
    Term("perplexity", "How much clicks of held-out sessions surprise a click model: 1 is "
         "foresight, 2 is a coin.", _CLICKS),
    Term("pool", "The set of documents that are judged for a topic: usually the top results of "
         "all runs, taken together.", _TREC),
    Term("position bias", "That what is shown higher is clicked more, whatever it is.",
         "Joachims, Granka, Pan, Hembrooke & Gay (2005), SIGIR, doi:10.1145/1076034.1076063"),
    Term("power", "How often a test finds a difference that is there; it grows with the "
         "difference and with the number of topics.",
         "Cohen (1988), Statistical Power Analysis for the Behavioral Sciences"),
    Term("prediction-powered inference", "Estimating a mean from few topics that people judged and "
         "many that a machine judged, whose bias is corrected by the topics that both judged.",
         "Angelopoulos et al. (2023), Science 382(6671), doi:10.1126/science.adi6000"),
    Term("preference", "A judgement that one of two documents or systems, shown side by side, is "
         "better, or that they are tied.",
         "Carterette et al. (2008), Here or there, ECIR, LNCS 4956"),
    Term("Q-measure", "A graded form of average precision that blends precision with cumulated "
         "gain.", "Sakai & Song (2011), SIGIR, doi:10.1145/2009916.2010055"),
    Term("qrels", "Relevance judgements in TREC's format: a line with topic, iteration, document "
         "and level.", _TREC),
    Term("qrels version", "A set of qrels made from labels by a named, stored rule, for example "
         "the median of all assessors.", _DISSENT),
    Term("randomised Tukey HSD", "A test of all pairs of systems at once that permutes the scores "
         "of each topic over the systems; its family-wise error holds where systems vary alike.",
         "Carterette (2012), ACM TOIS 30(1), doi:10.1145/2094072.2094076"),
    Term("rank-biased α", "Krippendorff's α in which an item counts p^(rank − 1), by the best "
         "rank that a run gives it, so that agreement matters most where people look.", _DISSENT),
    Term("raw agreement", "The share of common items to which two assessors gave the same level, "
         "not corrected for chance.",
         "p_o of Cohen (1960), Educ. Psychol. Meas. 20(1), doi:10.1177/001316446002000104"),
    Term("RBA", "Rank-biased alignment: how alike two rankings are when weights fall by a constant "
         "factor from rank to rank in both; ties share the weights of their ranks.",
         "Moffat, Mackenzie, Mallia & Petri (2024), SIGIR-AP"),
    Term("RBO", "Rank-biased overlap: the similarity of two rankings, with weights that fall "
         "geometrically from the top.",
         "Webber, Moffat & Zobel (2010), ACM TOIS 28(4), doi:10.1145/1852102.1852106"),
    Term("residual", "How much higher a score by RBP or INST would be if everything that is not "
         "judged had the highest gain.",
         "Moffat & Zobel (2008), ACM TOIS 27(1), doi:10.1145/1416950.1416952"),
    Term("run", "A system's ranked results for all topics, in TREC's format.", _TREC),
    Term("side bias", "The tendency to prefer what is shown on one side, whatever it is; sides "
         "are therefore random.", _DISSENT),
    Term("significance test", "A test of whether a difference as large as the one observed would "
         "be rare if the systems did not differ.",
         "Sakai (2018), Laboratory Experiments in Information Retrieval"),
    Term("stop rule", "When an organiser wants to be told that enough is judged, by the "
         "probability that the best system stays best and by τ to the full pool; it proposes "
         "only.", _DISSENT),
    Term("stratified sample", "A sample of the pool of which each stratum, such as a band of "
         "ranks, is drawn at a rate of its own.",
         "Yilmaz, Kanoulas & Aslam (2008), SIGIR, doi:10.1145/1390334.1390437"),
    Term("Success", "Whether a relevant document is found up to the cut-off; its mean is the share "
         "of topics where one is.", "Craswell & Hawking (2004), TREC 2004 Web track overview"),
    Term("system", "A search engine or a configuration of one that has produced a run.", _TREC),
    Term("time-biased gain (TBG)", "The relevant documents that a person is expected to save, when "
         "more and more people give up with the time it takes to get there.",
         "Smucker & Clarke (2012), SIGIR, doi:10.1145/2348283.2348300"),
    Term("topic", "A statement of what somebody looks for: a query, and often a description and "
         "a narrative.", _TREC),
    Term("topic set size design", "Finding the number of topics that a collection needs, from what "
         "is to be told apart and from how much scores of a pilot vary.",
         "Sakai (2016), Inf. Retr. J. 19(3), doi:10.1007/s10791-015-9273-z"),
    Term("UDM weight", "The chance that at least M of N users find an item top that one "
         "assessor gave this level.", _UDM),
    Term("User Disagreement Model (UDM)", "A model that weights each level by the chance that "
         "users who may disagree with the assessor find the item top.", _UDM),
    Term("κ (Cohen's kappa)", "Agreement of two assessors beyond chance: 1 is full agreement, 0 "
         "is what chance alone would give.",
         "Cohen (1960), Educ. Psychol. Meas. 20(1), doi:10.1177/001316446002000104"),
    Term("κ, weighted", "κ that counts near misses in part: linear weighted κ by their distance "
         "on the scale, quadratic weighted κ by its square; unweighted κ does not count them.",
         "Cohen (1968), Psychological Bulletin 70(4), doi:10.1037/h0026256"),
    Term("τ (Kendall's tau)", "The rank correlation of two rankings: the share of pairs in the "
         "same order minus the share in opposite order; Dissent gives τ-b, which allows for ties.",
         "Kendall (1938), Biometrika 30(1/2), doi:10.1093/biomet/30.1-2.81"),
    Term("τ_AP", "A variant of Kendall's τ in which swaps near the top of the ranking count "
         "more.",
         "Yilmaz, Aslam & Robertson (2008), SIGIR, doi:10.1145/1390334.1390435"),
)  # fmt: skip
"""In alphabetical order, Greek letters last."""
