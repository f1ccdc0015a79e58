"""Two truths that a seat cannot tell apart give it the same letters, byte for byte, over a whole game.

A game is drawn at random, and afterwards a second deal for one side that would have brought the same answers all
along. Both games are then played by letter, with everything else that a player may write in between; what the owner of
that side got in the one and in the other is compared: headers, text, pictures, number, order and time of his letters.
Only the commitment may differ, since it binds the deal, and the receipts, which begin with it; and the letter that ends
the game, which shows the deal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from math import factorial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.chance import Chance
from referee.games import receipts
from referee.games.receipts import receipt
from referee.rulebooks.confusion import Confusion, deduction, knowledge, options, reach, reasons, view
from referee.rulebooks.confusion.adjudicate import answer_to
from referee.rulebooks.confusion.compass import WHITE, YELLOW, heading, opponent
from referee.rulebooks.confusion.happenings import dealt
from referee.rulebooks.confusion.notation import Move, read_move, write_move
from referee.rulebooks.confusion.options import write_deal
from referee.rulebooks.confusion.position import LETTERS, Deal, Position
from referee.rulebooks.confusion.possible import mover, possible_moves
from referee.rulebooks.confusion.table import MovementTable, default_table
from referee.rulebooks.rulebook import Happening, Question, Seat
from tests.playing import Club, Delivered, new_database
from tests.sampling import sample

CONFUSION = Confusion()
TABLE = default_table()
NUMBERS = range(1, 13)
NO_CHANCE = Chance(bytes(32))
PROSE = ("Good morning!", "I have not the slightest idea what my K is.")


@dataclass(frozen=True)
class TwoTruths:
    """A game that two deals of one side explain. moves: (seat, move) in turn. letters: what is written, by whom."""

    seat: Seat
    deals: tuple[str, str]
    letters: tuple[tuple[Seat, tuple[str, ...]], ...]
    differing: int
    """Letters whose types differ between the two."""


def two_truths(seed: int, most: int) -> TwoTruths:
    """Draw a game of at most so many attempts, and two deals for one side between which its owner cannot decide."""
    random = Random(seed)
    seat = random.choice((WHITE, YELLOW))
    deals = {each: dict(zip(LETTERS, random.sample(NUMBERS, 12), strict=True)) for each in (WHITE, YELLOW)}
    turns = play_at_random(random, deals, most)
    while (other := another_deal(random, seat, deals, turns)) is None:
        turns.pop()
    both = (deals, {**deals, seat: other})
    heard = [hear(seat, deal, turns) for deal in both]
    assert heard[0] == heard[1], "the second deal does not explain the game"
    return TwoTruths(
        seat,
        (written(both[0]), written(both[1])),
        tuple(correspondence(random, seat, turns)),
        sum(other[letter] != deals[seat][letter] for letter in LETTERS),
    )


def written(deals: Mapping[Seat, Deal]) -> str:
    return "; ".join(f"{seat.capitalize()}={write_deal(deal)}" for seat, deal in deals.items())


def opening(deals: Mapping[Seat, Deal]) -> Position:
    return position_after(None, CONFUSION.opening({"first": "white", "deal": written(deals)}, NO_CHANCE))


def position_after(position: Position | None, happenings: Any) -> Position:
    for happening in happenings:
        position = CONFUSION.fold(position, happening)
    assert position is not None
    return position


def play_at_random(random: Random, deals: Mapping[Seat, Deal], most: int) -> list[tuple[Seat, Move]]:
    """Play attempts at random, those that are allowed a little more often, since otherwise nothing moves."""
    position, turns = opening(deals), list[tuple[Seat, Move]]()
    while len(turns) < most and position.board.result is None:
        seat = position.board.to_move
        choices = random.choices(list(possible_moves(position.board, seat)), k=3)
        move = next((each for each in choices if answer_to(position, seat, each)[0]), choices[0])
        turns.append((seat, move))
        position = position_after(position, CONFUSION.adjudicate(position, seat, move, NO_CHANCE))
    return turns


def hear(seat: Seat, deals: Mapping[Seat, Deal], turns: list[tuple[Seat, Move]]) -> list[Any]:
    """Return what a seat hears until the deals are shown."""
    happenings = list(CONFUSION.opening({"first": "white", "deal": written(deals)}, NO_CHANCE))
    position = position_after(None, happenings)
    for mover_, move in turns:
        ruled = CONFUSION.adjudicate(position, mover_, move, NO_CHANCE)
        position = position_after(position, ruled)
        happenings += ruled
    return [each for each in happenings if seat in each.heard_by and each.code != "revealed"]


def another_deal(
    random: Random, seat: Seat, deals: Mapping[Seat, Deal], turns: list[tuple[Seat, Move]]
) -> Deal | None:
    """Return another deal of that side with which every answer is the same, None when there is none."""
    left = {letter: set(NUMBERS) for letter in LETTERS}
    position = opening(deals)
    for mover_, move in turns:
        piece = mover(position.board, mover_, move)
        assert piece is not None
        if mover_ == seat and not piece.promoted:
            told = answer_to(position, seat, move)
            way = heading(seat, move.direction)
            for number in NUMBERS:
                row = TABLE.row(number)
                yes = row.can(way, move.length)
                if yes != told[0] or (told[1] is not None and row.promotes != told[1]):
                    left[piece.letter].discard(number)
        position = position_after(position, CONFUSION.adjudicate(position, mover_, move, NO_CHANCE))
    found = [deal for _ in range(20) for deal in assignments(random, left, {}, deals[seat])]
    return max(found, key=lambda deal: sum(deal[each] != deals[seat][each] for each in LETTERS), default=None)


def assignments(
    random: Random, left: Mapping[str, set[int]], taken: dict[str, int], but: Deal
) -> Iterator[dict[str, int]]:
    """Yield one assignment of what is left, other than `but`, drawn at random; nothing when there is none."""
    open_letters = [letter for letter in LETTERS if letter not in taken]
    if not open_letters:
        if taken != but:
            yield dict(taken)
        return
    letter = min(open_letters, key=lambda each: len(left[each] - set(taken.values())))
    for number in random.sample(NUMBERS, 12):
        if number in left[letter] and number not in taken.values():
            found = next(assignments(random, left, {**taken, letter: number}, but), None)
            if found is not None:
                yield found
                return


def correspondence(
    random: Random, seat: Seat, turns: list[tuple[Seat, Move]]
) -> Iterator[tuple[Seat, tuple[str, ...]]]:
    """Yield the letters of a game: the attempts, and in between whatever the watched player may want to ask."""
    asides = (
        ("status",),
        ("games",),
        ("help",),
        ("help confusion", "status"),
        ("record",),
        ("draw",),
        ("cancel",),
        ("resign", "or perhaps not"),
        ("set reports json",),
        ("set reports html",),
        ("K-N9",),
        ("L-SS2", "Z-N1"),
        ("A-N1", "A-S1", "what else?"),
        ("B-W2", "status 2", "2: status"),
        ("why K",),
        (f"why {opponent(seat)} A", "why B"),
        ("set sheets list",),
        ("set sheets picture", "status"),
        ("set sheets grid",),
        ("press What could my K be?", "L-S2 perhaps."),
        ("press all V-N1", "", "diary"),
        ("diary My K may be anything.",),
        ("mute",),
        ("mute off", "claim Was that answer right?"),
        ("preview K-N1", "preview K-S1", "preview A-NE2xZ"),
        (f"preview {write_move(turns[0][1])}",),
        ("try K-N1; if no (K-S1; if yes K-N1); if captured A-N1", "cancel"),
        ("try K-N1; if noo K-S1", "if no A-N1"),
        ("A-N1 @40", "A-S1 @letter 900"),
        PROSE,
    )
    besides = (
        (),
        (),
        PROSE,
        ("status",),
        ("V-NN2",),
        ("press Your move!",),
        ("diary Nobody reads this.",),
        ("mute",),
        ("mute off", "press I listen again.", "claim And I protest."),
    )
    yield seat, ("set reports json",)
    yield opponent(seat), ("set reports text",)
    ahead = False
    for place, (mover_, move) in enumerate(turns):
        if random.random() < 0.4:
            aside = random.choice(asides)
            # A move that is written in passing must not use up the turn.
            if mover_ != seat or not any(isinstance(read_move(line), Move) for line in aside):
                yield seat, aside
        if ahead:
            ahead = False  # it was made by a plan, with the letter before
            continue
        comes, then = turns[min(place + 1, len(turns) - 1)]
        if mover_ != seat == comes and random.random() < 0.3:
            # What follows the move cannot be tried by anything, so that the plan is at its end in the turn after.
            yield seat, (f"try {write_move(then)}; then K-N9", "status")
            ahead = True
        yield mover_, (write_move(move), *random.choice(besides))
    yield opponent(seat), ("resign",)


def play_by_letter(
    told: TwoTruths, deal: str, database: str, sheets: str = "on", between: timedelta = timedelta(0)
) -> tuple[Club, list[Delivered], str]:
    """Play it in a club of its own; return the club, the watched player's letters and the game's commitment.

    between: what passes after each letter, with whatever the house writes at the hour for the news of a day.
    """
    club = Club(database)
    watched, other, third = club.member("Wendy"), club.member("Otto"), club.member("Carl")
    people = {told.seat: watched, opponent(told.seat): other}
    game = club.starts({"white": people[WHITE], "yellow": people[YELLOW]}, deal=deal, sheets=sheets)
    club.starts({"white": third, "yellow": watched}, sheets=sheets)
    for seat, lines in told.letters:
        writer = people[seat]
        writer.replies(*lines, to=next(each for each in writer.letters if each.game == game))
        if between:
            club.clock.at += between
            club.strikes()
    commitment = club.game(game).commitment
    club.close()
    return club, watched.letters, commitment


def softly(signs: Sequence[str]) -> str:
    """Return a pattern for these signs, one after the other, which the soft ends of encoded lines may break."""
    return r"(?:=\r\n)?".join(signs)


WORDS_OF_A_RECEIPT = "|".join(
    softly([*map(re.escape, word)]) for word in ("\nReceipt: ", ">Receipt: ", '"receipt": "')
)
RECEIPT = re.compile(f"({WORDS_OF_A_RECEIPT})((?:=\r\n)?{softly(['[0-9a-f]'] * 64)})(?![0-9a-f])".encode())
"""A receipt where one may stand: a line of the text, a paragraph of the HTML, a value in the part for programs."""


def zeros(digits: bytes) -> bytes:
    return re.sub(rb"[0-9a-f]", b"0", digits)


def masked(content: bytes, commitment: str) -> bytes:
    """Return a letter's bytes without the commitment, and without receipts where they may stand."""
    content = re.sub(softly(commitment).encode(), lambda found: zeros(found[0]), content)
    return RECEIPT.sub(lambda found: found[1] + zeros(found[2]), content)


