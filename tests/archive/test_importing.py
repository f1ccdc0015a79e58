"""A game that was played elsewhere, or half played, goes on here by mail; one that is over is kept as it has ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from referee.archive.event_records import join_records
from referee.archive.verify import verify
from referee.common.errors import RecordRefused, UsageError
from referee.games import umpire_actions
from referee.games.events import Ended, Ruled, Stated, TakenBack, read_event
from referee.games.game import Game
from referee.rulebooks.confusion import verify_game
from referee.rulebooks.rulebook import Seat
from referee.service.game_list import list_games
from referee.service.queries import write_record
from referee.store.game_search import Search
from tests.archive.site.made_up import WHITE, application, sample_game_played, sample_moves
from tests.archive.spies_played import answered
from tests.support.operating import SEATS, Desk
from tests.support.playing import Club, Correspondent, new_database
from tests.transcripts.shown import name_of
from tests.transcripts.stories import STORIES, Story
from tests.transcripts.stories_of_cards import anna_and_bert, two_strangers_fight_a_battle
from tests.transcripts.stories_of_spies import a_whole_game_of_spies

SAMPLE = Path(__file__).parents[2] / "referee" / "rulebooks" / "confusion" / "sample-game.txt"
RECORD = SAMPLE.read_text("utf-8")
HALF = 21
"""Attempts after which Yellow is to move, in row 11."""


def half_record(folder: Path, attempts: int = HALF) -> str:
    """Return the record of the sample game so far, as another service has it."""
    folder.mkdir()
    elsewhere = Club(new_database(folder))
    record = write_record(
        application(elsewhere), sample_game_played(elsewhere, attempts=attempts), "umpire", bare=True
    )
    elsewhere.close()
    return record


def brings(club: Club, record: str, rules: str = "confusion", **options: str) -> int:
    """Let the umpire bring a game; return its number."""
    south = "yellow" if rules == "confusion" else "red"
    seats = {
        Seat(seat): (who.name, who.address)
        for seat, who in (("white", club.person("Anna")), (south, club.person("Bert")))
    }
    number = club.referee.umpire.new_game(rules, seats, options, record=record)
    club.collect()
    return number


def players(club: Club) -> tuple[Correspondent, Correspondent]:
    return club.reader("anna@example.net"), club.reader("bert@example.net")


def rows(record: str) -> list[str]:
    return [line for line in record.splitlines() if line[:1].isdigit() or line.startswith("taken back")]


@pytest.fixture
def half(tmp_path: Path) -> str:
    return half_record(tmp_path / "elsewhere")


@pytest.mark.story
def test_a_half_game_goes_on_by_mail_to_the_end_that_it_would_have_had(club: Club, half: str) -> None:
    number = brings(club, half)
    anna, bert = players(club)
    for turn, move in enumerate(sample_moves()[HALF:]):
        who = bert if turn % 2 == 0 else anna
        assert who.replies(move).settled is not None
    assert club.game(number).status == "ended"
    assert rows(write_record(application(club), number, "umpire", bare=True)) == rows(RECORD)


def test_it_is_the_same_game_as_one_that_was_played_here(club: Club, tmp_path: Path) -> None:
    for attempts in (1, HALF, 76):
        record = half_record(tmp_path / str(attempts), attempts)
        played = club.game(sample_game_played(club, (f"A{attempts}", f"B{attempts}"), attempts=attempts))
        brought = club.game(brings(club, record))
        for what in ("happenings", "position", "views", "due", "status", "stands"):
            assert getattr(brought, what) == getattr(played, what), what
        assert _ruled(brought) == _ruled(played)


def _ruled(game: Game) -> list[tuple[str, str, int]]:
    """Return by whom each order was given, what it was without its tail, and what had happened before."""
    return [
        (each.event.seat, each.event.order.rstrip("+"), each.before)
        for each in game.orders
        if isinstance(each.event, Ruled)
    ]


def test_its_first_letters_tell_both_what_was_played_without_telling_it_as_news(
    club: Club, half: str
) -> None:
    brings(club, half)
    anna, bert = players(club)
    for who in (anna, bert):
        letter = who.letters[-1]
        assert letter.number == 1 and letter.kind == "report"
        assert "begun elsewhere" in letter.text and "has 21 attempts" in " ".join(letter.text.split())
        assert "You tried" not in letter.text and "BOARD" in letter.text
        assert "YOUR SHEET" in letter.text and "deals agree with all answers" in letter.text
    assert "Your move, turn 12" in bert.letters[-1].text
    assert "L-S4xA" in anna.replies("record").only.text + str(anna.last.parts[-1].get_content())


def test_it_is_taken_back_to_before_it_came_and_put_back_again(club: Club, half: str) -> None:
    number = brings(club, half)
    before = club.game(number)
    club.referee.umpire.take_back(number, 5, "Row 5 was misread elsewhere.")
    assert club.game(number).rulebook.rules.turn(club.game(number).view(WHITE)) == 5
    club.referee.umpire.act(number, umpire_actions.Restore(), "It was right after all.")
    after = club.game(number)
    assert (after.due, after.position) == (before.due, before.position)
    assert len(after.branches) == 1


def test_a_branch_in_the_record_stays_one(club: Club, half: str) -> None:
    record = half + "taken back to 9 White: misread\n9.  -               (N-E1)\n"
    number = brings(club, record)
    game = club.game(number)
    assert [each.back.reason for each in game.branches] == ["misread"]
    assert any(isinstance(each, TakenBack) for each in _events(club, number))
    again = write_record(application(club), number, "umpire", bare=True)
    assert "taken back to 9 White: misread" in again and game.rulebook.records.replay(again).consistent


def test_what_the_record_says_beside_the_moves_is_kept(club: Club, half: str) -> None:
    record = half + "; What was written beside the moves:\n; turn 3, White, press:\n;   Good luck; a = b\n"
    number = brings(club, record)
    assert write_record(application(club), number, "umpire", bare=True) + "".join(
        (
            "; What was written beside the moves:\n",
            "; turn 0, the umpire, ruling:\n",
            ";   turn 3, White, press:\n",
            ";     Good luck; a = b\n",
        )
    ) == write_record(application(club), number, "umpire")
    again = brings(club, write_record(application(club), number, "umpire"))
    assert "Good luck; a = b" in write_record(application(club), again, "umpire")


def _events(club: Club, number: int) -> list[object]:
    with club.store.reading() as lookup:
        return [read_event(each.kind, each.body) for each in lookup.events.of_game(number)]


def test_its_clock_begins_with_its_first_letter(club: Club, half: str) -> None:
    number = brings(club, half, time="3d/move")
    club.posts()
    club.looks_at_clocks()
    (line,) = list_games(application(club)).games
    assert line["deadline"] is not None and line["to_move"] == ["yellow"]
    club.waits(timedelta(days=4))
    club.looks_at_clocks()
    assert club.game(number).result is not None, "the time of its move is up"


@pytest.mark.parametrize("end", ["", "resigns"])
def test_a_game_that_is_over_is_kept_with_its_end_and_says_that_nothing_proves_it(
    club: Club, half: str, end: str
) -> None:
    """It is found by its result; its letters are the last ones, its record has all that a record has."""
    record = half + "12. Yellow resigns\n" if end else RECORD
    record = f"Result = White wins: by resignation\n{record}" if end else record
    number = brings(club, record)
    game = club.game(number)
    assert game.status == "ended" and game.result is not None and game.result.winner == WHITE
    *_, last = (each for each in _events(club, number) if not isinstance(each, Stated))
    assert isinstance(last, Ended if end else Ruled)
    assert [each["game"] for each in list_games(application(club), Search(result="white")).games] == [number]
    assert {letter.kind for letter in club.letters} == {"result"}
    again = write_record(application(club), number, "umpire")
    assert rows(again)[:HALF] == rows(record)[:HALF]
    verified = verify(again)
    assert verified.fits, verified.misfits
    attempts = 21 if end else 76
    assert verified.imported == f"{attempts} attempts"
    assert f"Imported = {attempts} attempts" in again
    assert any("before anything was bound" in line for line in verified.lines())
    wrong, good = verify_game.verify(again)
    assert not wrong
    assert f"  imported    {attempts} attempts: nothing proves those" in good
    twice = again.replace("\nImported", "\nImported = 2 attempts\nImported", 1)
    assert verify_game.verify(twice)[0] and not verify(twice).fits


OF_A_BEGINNING = {
    "en": (
        "resign",
        "When it is your turn",
        "goes on here",
        "will be published",
        "in your first letter",
        "IN BRIEF",
    ),
    "fr": ("abandonner", "votre tour", "se poursuit ici", "sera publié", "votre première lettre", "EN BREF"),
}
"""What only a game that begins, or goes on, can say of itself."""


@pytest.mark.parametrize("language", OF_A_BEGINNING)
@pytest.mark.parametrize("record", [RECORD, answered("allow").record()], ids=["confusion", "spies"])
def test_the_letter_about_a_game_that_is_over_says_nothing_of_a_game_that_begins(
    club: Club, record: str, language: str
) -> None:
    """It is the first and the last one: it says how the game came here, and asks and promises nothing."""
    for name in ("Anna", "Bert"):
        club.person(name).writes(f"register {name} {language}")
    rules = "spies" if "Rules = spies" in record else "confusion"
    number = brings(club, record, rules, watchers="on", press="off")
    assert club.game(number).status == "ended"
    for who in players(club):
        (letter,) = who.letters
        said = " ".join(letter.text.split())
        kept = {
            "en": "was played elsewhere and is kept here",
            "fr": "a été jouée ailleurs et est conservée ici",
        }
        assert kept[language] in said
        assert [each for each in OF_A_BEGINNING[language] if each in said] == []


@pytest.mark.parametrize(
    ("change", "why", "status"),
    [
        (lambda record: record.replace("4.  E-NW1", "4.  E-NW9"), "row 4 Yellow E-NW9: ", 1),
        (lambda record: record.replace("Yellow = ", "; "), "no line `Yellow = …`", 1),
        (lambda record: record.replace("White  = ", ";").replace("Yellow = ", ";"), "no line `White = …`", 1),
        (
            lambda record: record.replace("Yellow = A4", "Yellow = A99"),
            "Yellow = A99 C8 E12 H11 K10 L2 N1 O3 P",
            1,
        ),
        (lambda record: f"Rules = spies 1\n{record}", "try `referee new spies --from …`", 1),
        (
            lambda record: f"Rules = whist\n{record}",
            "of whist and not of confusion: this release does not",
            1,
        ),
        (
            lambda record: record.replace("    Yellow          White", "    Red   White").replace(
                "Yellow", "Red"
            ),
            "probably of other rules, by its look of spies and not of confusion: try `referee new spies",
            1,
        ),
        (lambda record: "\x7fELF\x01\x1b[2J\x07" + record, "line 1 holds the control sign U+007F", 1),
        (
            lambda record: record + f"taken back to 9 White: {'a ' * 1_001}\n",
            "and here no record has more than 1,000",
            1,
        ),
        (lambda _: "", "there is no record in the file", 2),
        (lambda record: "".join(join_records([record, record])), "holds 2 records: choose one", 2),
    ],
)
def test_what_cannot_go_on_is_named_and_nothing_is_started(
    tmp_path: Path, half: str, change: Callable[[str], str], why: str, status: int
) -> None:
    desk = Desk(tmp_path)
    (tmp_path / "game.txt").write_text(change(half))
    said = desk.do("new", "confusion", *SEATS, "--from", tmp_path / "game.txt")
    assert (said.status, said.out) == (status, "") and why in said.err, said
    assert said.err.strip().isprintable() and len(said.err) < 700
    assert desk.done("games", "--json").json == []


def test_the_command_takes_one_of_several_records(tmp_path: Path, half: str) -> None:
    desk = Desk(tmp_path)
    (tmp_path / "games.txt").write_text("".join(join_records([RECORD, half])))
    for which, turn in (("1", "ended"), ("2", "playing")):
        words = ("--from", tmp_path / "games.txt", "--number", which)
        number = desk.done("new", "confusion", *SEATS, *words).out.strip()
        listed = next(each for each in desk.done("games", "--json").json if str(each["game"]) == number)
        assert listed["status"] == turn
    assert "holds 2 records" in desk.do("new", "confusion", *SEATS, *words[:2], "--number", "3").err
    for more, why in (
        (("--deal", "White=A1"), "the deal is the record's"),
        (("--first", "yellow"), "White began"),
    ):
        assert why in desk.do("new", "confusion", *SEATS, *words, *more).err


@pytest.mark.telling("two-strangers")
@pytest.mark.parametrize("story", STORIES, ids=name_of)
def test_every_game_of_a_story_can_be_brought_to_another_house(story: Story, tmp_path: Path) -> None:
    """What both heard, and who is to move, is the same there, and the record has the same rows."""
    here = Club(new_database(tmp_path, "here"))
    story(here)
    there = Club(new_database(tmp_path, "there"))
    with here.store.reading() as lookup:
        begun = [row for row in lookup.games.all() if row.seats]
    for row in begun:
        if here.game(row.number).rulebook.drafts is not None:
            continue  # it is refused, see below
        game = here.game(row.number)
        options = {key: said for key, said in game.options.items() if key != "first"}
        record = write_record(application(here), row.number, "umpire", bare=True)
        number = brings(there, record, row.rules, **options)
        brought = there.game(number)
        assert dict(brought.due) == dict(game.due) or game.status != "playing"
        assert brought.result == game.result
        assert rows(write_record(application(there), number, "umpire", bare=True)) == rows(record)
        if game.result is not None:
            assert verify(write_record(application(there), number, "umpire")).fits
    here.close()
    there.close()


@pytest.mark.slow
def test_a_battle_goes_on_only_where_it_was_begun(tmp_path: Path) -> None:
    """Neither a half-played one nor a finished one is brought in, whoever wrote its record, and nothing is started."""
    here = Club(new_database(tmp_path, "here"))
    two_strangers_fight_a_battle(here)  # one of them has given up
    _, _, half = anna_and_bert(here)
    desk = Desk(tmp_path)
    seats = ("--seat", "red=Anna <anna@example.net>", "--seat", "blue=Bert <bert@example.com>")
    for number, views in ((1, ("umpire", "red", "blue")), (half, ("umpire", "red", "blue"))):
        for view in views:
            record = write_record(application(here), number, view, bare=True)
            (tmp_path / "game.txt").write_text(record)
            said = desk.do("new", "cards", *seats, "--from", tmp_path / "game.txt")
            assert (said.status, said.out) == (1, ""), said
            assert "a game of cards goes on only where it was begun" in said.err
    assert desk.done("games", "--json").json == []
    here.close()


@pytest.mark.parametrize("rules", ["confusion", "spies"])
def test_of_a_refused_record_no_more_is_shown_than_a_few_harmless_signs(club: Club, rules: str) -> None:
    for sign in ("\x1b[2J", "\u202e", "x", "\u2028", "\x9b31m", "9"):
        for said in (
            "{}",
            "White = {}",
            "1. {}",
            "Variants = {}",
            "taken back to {}",
            "{}. A-N1",
            "Result = {}",
        ):
            with pytest.raises(RecordRefused) as refused:
                brings(club, said.format(sign * 20_000), rules)
            assert str(refused.value).isprintable() and len(str(refused.value)) < 500, said
            assert sign * 301 not in str(refused.value)


_TEXTS: dict[str, Callable[[str, str], str]] = {
    "why it ended": lambda record, said: record.replace(
        "First ", f"Result = White wins: by {said}\nFirst ", 1
    ),
    "why, off the board": lambda record, said: record.replace(
        "First ", f"Result = Draw: adjudicated: {said}\nFirst ", 1
    ),
    "why it was taken back": lambda record, said: f"{record}taken back to 3 White: {said}\n",
    "a comment": lambda record, said: f"; {said}\n{record}",
    "a comment on a move": lambda record, said: record.replace("L-S2\n", f"L-S2 ; {said}\n", 1),
    "a name": lambda record, said: f"WhiteName = {said}\n{record}",
    "an event": lambda record, said: f"Event = {said}\n{record}",
    "an unknown line": lambda record, said: f"Note = {said}\n{record}",
    "an unknown key": lambda record, said: f"{said} = 1\n{record}",
}


@pytest.mark.telling(where=["why it ended"])
@pytest.mark.parametrize(
    "sign", ["\u202e", "\u2066", "\u200f", "\xad", "\ufeff", "\x07", "\x1b[31m", "\x9b", "\x00"]
)
@pytest.mark.parametrize("where", _TEXTS)
def test_no_text_of_a_record_brings_a_sign_that_steers_into_a_game(
    club: Club, half: str, where: str, sign: str
) -> None:
    """What it was to be told as stays out of letters, records and the archive, or nothing is started."""
    record = _TEXTS[where](half.replace("Result", ";"), f"an\N{LATIN SMALL LETTER E WITH ACUTE}{sign}txt.exe")
    try:
        number = brings(club, record)
    except RecordRefused as refused:
        assert str(refused).isprintable()
        return
    with club.store.reading() as lookup:
        kept = [each.body for each in lookup.events.of_game(number)]
    written = [write_record(application(club), number, seat) for seat in ("umpire", "white", "yellow")]
    letters = [f"{letter['Subject']}\n{letter.text}" for who in players(club) for letter in who.letters]
    for said in (*map(str, kept), *written, *letters):
        assert sign not in said and f"\\u{ord(sign[0]):04x}" not in said


def test_a_record_of_other_variants_is_refused_by_their_name(club: Club) -> None:
    a_whole_game_of_spies(club)
    record = write_record(application(club), 1, "umpire", bare=True)
    with pytest.raises(UsageError, match="the record says"):
        club.referee.umpire.new_game(
            "spies",
            {Seat("white"): ("", "w@example.net"), Seat("red"): ("", "r@example.net")},
            {},
            record=record,
        )
