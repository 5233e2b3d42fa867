"""52.A/7  Replaced air units arrive inoperative, at an airbase of their theatre."""

from forcepool.engine.command import BadCommand
from forcepool.engine.facts import ANY, Fact
from forcepool.engine.sentence import the_field, the_place, the_pool
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.ground.placing import AIR_STATUS, INOPERATIVE, Placing
from forcepool.games.europa.question import instead

STATUS = Fact(
    AIR_STATUS,
    ("unit",),
    "its air status",
    "",
    values=(INOPERATIVE, "flown", "extended", "operative"),
    said={ANY: "{}"},
)


@rule("52.A/7")
def air_units_arrive_inoperative(q: Placing) -> Verdict:
    """A replaced air unit arrives inoperative, at an airbase of its theatre."""
    status = q.command.status
    if not q.is_air:
        if status:
            raise BadCommand(f"{q.unit} is no air unit; leave {the_field('status')} out")
        return YES
    if status not in ("", INOPERATIVE):
        return no(f"{q.unit} cannot arrive {status}", remedy=instead(q, "place it inoperative", status=INOPERATIVE))
    if not q.facts.place_is(q.hex, "airbase"):
        return no(f"{the_place(q.hex)} is no airbase", remedy="choose an airbase of its theatre")
    around = q.world.spot(q.hex).area
    if around and q.world.theatre_of(around) != q.world.theatre_of(q.area):
        return no(
            f"{the_place(q.hex)} lies in {the_pool(around)}, not in the theatre of {the_pool(q.area)}",
            remedy="choose an airbase of its theatre",
        )
    return YES