def receipts_in(content: bytes) -> list[str]:
    return [found[2].replace(b"=\r\n", b"").decode() for found in RECEIPT.finditer(content)]


def hold_against_each_other(letter: Delivered, ours: bytes, theirs: bytes) -> None:
    """Fail where two letters first differ. (A comparison of their whole bytes would take pytest minutes to explain.)"""
    same = ours == theirs
    at = next((at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), -1)
    where = f"{ours[max(0, at - 60) : at + 60]!r} and {theirs[max(0, at - 60) : at + 60]!r}"
    assert same, f"letter {letter['X-Referee-Number']}, {letter['Subject']}: {where}"


def compare(told: TwoTruths, folder: Path, sheets: str = "on", between: timedelta = timedelta(0)) -> int:
    """Play both games and hold one player's letters against each other; return how many they are.

    sheets: with them, every letter also says what can be known; it must be the same too. between: see above.
    """
    letters = []
    for place, deal in enumerate(told.deals):
        database = new_database(folder, f"truth-{place}")
        club, his, commitment = play_by_letter(told, deal, database, sheets, between)
        assert his[-1].kind == "result"
        letters.append([(letter.kind, letter, masked(letter.content, commitment)) for letter in his])
        assert sum(exchange.settled is not None for exchange in club.exchanges) == len(told.letters) + 3
    assert [kind for kind, *_ in letters[0]] == [kind for kind, *_ in letters[1]]
    for (kind, first, ours), (_, second, theirs) in zip(*letters, strict=True):
        if kind == "result":
            assert first.message.items() == second.message.items()
        else:
            hold_against_each_other(first, ours, theirs)
            hold_receipts_apart(first.content, second.content)
    return len(letters[0])


