"""The long tasks a server gives to a process of its own, each with how far it is and what came of it.

Nothing of the running server is in here: the campaign's file is opened anew, read, and closed.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from forcepool.web.task import Result, Task

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.journal import Entry

MOST_WORDS = 200
FORECAST, PLAN = "forecast.json", "plan.json"
GOALS = "goals"
"""What a text of goals is called where something is wrong in it."""
PLAN_SECONDS = 10.0
"""For the solver; what comes before and after takes as long again."""
FAN_SEED = 1
"""Whoever looks twice sees the same fan."""
NOT_AS_IT_WAS = ("the file is not as it was written", "is not as it was written")
ENDINGS = {"page": "html", "sheets": "html", "pdf": "pdf", "text": "txt"}
"""The forms of a report: a page to keep, the same with a button to print it, a PDF, and text."""
NO_PDF = (
    "This machine has no Chrome, Edge or Chromium to make a PDF with. Choose 'Show and print' instead; most browsers "
    "offer 'Save as PDF' where one chooses the printer."
)


Progress = Callable[[int, int], None]
Work = Callable[[Task, Progress], Result]


def verify(task: Task, progress: Progress) -> Result:
    """Check the whole file, from the first entry to the last."""
    from forcepool.store.open import open_journal
    from forcepool.store.verify import Finding, describe
    from forcepool.store.verify import verify as examined

    with open_journal(task.file) as journal:
        report = examined(journal, progress=progress)
    if task.side:
        # What a finding says may name units and points of either side; a seat is told the entry.
        entries = sorted({each.entry for each in report.findings})
        report = msgspec.structs.replace(report, findings=tuple(Finding(n, NOT_AS_IT_WAS[n > 0]) for n in entries))
    says = "Sound: nothing in this campaign was touched." if report.sound else "Not sound."
    return Result(True, says, tuple(describe(report)[:MOST_WORDS]), good=report.sound)


def rules(task: Task, progress: Progress) -> Result:
    """Judge every recorded order again by today's rules."""
    from forcepool import games
    from forcepool.store.open import campaign_file
    from forcepool.store.rejudge import decided_otherwise

    checked = verify(task, lambda done, of: progress(done, 2 * of))
    if not checked.good:
        return checked
    with campaign_file(task.file, games.build_world) as campaign:
        found = list(decided_otherwise(campaign, progress=lambda done, of: progress(of + done, 2 * of)))
    if not found:
        return Result(True, "Sound, and today's rules decide every order alike.", checked.words)
    count = "1 order" if len(found) == 1 else f"{len(found)} orders"
    told = [f"entry {each.entry}" if task.side else str(each) for each in found]
    return Result(True, f"Sound; {count} would be decided otherwise by today's rules.", tuple(told[:MOST_WORDS]))


def report(task: Task, progress: Progress) -> Result:
    """The turn's report, to print or to send."""
    from forcepool import games
    from forcepool.report.contents import report as contents
    from forcepool.report.page import as_html
    from forcepool.report.pdf import CannotPrint, write_pdf
    from forcepool.report.text import as_text
    from forcepool.report.words import USUAL
    from forcepool.store.open import campaign_file

    wish = task.fields
    form, sheets = wish.get("form") or "page", wish.get("sheets") or USUAL
    with campaign_file(task.file, games.build_world) as campaign:
        found = contents(campaign, side=task.side, own=wish.get("own", ""), losses="losses" in sheets)
    name = f"{task.name}-report.{ENDINGS[form]}"
    if form == "text":
        _write(task, name, as_text(found))
    else:
        back = wish.get("back", "") if form == "sheets" else ""
        html = as_html(found, paper=wish.get("paper") or "a4", large=bool(wish.get("large")), sheets=sheets, back=back)
        if form == "pdf":
            try:
                write_pdf(html, Path(task.folder) / name)
            except CannotPrint:
                return Result(False, NO_PDF)
        else:
            _write(task, name, html)
    return Result(True, f"The report of {found.when} is ready.", file=name)


def forecast(task: Task, progress: Progress) -> Result:
    """What the coming turns bring, as a side knows it or as both together."""
    from forcepool import games
    from forcepool.engine import codec
    from forcepool.engine.sentence import capital
    from forcepool.planner.fans import fanned
    from forcepool.planner.forecast import forecast as look_ahead
    from forcepool.planner.losses import NoLosses, wanted
    from forcepool.store.open import campaign_file
    from forcepool.views.forecast import ahead

    turns, losses, words = int(task.fields["turns"]), task.fields.get("losses") or (), ""
    with campaign_file(task.file, games.build_world) as campaign:
        world, state = campaign.world, campaign.state
        only = (task.side,) if task.side else ()
        if losses:
            try:
                pattern, words = wanted(world, state, losses, lambda: _journal(task, campaign), only)
            except NoLosses as error:
                return Result(False, capital(str(error)) + ".")
            found = fanned(world, state, turns, pattern, only=only, seed=FAN_SEED, progress=progress)
        else:
            found = look_ahead(world, state, turns, only=only, progress=progress)
        told = ahead(world, state, found, side=task.side, losses=words)
    _write(task, FORECAST, codec.encode(told).decode())
    return Result(True, f"What comes after {told.now} is worked out.", file=FORECAST, found={"seq": campaign.seq})


