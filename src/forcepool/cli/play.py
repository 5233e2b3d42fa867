"""Playing: give a command, undo it, bring it back."""

from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput, Failed
from forcepool.cli.table import campaign_at, file_argument, json_option, seat_of, seat_option

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.consent import AgreementNeeded
    from forcepool.engine.decide import Decision
    from forcepool.engine.verdicts import Refusal

# ------------------------------------------------------------------------------------------------- do


@click.command("do")
@file_argument
@click.argument("command", required=False, default="")
@click.argument("fields", nargs=-1)
@click.option("--json-command", default="", help="The command as JSON instead of words.")
@seat_option
@click.option("--override", metavar="WHY", default="", help="Overrule the rules, with the reason for the record.")
@click.option("--die", "dice", type=click.IntRange(min=1), multiple=True, help="The result of a real die, in order.")
@click.option("--dry-run", is_flag=True, help="Only say what would happen.")
@json_option
@click.pass_context
def do_command(
    ctx: click.Context,
    file: str,
    command: str,
    fields: tuple[str, ...],
    json_command: str,
    seat: str,
    override: str,
    dice: tuple[int, ...],
    dry_run: bool,
    as_json: bool,
) -> None:
    """Give a command. It is carried out and recorded, or refused with every reason and its clause.

    'forcepool commands' lists what one can order. Yes and no stand for themselves, lists are separated by commas, and
    names with spaces need no quotes.

    \b
    Examples:
      forcepool do east.fp rebuild-cadre unit="10 Pz XX" pay_from=front/centre
      forcepool do east.fp lose "78 Inf XX" to=cadre
      forcepool do east.fp declare fact=moved unit="10 Pz XX" value=yes
      forcepool do east.fp advance
      forcepool do east.fp --json-command '{"command": "advance"}'
    """
    from forcepool.door.giving import give
    from forcepool.engine.consent import AgreementNeeded
    from forcepool.engine.verdicts import Refusal
    from forcepool.views.orders import from_json, from_words

    if bool(command) == bool(json_command):
        raise BadInput("give one command, as words or with --json-command; 'forcepool commands' lists them")
    with campaign_at(file) as campaign:
        game, side = campaign.world.game, seat_of(campaign, seat)
        order = from_json(game, json_command) if json_command else from_words(game, command, fields)
        outcome = give(campaign, order, seat=side, override=override, dice=dice, dry_run=dry_run)
        if isinstance(outcome, AgreementNeeded):
            _show_waiting(file, outcome, as_json)
            ctx.exit(REFUSED)
        if as_json:
            screen.print_json(outcome_data(campaign, outcome, dry_run))
        else:
            show_outcome(campaign, outcome, dry_run)
        if isinstance(outcome, Refusal):
            ctx.exit(REFUSED)


def _show_waiting(file: str, waits: "AgreementNeeded", as_json: bool) -> None:
    if as_json:
        screen.print_json({"accepted": False, "entry": waits.entry, "waits_for": waits.seats, "why": waits.why})
        return
    screen.say(f"{waits.entry}  {' and '.join(waits.seats)} must agree first: {waits.why}")
    screen.say(f"They agree with: forcepool agree {screen.quoted(file)} --as {waits.seats[0]}")


def outcome_data(campaign: "Campaign", outcome: "Decision | Refusal", dry_run: bool) -> dict[str, Any]:
    """What came of a command, for programs."""
    from forcepool.engine.command import command_name
    from forcepool.engine.verdicts import Refusal
    from forcepool.engine.wording import event_in_words
    from forcepool.views.unit import reason

    head = {"command": command_name(outcome.command), "dry_run": dry_run}
    if isinstance(outcome, Refusal):
        reasons = [reason(each) for each in outcome.reasons]
        return head | {"accepted": False, "final": outcome.final, "clauses": outcome.clauses, "reasons": reasons}
    return head | {
        "accepted": True,
        "entry": None if dry_run else campaign.seq,
        "events": outcome.events,
        "words": [event_in_words(campaign.world, event) for event in outcome.events],
        "allowed": [{"clause": each.because, "says": each.says} for each in outcome.allowed],
        "overruled": [reason(each) for each in outcome.overruled],
    }