def hold_receipts_apart(one: bytes, other: bytes) -> None:
    """Fail where a receipt does not bind the truth: all that both letters say besides is the same."""
    ours, theirs = receipts_in(one), receipts_in(other)
    assert len(ours) == len(theirs) <= 3
    assert len(set(ours)) == len(set(theirs)) <= 1
    assert not set(ours) & set(theirs), "a receipt is the same for both truths"


@pytest.mark.parametrize(("seed", "most"), sample([(1, 44), (3, 14), (2, 10), (4, 14)]))
def test_two_truths_that_a_seat_cannot_tell_apart_give_it_the_same_letters(
    seed: int, most: int, tmp_path: Path
) -> None:
    assert compare(two_truths(seed, most), tmp_path) >= most


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 300))
def test_two_truths_give_the_same_letters_in_two_hundred_games(seed: int, tmp_path: Path) -> None:
    compare(two_truths(seed, 30), tmp_path)


@pytest.mark.parametrize("seed", sample([5, 6]))
def test_two_truths_give_the_same_letters_without_sheets(seed: int, tmp_path: Path) -> None:
    compare(two_truths(seed, 10), tmp_path, sheets="off")


def with_choices(told: TwoTruths, *choices: str) -> TwoTruths:
    """Return a game whose watched player begins by choosing how his letters look and how often they come."""
    return replace(told, letters=((told.seat, choices), *told.letters))


