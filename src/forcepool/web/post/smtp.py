"""Sending by SMTP, on a thread of its own: the server waits for no other machine, and no password is ever told."""

import queue
import smtplib
import ssl
import threading
from collections.abc import Callable
from email.message import EmailMessage

from msgspec import Struct

from forcepool.web.settings import Mail

PATIENCE = 20.0
"""Seconds that the other machine may take for each step."""
MOST_WAITING = 1000
"""Letters that wait to be sent; beyond that one is told to come again."""
USUAL_PORTS = {"starttls": 587, "tls": 465, "none": 25}


class Sent(Struct, frozen=True):
    """The other machine has taken it."""


class Refused(Struct, frozen=True):
    """The other machine will not deliver to this address, now or ever."""

    why: str


class Later(Struct, frozen=True):
    """It could not be sent now; another try may help."""

    why: str


Outcome = Sent | Refused | Later


def deliver(mail: EmailMessage, settings: Mail, context: ssl.SSLContext | None = None) -> Outcome:
    """Hand a mail to the machine that takes it. Only what it says of the address itself is final."""
    return _told(settings, context, lambda server: server.send_message(mail))


def reached(settings: Mail, context: ssl.SSLContext | None = None) -> Outcome:
    """Whether the machine that takes the mail lets us in; nothing is sent."""
    return _told(settings, context, lambda server: server.noop())


def _told(settings: Mail, context: ssl.SSLContext | None, do: Callable[[smtplib.SMTP], object]) -> Outcome:
    try:
        with _connected(settings, context or ssl.create_default_context()) as server:
            do(server)
    except smtplib.SMTPRecipientsRefused as error:
        code, says = next(iter(error.recipients.values()))
        why = f"{code} {says.decode(errors='replace')}"[:200]
        return Refused(why) if 500 <= code < 600 else Later(why)
    except smtplib.SMTPNotSupportedError:
        return Later("the mail server offers no encrypted way, or no way to sign in")
    except smtplib.SMTPAuthenticationError as error:
        # What it answers may repeat what it was sent.
        return Later(f"the mail server does not take the name and password ({error.smtp_code})")
    except smtplib.SMTPResponseException as error:
        return Later(f"the mail server says {error.smtp_code}")
    except ssl.SSLError as error:
        return Later(f"the mail server is not who it should be, or speaks no TLS ({error.reason or 'no reason given'})")
    except (smtplib.SMTPException, OSError) as error:
        return Later(f"the mail server cannot be reached ({type(error).__name__})")
    return Sent()


def _connected(settings: Mail, context: ssl.SSLContext) -> smtplib.SMTP:
    port = settings.port or USUAL_PORTS[settings.security]
    if settings.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(settings.server, port, timeout=PATIENCE, context=context)
    else:
        server = smtplib.SMTP(settings.server, port, timeout=PATIENCE)
    try:
        if settings.security == "starttls":
            server.starttls(context=context)
        if settings.user:
            server.login(settings.user, settings.password)
    except BaseException:
        server.close()
        raise
    return server


Delivering = Callable[[EmailMessage], Outcome]
Told = Callable[[Outcome], None]


class Carrier:
    """Carries mail away, one after another. Whoever hands one over goes on at once, and is told what became of it."""

    def __init__(self, delivering: Delivering) -> None:
        self._delivering = delivering
        self._waiting: queue.Queue[tuple[EmailMessage, Told] | None] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None

    def take(self, mail: EmailMessage, told: Told) -> bool:
        """Take a mail along; False where too many wait already. `told` is called on the carrier's own thread."""
        if self._thread is None:
            # The server's end does not wait for it: what was not sent is tried again by whoever starts next.
            self._thread = threading.Thread(target=self._carry, daemon=True, name="mail")
            self._thread.start()
        try:
            self._waiting.put_nowait((mail, told))
        except queue.Full:
            return False
        return True

    def _carry(self) -> None:
        while (item := self._waiting.get()) is not None:
            mail, told = item
            told(self._delivering(mail))

    def close(self) -> None:
        """Take nothing more along; a mail that is being handed over is not waited for."""
        while True:
            try:
                self._waiting.get_nowait()
            except queue.Empty:
                break
        self._waiting.put_nowait(None)
