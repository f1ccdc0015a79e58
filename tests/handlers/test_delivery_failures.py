"""Letters of ours that come back: tied to the letter, told to those who wait, and to nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.common.errors import Contested
from referee.games.events import Unreachable, read_event
from referee.handlers.composer import Composer
from referee.handlers.delivery_failures import MOST_LOST_AN_HOUR, TRY_AGAIN_AFTER
from referee.rulebooks.rulebook import Seat
from referee.store.values import LetterLine
from tests.pipeline.test_processor import DEAL, MOVES
from tests.support.bounces import bounce
from tests.support.playing import REFEREE, Club, Correspondent, Delivered, Exchange, new_database

OPERATOR = "postmaster@example.org"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    club.service = replace(club.service, operator=OPERATOR)
    club.open_house()
    yield club
    club.close()


@pytest.fixture
def wendy(club: Club) -> Correspondent:
    """Wendy, whose turn it is against Yannick in game 1."""
    club.begins(begin)
    return club.reader("wendy@example.net")


def begin(club: Club) -> int:
    return club.starts({"white": club.member("Wendy"), "yellow": club.member("Yannick")}, deal=DEAL)


@pytest.fixture
def yannick(club: Club, wendy: Correspondent) -> Correspondent:
    return club.reader("yannick@example.net")


def comes_back(club: Club, letter: Delivered, status: str = "5.1.1", **facts: str) -> Exchange:
    return club.take(club.raw(bounce(letter, status, **facts)))


def line(club: Club) -> LetterLine:
    with club.store.reading() as lookup:
        (found,) = lookup.letters.newest(1)
    return found


def look_round(club: Club, after: timedelta = timedelta()) -> tuple[Delivered, ...]:
    """Let time pass and the service do its chores; return what it wrote."""
    club.later(after)
    return club.looks_round()


def to(who: Correspondent | str, letters: tuple[Delivered, ...]) -> list[Delivered]:
    address = who if isinstance(who, str) else who.address
    return [letter for letter in letters if letter.recipient == address]


def lose(club: Club, who: Correspondent) -> Exchange:
    """Let letters to somebody come back until the service believes it."""
    comes_back(club, who.last)
    (copy,) = look_round(club, timedelta(days=1, hours=1))
    return comes_back(club, copy)


def tried_in_vain(club: Club, who: Correspondent, answer: str = "450 4.2.1 later") -> tuple[Delivered, ...]:
    """Let our own mail host take none of the letters to somebody for days; return what the service wrote."""
    for posting in club.store.outbox.claim(club.clock.at, 100):
        if posting.recipient == who.address:
            club.store.outbox.again(posting.id, club.clock.at, answer, False)
            club.store.outbox.refused(posting.id, answer)
    return look_round(club)


def test_a_single_return_is_tied_to_its_letter_and_told_to_nobody(club: Club, yannick: Correspondent) -> None:
    exchange = comes_back(club, yannick.last)
    assert exchange.sent == ()
    assert (line(club).outcome, line(club).game) == ("bounce", 1)
    assert line(club).reason == "bounce: permanent, 5.1.1; letter 1 of game 1 to player 2, for the first time"


def test_a_letter_that_came_back_once_is_sent_once_more_after_a_day_and_not_again(
    club: Club, yannick: Correspondent
) -> None:
    first = yannick.last
    comes_back(club, first)
    assert look_round(club, timedelta(hours=23)) == ()
    (copy,) = look_round(club, timedelta(hours=2))
    assert (copy.recipient, copy.number, copy.text) == (yannick.address, first.number, first.text)
    assert copy["Message-ID"] != first["Message-ID"]
    assert copy["Auto-Submitted"] == "auto-generated"
    assert look_round(club, timedelta(days=3)) == ()


def test_when_it_comes_back_twice_the_opponent_and_the_operator_are_told(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    exchange = lose(club, yannick)
    (notice,) = to(wendy, exchange.sent)
    assert (notice.kind, notice.game) == ("notice", 1)
    assert "Letters to Yannick come back" in " ".join(notice.text.split())
    assert yannick.address not in notice.content.decode()
    (told,) = to(OPERATOR, exchange.sent)
    assert "player 2 come back (5.1.1)" in " ".join(told.text.split())
    assert club.game(1).unreachable == {"yellow"}
    with club.store.reading() as lookup:
        last = lookup.events.of_game(1)[-1]
        assert lookup.players.find(2).unreachable
    assert read_event(last.kind, last.body) == Unreachable(Seat("yellow"))
    assert last.letter == line(club).number


def test_the_same_bounce_twice_counts_once(club: Club, yannick: Correspondent) -> None:
    letter = yannick.last
    comes_back(club, letter)
    again = club.take(club.raw(bounce(letter).replace(b"<bounce@", b"<another@")))
    assert again.sent == ()
    assert line(club).reason.endswith("told before")


def test_further_returns_tell_nothing_new(club: Club, wendy: Correspondent, yannick: Correspondent) -> None:
    lose(club, yannick)
    wendy.replies(MOVES[0])
    assert comes_back(club, yannick.last).sent == ()


@pytest.mark.parametrize(
    ("status", "action"), [("4.4.7", "delayed"), ("4.2.2", "failed"), ("2.0.0", "delivered")]
)
def test_what_may_pass_counts_for_nothing(
    club: Club, yannick: Correspondent, status: str, action: str
) -> None:
    letter = yannick.last
    for _ in range(3):
        assert comes_back(club, letter, status, action=action).sent == ()
    assert look_round(club, timedelta(days=1)) == ()
    assert line(club).reason.endswith("it counts for nothing")


def test_what_is_no_fault_of_the_address_is_told_to_the_operator_alone(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    exchange = comes_back(club, yannick.last, "5.7.1")
    (told,) = exchange.sent
    assert told.recipient == OPERATOR
    assert "letter 1 of game 1 to player 2" in told.text
    assert not club.game(1).unreachable


@pytest.mark.parametrize(
    "answer",
    [
        "the mail server smtp.example.org:587 was lost before it took the letter (4.4.2): Connection lost",
        "the mail server smtp.example.org:587 has perhaps taken the letter (4.4.2): its answer did not come",
        "the mail server smtp.example.org:587 refused the letter (4.3.0): 451 not now",
        "the mail server smtp.example.org:587 refused the letter (5.6.0): 554 looks like an advertisement",
        "the mail server smtp.example.org:587 refused the letter: 550 5.1.8 no such sender",
        "unexpected (4.3.0): KeyError('a mistake of ours')",
    ],
)
def test_what_goes_wrong_on_the_way_to_our_own_mail_host_never_counts_against_the_address(
    club: Club, wendy: Correspondent, yannick: Correspondent, answer: str
) -> None:
    (told,) = tried_in_vain(club, yannick, answer)
    assert told.recipient == OPERATOR
    assert "was refused: letter 1 to player 2." in told.text
    with club.store.reading() as lookup:
        player = lookup.players.find(2)
    assert (player.returns, player.unreachable) == (0, False)
    assert not club.game(1).unreachable


@pytest.mark.parametrize("status", ["5.3.4", "5.2.3"])
def test_a_letter_that_comes_back_as_too_large_is_sent_once_more_in_ever_smaller_forms(
    club: Club, wendy: Correspondent, yannick: Correspondent, status: str
) -> None:
    first = letter = yannick.last
    kinds = []
    for form in ("without pictures", "as text alone", "in brief"):
        (copy,) = comes_back(club, letter, status).sent
        assert line(club).reason.endswith(f"too large for the mail host there; sent once more, {form}")
        assert (copy.recipient, copy.number, copy.kind) == (yannick.address, first.number, first.kind)
        assert copy["Message-ID"] != letter["Message-ID"]
        assert copy["References"] == first["References"]
        assert len(copy.content) < len(letter.content)
        kinds.append(copy.content.count(b"Content-Type: "))
        letter = copy
    assert kinds == [3, 1, 1]
    assert "resend 1" in letter.text and "status 1" in letter.text
    (told,) = comes_back(club, letter, status).sent
    assert told.recipient == OPERATOR
    with club.store.reading() as lookup:
        assert (lookup.players.find(2).returns, lookup.players.find(2).unreachable) == (0, False)
    yannick.writes("resend 1")
    assert len(yannick.last.content) > len(first.content) * 0.9, "the whole letter can still be had"


def refuse_notices(club: Club, answer: str = "550 5.7.1 no") -> int:
    """Refuse all notices to the operator that are due; return how many there were."""
    due = [each for each in club.store.outbox.claim(club.clock.at, 99) if each.recipient == OPERATOR]
    for each in due:
        club.store.outbox.refused(each.id, answer)
    return len(due)


def test_a_notice_to_the_operator_that_is_refused_is_tried_again_for_days_after_growing_pauses(
    club: Club, yannick: Correspondent
) -> None:
    """It may be just the cause of the refusal that it tells of."""
    tried_in_vain(club, yannick, "550 5.7.1 no")
    tries, began, pauses = 0, club.clock.at, [club.clock.at]
    while club.clock.at - began < timedelta(days=6):
        if refuse_notices(club):
            tries += 1
            pauses.append(club.clock.at)
        club.referee.jobs.see_to_returns()
        club.clock.at += timedelta(minutes=30)
    assert 20 < tries < 60
    assert pauses[-1] - began < timedelta(days=5, hours=4)
    assert pauses[4] - pauses[3] < pauses[8] - pauses[7] < timedelta(hours=4)
    assert club.store.status.standing(OPERATOR).notices, "what was never taken is named to the end"


def test_a_notice_to_the_operator_that_comes_back_is_sent_again(club: Club, yannick: Correspondent) -> None:
    (told,) = tried_in_vain(club, yannick, "550 5.7.1 no")
    for _ in range(2):
        (due,) = (each for each in club.store.outbox.claim(club.clock.at, 99) if each.recipient == OPERATOR)
        club.store.outbox.accepted([(due.id, "250 ok")])
        comes_back(club, told)
        assert line(club).reason.endswith("a notice to the operator, which is sent again")
        club.later(timedelta(hours=4))


def test_a_letter_that_was_perhaps_taken_twice_is_told_to_the_operator(
    club: Club, yannick: Correspondent
) -> None:
    letter = next(
        each for each in club.store.outbox.claim(club.clock.at, 99) if each.recipient == yannick.address
    )
    for times in range(3):
        club.referee.jobs.tell_of_uncertain()
        told = [each for each in club.collect() if each.recipient == OPERATOR]
        assert len(told) == (times == 2)
        club.store.outbox.again(
            letter.id, club.clock.at + timedelta(minutes=1), "its answer did not come", True
        )
    assert "It is this: letter 1 to player 2." in " ".join(told[0].text.split())


SERVICE = [
    (
        "5.7.515",
        "550 5.7.515 Access denied, sending domain example.org doesn't meet the required level",
        "DMARC",
    ),
    ("5.7.26", "550-5.7.26 Unauthenticated email from example.org is not accepted", "DMARC record is needed"),
    ("5.0.0", "550-5.7.26 Unauthenticated email from example.org is not accepted", "DMARC record is needed"),
    ("5.7.23", "550 5.7.23 Sender Policy Framework violation", "SPF record"),
    ("5.7.25", "550 5.7.25 no PTR record", "PTR record"),
    ("5.7.27", "550 5.7.27 SPF did not pass", "SPF record"),
    ("5.1.8", "550 5.1.8 Access denied, bad outbound sender", "may not send as"),
    ("5.4.5", "550 5.4.5 Daily user sending limit exceeded", "wait a day"),
    ("5.0.0", "554 blocked using zen.spamhaus.org", "list of spammers"),
]
"""What mail hosts have against this service: the status, their words, and a word of the cure."""


@pytest.mark.parametrize(("status", "words", "cure"), SERVICE)
def test_what_a_mail_host_has_against_this_service_never_makes_a_player_unreachable(
    club: Club, wendy: Correspondent, yannick: Correspondent, status: str, words: str, cure: str
) -> None:
    """However often letters come back; the operator is told with the cure."""
    for _ in range(3):
        exchange = comes_back(club, yannick.last, status, words=words)
        assert {letter.recipient for letter in exchange.sent} == {OPERATOR}
        assert cure in " ".join(exchange.only.text.split())
        assert line(club).reason.endswith("for no fault of the address")
        assert to(yannick, look_round(club, timedelta(days=1, hours=1))) == []
        yannick.writes("status 1")
    with club.store.reading() as lookup:
        assert (lookup.players.find(2).returns, lookup.players.find(2).unreachable) == (0, False)
    assert not club.game(1).unreachable


@pytest.mark.parametrize(
    "answer",
    [
        *(words for _, words, _ in SERVICE),
        *(f"4{words[1:].replace(' 5.', ' 4.')}" for _, words, _ in SERVICE),
    ],
)
def test_what_our_own_mail_host_is_told_of_this_service_does_not_either(
    club: Club, wendy: Correspondent, yannick: Correspondent, answer: str
) -> None:
    """Given a letter that is given up at once or after days, as the answer has it, then the player is still reached."""
    (posting,) = [
        each for each in club.store.outbox.claim(club.clock.at, 100) if each.recipient == yannick.address
    ][:1]
    for _ in range(3):
        club.store.outbox.again(posting.id, club.clock.at, answer, False)
    club.store.outbox.refused(posting.id, f"the mail server mx.example.com:587 refused the letter: {answer}")
    sent = look_round(club)
    assert to(wendy, sent) == [] and len(to(OPERATOR, sent)) == 1
    assert not club.game(1).unreachable


def put_off(club: Club, who: Correspondent, answer: str, tries: int) -> None:
    (posting,) = [
        each for each in club.store.outbox.claim(club.clock.at, 100) if each.recipient == who.address
    ][:1]
    for _ in range(tries):
        club.store.outbox.again(posting.id, club.clock.at + timedelta(hours=3), answer, False)


def test_the_operator_is_told_of_what_is_refused_for_now_on_account_of_this_service(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    """Before it is refused for good, and once a day."""
    put_off(club, yannick, "421 4.7.26 Your email is unauthenticated", 5)
    (told,) = look_round(club)
    assert told.recipient == OPERATOR and "refused for now" in told.text
    assert "DMARC record is needed" in " ".join(told.text.split())
    assert look_round(club) == ()
    assert len(look_round(club, timedelta(days=1))) == 1


@pytest.mark.parametrize(
    ("answer", "tries"),
    [
        ("421 4.7.26 Your email is unauthenticated", 2),
        ("450 4.7.1 Greylisted, come back in 300 seconds", 9),
        ("450 4.2.2 mailbox full", 9),
    ],
)
def test_what_may_pass_by_itself_or_is_not_about_this_service_is_not_told(
    club: Club, yannick: Correspondent, answer: str, tries: int
) -> None:
    put_off(club, yannick, answer, tries)
    assert look_round(club) == ()


def test_a_report_of_a_delay_on_account_of_this_service_is_told_to_the_operator(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    exchange = comes_back(club, yannick.last, "4.7.27", action="delayed", words="450 4.7.27 SPF did not pass")
    assert exchange.only.recipient == OPERATOR and "SPF record" in exchange.only.text
    assert line(club).reason.endswith("it counts for nothing")


def test_a_bounce_that_names_no_letter_of_ours_is_recorded_and_moves_nothing(
    club: Club, yannick: Correspondent
) -> None:
    forged = bounce(yannick.last).replace(yannick.last["Message-ID"].encode(), b"<guessed@example.org>")
    for _ in range(3):
        assert club.take(club.raw(forged)).sent == ()
    assert line(club).reason.endswith("no player's letter is named")
    assert look_round(club, timedelta(days=1)) == ()


def test_a_bounce_to_a_reply_tag_that_quotes_no_letter_of_ours_is_recorded_and_moves_nothing(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    """Whoever has seen the tag could write it; mail hosts write to the envelope's sender, who has none."""
    second_address(club, yannick, "yannick@phone.example")
    for day in range(3):
        wendy.writes("draw 1")
        letter = yannick.last
        quoted = b"Message-ID: " + letter["Message-ID"].encode()
        club.take(club.raw(bounce(letter, to=letter["Reply-To"]).replace(quoted, b"X: %d" % day)))
        assert line(club).reason.endswith("no player's letter is named")
        wendy.writes("cancel 1")
        club.later(timedelta(days=1))
    with club.store.reading() as lookup:
        player = lookup.players.find(2)
    assert (player.returns, player.unreachable, player.address) == (0, False, yannick.address)