@pytest.mark.parametrize("frequency", sample(["daily", "urgent"]))
def test_two_truths_give_the_same_letters_however_often_they_come(frequency: str, tmp_path: Path) -> None:
    """The letters with the news of a day among them, by the reader's own clock and compass, without pictures."""
    choices = (f"set letters {frequency}", "set zone Auckland", "set compass own", "set picture off", "set")
    told = with_choices(two_truths(4, 14), *choices)
    assert compare(told, tmp_path, between=timedelta(hours=5)) > 10


def test_the_letters_compared_tell_the_news_of_days(tmp_path: Path) -> None:
    """Otherwise the comparison would not have looked at any."""
    told = with_choices(two_truths(4, 14), "set letters daily")
    database = new_database(tmp_path, "truth")
    _, letters, _ = play_by_letter(told, told.deals[0], database, between=timedelta(hours=5))
    news = [letter for letter in letters if letter["Subject"] == "Referee: your games"]
    assert len(news) >= 2
    assert any(" tried " in letter.text and "learned" not in letter.text for letter in news)


def test_the_letters_compared_have_sheets_that_say_something(tmp_path: Path) -> None:
    """Otherwise the comparison would not have looked at any."""
    told = two_truths(1, 44)
    _, letters, _ = play_by_letter(told, told.deals[0], new_database(tmp_path, "truth"))
    counts = [
        letter.json["assignments"]
        for letter in letters
        if letter.game == 1 and "application/json" in letter.media_types and "assignments" in letter.json
    ]
    assert len(counts) > 20
    assert min(min(each.values()) for each in counts) < factorial(12) // 1000
    assert "deals agree with all answers" in letters[-2].text
    assert sum("Tried as you planned" in letter.text for letter in letters) > 3
    assert any("K-N9 cannot be tried any more" in letter.text for letter in letters)


