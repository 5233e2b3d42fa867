"""A study carried out: by processes on this machine or by a cluster, each campaign once, and all rows in one table."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ProcessPoolExecutor, as_completed
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from forcepool import __version__
from forcepool.engine.codec import decoder, encode
from forcepool.engine.collecting import collect_seldom
from forcepool.engine.sentence import Told
from forcepool.files.disk import whole_bytes
from forcepool.study.design import Run, Study, runs
from forcepool.study.play import MEASURES, Row, check
from forcepool.study.together import families, play_together
from forcepool.tables.table import AMOUNT, NUMBER, Cell, Column, NeedsAnalysis, Table

STUDY, RUNS, RESULTS = "study.json", "runs", "results"
Progress = Callable[[int, int], None]


class Kept(Struct, frozen=True):
    """What a folder is the study of."""

    version: str
    study: Study


class Played(Struct, frozen=True):
    """A campaign of a study, as it is kept."""

    run: Run
    rows: list[Row]


Family = list[Run]
"""Runs that are played together."""
Found = list[tuple[Run, bytes]]
"""Runs, each with what is kept of it."""
_PLAYED = decoder(Played)
_KEPT = decoder(Kept)


def played(runs: Family) -> Found:
    """Play the runs of a family; what a worker does, and what is kept of each."""
    collect_seldom()
    return [(run, encode(Played(run, rows))) for run, rows in play_together(runs)]


def conduct(study: Study, folder: Path, *, workers: int = 0, scheduler: str = "", progress: Progress) -> Table:
    """Play every campaign that has not been played yet, and put all rows together.

    The rows are the same whatever the number of workers and in whatever order they finish. Whoever breaks off loses
    only the campaigns that were being played.
    """
    wanted = list(runs(study))
    for each in wanted[:: study.seeds]:
        check(each)
    (folder / RUNS).mkdir(parents=True, exist_ok=True)
    _same_study(study, folder)
    # Seed by seed: whoever breaks off, or looks before the end, has something of every combination to compare.
    left = [each for each in sorted(wanted, key=lambda each: each.seed) if not _file(folder, each).exists()]
    done = len(wanted) - len(left)
    progress(done, len(wanted))
    count = workers or os.cpu_count() or 1
    tasks = list(families(left))
    for found in _by_cluster(tasks, scheduler) if scheduler else _by_processes(tasks, count):
        for run, rows in found:
            whole_bytes(_file(folder, run), rows)
            done += 1
            progress(done, len(wanted))
    table = results(folder, wanted)
    for ending in (".csv", ".parquet"):
        with suppress(NeedsAnalysis):
            table.write(folder / f"{RESULTS}{ending}")
    return table


def _same_study(study: Study, folder: Path) -> None:
    """Turn away a folder with the campaigns of another study, or of another version of the rules."""
    kept, path = Kept(__version__, study), folder / STUDY
    if not path.exists():
        whole_bytes(path, encode(kept))
        return
    found = read_kept(folder)
    if found != kept:
        what = "study" if found.version == kept.version else f"version ({found.version})"
        raise Told(f"{folder} holds the campaigns of another {what}; choose another folder, or remove this one")


def read_kept(folder: Path) -> Kept:
    """What a folder is the study of."""
    try:
        found: Kept = _KEPT.decode((folder / STUDY).read_bytes())
    except FileNotFoundError:
        raise Told(f"{folder} holds no study; 'forcepool study STUDY.yaml --out {folder}' makes one") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise Told(f"{folder / STUDY} cannot be read: {error}; remove it and begin again") from None
    return found


def _file(folder: Path, run: Run) -> Path:
    return folder / RUNS / f"{run.name}.json"


def _by_processes(wanted: list[Family], workers: int) -> Iterator[Found]:
    if workers == 1 or len(wanted) < 2:
        yield from map(played, wanted)
        return
    # Fresh processes: what this one has open is none of theirs.
    with ProcessPoolExecutor(min(workers, len(wanted)), mp_context=get_context("spawn")) as pool:
        yield from (done.result() for done in as_completed([pool.submit(played, each) for each in wanted]))


def _by_cluster(wanted: list[Family], scheduler: str) -> Iterator[Found]:
    """By the workers of a Dask cluster; one that dies is no loss, its campaigns are played by another."""
    try:
        distributed: Any = import_module("dask.distributed")
    except ImportError:
        raise Told("a cluster needs Dask; get it with: pip install 'forcepool[cluster]'") from None
    with distributed.Client(scheduler) as client:
        # Named by the first run: whoever asks for the same again is given the same.
        given = [client.submit(played, each, key=f"forcepool-{each[0].name}-{len(each)}") for each in wanted]
        for done in distributed.as_completed(given):
            try:
                found: Found = done.result()
            except (CancelledError, OSError) as error:
                raise Told(f"the scheduler is gone ({error}); give the same command again once it is back") from None
            yield found


# ------------------------------------------------------------------------------------------------------ results


def read_played(folder: Path, wanted: Iterable[Run]) -> Iterator[Played]:
    """The campaigns that were played, in the order of the study."""
    for each in wanted:
        path = _file(folder, each)
        if path.exists():
            found: Played = _PLAYED.decode(path.read_bytes())
            yield found


def results(folder: Path, wanted: Iterable[Run]) -> Table:
    """One row for each campaign and turn."""
    listed = list(read_played(folder, wanted))
    rules = sorted({name for each in listed for name, _ in each.run.house_rules})
    numbers = sorted({name for each in listed for name, _ in each.run.numbers})
    sides = sorted({side for each in listed for row in each.rows for side in row.sides})
    columns = (
        Column("run", about="the campaign"),
        Column("scenario"),
        Column("policy"),
        *(Column(each, about="a ruling") for each in rules),
        *(Column(each, about="a number of the profile") for each in numbers),
        Column("seed", NUMBER),
        Column("turn"),
        Column("turn_number", NUMBER),
        *(Column(f"{side}_{measure}".casefold(), AMOUNT) for side in sides for measure in MEASURES),
    )
    return Table("study", "one row for each campaign and turn", columns, tuple(_rows(listed, rules, numbers, sides)))


def _rows(listed: list[Played], rules: list[str], numbers: list[str], sides: list[str]) -> Iterator[tuple[Cell, ...]]:
    for each in listed:
        run, ruled, valued = each.run, dict(each.run.house_rules), dict(each.run.numbers)
        for row in each.rows:
            amounts = (row.sides.get(side, {}).get(measure, Fraction(0)) for side in sides for measure in MEASURES)
            yield (
                row.run,
                run.scenario,
                run.policy,
                *(ruled.get(name, "") for name in rules),
                *(valued.get(name, "") for name in numbers),
                run.seed,
                row.turn,
                row.number,
                *amounts,
            )
