"""Sending by SMTP: TLS or nothing, no password told, names that are no headers, servers that are slow or dead."""

import ssl
import threading
import time
from email.message import EmailMessage

import pytest
import trustme
from msgspec.structs import replace

from forcepool.web.post import smtp
from forcepool.web.post.address import BadAddress, is_mail_address, mail_address
from forcepool.web.post.letter import Letter, as_mail
from forcepool.web.post.smtp import Carrier, Later, Outcome, Refused, Sent, deliver
from forcepool.web.settings import Mail
from tests.support.post import PASSWORD, USER, free_port, post_office, silent, text_of

LETTER = Letter("anna@example.org", "Your turn", "Hello", "https://war.example.org/mail/stop/1/x")


def mail_of(letter: Letter = LETTER) -> EmailMessage:
    return as_mail(letter, "war@example.org", "war.example.org")


def test_a_letter_goes_out_whole() -> None:
    long = "http://war.example.org/" + "x" * 1200
    words = "½ Brückenkopf: 3⅝ inf für Heeresgruppe Süd. " * 12
    letter = replace(LETTER, subject="Dein Zug: Südfront, Aug Ⅱ 41", text=f"{words}\n\n- {words}\n{long}\n.\nend")
    with post_office() as (box, settings):
        assert deliver(mail_of(letter), settings) == Sent()
    [came] = box.came
    assert came["Subject"] == "Dein Zug: Südfront, Aug Ⅱ 41"
    assert came["From"] == "forcepool <war@example.org>"
    assert came["List-Unsubscribe"] == "<https://war.example.org/mail/stop/1/x>"
    assert came["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    text = text_of(came)
    assert " ".join(text.split()).startswith(" ".join(words.split()))
    assert long in text.split()
    assert "\n.\nend" in text
    assert all(len(line) <= 76 for line in text.splitlines() if long not in line)
    assert max(map(len, bytes(came).splitlines())) < 998


@pytest.mark.parametrize("name", ["Anna\r\nBcc: all@example.org", "Anna\nX: y", "\r\n\r\nbody", "A\x0bB\x85C\u2028D"])
def test_a_name_is_no_header(name: str) -> None:
    mail = mail_of(replace(LETTER, subject=f"Your turn: {name}", text=f"{name} says hello"))
    assert {*mail.keys()} == {*mail_of().keys()}
    head, _, _ = bytes(mail).partition(b"\r\n\r\n")
    assert not any(line.lower().startswith((b"bcc", b"x:")) for line in head.splitlines())


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("anna@example.org", "anna@example.org"),
        (" Anna.B+war@Example.ORG ", "Anna.B+war@example.org"),
        ("a@bücher.example", "a@xn--bcher-kva.example"),
    ],
)
def test_an_address_is_kept_as_the_post_has_it(text: str, kept: str) -> None:
    assert mail_address(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        *("", "anna", "anna@", "@example.org", "anna@example", "a b@example.org", "anna@example.org\nBcc: x@y.org"),
        *("<anna@example.org>", "anna@exa mple.org", "a,b@example.org", "änna@example.org", "a@-x.org", "a@x..org"),
        *("a" * 65 + "@example.org", "a@" + "b." * 140 + "org", 'a"b@example.org', "a@example.org,b@example.org"),
    ],
)
def test_what_is_no_address_is_not_taken(text: str) -> None:
    assert not is_mail_address(text)
    with pytest.raises(BadAddress, match=r"looks like anna@example\.org"):
        mail_address(text)


def test_over_tls_with_a_password() -> None:
    ca = trustme.CA()
    trusts = ssl.create_default_context()
    ca.configure_trust(trusts)
    with post_office(tls=True, signed_by=ca, asks=True) as (box, plain):
        settings = replace(plain, security="starttls", user=USER, password=PASSWORD)
        assert deliver(mail_of(), settings, trusts) == Sent()
        assert box.secured == [True]
        # A certificate nobody vouches for, a wrong password, no TLS at all: nothing goes out, no secret is told.
        wrong = replace(settings, password="an0ther-secret")
        for outcome in (
            deliver(mail_of(), settings),
            deliver(mail_of(), wrong, trusts),
            deliver(mail_of(), plain, trusts),
            deliver(mail_of(), replace(settings, security="tls"), trusts),
        ):
            assert isinstance(outcome, Later)
            assert "s3cret" not in outcome.why
            assert "an0ther" not in outcome.why
        assert len(box.came) == 1
    with post_office() as (box, plain):
        outcome = deliver(mail_of(), replace(plain, security="starttls"))
        assert outcome == Later("the mail server offers no encrypted way, or no way to sign in")
        assert box.came == []


def test_only_what_is_said_of_the_address_is_final() -> None:
    with post_office() as (box, settings):
        box.refuses = "550 5.1.1 no such user"
        assert deliver(mail_of(), settings) == Refused("550 5.1.1 no such user")
        box.refuses = "450 4.2.1 mailbox busy"
        assert deliver(mail_of(), settings) == Later("450 4.2.1 mailbox busy")
    assert isinstance(deliver(mail_of(), Mail(server="127.0.0.1", port=free_port(), security="none")), Later)


def test_whoever_hands_a_letter_over_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "PATIENCE", 0.3)
    came: list[Outcome] = []
    over = threading.Event()

    def told(outcome: Outcome) -> None:
        came.append(outcome)
        over.set()

    with silent() as port:
        settings = Mail(server="127.0.0.1", port=port, security="none")
        carrier = Carrier(lambda mail: deliver(mail, settings))
        began = time.monotonic()
        assert carrier.take(mail_of(), told)
        assert time.monotonic() - began < 0.2
        assert over.wait(20)
        carrier.close()
    assert isinstance(came[0], Later)


def test_more_than_can_wait_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "MOST_WAITING", 2)
    held, let_go = threading.Event(), threading.Event()

    def holds(mail: EmailMessage) -> Outcome:
        held.set()
        let_go.wait(20)
        return Sent()

    carrier = Carrier(holds)
    assert carrier.take(mail_of(), lambda outcome: None)
    assert held.wait(20)
    assert [carrier.take(mail_of(), lambda outcome: None) for _ in range(3)] == [True, True, False]
    let_go.set()
    carrier.close()