def test_without_sheets_nothing_is_even_deduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both players ask for everything, in every form; whatever deduces would fail."""
    for module in (deduction, reasons):
        monkeypatch.setattr(module, "clues", deduces)
    told = two_truths(3, 14)
    club, letters, _ = play_by_letter(told, told.deals[0], new_database(tmp_path, "truth"), sheets="off")
    assert len(letters) > 14
    for letter in club.letters:
        if letter.game == 1:
            said = "\n".join(
                bytes(part.get_payload(decode=True)).decode().lower()
                for part in letter.parts
                if part.get_content_maintype() != "image"
            )
            for word in (
                "what you learned",
                "deals agree",
                "anything still",
                "your sheet",
                '"mine"',
                '"shares"',
            ):
                assert word not in said, word


def deduces(*_: Any, **__: Any) -> Any:
    raise AssertionError("something was deduced in a game without sheets")


def test_the_two_truths_really_differ() -> None:
    """Otherwise the comparison would prove nothing."""
    for seed in range(10):
        told = two_truths(seed, 14)
        assert told.deals[0] != told.deals[1]
        assert told.differing >= 2
        assert len(told.letters) > 5


def told_to_its_owner_too(seat: Seat, deal: Deal) -> Happening:
    return replace(dealt(seat, deal), heard_by=frozenset((WHITE, YELLOW)))


def suggests_what_would_go(rulebook: Confusion, position: Position) -> Mapping[Seat, Question]:
    seat = position.board.to_move
    if position.board.result is not None:
        return {}
    moves = [move for move in possible_moves(position.board, seat) if answer_to(position, seat, move)[0]]
    return {seat: Question("order", (write_move(moves[len(moves) // 2]),))}


@pytest.mark.parametrize(
    ("where", "name", "leak"),
    [(options, "dealt", told_to_its_owner_too), (Confusion, "due", suggests_what_would_go)],
    ids=["a seat hears what is not for it", "the example in the letter is a move that would go"],
)
def test_a_leak_is_found(
    where: object, name: str, leak: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison can fail: a house that tells a little too much does not pass it."""
    told = two_truths(2, 10)
    monkeypatch.setattr(where, name, leak)
    with pytest.raises(AssertionError):
        compare(told, tmp_path)


def test_a_receipt_that_binds_too_little_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One over what is told alone: whoever gets it could try on it what he guesses of the rest."""

    def over_what_is_told(before: str, secret: bytes, said: Mapping[str, str]) -> str:
        return receipt("0" * 64, b"", said)

    monkeypatch.setattr(receipts, "receipt", over_what_is_told)
    with pytest.raises(AssertionError, match="the same for both truths"):
        compare(two_truths(2, 10), tmp_path)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("\r\nReceipt: {}\r\n", "\r\nReceipt: 000"),
        ("<p>Receipt: {}=\r\n</p>", "<p>Receipt: 000"),
        ('"rec=\r\neipt": "{}"', '"rec=\r\neipt": "000'),
        ("\r\nreceipt {}\r\n", "\r\nreceipt abc"),
        ("\r\nReceipt: {}0\r\n", "\r\nReceipt: abc"),
        ("a Receipt: {}\r\n", "a Receipt: abc"),
        ("X-Receipt: {}\r\n", "X-Receipt: abc"),
    ],
)
def test_a_receipt_is_masked_in_its_place_and_nowhere_else(said: str, left: str) -> None:
    """A letter that held it elsewhere would not pass the comparison."""
    content = said.format("abc" * 21 + "d").encode()
    assert masked(content, "f" * 64).decode().startswith(left)


@pytest.mark.parametrize("module", [knowledge, view, reach], ids=["in words", "for programs", "as a picture"])
def test_a_sheet_that_knows_the_deal_is_found(
    module: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = two_truths(2, 10)
    dealt_now: dict[Seat, Deal] = {}
    play = play_by_letter

    def knowing_the_deal(told: TwoTruths, deal: str, *others: Any) -> tuple[Club, list[Delivered], str]:
        deals = options.read_deals(deal)
        assert isinstance(deals, Mapping)
        dealt_now.update(deals)
        return play(told, deal, *others)

    def sheet(table: MovementTable, attempts: object, seat: Seat) -> deduction.Sheet:
        types = dealt_now[seat]
        return deduction.Sheet(seat, {letter: 1 << types[letter] - 1 for letter in LETTERS})

    monkeypatch.setitem(globals(), "play_by_letter", knowing_the_deal)
    monkeypatch.setattr(module, "sheet", sheet)
    with pytest.raises(AssertionError):
        compare(told, tmp_path)
