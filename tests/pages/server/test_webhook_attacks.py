"""Addresses that would have the server ask what only it can reach; each guard stops its own."""

import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import ip_network

import pytest

from core.errors import BadInput, NotAllowed
from core.store.content import webhook_addresses
from core.store.content.webhook_addresses import WebhookAddress, read_target, require_allowed
from pages.server import webhooks
from pages.server.webhooks import NotDelivered, Post
from tests.each import each
from tests.pages.server.receiver import Receiver, receive

ONE = (ip_network("127.0.0.2/32"),)
"""The one machine that this server may ask besides public ones."""


@pytest.fixture
def secret() -> Iterator[Receiver]:
    """The machine that must not be reached: on the loopback interface, and allowed by nobody."""
    with receive(Receiver()) as listening:
        yield listening


def tell(address: str, networks: tuple = ()) -> str:
    """Send a message to an address; returns why not, empty where it went out."""
    try:
        Post(networks).send(read_target(address, networks), {}, b"{}")
    except (BadInput, NotDelivered) as error:
        return str(error)
    return ""


def without_guards(patch: pytest.MonkeyPatch) -> None:
    """Take away what looks at addresses, at their form and at machines."""
    patch.setattr(webhook_addresses, "require_form", lambda *_: None)
    patch.setattr(webhooks, "require_allowed", lambda *_: None)


ADDRESSES = {
    "loopback": "http://127.0.0.1:{port}/",
    "short": "http://127.1:{port}/",
    "decimal": "http://2130706433:{port}/",
    "octal": "http://0177.0.0.1:{port}/",
    "hexadecimal": "http://0x7f.0.0.1:{port}/",
    "one hexadecimal": "http://0x7f000001:{port}/",
    "any": "http://0.0.0.0:{port}/",
    "mapped": "http://[::ffff:127.0.0.1]:{port}/",
    "mapped in hexadecimal": "http://[::ffff:7f00:1]:{port}/",
    "by name": "http://localhost:{port}/",
    "with a user": "http://olga:secret@127.0.0.1:{port}/",
    "like a public one": "http://example.org@127.0.0.1:{port}/",
}
"""Each leads to the loopback interface, as this system reads it."""


@pytest.mark.parametrize("attack", ADDRESSES)
@pytest.mark.parametrize("networks", [(), ONE], ids=["public only", "one network"])
def test_an_address_that_leads_inside_is_not_asked(
    attack: str, networks: tuple, secret: Receiver, monkeypatch: pytest.MonkeyPatch
):
    address = ADDRESSES[attack].format(port=secret.port)
    assert tell(address, networks)
    assert secret.messages == []
    without_guards(monkeypatch)
    ask_ipv4_only(monkeypatch)
    assert tell(address, networks) == ""
    assert len(secret.messages) == 1


def ask_ipv4_only(patch: pytest.MonkeyPatch) -> None:
    """Ask systems without IPv6 for what they have, too: of names, the address that is listened on.

    The mapped forms stay as they are where the system knows them.
    """
    real = webhooks.look_up

    def look_up(host: str, port: int) -> list[str]:
        return sorted(real(host, port), key=lambda one: ":" in one)

    patch.setattr(webhooks, "look_up", look_up)


MACHINES = {
    "loopback": "127.0.0.1",
    "private": "10.1.2.3",
    "private, smaller": "172.16.0.1",
    "private, usual": "192.168.0.1",
    "shared": "100.64.0.1",
    "link local": "169.254.1.1",
    "metadata": "169.254.169.254",
    "this network": "0.0.0.0",
    "multicast": "224.0.0.1",
    "global multicast": "239.255.255.250",
    "broadcast": "255.255.255.255",
    "reserved": "240.0.0.1",
    "documentation": "203.0.113.9",
    "benchmarks": "198.18.0.1",
    "loopback 6": "::1",
    "any 6": "::",
    "unique local": "fd00:ec2::254",
    "link local 6": "fe80::1",
    "link local 6 with its interface": "fe80::1%1",
    "site local": "fec0::1",
    "multicast 6": "ff02::1",
    "global multicast 6": "ff0e::1",
    "mapped": "::ffff:10.1.2.3",
    "compatible": "::10.1.2.3",
    "6to4": "2002:a01:203::1",
    "Teredo": "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "NAT64": "64:ff9b::a01:203",
    "NAT64 of its own": "64:ff9b:1::a01:203",
    "documentation 6": "2001:db8::1",
    "documentation 6, new": "3fff::1",
    "6to4 relay": "192.88.99.1",
    "port control": "192.0.0.9",
    "segment routing": "5f00::1",
    "discard only": "100::1",
    "benchmarks 6": "2001:2::1",
    "ORCHID": "2001:20::1",
    "AS112": "2620:4f:8000::1",
}
PUBLIC = ("8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808")


@each("kind", MACHINES)
def test_a_machine_that_is_not_public_is_not_asked(kind: str):
    target = WebhookAddress("https", "a.example", 443, "/")
    for behind in ([MACHINES[kind]], [PUBLIC[0], MACHINES[kind]], [MACHINES[kind], PUBLIC[1]]):
        with pytest.raises(NotAllowed, match="not public"):
            require_allowed(target, behind, ())
        with pytest.raises(NotAllowed, match="not public"):
            require_allowed(target, behind, ONE)


