"""Running cases: set the situation up, give the commands, compare what was found with what was expected."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool import games
from forcepool.cases.expectations import SPEAKS_OF_THE_OUTCOME, Table, after, check
from forcepool.cases.reading import PLAIN_STEPS, Case, Step
from forcepool.engine.beginning import begin
from forcepool.engine.campaign import Campaign, Done, NothingToUndo
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.desk import Advance
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Marked, Rolled, Transferred
from forcepool.engine.game import Game
from forcepool.engine.given import as_it_holds
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.points import parse_points, show_points
from forcepool.engine.state import to_bytes
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import Refusal
from forcepool.files.problems import BadFile, Problem
from forcepool.files.scalars import suggestion
from forcepool.files.shape import shape
from forcepool.files.yamltext import Path
from forcepool.orderofbattle.unit_strings import parse_unit

FURTHEST = 20000
"""Phases a step may play forward; more than a whole war."""

PARSERS: Any = {Fraction: parse_points, UnitSpec: lambda text: parse_unit(text).spec}
"""How the words of a step become amounts and units."""


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
    return Result(case, tuple(sorted(set(player.problems))))


class _Player:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.problems: list[Problem] = []
        game = self.game()
        self.orders = self.read_orders(game)
        set_up = game.set_up(case.document, (*case.path, "given"))
        journal = MemoryJournal()
        begin(journal, game=game.name, title=case.title, ruleset="case", world=set_up.world, state=set_up.state)
        self.campaign = Campaign(journal, lambda _, data: game.build(data))
        self.dice = list(set_up.dice)

    def bad(self, path: Path, message: str, hint: str = "") -> None:
        self.problems.append(self.case.document.problem(path, message, hint))

    def stop(self, path: Path, message: str, hint: str = "", *, at_key: bool = False) -> BadFile:
        return BadFile([self.case.document.problem(path, message, hint, at_key=at_key)])

    # ------------------------------------------------------------------------------------- before playing

    def game(self) -> Game:
        """The game the case names, or the one that files naming none are for."""
        name = self.case.game or games.DEFAULT
        try:
            return games.game(name)
        except games.UnknownGame as error:
            raise self.stop((*self.case.path, "game"), str(error)) from None

    def read_orders(self, game: Game) -> list[Command | None]:
        """Every step's command, so that a misspelt last step is found before the first is played."""
        known = {command_name(each): each for each in game.commands}
        orders: list[Command | None] = []
        problems: list[Problem] = []
        for step in self.case.steps:
            try:
                orders.append(self.order(step, known))
            except BadFile as bad:
                problems += bad.problems
        if problems:
            raise BadFile(problems)
        return orders

    def order(self, step: Step, known: dict[str, type[Command]]) -> Command | None:
        if not step.command or step.command in PLAIN_STEPS:
            return None
        path = (*step.path, step.command)
        if step.command not in known:
            words = [*sorted(known), *PLAIN_STEPS]
            hint = suggestion(step.command, words) or f"commands are {', '.join(words)}"
            raise self.stop(path, f"there is no command '{step.command}'", hint, at_key=True)
        if step.command == command_name(Advance):
            return Advance()
        fields = self.case.at(path)
        if isinstance(fields, dict):
            fields.update({word: as_it_holds(known[step.command], word, said) for word, said in fields.items()})
        return shape(self.case.document, path, known[step.command], PARSERS)

    # -------------------------------------------------------------------------------------------- playing

    def play(self) -> None:
        tables = [Table(self.campaign, None, self.campaign.state.copy(), given=False)]
        for number, (step, order) in enumerate(zip(self.case.steps, self.orders, strict=True), 1):
            rest = self.dice
            self.dice = [*step.dice, *rest]
            self.go_forward(step)
            outcome = self.give(step, order)
            # Dice given with a step are for it alone; what it did not need is not kept for another.
            self.dice = self.dice[max(0, len(self.dice) - len(rest)) :]
            tables.append(Table(self.campaign, outcome, self.campaign.state.copy(), given=bool(step.command)))
            self.unexpected_refusal(number, step, outcome)
        for path in self.case.expect:
            try:
                for message in check(self.case, path, tables):
                    self.bad(path, message)
            except BadFile as bad:
                self.problems += bad.problems

    def unexpected_refusal(self, number: int, step: Step, outcome: Any) -> None:
        """A refused step that no expectation speaks of is a failure, not a silence."""
        if not isinstance(outcome, Refusal | str):
            return
        last = len(self.case.steps)
        if not any(after(each, last) == number and SPEAKS_OF_THE_OUTCOME & each.keys() for each in self.expected()):
            reasons = outcome if isinstance(outcome, str) else _reasons(outcome)
            self.bad(step.path, f"step {number} was not expected to be refused: {reasons}")

    def expected(self) -> Iterator[dict[str, Any]]:
        for path in self.case.expect:
            data = self.case.at(path)
            if isinstance(data, dict):
                yield data

    def go_forward(self, step: Step) -> None:
        """Play on to the moment a step names, with all that comes about by itself on the way."""
        if not (step.turn or step.player or step.phase):
            return
        target = self.moment(step)
        for _ in range(FURTHEST):
            clock = self.campaign.state.clock
            now = (clock.turn, clock.player, clock.phase)
            if now == target:
                return
            if now > target:
                raise self.stop(step.path, f"that moment has passed: it is {self.now()}")
            outcome = self.carry_out(Advance(), step)
            if not isinstance(outcome, Done):
                reasons = outcome if isinstance(outcome, str) else _reasons(outcome)
                raise self.stop(step.path, f"play stops at {self.now()}: {reasons}")
        raise self.stop(step.path, f"that moment is too far away: after {FURTHEST} phases it is only {self.now()}")

    def moment(self, step: Step) -> tuple[int, int, int]:
        """The turn, player and phase of a step; what it leaves out stays as it is."""
        world, clock = self.campaign.world, self.campaign.state.clock
        word = "turn"
        try:
            turn = world.calendar.parse(step.turn).turn if step.turn else clock.turn
            word = "player"
            player = world.sequence.player_index(step.player) if step.player else clock.player
            word = "phase"
            same = (turn, player) == (clock.turn, clock.player)
            order = clock.order if same else world.order_of_phases(self.campaign.state)
            phase = world.sequence.phase_index(step.phase or world.phase(self.campaign.state), player, order)
        except ValueError as error:
            raise self.stop((*step.path, word), str(error)) from None
        return turn, player, phase

    def now(self) -> str:
        return self.campaign.world.when(self.campaign.state)

    def give(self, step: Step, order: Command | None) -> Any:
        if order is not None:
            return self.carry_out(order, step, override=step.override)
        if not step.command:
            return None
        try:
            return self.campaign.undo(seat=step.seat) if step.command == "undo" else self.campaign.redo(seat=step.seat)
        except NothingToUndo as error:
            return str(error)

    def carry_out(self, command: Command, step: Step, *, override: str = "") -> Any:
        """What came of a command: what was done, a refusal, or an error in words."""
        before, marks = to_bytes(self.campaign.state), self.marks_now()
        outcome: Any
        try:
            outcome = self.campaign.do(command, seat=step.seat, override=override, rolls=self.dice)
        except BadCommand as error:
            outcome = str(error)
        except RollNeeded as need:
            outcome = f"{need}; the case gives no die for it"
        if isinstance(outcome, Done):
            rolled = sum(isinstance(event, Rolled) for event in outcome.entry.events)
            self.dice = self.dice[rolled:]
            self.moved_nothing(outcome, step)
            self.took_off_nothing(outcome, step, marks)
        elif to_bytes(self.campaign.state) != before:
            self.bad(step.path, "a refused command changed the state")
        return outcome

    def moved_nothing(self, done: Done, step: Step) -> None:
        """The journal keeps what happened: points that did not move have no line in it."""
        for each in done.entry.events:
            if isinstance(each, Transferred) and each.amount <= 0:
                what = f"{show_points(each.amount)} {each.kind} of {each.nation}"
                self.bad(step.path, f"the journal says that {what} went from {each.frm} to {each.to}")

    def marks_now(self) -> set[tuple[str, str]]:
        return {(on, mark) for on, marks in self.campaign.state.marks.items() for mark in marks}

    def took_off_nothing(self, done: Done, step: Step, marks: set[tuple[str, str]]) -> None:
        """A marker that was not on is not taken off."""
        for each in done.entry.events:
            if not isinstance(each, Marked):
                continue
            if each.value is not None:
                marks.add((each.on, each.mark))
            elif (each.on, each.mark) in marks:
                marks.remove((each.on, each.mark))
            else:
                self.bad(step.path, f"the journal says that {each.mark} was taken off {each.on}, which had none")


def _reasons(refusal: Refusal) -> str:
    return "; ".join(f"{reason.clause} {reason}" for reason in refusal.reasons)
