"""A war of any size for tests and benchmarks: two sides, fronts, pools, and as many units as wanted."""

from random import Random

CITIES = ("Minsk", "Smolensk", "Vyazma", "Orel", "Bryansk", "Gomel", "Kiev", "Kharkov", "Rzhev", "Kalinin")
GERMAN = (
    ("{n} Inf XX", "8-6 Inf XX (3-6) (1-6)"),
    ("{n} Inf XX", "7-6 Inf XX (3-6)"),
    ("{n} Pz XX", "12-10 Pz XX (5-8)"),
    ("{n} Mot XX", "7-10 Mot XX (3-10)"),
    ("{n} Art III", "3-8 Art III"),
    ("{n} Mtn XX", "8-6 Mtn XX (3-6)"),
)
SOVIET = (
    ("{n} Rifle XX", "4-6 Inf XX (1-6)"),
    ("{n} Rifle XX", "3-6 Inf XX"),
    ("{n} Tk X", "3-2-8 Tk X"),
    ("{n} Cav XX", "3-8 Cav XX (1-8)"),
    ("{n} Art III", "3-1-6 Art III"),
)

AXIS_AIR = ("6F6 Me109E 1/14", "3B4 He111H 3-6/28", "2D4 Ju87B 5/10")
SOVIET_AIR = ("4F4 I-16 0/8", "2B2 SB2 2-3/16", "3A3 Il2 4/10")


