"""What is known to be wanting, a line each; it only becomes shorter. `python -m tests.offers.known` writes it anew."""

from pathlib import Path

FILE = Path(__file__).parent / "known.txt"


def known() -> set[str]:
    return {line for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")}


def main() -> None:
    from tests.offers.watching import CASES, watch

    lines = sorted(key for file in sorted(CASES.rglob("*.yaml")) for key, _ in watch(file))
    heading = FILE.read_text("utf-8").splitlines() if FILE.exists() else []
    heading = [line for line in heading if line.startswith("#")]
    FILE.write_text("\n".join([*heading, *lines]) + "\n", "utf-8")
    kinds = [line.partition(" | ")[0] for line in lines]
    print(", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds))))


if __name__ == "__main__":
    main()
