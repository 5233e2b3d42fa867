"""Studies: every combination once, the same rows whoever plays them, and differences that are told exactly."""

from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

import forcepool
from forcepool.engine.acts import order_in_words
from forcepool.engine.branch import Branch
from forcepool.engine.sentence import Told
from forcepool.files import BadFile, read_yaml
from forcepool.study.conduct import Played, conduct, read_played
from forcepool.study.design import POLICIES, Run, Study, combinations, read_study, runs
from forcepool.study.effects import effects, students_t
from forcepool.study.play import Moment, Row, check, play, play_from
from forcepool.study.policies import acts_of
from forcepool.study.together import Weighed, families, play_together
from tests.cli.conftest import forcepool_runs

STUDY = """
title: Chance or nothing?
scenarios: [smolensk]
turns: 2
seeds: 2
losses: {Axis: 6, Soviet: 8}
policies: [quiet, random]
"""


def study(text: str = STUDY) -> Study:
    return read_study(read_yaml(text, "study.yaml"))


def unheard(done: int, of: int) -> None:
    """Nobody listens."""


def test_a_full_design_has_every_combination_and_one_by_one_only_each_alone() -> None:
    text = STUDY + "house_rules: {a: [x, y], b: [x, y, z]}\nnumbers: {n: [1/6, 1/4]}\n"
    full = list(combinations(study(text)))
    assert len(full) == len(set(full)) == 2 * 2 * 3 * 2
    assert full[0] == ("smolensk", "quiet", (("a", "x"), ("b", "x")), (("n", "1/6"),))
    alone = list(combinations(study(text + "design: one-by-one\n")))
    assert alone[0] == full[0]
    # The first of all, then each otherwise: a policy, y of a, y and z of b, a quarter.
    assert len(alone) == len(set(alone)) == 1 + 1 + 1 + 2 + 1
    assert len(list(runs(study(text)))) == 24 * 2