def war(units: int, seed: int = 1, turn: str = "Jul 1 41", *, fallen: bool = False) -> str:
    """The words of a scenario, the same for the same numbers; with `fallen` every unit is dead or reduced."""
    random = Random(seed)
    lines = [
        f"title: a war of {units} units",
        f"turn: {turn}",
        "phase: initial",
        "campaign: {invasion: Jun 4 41}",
        "theatres: {east: {}, reich: {}, rear: {}}",
        "fronts: {centre: {theatre: east}, south: {theatre: east}}",
        "mds:",
        "  wehrkreis-iii: {theatre: reich, country: Germany, activity: inactive}",
        "  moscow: {theatre: rear, country: Soviet Union}",
        "  urals: {theatre: rear, country: Soviet Union, activity: inactive}",
        "places:",
    ]
    for index, city in enumerate(CITIES):
        owner, area = ("Axis", "front: centre") if index < 5 else ("Soviet", "md: moscow")
        lines.append(f"  {city}: {{{area}, city: yes, owner: {owner}}}")
    hexes = [f"31:{column:02}{row:02}" for column in range(1, 41) for row in range(1, 1 + max(1, units // 100))]
    for index, name in enumerate(hexes):
        lines.append(f"  {name}: {{{'front: centre' if index % 2 == 0 else 'md: moscow'}}}")
    lines += [
        "pools:",
        "  front/centre: {German: {inf: 24 1/2, arm: 6 1/3}}",
        "  front/south: {German: {inf: 18, arm: 5}}",
        "  national/Germany: {German: {inf: 30, arm: 12}}",
        "  md/moscow: {Soviet: {inf: 60 3/4, arm: 8, art: 6}}",
        "  national/Soviet Union: {Soviet: {inf: 20, arm: 4, art: 4}}",
        "units:",
    ]
    for number in range(1, units + 1):
        axis = number % 2 == 0
        name, spec = random.choice(GERMAN if axis else SOVIET)
        steps = ["full", *(["cadre"] if "(" in spec else [])]
        place = random.choice(hexes[::2] if axis else hexes[1::2])
        if random.random() < 0.1:
            place = random.choice(CITIES[:5] if axis else CITIES[5:])
        if random.random() < 0.1:
            place = "eliminated front/centre" if axis else "eliminated md/moscow"
        nation = "Germany" if axis else "Soviet Union"
        step = random.choice(steps)
        if fallen:
            if step == "full":
                place = "eliminated front/centre" if axis else "eliminated md/moscow"
            step = steps[-1]
        lines.append(f"  {name.format(n=number)}: {{spec: {spec}, nation: {nation}, at: {place}, as: {step}}}")
    return "\n".join(lines) + "\n"


def air_and_reserves(ground: int, air: int, seed: int = 1) -> str:
    """A war with a rear area and two air forces: depots at home, airbases, ARPs every month and an Air OB."""
    random = Random(seed)
    lines = [
        f"title: {ground} units, {air} air units and their reserves",
        "turn: Jul 1 41",
        "phase: initial",
        "campaign: {invasion: Jun 4 41}",
        "theatres: {East: {}, Reich: {}, Rear: {}}",
        "fronts: {centre: {theatre: east}}",
        "mds:",
        "  iii: {theatre: reich, country: Germany, activity: inactive}",
        "  moscow: {theatre: rear, country: Soviet Union, activity: semi-active}",
        "  urals: {theatre: rear, country: Soviet Union, activity: inactive}",
        "places:",
        "  Berlin: {md: iii, city: yes, depot: yes, owner: Axis}",
        "  Cottbus: {md: iii, town: yes, depot: yes, owner: Axis}",
        *(f"  {city}: {{md: iii, city: yes, depot: yes, owner: Axis}}" for city in ("Leipzig", "Breslau", "Stettin")),
        "  Minsk: {front: centre, city: yes, owner: Axis}",
        "  Orsha: {front: theatre/east, town: yes, airbase: yes, airbase_capacity: 8, owner: Axis}",
        "  Polotsk: {front: theatre/east, town: yes, airbase: yes, airbase_capacity: 5, owner: Axis}",
        "  Moscow: {md: moscow, city: yes, depot: yes, owner: Soviet}",
        "  Klin: {md: moscow, town: yes, depot: yes, owner: Soviet}",
        "  Perm: {md: urals, city: yes, depot: yes, owner: Soviet}",
        "  Kubinka: {front: theatre/rear, town: yes, airbase: yes, airbase_capacity: 8, owner: Soviet}",
        "  Tula: {front: theatre/rear, town: yes, airbase: yes, airbase_capacity: 5, owner: Soviet}",
        "pools:",
        "  front/centre: {German: {inf: 324 1/2, arm: 96 1/3}}",
        "  national/Germany: {German: {inf: 90, arm: 42}}",
        "  md/moscow: {Soviet: {inf: 360 3/4, arm: 88, art: 66}}",
        "  theatre/east: {German: {arp: 5}}",
        "  theatre/rear: {Soviet: {arp: 4 1/2}}",
        "  reserve/operational: {German: {or: 48}, Soviet: {or: 36 1/2}}",
        "  capacity/axis: {German: {rail: 30}}",
        "  capacity/soviet: {Soviet: {rail: 30}}",
        "charts:",
        "  air_replacements:",
        "    - {nation: German, theatre: East, arps: 9, turn: Jul 1 41, until: Jun 1 42}",
        "    - {nation: Soviet, theatre: Rear, arps: 15/2, turn: Jul 1 41, until: Jun 1 42}",
        "  air_ob:",
        "    - {turn: Sep 1 41, nation: German, does: arrive, theatre: East, spec: 7F8 Me109F 2/18, count: 2}",
        "    - {turn: Jan 1 42, nation: German, does: withdraw, theatre: East, model: Me109E}",
        "    - {turn: Nov 2 41, nation: Soviet, does: arrive, theatre: Rear, spec: 6F5 Yak1 1/10, count: 2}",
        "    - {turn: Jul 2 41, nation: Soviet, does: convert, theatre: Rear, model: SB2, spec: 4B5 Pe2 4/16}",
        "units:",
    ]
    for number in range(1, ground + 1):
        axis = number % 2 == 0
        name, spec = random.choice(GERMAN if axis else SOVIET)
        nation = "Germany" if axis else "Soviet Union"
        place = random.choice(("Berlin", "Cottbus", "Minsk") if axis else ("Moscow", "Klin", "Perm"))
        reserve = ", reserve: operational" if number % 5 == 0 else ""
        lines.append(f"  {name.format(n=number)}: {{spec: {spec}, nation: {nation}, at: {place}{reserve}}}")
    for number in range(1, air + 1):
        axis = number % 2 == 0
        spec = (AXIS_AIR if axis else SOVIET_AIR)[number // 2 % 3]
        nation, bases = ("Germany", ("Orsha", "Polotsk")) if axis else ("Soviet Union", ("Kubinka", "Tula"))
        lines.append(f"  Air {number}: {{spec: {spec}, nation: {nation}, at: {bases[number // 2 % 2]}}}")
    return "\n".join(lines) + "\n"
