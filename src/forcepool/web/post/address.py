"""Mail addresses: what is one, and as what it is kept."""

import re

LONGEST = 254
"""Letters of an address, by the books of the post."""
LONGEST_NAME = 64
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?")


class BadAddress(ValueError):
    """This is no address that mail can be sent to; the sentence says what one looks like."""


def is_mail_address(text: str) -> bool:
    """Whether mail can be sent there, as far as the letters tell."""
    try:
        mail_address(text)
    except BadAddress:
        return False
    return True


def mail_address(text: str) -> str:
    """The address as it is kept: the name as written, the machine in small letters of the old alphabet."""
    name, at, machine = text.strip().rpartition("@")
    try:
        machine = machine.casefold().encode("idna").decode("ascii") if machine else ""
    except UnicodeError:
        machine = ""
    found = f"{name}@{machine}"
    labels = machine.split(".")
    if (
        not at
        or len(found) > LONGEST
        or len(name) > LONGEST_NAME
        or not _NAME.fullmatch(name)
        or len(labels) < 2
        or not all(map(_LABEL.fullmatch, labels))
    ):
        raise BadAddress("this is no mail address; one looks like anna@example.org")
    return found
