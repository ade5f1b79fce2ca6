"""Which networks webhooks may go to: none, unless whoever starts the server names them."""

from ipaddress import ip_network

import pytest

from core.errors import BadInput
from core.settings import read_webhook_networks


def test_networks_are_those_that_are_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DISSENT_WEBHOOK_NETWORKS", raising=False)
    assert read_webhook_networks() == ()
    monkeypatch.setenv("DISSENT_WEBHOOK_NETWORKS", "10.20.0.0/16, fd00::/8 127.0.0.1")
    named = ("10.20.0.0/16", "fd00::/8", "127.0.0.1/32")
    assert read_webhook_networks() == tuple(map(ip_network, named))


@pytest.mark.parametrize("given", ["intranet", "10.20.0.1/16", "10.0.0.0/33"])
def test_what_is_no_network_is_refused(given: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DISSENT_WEBHOOK_NETWORKS", given)
    with pytest.raises(BadInput, match="DISSENT_WEBHOOK_NETWORKS"):
        read_webhook_networks()
