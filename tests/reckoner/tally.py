"""What was reckoned, what could not be, and where the second reckoner and the journal differ."""

from collections import Counter
from typing import Any


class Tally:
    def __init__(self) -> None:
        self.reckoned: Counter[str] = Counter()
        self.not_reckoned: Counter[tuple[str, str]] = Counter()
        self.different: list[str] = []

    def compare(self, heading: str, n: int, what: str, ours: Any, journal: Any) -> None:
        """One figure reckoned anew."""
        self.reckoned[heading] += 1
        if ours != journal:
            self.different.append(f"entry {n}, {heading}: {what}: reckoned {shown(ours)}, journal {shown(journal)}")

    def leave(self, heading: str, why: str) -> None:
        self.not_reckoned[heading, why] += 1

    def share(self) -> float:
        done = sum(self.reckoned.values())
        left = sum(self.not_reckoned.values())
        return done / (done + left) if done + left else 1.0

    def report(self) -> str:
        lines = [f"{heading}: {count} reckoned" for heading, count in sorted(self.reckoned.items())]
        lines += [
            f"{heading}: {count} not reckoned, {why}" for (heading, why), count in sorted(self.not_reckoned.items())
        ]
        lines += [f"{len(self.different)} different", *self.different]
        return "\n".join(lines)


def shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {value[key]}" for key in sorted(value, key=str)) + "}"
    return str(value)
