"""Answers that are kept together with what they read, and hold until something they read changes.

Lists are worked out on a watched state: it says what the state says, and notes who asked for what. An answer holds its
value, the keys it read and the answers it asked. When something happens, those that read one of the keys it touched are
stale, and all that stand on them doubtful. A doubtful answer first has those it asked brought up to date: if none of
them changed, it stands. One that is worked out anew and comes to the same stops the doubt there. So an order costs what
really changes by it, however long the lists are.

Whoever looks once, such as the command line, keeps nothing: the plain state gives the same answers, and tests compare.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from forcepool.engine.facts import afresh, outcome
from forcepool.engine.state import NO_MARKS, State, hands
from forcepool.engine.watched import Key, Watched

if TYPE_CHECKING:
    from forcepool.engine.world import World

GOOD, DOUBTFUL, STALE = range(3)
MEMORY = 24
"""Phases that answers are kept for without being asked: a turn, and some more."""
FEW = 4_000
"""Answers among which nobody looks for those that are out of use."""


class Answer:
    """What was found out, and what that rests on."""

    __slots__ = ("asked", "askers", "changed", "checked", "function", "objection", "read", "standing", "value", "what")

    def __init__(self, function: Callable[..., Any], what: tuple[Any, ...]) -> None:
        self.function, self.what = function, what
        self.value: Any = None
        self.objection: Exception | None = None
        self.read: set[Key] = set()
        self.asked: dict[Answer, None] = {}
        self.askers: set[Answer] = set()
        self.changed = self.checked = 0
        self.standing = STALE


class Keeper:
    """The answers of one campaign, brought from moment to moment."""

    def __init__(self, world: "World", state: State) -> None:
        self.state = state
        self.answers: dict[Key, Answer] = {}
        self._readers: dict[Key, set[Answer]] = {}
        self.read: set[Key] = set()
        """What whoever is being worked out has read so far, and whom it has asked."""
        self._asked: dict[Answer, None] | None = None
        self._now = 1
        self.worked_out = 0
        """How many answers were worked out so far."""
        self._enough = FEW
        self._phases = deque((self._now,), MEMORY)
        self._touched: set[Key] = set()
        state.touched = self._touched
        self.watched = Watched(self, state)
        self.facts = world.new_facts(cast(State, self.watched))
        # Asked a hundred thousand times a turn: straight, not by way of the state.
        self.facts.__dict__["ask"] = self.ask

    @property
    def busy(self) -> bool:
        """Whether an answer is being worked out: what it tries out on states of its own is nobody else's."""
        return self._asked is not None

    def ask(self, function: Callable[..., Any], *what: Any) -> Any:
        """What a function of the world and its facts finds; worked out only if something it read has changed."""
        key = (function, *what)
        answer = self.answers.get(key)
        if answer is None:
            answer = self.answers[key] = Answer(function, what)
        if answer.standing != GOOD:
            self._bring_up(answer)
        if self._asked is not None and (answer.read or answer.asked):
            self._asked[answer] = None
        if answer.objection is not None:
            raise afresh(answer.objection)
        return answer.value

    def _bring_up(self, answer: Answer) -> None:
        if answer.standing == DOUBTFUL:
            # In the order in which they were asked: what comes after one that changed may not be asked again.
            for each in answer.asked:
                if each.standing != GOOD:
                    self._bring_up(each)
                if each.changed > answer.checked:
                    break
            else:
                answer.standing, answer.checked = GOOD, self._now
                return
        self._work_out(answer)

    def _work_out(self, answer: Answer) -> None:
        above = self.read, self._asked
        self.read, self._asked = set(), {}
        try:
            value, objection = outcome(answer.function, self.facts, answer.what)
        finally:
            read, asked = self.read, self._asked
            self.read, self._asked = above
        self._link(answer, read, asked)
        self.worked_out += 1
        if not (answer.checked and value == answer.value and _same(objection, answer.objection)):
            answer.changed = self._now
            answer.value, answer.objection = value, objection
        answer.standing, answer.checked = GOOD, self._now

    def _link(self, answer: Answer, read: set[Key], asked: dict[Answer, None]) -> None:
        readers = self._readers
        for key in answer.read - read:
            readers[key].discard(answer)
        for key in read - answer.read:
            readers.setdefault(key, set()).add(answer)
        for each in answer.asked:
            if each not in asked:
                each.askers.discard(answer)
        for each in asked:
            each.askers.add(answer)
        answer.read, answer.asked = read, asked

    # ------------------------------------------------------------------------------------ from moment to moment

    def at(self, state: State) -> State:
        """The watched state, at the moment that a state shows: the same one as before, or another."""
        if state is not self.state or state.touched is not self._touched:
            self._go_over(state)
        if self._asked is None:
            self.read.clear()
        if self._touched:
            self._now += 1
            self._touch(self.watched.follow(self._touched))
            self._touched.clear()
        return cast(State, self.watched)

    def _go_over(self, state: State) -> None:
        """Another state, after an undo or in a what-if: what differs between the two is touched."""
        if self.state.touched is self._touched:
            self._touched |= differences(self.state, state)
            self.state.touched = None
        else:
            # Another keeper was told what happened in the meantime, so nothing is known here.
            self.answers, self._readers = {}, {}
            self._touched.update(("unit", each) for each in (*self.state.units, *state.units))
        self.state, state.touched = state, self._touched
        self.watched.look_at(state)

    def _touch(self, keys: Iterable[Key]) -> None:
        doubt: list[Answer] = []
        for key in keys:
            for each in self._readers.get(key, ()):
                if each.standing == GOOD:
                    doubt.append(each)
                each.standing = STALE
        while doubt:
            for each in doubt.pop().askers:
                if each.standing == GOOD:
                    each.standing = DOUBTFUL
                    doubt.append(each)
        if ("clock",) in keys:
            self._phases.append(self._now)
            if len(self.answers) > self._enough and len(self._phases) == MEMORY:
                self._drop_what_nobody_asks()

    def forget(self) -> None:
        """Let go of everything, of which much holds on to one another: the campaign is closed."""
        for each in self.answers.values():
            each.value = each.objection = None
            each.asked, each.askers, each.standing = {}, set(), STALE
        for kind in self.facts.kinds.values():
            kind.forget()
        self.facts.kinds.clear()
        self.facts.__dict__.clear()
        self.answers.clear()
        self._readers.clear()
        if self.state.touched is self._touched:
            self.state.touched = None
        del self.facts, self.watched

    def _drop_what_nobody_asks(self) -> None:
        """What nothing stands on that was looked at in the last turn or so is out of use."""
        fresh = [each for each in self.answers.values() if each.checked >= self._phases[0]]
        wanted: set[Answer] = set()
        while fresh:
            each = fresh.pop()
            if each not in wanted:
                wanted.add(each)
                fresh += each.asked
        for key, each in list(self.answers.items()):
            if each not in wanted:
                self._link(each, set(), {})
                del self.answers[key]
        self._readers = {key: readers for key, readers in self._readers.items() if readers}
        asked_about = {id(each) for answer in self.answers.values() for each in answer.what}
        self.facts.kinds = {key: kind for key, kind in self.facts.kinds.items() if id(kind) in asked_about}
        self._enough = max(FEW, 3 * len(self.answers) // 2)


def keep_answers(world: "World", state: State) -> Keeper:
    """From now on the lists of a campaign are kept with what they read."""
    keeper: Keeper = world.keeper or Keeper(world, state)
    world.keeper = keeper
    return keeper


def forget_answers(world: "World") -> None:
    """Keep nothing of a campaign any more, so that it can leave memory."""
    keeper: Keeper | None = world.keeper
    if keeper is not None:
        world.keeper = None
        keeper.forget()
    world.forget()


def watched(world: "World", state: State) -> State:
    """The state as a list looks at it: watched if somebody keeps the answers, else as it is."""
    keeper: Keeper | None = world.keeper
    # What an answer tries out on a state of its own is nobody else's.
    return state if keeper is None or keeper.busy or state.keeper is not None else keeper.at(state)


def _same(one: Exception | None, other: Exception | None) -> bool:
    return type(one) is type(other) and (one is None or other is None or one.args == other.args)


def differences(before: State, after: State) -> set[Key]:
    """What an answer could have read that is not the same in two states."""
    found: set[Key] = set()
    for kind, one, other in (
        ("unit", before.units, after.units),
        ("balance", before.balances, after.balances),
        ("stack", before.stacks, after.stacks),
        ("switch", before.switches, after.switches),
        ("bearers", before.marked, after.marked),
    ):
        if one != other:
            found |= {(kind, key) for key in _differ(one, other)}
    for on in _differ(before.marks, after.marks) if before.marks != after.marks else ():
        said = before.marks.get(on, NO_MARKS), after.marks.get(on, NO_MARKS)
        found |= {("mark", on, mark) for mark in _differ(*said)}
    if before.balances.keys() != after.balances.keys():
        found.add(("accounts",))
    if before.clock != after.clock:
        found |= set(hands(before.clock, after.clock))
    return found


def _differ(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> Iterator[Any]:
    yield from (key for key, value in one.items() if key not in other or other[key] != value)
    yield from (key for key in other if key not in one)
