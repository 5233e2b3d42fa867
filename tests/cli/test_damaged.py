"""Damaged command lines: whatever is typed, the answer is an answer or one sentence."""

import os
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forcepool.cli.main import COMMANDS
from forcepool.engine.command import Command, command_name
from forcepool.games import game
from tests.cli.conftest import forcepool_runs


def words(text: str) -> list[str]:
    return text.split("|")


WORDS = st.sampled_from(
    [
        *COMMANDS,
        *words("east.fp|no.fp|--json|--all|--as|Axis|Soviet|--override|why|--die|4|--to|2|--dry-run|--json-command|{}"),
        *words("advance|lose|rebuild-cadre|replace|declare|put-unit|add-unit|correct-points|house-rule|note|-|--|-o"),
        *words("spec.nation=Germany|spec.re=x|spec.full=9|=|==|--unit|--clause|--turn|--last|--scenario|smolensk|--at"),
        *words("52.A.9|52.A.9.d/2|--coverage|--schema|--help|--consent|--file|--no-pause|--output|--pool|unit=6 Pz XX"),
        *words('{"command": "advance"}|{"command": "note", "text": ["x"]}|{"command": "add-unit", "spec": {}}'),
        *("\udce9", "\x00", "é" * 300),
    ]
)
VALUES = st.sampled_from(
    [
        *words("6 Pz XX|263 Inf XX|91 Rif XX|161 Inf XX|centre|national/Germany|local/vyazma|md/wehrkreis-vi|west"),
        *words("yes|no|cadre|remnant|full|eliminated|supply|Germany|inf|1/2|-1|1/0|moved|activity|owner|mp|enemy_zoc"),
        *words(
            "Smolensk|track centre Nov 1 41|track centre|track|isolated Germany|eliminated west|eliminated|forming x"
        ),
        *words("7-6 Inf XX (3-6)|reduced-time|double|a,b|½|Nov 1 41||x"),
        "9" * 30,
    ]
)
TAILS = st.sampled_from([[], [], ["--json"], ["--override", "x"], ["--dry-run"], ["--as", "Axis"], ["--die", "3"]])


def order(cls: type[Command]) -> st.SearchStrategy[list[str]]:
    """A command with a value for each field, sensible or not; fields that may be left out often are."""
    fields = [_field(each.name, each.required) for each in msgspec.structs.fields(cls)]
    return st.builds(
        lambda typed, tail: ["do", "east.fp", command_name(cls), *filter(None, typed), *tail], st.tuples(*fields), TAILS
    )


LIKELY = {
    "unit": "6 Pz XX|263 Inf XX|91 Rif XX|161 Inf XX|34 Inf XX|78 inf xx|248 Rif XX|8 Tk X",
    "pay_from": "centre|national/Germany|local/vyazma|md/wehrkreis-vi|west|front/nowhere|source/set-up|local/",
    "track": "centre|md/wehrkreis-vi|theatre/east|national/Germany|local/vyazma",
    "reduced": "yes|no",
    "to": "eliminated|cadre|remnant|full|dust",
    "isolated": "no|combat|supply|maybe",
    "front": "centre|md/moscow|local/vyazma|national/Germany|Germany",
    "fact": "moved|supply|isolated|reserve|zoc|mp|enemy_zoc|owner|activity|rebuilt|pocket",
    "value": "yes|no|2|division|division,brigade|none|Axis|inactive|supply|regular|" + "9" * 30,
    "about": "Smolensk|centre|Germany|nowhere|md/wehrkreis-vi",
    "rule": "reduced-time|52.A.2/8|nothing",
    "option": "double|plus-four|never",
    "pool": "centre|local/vyazma|national/Germany|source/set-up|x",
    "into": "centre|west|local/vyazma",
    "nation": "Germany|German|Atlantis",
    "kind": "inf|arm|tea",
    "amount": "1/2|-1|1/0|½|2.5|lots",
    "at": "Smolensk|track centre Nov 1 41|track centre||eliminated west|isolated Germany|out|forming centre Nov 1 41",
    "step": "full|cadre|remnant|dust",
    "spec": "7-6 Inf XX (3-6)|strong|2x 7-6 Inf XX",
}


def _field(name: str, required: bool) -> st.SearchStrategy[str]:
    likely = st.sampled_from(words(LIKELY[name])) if name in LIKELY else VALUES
    typed = (likely | likely | VALUES).map(lambda value: f"{name}={value}")
    return typed if required else st.just("") | typed


# These go on until they are stopped, whatever follows them.
SERVING = {"demo", "serve"}
ANY = st.builds(
    lambda first, rest: [first, *rest],
    st.sampled_from(sorted(set(COMMANDS) - SERVING)),
    st.lists(WORDS, max_size=6),
)
ABOUT_EAST = st.builds(
    lambda first, rest: [first, "east.fp", *rest],
    st.sampled_from(sorted(set(COMMANDS) - SERVING - {"tour"})),
    st.lists(WORDS | VALUES | st.text(max_size=12), max_size=3),
)
ORDERED = st.sampled_from(game("europa").commands).flatmap(order)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged")


@settings(max_examples=500)
@given(line=ANY | ABOUT_EAST | ORDERED | ORDERED)
def test_damaged_lines_never_end_in_a_traceback(folder: Path, line: list[str]) -> None:
    before, tempfile.tempdir = Path.cwd(), str(folder)
    os.chdir(folder)
    try:
        if not Path("east.fp").exists():
            assert forcepool_runs("new", "east.fp", "--scenario", "smolensk").code == 0
        ran = forcepool_runs(*line, typed=b"34 Inf XX\n\xff\n")
    finally:
        os.chdir(before)
        tempfile.tempdir = None
    assert ran.code in (0, 1, 2, 130)
    assert "Traceback" not in ran.err + ran.out
    assert "nobody foresaw" not in ran.err
    if ran.code and not ran.out:
        assert ran.err.startswith("forcepool: ") or ran.code == 130
