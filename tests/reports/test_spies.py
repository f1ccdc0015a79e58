"""What letters of a game with sealed answers say, to whom, and what they must not tell (CF-10.8)."""

from __future__ import annotations

import re

import pytest

from referee.common.faults import Fault
from referee.reports.renderer import LONGEST_ALT, typeset
from referee.reports.report import Note, Report
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.rulebook import OBSERVER, OrderLine, Seat
from referee.rulebooks.spies.edition import RED, SEATS, Variants
from tests.reports.material import desk_report, reader
from tests.rulebooks.spies.letters import SPIES, State, game, heard, report, states
from tests.rulebooks.spies.tables import ALL_TOKENS, IDENTITY


def text(name: str, seat: Seat, **changes: object) -> str:
    return typeset(report(states()[name], seat, **changes)).text


def head(said: str) -> str:
    """Return what stands above the board."""
    return said.partition("\nBOARD\n")[0]


def test_who_is_asked_reads_so_first_and_how_to_answer() -> None:
    said = text("asked", WHITE)
    assert said.startswith("Your move, turn 1, and first allow or deny X-N1.\n")
    assert "write allow or deny on a line of its own above your move, in the same letter" in head(said)
    assert "REPLY WITH TWO LINES, FOR EXAMPLE\nallow (or deny)\nA-S1\n" in said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sealed", "L-N1 will be allowed; on your board it is done already. The red King L went from"),
        ("answer confided", "you have said allow, and that stands."),
        ("answered by instruction", "your instruction agent never answers for you."),
        ("answered by instruction", "X-N1 will be refused. The red Double Agent X stays on (6,1)."),
        ("action confided", "Before your move: #A. Your A is removed from the game."),
        ("tokens", "By the token Move 2 Red has ordered two attempts, E-N1 and H-NE1"),
        (
            "comrade asked",
            "To leave the briefcase where it is, write allow without Z. To refuse, write deny.",
        ),
    ],
)
def test_the_order_that_waits_is_told_with_what_its_reader_knows_of_it(name: str, said: str) -> None:
    assert said in text(name, WHITE)
    assert said not in text(name, OBSERVER)


def test_the_mover_s_receipt_says_that_it_is_sealed_and_when_he_will_hear() -> None:
    said = text("sealed", RED, kind="receipt")
    assert said.startswith(
        "Sealed at headquarters: L-N1.\n\nYou hear the answer with White's next order. "
        "Until then you cannot tell whether White was asked."
    )
    assert "BOARD" not in said


@pytest.mark.parametrize("form", ["text", "html", "json"])
@pytest.mark.parametrize("kind", ["receipt", "report", "refusal", "reminder"])
def test_no_letter_to_the_mover_tells_whether_his_opponent_is_asked(kind: str, form: str) -> None:
    """Two deals that differ in who is the double agent give him the same letters, byte for byte."""
    swapped = {**IDENTITY, "L": IDENTITY["X"], "X": IDENTITY["L"]}
    asked, not_asked = (
        typeset(report(_sealed(deal), RED, kind=kind, reader=reader(form=form)))
        for deal in (IDENTITY, swapped)
    )
    assert asked == not_asked
    assert typeset(report(_sealed(IDENTITY), WHITE)) != typeset(report(_sealed(swapped), WHITE))


def _sealed(deal: dict[str, int]) -> State:
    return game(Variants(), (RED, "A-N1"), (WHITE, "A-S1"), (RED, "X-N1"), deals={WHITE: IDENTITY, RED: deal})


def test_what_one_side_confides_changes_no_letter_to_the_other() -> None:
    for kind in ("report", "receipt", "reminder"):
        plain = typeset(report(states()["asked"], RED, kind=kind, told=0))
        for name in ("answer confided", "answered by instruction"):
            assert typeset(report(states()[name], RED, kind=kind, told=0)) == plain
    plain = typeset(report(states()["sealed"], RED, told=0))
    assert typeset(report(states()["action confided"], RED, told=0)) == plain


def test_the_spies_are_arranged_by_a_line_that_the_letter_shows() -> None:
    said = text("arranging", WHITE, told=0, first=True)
    assert said.startswith("Arrange your spies: you play White against Anna")
    drawn = re.search(r"^setup\n([.A-Z ]+)\n([.A-Z ]+)$", said, re.MULTILINE)
    assert drawn is not None
    view = SPIES.rules.view(heard(states()["arranging"].happenings, WHITE), WHITE)
    reading = SPIES.rules.read_orders(
        view, [OrderLine(1, " / ".join(drawn[0].split("\n")).replace("setup /", "setup"))]
    )
    assert reading.faults == () and len(reading.orders) == 1
    assert "Your spies stand in secret; White (Bert) has still to arrange its own." in text(
        "one arranged", RED
    )
    assert "Both sides have arranged their spies" in text("arranged", RED)


