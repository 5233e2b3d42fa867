"""The rulebook that ships: every clause is there once, whole, in order, and points only at clauses that exist."""

from collections import Counter
from pathlib import Path

import pytest

from forcepool.rulebook.book import CLAUSES_JSON, Rulebook, UnknownClause, encode, load
from forcepool.rulebook.build import CLAUSES, compile_rulebook
from forcepool.rulebook.clause import Clause, natural_key
from forcepool.rulebook.reading import read
from forcepool.rulebook.references import dangling, references
from forcepool.rulebook.text import as_text

# Told once, so that no clause is lost unseen: whoever adds one counts it here.
COUNTS = {
    "28-air.yaml": 82,
    "49-reserves.yaml": 135,
    "51-reinforcements.yaml": 223,
    "52a-general.yaml": 180,
    "52b-national.yaml": 281,
    "ef-eastern-front.yaml": 128,
}

# A small rulebook, so that a clause more in the shipped one changes no sentence here.
SHELF = (
    "28.B/1",
    *(f"49.B.{n}/1" for n in range(1, 5)),
    "51/1",
    *(f"52.A/{n}" for n in (1, 2)),
    *(f"52.A.{n}/1" for n in range(1, 9)),
    *(f"52.A.9.d/{n}" for n in (1, 2, 3)),
    *(f"52.A.{n}/1" for n in range(10, 13)),
    "EF.moving/1",
)

GOOD = """
- id: {id}
  title: Cadre to full price
  kind: formula
  who: any
  phase: replacement
  statement: {statement}
  needs: []
  examples:
    - given: 7-6 at its 3-6 cadre
      expect: 4 RPs
"""


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load()


def problems_in(folder: Path, text: str) -> list[str]:
    (folder / "made.yaml").write_text(text, encoding="utf-8")
    return [str(problem) for problem in compile_rulebook(folder)[1]]


def good(clause_id: str = "52.A.9.d/1", statement: str = "It costs the difference.") -> str:
    return GOOD.format(id=clause_id, statement=statement)


def test_the_rulebook_holds_what_its_files_hold(book: Rulebook) -> None:
    assert len(book) == len(set(book.ids)) == sum(COUNTS.values())


def test_each_file_holds_its_share() -> None:
    assert {path.name: len(read(path)[0]) for path in sorted(CLAUSES.glob("*.yaml"))} == COUNTS


def test_the_files_have_no_mistakes_and_the_json_is_made_from_them() -> None:
    clauses, problems = compile_rulebook()
    assert [str(problem) for problem in problems] == []
    assert encode(clauses) == CLAUSES_JSON.read_bytes(), "run python -m forcepool.rulebook.build"


def test_every_clause_has_a_statement_and_an_example(book: Rulebook) -> None:
    assert [clause.id for clause in book if not clause.statement or not clause.examples] == []


def test_every_ruling_has_a_question_and_a_default(book: Rulebook) -> None:
    rulings = [clause.ruling for clause in book if clause.ruling is not None]
    assert len(rulings) >= 499
    assert all(ruling.question and ruling.default for ruling in rulings)


def test_clauses_are_counted_by_kind(book: Rulebook) -> None:
    assert Counter(clause.kind for clause in book)["chance"] == 10


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("52.A.9.d/2", "52.A.9.d/10"),
        ("52.A.9/2", "52.A.9.a/1"),
        ("52.A.9.d/10", "52.A.10/1"),
        ("52.A.12/9", "52.B/1"),
        ("49.A.2.h/1", "49.A.2.i/1"),
        ("49.A.2.i/1", "49.A.2.j/1"),
        ("52.D.2.f.iv/1", "52.D.2.f.v/1"),
        ("52.D.2.f.viii/1", "52.D.2.f.ix/1"),
        ("52.D.1.b.ix/1", "52.D.1.b.x/1"),
        ("28.D/4", "28.D.list.1/1"),
        ("28.D.list.5/3", "28.D.1/1"),
        ("28.D.1.list.d/1", "28.D.1.a/1"),
        ("52.D.3.c.iv/1", "52.D.3.c.exile.i/1"),
        ("52.J.2.e.2/5", "EF.replacements/1"),
        ("EF.replacements/3", "EF.replacements/17"),
        ("EF.replacements/17", "EF.reinforcements/1"),
        ("EF.moving/22", "EF.composite/1"),
    ],
)
def test_clauses_stand_in_the_order_of_the_rules(book: Rulebook, earlier: str, later: str) -> None:
    assert natural_key(earlier) < natural_key(later)
    assert book.ids.index(earlier) < book.ids.index(later)


def test_a_clause_knows_its_heading(book: Rulebook) -> None:
    assert book["52.A.9.d/2"].heading == "52.A.9.d"
    assert book["EF.moving/3"].heading == "EF.moving"
    assert book["28/1"].heading == "28"


def test_52_a_1_does_not_catch_52_a_10(book: Rulebook) -> None:
    assert [clause.id for clause in book.heading("52.A.1")] == [f"52.A.1/{n}" for n in range(1, 11)]


