"""Is a campaign's file as it was written, is it the one the players were told of, and would it be played so today?"""

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option

SHORTEST_SEAL = 12
"""Digits of a seal that must be given: fewer could be met by chance, or by trying."""
TOLD_EVERY = 50
"""Entries between two words of how far it is."""


@click.command("verify")
@file_argument
@click.option("--head", metavar="SEAL", default="", help="A seal you were told: the journal must hold that entry.")
@click.option("--rules", is_flag=True, help="Judge every recorded order again by today's rules, and tell what differs.")
@json_option
@click.pass_context
def verify_command(ctx: click.Context, file: str, head: str, rules: bool, as_json: bool) -> None:
    """Check a campaign's file from the first entry to the last: changed, missing or reordered entries, points and dice.

    A journal that was rewritten as a whole has seals that fit one another, but not the ones you were told: every page,
    report and status shows the seal of the last entry, and --head holds the file to one you noted.

    \b
    Examples:
      forcepool verify east.fp
      forcepool verify east.fp --head 3fa94c01d2e7b6a5
      forcepool verify east.fp --rules
    """
    from forcepool.store.open import open_journal
    from forcepool.store.verify import describe, verify

    seal = _seal(head) if head else ""
    with open_journal(file) as journal:
        report = verify(journal, head=seal)
    otherwise = _otherwise(file) if rules and report.sound else []
    if as_json:
        screen.print_json(
            {
                "sound": report.sound,
                "entries": report.entries,
                "head": report.head,
                "dice": report.dice,
                "sealed_dice": report.sealed_dice,
                "dice_by_hand": report.dice_by_hand,
                "findings": [{"entry": each.entry, "what": each.what} for each in report.findings],
            }
            | ({"otherwise": otherwise} if rules else {})
        )
    else:
        screen.say_lines(describe(report))
        screen.say(screen.good("sound") if report.sound else screen.bad("not sound"))
        if rules and report.sound:
            screen.say_lines(map(str, otherwise))
            count = screen.counted(len(otherwise), "entry", "entries")
            screen.say(
                f"{count} would be decided otherwise by today's rules"
                if otherwise
                else "today's rules decide all alike"
            )
    if not report.sound or otherwise:
        ctx.exit(REFUSED)


def _seal(text: str) -> str:
    seal = text.strip().casefold().rstrip("…")
    if not SHORTEST_SEAL <= len(seal) <= 64 or set(seal) - set("0123456789abcdef"):
        raise BadInput(f"a seal is at least {SHORTEST_SEAL} digits 0-9 and a-f, not '{text[:70]}'")
    return seal


def _otherwise(file: str) -> list[object]:
    from forcepool.store.rejudge import decided_otherwise

    def step(done: int, of: int) -> None:
        if done % TOLD_EVERY == 0:
            screen.progress(f"judged again: {done} of {of} entries")

    with campaign_at(file) as campaign:
        return list(decided_otherwise(campaign, progress=step))
