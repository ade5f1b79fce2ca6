"""What a stranger sees at any address: what this is, and how to get in."""

from starlette.requests import Request
from starlette.responses import Response

from pages.api.plain_page import answer
from pages.api.single_sign_on import is_configured
from pages.server.running import server

_TITLE = "Judge search results together"
_WHAT = (
    "<p>People judge search results together here. Where they disagree, the disagreement is "
    "measured and used instead of being averaged away.</p>"
)
_INVITED = "<p>You need an invitation link. The organiser of this study can send you one.</p>"
_DEMO = (
    "<p>This is the <strong>demo</strong>. Everything in it is made up, its labels are simulated, "
    "and what you do is thrown away with it. How would you like to look around?</p>"
)
_FORM = '<form class="row" method="post" action="{}"><button class="{}row">{}</button></form>'
_LINK = '<a class="button row" href="{}">{}</a>'


async def welcome(_: Request) -> Response:
    """Say what this is and how to get in."""
    if server().demo:
        return answer(
            _WHAT
            + _DEMO
            + _FORM.format("/demo/assessor", "first ", "Judge as an assessor")
            + _FORM.format("/demo/organiser", "", "Watch as an organiser"),
            title=_TITLE,
        )
    ways = [
        _LINK.format("/sign-in", "Sign in with a password"),
        _LINK.format("/join", "Join a class"),
    ]
    if is_configured():
        ways.insert(0, _LINK.format("/sign-in/provider", "Single sign-on"))
    return answer(_WHAT + _INVITED + "".join(ways), title=_TITLE)
