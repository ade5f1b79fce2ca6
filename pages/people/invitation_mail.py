"""What an organiser writes to somebody who is invited: a text to copy, and a link to a mail."""

from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True)
class Mail:
    """A mail as it may be sent; ``address`` may be empty."""

    address: str
    subject: str
    body: str

    @property
    def link(self) -> str:
        """Return what opens it in a mail program; empty without an address."""
        if not self.address:
            return ""
        address = quote(self.address, safe="@")
        return f"mailto:{address}?subject={quote(self.subject)}&body={quote(self.body)}"


def write_mail(name: str, address: str, link: str, collection: str, sender: str, days: int) -> Mail:
    """Return the mail that invites somebody to judge in a collection."""
    body = (
        f"Dear {name},\n\n"
        f"you are invited to judge search results for {collection}. Open this link to begin:\n\n"
        f"{link}\n\n"
        f"It works once, within {days} days. Whoever opens it first is signed in by your name, so "
        "please do not pass it on. You can then set a password, under Account, for other "
        f"browsers.\n\n{sender}\n"
    )
    return Mail(address, f"Invitation to judge: {collection}", body)