@pytest.mark.parametrize(
    ("line", "at", "told"),
    [
        ("scenarios: [smolensc]", "2:13", "there is no scenario 'smolensc' (did you mean smolensk?)"),
        ("policies: [clever]", "6:12", "there is no policy 'clever'"),
        ("design: half", "7:9", "there is no design 'half' (it is full or one-by-one)"),
        ("seeds: 0", "4:8", "seeds are at least 1"),
        ("speed: 3", "7:1", "speed"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(line: str, at: str, told: str) -> None:
    word = line.partition(":")[0]
    lines = STUDY.strip().splitlines()
    known = [number for number, each in enumerate(lines) if each.startswith(f"{word}:")]
    if known:
        lines[known[0]] = line
    else:
        lines.append(line)
    with pytest.raises(BadFile) as wrong:
        study("\n".join(lines) + "\n")
    assert f"study.yaml:{at}:" in str(wrong.value)
    assert told in str(wrong.value)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("house_rules: {nobody-plays-this: [a]}", "house_rules: "),
        ("numbers: {no_such_number: [1/2]}", "no_such_number"),
    ],
)
def test_what_a_scenario_does_not_know_is_told_before_anything_is_played(more: str, told: str, tmp_path: Path) -> None:
    with pytest.raises((Told, BadFile), match=told):
        conduct(study(f"{STUDY}{more}\n"), tmp_path / "out", workers=1, progress=unheard)
    assert not (tmp_path / "out").exists()


def test_the_same_run_gives_the_same_rows_and_losses_do_not_hang_on_the_policy() -> None:
    first, second = (each for each in runs(study()) if each.policy == "random")
    assert play(first) == play(first)
    assert play(first) != play(second)
    [quiet, *_] = runs(study())
    assert [row.turn for row in play(quiet)] == ["Oct 3 41", "Oct 4 41"]
    lost = [[{side: read["lost"] for side, read in row.sides.items()} for row in play(each)] for each in (quiet, first)]
    assert lost[0] == lost[1]
    assert sum(read["Soviet"] for read in lost[0]) > 0


RULINGS = """
title: Together
scenarios: [smolensk]
turns: 3
seeds: 1
losses: {Axis: 12, Soviet: 12}
policies: [rebuild]
design: one-by-one
house_rules:
  limited-rebuild: [half-the-difference, half-the-full-size]
  loss-measure: [averaged, full-and-cadre]
  phase-order: [after-combat, both-open]
  placement-limits: [one-a-location, three-res]
  reduced-rate: [strength, each-type]
  reduced-time: [double, plus-four]
  special-replacements-come: [end-of-turn, reinforcement]
"""


def test_campaigns_that_are_played_together_are_those_that_are_played_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = list[int]()

    def counts(run: Run, world: Any, moment: Moment, passes: Any = None) -> list[Row]:
        begun.append(len(moment.rows))
        return play_from(run, world, moment, passes)

    monkeypatch.setattr("forcepool.study.together.play_from", counts)
    [family] = families(list(runs(study(RULINGS))))
    found = dict(play_together(family))
    assert list(found) == family
    assert found == {each: play(each) for each in family}
    # Most are never told apart; of the others some part later than they begin.
    assert 1 < len(begun) < len(family)
    assert max(begun) > 0
    assert found[family[0]][0].sides != found[family[-1]][-1].sides


def test_an_option_notes_what_it_was_told_from() -> None:
    notes: dict[tuple[str, str], int] = {}
    played = Weighed("double")
    played.notes, played.ruling, played.others, played.turns = notes, "time", {"plus-four", "none", "third"}, []
    assert played != "other"
    assert not notes
    assert played != "none"
    assert list(notes) == [("time", "none")]
    assert played not in ("plus-four",)
    assert set(notes) == {("time", "none"), ("time", "plus-four")}
    assert {"double": 1}[played] == 1
    assert len(notes) == 3
    assert f"{played}" == "double"


def by_hand(branch: Branch, side: str, random: Random) -> Iterator[str]:
    """Orders as one types them, one that is not understood among them."""
    yield 'rebuild-cadre unit="6 Pz XX pay_from=front/centre'
    yield 'rebuild-cadre unit="6 Pz XX" pay_from=front/centre'
    yield ""


def test_a_policy_of_ones_own_may_write_names_in_quotes() -> None:
    campaign = forcepool.new("smolensk", seed=1)
    branch = Branch(campaign.record.world, campaign.state.copy())
    [step] = acts_of(by_hand, Random(1))(branch)
    assert order_in_words(step.command) == 'rebuild-cadre unit="6 Pz XX" pay_from=front/centre'
    assert branch.state.units["6 Pz XX"].step == "full"


def rows_of(folder: Path) -> str:
    return sha256((folder / "results.parquet").read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study") / "alone"
    conduct(study(), folder, workers=1, progress=unheard)
    return folder


def test_two_workers_and_one_give_the_same_rows(alone: Path, tmp_path: Path) -> None:
    table = conduct(study(), tmp_path / "two", workers=2, progress=unheard)
    assert len(table) == 2 * 2 * 2
    assert rows_of(tmp_path / "two") == rows_of(alone)


def test_whoever_breaks_off_goes_on_where_it_stopped(alone: Path, tmp_path: Path) -> None:
    class BreaksOff(Exception):
        pass

    def breaks_off(done: int, of: int) -> None:
        if done == 2:
            raise BreaksOff

    folder = tmp_path / "off"
    with pytest.raises(BreaksOff):
        conduct(study(), folder, workers=1, progress=breaks_off)
    kept = {each.name: each.stat().st_mtime_ns for each in (folder / "runs").iterdir()}
    assert len(kept) == 2
    # Seed by seed, so that there is something of both policies to compare.
    assert [each.run.seed for each in read_played(folder, runs(study()))] == [1, 1]
    heard: list[tuple[int, int]] = []
    conduct(study(), folder, workers=1, progress=lambda done, of: heard.append((done, of)))
    assert heard == [(2, 4), (3, 4), (4, 4)]
    assert {name: (folder / "runs" / name).stat().st_mtime_ns for name in kept} == kept
    assert rows_of(folder) == rows_of(alone)
    with pytest.raises(Told, match="another study"):
        conduct(study(STUDY.replace("seeds: 2", "seeds: 3")), folder, workers=1, progress=unheard)


# Dask's own, on Python 3.13, as a cluster is closed from where no loop runs.
@pytest.mark.filterwarnings("ignore:There is no current event loop:DeprecationWarning")
def test_a_cluster_gives_the_same_rows_though_a_worker_dies_and_the_scheduler_is_begun_anew(
    alone: Path, tmp_path: Path
) -> None:
    distributed: Any = pytest.importorskip("dask.distributed")
    folder, heard = tmp_path / "many", list[int]()
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:

        def kills(done: int, of: int) -> None:
            heard.append(done)
            if done == 1:
                next(iter(cluster.workers.values())).process.process.kill()
            if done == 2:
                cluster.close()

        with pytest.raises(Told, match="give the same command again"):
            conduct(study(), folder, scheduler=cluster.scheduler_address, progress=kills)
    kept = {each.name: each.stat().st_mtime_ns for each in (folder / "runs").iterdir()}
    assert len(kept) == heard[-1] >= 2
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        conduct(study(), folder, scheduler=cluster.scheduler_address, progress=unheard)
    assert {name: (folder / "runs" / name).stat().st_mtime_ns for name in kept} == kept
    assert rows_of(folder) == rows_of(alone)


def hand_made() -> Iterator[Played]:
    for policy, values in (("quiet", (1, 3)), ("random", (2, 6))):
        for seed, value in enumerate(values, 1):
            run = Run("smolensk", policy, (), (), seed, 2, ())
            sides = [{"Axis": {"strength": Fraction(value * turn), "lost": Fraction(value, 2)}} for turn in (1, 2)]
            yield Played(run, [Row(run.name, f"turn {at}", at, each) for at, each in enumerate(sides, 1)])


def test_effects_are_differences_seed_by_seed() -> None:
    strength, lost = effects(hand_made())
    assert (strength.what, strength.side, strength.measure, strength.seeds) == ("policy random", "Axis", "strength", 2)
    # As the last turn ends 2 and 6 against 4 and 12; lost over both turns 1 and 3 against 2 and 6.
    assert [strength.base, strength.differs, lost.base, lost.differs] == [Fraction(each) for each in (4, 4, 2, 2)]
    # Differences of 2 and 6: their spread is 8, so the error is 2, and with one degree 12.7 of it are allowed for.
    assert strength.give_or_take == pytest.approx(25.41, abs=0.01)
    assert not strength.counts


def test_whoever_buys_back_spends_more_than_chance_and_has_more_than_nobody() -> None:
    ended = {
        each: play(Run("smolensk", each, (), (), 4, 8, (("Axis", "4"),)))[-1].sides["Axis"] for each in POLICIES[:3]
    }
    assert ended["rebuild"]["strength"] > ended["quiet"]["strength"]
    assert ended["rebuild"]["held"] < ended["random"]["held"] < ended["quiet"]["held"]


@pytest.mark.parametrize(
    ("freedom", "expected"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (199, 1.972)]
)
def test_students_t(freedom: int, expected: float) -> None:
    assert students_t(0.95, freedom) == pytest.approx(expected, abs=0.02)


def test_from_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("study.yaml").write_text(STUDY.replace("turns: 2", "turns: 1"), "utf-8")
    assert "4 rows" in forcepool_runs("study", "study.yaml", "--out", "found", "--workers", "1").out
    told = forcepool_runs("study", "report", "found").out
    assert "Chance or nothing?" in told
    assert "policy random" in told
    assert forcepool_runs("study", "report", "found", "--json").data["played"] == 4
    assert "holds no study" in forcepool_runs("study", "report", "nowhere").err
    assert "--out DIR" in forcepool_runs("study", "study.yaml").err


def test_the_study_of_the_documentation_can_be_played() -> None:
    text = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text("utf-8")
    shown = text.partition("```yaml\n")[2].partition("```")[0].replace("east-1941", "smolensk")
    tried = list(runs(study(shown)))
    assert len(tried) == 3 * 200
    for each in tried[::200]:
        check(each)