def test_public_machines_are_asked_by_tls_and_its_ports_only():
    require_allowed(WebhookAddress("https", "a.example", 443, "/"), PUBLIC, ())
    require_allowed(WebhookAddress("https", "a.example", 8443, "/"), PUBLIC, ONE)
    for target in (
        WebhookAddress("https", "a.example", 22, "/"),
        WebhookAddress("http", "a.example", 443, "/"),
    ):
        with pytest.raises(NotAllowed):
            require_allowed(target, PUBLIC, ONE)
    with pytest.raises(NotAllowed):
        require_allowed(WebhookAddress("https", "a.example", 443, "/"), [], ())


@each(
    "address",
    [
        *("https://a.example/\n", "https://a.example/ x", "https://a.example\\@b.example/"),
        *("https://u@a.example/", "https://u:p@a.example/", "https://@a.example/"),
        *("https://a.example/#x", "ftp://a.example/", "file:///etc/passwd", "//a.example/"),
        *("https://", "https:///x", "https://a..example/", "https://-a.example/"),
        *("https://a.example:0/", "https://a.example:99999/", "https://a.example:22/"),
        *("https://a.example:x/", "https://[::1/", "https://[a]/", "https://[fe80::1%25eth0]/"),
        *("https://ä.example/", "https://a_b.example/", "https://127.1/", "https://1.2.3/"),
        *("https://10.0.0.1/", "https://a.example./../\t", "gopher://a.example/", ""),
        "https://a.example/" + "x" * 1000,
    ],
)
def test_what_is_no_address_is_refused(address: str):
    with pytest.raises(BadInput):
        read_target(address)


def test_the_form_of_an_address_is_read():
    assert read_target("https://A.Example/x?y=1") == WebhookAddress(
        "https", "a.example", 443, "/x?y=1"
    )
    assert read_target("https://8.8.8.8:8443").port == 8443
    assert read_target("https://[2606:4700:4700::1111]/").host == "2606:4700:4700::1111"
    assert read_target("http://127.0.0.2/", ONE).port == 80


def test_a_redirect_is_not_followed(secret: Receiver, monkeypatch: pytest.MonkeyPatch):
    to = f"http://127.0.0.1:{secret.port}/"
    with receive(Receiver([302], location=to), "127.0.0.2") as allowed:
        address = f"http://127.0.0.2:{allowed.port}/"
        assert Post(ONE).send(read_target(address, ONE), {}, b"{}") == 302
        assert (len(allowed.messages), secret.messages) == (1, [])

        def follow(_: object, target: WebhookAddress, machine: str, *rest: object) -> int:
            opener = urllib.request.build_opener()
            return opener.open(f"http://{machine}:{target.port}/", b"{}").status

        monkeypatch.setattr(Post, "_exchange", follow)
        assert tell(address, ONE) == ""
    assert len(secret.messages) == 1


def test_a_name_is_looked_up_once(secret: Receiver, monkeypatch: pytest.MonkeyPatch):
    """Its owner answers with a machine that is allowed first, and with another one afterwards."""
    answers = ["127.0.0.2", "127.0.0.1"]

    def look_up(host: str, port: int, **_: object) -> list[tuple]:
        assert host == "rebinding.example"
        machine = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (machine, port))]

    with receive(Receiver(), "127.0.0.2", port=secret.port) as allowed:
        address = f"http://rebinding.example:{secret.port}/"
        with monkeypatch.context() as patch:
            patch.setattr(webhooks.socket, "getaddrinfo", only_names(look_up))
            assert tell(address, ONE) == ""
            assert (len(allowed.messages), secret.messages) == (1, [])
            assert tell(address, ONE) == "the machine behind this address is not public"
            assert secret.messages == []
            answers.insert(0, "127.0.0.2")
            patch.setattr(
                webhooks,
                "open_way",
                lambda _, port, seconds: socket.create_connection(
                    (look_up("rebinding.example", port)[0][4][0], port), seconds
                ),
            )
            assert tell(address, ONE) == ""
    assert (len(allowed.messages), len(secret.messages)) == (1, 1)


def only_names(look_up: Callable[..., list[tuple]]) -> Callable[..., list[tuple]]:
    """Leave numbers to the system."""
    real = socket.getaddrinfo

    def ask(host: str, port: int, *rest: object, **more: object) -> list[tuple]:
        if host.endswith(".example"):
            return look_up(host, port)
        return real(host, port, *rest, **more)

    return ask


def test_no_proxy_of_the_environment_is_asked(secret: Receiver, monkeypatch: pytest.MonkeyPatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{secret.port}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with receive(Receiver(), "127.0.0.2") as allowed:
        address = f"http://127.0.0.2:{allowed.port}/"
        assert tell(address, ONE) == ""
        assert (len(allowed.messages), secret.messages) == (1, [])
        with suppress(urllib.error.HTTPError):
            urllib.request.build_opener().open(address, b"{}")
    assert len(secret.messages) == 1
