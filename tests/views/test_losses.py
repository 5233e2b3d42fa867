"""Losses taken down many at once: what is left over, and whose units a line may name."""

from forcepool.engine.ledger import Account
from forcepool.engine.sentence import plain
from forcepool.engine.state import Unit
from forcepool.views.losses import LossLine, NotRecorded, Recorded, left_over, read_losses, taken, tried
from tests.support.table import Table


class SeesOnly:
    """Whoever sees one nation."""

    def __init__(self, nation: str) -> None:
        self.nation = nation

    def unit(self, unit: Unit) -> bool:
        return unit.spec.nation == self.nation

    def account(self, account: Account) -> bool:
        return account.nation == self.nation


def test_a_line_that_is_recorded_names_its_entry_and_what_came_of_it(autumn: Table) -> None:
    [line] = read_losses(autumn.campaign, "6 Pz XX -> cadre").lines
    assert tried(autumn.campaign.world, line).entry is None

    def give(command: object) -> Recorded:
        done = autumn.do("lose", unit="6 Pz XX", to="cadre")
        return Recorded(done.entry.n, done.decision.events)

    found = taken(autumn.campaign.world, line, give)
    assert (found.accepted, found.entry, found.unit) == (True, 2, "6 Pz XX")
    assert any("6 Pz XX: full → cadre" in plain(words) for words in found.words)


def test_a_line_that_is_refused_as_it_is_given_keeps_the_reason(autumn: Table) -> None:
    [line] = read_losses(autumn.campaign, "6 Pz XX").lines
    found = taken(autumn.campaign.world, line, lambda command: NotRecorded("somebody was faster", ("52.F.1/1",)))
    assert (found.accepted, found.problem, found.clauses) == (False, "somebody was faster", ("52.F.1/1",))


def test_what_is_left_over_is_what_was_written_line_by_line() -> None:
    lines = [
        LossLine(1, 1, "6 Pz XX", accepted=True),
        LossLine(2, 1, "nobody", accepted=False),
        LossLine(2, 9, "no one", accepted=False),
        LossLine(4, 1, "somebody", accepted=False),
    ]
    assert left_over(lines) == "nobody, no one\nsomebody"
    assert left_over(lines[:1]) == ""


def test_of_several_alike_the_one_that_is_left_is_named() -> None:
    lines = [
        LossLine(1, 1, "2x 4-6 Sec X", accepted=True, unit="44 Sec X"),
        LossLine(1, 1, "2x 4-6 Sec X", accepted=False, unit="45 Sec X"),
    ]
    assert left_over(lines) == "45 Sec X"


def test_what_one_does_not_see_cannot_be_named_guessed_or_counted(autumn: Table) -> None:
    autumn.do("lose", unit="6 Pz XX")
    theirs = SeesOnly("Soviet Union")
    for text in ("2 Inf XX", "2", "3 Inf XX", "3-6 Inf XX"):
        pasted = read_losses(autumn.campaign, text, "Soviet", theirs)
        assert [line.taken for line in pasted.lines] == [False]
        assert "2 Inf XX" not in pasted.lines[0].problem.replace(f"'{text}'", "")
        assert pasted.brings == ()
    assert read_losses(autumn.campaign, "2 Inf XX", "Axis", SeesOnly("Germany")).lines[0].taken
    assert read_losses(autumn.campaign, "", "Axis", SeesOnly("Germany")).brings
