"""An identity provider of the tests, which can also forge and misbehave."""

import base64
import hashlib
import html
import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

CLIENT_ID = "consumo"
CLIENT_SECRET = "a secret of the tests: 100% & more"

Claims = dict[str, Any]


@cache
def private_key(kind: str) -> Any:
    """A key of each kind, generated once because that is slow."""
    match kind:
        case "ec":
            return ec.generate_private_key(ec.SECP256R1())
        case "ed":
            return ed25519.Ed25519PrivateKey.generate()
        case "weak":
            return rsa.generate_private_key(65_537, 1_024)  # noqa: S505 - it is to be refused
    return rsa.generate_private_key(65_537, 2_048)


def public_jwk(kind: str, **more: Any) -> Claims:
    """The public key as the provider publishes it."""
    to_jwk: Callable[..., Claims] = jwt.algorithms.RSAAlgorithm.to_jwk
    if kind == "ec":
        to_jwk = jwt.algorithms.ECAlgorithm.to_jwk
    elif kind == "ed":
        to_jwk = jwt.algorithms.OKPAlgorithm.to_jwk
    return {**to_jwk(private_key(kind).public_key(), as_dict=True), "kid": kind, "use": "sig", **more}


def signed(claims: Mapping[str, Any], kind: str = "rsa", algorithm: str = "RS256", **header: Any) -> str:
    """A token signed with that key."""
    return jwt.encode(dict(claims), private_key(kind), algorithm=algorithm, headers={"kid": kind, **header})


@dataclass
class Answer:
    """What the provider writes: a body, in pieces with pauses if it is slow."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0


class Provider:
    """A provider on this machine with one registered client.

    ``forge`` makes the ID token of the right claims. ``answers`` replaces the answer of an address.
    """

    def __init__(self, port: int) -> None:
        self.issuer = f"http://127.0.0.1:{port}"
        self.redirect_uris: set[str] = set()
        self.secret: str | None = CLIENT_SECRET
        self.keys = [public_jwk("rsa"), public_jwk("ec"), public_jwk("ed"), public_jwk("weak")]
        self.person: Claims = {"sub": "nurse-1", "email": "nuria@hospital.test", "email_verified": True}
        self.forge: Callable[[Claims], object] = signed
        self.description: Claims = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "end_session_endpoint": f"{self.issuer}/logout",
            "authorization_response_iss_parameter_supported": True,
        }
        self.answers: dict[str, Answer] = {}
        self.calls: list[str] = []
        self._codes: dict[str, Claims] = {}
        self._lock = Lock()

    def authorize(self, authorization_url: str, **claims: Any) -> dict[str, str]:
        """Sign the person in. Returns what the browser brings back."""
        asked = {name: value for name, [value] in parse_qs(urlsplit(authorization_url).query).items()}
        code = secrets.token_urlsafe(24)
        now = int(time.time())
        with self._lock:
            self._codes[code] = {
                "challenge": asked["code_challenge"],
                "redirect_uri": asked["redirect_uri"],
                "claims": {
                    "iss": self.issuer,
                    "aud": CLIENT_ID,
                    "iat": now,
                    "exp": now + 300,
                    "auth_time": now,
                    "nonce": asked["nonce"],
                    **self.person,
                    **claims,
                },
            }
        return {"code": code, "state": asked["state"], "iss": self.issuer}

    def answer(self, method: str, path: str, query: str, body: bytes, authorization: str) -> Answer:
        """Answer a call."""
        with self._lock:
            self.calls.append(path)
        if path in self.answers:
            return self.answers[path]
        match method, path:
            case "GET", "/.well-known/openid-configuration":
                return _json(self.description)
            case "GET", "/jwks":
                return _json({"keys": self.keys})
            case "GET", "/authorize":
                return _page(query)
            case "POST", "/authorize":
                return self._redirect(query, body)
            case "POST", "/token":
                return self._token(body, authorization)
        return Answer(b"", 404)

    def _token(self, body: bytes, authorization: str) -> Answer:
        sent = {name: value for name, [value] in parse_qs(body.decode()).items()}
        if self.secret is not None and authorization != _basic(self.secret):
            return _json({"error": "invalid_client"}, 401)
        with self._lock:
            granted = self._codes.pop(sent["code"], None)
        if granted is None or granted["redirect_uri"] != sent["redirect_uri"]:
            return _json({"error": "invalid_grant"}, 400)
        digest = hashlib.sha256(sent["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != granted["challenge"]:
            return _json({"error": "invalid_grant"}, 400)
        return _json({"access_token": "unused", "token_type": "Bearer", "id_token": self.forge(granted["claims"])})

    def _redirect(self, query: str, body: bytes) -> Answer:
        """Answer the form of the page, which names a person or refuses."""
        asked = {name: value for name, [value] in parse_qs(query).items()}
        [subject] = parse_qs(body.decode()).get("subject", [""])
        if subject:
            back = self.authorize(f"{self.issuer}/authorize?{query}", sub=subject, email=f"{subject}@hospital.test")
        else:
            back = {"error": "access_denied", "state": asked["state"], "iss": self.issuer}
        return Answer(b"", 303, {"Location": f"{asked['redirect_uri']}?{urlencode(back)}"})


def _page(query: str) -> Answer:
    form = (
        f'<form method="post" action="/authorize?{html.escape(query)}"><h1>Hospital</h1>'
        '<input name="subject" aria-label="Cuenta"><button>Continuar</button></form>'
    )
    return Answer(form.encode(), headers={"Content-Type": "text/html"})


def _json(content: object, status: int = 200) -> Answer:
    return Answer(json.dumps(content).encode(), status, {"Content-Type": "application/json"})


def _basic(secret: str) -> str:
    # Both parts are form-encoded first (RFC 6749, 2.3.1).
    pair = f"{CLIENT_ID}:{urlencode({'': secret})[1:].replace('+', '%20')}"
    return f"Basic {base64.b64encode(pair.encode()).decode()}"


@contextmanager
def serving_provider() -> Iterator[Provider]:
    """A provider that listens on this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer = provider.answer(self.command, parts.path, parts.query, body, self.headers.get("Authorization", ""))
            try:
                self._write(answer)
            except OSError:
                self.close_connection = True  # the caller has hung up

        def _write(self, answer: Answer) -> None:
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            if not answer.pause:
                self.wfile.write(answer.body)
                return
            for byte in answer.body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                if ended.wait(answer.pause):
                    return

        do_GET = do_POST = _handle  # noqa: N815 - the names that the library calls

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    ended = Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider = Provider(server.server_address[1])
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
