"""Doing something from a seat: the same steps for a form on a page and for a program through the API."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from forcepool.door.giving import check_dice, settle
from forcepool.engine.campaign import ConsentNeeded, Done, NothingToUndo
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.consent import AgreementNeeded, NothingWaits, ask_for_shares, decline
from forcepool.engine.consent import agree as consent_to
from forcepool.engine.cup import SharesNeeded
from forcepool.engine.decide import Decision
from forcepool.engine.dice import RollNeeded
from forcepool.engine.journal import Conflict, Entry
from forcepool.engine.messages import say as write_to
from forcepool.engine.verdicts import Refusal
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import now
from forcepool.web.chair import AT_HOME, REFEREE, SEES_ALL, Seat
from forcepool.web.keeping import Withheld
from forcepool.web.meters import counting
from forcepool.web.seats import Forbidden, Sight, named
from forcepool.web.shelf import Table
from forcepool.web.stale import changed_since, named_by, subjects


class Stale(Struct, frozen=True):
    """Someone else changed what the form was about; nothing was done."""

    entries: tuple[int, ...]


class DieNeeded(Struct, frozen=True):
    """The players roll their own dice, and this command needs one."""

    sides: int
    says: str


class Wrong(Struct, frozen=True):
    """The command makes no sense, or is not this seat's to give."""

    says: str
    forbidden: bool = False


class NotTaken(Struct, frozen=True):
    """The file did not take it: the disk is full, another program holds it, it was moved. Nothing was recorded.

    Or the host of the server has a reason against it: the campaign is locked, or has reached a limit.
    """

    says: str
    reason: str = ""
    """The host's, in a word."""


def not_taken(error: CampaignFileError) -> NotTaken:
    return NotTaken(str(error), error.reason if isinstance(error, Withheld) else "")


Outcome = Done | Refusal | Stale | DieNeeded | Wrong | AgreementNeeded | NotTaken


class Seen(Struct, frozen=True):
    """What a page knew when an order was given from it: the last entry it showed, and its own orders since."""

    last: int = 0
    own: tuple[int, ...] = ()


def act(
    table: Table,
    seat: Seat,
    command: Command,
    *,
    seen: int | Seen = 0,
    override: str = "",
    rolls: Sequence[int] = (),
) -> Outcome:
    """Give a command from a seat; `seen` is the last entry that was on the page it was given from."""
    done: Outcome
    try:
        done = _acted(table, seat, command, seen if isinstance(seen, Seen) else Seen(seen), override, rolls)
    except Conflict:
        table.refresh()
        done = Stale((table.seq,))
    except CampaignFileError as error:
        done = not_taken(error)
    if isinstance(done, Done | AgreementNeeded):
        table.tell()
    _count(done)
    return done


def _count(outcome: Outcome) -> None:
    """Let whoever watches over the server know what became of an order, not whose or which it was."""
    meters = counting.get()
    match outcome:
        case Done():
            meters.accepted()
        case Refusal():
            meters.refused("rule")
        case Stale():
            meters.refused("overtaken")
        case DieNeeded():
            meters.refused("die needed")
        case AgreementNeeded():
            meters.refused("agreement needed")
        case Wrong(forbidden=True):
            meters.refused("not this seat's")
        case Wrong():
            meters.refused("not understood")
        case NotTaken():
            meters.refused(outcome.reason or "store")
            if not outcome.reason:
                meters.store_failed()


def _acted(table: Table, seat: Seat, command: Command, seen: Seen, override: str, rolls: Sequence[int]) -> Outcome:
    who, by = seat.journal_name, seat.name
    try:
        decision = judge(table, seat, command, override=override, rolls=rolls)
    except SharesNeeded as need:
        try:
            return ask_for_shares(table.campaign, command, need, seat=who, by=by, override=override, when=now())
        except BadCommand as error:
            return Wrong(error.sentence)
    if isinstance(decision, Refusal) and (stale := _overtaken(table, seat, command, seen)):
        return Stale(tuple(stale))
    if not isinstance(decision, Decision):
        return decision
    if stale := changed_since(table, seen.last, subjects(decision.events), seen.own):
        return Stale(tuple(stale))
    # Whoever plays all sides at one machine asks nobody.
    seats = () if seat == AT_HOME else table.seats
    return settle(table.campaign, decision, seat=who, by=by, override=override, dice=rolls, seats=seats)


