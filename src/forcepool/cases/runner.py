"""Running cases: set the situation up, give the commands, compare what was found with what was expected."""

from typing import Any

import msgspec
from msgspec import Struct

from forcepool import games
from forcepool.cases.expectations import Table, check
from forcepool.cases.reading import PLAIN_STEPS, Case, Step
from forcepool.engine.campaign import Campaign, Done, NothingToUndo, begin
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.desk import Advance
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Rolled
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.points import parse_points
from forcepool.engine.state import to_bytes
from forcepool.engine.verdicts import Refusal
from forcepool.files.problems import BadFile, Problem
from forcepool.files.shape import shape

FURTHEST = 20000
"""Phases a step may play forward; more than a whole war."""


class Result(Struct, frozen=True):
    """What came of a case: nothing when it holds, else what was found beside what was expected."""

    case: Case
    problems: tuple[Problem, ...]

    @property
    def passed(self) -> bool:
        return not self.problems


def run(case: Case) -> Result:
    """Play a case through the engine."""
    try:
        player = _Player(case)
        player.play()
    except BadFile as bad:
        return Result(case, bad.problems)
    return Result(case, tuple(player.problems))


class _Player:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.problems: list[Problem] = []
        game = games.game(case.game)
        set_up = game.set_up(case.document, (*case.path, "given"))
        journal = MemoryJournal()
        begin(journal, game=case.game, title=case.title, ruleset="case", world=set_up.world, state=set_up.state)
        self.campaign = Campaign(journal, games.build_world)
        self.dice = list(set_up.dice)
        self.commands = {command_name(each): each for each in game.commands}

    def bad(self, path: tuple[Any, ...], message: str, hint: str = "") -> None:
        self.problems.append(self.case.document.problem(path, message, hint))

    def play(self) -> None:
        tables = [Table(self.campaign, None, self.campaign.state.copy())]
        for number, step in enumerate(self.case.steps, 1):
            self.go_forward(step)
            outcome = self.give(step)
            tables.append(Table(self.campaign, outcome, self.campaign.state.copy()))
            self.unexpected_refusal(number, step, outcome)
        for path in self.case.expect:
            for message in check(self.case, path, tables):
                self.bad(path, message)

    def unexpected_refusal(self, number: int, step: Step, outcome: Any) -> None:
        """A refused step that no expectation speaks of is a failure, not a silence."""
        if not isinstance(outcome, Refusal | str):
            return
        last = len(self.case.steps)
        spoken_of = any(
            isinstance(each, dict)
            and int(each.get("after", last)) == number
            and (each.get("refused_by") or each.get("accepted") is not None or each.get("error"))
            for each in self._expectations()
        )
        if not spoken_of:
            reasons = outcome if isinstance(outcome, str) else _reasons(outcome)
            self.bad(step.path, f"step {number} was not expected to be refused: {reasons}")

    def _expectations(self) -> list[Any]:
        data: Any = self.case.document.data
        for key in self.case.path:
            data = data[key]
        return [each for each in data.get("expect") or [] if str(each.get("after", "0")).isdigit()]

    def go_forward(self, step: Step) -> None:
        if not (step.turn or step.player or step.phase):
            return
        world, state = self.campaign.world, self.campaign.state
        clock = state.clock
        try:
            turn = world.calendar.parse(step.turn).turn if step.turn else clock.turn
            player = world.sequence.player_index(step.player) if step.player else clock.player
            phase = world.sequence.phase_index(step.phase, player) if step.phase else clock.phase
        except ValueError as error:
            raise BadFile([self.case.document.problem(step.path, str(error))]) from None
        target = (turn, player, phase)
        for _ in range(FURTHEST):
            clock = self.campaign.state.clock
            now = (clock.turn, clock.player, clock.phase)
            if now == target:
                return
            if now > target:
                break
            self.carry_out(Advance(), step)
        raise BadFile(
            [self.case.document.problem(step.path, f"that moment has passed: it is {world.when(self.campaign.state)}")]
        )

    def give(self, step: Step) -> Any:
        if not step.command:
            return None
        if step.command in PLAIN_STEPS:
            try:
                return self.campaign.undo() if step.command == "undo" else self.campaign.redo()
            except NothingToUndo as error:
                return str(error)
        return self.carry_out(self.command(step), step)

    def command(self, step: Step) -> Command:
        cls = self.commands.get(step.command)
        document = self.case.document
        if cls is None:
            known = ", ".join(sorted(self.commands))
            raise BadFile(
                [document.problem(step.path, f"there is no command '{step.command}'", f"commands are {known}")]
            )
        if step.command == "advance":
            return Advance()
        return shape(
            document, (*step.path, step.command), cls, {msgspec.Raw: str, type(parse_points("1")): parse_points}
        )

    def carry_out(self, command: Command, step: Step) -> Any:
        before = to_bytes(self.campaign.state)
        rolls = (*step.dice, *self.dice)
        try:
            outcome = self.campaign.do(command, seat=step.seat, override=step.override, rolls=rolls)
        except BadCommand as error:
            outcome_text = str(error)
        except RollNeeded as need:
            outcome_text = f"{need}; the case gives no die for it"
        else:
            if isinstance(outcome, Done):
                rolled = sum(isinstance(event, Rolled) for event in outcome.entry.events)
                self.dice = self.dice[max(0, rolled - len(step.dice)) :]
                return outcome
            if to_bytes(self.campaign.state) != before:
                self.bad(step.path, "a refused command changed the state")
            return outcome
        return outcome_text


def _reasons(refusal: Refusal) -> str:
    return "; ".join(f"{reason.clause} {reason}" for reason in refusal.reasons)
