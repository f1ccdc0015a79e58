"""Where letters go and from where they are taken: another main address, a second one, and who may say so."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from referee.common.errors import UsageError
from referee.handlers import invitation_limits
from referee.handlers.addresses import MOST_ASKED_A_DAY
from referee.rulebooks.rulebook import Seat
from tests.support.begun import member
from tests.support.bounces import bounce
from tests.support.playing import REFEREE, Club, Correspondent, Delivered

NEW = "anna@new.example"


@pytest.fixture
def anna(club: Club) -> Correspondent:
    return member(club, "Anna")


@pytest.fixture
def bert(club: Club) -> Correspondent:
    return member(club, "Bert", "bert@example.com")


def at(club: Club, who: Correspondent, address: str = NEW) -> Correspondent:
    """Return somebody at another address of his."""
    return club.person(who.name, address)


def asks(who: Correspondent, there: Correspondent, use: str = "address") -> Delivered:
    """Name another address; return the letter that went there."""
    who.writes(f"set {use} {there.address}")
    return there.last


def moves(who: Correspondent, there: Correspondent) -> None:
    asks(who, there)
    there.replies("confirm")


def address_of(club: Club, number: int = 1) -> str:
    with club.store.reading() as lookup:
        return lookup.players.find(number).address


def counts(who: Correspondent) -> bool:
    """Return whether a letter from this address is heard as a player's."""
    exchange = who.writes("games")
    assert exchange.settled
    return exchange.settled.outcome == "answered" and exchange.only.text.startswith("You have")


# Another main address


def test_nothing_changes_before_the_new_address_has_confirmed(club: Club, anna: Correspondent) -> None:
    there = at(club, anna)
    asked = anna.writes(f"set address {NEW}")
    to_there, to_here = sorted(asked.sent, key=lambda letter: letter.recipient != NEW)
    assert (to_there.kind, to_here.kind) == ("notice", "receipt")
    assert "Nothing has changed yet" in to_here.text
    assert to_there["Subject"] == "Referee: is this your address?"
    assert "Anna" in to_there.text and to_there.game is None
    assert "confusion" not in to_there.text.lower()
    assert counts(anna) and not counts(there)


