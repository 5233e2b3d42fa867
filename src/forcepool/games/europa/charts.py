"""What the charts say of a unit: its size in REs, its zone of control, its role, and how its cost divides (52.C)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from forcepool.engine.calendar import Calendar, Sequence
from forcepool.engine.command import BadCommand
from forcepool.engine.facts import fixed
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, FULL, UnitSpec
from forcepool.engine.world import World
from forcepool.games.europa.chapter import EuropaGame
from forcepool.games.europa.profile import Profile, RpCost
from forcepool.games.europa.unit_types import fits, is_of_type, spelt
from forcepool.orderofbattle.words import is_type_word, spelt_one_way
from forcepool.rulebook.citations import COMPUTED, heard, meets_one_of

TO_CADRE, TO_FULL = "to cadre", "to full"
"""The stages of a unit's way back that a chart may price in different kinds of RP."""


class Charts(World):
    """A world with its profile's numbers and its charts."""

    game: EuropaGame

    def __init__(self, game: EuropaGame, sequence: Sequence, profile: Profile, charts: Mapping[str, Any]) -> None:
        calendar = Calendar(turns_per_month=profile.calendar.turns_per_month, roman=profile.calendar.roman)
        super().__init__(game, calendar, sequence, {name: nation.side for name, nation in profile.nations.items()})
        self.profile = profile
        self.numbers = {name: number.value for name, number in profile.numbers.items()}
        self.dates = {name: self.calendar.parse(date.turn).turn for name, date in profile.dates.items()}
        self._charts = charts
        self._zone_rank = {zone: rank for rank, zone in enumerate(profile.zones)}

    def chart(self, name: str) -> Any:
        """A chart by name: the scenario's rows first, then the profile's; empty if neither has it."""
        return self._charts.get(name, ())

    def has_passed(self, date: str, state: State) -> bool:
        """Whether a date of the rules has come."""
        return state.clock.turn >= self.dates[date]

    def zone_rank(self, zone: str) -> int:
        """How large a zone of control is, beside the others."""
        try:
            return self._zone_rank[zone]
        except KeyError:
            known = ", ".join(self.profile.zones)
            raise BadCommand(f"there is no zone of control '{zone}'; sizes are {known}") from None

    def zone_of(self, unit: Unit) -> str:
        """The zone of control the unit exerts by its size and step."""
        size = self.profile.sizes.get(unit.spec.size)
        if size is None:
            return self.profile.zones[0]
        return size.zone if unit.step == FULL else size.reduced_zone or size.zone

    def res(self, spec: UnitSpec, step: str = FULL) -> Fraction:
        """The unit's size in REs at a step; a cadre or remnant of a division counts for less."""
        size = self.profile.sizes.get(spec.size)
        full = spec.re if spec.re is not None else size.re if size else Fraction(0)
        if step == FULL:
            return full
        cadre = full if size is None or size.reduced_re is None else min(full, size.reduced_re)
        cadre = cadre if spec.cadre_re is None else spec.cadre_re
        least = size.remnant_re if size is not None and step != CADRE else None
        return cadre if least is None else min(cadre, least)

    def sized(self, spec: UnitSpec) -> UnitSpec:
        """An HQ printed without a size has that of its words: '0-1-6 Army HQ' is an HQ of XXXX."""
        if spec.size != "HQ":
            return spec
        size = next((self.profile.hq_sizes[word] for word in spec.type.split() if word in self.profile.hq_sizes), "XX")
        return replace(spec, type=f"{spec.type} HQ", size=size)

    @fixed
    def shares(self, spec: UnitSpec, stage: str = "") -> dict[str, Fraction]:
        """How a unit's cost divides into kinds of RP (52.C/6, 52.C/7), at a stage where the chart tells them apart."""
        return self._in_kinds_it_has(spec.nation, self._find_shares(spec, stage))

    def shares_by_stage(self, spec: UnitSpec) -> bool:
        """Whether a chart divides what a cadre costs otherwise than what makes it whole."""
        row = self.cost_line(spec)
        return row is not None and bool(row.to_cadre or row.to_full)

    def infantry_of(self, spec: UnitSpec) -> str:
        """The kind of infantry RP a unit takes: its force's own, where its nation tells several apart."""
        for row in self.chart("force_infantry"):
            if spec.nation in row.nations and spec.force in row.forces:
                return str(row.kind)
        return self.profile.points[0]

    def of_its_force(self, spec: UnitSpec, amounts: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """Amounts by kind with the infantry RPs of the unit's own force in the place of infantry RPs."""
        inf, own = self.profile.points[0], self.infantry_of(spec)
        return {own if kind == inf else kind: amount for kind, amount in amounts.items()}

    @meets_one_of("52.C/1", "52.C/2")
    def rp_kinds(self, nation: str) -> tuple[str, ...]:
        """The kinds of RP a nation receives: infantry and armour, and for the Soviets artillery."""
        side = self.side_of(nation)
        for row in self.chart("rp_types"):
            if not row.sides or side in row.sides:
                heard(row.clause, COMPUTED)
                kinds: tuple[str, ...] = row.kinds
                return kinds
        return self.profile.points

    @meets_one_of("52.C/3", "52.C/6", "52.C/7")
    def _in_kinds_it_has(self, nation: str, shares: dict[str, Fraction]) -> dict[str, Fraction]:
        """The charts say which kinds a unit pays, whatever their names; kinds its nation lacks are paid in infantry."""
        heard("52.C/3 52.C/7" if len(shares) > 1 else "52.C/3 52.C/6", COMPUTED)
        has, inf = self.rp_kinds(nation), self.profile.points[0]
        kept = {kind: share for kind, share in shares.items() if kind in has}
        if missing := sum((share for kind, share in shares.items() if kind not in has), Fraction(0)):
            kept = {inf: kept.pop(inf, Fraction(0)) + missing, **kept}
        return kept

    def _find_shares(self, spec: UnitSpec, stage: str) -> dict[str, Fraction]:
        row = self.cost_line(spec)
        if row is None or not row.nations:
            for divides in self.game.shares:
                found = divides(self, spec)
                if found is not None:
                    return dict(found)
        if row is not None:
            shares = {TO_CADRE: row.to_cadre, TO_FULL: row.to_full}.get(stage) or row.shares
            return {kind: shares[kind] for kind in self.profile.points if kind in shares}
        return {self.profile.points[0]: Fraction(1)}

    @fixed
    def cost_line(self, spec: UnitSpec) -> RpCost | None:
        """The line of the RP COSTS CHART that a unit falls under; none for what pays infantry alone."""
        side = self.side_of(spec.nation)
        for row in self.chart("rp_costs"):
            if (
                (not row.sides or side in row.sides)
                and (not row.types or is_of_type(row.types, spec))
                and (not row.role or self.has_role(spec, row.role))
                and spec.full.attack >= row.attack_from
                and fits(row, spec)
            ):
                found: RpCost = row
                return found
        return None

    def has_role(self, spec: UnitSpec, role: str) -> bool:
        """Whether a unit is an HQ, or a training, reserve or replacement unit, by its type or traits."""
        return self._has_role(role, spec.type, spec.traits)

    @fixed
    def _has_role(self, role: str, type_: str, traits: tuple[str, ...]) -> bool:
        words = self.profile.roles.get(role, ())
        called = type_.split()
        # Only words that are a type in any letters: SP is self-propelled, Sp is not.
        known = {spelt_one_way(word) for word in called if is_type_word(word)}
        # What two words say together, as an anti tank gun, neither says alone.
        known |= set(spelt_one_way(type_).split()) - {spelt_one_way(word) for word in called}
        return role in traits or any(word in words for word in (*called, *traits)) or not spelt(words).isdisjoint(known)
