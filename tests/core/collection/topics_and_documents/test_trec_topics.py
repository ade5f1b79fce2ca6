"""Topics in TREC's two notations."""

import pytest

XML = """<?xml version="1.0"?>
<!DOCTYPE web [
  <!ELEMENT web (topic)*>
  <!ATTLIST topic number CDATA #REQUIRED type (ambiguous|faceted) "ambiguous">
]>
<web>
<topic number=" 1 " type="faceted">
  <query>cats &amp; dogs</query>
  <description>Find
    pets.</description>
  <subtopic number="1" type="nav">A <b>cat</b> club.</subtopic>
  <subtopic number="2" probability=".25">Dog food.</subtopic>
</topic>
<topic number="2"><title>birds</title><narr>Any.</narr></topic>
</web>
"""

CLASSIC = """<top>
<num> Number: 301
<title> Topic: Organised crime

<desc> Description:
Identify organisations
that trade &amp; smuggle if 5 < 6.

<narr> Narrative:
A relevant document names one.
</top>

<TOP><num>302</num><title>Polio</title></TOP>
"""


def test_web_track_xml(read):
    result = read("topics", XML, name="web.xml")
    assert result.frames["topics"].values.tolist() == [
        ["1", "cats & dogs", "Find pets.", "", "faceted"],
        ["2", "birds", "", "Any.", "ambiguous"],
    ]
    parts = result.frames["subtopics"]
    assert parts.iloc[:, :4].values.tolist() == [
        ["1", "1", "nav", "A cat club."],
        ["1", "2", "", "Dog food."],
    ]
    assert parts["probability"].tolist() == [pytest.approx(float("nan"), nan_ok=True), 0.25]


def test_classic_topics(read):
    result = read("topics", CLASSIC)
    assert result.frames["topics"].values.tolist() == [
        [
            "301",
            "Organised crime",
            "Identify organisations that trade & smuggle if 5 < 6.",
            "A relevant document names one.",
            "",
        ],
        ["302", "Polio", "", "", ""],
    ]
    assert result.frames["subtopics"].empty


@pytest.mark.parametrize(
    ("text", "match", "line", "field"),
    [
        ("<a>\n<topic number='1'><query>x</query>\n</a>", "not well-formed", 3, ""),
        ("<a>\n</a>", "no <topic>", 1, ""),
        ("<a>\n<topic><query>x</query></topic></a>", "has none", 2, "number"),
        ("<a>\n<topic number='1'/></a>", "has none", 2, "query"),
        (
            "<a><topic number='1'><query>x</query>\n<subtopic>y</subtopic></topic></a>",
            "an id and a text",
            2,
            "subtopic_id",
        ),
        (
            "<a><topic number='1'><query>x</query></topic>\n"
            "<topic number='1'><query>x</query></topic></a>",
            "on line 1",
            2,
            "topic_id",
        ),
        (
            "<!DOCTYPE a [\n<!ENTITY b 'bbbb'>\n]><a><topic number='1'>&b;</topic></a>",
            "declares or uses an entity",
            2,
            "",
        ),
        (
            "<!DOCTYPE a [\n<!ENTITY b SYSTEM 'file:///etc/passwd'>\n]><a>&b;</a>",
            "declares or uses an entity",
            2,
            "",
        ),
        ("<top>\n<num> 1\n<title> x\n", "no </top>", 1, ""),
        ("<top><num>1<title>x\n<top><num>2<title>y</top>", "no </top>", 1, ""),
        ("<top><num>1<title>x</top>\nloose", "outside", 2, ""),
        ("<top><num>1<title>x</top>\n\n<num>2</top>", "outside", 3, ""),
        ("\n<top><title>x</top>", "no number", 2, "num"),
        ("<top><num>1<title> </top>", "no title", 1, "title"),
    ],
)
def test_faults_are_named(refuse, text, match, line, field):
    error = refuse("topics", text, match)
    assert (error.line, error.field) == (line, field)


def test_an_encoding_declaration_does_not_overrule_utf8(read):
    text = "<?xml version='1.0' encoding='ISO-8859-1'?>"
    text += "<t><topic number='1'><query>Köln</query></topic></t>"
    assert read("topics", text).frames["topics"]["query"].tolist() == ["Köln"]
