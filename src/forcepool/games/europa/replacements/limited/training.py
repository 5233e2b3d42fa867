"""52.A.10.b  The training unit: how a limited cadre is rebuilt without limited REs."""

from collections.abc import Iterator

from forcepool.engine.command import Command
from forcepool.engine.events import Became, Event, Marked, Moved
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, Place
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, FULL
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.centres import acts_as_hq
from forcepool.games.europa.ground.placing import REJOINS
from forcepool.games.europa.ground.purchase import (
    Purchase,
    can_pay,
    in_own_replacement_phase,
    pay,
    points_are_its_own,
)
from forcepool.games.europa.replacements.general.cadre_supply import cadre_is_supplied, paid_by_a_pool_of_its_hex
from forcepool.games.europa.replacements.general.cadres import (
    RebuildAtFullRate,
    cadre_stood_still,
    payers_of,
    price_to_full,
    reserve_rebuilds_in_week_one,
    stands_on_the_map_as_cadre,
)
from forcepool.games.europa.replacements.general.screens import MOVED_TRAINER, free_of_larger_zoc
from forcepool.games.europa.replacements.kinds.mixing import with_mixes
from forcepool.games.europa.replacements.limited.building_times import type_turns
from forcepool.games.europa.replacements.limited.limited import has_limited_res_for_the_cadre
from forcepool.games.europa.replacements.limited.limited_types import is_limited, plain_types, types_of
from forcepool.games.europa.world import REINFORCEMENT_TRACK, EuropaWorld
from forcepool.rulebook.citations import computed

TRAINING = "training"


@rule("52.A.10.b/2")
def is_a_limited_cadre(q: Purchase) -> Verdict:
    """Only limited units need the training unit."""
    if is_limited(q.world, q.state, q.unit):
        return YES
    return no(f"{q.unit} is not limited", remedy="rebuild it where it stands, with rebuild-cadre")


@rule("52.A.10.b/2")
def stands_with_a_training_unit_of_its_type(q: Purchase) -> Verdict:
    """The cadre stands in the hex of a training unit of its own type and nation, and came there before this turn."""
    own = tuple(each.type for each in types_of(q.world, q.state, q.unit) if each.category)
    for each in q.stackmates:
        same = each.spec.nation == q.nation and set(own) & set(plain_types(q.world, q.state, each.spec))
        still = q.switch(MOVED_TRAINER.key) == "helps" or acts_as_hq(q.world, q.state, each)
        if same and still and q.world.has_role(each.spec, TRAINING):
            return YES
    return no(
        f"no training unit of its type ({', '.join(own) or q.unit.spec.type}) is stacked with {q.unit}",
        remedy="move it to one, and rebuild it next turn",
    )


@computed("52.A.10.b/3")
def back_from_training(q: Purchase) -> int:
    """The turn it is back: the extra turns of its types, with no normal time since it was on the map."""
    return q.state.clock.turn + type_turns(q.world, types_of(q.world, q.state, q.unit), q.switch).turns


class TrainCadre(RebuildAtFullRate, tag="train-cadre", frozen=True):
    """Send a limited cadre off the map to be rebuilt by a training unit of its type, without limited REs."""

    not_asked = (has_limited_res_for_the_cadre,)
    needs = (stands_on_the_map_as_cadre, is_a_limited_cadre)
    requires = (
        in_own_replacement_phase,
        stands_with_a_training_unit_of_its_type,
        free_of_larger_zoc("52.A.9.d/3", hq="52.A.9.d/4", screen="52.A.9.d/5"),
        cadre_is_supplied,
        cadre_stood_still,
        reserve_rebuilds_in_week_one,
        points_are_its_own,
        paid_by_a_pool_of_its_hex(isolated="52.A.9.d/7", elsewhere="52.A.9.d/7"),
        can_pay("52.A.9.d/2"),
    )

    def price(self, q: Purchase) -> Price:
        return price_to_full(q)

    def effects(self, q: Purchase) -> Iterator[Event]:
        unit = q.unit
        yield from pay(q)
        yield Became(unit=unit.id, was=unit.step, step=FULL, because="52.A.10.b/2")
        around = q.world.spot(unit.place.of).area
        area = q.payer if q.pays_locally else homes.track_in(q.world, q.facts, around, q.nation)
        to = Place(REINFORCEMENT_TRACK, area, back_from_training(q))
        yield Moved(unit=unit.id, frm=unit.place, to=to, because="52.A.10.b/3")
        yield Marked(on=q.key(), mark=REJOINS, value=to.due)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind != HEX or unit.step != CADRE:
            return
        payers = payers_of(world, state, unit) if is_limited(world, state, unit) else ()
        yield from with_mixes(world, state, (cls(unit=unit.id, pay_from=payer) for payer in payers))


CHAPTER = Chapter(heading="52.A.10.b", commands=(TrainCadre,), boxes={REINFORCEMENT_TRACK: "REINFORCEMENT TRACK"})
