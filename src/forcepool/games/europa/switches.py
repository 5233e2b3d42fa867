"""The rulings of this game that a group may play another way."""

from forcepool.engine.switches import switch

PHASE_ORDER = switch(
    "phase-order",
    "51.A/2",
    "where the reinforcement and replacement phases stand in a player-turn",
    after_combat="reinforcements open it, replacements follow combat; what had to stand still for something in the "
    "reinforcement phase does so for the rest of the player-turn",
    both_open="both open it, before any movement",
    both_close="both close it, so that standing still is only asked of what lies behind",
    looks_back="reinforcements open it, replacements follow combat; for something in the reinforcement phase a unit or "
    "HQ must have stood still in its owner's previous player-turn, and is free in this one",
)
HOME_AND_NATIONAL = switch(
    "home-and-national",
    "52.A.9.a/6",
    "home country's 10 % together with the national pool's 30 %",
    add="they add up to 40 %, both taken on the unreduced figures",
    compound="the 30 % is taken of what the 10 % leaves",
    one_only="a unit takes only one of the two, the larger",
)
REDUCED_RATE = switch(
    "reduced-rate",
    "52.A.2/6",
    "what the reduced rate's 30 % comes off",
    strength="30 % of the strength bought, off the inf RPs alone and never below none",
    inf_only="30 % of the inf RPs",
    each_type="30 % of each kind of RP",
)
REDUCED_TIME = switch(
    "reduced-time",
    "52.A.2/8",
    "how the reduced rate lengthens the time",
    double="twice the unit's own time",
    plus_four="the unit's own time and that of a rebuilding more",
)
