"""Where a campaign stands, on one page: the phase, the units, the points and the house rules."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.campaign import Campaign
from forcepool.engine.ledger import is_pool
from forcepool.engine.standing import COMING, POOL
from forcepool.engine.state import Unit
from forcepool.engine.world import World, the
from forcepool.rulebook.changes import Change, changes_since, rule_of
from forcepool.views.strays import Stray, strays


class Status(Struct, frozen=True):
    """Everything about a campaign that fits on one page."""

    title: str
    game: str
    when: str
    turn: str
    player: str
    phase: str
    seats: tuple[str, ...]
    dice: str
    """Rolled by the 'program', or entered by 'hand'."""
    entries: int
    undone: tuple[int, ...]
    asked_to_undo: tuple[int, ...]
    units: Mapping[str, Mapping[str, int]]
    """By side, how many are where."""
    points: Mapping[str, Mapping[str, Mapping[str, Fraction]]]
    """By pool and nation, the points of each kind."""
    house_rules: Mapping[str, str]
    ruleset: str
    head: str
    """The seal of the last entry: whoever noted it can hold the file to it."""
    changes: tuple[Change, ...] = ()
    """What the program reads otherwise since the campaign was begun."""
    strays: tuple[Stray, ...] = ()
    """Declarations about what does not exist."""
    waiting: tuple[int, ...] = ()
    """Entries that ask for an order others must agree to."""
    whatif: bool = False
    """Whether nothing here counts."""


def status(campaign: Campaign) -> Status:
    """The status of a campaign."""
    world, state, history = campaign.world, campaign.state, campaign.history
    return Status(
        title=campaign.beginning.title,
        game=world.game.name,
        when=world.when(state),
        turn=world.turn_name(state.clock.turn),
        player=world.phasing(state),
        phase=world.phase(state),
        seats=tuple(campaign.beginning.seats),
        dice="program" if campaign.rolls_itself else "hand",
        entries=campaign.seq,
        undone=tuple(sorted(history.undone)),
        asked_to_undo=tuple(history.asked),
        units=_units(campaign),
        points=_points(campaign),
        house_rules=dict(sorted(state.switches.items())),
        ruleset=campaign.beginning.ruleset,
        head=campaign.hash,
        changes=changes(campaign),
        strays=strays(world, state),
        waiting=tuple(sorted(history.waiting)),
        whatif=bool(campaign.beginning.tries),
    )


def changes(campaign: Campaign) -> tuple[Change, ...]:
    """What the program reads otherwise, of the rules of its game, since the campaign was begun."""
    rules = {rule_of(each.clause) for each in campaign.world.game.switches}
    return changes_since(campaign.beginning.ruleset, rules)


def _points(campaign: Campaign) -> dict[str, dict[str, dict[str, Fraction]]]:
    points: dict[str, dict[str, dict[str, Fraction]]] = {}
    for account, balance in sorted(campaign.state.balances.items()):
        # Allowances and counts are in the ledger.
        held = is_pool(account.pool) and campaign.world.standing(account.pool).what in (POOL, COMING)
        if held and balance:
            points.setdefault(account.pool, {}).setdefault(account.nation, {})[account.kind] = balance
    return points


def _units(campaign: Campaign) -> dict[str, dict[str, int]]:
    units: dict[str, Counter[str]] = {}
    for unit in campaign.state.units_in_order():
        side = campaign.world.side_now(campaign.state, unit.spec.nation) or "no side"
        units.setdefault(side, Counter())[whereabouts(campaign.world, unit)] += 1
    return {side: dict(sorted(counts.items())) for side, counts in sorted(units.items())}


def whereabouts(world: World, unit: Unit) -> str:
    """'on the map', 'in the ELIMINATED BOX', 'on the turn track', 'out of play'."""
    if unit.place.on_map:
        return "on the map"
    if unit.place.kind == "out":
        return "out of play"
    name = world.game.box_names.get(unit.place.kind, unit.place.kind)
    return f"{'on' if name.casefold().endswith('track') else 'in'} {the(name)}{name}"
