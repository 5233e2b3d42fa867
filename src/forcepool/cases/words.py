"""The words of an expectation: which belong there, and what each may hold."""

from typing import Any

_YES_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class BadExpectation(ValueError):
    """An expectation that cannot be understood; `word` is the one at fault, where there is one."""

    def __init__(self, message: str, word: str = "") -> None:
        super().__init__(message)
        self.word = word


def only(data: dict[str, Any], *words: str) -> None:
    """No other words than these belong here."""
    for word in data:
        if word not in words:
            raise BadExpectation(f"'{word}' does not belong here; words are {', '.join(words)}", word)


def something(data: dict[str, Any], word: str) -> str:
    """The text a word holds."""
    value = data.get(word)
    if not isinstance(value, str) or not value.strip():
        raise BadExpectation(f"'{word}' needs a word or two after it", word if word in data else "")
    return value


def listed(data: dict[str, Any], word: str) -> list[str]:
    """The one thing a word holds, or the several."""
    value = data[word]
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(each, str) and each for each in values):
        raise BadExpectation(f"'{word}' takes a clause, or several in [ ]", word)
    return values


def yes_or_no(data: dict[str, Any], word: str) -> bool:
    answer = _YES_NO.get(str(data[word]).lower())
    if answer is None:
        raise BadExpectation(f"'{word}' is yes or no, not '{data[word]}'", word)
    return answer
