"""CF-8.1 and section 10 of the rules: orders as text, both ways, and what is said of those that cannot be read."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.rulebooks.confusion.compass import DIRECTIONS
from referee.rulebooks.rulebook import OrderLine
from referee.rulebooks.spies.edition import LETTERS
from referee.rulebooks.spies.likeness import looks_like_order
from referee.rulebooks.spies.notation import in_words, read_action, read_move, read_order, write_order
from referee.rulebooks.spies.orders import (
    Action,
    Answer,
    Double,
    Eliminate,
    Instruct,
    Move,
    Order,
    Pass,
    Reveal,
    SetUp,
    Swap,
    Unmask,
)

LETTER = st.sampled_from(LETTERS)
NONE_OR_LETTER = st.sampled_from(["", *LETTERS])
PIECE_MOVES = st.builds(
    Move,
    letter=LETTER,
    direction=st.sampled_from(DIRECTIONS),
    length=st.integers(1, 10),
    with_z=st.booleans(),
    captures=NONE_OR_LETTER,
    takes_z=st.booleans(),
    promotes=st.booleans(),
)
PASSES_OF_Z = st.builds(
    Move,
    letter=st.just(""),
    direction=st.sampled_from(DIRECTIONS),
    length=st.integers(1, 10),
    passed_to=NONE_OR_LETTER,
)
MOVES = PIECE_MOVES | PASSES_OF_Z
SWAPS = st.lists(LETTER, min_size=2, max_size=2, unique=True).map(lambda two: Swap(*sorted(two)))
ACTIONS = st.builds(Reveal, LETTER) | SWAPS | st.builds(Eliminate, LETTER) | st.builds(Unmask, NONE_OR_LETTER)
ANSWERS = st.sampled_from([Answer(True), Answer(True, takes_z=False), Answer(False)])
INSTRUCTIONS = st.sampled_from([Instruct("always"), Instruct("never"), Instruct("ask")]) | st.builds(
    Instruct, st.just("as"), st.integers(1, 12)
)
SET_UPS = st.dictionaries(LETTER, st.tuples(st.integers(1, 11), st.integers(1, 2)), min_size=1).map(SetUp)
ORDERS = (
    MOVES | st.builds(Double, MOVES, MOVES) | st.just(Pass()) | SET_UPS | ACTIONS | ANSWERS | INSTRUCTIONS
)
DASHES = "-‐‑–—−"
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


def read(text: str, number: int = 1) -> Order | Fault:
    return read_order(OrderLine(number, text))


def reading(text: str) -> str:
    """Return what a text is read as, canonically."""
    order = read(text)
    assert not isinstance(order, Fault), order.sentence()
    return write_order(order)


@given(ORDERS)
def test_cf_8_1_what_is_written_reads_as_the_same_order(order: Order) -> None:
    for written in (write_order(order), in_words(order)):
        assert read(written) == order
        assert looks_like_order(written)


@given(MOVES)
def test_a_canonical_move_is_read_back_from_what_is_kept(move: Move) -> None:
    assert read_move(write_order(move)) == move


@given(ACTIONS)
def test_a_canonical_action_is_read_back_from_what_is_kept(action: Action) -> None:
    assert read_action(write_order(action)) == action


@pytest.mark.parametrize("text", ["", "V-N1", "#", "#b", "A<>", "?", "allow", "#H V-N1"])
def test_what_is_no_canonical_action_is_no_action(text: str) -> None:
    with pytest.raises(ValueError, match="is no action"):
        read_action(text)


def test_what_is_no_canonical_move_is_no_move() -> None:
    with pytest.raises(ValueError, match="is no move"):
        read_move("V-NNW2")


@given(ORDERS, st.data())
def test_cf_8_1_spelling_does_not_matter(order: Order, data: st.DataObject) -> None:
    """Case, dashes, crosses, wide and invisible characters, and full stops at the end."""
    written = data.draw(st.sampled_from([write_order(order), in_words(order)]))
    spelt = ""
    for character in written:
        spellings = [character, character.lower(), character.upper()]
        if character.isascii() and character.isalnum():
            spellings.append(chr(ord(character) + 0xFEE0))
        spellings = {"-": list(DASHES), " ": [" ", "\u00a0", "\t", "  "]}.get(character, spellings)
        spelt += data.draw(st.sampled_from(spellings)) + data.draw(st.sampled_from(["", "", "", *INVISIBLE]))
    spelt += data.draw(st.sampled_from(["", ".", " .", "...", "!"]))
    assert read(spelt) == order
    assert looks_like_order(spelt)


@given(
    st.text(max_size=40)
    | st.from_regex(r"(?:agent|swap|allow|setup|move 2|#|\?|éliminer) .{0,20}", fullmatch=True)
)
def test_any_text_reads_as_an_order_or_a_fault(text: str) -> None:
    order = read(text, 7)
    looks_like_order(text)
    if isinstance(order, Fault):
        assert order.place is not None
        assert order.place.line == 7
        assert 1 <= order.place.column <= len(text) + 1
        assert order.sentence()
        assert order.suggestion == "" or not isinstance(read(order.suggestion), Fault)
    elif not isinstance(order, SetUp):
        assert read(write_order(order)) == order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("x-n1", "X-N1"),
        ("XN1xX", "X-N1xX"),
        ("v nw2 x x x z +", "V-NW2xXxZ+"),
        ("XZ-S1", "XZ-S1"),
        ("z s1 > x", "Z-S1>X"),
    ],
)
def test_cf_1_5_x_is_a_spy_in_moves(text: str, order: str) -> None:
    assert reading(text) == order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("V-N1 & H-E1", "V-N1 & H-E1"),
        ("v n1 and he1", "V-N1 & H-E1"),
        ("V-N1xX et H-E1", "V-N1xX & H-E1"),
        ("move V-N1 H-E1", "V-N1 & H-E1"),
        ("move V-N1, H-E1", "V-N1 & H-E1"),
        ("move V-N1; H-E1.", "V-N1 & H-E1"),
        ("Move 2: V-N1 and H-E1", "V-N1 & H-E1"),
        ("move2 V-N1 / H-E1", "V-N1 & H-E1"),
        ("I move V-N1 & H-E1", "V-N1 & H-E1"),
        ("déplacer V-N1 et H-E1", "V-N1 & H-E1"),
        ("Deplacer 2 V-N1, H-E1", "V-N1 & H-E1"),
    ],
)
def test_cf_10_9_two_attempts_in_one_line(text: str, order: str) -> None:
    assert reading(text) == order
    assert looks_like_order(text)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("#H", "#H"),
        ("# x.", "#X"),
        ("eliminate H", "#H"),
        ("Eliminate my spy h!", "#H"),
        ("remove my own H, please", "#H"),
        ("éliminer H", "#H"),
        ("J'élimine le pion H", "#H"),
        ("ELIMINER mon H", "#H"),
        ("retirer l'espion H", "#H"),
    ],
)
def test_cf_10_4_ones_own_elimination(text: str, order: str) -> None:
    assert reading(text) == order
    assert looks_like_order(text)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("#xH", "#xH"),
        ("#×h", "#xH"),
        ("# x H", "#xH"),
        ("#xX", "#xX"),
        ("#x?", "#x?"),
        ("eliminate agent", "#x?"),
        ("eliminate the double agent", "#x?"),
        ("Eliminate their agent.", "#x?"),
        ("eliminate the opponent's double agent", "#x?"),
        ("eliminate their H", "#xH"),
        ("eliminate his spy H", "#xH"),
        ("eliminate the opponent’s agent H", "#xH"),
        ("eliminate xH", "#xH"),
        ("éliminer l'agent", "#x?"),
        ("éliminer l’agent double de l’adversaire", "#x?"),
        ("éliminer son H", "#xH"),
        ("éliminer H adverse", "#xH"),
    ],
)
def test_cf_10_5_the_opponents_double_agent(text: str, order: str) -> None:
    assert reading(text) == order
    assert looks_like_order(text)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("?H", "?H"),
        ("? x", "?X"),
        ("reveal H", "?H"),
        ("Reveal my spy H.", "?H"),
        ("token reveal H", "?H"),
        ("révéler H", "?H"),
        ("A<>H", "A<>H"),
        ("h <-> a", "A<>H"),
        ("swap A H", "A<>H"),
        ("swap X and H", "H<>X"),
        ("swap my spies a, h", "A<>H"),
        ("swap A with H please", "A<>H"),
        ("échanger A et H", "A<>H"),
        ("échange A avec H", "A<>H"),
    ],
)
def test_cf_10_9_tokens(text: str, order: str) -> None:
    assert reading(text) == order
    assert looks_like_order(text)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("ALLOW", "allow"),
        ("Allow it!", "allow"),
        ("allow the move", "allow"),
        ("I allow", "allow"),
        ("autoriser", "allow"),
        ("J'autorise le coup", "allow"),
        ("permettre", "allow"),
        ("deny", "deny"),
        ("Deny the attempt.", "deny"),
        ("refuse", "deny"),
        ("refuser", "deny"),
        ("interdire", "deny"),
        ("allow with Z", "allow"),
        ("allow without Z", "allow without Z"),
        ("Allow, without the briefcase", "allow without Z"),
        ("allow, not taking Z", "allow without Z"),
        ("autoriser sans Z", "allow without Z"),
        ("autoriser le coup, sans la mallette", "allow without Z"),
    ],
)
def test_cf_10_3_answers(text: str, order: str) -> None:
    assert reading(text) == order
    assert looks_like_order(text)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("agent always", "agent always"),
        ("Agent: NEVER", "agent never"),
        ("agent ask me", "agent ask"),
        ("agent as 4", "agent as 4"),
        ("agent as type 04", "agent as 4"),
        ("agent as the Tower", "agent as 4"),
        ("agent as Hen’s Foot", "agent as 3"),
        ("agent as Évêque", "agent as 10"),
        ("agent toujours", "agent always"),
        ("agent jamais", "agent never"),
        ("agent demander", "agent ask"),
        ("agent comme la tour", "agent as 4"),
        ("agent comme l'eveque", "agent as 10"),
        ("agent comme pied de poule", "agent as 3"),
        ("agent comme 12", "agent as 12"),
    ],
)
def test_cf_10_8_standing_instructions(text: str, order: str) -> None:
    assert reading(text) == order
    assert looks_like_order(text)


@pytest.mark.parametrize("text", ["pass", "PASS.", "I pass", "passe", "je passe", "pass my turn"])
def test_cf_11_3_passing(text: str) -> None:
    assert read(text) == Pass()
    assert looks_like_order(text)


KNOWN = "A C E H K L N O P S T V X"
INSTRUCTION = (
    "an instruction is `agent always`, `agent never`, `agent ask`, or `agent as` and a type's number"
)


@pytest.mark.parametrize(
    ("text", "column", "reason", "meant"),
    [
        ("#B", 2, f"there is no spy B; the letters are {KNOWN}", "eliminate P"),
        ("#xB", 3, f"there is no spy B; the letters are {KNOWN}", "eliminate their P"),
        ("?Z", 2, f"there is no spy Z; the letters are {KNOWN}", ""),
        ("?AH", 2, f"one spy is named by his letter, not AH; the letters are {KNOWN}", ""),
        ("#", 1, "name the spy by his letter", ""),
        ("A<>A", 4, "A cannot change places with itself", ""),
        ("A<>", 1, "two spies change places; name both", ""),
        ("A<>B", 4, f"there is no spy B; the letters are {KNOWN}", "swap A P"),
        ("swap B H", 6, f"there is no spy B; the letters are {KNOWN}", "swap P H"),
        ("swap B P", 6, f"there is no spy B; the letters are {KNOWN}", ""),
        ("swap A", 1, "two spies change places; name both", ""),
        ("swap A H K", 1, "two spies change places; name both", ""),
        ("reveal", 1, "name the spy by his letter", ""),
        ("reveal their H", 1, "this token is for one's own spies", ""),
        ("swap A xH", 1, "this token is for one's own spies", ""),
        ("reveal A H", 10, "only one spy a turn; A and H are named", ""),
        ("eliminate A H", 13, "only one spy a turn; A and H are named", ""),
        (
            "eliminate a spy",
            11,
            "behind eliminate stands the letter of a spy, and nothing else; `a` is not read",
            "",
        ),
        ("eliminate my agent", 1, "name the spy by his letter", ""),
        (
            "eliminate agent H",
            1,
            "this can be your own H, or your opponent's: `eliminate H` or `eliminate their H`",
            "eliminate H",
        ),
        (
            "eliminate my H their A",
            1,
            "one spy is removed, your own or your opponent's double agent; write which",
            "",
        ),
        ("show H", 1, "there is no order show", "reveal H"),
        ("swop a h", 1, "there is no order swop", "swap A H"),
        ("alow", 1, "there is no order alow", "allow"),
        ("forbid", 1, "there is no order forbid", "deny"),
        ("agents never", 1, "there is no order agents", "agent never"),
        (
            "allow V-N1",
            7,
            "an answer stands alone on its line, as `allow`, `deny` or `allow without Z`",
            "allow",
        ),
        (
            "deny without Z",
            6,
            "the briefcase is taken or left where a promotion is allowed; `deny` stands alone",
            "deny",
        ),
        ("agent", 1, INSTRUCTION, ""),
        ("agent yes", 7, INSTRUCTION, "agent always"),
        ("agent no", 7, INSTRUCTION, "agent never"),
        ("agent allways", 7, INSTRUCTION, "agent always"),
        ("agent off", 7, INSTRUCTION, "agent ask"),
        ("agent always deny", 7, INSTRUCTION, "agent never"),
        ("agent always allow", 7, INSTRUCTION, "agent always"),
        ("agent never deny", 7, INSTRUCTION, ""),
        ("agent Tower", 7, INSTRUCTION, "agent as 4"),
        ("agent like tower", 7, INSTRUCTION, "agent as 4"),
        ("agent 5", 7, INSTRUCTION, "agent as 5"),
        ("agent as", 7, "the number of a type is missing, 1 to 12", ""),
        ("agent as 13", 10, "there is no type 13; the types are 1 to 12, or their names", ""),
        (
            "agent as the Towr",
            14,
            "there is no type Towr; the types are 1 to 12, or their names",
            "agent as 4",
        ),
        ("pass now", 6, "`pass` stands alone on its line", "pass"),
        (
            "V-N1, H-E1",
            1,
            "two attempts in one turn, by the token Move 2, are written as in V-N1 & H-E1",
            "move V-N1, H-E1",
        ),
        ("move V-N1", 6, "a move stands alone on its line, the words beside it are not read", "V-N1"),
        ("move 2 V-N1", 8, "the token Move 2 takes two attempts with two spies, and only V-N1 is there", ""),
        ("V-N1 & H-E", 11, "the number of squares is missing after E", "V-N1 & H-E1"),
        ("V-N & H-E1", 4, "the number of squares is missing after N", "V-N1 & H-E1"),
        ("V-N & H-E", 4, "the number of squares is missing after N", ""),
        ("move V-N1, H-E", 15, "the number of squares is missing after E", "move V-N1, H-E1"),
        ("move V-Q1, H-E1", 8, "there is no direction Q; the directions are N NE E SE S SW W NW", ""),
        ("V-NNW2", 3, "there is no direction NNW; the directions are N NE E SE S SW W NW", "V-NW2"),
        ("Y-NW2", 1, f"there is no piece Y; the letters are {KNOWN}", "V-NW2"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place_and_the_nearest_reading(
    text: str, column: int, reason: str, meant: str
) -> None:
    fault = read(text, 4)
    assert isinstance(fault, Fault)
    assert fault.place is not None
    assert (fault.place.line, fault.place.column) == (4, column)
    assert (fault.reason(), fault.suggestion) == (reason, meant)
    assert fault.excerpt == text


def test_a_place_is_of_the_line_as_it_was_written() -> None:
    """Signs that cannot be seen, and accents that stand apart, count as the writer's program counts them."""
    fault = read("\u200b swap  A B")
    assert isinstance(fault, Fault) and fault.place is not None
    assert fault.place.column == len("\u200b swap  A B")
    assert reading(unicodedata.normalize("NFD", "révéler H")) == "?H"


@given(ORDERS)
def test_an_order_is_one_line_of_plain_signs(order: Order) -> None:
    assert re.fullmatch(r"[A-Za-z0-9 #?<>&+-]+", write_order(order))
