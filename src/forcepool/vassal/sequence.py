"""Texts in texts: how VASSAL joins several into one with a delimiter, at every level of a save.

A delimiter inside a token has one backslash before it; a token that ends in a backslash, or begins and ends with a
single quote, stands in single quotes. Backslashes themselves are not escaped, so levels are peeled one at a time.
"""

import re
import sys
from collections.abc import Sequence

_TABS = re.compile(r"(\\*)\t")
_MOST = 200
_BACKSLASHES = tuple("\\" * count for count in range(_MOST))


def decode(text: str, delimiter: str) -> list[str]:
    """The tokens of a text, always at least one."""
    if delimiter not in text:
        return [unquoted(text)]
    parts = text.split(delimiter)
    if "\\" + delimiter not in text:
        return [unquoted(part) for part in parts]
    tokens: list[str] = []
    waiting: list[str] = []
    last = parts.pop()
    for part in parts:
        if part.endswith("\\"):
            waiting.append(part[:-1])
        elif waiting:
            tokens.append(unquoted(delimiter.join((*waiting, part))))
            waiting = []
        else:
            tokens.append(unquoted(part))
    tokens.append(unquoted(delimiter.join((*waiting, last))))
    return tokens


def unquoted(token: str) -> str:
    """A token without its pair of quotes, if it has one."""
    return token[1:-1] if len(token) > 1 and token[0] == "'" == token[-1] else token


def encode(tokens: Sequence[str], delimiter: str) -> str:
    """One text of several, as VASSAL writes it."""
    return delimiter.join(_quoted(token).replace(delimiter, "\\" + delimiter) for token in tokens)


def _quoted(token: str) -> str:
    quotes = token.endswith("\\") or (token.startswith("'") and token.endswith("'"))
    return f"'{token}'" if quotes else token


def chain(text: str, most: int = sys.maxsize, last: str = "") -> list[str]:
    """The links of a chain 'head TAB rest', where the rest is again such a chain, escaped once more at each link.

    All links are found in one pass: the tab that ends link k has k backslashes before it. Peeling link by link would
    take as many passes as there are links, and a damaged file could have a great many. A link that begins as `last`
    does is the last one, and so is the one that makes `most`: a tab in it is its own.
    """
    if "\t" not in text:
        return [unquoted(text)]
    parts = text.split("\t")
    if text[0] == "'" or "\t'" in text or len(parts) > most or (last and _early(parts, last)):
        return _odd_chain(text, most, last)
    links = []
    for depth, part in enumerate(parts[:-1]):
        cut = len(part) - depth
        if not part.endswith(_BACKSLASHES[depth] if depth < _MOST else "\\" * depth) or part[cut - 1 : cut] == "\\":
            return _odd_chain(text, most, last)
        links.append(part[:cut])
    links.append(parts[-1])
    return links


def chained(links: Sequence[str]) -> str:
    """A chain of links, as VASSAL writes it."""
    text = links[-1]
    for link in reversed(links[:-1]):
        text = encode((link, text), "\t")
    return text


def _early(parts: Sequence[str], last: str) -> bool:
    return any(part.startswith(last) for part in parts[:-1])


def _odd_chain(text: str, most: int, last: str) -> list[str]:
    """A chain with quotes or tabs in its links, or one that is not as it should be."""
    tabs = [(found.start(), found.end(), len(found[1])) for found in _TABS.finditer(text)]
    links: list[str] = []
    start, end, ends = 0, len(text), _ends(tabs)
    for (before, after, run), stop in zip(tabs, ends, strict=True):
        depth = len(links)
        if after > end:
            break
        if depth + 1 == most or (last and text.startswith(last, start)):
            return [*links, _link(text[start:end], depth - 1)]
        if run > depth:
            continue  # a tab inside the link itself
        links.append(_link(text[start:before], depth))
        # A third token of a level is one that VASSAL passes over.
        start, end = after, min(end, stop)
        if end - start > 1 and text[start] == "'" == text[end - 1]:
            start, end = start + 1, end - 1
    links.append(_link(text[start:end], len(links)))
    return links


def _ends(tabs: Sequence[tuple[int, int, int]]) -> list[int]:
    """Where what follows each tab ends: at the next with as many backslashes, if there is one."""
    following: dict[int, int] = {}
    ends = []
    for before, after, run in reversed(tabs):
        ends.append(following.get(run, after + sys.maxsize // 2))
        following[run] = before
    return ends[::-1]


def _link(text: str, depth: int) -> str:
    return unquoted(text.replace("\\" * (depth + 1) + "\t", "\t") if "\t" in text else text)


def number(text: str, otherwise: int = 0) -> int:
    """A whole number as VASSAL reads it: what is none counts as the default."""
    digits = text[1:] if text[:1] in "+-" else text
    # Longer ones VASSAL could not hold either.
    return int(text) if 0 < len(digits) < 11 and digits.isascii() and digits.isdigit() else otherwise


def field(fields: Sequence[str], index: int, otherwise: str = "") -> str:
    """A field that older files may not have."""
    return fields[index] if index < len(fields) else otherwise