def show_outcome(campaign: "Campaign", outcome: "Decision | Refusal", dry_run: bool) -> None:
    """What came of a command, in words."""
    from forcepool.engine.acts import order_in_words, refusal_in_words
    from forcepool.engine.verdicts import Refusal
    from forcepool.engine.wording import events_said

    if isinstance(outcome, Refusal):
        first, *rest = refusal_in_words(outcome)
        screen.say(screen.bad(first))
        screen.tell(rest)
        return
    number = "would do" if dry_run else f"{campaign.seq}"
    screen.say(screen.good(f"{number}  {order_in_words(outcome.command)}"))
    screen.tell(f"  {each}" for each in events_said(campaign.world, outcome.events))
    allowed = (f"  allowed by {each.because}{f': {each.says}' if each.says else ''}" for each in outcome.allowed)
    screen.tell(dict.fromkeys(allowed))


# -------------------------------------------------------------------------------------- undo and redo


@click.command("undo")
@file_argument
@click.option("--to", type=click.IntRange(min=2), default=None, help="Undo this entry and everything after it.")
@click.option("--consent", is_flag=True, help="Agree to the undo another seat has asked for.")
@seat_option
@json_option
@click.pass_context
def undo_command(ctx: click.Context, file: str, to: int | None, consent: bool, seat: str, as_json: bool) -> None:
    """Undo the last command, or everything from an entry on. The journal keeps what was undone, and says so.

    In a campaign with seats the others are asked first when it is their command, or when a die fell.

    \b
    Examples:
      forcepool undo east.fp
      forcepool undo east.fp --to 12
      forcepool undo east.fp --consent --as Soviet
    """
    from forcepool.engine.acts import numbers_in_words
    from forcepool.engine.campaign import ConsentNeeded
    from forcepool.store.open import now

    if consent and to is not None:
        raise BadInput("--consent agrees to what was asked; leave --to out")
    with campaign_at(file) as campaign:
        side = seat_of(campaign, seat)
        if to is not None and to > campaign.seq:
            raise Failed(f"there is no entry {to}, the last is {campaign.seq}; 'forcepool log' lists them")
        if consent and not side:
            raise BadInput("only a campaign with seats asks for consent; undo without --consent")
        done = campaign.consent(seat=side, when=now()) if consent else campaign.undo(to=to, seat=side, when=now())
        if isinstance(done, ConsentNeeded):
            if as_json:
                screen.print_json({"undone": [], "asked": done.entries, "waits_for": done.seats, "why": done.why})
            else:
                seats = " or ".join(done.seats)
                screen.say(f"asked to undo {numbers_in_words(done.entries)}: {done.why}")
                screen.say(
                    f"{seats} can agree with: forcepool undo {screen.quoted(file)} --consent --as {done.seats[0]}"
                )
            ctx.exit(REFUSED)
        if as_json:
            screen.print_json({"undone": done.undo, "entry": done.n, "when": campaign.world.when(campaign.state)})
        else:
            _show_turned_back(campaign, "undone", done.undo)


@click.command("redo")
@file_argument
@seat_option
@json_option
def redo_command(file: str, seat: str, as_json: bool) -> None:
    """Bring back what was undone last, as long as nothing was played since.

    \b
    Example:
      forcepool redo east.fp
    """
    from forcepool.store.open import now

    with campaign_at(file) as campaign:
        done = campaign.redo(seat=seat_of(campaign, seat), when=now())
        if as_json:
            screen.print_json({"redone": done.redo, "entry": done.n, "when": campaign.world.when(campaign.state)})
        else:
            _show_turned_back(campaign, "brought back", done.redo)


def _show_turned_back(campaign: "Campaign", what: str, numbers: list[int]) -> None:
    from forcepool.engine.acts import act_in_words

    for number in sorted(numbers):
        entry = next(campaign.entries(number, number + 1))
        screen.say(f"{what}: {number} {act_in_words(entry)}")
    screen.say(f"It is {campaign.world.when(campaign.state)}.")
