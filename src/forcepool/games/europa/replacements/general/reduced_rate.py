"""52.A.2/9, 52.A.2/10 and 52.A.10.a  The reduced rate: who pays it, and where its units wait."""

from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.verdicts import YES, Remedy, Rule, Verdict, no, rule
from forcepool.games.europa.facts import INACTIVE
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.question import instead, paying
from forcepool.games.europa.replacements.general.building_tracks import is_closed, on_an_inactive_track
from forcepool.games.europa.world import NATIONAL


@rule("52.A.2/5")
def reduced_rate_is_national(q: Purchase) -> Verdict:
    """Only the national pool pays at the reduced rate."""
    if not q.reduced or q.payer.startswith(NATIONAL):
        return YES
    return no(
        f"{the_pool(q.payer)} cannot pay at the reduced rate",
        remedy=[
            paying(q, NATIONAL + q.nation),
            at_the_normal_rate(q),
        ],
    )


def at_the_normal_rate(q: Purchase) -> Remedy:
    """To pay the whole price: what stands on the map is rebuilt there, and needs no track."""
    said = "pay at the normal rate"
    return instead(q, said, reduced=False, track="") if q.unit.place.on_map else instead(q, said, reduced=False)


@rule("52.A.2/9")
def waits_on_no_track_at_the_normal_rate(q: Purchase) -> Verdict:
    """Only at the reduced rate does a unit leave the map, and wait on a track."""
    if q.reduced or not q.command.track:
        return YES
    return no(
        f"at the normal rate {q.unit} is rebuilt where it stands, and waits on no track",
        remedy=[
            instead(q, f"leave {the_field('track')} out", track=""),
            instead(q, "pay at the reduced rate", reduced=True, pay_from=NATIONAL + q.nation),
        ],
    )


def reduced_waits_on_an_inactive_track(clause: str) -> Rule[Purchase]:
    """What national RPs build at the reduced rate goes on the track of an inactive area."""

    @rule(clause)
    def reduced_goes_to_an_inactive_area(q: Purchase) -> Verdict:
        if not q.reduced:
            return YES
        if not q.track:
            return no("the reduced rate needs the track of an inactive area", remedy=on_an_inactive_track(q))
        if closed := is_closed(q, q.track):
            return no(closed, remedy=on_an_inactive_track(q))
        activity = q.facts.activity(q.track)
        if activity == INACTIVE:
            return YES
        return no(f"{the_pool(q.track)} is {activity}", remedy=on_an_inactive_track(q))

    return reduced_goes_to_an_inactive_area


@rule("52.A.11/26")
def reduced_is_built_in_an_inactive_front(q: Purchase) -> Verdict:
    """A reduced-cost rebuild is made in an inactive front; what becomes of the front later does not matter."""
    if not q.reduced or not q.track or q.facts.activity(q.track) == INACTIVE:
        return YES
    return no(
        f"{the_pool(q.track)} is {q.facts.activity(q.track)}, a reduced-cost rebuild is made in an inactive front",
        remedy=[*on_an_inactive_track(q), at_the_normal_rate(q)],
    )
