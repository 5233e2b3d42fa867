"""Whatever arrives, a player gets a sentence about it and never a crash.

The damage is the same in every run, so a failure here can be repeated.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from forcepool import games
from forcepool.cases.reading import cases_in_text
from forcepool.cases.runner import run
from forcepool.cli.problems import BadInput
from forcepool.engine import desk
from forcepool.engine.agenda import agenda
from forcepool.engine.beginning import begin
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand
from forcepool.engine.dice import RollNeeded
from forcepool.engine.journal import Damaged, MemoryJournal, Sealed, check_chain
from forcepool.engine.options import options
from forcepool.engine.state import to_bytes
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import read_yaml
from forcepool.games import UnknownGame
from forcepool.games.europa.replacements.special.loss_lines import read_losses
from forcepool.store.textfile import export_text, read_text
from forcepool.views.orders import from_json, from_words
from tests.fuzz.damage import damaged, damaged_json
from tests.properties.encirclement import GAME, SCENARIO, start

CASES = sorted(Path(__file__).parent.parent.joinpath("cases").rglob("*.yaml"))
CASE_INPUTS = 300
COMMANDS: tuple[dict[str, Any], ...] = (
    {"command": "rebuild-cadre", "unit": "24 Inf XX", "pay_from": "front/centre"},
    {
        "command": "rebuild-cadre",
        "unit": "5 Inf XX",
        "pay_from": "national/Germany",
        "reduced": True,
        "track": "md/iii",
    },
    {"command": "rebuild-remnant", "unit": "10 Pz XX", "pay_from": "front/centre"},
    {"command": "replace", "unit": "17 Inf XX", "pay_from": "front/centre", "to": "cadre"},
    {"command": "lose", "unit": "1 Cav X", "to": "eliminated", "isolated": "supply", "front": "front/south"},
    {"command": "join-local-pool", "pool": "local/vyazma", "into": "md/moscow"},
    {"command": "declare", "fact": "enemy_zoc", "value": ["division"], "unit": "24 Inf XX"},
    {"command": "declare", "fact": "activity", "value": "inactive", "about": "front/south"},
    {"command": "declare", "fact": "mp", "value": 3, "unit": "24 Inf XX"},
    {"command": "house-rule", "rule": "reduced-rate", "option": "inf-only"},
    {
        "command": "correct-points",
        "pool": "front/centre",
        "nation": "Germany",
        "kind": "inf",
        "amount": "7/2",
        "note": "x",
    },
    {"command": "put-unit", "unit": "9 Res XX", "at": "track md/moscow Nov 1 41", "step": "full"},
    {"command": "note", "text": "Łódź ½"},
    {"command": "advance"},
)
LOSSES = "24 Inf XX\n10 Pz XX -> eliminated\n5 Inf XX isolated\n1 Cav X front south # late\n2 Inf XX → cadre\n"


def untouched(inputs: Iterator[str], read: Callable[[str], object], *ours: type[Exception]) -> int:
    """Read every input; anything but one of our own errors is a crash. Counts those that were read after all."""
    good = 0
    for text in inputs:
        try:
            read(text)
        except ours as error:
            if not str(error).strip():
                pytest.fail(f"an error without a word from the input:\n{text!r}")
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}\nfrom the input:\n{text!r}") from error
        else:
            good += 1
    return good


def look_around(campaign: Campaign) -> None:
    """Ask for every list a player would look at."""
    agenda(campaign.world, campaign.state)
    for unit in campaign.state.units_in_order():
        options(campaign.world, campaign.state, unit)


def begin_from(text: str) -> None:
    set_up = games.game(GAME).set_up(read_yaml(text, "damaged.yaml"), ())
    journal = MemoryJournal()
    begin(journal, game=GAME, title=set_up.title, ruleset="fuzz", world=set_up.world, state=set_up.state)
    look_around(Campaign(journal, games.build_world))


@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_scenario_is_read_or_its_problems_are_told(seed: int) -> None:
    good = untouched(damaged(SCENARIO, 500, seed), begin_from, BadFile)
    assert 0 < good < 500


def run_cases(text: str) -> None:
    for case in cases_in_text(text, "damaged.yaml"):
        run(case)


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_damaged_cases_are_run_or_their_problems_are_told(file: Path) -> None:
    pieces = file.read_text("utf-8").split("\n- ")
    cases = [pieces[0], *(f"- {piece}" for piece in pieces[1:])]
    for number in range(CASE_INPUTS // len(CASES) + 1):
        # A few damages each of as many cases as there is time for, so that this stays quick however many there are.
        untouched(damaged(cases[number % len(cases)], 4, number), run_cases, BadFile, UnknownGame)


def give(campaign: Campaign, read: Callable[[], Any]) -> None:
    """Give the command, if it is one, and overrule whatever can be; a state that changed is looked at."""
    command = read()
    before = to_bytes(campaign.state)
    try:
        outcome = campaign.do(command, override="try it")
    except (BadCommand, RollNeeded):
        assert to_bytes(campaign.state) == before
        raise
    if to_bytes(campaign.state) != before:
        look_around(campaign)
        again = Campaign(campaign.journal, games.build_world)
        assert to_bytes(again.state) == to_bytes(campaign.state), f"{outcome} is not what the journal says"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command["command"])
def test_a_damaged_command_in_json_is_given_or_turned_away_in_words(command: dict[str, Any]) -> None:
    game = games.game(GAME)
    untouched(
        damaged_json(command, 100, len(command)),
        lambda text: give(start(), lambda: from_json(game, text)),
        BadInput,
        BadCommand,
        RollNeeded,
    )


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command["command"])
def test_a_damaged_command_in_words_is_given_or_turned_away_in_words(command: dict[str, Any]) -> None:
    game = games.game(GAME)
    fields = {name: value for name, value in command.items() if name != "command"}
    typed = "\n".join([command["command"], *(f"{name}={_typed(value)}" for name, value in fields.items())])

    def give_words(text: str) -> None:
        name, *words = text.split("\n")
        give(start(), lambda: from_words(game, name, words))

    untouched(damaged(typed, 100, len(command)), give_words, BadInput, BadCommand, RollNeeded)


def _typed(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(value) if isinstance(value, list) else str(value)


def test_damaged_losses_are_understood_or_named() -> None:
    """A line is taken or its problem is told; nothing is raised, and a good line is never lost to a bad one."""
    campaign = start()
    world: Any = campaign.world
    taken = 0
    for text in damaged(LOSSES, 600, 52):
        pasted = read_losses(world, campaign.state, text)
        taken += any(line.taken for line in pasted.lines)
        assert all(line.taken or line.problem for line in pasted.lines)
    assert taken > 500


def played() -> MemoryJournal:
    """A short journal with a bit of everything."""
    journal = MemoryJournal()
    campaign = start(journal)
    for fields in COMMANDS:
        campaign.do(from_json(campaign.world.game, json.dumps(fields)), override="as agreed")
    campaign.undo()
    campaign.redo()
    campaign.do(desk.Note(text="two\nlines"))
    return journal


def test_a_damaged_export_is_told_where_it_is_wrong_or_says_the_same() -> None:
    """Whatever is read back is what was written: damage lies in a comment, in spaces nobody reads, or is found."""
    journal = played()
    text = "\n".join(export_text(journal))

    def read(damaged_text: str) -> None:
        assert read_text(damaged_text.splitlines()).entries == journal.entries

    good = untouched(damaged(text, 1000, 49), read, BadFile)
    assert 0 < good < 1000


def test_a_journal_with_a_changed_entry_is_not_opened_and_its_chain_says_which() -> None:
    journal = played()

    def read(number: int, text: str) -> None:
        sealed = journal.entries[number]
        spoiled = MemoryJournal()
        spoiled.entries = list(journal.entries)
        spoiled.entries[number] = Sealed(sealed.seq, text.encode(), sealed.hash)
        broken = {damage.seq for damage in check_chain(spoiled.read())}
        assert broken == (set() if text.encode() == sealed.body else {sealed.seq})
        Campaign(spoiled, games.build_world)
        assert not broken

    for number, sealed in enumerate(journal.entries):
        untouched(damaged(sealed.body.decode(), 50, number), partial(read, number), Damaged)


def test_the_undamaged_inputs_are_good() -> None:
    """Otherwise damage would prove nothing."""
    begin_from(SCENARIO)
    for fields in COMMANDS:
        give(start(), lambda fields=fields: from_json(games.game(GAME), json.dumps(fields)))  # type: ignore[misc]
    read_text(list(export_text(played())))
    campaign = start()
    world: Any = campaign.world
    assert all(line.taken or line.clauses for line in read_losses(world, campaign.state, LOSSES).lines)
