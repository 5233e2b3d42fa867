"""What to rebuild: the orders that bring most back by a date, turn by turn."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option, one_of, seat_of, seat_option

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.views.plan import PlanView

LEFT_SHOWN = 12
REFUSED = 1


@click.command("plan")
@file_argument
@click.argument("goals", type=click.Path(dir_okay=False), required=False)
@click.option("--turns", type=click.IntRange(0, 48), default=12, show_default=True, help="Turns to plan ahead.")
@click.option("--side", default="", metavar="SIDE", help="Whose plan; the side to play if you do not say.")
@click.option("--seconds", type=click.FloatRange(1, 600), default=10, show_default=True, help="For the solver.")
@click.option("--greedy", is_flag=True, help="By rules of thumb alone, without the solver.")
@click.option("--compare", is_flag=True, help="Tell also what rules of thumb come to.")
@click.option("--why", "prices", is_flag=True, help="Every unit left out, and at what price it would be in the plan.")
@click.option("--save", "save_to", type=click.Path(dir_okay=False), default=None, help="Write the plan to this file.")
@click.option(
    "--follow", type=click.Path(dir_okay=False), default=None, help="Give the orders of this phase from a saved plan."
)
@click.option(
    "--show", type=click.Path(dir_okay=False), default=None, help="How far a saved plan has been carried out."
)
@click.option(
    "--beside", type=click.Path(dir_okay=False), default=None, help="With --show: hold it against this other plan."
)
@click.option(
    "--again",
    type=click.Path(dir_okay=False),
    default=None,
    help="Plan again from today, keeping what still holds of a saved plan.",
)
@seat_option
@json_option
@click.pass_context
def plan_command(
    ctx: click.Context,
    file: str,
    goals: str | None,
    turns: int,
    side: str,
    seconds: float,
    greedy: bool,
    compare: bool,
    prices: bool,
    save_to: str | None,
    follow: str | None,
    show: str | None,
    beside: str | None,
    again: str | None,
    seat: str,
    as_json: bool,
) -> None:
    """Plan what to rebuild: the orders of the coming turns that put most strength on the map by a date.

    The plan is played through the engine on a copy before it is shown, so every order in it is allowed. It knows what
    your side knows: nobody moves or is lost in it, and the other side does nothing. GOALS is a file that says what
    counts; docs/planning.md tells what can stand in it. Without OR-Tools (pip install "forcepool[plan]") it is made by
    rules of thumb, and says so.

    \b
    Examples:
      forcepool plan east.fp --side Axis --turns 8
      forcepool plan east.fp goals.yaml --save autumn.yaml
      forcepool plan east.fp --follow autumn.yaml
      forcepool plan east.fp --again autumn.yaml --save winter.yaml
      forcepool plan east.fp --show autumn.yaml --beside winter.yaml
    """
    if beside and not show:
        raise BadInput("--beside goes with --show: forcepool plan FILE --show ONE --beside OTHER")
    if follow or show:
        with campaign_at(file) as campaign:
            if follow:
                if not _follow(campaign, follow, seat_of(campaign, seat), as_json):
                    ctx.exit(REFUSED)
            elif show and beside:
                _show_two(campaign, show, beside, as_json)
            elif show:
                _show_saved(campaign, show, as_json)
        return
    with campaign_at(file) as campaign:
        _plan(campaign, goals, again, turns, side or seat, seconds, not greedy, compare, prices, save_to, as_json)


def _plan(
    campaign: "Campaign",
    goals: str | None,
    again: str | None,
    turns: int,
    side: str,
    seconds: float,
    solver: bool,
    compare: bool,
    prices: bool,
    save_to: str | None,
    as_json: bool,
) -> None:
    from forcepool.files import read_yaml, read_yaml_file
    from forcepool.files.disk import whole_text
    from forcepool.planner.goals import Asked, Goals, read_goals
    from forcepool.planner.plan import plan
    from forcepool.planner.solver import solver_starts
    from forcepool.views.plan import plan_view
    from forcepool.views.saved_plan import as_text, read_plan, saved, still_to_come, turns_left

    world, state = campaign.world, campaign.state
    whose = one_of(side, world.sequence.players, "side") if side else world.phasing(state)
    earlier = read_plan(read_yaml_file(again), world) if again else None
    document = read_yaml_file(goals) if goals else None
    text = Path(goals).read_text("utf-8-sig") if goals else ""
    if earlier is not None:
        if side and whose != earlier.side:
            raise BadInput(f"this is a plan of {earlier.side}; you play {whose}")
        whose, turns, text = earlier.side, turns_left(state, earlier, turns), text or earlier.goals
    document = document or (read_yaml(text, "goals") if text else None)
    asked = read_goals(document, world, state, whose, turns) if document else Asked(whose, turns, Goals())
    if solver and not solver_starts():
        screen.warn('OR-Tools is missing or does not start: made by rules of thumb (pip install "forcepool[plan]")')
    found = plan(
        world,
        state,
        asked.side,
        asked.turns,
        asked.goals,
        seconds=seconds,
        solver=solver and solver_starts(),
        compare=compare,
        before=still_to_come(world, state, earlier) if earlier is not None else (),
        progress=lambda done, of: screen.progress(f"{done} of {of}"),
    )
    if save_to:
        with whole_text(Path(save_to)) as written:
            written.write(as_text(saved(world, state, found, goals=text, after=campaign.seq)))
    view = plan_view(world, state, found, prices=prices)
    if as_json:
        screen.print_json(view)
        return
    _show(view, everything=prices)
    if save_to:
        screen.say(f"Written to {save_to}; follow it with: forcepool plan FILE --follow {screen.quoted(save_to)}")


def _show(view: "PlanView", *, everything: bool) -> None:
    from forcepool.engine.points import show_points

    orders = sum(len(turn.orders) for turn in view.turns)
    screen.heading(f"{view.side}, {view.now} to {view.until}: {screen.counted(orders, 'order')}")
    if not orders:
        screen.say("There is nothing a plan could do: no order that brings a unit back by then.")
    screen.say(
        f"Strength on the map at the end: {show_points(view.value)}, {show_points(view.gain)} more than with no orders."
    )
    screen.say(f"Found: {view.by}." + _bound(view))
    if view.before:
        screen.say(f"{view.kept} of {screen.counted(view.before, 'order')} of the plan before still hold and are kept.")
        screen.say_lines(f"  no longer in it: {each}" for each in view.dropped)
    for name, gain in view.rules:
        screen.say(screen.faint(f"  {name}: {show_points(gain)} more"))
    for line in view.unmet:
        screen.say(screen.bad(line))
    for turn in view.turns:
        screen.say()
        screen.say(screen.strong(turn.when))
        for each in turn.orders:
            cost = ", ".join(each.cost) or "nothing"
            when = f", arrives {each.arrives}" if each.arrives else ""
            when += f", brings {show_points(each.brings)}" if each.brings else ""
            what = f"{each.unit}: {each.step}, {each.where}{when}, for {cost}" if each.unit else each.title
            screen.say(f"  {what}")
            screen.say(screen.faint(f"    {each.order}"))
    if view.unspent:
        screen.say()
        screen.say(screen.strong("Left unspent"))
        screen.say_lines(f"  {each}" for each in view.unspent)
    if view.left:
        screen.say()
        screen.say(screen.strong("Not brought back to full strength"))
        shown = view.left if everything else view.left[:LEFT_SHOWN]
        for left in shown:
            screen.say(f"  {left.unit}: {left.text}" + (screen.faint(f"  [{left.clause}]") if left.clause else ""))
        if len(view.left) > len(shown):
            screen.say(screen.faint(f"  and {len(view.left) - len(shown)} more; --why lists all"))


def _bound(view: "PlanView") -> str:
    from forcepool.engine.points import show_points

    if view.bound is None or view.proven:
        return ""
    return f" No plan from the same orders is worth more than {show_points(view.bound)}."


def _show_saved(campaign: "Campaign", path: str, as_json: bool) -> None:
    from forcepool.engine.points import show_points
    from forcepool.files import read_yaml_file
    from forcepool.views.saved_plan import given_since, lines, progress, read_plan

    plan = read_plan(read_yaml_file(path), campaign.world)
    found = lines(campaign.world, campaign.state, plan, given_since(campaign, plan))
    far = progress(campaign.state, found)
    if as_json:
        screen.print_json({"side": plan.side, "until": plan.until, "orders": found, "progress": far})
        return
    screen.heading(f"Plan of {plan.side}, made {plan.made}, until {plan.until}, to bring {plan.brings}")
    screen.say(f"{far.given} of {screen.counted(far.all, 'order')} given, {far.broken} missed or lost.")
    if far.promised:
        meant, there = show_points(far.promised), show_points(far.there)
        screen.say(f"By now it meant to have brought {meant} strength onto the map; {there} of it is there.")
    width = max((len(each.stands) for each in found), default=0) + 2
    for each in found:
        screen.say(f"  {each.stands:{width}}{each.order.when}: {each.order.says}")


def _show_two(campaign: "Campaign", one: str, other: str, as_json: bool) -> None:
    """Two saved plans side by side."""
    from forcepool.files import read_yaml_file
    from forcepool.views.saved_plan import read_plan
    from forcepool.views.two_plans import side_by_side

    first, second = (read_plan(read_yaml_file(path), campaign.world) for path in (one, other))
    found = side_by_side(first, second)
    if as_json:
        screen.print_json({"one": first, "other": second, "turns": found})
        return
    for mark, path, plan in (("<", one, first), (">", other, second)):
        orders = screen.counted(len(plan.orders), "order")
        screen.say(
            f"{mark} {path}: {plan.side}, made {plan.made}, until {plan.until}, {orders}, to bring {plan.brings}"
        )
    for turn in found:
        screen.say()
        screen.say(screen.strong(turn.when))
        for mark, orders_of in (("=", turn.both), ("<", turn.one), (">", turn.other)):
            screen.say_lines(f"  {mark} {each.says}" for each in orders_of)


def _follow(campaign: "Campaign", path: str, seat: str, as_json: bool) -> bool:
    """Give what a saved plan has for this phase; whether all of it went through."""
    from forcepool.engine.acts import refusal_in_words
    from forcepool.engine.verdicts import Refusal
    from forcepool.files import read_yaml_file
    from forcepool.views.saved_plan import NOW, given_since, lines, order_of, read_plan

    world = campaign.world
    plan = read_plan(read_yaml_file(path), world)
    if seat and seat != plan.side:
        raise BadInput(f"this is a plan of {plan.side}; you play {seat}")
    due = [each.order for each in lines(world, campaign.state, plan, given_since(campaign, plan)) if each.stands == NOW]
    given: list[str] = []
    refused: dict[str, list[str]] = {}
    for each in due:
        outcome = campaign.do(order_of(world, each), seat=plan.side if plan.side in campaign.beginning.seats else "")
        if isinstance(outcome, Refusal):
            refused[each.says] = refusal_in_words(outcome)
        else:
            given.append(each.says)
    if as_json:
        screen.print_json({"given": given, "refused": refused})
        return not refused
    if not due:
        screen.say(f"The plan has nothing for {world.when(campaign.state)}.")
    screen.say_lines(screen.good(f"done: {each}") for each in given)
    for says, reasons in refused.items():
        screen.say(screen.bad(f"refused: {says}"))
        screen.say_lines(f"  {line}" for line in reasons)
    if refused:
        screen.say("The campaign has gone another way: make the plan anew with forcepool plan.")
    return not refused
