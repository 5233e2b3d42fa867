"""Cases played with a watcher at the table, who tries out at every step what the players are told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forcepool.cases.reading import Case, Step, read_cases
from forcepool.cases.runner import _Player
from forcepool.engine.campaign import Done
from forcepool.engine.command import Command, describe
from forcepool.engine.verdicts import Refusal
from forcepool.files.problems import BadFile
from tests.offers import trying

CASES = Path(__file__).parent.parent / "cases"


class Watcher(_Player):
    """Plays a case and notes what was not offered, which remedy was untrue, which ready order was refused."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.found: dict[str, str] = {}
        self.without_a_way: set[tuple[str, str]] = set()

    def give(self, step: Step, order: Command | None) -> Any:
        world, before = self.campaign.world, self.campaign.state.copy()
        outcome = super().give(step, order)
        for ready, why in trying.refused_ready_orders(world, before):
            self.note("ready", ready, why)
        if order is None or step.override:
            return outcome
        if isinstance(outcome, Refusal):
            self.try_remedies(order, outcome, before)
        elif isinstance(outcome, Done) and not self.was_offered(order, before, outcome):
            self.note("offer", order, "accepted and not offered")
        return outcome

    def was_offered(self, order: Command, before: Any, outcome: Done) -> bool:
        world, events = self.campaign.world, outcome.entry.events
        return trying.is_a_record(order) or trying.is_offered(world, before, order, events)

    def try_remedies(self, order: Command, refusal: Refusal, before: Any) -> None:
        later = trying.Later(self.campaign.world, before)
        for reason in refusal.reasons:
            if reason.remedy and not reason.ways:
                self.without_a_way.add((reason.clause, reason.remedy))
            if why := trying.is_untrue(self.campaign.world, later, order, reason):
                self.note("remedy", order, f"{reason.clause} {reason.remedy}: {why}")

    def note(self, kind: str, order: Command, why: str) -> None:
        name = f"{Path(self.case.document.file).relative_to(CASES).as_posix()}: {self.case.title}"
        self.found[f"{kind} | {name} | {describe(order)}"] = why


def watch(file: Path) -> Iterator[tuple[str, str]]:
    """What the watcher finds wrong in the cases of a file: the situation, and why."""
    for case in read_cases(file):
        try:
            watcher = Watcher(case)
            watcher.play()
        except BadFile:
            continue  # A case that cannot be set up fails as a case.
        yield from sorted(watcher.found.items())