def plan(task: Task, progress: Progress) -> Result:
    """What a side should rebuild in the coming turns."""
    from forcepool import games
    from forcepool.engine import codec
    from forcepool.files.yamltext import read_yaml
    from forcepool.planner.goals import Asked, Goals, read_goals
    from forcepool.planner.plan import plan as planned
    from forcepool.store.open import campaign_file
    from forcepool.views.plan import plan_view
    from forcepool.views.saved_plan import SavedPlan, Shown, saved, still_to_come, turns_left

    wish = task.fields
    goals, turns = str(wish.get("goals") or ""), int(wish["turns"])
    earlier: SavedPlan | None = codec.decoder(SavedPlan).decode(wish["again"].encode()) if wish.get("again") else None
    with campaign_file(task.file, games.build_world) as campaign:
        world, state = campaign.world, campaign.state
        side = task.side or wish.get("own") or world.phasing(state)
        if earlier is not None:
            side, goals, turns = earlier.side, earlier.goals, turns_left(state, earlier, turns)
        asked = Asked(side, turns, Goals())
        if goals:
            asked = read_goals(read_yaml(goals, GOALS), world, state, side, turns, only=task.side)
        found = planned(
            world,
            state,
            asked.side,
            asked.turns,
            asked.goals,
            seconds=PLAN_SECONDS,
            before=still_to_come(world, state, earlier) if earlier is not None else (),
            progress=progress,
        )
        view = plan_view(world, state, found, prices=bool(wish.get("prices")))
        shown = Shown(saved(world, state, found, goals=goals, after=campaign.seq), view)
    _write(task, PLAN, codec.encode(shown).decode())
    orders = len(shown.saved.orders)
    says = f"A plan of {orders} order{'' if orders == 1 else 's'} for {asked.side} is made."
    return Result(True, says, file=PLAN, found={"seq": campaign.seq})


def _journal(task: Task, campaign: "Campaign") -> "list[Entry]":
    """The entries that count; of a what-if also those of its campaign up to where it was branched off."""
    from forcepool import games
    from forcepool.store.open import campaign_file

    own = [entry for entry in campaign.entries() if campaign.history.counts(entry)]
    if not task.fields.get("before"):
        return own
    with campaign_file(task.fields["before"], games.build_world) as before:
        stop = campaign.beginning.after + 1
        return [entry for entry in before.entries(stop=stop) if before.history.counts(entry)] + own


def export(task: Task, progress: Progress) -> Result:
    """The journal as plain text."""
    from forcepool import games
    from forcepool.engine.acts import entry_in_words
    from forcepool.store.open import campaign_file
    from forcepool.store.textfile import export_text

    name = f"{task.name}.txt"
    with campaign_file(task.file, games.build_world) as campaign:
        world, history, last = campaign.world, campaign.history, campaign.seq
        lines = export_text(campaign.journal, lambda entry: entry_in_words(world, entry, history), with_secret=False)
        _write(task, name, "".join(f"{line}\n" for line in _counted(lines, last, progress)))
    return Result(True, f"The journal of {last} {'entry' if last == 1 else 'entries'} is ready.", file=name)


def _counted(lines: Iterator[str], last: int, progress: Progress) -> Iterator[str]:
    for line in lines:
        if line.startswith("entry "):
            progress(int(line.removeprefix("entry ")), last)
        yield line


def backup(task: Task, progress: Progress) -> Result:
    """A sound copy of the file as it stands."""
    from forcepool.store.open import open_journal
    from forcepool.store.stock import ENDING

    name = f"{task.name}{ENDING}"
    with open_journal(task.file) as journal:
        journal.backup_to(Path(task.folder) / name, in_passing=True)
    return Result(True, "The copy is ready.", file=name)