def _overtaken(table: Table, seat: Seat, command: Command, seen: Seen) -> list[int]:
    """The entries after which an order is refused that the page still offered; none where a name is not the seat's."""
    sight = Sight(seat, table.campaign.world, table.campaign.state)
    if sight.without_hidden_units(command) is not command:
        return []
    return changed_since(table, seen.last, named_by(sight, command), seen.own)


def judge(
    table: Table, seat: Seat, command: Command, *, override: str = "", rolls: Sequence[int] = ()
) -> Decision | Refusal | DieNeeded | Wrong:
    """What comes of a command from a seat; a seat is asked before the rules are, and again before it is done."""
    campaign = table.campaign
    return judged(
        Sight(seat, campaign.world, campaign.state),
        command,
        rolls,
        lambda order: campaign.judge(order, seat=seat.journal_name, override=override, rolls=rolls),
    )


def attempt(
    table: Table, seat: Seat, command: Command, *, override: str = "", rolls: Sequence[int] = ()
) -> Decision | Refusal | DieNeeded | Wrong:
    """What would come of a command. The program's dice stay in the cup: trying must not tell how they will fall."""
    return judged(
        Sight(seat, table.campaign.world, table.campaign.state),
        command,
        rolls,
        lambda order: table.campaign.attempt(order, seat=seat.journal_name, override=override, rolls=rolls),
    )


Judging = Callable[[Command], Decision | Refusal]


def judged(
    sight: Sight, command: Command, rolls: Sequence[int], judging: Judging
) -> Decision | Refusal | DieNeeded | Wrong:
    """A hidden unit is answered like one that never was: first by asking with a name that no unit has in its place."""
    stand_in = sight.without_hidden_units(command)
    if stand_in is not command:
        answer = _asked(sight, stand_in, rolls, judging)
        if not isinstance(answer, Decision):
            return _named_again(answer, command)
    return _asked(sight, command, rolls, judging)


def _named_again(answer: Refusal | DieNeeded | Wrong, command: Command) -> Refusal | DieNeeded | Wrong:
    """The answer with the names as they were given."""
    if isinstance(answer, Refusal):
        reasons = [
            replace(each, sentence=named(each.sentence), advice=named(each.advice), units=()) for each in answer.reasons
        ]
        return replace(answer, command=command, reasons=tuple(reasons))
    return replace(answer, says=named(answer.says))


def _asked(
    sight: Sight, command: Command, rolls: Sequence[int], judging: Judging
) -> Decision | Refusal | DieNeeded | Wrong:
    try:
        sight.may_give(command)
        decision = judging(command)
        if isinstance(decision, Decision):
            sight.may_bring_about(command, decision.events)
            check_dice(decision, rolls)
        else:
            sight.may_hear_why_not(decision)
    except RollNeeded as need:
        return DieNeeded(need.sides, str(need))
    except Forbidden as no:
        return Wrong(str(no), forbidden=True)
    except BadCommand as error:
        if hidden := sight.no_such_unit(error):
            return Wrong(str(hidden), forbidden=True)
        says = sight.veiled(error.sentence)
        # A hint at what exists must not tell of what is hidden, nor that it is.
        return Wrong(says if says == error.sentence else says.partition("; ")[0])
    return decision


def _said(table: Table, seat: Seat, text: str, to: str, tries: int = 5) -> Entry:
    try:
        return write_to(table.campaign, text, to=to, seat=seat.journal_name, by=seat.name, when=now())
    except Conflict:
        if not tries:
            raise
        table.refresh()
        return _said(table, seat, text, to, tries - 1)


def say(table: Table, seat: Seat, text: str, to: str = "") -> Entry | Wrong | NotTaken:
    """Write to a side, to the referee or to all; what else is done at the same moment does not concern it."""
    if not seat.acts:
        return Wrong("an observer watches and says nothing; ask the referee for a seat", forbidden=True)
    try:
        done = _said(table, seat, text, to)
    except BadCommand as error:
        return Wrong(error.sentence)
    except Conflict as error:
        return NotTaken(str(error))
    except CampaignFileError as error:
        return not_taken(error)
    table.tell()
    return done


# ------------------------------------------------------------------------------------------ turning back


class Asked(Struct, frozen=True):
    """The undo waits until these seats agree."""

    seats: tuple[str, ...]
    why: str


