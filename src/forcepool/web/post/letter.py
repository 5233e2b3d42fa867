"""A letter: plain text with the headers that mail needs, whatever stands in the names it is made of."""

import textwrap
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid

from msgspec import Struct

from forcepool.engine.wording import one_line

WIDTH = 76
LONGEST_SUBJECT = 120
HEADER = 250
"""Letters on a line of the headers."""


class Letter(Struct, frozen=True):
    """What is sent to whom."""

    to: str
    subject: str
    text: str
    """Lines without wrapping; an empty one between paragraphs."""
    stop: str = ""
    """Where one says that one wants no more of these; empty for what one asked for oneself."""


def as_mail(letter: Letter, sender: str, host: str) -> EmailMessage:
    """The letter with its headers. Names come from players: no line end of theirs begins another header."""
    mail = EmailMessage(policy=SMTP)
    mail["From"] = Address("forcepool", addr_spec=sender)
    mail["To"] = Address(addr_spec=letter.to)
    mail["Subject"] = textwrap.shorten(one_line(letter.subject), LONGEST_SUBJECT, placeholder=" …")
    mail["Date"] = format_datetime(datetime.now(UTC))
    mail["Message-ID"] = make_msgid(domain=host)
    # Nobody's holiday answers back.
    mail["Auto-Submitted"] = "auto-generated"
    if letter.stop:
        mail["List-Unsubscribe"] = f"<{letter.stop}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content("\n".join(_wrapped(letter.text.splitlines())) + "\n", cte="quoted-printable")
    # The text is in lines of the post's usual length by now; a subject is not to begin with a break.
    mail.policy = SMTP.clone(max_line_length=HEADER)
    return mail


def _wrapped(lines: Iterable[str]) -> Iterator[str]:
    """Lines of a width that every mail program shows; an address stays whole."""
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        hanging = f"{indent}  " if line.lstrip().startswith(("- ", "· ")) else indent
        yield from (
            textwrap.wrap(
                one_line(line),
                WIDTH,
                subsequent_indent=hanging,
                break_long_words=False,
                break_on_hyphens=False,
                drop_whitespace=True,
            )
            or [""]
        )