def test_the_new_address_confirms_and_the_old_one_is_told(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    game = club.starts({"white": anna, "yellow": bert})
    there = at(club, anna)
    asks(anna, there)
    confirmed = there.replies("confirm")
    told = {letter.recipient: letter for letter in confirmed.sent}
    assert (told[NEW].kind, told[anna.address].kind) == ("receipt", "notice")
    assert NEW not in told[anna.address].text
    moved = there.writes("A-S1", subject=f"[game {game}]")
    assert moved.settled and moved.settled.moves == 1
    assert {letter.recipient for letter in moved.sent} == {NEW, bert.address}
    assert not counts(anna)


def test_the_old_address_takes_the_change_back(club: Club, anna: Correspondent) -> None:
    there = at(club, anna, "anna@evil.example")
    moves(anna, there)
    also = at(club, anna, "other@evil.example")
    asks(there, also, "second")
    also.replies("confirm")
    assert counts(also)
    back = anna.replies("cancel")
    assert back.only.recipient == anna.address and back.only.kind == "receipt"
    assert counts(anna) and not counts(there) and not counts(also)


def test_who_takes_the_change_back_is_told_of_a_second_address_that_was_there_before(
    club: Club, anna: Correspondent
) -> None:
    thief, further = at(club, anna, "a@evil.example"), at(club, anna, "b@evil.example")
    asks(anna, thief, "second")
    thief.replies("confirm")
    asks(thief, further)
    further.replies("confirm")
    told = anna.replies("cancel").only
    assert f"Letters from {thief.address} still count as yours" in " ".join(told.text.split())
    assert "set second none" in told.text.replace("\r", "").split("\n")
    anna.replies("set second none", to=told)
    assert not counts(thief) and not counts(further)


def test_who_takes_the_change_back_and_has_no_second_address_reads_nothing_of_one(
    club: Club, anna: Correspondent
) -> None:
    moves(anna, at(club, anna, "anna@evil.example"))
    assert "set second" not in anna.replies("cancel").only.text


@pytest.mark.parametrize("question", ["address", "former"])
@pytest.mark.parametrize("erased", [False, True])
def test_a_question_that_is_over_writes_to_nobody_whom_a_forger_names(
    club: Club, anna: Correspondent, question: str, erased: bool
) -> None:
    there = at(club, anna)
    asked = asks(anna, there)
    if question == "former":
        there.replies("confirm")
        asked = anna.last
    club.later(timedelta(days=8))
    if erased:
        club.referee.jobs.erase_what_is_due()
    for number in range(5):
        someone = club.person("Someone", f"someone{number}@innocent.example")
        for said in ("confirm", "cancel", "hello"):
            assert not someone.replies(said, to=asked, vouched=False).sent


def test_a_question_that_is_over_is_answered_to_no_more_people_than_may_be_written_to(
    club: Club, anna: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitation_limits, "MOST_AN_HOUR", 4)
    asked = asks(anna, at(club, anna))
    club.later(timedelta(days=8))
    told = [
        club.person("Someone", f"a{number}@evil.example").replies("confirm", to=asked).sent
        for number in range(8)
    ]
    assert [len(letters) for letters in told] == [1] * 4 + [0] * 4


def test_going_on_to_a_third_address_does_not_take_the_word_from_the_first(
    club: Club, anna: Correspondent
) -> None:
    there, further = at(club, anna, "a@evil.example"), at(club, anna, "b@evil.example")
    moves(anna, there)
    left = anna.last
    moves(there, further)
    assert "cancel" not in there.last.text
    answer = there.writes("cancel", to=left["Reply-To"]).only.text
    assert "from the address to which that letter went" in answer
    assert "anna@example.net" not in answer
    assert address_of(club) == further.address
    anna.replies("cancel", to=left)
    assert address_of(club) == anna.address


@pytest.mark.parametrize("said", [("NO! That was not me.",), ("Help,", "cancel"), ()])
def test_the_old_address_is_told_again_when_it_does_not_begin_with_the_word(
    club: Club, anna: Correspondent, said: tuple[str, ...]
) -> None:
    moves(anna, at(club, anna))
    left = anna.last
    assert "Nothing was changed" in anna.replies(*said).only.text
    assert address_of(club) == NEW
    anna.replies("cancel", to=left)
    assert address_of(club) == anna.address


def test_after_a_week_the_old_address_is_forgotten(club: Club, anna: Correspondent) -> None:
    moves(anna, at(club, anna))
    left = anna.last
    club.later(timedelta(days=8))
    assert "no longer possible" in anna.replies("cancel", to=left).only.text
    club.referee.jobs.erase_what_is_due()
    assert "no longer possible" in anna.replies("cancel", to=left).only.text
    club.referee.jobs.erase_what_is_due()
    with club.store.reading() as lookup:
        assert lookup.addresses.of_player(1) == []
        assert all(line.sender != anna.address for line in lookup.letters.newest(50)[:-2])
    assert address_of(club) == NEW


def test_nobody_registers_at_an_old_address_before_it_is_forgotten(club: Club, anna: Correspondent) -> None:
    moves(anna, at(club, anna))
    told = anna.writes("register Annabel").only
    assert "nobody else can be registered here" in told.text
    anna.replies("cancel", to=told)
    assert address_of(club) == anna.address
    moves(anna, at(club, anna, "other@new.example"))
    club.later(timedelta(days=8))
    anna.writes("register Annabel")
    club.referee.jobs.erase_what_is_due()
    assert address_of(club) == "other@new.example" and counts(anna)


def test_an_umpire_seats_nobody_at_an_old_address(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    moves(anna, at(club, anna))
    with pytest.raises(UsageError, match="until lately"):
        club.starts({"white": anna, "yellow": bert})


def test_a_challenge_to_an_old_address_finds_its_player_and_takes_nothing_from_it(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    there = at(club, anna)
    moves(anna, there)
    left = anna.last
    sent = bert.writes(f"challenge {anna.address} confusion").sent
    assert {letter.recipient for letter in sent} == {NEW, bert.address}
    assert "challenge yourself" in there.writes(f"challenge {anna.address} confusion").only.text
    anna.replies("cancel", to=left)
    assert address_of(club) == anna.address


@pytest.mark.parametrize("use", ["address", "second"])
def test_a_challenge_does_not_take_an_address_from_whom_it_belongs_to(
    club: Club, anna: Correspondent, bert: Correspondent, use: str
) -> None:
    there = at(club, anna)
    asked = asks(anna, there, use)
    bert.writes(f"challenge {NEW} confusion")
    confirmed = there.replies("confirm", to=asked)
    assert "declined" in bert.last.text and bert.last in confirmed.sent
    assert counts(there)
    with club.store.reading() as lookup:
        assert (owner := lookup.players.by_address(NEW)) is not None and owner.number == 1
    assert club.game(1).status == "declined"


def test_an_address_to_which_a_challenge_went_can_be_named(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    there = at(club, anna)
    bert.writes(f"challenge {NEW} confusion")
    moves(anna, there)
    assert address_of(club) == NEW


def test_the_old_address_as_the_second_one_does_not_lose_its_word(club: Club, anna: Correspondent) -> None:
    there = at(club, anna, "anna@evil.example")
    moves(anna, there)
    left = anna.last
    asks(there, anna, "second")
    anna.replies("confirm")
    anna.replies("cancel", to=left)
    assert address_of(club) == anna.address and not counts(there)
    with club.store.reading() as lookup:
        assert lookup.addresses.of_player(1) == []


def test_who_is_back_at_the_old_address_cannot_be_moved_again_from_the_one_between(
    club: Club, anna: Correspondent
) -> None:
    there = at(club, anna, "anna@evil.example")
    moves(anna, there)
    asks(there, anna)
    anna.replies("confirm")
    assert "cancel" not in there.last.text
    there.writes("cancel", to=there.last["Reply-To"])
    assert address_of(club) == anna.address


def test_two_changes_within_a_week_are_two_letters(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    for who in (anna, bert):
        here = who
        for number in range(3):
            there = at(club, who, f"{who.name.lower()}{number}@new.example")
            moves(here, there)
            here = there
    assert (address_of(club), address_of(club, 2)) == ("anna2@new.example", "bert2@new.example")


def test_a_change_that_a_clock_ahead_has_dated_keeps_nobody_for_a_year(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    there = at(club, anna)
    club.clock.at += timedelta(days=365)
    asked = asks(anna, at(club, anna, "b@new.example"))
    moves(anna, there)
    club.clock.at -= timedelta(days=365)
    assert "no longer possible" in club.reader("b@new.example").replies("confirm", to=asked).only.text
    there.writes("bye")
    there.replies("confirm")
    assert address_of(club) == ""


def test_a_confirmation_after_a_week_comes_too_late(club: Club, anna: Correspondent) -> None:
    there = at(club, anna)
    asked = asks(anna, there)
    club.later(timedelta(days=8))
    assert "no longer possible" in there.replies("confirm", to=asked).only.text
    club.referee.jobs.erase_what_is_due()
    assert "no longer possible" in there.replies("confirm", to=asked).only.text
    assert not there.replies("confirm", to=asked, vouched=False).sent
    assert sum(len(there.replies("confirm", to=asked).sent) for _ in range(20)) < 5
    assert address_of(club) == anna.address


def test_a_newer_wish_takes_the_place_of_the_older(club: Club, anna: Correspondent) -> None:
    first, second = at(club, anna, "one@new.example"), at(club, anna, "two@new.example")
    older, newer = asks(anna, first), asks(anna, second)
    first.replies("confirm", to=older)
    assert address_of(club) == anna.address
    second.replies("confirm", to=newer)
    assert address_of(club) == second.address


def test_a_confirmation_counts_once(club: Club, anna: Correspondent) -> None:
    there = at(club, anna)
    asked = asks(anna, there)
    there.replies("confirm", to=asked)
    anna.replies("cancel")
    there.replies("confirm", to=asked)
    assert address_of(club) == anna.address


def test_the_tag_confirms_nothing_from_another_address(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    there = at(club, anna)
    asked = asks(anna, there)
    stranger = club.person("Otto")
    for who in (bert, stranger, anna):
        answer = who.replies("confirm", to=asked).only.text
        # The address is no news to its owner, and to nobody else.
        assert ("from anna@new.example itself" in answer) == (who is anna)
        assert ("from the address to which that letter went" in answer) == (who is not anna)
        assert not who.replies("confirm", to=asked, vouched=False).sent
    assert address_of(club) == anna.address


def test_a_confirmation_that_nobody_vouches_for_is_held_until_the_player_confirms_it(
    club: Club, anna: Correspondent
) -> None:
    there = at(club, anna)
    asks(anna, there)
    held = there.replies("confirm", vouched=False)
    assert held.settled and held.settled.outcome == "held"
    assert held.only.recipient == anna.address
    anna.replies("confirm")
    assert address_of(club) == NEW


def test_who_did_not_ask_and_answers_is_told_that_nothing_was_changed(
    club: Club, anna: Correspondent
) -> None:
    there = at(club, anna)
    asks(anna, there)
    assert "Nothing was changed" in there.replies("I do not know any Anna.").only.text
    assert address_of(club) == anna.address


def test_who_did_not_ask_and_wants_fewer_letters_gets_none(club: Club, anna: Correspondent) -> None:
    there = at(club, anna)
    asked = asks(anna, there)
    there.writes("stop", to=asked["List-Unsubscribe"].strip("<>").removeprefix("mailto:"))
    assert len(there.letters) == 1


@pytest.mark.parametrize("use", ["address", "second"])
def test_whoever_names_an_address_of_another_player_is_told_nothing_of_it_and_nobody_is_asked(
    club: Club, anna: Correspondent, bert: Correspondent, use: str
) -> None:
    spare = at(club, bert, "bert@spare.example")
    asks(bert, spare, "second")
    spare.replies("confirm")
    club.later(timedelta(days=8))
    answers = []
    for address in (bert.address, spare.address, "nobody@spare.example"):
        club.later(timedelta(days=1))
        exchange = anna.writes(f"set {use} {address}")
        assert [letter.recipient for letter in exchange.sent if letter.recipient != anna.address] == (
            [address] if address.startswith("nobody") else []
        )
        again = anna.writes(f"set {use} {address.upper()}").only
        assert again.recipient == anna.address and again.kind == "receipt"
        for letter, said in ((exchange.sent[-1], address), (again, address.upper())):
            plain = re.sub(re.escape(said), "...", letter.text, flags=re.IGNORECASE)
            answers.append(plain.partition("Letter ")[0])
    assert len({" ".join(answer.split()) for answer in answers}) == 1


def test_two_who_name_the_same_address_ask_it_once_a_week(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    there = at(club, anna)
    first = asks(anna, there)
    told = anna.last.text
    assert bert.writes(f"set address {NEW}").only.recipient == bert.address, "nobody is asked again"
    assert bert.last.kind == "receipt" and bert.last.text.splitlines()[0] == told.splitlines()[0]
    club.later(timedelta(days=8))
    second = asks(bert, there)
    there.replies("confirm", to=second)
    there.replies("confirm", to=first)
    assert (address_of(club, 1), address_of(club, 2)) == (anna.address, NEW)


def test_who_names_an_address_once_more_may_still_confirm_it_by_the_letter_that_is_there(
    club: Club, anna: Correspondent
) -> None:
    there = at(club, anna)
    asked = asks(anna, there)
    assert anna.writes(f"set address {NEW}").only.kind == "receipt"
    there.replies("confirm", to=asked)
    assert address_of(club, 1) == NEW


def test_an_address_that_has_registered_meanwhile_is_not_taken(club: Club, anna: Correspondent) -> None:
    there = at(club, anna)
    asked = asks(anna, there)
    there.writes("register Annette")
    assert "no longer possible" in there.replies("confirm", to=asked).only.text
    assert (address_of(club, 1), address_of(club, 2)) == (anna.address, NEW)


def test_a_player_names_so_many_addresses_a_day_and_no_more(club: Club, anna: Correspondent) -> None:
    kinds = [
        anna.writes(f"set second pester{n}@example.org").sent[-1].kind for n in range(MOST_ASKED_A_DAY + 2)
    ]
    assert kinds == ["receipt"] * MOST_ASKED_A_DAY + ["refusal"] * 2
    club.later(timedelta(days=1))
    assert anna.writes("set second other@example.org").sent[-1].kind == "receipt"


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (REFEREE, "my own address"),
        (REFEREE.replace("@", "+tag00000000000000001@"), "my own address"),
        ("ANNA@Example.NET", "an address of yours already"),
        ("ännä@example.net", "beyond ASCII"),
        ("nobody", "is no mail address"),
        (f"{'a' * 300}@example.net", "is no mail address"),
        ("a@b@example.net", "is no mail address"),
    ],
)
def test_what_cannot_be_an_address_of_the_player_s_is_refused(
    anna: Correspondent, address: str, why: str
) -> None:
    refused = anna.writes(f"set address {address}").only
    assert refused.kind == "refusal" and why in refused.text


def test_a_forged_wish_does_not_show_its_address_and_asks_only_when_confirmed(
    club: Club, anna: Correspondent
) -> None:
    there = at(club, anna)
    held = anna.writes(f"set address {NEW}", vouched=False)
    assert NEW not in held.only.text and not there.letters
    anna.replies("confirm")
    assert "is it yours" in there.last.text


def test_who_leaves_meanwhile_confirms_nothing_any_more(club: Club, anna: Correspondent) -> None:
    there = at(club, anna)
    asked = asks(anna, there)
    anna.writes("bye")
    anna.replies("confirm")
    assert not any(letter.kind == "receipt" for letter in there.replies("confirm", to=asked).sent)
    assert address_of(club) == ""


def test_letters_that_came_back_from_the_old_address_do_not_count_against_the_new(
    club: Club, anna: Correspondent
) -> None:
    anna.writes("games")
    letters = anna.letters[-2:]
    there = at(club, anna)
    asks(anna, there)
    there.replies("confirm")
    for letter in letters:
        club.take(club.raw(bounce(letter)))
    with club.store.reading() as lookup:
        player = lookup.players.find(1)
        assert lookup.letters.newest(1)[0].reason.endswith("at an address that is not the player's main one")
    assert (player.returns, player.unreachable) == (0, False)


# A second address


def test_letters_from_a_second_address_count_and_answers_go_to_the_main_one(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    game = club.starts({"white": anna, "yellow": bert})
    there = at(club, anna)
    asks(anna, there, "second")
    added = there.replies("confirm").only
    assert added.recipient == anna.address and "set second none" in added.text
    moved = there.writes("A-S1", to=anna.last_about(game)["Reply-To"])
    assert moved.settled and moved.settled.moves == 1
    assert {letter.recipient for letter in moved.sent} == {anna.address, bert.address}
    with club.store.reading() as lookup:
        line = lookup.letters.newest(1)[0]
        assert line.sender == NEW
        assert [each.recipient for each in lookup.outbox.answers_to(line)] == [anna.address]


def test_a_second_address_is_taken_away_again(club: Club, anna: Correspondent) -> None:
    there = at(club, anna)
    asks(anna, there, "second")
    there.replies("confirm")
    assert counts(there)
    assert anna.writes("set second none").only.kind == "receipt"
    assert not counts(there)
    with club.store.reading() as lookup:
        assert lookup.letters.newest(50)[-2].sender == anna.address
        assert sum(line.sender == NEW for line in lookup.letters.newest(50)) == 1  # as a stranger


def test_the_second_address_can_become_the_main_one(club: Club, anna: Correspondent) -> None:
    there = at(club, anna)
    asks(anna, there, "second")
    there.replies("confirm")
    club.later(timedelta(days=1))
    moves(anna, there)
    assert address_of(club) == NEW and not counts(anna)
    with club.store.reading() as lookup:
        assert [each.use for each in lookup.addresses.of_player(1)] == ["former"]


def test_a_held_letter_is_confirmed_from_the_second_address_only_when_somebody_vouches(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    game = club.starts({"white": anna, "yellow": bert})
    there = at(club, anna)
    asks(anna, there, "second")
    there.replies("confirm")
    anna.writes("resign", subject=f"[game {game}]", vouched=False)
    asked = anna.last
    there.replies("confirm", to=asked, vouched=False)
    assert club.game(game).status == "playing"
    there.replies("confirm", to=asked)
    assert club.game(game).status == "ended"


def test_a_challenge_to_a_second_address_goes_to_the_main_one(
    club: Club, anna: Correspondent, bert: Correspondent
) -> None:
    there = at(club, anna)
    asks(anna, there, "second")
    there.replies("confirm")
    invited = bert.writes(f"challenge {NEW} confusion")
    assert {letter.recipient for letter in invited.sent} == {anna.address, bert.address}
    assert "challenge yourself" in anna.writes(f"challenge {NEW} confusion").only.text


def test_nobody_is_seated_twice_by_two_addresses_of_his(club: Club, anna: Correspondent) -> None:
    there = at(club, anna)
    asks(anna, there, "second")
    there.replies("confirm")
    seats = {Seat("white"): ("", anna.address), Seat("yellow"): ("", NEW)}
    with pytest.raises(UsageError, match="one player's"):
        club.referee.umpire.new_game("confusion", seats, {})
