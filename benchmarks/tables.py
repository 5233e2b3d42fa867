"""A long campaign as tables: balances by turn as a data frame, and the same question in SQL.

    python benchmarks/run.py tables [ENTRIES]

A campaign of 100,000 entries in a file: opened and read into a data frame of balances by turn (goal: 2 s), and a
question in SQL over what was read (1 s). The peer is beancount with beanquery, the ledger and query language of fava,
on 20,000 transactions of as many postings, in an environment of its own that this makes; per entry both are told.
"""

import json
import subprocess
import sys
import tempfile
import venv
from fractions import Fraction
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from msgspec.structs import replace  # noqa: E402

import forcepool  # noqa: E402
from forcepool.engine.decide import Decision  # noqa: E402
from forcepool.engine.desk import Advance, Note  # noqa: E402
from forcepool.engine.events import Event, Marked, PhaseBegan, Transferred  # noqa: E402
from forcepool.tables.sql import ask  # noqa: E402

ENTRIES, PEERS_ENTRIES, A_TURN = 100_000, 20_000, 250
POOLS = ("front/centre", "theatre/east", "national/Germany")
KINDS = ("inf", "arm")
QUESTION = "select month, pool, kind, exact_sum(amount) as held from balances group by 1, 2, 3 order by 1, 2, 3"
PEER = ("beancount==3.2.0", "beanquery==0.2.0")


def tell(name: str, **figures: object) -> None:
    print(json.dumps({"run": "tables", "name": name, **figures}), flush=True)


def play(path: Path, entries: int) -> None:
    """A campaign of so many entries: points move, marks are made, turns pass. No rule is asked."""
    with forcepool.new("smolensk", path, seed=1) as campaign:
        record = campaign.record
        for number in range(2, entries + 1):
            clock = record.state.clock
            if number % A_TURN == 0:
                then = replace(clock, turn=clock.turn + 1)
                record.record(Decision(Advance(), [PhaseBegan(clock=then)]))
                continue
            amount, kind = Fraction(number % 7 + 1, number % 12 + 1), KINDS[number % 2]
            frm, to = POOLS[number % 3], POOLS[(number + 1) % 3]
            moved = Transferred(amount=amount, kind=kind, nation="Germany", frm=frm, to=to, because="52.A.9.d/2")
            events: list[Event] = [
                moved,
                replace(moved, frm=to, to="sink/spent"),
                Marked(on="unit/6 Pz XX", mark="moved", value=bool(number % 2)),
            ]
            record.record(Decision(Note(text="played"), events))


def ours(path: Path, entries: int) -> None:
    start = perf_counter()
    with forcepool.open(path) as campaign:
        opened = perf_counter()
        balances = campaign.balances()
        frame = balances.to_pandas()
        ended = perf_counter()
    asked = perf_counter()
    answer = ask(QUESTION, ("balances",), lambda name: balances)
    tell(
        "balances",
        entries=entries,
        open_s=round(opened - start, 2),
        frame_s=round(ended - start, 2),
        sql_s=round(perf_counter() - asked, 3),
        rows=len(frame),
        answers=len(answer),
        entries_per_s=round(entries / (ended - start)),
        goal_s=2,
    )


def peers(folder: Path, entries: int) -> None:
    """The same kind of record as a ledger, and the same question to its own query language."""
    ledger = folder / "ledger.beancount"
    lines = ["2000-01-01 commodity INF", "2000-01-01 commodity ARM"]
    accounts = ("Assets:Front:Centre", "Assets:Theatre:East", "Assets:National:Germany", "Expenses:Spent")
    lines += [f"1990-01-01 open {each}" for each in accounts]
    for number in range(entries):
        year, month, day = 2000 + number // 336 % 90, number // 28 % 12 + 1, number % 28 + 1
        kind, amount = KINDS[number % 2].upper(), f"{number % 7 + 1}.00"
        frm, to = accounts[number % 3], accounts[(number + 1) % 3]
        lines += [
            f'{year}-{month:02}-{day:02} * "moved"',
            f"  {frm}  -{amount} {kind}",
            f"  {to}  {amount} {kind}",
            f'{year}-{month:02}-{day:02} * "spent"',
            f"  {to}  -{amount} {kind}",
            f"  Expenses:Spent  {amount} {kind}",
        ]
    ledger.write_text("\n".join(lines) + "\n", "utf-8")
    venv.create(folder / "peer", with_pip=True)
    python = str(folder / "peer" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PEER], check=True, stdout=subprocess.DEVNULL)
    sql = "SELECT year, month, account, sum(position) GROUP BY year, month, account ORDER BY year, month, account"
    code = (
        "import time, sys; from beancount import loader; from beanquery import query\n"
        "start = time.perf_counter(); entries, _, options = loader.load_file(sys.argv[1])\n"
        "loaded = time.perf_counter(); _, rows = query.run_query(entries, options, sys.argv[2])\n"
        "print(loaded - start, time.perf_counter() - loaded, len(rows))"
    )
    ran = subprocess.run([python, "-c", code, str(ledger), sql], check=True, capture_output=True, text=True)
    load, asked, rows = ran.stdout.split()
    both = float(load) + float(asked)
    tell(
        "beancount",
        entries=entries,
        load_s=round(float(load), 2),
        query_s=round(float(asked), 2),
        rows=int(rows),
        entries_per_s=round(entries / both),
    )


def main(entries: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.fp"
        play(path, entries)
        for _ in range(2):
            ours(path, entries)
        peers(Path(folder), PEERS_ENTRIES)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES)
