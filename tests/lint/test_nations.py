"""Points somebody can spend, a source they come from, and allowances for units that exist."""

from tests.lint.conftest import Lint, told

SLOVAK = "units: {1 Slov Inf XX: {spec: 3-6 Inf XX (1-6), nation: Slovak, at: eliminated theatre/east}}\n"
RECEIPT = "charts: {receipts: [{nation: %s, points: {inf: 1}}]}\n"


def test_points_for_a_nation_that_has_no_unit(lint: Lint) -> None:
    (found,) = told(lint(RECEIPT % "Slovakia"), "receives points")
    assert "war.yaml:5:21: 52/2  Slovakia receives points, and has no unit" in found
    assert told(lint(RECEIPT % "Slovakia" + SLOVAK), "receives points") == []
    ob = "ob: |\n  Jul 2 41\n    Slovak\n      Reinforce 1x 3-6 Inf XX 1 in theatre East\n"
    assert told(lint(RECEIPT % "Slovakia" + ob), "receives points") == []


def test_a_nation_has_a_source_of_replacements(lint: Lint) -> None:
    german = "units: {24 Inf XX: {spec: 7-6 Inf XX, nation: German, at: eliminated theatre/east}}\n"
    (found,) = told(lint(RECEIPT % "Germany" + german), "draws its replacements")
    assert "52.B/2  Germany draws its replacements from a replacement city of Germany" in found
    city = "places: {Berlin: {front: theatre/east, city: yes, replacement_city: German}}\n"
    assert told(lint(RECEIPT % "Germany" + german + city), "draws its replacements") == []


def test_a_contingent_draws_on_the_sources_of_the_power_it_fights_for(lint: Lint) -> None:
    text = (
        RECEIPT % "Poland" + "units: {1 Pol Inf XX: {spec: 5-6 Inf XX, nation: Polish, at: eliminated theatre/east}}\n"
    )
    (found,) = told(lint(text), "draws its replacements")
    assert "52.B/5  Poland draws its replacements from a replacement city of Soviet Union" in found
    city = "places: {Moscow: {front: theatre/east, city: yes, replacement_city: Soviet}}\n"
    assert told(lint(text + city), "draws its replacements") == []
    away = text + city + "nations: {Poland: {sides_with: Allied}}\n"
    (found,) = told(lint(away), "draws its replacements")
    assert "52.B/1  Poland draws its replacements from the capital of Poland" in found


def test_points_do_not_lie_where_all_is_the_enemys(lint: Lint) -> None:
    text = "mds: {Kiev: {theatre: East, activity: inactive}}\nplaces: {Kiev: {md: Kiev, city: yes, owner: Soviet}}\n"
    text += "pools: {md/kiev: {%s: {inf: 1}}}\n"
    (found,) = told(lint(text % "German"), "has points")
    assert "Germany has points in md/kiev, where all that is known is the enemy's" in found
    assert told(lint(text % "Soviet"), "has points") == []


def test_a_minor_nation_has_no_allowance_for_what_it_never_has(lint: Lint) -> None:
    assert told(lint(SLOVAK), "allowance") == []
    (found,) = told(lint(SLOVAK + "pools: {limited: {Slovak: {v-weapons: 1}}}\n"), "allowance")
    assert "52.A.10/2  Slovakia has an allowance of v-weapons REs, and no unit of that kind" in found
    # A German engineer is no Slovak one.
    engineer = "units: {1 Eng II: {spec: 1-8 Eng II, nation: %s, at: eliminated theatre/east}}\n"
    allowance = "pools: {limited: {Slovak: {engineer: 1}}}\n"
    assert told(lint(engineer % "Slovak" + allowance), "allowance of engineer") == []
    assert len(told(lint(engineer % "German" + allowance), "allowance of engineer")) == 1


def test_the_mediterranean_reserve_can_be_filled(lint: Lint) -> None:
    text = "places: {Cairo: {front: theatre/east, city: yes, delta_or_palestine: yes}}\nunits:\n"
    text += "  Sirte Inf XX: {spec: 4-6 Inf XX, nation: Italian, at: eliminated theatre/east}\n"
    hq = "  {} HQ XX: {{spec: 0-1-8 HQ XX, nation: British, at: Cairo}}\n"
    (found,) = told(lint(text + hq.format(1)), "divisional HQs")
    assert "49.B.2/7  the Mediterranean reserve must hold 2 divisional HQs, and the Commonwealth has 1" in found
    assert told(lint(text + hq.format(1) + hq.format(2)), "divisional HQs") == []
    # Without Italians nobody comes to Egypt.
    assert told(lint(text.replace("Italian", "German") + hq.format(1)), "divisional HQs") == []


def test_a_major_power_has_an_md_at_home(lint: Lint) -> None:
    text = "places: {Kiev: {front: theatre/east, city: yes}}\nunits:\n"
    text += "  24 Inf XX: {spec: 7-6 Inf XX, nation: %s, at: Kiev}\n"
    (found,) = told(lint(text % "German"), "no MD lies in it")
    assert found.startswith("war.yaml:7:3: 49.B.1.1/1  Germany has units, and no MD lies in it")
    home = "mds: {Berlin: {theatre: East, country: Germany, activity: inactive}}\n"
    assert told(lint(home + text % "German"), "no MD lies in it") == []
    assert told(lint(text % "Slovak"), "no MD lies in it") == []
