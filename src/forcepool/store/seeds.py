"""The secrets of a campaign's dice that are kept in its file or told in its journal, and the promises about them."""

from collections.abc import Iterable

from forcepool.engine import dice
from forcepool.engine.dice import CAMPAIGN
from forcepool.engine.journal import Beginning, Entry, Journal, Sealed, beginning_decoder, read_entry


def promise_of(sealed: Sealed) -> str:
    """The hash of the secret that the campaign itself promises to use from an entry on; empty when it promises none."""
    if sealed.seq > 1:
        entry = read_entry(sealed)
        return entry.seed or entry.promises.get(CAMPAIGN, "")
    beginning: Beginning = beginning_decoder.decode(sealed.body)
    return beginning.dice


def known_secrets(journal: Journal, seeds: Iterable[bytes]) -> dict[str, bytes]:
    """Every secret that is known, by its hash: those given, and those that were told in the journal."""
    found = {dice.commitment(seed): seed for seed in seeds}
    for sealed in journal.read(2):
        if b'"told":{' in sealed.body:
            found |= {dice.commitment(secret): secret for secret in told_in(read_entry(sealed))}
    return found


def told_in(entry: Entry) -> list[bytes]:
    """The secrets an entry opens; what is no secret is passed over."""
    return [bytes.fromhex(text) for text in entry.told.values() if _is_hex(text)]


def _is_hex(text: str) -> bool:
    return len(text) % 2 == 0 and set(text) <= set("0123456789abcdef")