def test_a_heading_gathers_what_stands_below_it(book: Rulebook) -> None:
    assert len(book.heading("52")) == COUNTS["52a-general.yaml"] + COUNTS["52b-national.yaml"]
    parts = [book.heading(f"52.A.9.{letter}") for letter in "abcd"]
    own = tuple(clause for clause in book if clause.heading == "52.A.9")
    assert all(parts)
    assert book.heading("52.A.9") == sum(parts, own)
    assert len(book.heading("EF")) == COUNTS["ef-eastern-front.yaml"]
    assert len(book.heading("EF.moving")) == 22
    assert {clause.heading for clause in book.heading("49.B")} == {
        "49.B.1",
        *(f"49.B.1.{n}" for n in range(1, 8)),
        "49.B.2",
        "49.B.3",
        "49.B.4",
    }


@pytest.mark.parametrize("nothing", ["", "5", "52.", "52.A.9.e", "52.A.9.d/2", "EF.mov"])
def test_what_is_no_heading_gathers_nothing(book: Rulebook, nothing: str) -> None:
    assert book.heading(nothing) == ()


def test_headings_are_listed_once_in_order_with_those_above_them(book: Rulebook) -> None:
    headings = book.headings()
    assert headings[0] == "28"
    assert headings[-6:] == (
        "EF.replacements",
        "EF.reinforcements",
        "EF.expansion",
        "EF.moving",
        "EF.composite",
        "EF.strategic",
    )
    assert len(headings) == len(set(headings))
    assert headings.index("52.A.9.d") + 1 == headings.index("52.A.10")
    assert "49.B" in headings


def test_a_known_clause_is_contained_and_a_heading_is_not(book: Rulebook) -> None:
    assert "52.A.9.d/10" in book
    assert "52.A.9.d/99" not in book
    assert "52.A.9.d" not in book


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("52.A.9.d/22", "52.A.9.d/22: there is no such clause; 52.A.9.d has /1 to /3"),
        ("28.B/2", "28.B/2: there is no such clause; 28.B has only /1"),
        ("52.a.9.D/2", "52.a.9.D/2: there is no such clause; capitals count, and 52.A.9.d/2 exists"),
        ("52.A.9.d", "52.A.9.d: this is a heading, not a clause; 52.A.9.d has /1 to /3"),
        ("52.A.13/1", "52.A.13/1: there is no such clause; 52.A has /1 to /2 and the headings 52.A.1 to 52.A.12"),
        (
            "49.B/1",
            "49.B/1: there is no such clause; 49.B has the headings 49.B.1, 49.B.2, 49.B.3, 49.B.4",
        ),
        ("53/1", "53/1: there is no such clause; the rules are 28, 49, 51, 52 and EF"),
    ],
)
def test_an_unknown_clause_is_refused_with_what_stands_nearest(wrong: str, says: str) -> None:
    shelf = Rulebook(tuple(Clause(each, "Title", "limit", "any", "any", "Nothing.") for each in SHELF))
    with pytest.raises(UnknownClause) as refused:
        shelf[wrong]
    assert str(refused.value) == says


def test_the_version_changes_with_a_word_and_only_then(book: Rulebook) -> None:
    first, *others = book.clauses
    assert Rulebook(tuple(book.clauses)).version == book.version
    assert len(book.version) == 12
    reworded = Clause(first.id, first.title + " now", first.kind, first.who, first.phase, first.statement)
    assert Rulebook((reworded, *others)).version != book.version


def test_the_rulebook_is_read_once() -> None:
    assert load() is load()


def test_a_clause_without_mistakes_is_taken(tmp_path: Path) -> None:
    assert problems_in(tmp_path, good()) == []


def test_an_id_used_twice_is_reported_at_the_second(tmp_path: Path) -> None:
    assert problems_in(tmp_path, good() + good()) == [
        "made.yaml:13:3: 52.A.9.d/1 is already at made.yaml:2; give one a new number"
    ]


@pytest.mark.parametrize("shape", ["52.A.9.d", "52.A.9.d/0", "52.A.9.d/x", "52.A.9.DD/1", "EF/1", "EF.Moving/1", "x/1"])
def test_an_id_of_another_shape_is_reported(tmp_path: Path, shape: str) -> None:
    (problem,) = problems_in(tmp_path, good(shape))
    assert problem == f"made.yaml:2:7: {shape!r} is not a clause id; write it like 52.A.9.d/2 or EF.moving/3"


def test_an_unknown_kind_is_reported_where_it_stands(tmp_path: Path) -> None:
    (problem,) = problems_in(tmp_path, good().replace("kind: formula", "kind: rule"))
    assert problem.startswith("made.yaml:4:9: 'rule' is not a kind of clause; choose from chance, definition")


@pytest.mark.parametrize("field", ["title", "who", "phase", "statement", "needs"])
def test_a_missing_field_is_reported(tmp_path: Path, field: str) -> None:
    lines = [line for line in good().splitlines() if not line.strip().startswith(f"{field}:")]
    assert problems_in(tmp_path, "\n".join(lines)) == [f"made.yaml:2:3: {field} is missing; add it"]


