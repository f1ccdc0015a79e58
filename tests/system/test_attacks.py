"""What an attack tried: letters forged in a player's name, and our own text coming back."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from referee.common.errors import UsageError
from referee.pipeline.letter_context import MOST_HELP_A_DAY
from referee.pipeline.unregistered import MOST_SLIPS_A_DAY
from referee.rulebooks.rulebook import Seat
from referee.service.daemon import settle_again
from tests.support.begun import game_of, member
from tests.support.playing import REFEREE, Club, Correspondent, Delivered, Exchange, new_database
from tests.support.telling import telling

pytestmark = pytest.mark.telling


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    opened = Club(new_database(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def wendy(club: Club) -> Correspondent:
    return member(club, "Wendy")


@pytest.fixture
def yannick(club: Club) -> Correspondent:
    return member(club, "Yannick", "yannick@example.com")


@pytest.fixture
def game(club: Club, wendy: Correspondent, yannick: Correspondent) -> int:
    return game_of(club, wendy.address, yannick.address)


def unmarked(wendy: Correspondent, *said: str, vouched: bool = True) -> Exchange:
    """Answer the last letter with all of its text below, and no mark on any line."""
    last = wendy.last
    lines = (*said, "", *last.text.splitlines())
    threaded = [f"In-Reply-To: {last['Message-ID']}"]
    return wendy.writes(
        *lines, to=last["Reply-To"], subject=f"Re: {last['Subject']}", headers=threaded, vouched=vouched
    )


# A forged resignation


def forged_resignation(wendy: Correspondent, game: int) -> None:
    asked = wendy.writes("resign", subject=f"[game {game}]", vouched=False)
    assert asked.settled and asked.settled.outcome == "held"
    assert "about game" in wendy.last.text


@pytest.mark.parametrize(
    "said",
    [
        ("No, that was not me!",),
        ("I did not write this, do not", "confirm"),
        ("I am on holiday until Monday.", "", "Your letter was:"),
        (),
        ("Please never", "", "confirm", "", "this."),
    ],
)
def test_a_forged_resignation_is_not_confirmed_by_an_answer_that_only_holds_the_word(
    club: Club, wendy: Correspondent, game: int, said: tuple[str, ...]
) -> None:
    forged_resignation(wendy, game)
    unmarked(wendy, *said)
    assert club.game(game).status == "playing"


def test_the_player_himself_confirms_with_one_word(club: Club, wendy: Correspondent, game: int) -> None:
    forged_resignation(wendy, game)
    unmarked(wendy, "confirm", vouched=False)
    assert club.game(game).status == "ended"


def test_a_resignation_that_waits_is_not_confirmed_by_what_is_quoted_below(
    club: Club, wendy: Correspondent, game: int
) -> None:
    wendy.replies("resign", "I am tired.", to=wendy.last_about(game))
    assert "Do you want to resign" in wendy.last.text
    unmarked(wendy, "No, I have thought better of it.")
    assert club.game(game).status == "playing"
    wendy.replies("No:", "confirm", to=wendy.last_about(game))
    assert club.game(game).status == "playing"
    wendy.replies("confirm", to=wendy.last_about(game))
    assert club.game(game).status == "ended"


# Our own text coming back


def test_an_echo_of_our_letter_makes_no_move(club: Club, wendy: Correspondent, game: int) -> None:
    before = club.game(game).last_event
    unmarked(wendy, "What a lovely board!")
    assert club.game(game).due.keys() == {"white"}
    assert club.game(game).last_event <= before + 1  # his check-in


def test_the_move_above_an_echo_is_made(club: Club, wendy: Correspondent, game: int) -> None:
    made = unmarked(wendy, "A-S1")
    assert made.settled and made.settled.moves == 1


def test_an_echo_of_our_help_registers_nobody(club: Club) -> None:
    stranger = club.person("Otto")
    stranger.writes("Hello?")
    assert "register Anna" in stranger.last.text
    unmarked(stranger, "Who is this?")
    with club.store.reading() as lookup:
        assert lookup.players.names() == []


# Held letters


def test_a_held_move_is_not_made_in_a_later_turn(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    report = wendy.last_about(game)
    wendy.replies("A-S1", to=report, vouched=False)
    notice = wendy.last
    wendy.replies("C-S1", to=report)
    yannick.replies("A-N1")
    before = len(club.game(game).happenings)
    answer = wendy.replies("confirm", to=notice)
    assert "has gone on since" in answer.sent[0].text
    assert len(club.game(game).happenings) == before


@pytest.mark.parametrize("ahead", telling([timedelta(days=300)], others=[timedelta(), timedelta(days=-300)]))
def test_whether_a_game_has_gone_on_is_not_told_by_the_mailboxs_clock(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int, ahead: timedelta
) -> None:
    def held(move: str) -> Delivered:
        letter = wendy.reply(wendy.last_about(game), [move], vouched=False)
        club.take(club.raw(letter, received=club.clock.at + ahead))
        return wendy.last

    before = held("A-S1")
    wendy.replies("C-S1", to=wendy.last_about(game))
    yannick.replies("A-N1")
    assert "has gone on since" in wendy.replies("confirm", to=before).sent[0].text
    club.later(timedelta(days=2))
    made = wendy.replies("confirm", to=held("A-S1"))
    assert len(made.sent) == 2 and club.game(game).due.keys() == {"yellow"}


def test_a_game_has_gone_on_by_letters_that_came_before_and_were_heard_after(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    set_aside = []
    for who, move in ((wendy, "A-S1"), (yannick, "A-N1")):
        club.referee.letters.take_in([club.raw(who.reply(who.last_about(game), [move]))])
        set_aside.append(club.last_letter())
        club.referee.letters.give_up(set_aside[-1], "KeyError in the service", tell=False)
    wendy.replies("C-S1", vouched=False)
    question = wendy.last
    for number in set_aside:
        settle_again(club.referee, number)
    before = club.game(game).happenings
    answer = wendy.replies("confirm", to=question)
    assert "has gone on since" in answer.sent[-1].text
    assert club.game(game).happenings == before


def test_a_held_letter_that_came_again_and_was_heard_is_not_heard_twice(
    club: Club, wendy: Correspondent, game: int
) -> None:
    report = wendy.last_about(game)
    letter = wendy.reply(report, ["draw"], vouched=False)
    club.take(club.raw(letter))
    notice = wendy.last
    again = letter.replace(b"dmarc=fail", b"dmarc=pass")
    taken = club.take(club.raw(again))
    assert taken.settled and taken.settled.outcome == "answered"
    wendy.replies("cancel", to=report)
    assert "was heard meanwhile" in wendy.replies("confirm", to=notice).only.text
    assert club.game(game).offer is None


def test_a_forger_cannot_write_to_the_player_through_the_notice(wendy: Correspondent) -> None:
    wendy.writes("register URGENT see evil example", "challenge boss@example.com confusion", vouched=False)
    assert "register ..." in wendy.last.text and "challenge ..." in wendy.last.text
    assert "URGENT" not in wendy.last.text and "boss" not in wendy.last.text


# Letters that name two things


def test_tags_of_two_games_are_a_disagreement(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    first = wendy.last_about(game)["Reply-To"]
    other = club.starts({"white": wendy, "yellow": yannick})
    second = wendy.last_about(other)["Reply-To"]
    wendy.writes("A-S1", to=f"{first}, {second}")
    assert "cannot tell which game" in wendy.last.text
    assert club.game(game).due.keys() == club.game(other).due.keys() == {"white"}


@pytest.mark.parametrize("header", ["Delivered-To", "X-Original-To"])
@pytest.mark.parametrize("whose", ["her own", "her opponent's", "a stranger's", "nobody's"])
def test_a_copy_that_is_delivered_elsewhere_first_counts_as_the_letter_itself(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int, whose: str, header: str
) -> None:
    """Given a letter of hers, when somebody who has got a copy has it delivered to another tag before it arrives, then
    it counts in the game that she wrote to, and once."""
    carl = club.member("Carl")
    first = wendy.last_about(game)["Reply-To"]
    other = club.starts({"white": wendy, "yellow": carl})
    tag = {
        "her own": wendy.last_about(other)["Reply-To"],
        "her opponent's": yannick.last_about(game)["Reply-To"],
        "a stranger's": carl.last_about(other)["Reply-To"],
        "nobody's": REFEREE.replace("@", "+zzzzzzzzzzzzzzzzzzzz@"),
    }[whose]
    letter = wendy.letter(["A-S1"], to=first)
    copied = club.take(club.raw(f"{header}: {tag}\r\n".encode() + letter)).settled
    itself = club.take(club.raw(f"{header}: {first}\r\n".encode() + letter)).settled
    assert copied is not None and itself is not None
    assert (copied.outcome, itself.outcome) == ("ruled", "ignored")
    assert club.game(game).due.keys() == {"yellow"} and club.game(other).due.keys() == {"white"}


@pytest.mark.parametrize("added", ["In-Reply-To: {thread}", "References: {thread}"])
def test_a_copy_that_was_made_to_be_refused_keeps_no_letter_from_counting(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int, added: str
) -> None:
    """Given a letter of hers, when a copy with a header more comes in before it, which names another game, then that is
    refused once, however often it comes; the letter itself counts, and once."""
    carl = club.member("Carl")
    other = club.starts({"white": yannick, "yellow": carl})
    header = added.format(thread=yannick.last_about(other)["Message-ID"])
    letter = wendy.letter(["A-S1"], to=wendy.last_about(game)["Reply-To"])
    copy = letter.replace(b"\r\n\r\n", f"\r\n{header}\r\n\r\n".encode(), 1)
    told = len(wendy.letters)
    outcomes = [club.take(club.raw(each)).settled for each in (copy, copy, letter, copy, letter)]
    assert [each and each.outcome for each in outcomes] == [
        "answered",
        "ignored",
        "ruled",
        "ignored",
        "ignored",
    ]
    assert len(wendy.letters) == told + 2 and club.game(game).due.keys() == {"yellow"}


def _retyped(letter: bytes, value: str) -> bytes:
    """Return a letter that says to be of another type, as few signatures forbid."""
    head, body = letter.split(b"\r\n\r\n", 1)
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"content-type")]
    return b"\r\n".join((*kept, f"Content-Type: {value}".encode())) + b"\r\n\r\n" + body


UNREADABLE: dict[str, Callable[[bytes], bytes]] = {
    "a header that is too long": lambda letter: b"X-A: " + 40_000 * b"y" + b"\r\n" + letter,
    "an attachment": lambda letter: _retyped(letter, "application/pdf"),
    "encrypted": lambda letter: _retyped(letter, 'multipart/encrypted; boundary="x"'),
    "parts that are none": lambda letter: _retyped(letter, 'multipart/mixed; boundary="x"'),
    "Outlook's own form": lambda letter: _retyped(letter, "application/ms-tnef"),
}


@pytest.mark.parametrize("how", UNREADABLE)
def test_a_copy_that_cannot_be_read_keeps_no_letter_from_counting(
    club: Club, wendy: Correspondent, game: int, how: str
) -> None:
    letter = wendy.letter(["A-S1"], to=wendy.last_about(game)["Reply-To"])
    copy = UNREADABLE[how](letter)
    outcomes = [club.take(club.raw(each)).settled for each in (copy, copy, letter, copy, letter)]
    assert [each and each.outcome for each in outcomes] == [
        "answered",
        "ignored",
        "ruled",
        "ignored",
        "ignored",
    ]
    assert club.game(game).due.keys() == {"yellow"}


def test_a_copy_that_says_something_else_by_its_type_is_asked_about(
    club: Club, wendy: Correspondent, game: int
) -> None:
    """Given a letter with ours below, when a copy has a Content-Type that makes a part of what stands there, then the
    letter itself is not passed over in silence: its writer reads of both."""
    below = ("", "-----Original Message-----", "From: Referee", "Sent: Friday", "", "L-S2")
    letter = wendy.letter(["A-S1", *below], to=wendy.last_about(game)["Reply-To"])
    copy = _retyped(letter, 'multipart/mixed; boundary="---Original Message-----"')
    club.take(club.raw(copy))
    itself = club.take(club.raw(letter))
    assert itself.settled is not None and itself.settled.outcome == "held"
    assert "Is this new?" in itself.only.text


def test_the_address_for_fewer_letters_counts_with_a_tag_of_ones_own_alone(
    wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    his = yannick.last_about(game)["Reply-To"].partition("+")[2].rstrip(">")
    for tag in ("anything", his.partition("@")[0]):
        written = wendy.writes("stop", to=REFEREE.replace("@", f"+off-{tag}@"))
        assert written.settled and written.settled.outcome == "ignored"
        assert not written.sent


# The umpire's deal


def test_a_deal_is_no_option(club: Club) -> None:
    seats = {Seat("white"): ("", "w@example.net"), Seat("yellow"): ("", "y@example.net")}
    deal = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4"
    with pytest.raises(UsageError, match="--deal"):
        club.referee.umpire.new_game("confusion", seats, {"deal": deal})


def test_the_referee_does_not_play(club: Club) -> None:
    address = REFEREE.replace("@", "+tag00000000000000001@")
    seats = {Seat("white"): ("", address), Seat("yellow"): ("", "y@example.net")}
    with pytest.raises(UsageError, match="umpires"):
        club.referee.umpire.new_game("confusion", seats, {})


# Strangers, and programs that answer everything


def test_a_stranger_who_slips_as_he_registers_is_told_and_can_try_again(club: Club) -> None:
    stranger = club.person("Otto")
    stranger.writes("What is this?")
    told = stranger.writes("register a@b")
    assert told.only.kind == "refusal" and "cannot hold the sign @" in told.only.text
    registered = stranger.writes("register Otto")
    assert registered.only.kind == "receipt"
    robot = club.person("Robot")
    answers = [len(robot.writes("register a@b").sent) for _ in range(20)]
    assert sum(answers) == MOST_SLIPS_A_DAY + 1  # and once what this address is


def test_a_program_that_answers_everything_is_not_answered_for_ever(club: Club, wendy: Correspondent) -> None:
    answers = [len(wendy.writes("Thank you for your letter!").sent) for _ in range(MOST_HELP_A_DAY + 10)]
    assert answers == [1] * MOST_HELP_A_DAY + [0] * 10
    assert wendy.writes("games").sent


# A letter that makes the service fail


def test_a_writer_whose_letter_was_set_aside_is_told_once(
    club: Club, wendy: Correspondent, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise RuntimeError("a fault of the service")

    monkeypatch.setattr("referee.pipeline.execution.dispatch", failing)
    letter = club.raw(wendy.reply(wendy.last_about(game), ["A-S1"]))
    club.referee.letters.take_in([letter])
    number = club.last_letter()
    with pytest.raises(RuntimeError):
        club.referee.letters.settle(number)
    settled = club.referee.letters.give_up(number, "RuntimeError in the service", tell=True)
    assert settled and settled.outcome == "set-aside"
    (told,) = club.collect()
    assert told.recipient == wendy.address and "could not be handled" in told.text
    with club.store.reading() as lookup:
        (line,) = lookup.letters.newest(1)
    assert line.sender == wendy.address
    club.later(timedelta(days=1))
    assert club.referee.letters.give_up(number, "again", tell=True) is None


# What stands in the letters of the other side


def test_nobody_learns_which_lines_stand_in_a_letter_to_somebody_else(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    """Given the Message-ID of a letter to the other side, when somebody answers that and guesses at its lines, then a
    right guess and a wrong one are answered alike."""
    seen = wendy.last["Message-ID"]
    right = next(line for line in wendy.last.text.splitlines() if line.startswith("A (") and ":" in line)
    wrong = f"{right.partition(':')[0]}: Nothing 13"
    known = "YELLOW'S PIECES, WHOSE TYPES YOU SEE"
    assert known in wendy.last.text
    answers = []
    for guess in (right, wrong):
        exchange = yannick.writes("Hello", known, guess, to=REFEREE, headers=[f"In-Reply-To: {seen}"])
        answers.append(exchange.only.text.replace(guess, "the guess").rsplit("Letter ", 1)[0])
    assert answers[0] == answers[1]
    assert "the guess" in answers[0]


def test_a_letter_of_a_player_to_somebody_else_does_not_count_when_that_one_hands_it_on(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    private = wendy.letter(["resign"], to="Yannick <yannick@example.com>", subject=f"[game {game}] What now?")
    settled = club.take(club.raw(private)).settled
    assert settled is not None
    assert (settled.outcome, club.game(game).status) == ("held", "playing")
    assert "did you write this?" in wendy.last["Subject"]
