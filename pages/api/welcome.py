"""What a stranger sees at any address: what this is, and how to get in."""

from starlette.requests import Request
from starlette.responses import Response

from core.language.translate import t
from pages.api.asked_language import speak_as_asked
from pages.api.plain_page import answer
from pages.api.single_sign_on import is_configured
from pages.server.running import server

_FORM = '<form class="row" method="post" action="{}"><button class="{}row">{}</button></form>'
_LINK = '<a class="button row" href="{}">{}</a>'


async def welcome(request: Request) -> Response:
    """Say what this is and how to get in."""
    speak_as_asked(request)
    what = t(
        "People judge search results together here. Where they disagree, the disagreement is "
        "measured and used instead of being averaged away."
    )
    if server().demo:
        how = t(
            "This is the <strong>demo</strong>. Everything in it is made up, its labels are "
            "simulated, and what you do is thrown away with it. How would you like to look around?"
        )
        ways = [
            _FORM.format("/demo/assessor", "first ", t("Judge as an assessor")),
            _FORM.format("/demo/organiser", "", t("Watch as an organiser")),
        ]
    else:
        how = t("You need an invitation link. The organiser of this study can send you one.")
        ways = [
            _LINK.format("/sign-in", t("Sign in with a password")),
            _LINK.format("/join", t("Join a class")),
        ]
        if is_configured():
            ways.insert(0, _LINK.format("/sign-in/provider", t("Single sign-on")))
    body = f"<p>{what}</p><p>{how}</p>{''.join(ways)}"
    return answer(body, title=t("Judge search results together"))