def test_returns_of_one_day_are_one_return_however_many_letters_are_named(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    """Who has seen some letters of a player's may write these; of the one sent again a day later he knows nothing."""
    yannick.writes("status 1")
    for _ in range(2):
        wendy.writes("draw 1")
        wendy.writes("cancel 1")
    reasons = []
    for letter in yannick.letters[-4:]:
        assert not to(wendy, comes_back(club, letter).sent)
        reasons.append(line(club).reason.rpartition(", ")[2])
    assert reasons[0] == "for the first time"
    assert not club.game(1).unreachable
    wendy.replies(MOVES[0])
    club.later(timedelta(days=2))
    assert not to(wendy, comes_back(club, yannick.last).sent), "it is of the same day as the first"
    (copy,) = to(yannick, look_round(club, timedelta(days=1, hours=1)))
    assert to(wendy, comes_back(club, copy).sent)


def test_a_first_return_that_a_clock_ahead_has_dated_keeps_no_second_from_counting(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    club.clock.at += timedelta(days=365)
    comes_back(club, yannick.last)
    club.clock.at -= timedelta(days=365)
    for _ in range(2):
        assert not club.game(1).unreachable
        (copy,) = look_round(club, timedelta(days=1, hours=1))
        comes_back(club, copy)
    assert club.game(1).unreachable == {"yellow"}


def test_a_bounce_in_prose_counts_by_the_code_in_it(club: Club, yannick: Correspondent) -> None:
    letter = yannick.last
    prose = (
        f"Return-Path: <>\r\nFrom: postmaster@relay.example.com\r\nTo: {REFEREE}\r\nSubject: failure notice\r\n\r\n"
        f"<{letter.recipient}>: 550 no such user\r\n\r\n--- Your letter:\r\nMessage-ID: {letter['Message-ID']}\r\n"
    )
    club.take(club.raw(prose.encode()))
    assert line(club).reason == "bounce: permanent, 5.0.0; letter 1 of game 1 to player 2, for the first time"


def test_whoever_writes_again_is_back_and_gets_what_had_come_back(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    lose(club, yannick)
    lost = yannick.last
    exchange = yannick.writes("status 1")
    (notice,) = to(wendy, exchange.sent)
    assert (notice.kind, notice.game) == ("notice", 1)
    assert "Yannick has written again" in " ".join(notice.text.split())
    *copies, answer = to(yannick, exchange.sent)
    assert [copy.number for copy in copies] == [lost.number]
    assert "had come back" in " ".join(answer.text.split())
    assert not club.game(1).unreachable
    with club.store.reading() as lookup:
        kinds = [each.kind for each in lookup.events.of_game(1)]
    assert [kind for kind in kinds if kind.endswith("eachable")] == ["Unreachable", "Reachable"]
    again = yannick.writes("status 1")
    assert len(again.sent) == 1, "and gets it no third time"


def test_after_a_single_return_a_letter_of_the_players_own_clears_it(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    comes_back(club, yannick.last)
    exchange = yannick.writes("status 1")
    assert to(wendy, exchange.sent) == []
    assert len(to(yannick, exchange.sent)) == 2
    assert look_round(club, timedelta(days=1)) == ()
    comes_back(club, yannick.last)
    assert not club.game(1).unreachable, "it counts from one again"


def test_an_invitation_that_comes_back_is_told_to_the_challenger(club: Club, wendy: Correspondent) -> None:
    club.person("Nobody", "typo@example.com")
    wendy.writes("challenge typo@example.com confusion")
    invitation = club.letters[-2] if club.letters[-1].recipient == wendy.address else club.letters[-1]
    assert invitation.recipient == "typo@example.com"
    exchange = comes_back(club, invitation)
    (notice,) = to(wendy, exchange.sent)
    assert "did not arrive" in " ".join(notice.text.split())
    assert "cancel 2" in notice.text


def test_a_letter_that_our_own_mail_host_refuses_counts_as_one_that_came_back(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    for posting in club.store.outbox.claim(club.clock.at, 100):
        if posting.recipient == yannick.address:
            club.store.outbox.refused(posting.id, "550 5.1.1 no such user")
    assert not to(wendy, look_round(club)), "two letters to him were refused, on one day"
    look_round(club, timedelta(days=1, hours=1))
    for posting in club.store.outbox.claim(club.clock.at, 100):
        if posting.recipient == yannick.address:
            club.store.outbox.refused(posting.id, "550 5.1.1 no such user")
    told = look_round(club)
    assert to(wendy, told) and to(OPERATOR, told)
    assert look_round(club, timedelta(days=1)) == (), "once"


def test_a_letter_tried_for_days_in_vain_needs_no_second(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    assert to(wendy, tried_in_vain(club, yannick))


def test_when_everybody_seems_lost_it_is_the_house_that_is_refused(club: Club) -> None:
    lost = 0
    for number in range(MOST_LOST_AN_HOUR + 5):
        person = club.person(f"P{number}")
        challenger = club.member(f"C{number}")
        challenger.writes(f"challenge {person.address} confusion")
        club.clock.at -= timedelta(minutes=20)
        (invitation,) = [each for each in club.letters if each.recipient == person.address]
        lost += bool(to(challenger, comes_back(club, invitation, "5.1.1").sent))
        club.clock.at -= timedelta(minutes=1)
    assert lost == MOST_LOST_AN_HOUR


def second_address(club: Club, who: Correspondent, address: str) -> Correspondent:
    """Give somebody a second address; return the mailbox there."""
    there = club.person(who.name, address)
    who.writes(f"set second {address}")
    there.replies("confirm")
    return there


def test_a_player_with_a_second_address_is_written_to_there_and_nobody_is_alarmed(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    there = second_address(club, yannick, "yannick@phone.example")
    wendy.replies(MOVES[0])
    lost = yannick.last
    exchange = lose(club, yannick)
    assert {letter.recipient for letter in exchange.sent} == {there.address, yannick.address}
    assert not club.game(1).unreachable
    copy, notice = there.letters[-2:]
    assert (copy.number, copy.text) == (lost.number, lost.text)
    assert "so yours come to this address from now on" in " ".join(notice.text.split())
    assert there.replies("status", to=copy).sent[0].recipient == there.address
    assert yannick.writes("status 1").sent[0].recipient == there.address, "both addresses are still his"


def test_the_address_that_letters_came_back_from_is_told_and_can_take_its_letters_back_for_a_week(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    """It may be another's who set the second one, and who has made it look as if letters came back."""
    there = second_address(club, yannick, "thief@evil.example")
    wendy.replies(MOVES[0])
    exchange = lose(club, yannick)
    (told,) = to(yannick, exchange.sent)
    assert told["Subject"] == "Referee: your letters go elsewhere" and there.address not in told.text
    there.writes("set second none")
    there.writes("bye")
    there.replies("confirm")
    with club.store.reading() as lookup:
        assert lookup.players.find(2).address == there.address, "who has left cannot be brought back"
    assert comes_back(club, told).sent == () and look_round(club, timedelta(days=2)) == ()
    yannick.replies("cancel", to=told)
    with club.store.reading() as lookup:
        assert lookup.players.find(2).address == yannick.address
        assert lookup.addresses.of_player(2) == []
    assert there.writes("status 1").only.text.startswith("I do not know your address")


def test_whoever_was_out_of_reach_is_back_by_another_address(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    there = club.person("Yannick", "yannick@new.example")
    yannick.writes("set address yannick@new.example")
    asked = there.last
    wendy.replies(MOVES[0])
    lost = yannick.last
    lose(club, yannick)
    assert club.game(1).unreachable == {"yellow"}
    exchange = there.replies("confirm", to=asked)
    assert not club.game(1).unreachable
    (notice,) = to(wendy, exchange.sent)
    assert "Yannick has written again" in notice.text
    assert next(iter(to(there, exchange.sent))).number == lost.number


def test_a_letter_written_before_the_player_wrote_last_counts_for_nothing(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    """However late the bounce comes, and whether by letter or by our own mail host."""
    first = yannick.last
    wendy.replies(MOVES[0])
    second = yannick.last
    yannick.writes("status 1")
    for letter in (first, second):
        assert comes_back(club, letter).sent == ()
        assert line(club).reason.endswith("who has written since")
    assert look_round(club, timedelta(days=1)) == ()
    for posting in club.store.outbox.claim(club.clock.at, 100):
        club.store.outbox.refused(posting.id, "550 5.1.1 no such user")
    assert not to(wendy, look_round(club)), "only the newest of his counts, and that is one"


def test_two_processes_that_look_at_once_send_a_letter_again_once(club: Club, yannick: Correspondent) -> None:
    comes_back(club, yannick.last)
    club.later(timedelta(days=1, hours=1))
    with club.store.reading() as lookup:
        seen = lookup.deliveries.returned_once(club.clock.at - TRY_AGAIN_AFTER, 10)
    assert seen
    club.looks_round()
    with pytest.raises(Contested), club.store.unit() as unit:
        for who, about, number, lost in seen:
            post = Composer(unit, club.service, club.clock.at, club.draws, lost)
            post.copy(who, about, number, None, lost=lost)


def test_whoever_comes_and_goes_all_day_is_told_of_once(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    told = 0
    for _ in range(4):
        told += len(to(wendy, tried_in_vain(club, yannick)))
        told += len(to(wendy, yannick.writes("status 1").sent))
    assert told == 2
    assert not club.game(1).unreachable
    club.later(timedelta(days=1))
    assert to(wendy, lose(club, yannick).sent)
