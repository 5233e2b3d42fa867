"""52.F.5.b  Soviet special replacements: from the nation's pool on to the MDs, ten points each."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.calendar import MOST_PLAYERS, turn_of
from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import POINTS, TURN, Fact, subject_key
from forcepool.engine.given import Area, Points
from forcepool.engine.options import would_pass
from forcepool.engine.points import show_points, store_points
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Verdict, Way, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.ownership import cities_of
from forcepool.games.europa.ground.pools import usable_from
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.ground.soviet_pools import AXIS, INF, MD, SOVIET, SOVIET_UNION
from forcepool.games.europa.point_words import some
from forcepool.games.europa.question import EuropaQuestion, from_phase_on
from forcepool.games.europa.replacements.special.special import receipts, sides_counting_now
from forcepool.games.europa.world import NATIONAL, EuropaWorld

POOL = NATIONAL + SOVIET_UNION
THE_NATION = subject_key("nation", SOVIET_UNION)
RECEIVED, LAST_RECEIPT = "special_received", "special_last_receipt"
SENT, SENT_ON, SENT_OF_RECEIPT = "special_sent", "special_sent_on", "special_sent_of_receipt"

SENDING = switch(
    "special-to-mds",
    "52.F.5.b/3",
    "when Soviet special replacements may go on to the MDs",
    any_turn="as soon as they are received or on any later turn, without transport",
    turn_of_receipt="until the next Soviet player-turn only",
    by_rail="as any other points, with rail capacity",
)
TEN_AN_MD = switch(
    "special-per-md",
    "52.F.5.b/4",
    "how many of them one MD may take",
    a_turn="ten a turn",
    a_receipt="ten of each receipt, however many turns it takes",
    no_limit="any number: the ten of the example are no rule",
)


def note_received(world: EuropaWorld, state: State) -> Iterator[Event]:
    """How many infantry points the nation receives for losses, since these may go on to the MDs."""
    if SOVIET not in sides_counting_now(world, state):
        return
    new = sum(
        (each.amount for each in receipts(world, state, (SOVIET,)) if (each.pool, each.kind) == (POOL, INF)),
        Fraction(0),
    )
    if not new:
        return
    total = world.facts(state).points(THE_NATION, RECEIVED) + new
    yield _counts(THE_NATION, RECEIVED, total, "52.F.5.b/3")
    yield _counts(THE_NATION, LAST_RECEIPT, new, "")
    for on in sorted(state.marked.get(SENT_OF_RECEIPT, ())):
        if on.startswith("area/"):
            yield Marked(on=on, mark=SENT_OF_RECEIPT)


def _counts(on: str, mark: str, amount: Fraction, because: str) -> Marked:
    return Marked(on=on, mark=mark, value=store_points(amount), because=because)


class Sending(EuropaQuestion):
    """Soviet special replacements on their way to an MD."""

    command: "SendSpecial"

    @lazy
    def amount(self) -> Fraction:
        return some(self.command.amount, "amount")

    @lazy
    def md(self) -> str:
        return self.world.area_named(self.command.md)

    @lazy
    def left(self) -> Fraction:
        """What is left of the special replacements received, and still lies in the nation's pool."""
        received = self.facts.points(THE_NATION, RECEIVED)
        return min(received, self.state.balance(POOL, SOVIET_UNION, INF))

    @lazy
    def turn(self) -> int:
        """The turn they are sent on: until the next Soviet player-turn begins it is that of the last one."""
        own = self.world.sequence.players.index(SOVIET) if SOVIET in self.world.sequence.players else 0
        return self.state.clock.turn - (self.state.clock.player < own)

    @lazy
    def since(self) -> int:
        """The player-turn in which they were received; where nothing tells, the one that is on."""
        mark = self.state.mark(THE_NATION, LAST_RECEIPT)
        return mark.since if mark else self.state.player_turn


@rule("52.F.5.b/3")
def are_special_replacements(q: Sending) -> Verdict:
    """The infantry points received for losses, as long as they lie in the nation's pool, may go on to an on-map MD."""
    if not q.md.startswith(MD) or q.world.facts(q.state).of_area(q.md, "off_map") is True:
        return no(f"{the_pool(q.md)} is no MD on the map", remedy=f"name one with {the_field('md')}")
    if not q.world.could_serve(q.state, q.md, SOVIET_UNION):
        return no(
            f"{the_pool(q.md)} is no MD of the Soviet Union", remedy=f"name one of its own with {the_field('md')}"
        )
    cities = cities_of(q.world, q.facts, q.md)
    if cities and all(q.facts.owner(city) == AXIS for city in cities):
        return no(f"every dot and major city of {the_pool(q.md)} is lost", also=("52.D.2.d.i/5",))
    if q.amount > q.left:
        return no(
            f"{show_points(q.left)} inf of the special replacements are left in {the_pool(POOL)}",
            remedy="send no more than that",
            have=q.left,
            need=q.amount,
        )
    ruling = q.switch(SENDING.key)
    if ruling == "by-rail":
        return no("special replacements move as other points do", remedy="use transfer-points")
    if ruling == "turn-of-receipt" and _own_turn_has_come(q):
        when = q.world.turn_name(turn_of(q.since))
        return no(f"they were received on {when}, and could go on only then", remedy="use transfer-points")
    return YES


def _own_turn_has_come(q: Sending) -> bool:
    """Whether a Soviet player-turn has begun since they were received."""
    return q.state.player_turn >= q.since + MOST_PLAYERS


