"""A small OpenID Connect provider on the loopback interface, for tests."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

import uvicorn
from joserfc import jws
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.browser.running import free_port

CLIENT_ID = "dissent-under-test"


@dataclass(frozen=True)
class Asked:
    """What a visitor was sent with."""

    nonce: str
    challenge: str
    method: str


@dataclass
class Provider:
    """Says of whoever comes by that they are the person of ``claims``; signs with ``key``."""

    port: int = field(default_factory=free_port)
    claims: dict[str, Any] = field(default_factory=dict)
    client_secret: str = field(default_factory=secrets.token_urlsafe)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "1"}))
    signing_key: RSAKey | None = None
    certificate: Path | None = None
    codes: dict[str, Asked] = field(default_factory=dict)

    @property
    def issuer(self) -> str:
        return f"http{'s' if self.certificate else ''}://127.0.0.1:{self.port}"

    def secrets_file(self, address: str) -> str:
        """Return the secrets.toml of an app at an address that trusts this provider."""
        return (
            f'[auth]\nredirect_uri = "{address}/oauth2callback"\n'
            f'cookie_secret = "{secrets.token_urlsafe()}"\nclient_id = "{CLIENT_ID}"\n'
            f'client_secret = "{self.client_secret}"\n'
            f'server_metadata_url = "{self.issuer}/.well-known/openid-configuration"\n'
        )

    async def describe(self, _: Request) -> Response:
        ends = {
            "authorization_endpoint": "authorize",
            "token_endpoint": "token",
            "jwks_uri": "keys",
        }
        return JSONResponse(
            {name: f"{self.issuer}/{path}" for name, path in ends.items()}
            | {
                "issuer": self.issuer,
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )

    async def authorize(self, request: Request) -> Response:
        asked = request.query_params
        code = secrets.token_urlsafe()
        self.codes[code] = Asked(
            asked.get("nonce", ""),
            asked.get("code_challenge", ""),
            asked.get("code_challenge_method", ""),
        )
        answer = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{answer}")

    async def give_token(self, request: Request) -> Response:
        form = {name: given[0] for name, given in parse_qs((await request.body()).decode()).items()}
        asked = self.codes.pop(form.get("code", ""), None)
        if asked is None or not _proves(asked, form.get("code_verifier", "")):
            return JSONResponse({"error": "invalid_grant"}, status_code=400)
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 60}
        return JSONResponse(
            {
                "access_token": secrets.token_urlsafe(),
                "token_type": "Bearer",
                "expires_in": 60,
                "id_token": self.sign(claims | {"nonce": asked.nonce} | self.claims),
            }
        )

    def sign(self, claims: dict[str, Any]) -> str:
        """Return the ID token of somebody."""
        content = json.dumps(claims).encode()
        key = self.signing_key or self.key
        return str(jws.serialize_compact({"alg": "RS256", "kid": "1"}, content, key))

    async def show_keys(self, _: Request) -> Response:
        public = self.key.as_dict(private=False) | {"use": "sig", "alg": "RS256"}
        return JSONResponse({"keys": [public]})


def _proves(asked: Asked, verifier: str) -> bool:
    """Tell whether a code is asked for by who began: PKCE, for those who use it."""
    if not asked.challenge:
        return True
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest())
    return asked.method == "S256" and asked.challenge == digest.rstrip(b"=").decode()


@contextmanager
def run_provider(provider: Provider | None = None) -> Iterator[Provider]:
    """Run a provider until the end of the block."""
    provider = provider or Provider()
    app = Starlette(
        routes=[
            Route("/.well-known/openid-configuration", provider.describe),
            Route("/authorize", provider.authorize),
            Route("/token", provider.give_token, methods=["POST"]),
            Route("/keys", provider.show_keys),
        ]
    )
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        port=provider.port,
        log_level="error",
        access_log=False,
        ssl_certfile=provider.certificate,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield provider
    server.should_exit = True
    thread.join(10)
