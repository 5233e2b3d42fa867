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


def war(units: int, seed: int = 1, turn: str = "Jul 1 41") -> str:
    """The words of a scenario, the same for the same numbers."""
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
        lines.append(f"  {name.format(n=number)}: {{spec: {spec}, nation: {nation}, at: {place}, as: {step}}}")
    return "\n".join(lines) + "\n"
