"""fava on a ledger of 20,000 entries: pools by district, one entry a spend, through its own test client."""

import json
import os
import random
import tempfile
import time
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

from fava.application import create_app

ENTRIES = 20_000
POOLS = [f"Assets:MD{md}:{kind}" for md in range(1, 9) for kind in ("Inf", "Arm", "Art")]


def write_ledger(path: Path) -> None:
    dice, held, day = random.Random(1), dict.fromkeys(POOLS, Decimal(0)), date(1941, 1, 1)
    lines = [
        'option "title" "pools"',
        *(f"1940-01-01 open {account} RP" for account in (*POOLS, "Expenses:Rebuilt", "Income:Received")),
    ]
    for number in range(ENTRIES):
        pool = dice.choice(POOLS)
        amount = Decimal(dice.choice(("0.25", "0.5", "1.75")))
        gains = held[pool] < amount
        held[pool] += 5 if gains else -amount
        other, signed = ("Income:Received", Decimal(5)) if gains else ("Expenses:Rebuilt", -amount)
        lines.append(f'{day} * "entry {number}"\n  {pool}  {signed} RP\n  {other}  {-signed} RP')
        if number % 20 == 19:
            day += timedelta(days=1)
    path.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    os.environ["BEANCOUNT_DISABLE_LOAD_CACHE"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pools.beancount"
        write_ledger(path)
        begun = time.perf_counter()
        client = create_app([path], load=True).test_client()
        report: dict[str, object] = {"entries": ENTRIES, "start_s": round(time.perf_counter() - begun, 2)}
        for name in ("income_statement/", "api/balance_sheet", "api/journal"):
            took = []
            for _ in range(3):
                begun = time.perf_counter()
                answer = client.get(f"/pools/{name}")
                took.append(time.perf_counter() - begun)
            report[name] = {
                "status": answer.status_code,
                "kB": round(len(answer.data) / 1000, 1),
                "ms": round(min(took) * 1000, 1),
            }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