def sent_this_turn(q: Sending) -> Fraction:
    """What an MD was sent on the Soviet turn that is on."""
    area = subject_key("area", q.md)
    on = q.world.facts(q.state).value(area, SENT_ON)
    return q.facts.points(area, SENT) if on == q.turn else Fraction(0)


@rule("52.F.5.b/4")
def ten_an_md(q: Sending) -> Verdict:
    """No MD takes more than ten of these points."""
    ruling = q.switch(TEN_AN_MD.key)
    if ruling == "no-limit":
        return YES
    limit = q.world.numbers["special_to_an_md"]
    area = subject_key("area", q.md)
    sent = sent_this_turn(q) if ruling == "a-turn" else q.facts.points(area, SENT_OF_RECEIPT)
    if sent + q.amount <= limit:
        return YES
    rest = f"send {show_points(limit - sent)} there and the rest elsewhere" if sent < limit else "send them elsewhere"
    already = f", {show_points(sent)} of them sent already" if sent else ""
    return no(
        f"{the_pool(q.md)} takes {show_points(limit)} of these points{already}",
        remedy=rest,
        have=limit - sent,
        need=q.amount,
    )


class SendSpecial(Command, tag="send-special", frozen=True):
    """Send Soviet special replacements from the nation's pool on to an MD; they are usable there next turn."""

    md: Area
    amount: Points

    question = Sending
    of_choice = ("amount",)
    requires = (are_special_replacements, ten_an_md)

    def side(self, q: Sending) -> str:
        return SOVIET

    def effects(self, q: Sending) -> Iterator[Event]:
        due = q.turn + int(q.world.numbers["moved_points_wait"])
        yield Transferred(
            amount=q.amount,
            kind=INF,
            nation=SOVIET_UNION,
            frm=POOL,
            to=usable_from(due, q.md),
            because="52.F.5.b/3 52.F.4.a/5",
            says=f"special replacements of {q.world.turn_name(q.turn)}, usable from {q.world.turn_name(due)}",
        )
        area = subject_key("area", q.md)
        yield _counts(THE_NATION, RECEIVED, q.facts.points(THE_NATION, RECEIVED) - q.amount, "")
        of_receipt = q.facts.points(area, SENT_OF_RECEIPT) + q.amount
        yield _counts(area, SENT, sent_this_turn(q) + q.amount, "52.F.5.b/4")
        yield Marked(on=area, mark=SENT_ON, value=q.turn)
        yield _counts(area, SENT_OF_RECEIPT, of_receipt, "52.F.5.b/4")

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        """As many as an MD takes of those that are left, to each MD."""
        if side != SOVIET or state.mark(THE_NATION, RECEIVED) is None:
            return
        left, limit = Sending(world, state, None).left, world.numbers["special_to_an_md"]
        for md in (
            area for area in world.pools if area.startswith(MD) and world.could_serve(state, area, SOVIET_UNION)
        ):
            sent = (world.facts(state).points(subject_key("area", md), mark) for mark in (SENT, SENT_OF_RECEIPT))
            amounts = dict.fromkeys((left, *(min(left, limit - each) for each in sent), min(left, limit)))
            orders = (cls(md=md, amount=store_points(each)) for each in amounts if each > 0)
            yield from islice((order for order in orders if would_pass(world, state, order)), 1)


def by_sending(q: EuropaQuestion, pool: str, nation: str, kind: str, missing: Fraction) -> Iterator[Remedy]:
    """What an MD lacks may be sent on to it out of the special replacements in the nation's pool, by no transport."""
    order = SendSpecial(md=pool, amount=store_points(missing))
    if (nation, kind) != (SOVIET_UNION, INF) or not pool.startswith(MD) or not would_pass(q.world, q.state, order):
        return
    turn = order.question(q.world, q.state, order).turn + int(q.world.numbers["moved_points_wait"])
    when = q.world.turn_name(turn)
    words = f"send {show_points(missing)} inf of special replacements on to it and spend them on {when}"
    wait = from_phase_on(q, turn, REPLACEMENT, words)
    yield Remedy(words, Way(first=(order,), until=wait.way.until if wait.way else None))


def may_be_sent(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Soviet special replacements that may still go on to the MDs."""
    if state.mark(THE_NATION, RECEIVED) is None:
        return
    left = Sending(world, state, None).left
    if left > 0 and world.ruling(state, SENDING.key) != "by-rail":
        limit = show_points(world.numbers["special_to_an_md"])
        text = f"{show_points(left)} inf of special replacements in {the_pool(POOL)} may go on to MDs, {limit} each"
        yield Item(OPEN, text, "52.F.5.b/3", SOVIET)


CHAPTER = Chapter(
    heading="52.F.5.b",
    commands=(SendSpecial,),
    facts=(
        Fact(RECEIVED, ("nation",), "special replacements that may go on to MDs", "0", POINTS, by_hand=False),
        Fact(LAST_RECEIPT, ("nation",), "what the last losses counted brought", "0", POINTS, by_hand=False, told=False),
        Fact(SENT, ("area",), "special replacements sent there on one turn", "0", POINTS, by_hand=False),
        Fact(SENT_ON, ("area",), "the turn they were sent there", 0, TURN, by_hand=False),
        Fact(SENT_OF_RECEIPT, ("area",), "sent there since the last receipt", "0", POINTS, by_hand=False),
    ),
    switches=(SENDING, TEN_AN_MD),
    ends=(note_received,),
    agenda=(may_be_sent,),
    fills=(by_sending,),
)