def test_an_unknown_or_repeated_field_is_reported(tmp_path: Path) -> None:
    text = good().replace("  who: any", "  who: any\n  who: Axis\n  whom: any")
    twice, unknown = problems_in(tmp_path, text)
    assert twice == "made.yaml:6:3: who stands twice; keep one"
    assert unknown.startswith("made.yaml:7:3: whom is not a field; choose from id, title")


def test_an_example_without_its_outcome_is_reported(tmp_path: Path) -> None:
    text = good().replace("      expect: 4 RPs\n", "")
    assert problems_in(tmp_path, text) == ["made.yaml:10:7: expect is missing; add it"]


def test_an_empty_text_and_a_list_written_as_words_are_reported(tmp_path: Path) -> None:
    assert problems_in(tmp_path, good(statement="''")) == [
        "made.yaml:7:14: statement must be words; if it holds a colon, put it in quotes"
    ]
    assert problems_in(tmp_path, good().replace("needs: []", "needs: ZOC")) == [
        "made.yaml:8:10: needs must be a list; begin each entry with a dash"
    ]


def test_broken_yaml_is_reported_at_its_line(tmp_path: Path) -> None:
    (problem,) = problems_in(tmp_path, good(statement="one: two: three"))
    assert problem.startswith("made.yaml:7:")


def test_a_hole_in_the_numbers_is_reported(tmp_path: Path) -> None:
    assert problems_in(tmp_path, good("52.A.9.d/1") + good("52.A.9.d/3")) == [
        "made.yaml:13:3: 52.A.9.d/2 is missing although 52.A.9.d/3 exists; restore it"
    ]


@pytest.mark.parametrize(
    ("says", "lacks"),
    [
        ("as in 52.A.9.d/1", []),
        ("as in 52.A.9.d and 52.A.9", []),
        ("as in 52.A.9.d/2", ["52.A.9.d/2"]),
        ("as in 52.A.9.e", ["52.A.9.e"]),
        ("as in /1 and /2", ["52.A.9.d/2"]),
        ("see 'Rule ???' and pay 1/2 RP", []),
    ],
)
def test_a_reference_to_nothing_is_reported(tmp_path: Path, says: str, lacks: list[str]) -> None:
    assert problems_in(tmp_path, good(statement=says)) == [
        f"made.yaml:2:3: 52.A.9.d/1 refers to {named}, which does not exist; correct the reference" for named in lacks
    ]


@pytest.mark.parametrize(
    ("text", "home", "named"),
    [
        ("meeting 51.E.1.a/3, /4 and /5", "52.A/1", ["51.E.1.a/3", "51.E.1.a/4", "51.E.1.a/5"]),
        ("as 52.A.4/2-3", "52.A/1", ["52.A.4/2", "52.A.4/3"]),
        ("/6 or /7", "52.D.1.b/6", ["52.D.1.b/6", "52.D.1.b/7"]),
        ("leave free (g/3)", "49.A.2.g/2", ["49.A.2.g/3"]),
        ("moving/22 forbids it", "EF.replacements/1", ["EF.moving/22"]),
        ("reinforcements/13 and /14", "EF.reinforcements/15", ["EF.reinforcements/13", "EF.reinforcements/14"]),
        ("conditions of 52.A.9.c/d", "52.A/6", ["52.A.9.c"]),
        ("(3+2)/2 and 7/2 RPs", "52.A/6", []),
    ],
)
def test_short_references_are_read_as_a_reader_would(text: str, home: str, named: list[str]) -> None:
    assert list(references(text, home)) == named


def test_a_sum_in_an_example_is_not_taken_for_a_clause(book: Rulebook) -> None:
    clause = book["52.A.11/10"]
    assert any("49/10" in example.expect for example in clause.examples)
    assert "49/10" not in book
    assert list(dangling(clause, {*book.ids, *book.headings()})) == []


def test_a_clause_prints_whole_within_the_width(book: Rulebook) -> None:
    for width in (60, 88):
        text = as_text(book["52.A.9.d/7"], width)
        assert text.startswith("52.A.9.d/7  HQ or town replaces supply line\n")
        assert all(len(line) <= width for line in text.splitlines())
        flowing = " ".join(text.split())
        assert "default No, the town/city stands alone;" in flowing
        assert flowing.count(" or The cadre in a town/city must itself be in limited supply.") == 1
        assert flowing.endswith("or Any pool may pay.")


def test_a_clause_without_ruling_or_needs_prints_neither(book: Rulebook) -> None:
    text = as_text(book["52.A.9.a/3"])
    assert "Ruling" not in text
    assert "Needs" not in text
    assert "given   remnant 1, cadre 3, pool 1 RP\n" in text


def test_every_clause_prints_every_word_it_has(book: Rulebook) -> None:
    for clause in book:
        printed = " ".join(as_text(clause).split())
        texts = [clause.id, clause.title, clause.statement, *clause.needs]
        texts += [words for example in clause.examples for words in (example.given, example.expect)]
        if clause.ruling is not None:
            texts += [clause.ruling.question, clause.ruling.default, *clause.ruling.alternatives]
        assert [text for text in texts if " ".join(text.split()) not in printed] == []