def test_what_was_shown_by_a_token_is_told_at_once_and_to_its_player_alone() -> None:
    shown = game(Variants(tokens=ALL_TOKENS), (RED, "L-N1"), (WHITE, "?V"))
    note = Note("confided", {"orders": ("?V",), "due": True, "moved": False, "who": "Anna"})
    said = typeset(report(shown, WHITE, kind="receipt", notes=(note,))).text
    assert "By the token Reveal 1 you are shown your V: it is the Abbot 12." in said
    assert "Abbot 12" not in head(typeset(report(shown, RED)).text)


def test_a_double_agent_that_betrays_itself_is_told_to_both() -> None:
    said = "accepted promotion and so betrayed itself: it was the double agent, and is out of the game."
    assert f"Your X {said}" in text("comrade unmasked", RED)
    assert f"Red's X {said}" in text("comrade unmasked", WHITE, told=0)
    assert "The briefcase went to the white Rocket A." in text("comrade unmasked", RED)
    assert "Removed from the game: X (Double Agent)." in text("comrade unmasked", RED)


@pytest.mark.parametrize("name", states())
@pytest.mark.parametrize("seat", [*SEATS, OBSERVER])
def test_drawings_and_tables_keep_38_columns_and_pictures_have_short_words(name: str, seat: Seat) -> None:
    letter = typeset(report(states()[name], seat))
    board = letter.text.partition("\nBOARD\n")[2].partition("\n\n")[0].splitlines()
    turns = letter.text.partition("EVERY TURN SO FAR\n")[2].partition("\n\n")[0].splitlines()
    assert len(board) == 13
    assert max(map(len, board + turns)) <= 38
    assert letter.pictures
    assert all(picture.alt and len(picture.alt) <= LONGEST_ALT for picture in letter.pictures)


@pytest.mark.parametrize("name", [name for name in states() if name != "over"])
@pytest.mark.parametrize("seat", SEATS)
def test_no_letter_before_the_end_shows_an_own_type_that_was_not_shown(name: str, seat: Seat) -> None:
    said = text(name, seat)
    mine = said.partition("YOUR SPIES\n")[2].partition("\n\n")[0]
    named = [line for line in mine.splitlines() if re.match(r"[A-Z] \(\d+,\d+\): ", line)]
    assert named == (["V (3,11): Abbot 12"] if "tokens" in name and seat == WHITE else [])


def test_a_game_that_is_over_shows_both_deals() -> None:
    said = text("over", RED)
    assert "YOUR SPIES, REVEALED\nA (3,2): Rocket 1\n" in said
    assert "X (6,1): Double Agent ?" in said
    assert "BETWEEN YOU AND HEADQUARTERS" not in said


def _explained(subject: str) -> Report:
    view = SPIES.rules.view(heard(states()["comrade unmasked"].happenings, RED), RED)
    why = SPIES.presentation.explain(view, subject)
    assert not isinstance(why, Fault)
    note = Note("why", {"rulebook": "spies", "why": why})
    return report(states()["comrade unmasked"], RED, kind="receipt", notes=(note,))


def test_why_and_preview_speak_of_the_double_agent() -> None:
    assert "Your X is the Double Agent, and this is why." in typeset(_explained("X")).text
    assert "Double Agent" in typeset(_explained("white A")).text
    view = SPIES.rules.view(heard(states()["sealed"].happenings, WHITE), WHITE)
    seen = SPIES.presentation.preview(view, OrderLine(1, "C-S1"))
    assert not isinstance(seen, Fault)
    note = Note("preview", {"rulebook": "spies", "preview": seen, "due": True})
    said = typeset(report(states()["sealed"], WHITE, kind="receipt", notes=(note,))).text
    assert "C can be the double agent; if it is, the answer is as your opponent likes." in said


def test_the_page_of_the_game_has_an_example_of_all_that_can_be_ordered_and_each_can_be_read() -> None:
    said = typeset(desk_report(kind="help", pages=("spies",), rulebooks=(SPIES,))).text
    orders = [
        *("V-NW2", "VZ-NW1", "Z-S1", "V-N1+", "V-N1 & H-E1", "pass", "allow", "deny", "allow without Z"),
        *("agent always", "agent never", "agent as 9", "agent ask", "setup ..ACE.HKL.. / ..NOPXSTV.."),
        *("#H", "eliminate H", "#xH", "eliminate agent", "?H", "reveal H", "A<>H", "swap A H"),
    ]
    for order in orders:
        assert order in said
        assert SPIES.notation.looks_like_order(order)
        assert not isinstance(SPIES.notation.read(OrderLine(1, order)), Fault)


def test_the_page_about_options_has_those_of_the_edition() -> None:
    said = typeset(desk_report(kind="help", pages=("options",), rulebooks=(SPIES,))).text
    lines = re.findall(r"option ([a-z.-]+)=((?:\w+,)*\w+)", said)
    options = {key: value for key, value in lines if "-" in key or "." in key or key == "comrade"}
    assert set(options) == {
        *("code-of-honour", "small-world", "late-contact", "variable-setup", "comrade"),
        *("tokens.white", "tokens.red"),
    }
    assert SPIES.rules.check_options(options) == ()