def table(task: Task, progress: Progress) -> Result:
    """One of the campaign's tables, for a spreadsheet."""
    from forcepool import games
    from forcepool.store.open import campaign_file
    from forcepool.tables import campaign as tables
    from forcepool.tables.table import WRITERS, NeedsAnalysis

    wanted, ending = str(task.fields["table"]), f".{task.fields['as']}"
    with campaign_file(task.file, games.build_world) as campaign:
        found = tables.table(campaign, wanted, progress)
    try:
        data = WRITERS[ending](found)
    except NeedsAnalysis as missing:
        return Result(False, f"{str(missing)[:1].upper()}{str(missing)[1:]}; CSV is written without it.")
    name = f"{task.name}-{wanted}{ending}"
    (Path(task.folder) / name).write_bytes(data)
    return Result(True, f"The table of {len(found):,} {'row' if len(found) == 1 else 'rows'} is ready.", file=name)


def bring(task: Task, progress: Progress) -> Result:
    """A campaign made of an exported journal."""
    from forcepool import games
    from forcepool.store.open import import_campaign

    lines = str(task.fields["text"]).split("\n")
    import_campaign(lines, task.file, file="journal", build=games.build_world, progress=progress, check=_bounds(task))
    return _ready(task)


def begin(task: Task, progress: Progress) -> Result:
    """A campaign begun from a scenario, or from the part of it that was played already."""
    from forcepool import games
    from forcepool.files.yamltext import read_yaml
    from forcepool.store.open import import_campaign
    from forcepool.views import scenarios
    from forcepool.web.keeping import check_begun

    wish = task.fields
    name, text = str(wish["scenario"]), str(wish["text"])
    if wish["played"]:
        played = scenarios.shipped_journal(name)
        import_campaign(
            played, task.file, file=f"{name}.journal", build=games.build_world, progress=progress, check=_bounds(task)
        )
        return _ready(task)
    # In an empty folder: where the server was started there may lie a file of that name, and beside it others.
    pasted = str(Path(task.folder) / "scenario.yaml")
    document = read_yaml(text, pasted) if text else scenarios.shipped_scenario(name)
    begun = scenarios.read_scenario(document)
    check_begun(len(begun.set_up.state.units), 1, int(wish.get("most_units", 0)), 0)
    scenarios.begin(
        task.file,
        begun,
        seats=wish["seats"],
        by_hand=wish["by_hand"],
        house_rules=wish["house_rules"],
    )
    return _ready(task)


def _bounds(task: Task) -> "Callable[[Campaign], None]":
    """What a server allows a campaign that is brought in."""
    from forcepool.web.keeping import check_begun

    most = (int(task.fields.get("most_units", 0)), int(task.fields.get("most_entries", 0)))
    return lambda campaign: check_begun(len(campaign.state.units), campaign.seq, *most)


def _ready(task: Task) -> Result:
    return Result(True, "The campaign is ready.", go=task.name)


WITH_ANYWAY = "repeat with --anyway"
"""How the terminal says that one may insist."""


def receive(task: Task, progress: Progress) -> Result:
    """A turn that came by mail, taken in."""
    from forcepool.door.mail import receive as taken_in
    from forcepool.store.mail import Cannot
    from forcepool.store.turnfile import unpacked

    wish = task.fields
    try:
        came = unpacked(str(wish["text"]), "the turn")
        done = taken_in(
            Path(task.file), came, choose=str(wish["choose"]), anyway=bool(wish["anyway"]), progress=progress
        )
    except Cannot as error:
        first, *rest = str(error).replace(WITH_ANYWAY, "take it in all the same").splitlines()
        return Result(False, first, tuple(rest), found={"anyway": WITH_ANYWAY in str(error)})
    if done.parted:
        says = f"Both have played on since entry {done.common}. Nothing was recorded."
    elif done.chosen == "ours" and done.ours:
        says = f"The campaign stays as it is. Now send yours to {done.sender}."
    elif not done.recorded:
        says = f"Nothing new: everything up to entry {came.until.seq} is here already."
    else:
        says = f"{done.recorded} {'entry' if done.recorded == 1 else 'entries'} of {done.sender} recorded."
    told = {"parted": done.parted, "ours": done.ours, "sender": done.sender, "aside": Path(done.aside).name}
    return Result(True, says, done.happened, go=task.name, found=told)


def order_of_battle(task: Task, progress: Progress) -> Result:
    """What is wrong in the text of an order of battle."""
    from forcepool.views.ob_text import findings

    return Result(True, "", found=findings(**task.fields))


TASKS: dict[str, Work] = {
    each.__name__: each
    for each in (verify, rules, report, forecast, plan, export, table, backup, bring, begin, receive, order_of_battle)
} | {"vassal": lambda task, progress: import_module("forcepool.web.vassal_task").work(task)}


def _write(task: Task, name: str, text: str) -> None:
    (Path(task.folder) / name).write_text(text, encoding="utf-8", newline="\n")
