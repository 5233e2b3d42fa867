"""A real SMTP server in the test's own process: what came to it, what it refuses, and how it fails."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from forcepool.web.settings import Mail

USER, PASSWORD = "war", "s3cret-passw0rd"


class Letterbox:
    """Takes mail, or refuses it with an answer of the test's choosing."""

    def __init__(self) -> None:
        self.came: list[EmailMessage] = []
        self.to: list[str] = []
        self.secured: list[bool] = []
        self.refuses = ""
        """The answer to every address, such as '550 no such user'; empty to take all."""

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, to: str, options: list[str]) -> str:
        if self.refuses:
            return self.refuses
        envelope.rcpt_tos.append(to)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        found = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(found, EmailMessage)
        self.came.append(found)
        self.to += envelope.rcpt_tos
        self.secured.append(session.ssl is not None)
        return "250 taken"


def _knows(server: Any, session: Any, envelope: Any, mechanism: Any, given: Any) -> AuthResult:
    assert isinstance(given, LoginPassword)
    right = (given.login, given.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=right)


@contextmanager
def post_office(*, tls: bool = False, signed_by: trustme.CA | None = None, asks: bool = False) -> Iterator[Any]:
    """A mail server and its letterbox: plain, or one that insists on STARTTLS, or on a name and a password."""
    box = Letterbox()
    words: dict[str, Any] = {}
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        (signed_by or trustme.CA()).issue_cert("localhost", "127.0.0.1").configure_cert(context)
        words |= {"tls_context": context, "require_starttls": True}
    if asks:
        words |= {"authenticator": _knows, "auth_required": True, "auth_require_tls": tls}
    controller = Controller(box, hostname="127.0.0.1", port=free_port(), **words)
    controller.start()
    try:
        yield box, Mail(server="127.0.0.1", port=controller.port, security="none", sender="war@example.org")
    finally:
        controller.stop()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def silent() -> Iterator[int]:
    """A machine that takes connections and never says a word."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(8)
        yield int(deaf.getsockname()[1])


def text_of(mail: EmailMessage) -> str:
    """What stands in a letter."""
    return str(mail.get_content()).replace("\r\n", "\n")