Turned = Entry | Asked | Stale | Wrong | NotTaken


def undo(table: Table, seat: Seat, *, to: int | None = None, seen: int = 0) -> Turned:
    """Undo the last command, or all from entry `to` on; others are asked where it is theirs."""
    campaign = table.campaign
    if later := _done_since(table, seen):
        return Stale(later)
    sight = Sight(seat, campaign.world, campaign.state)
    if not seat.acts:
        return Wrong("an observer watches and does nothing; ask the referee for a seat", forbidden=True)
    try:
        entries = campaign.undoable(to)
    except NothingToUndo as error:
        return Wrong(str(error))
    theirs = [entry for entry in entries if not sight.may_turn_back(entry)]
    if seat.front and theirs:
        return Wrong(f"it would undo more than {seat.title} did; ask {seat.side} to do it", forbidden=True)
    if any(entry.seat not in table.seats for entry in theirs):
        # Only a seat of the campaign can be asked to agree.
        return Wrong(f"it would undo what is not {seat.title}'s; ask the referee to do it", forbidden=True)
    return _turn(table, lambda: _undone(table, seat, entries))


def _done_since(table: Table, seen: int) -> tuple[int, ...]:
    """The entries after one that was on the page; messages are no doing."""
    if not seen or seen >= table.seq:
        return ()
    return tuple(entry.n for entry in table.campaign.entries(seen + 1) if not entry.message)


def _undone(table: Table, seat: Seat, entries: Sequence[Entry]) -> Entry | ConsentNeeded:
    campaign = table.campaign
    done = campaign.undo_these(entries, seat=seat.journal_name, when=now(), seats=table.seats)
    while seat == AT_HOME and isinstance(done, ConsentNeeded):
        # Whoever plays all sides at one machine agrees for all of them.
        done = campaign.consent(seat=done.seats[0], when=now(), seats=table.seats)
    return done


def consent(table: Table, seat: Seat) -> Turned:
    """Agree to what another seat asked to undo."""
    if seat.front or not seat.acts:
        return Wrong("a side's own player agrees for it", forbidden=True)
    return _turn(table, lambda: table.campaign.consent(seat=seat.journal_name, when=now(), seats=table.seats))


def agree(table: Table, seat: Seat, number: int, *, yes: bool = True) -> Outcome | Entry:
    """Agree to an order that waits for this seat, or decline it; one's own can be taken back so."""
    if seat.front or not seat.acts:
        return Wrong("a side's own player agrees for it", forbidden=True)
    # The host decides as the referee does where there is none.
    who = REFEREE if seat.role in SEES_ALL else seat.journal_name
    try:
        if yes:
            done: Outcome | Entry = consent_to(table.campaign, number, seat=who, when=now())
        else:
            done = decline(table.campaign, number, seat=who, when=now())
    except NothingWaits as error:
        return Wrong(str(error))
    except SharesNeeded as need:
        return Wrong(str(need))
    except Conflict:
        table.refresh()
        return Stale((table.seq,))
    except CampaignFileError as error:
        return not_taken(error)
    table.tell()
    return done


def redo(table: Table, seat: Seat, *, seen: int = 0) -> Turned:
    """Bring back what was undone last, if it is the seat's own."""
    campaign = table.campaign
    if later := _done_since(table, seen):
        return Stale(later)
    sight = Sight(seat, campaign.world, campaign.state)
    group = set(campaign.history.redoable[-1]) if campaign.history.redoable else set()
    entries = (entry for entry in campaign.entries(min(group), max(group) + 1) if entry.n in group) if group else ()
    if not seat.acts or not all(sight.may_turn_back(entry) for entry in entries):
        return Wrong("what was undone last is not yours to bring back", forbidden=True)
    return _turn(table, lambda: campaign.redo(seat=seat.journal_name, when=now()))


def _turn(table: Table, do: Callable[[], Entry | ConsentNeeded]) -> Turned:
    before = table.seq
    try:
        done = do()
    except NothingToUndo as error:
        return Wrong(str(error))
    except Conflict:
        table.refresh()
        return Stale((table.seq,))
    except CampaignFileError as error:
        return not_taken(error)
    if table.seq != before:
        # Asking again for the same is no news.
        table.tell()
    return Asked(done.seats, done.why) if isinstance(done, ConsentNeeded) else done
