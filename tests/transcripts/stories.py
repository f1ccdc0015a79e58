"""The stories that the golden transcripts tell. Each is a function; its docstring is the page's title and purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from referee.cli.demo import sample_game
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.rulebook import Seat
from referee.service.tournaments import TournamentService
from tests.support.bounces import bounce
from tests.support.playing import REFEREE, Club, Correspondent, Exchange
from tests.transcripts.cards_in_french import CARDS_IN_FRENCH
from tests.transcripts.confusion_in_french import CONFUSION_IN_FRENCH
from tests.transcripts.spies_in_french import SPIES_IN_FRENCH
from tests.transcripts.stories_in_french import FRENCH_STORIES
from tests.transcripts.stories_of_battles import STORIES_OF_BATTLES
from tests.transcripts.stories_of_cards import STORIES_OF_CARDS
from tests.transcripts.stories_of_cases import CASES, CASES_IN_FRENCH
from tests.transcripts.stories_of_choices import STORIES_OF_CHOICES
from tests.transcripts.stories_of_overviews import OVERVIEWS
from tests.transcripts.stories_of_spies import STORIES_OF_SPIES
from tests.transcripts.stories_of_time import STORIES_OF_TIME
from tests.transcripts.stories_of_umpires import UMPIRES, UMPIRES_IN_FRENCH
from tests.transcripts.time_in_french import TIME_IN_FRENCH

WHITE_DEAL = "A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4"
YELLOW_DEAL = "A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"
DEAL = f"White={WHITE_DEAL}; Yellow={YELLOW_DEAL}"


def anna_and_bert(club: Club) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna on white and Bert on yellow, before the story begins."""
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    club.exchanges.clear()
    return anna, bert, game


def the_sample_game(club: Club) -> None:
    """The book's sample game

    An umpire seats two players; every move is a plain reply with nothing but the move; 76 attempts later White wins.
    """
    sample = sample_game()
    wendy, yannick = club.person("Wendy"), club.person("Yannick")
    club.starts({"white": wendy, "yellow": yannick}, first=sample.first, deal=sample.deal)
    seats = {"white": wendy, "yellow": yannick}
    moves = {seat: list(texts) for seat, texts in sample.moves.items()}
    seat = sample.first
    while moves[seat]:
        seats[seat].replies(moves[seat].pop(0))
        seat = "yellow" if seat == "white" else "white"


def two_strangers(club: Club) -> None:
    """Two strangers find each other

    With `register` Anna says who she is, with `challenge` she invites somebody who has never heard of the referee; he
    answers `accept`, they play, and she writes `resign`. No umpire has a hand in it.
    """
    anna = club.person("Anna")
    bert = club.person("Bert", "bert@example.com")
    anna.writes("Hello,", "", "register Anna", "", "Thanks!", subject="Hello")
    anna.replies("challenge bert@example.com confusion")
    bert.replies("accept", "", "What a nice idea, thank you.", "Bert")
    first, second = (anna, bert) if anna.last.text.startswith("Your move") else (bert, anna)
    first.replies("L-S2" if "you play White" in first.last.text else "L-N2")
    second.replies("Here I come!", "", "V-S1" if "you play White" in second.letters[-2].text else "V-N1")
    anna.replies("resign", "but let us play again")
    anna.replies("confirm")
    anna.replies("challenge bert@example.com confusion option colour=white")
    bert.replies("register Bert en", "accept")
    bert.replies("resign")


def declined_and_withdrawn(club: Club) -> None:
    """Challenges that come to nothing

    One is turned down by `decline`, one taken back by `cancel` before the answer, and answers that come too late are
    told so.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.exchanges.clear()
    anna.writes("challenge Bert confusion")
    bert.replies("decline", "I have no time, sorry.")
    bert.replies("accept", to=bert.letters[-2])
    anna.writes("challenge Berta confusion")
    anna.writes("challenge bert confusion", "challenge anna confusion", "challenge bert confuson")
    anna.replies("accept")
    anna.replies("cancel")
    bert.replies("accept")
    anna.replies("cancel")


def open_and_join(club: Club) -> None:
    """An open game is joined

    With `open` Anna offers a game to whoever comes; others find it by `games`, and the first who writes `join` plays.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    carl = club.member("Carl")
    nobody = club.person("Nemo")
    club.exchanges.clear()
    anna.writes("open confusion option colour=yellow option first=yellow")
    anna.replies("join 1")
    anna.writes("games")
    bert.writes("games")
    bert.replies("join 1")
    carl.writes("join 1")
    carl.writes("join 9")
    nobody.writes("join 1")
    anna.writes("games")


def draws(club: Club) -> None:
    """Draws

    An offer is made by `draw`, lapses with the other's move, is made again and taken back by `cancel`, and at last is
    agreed to by the same word `draw`.
    """
    anna, bert, _ = anna_and_bert(club)
    anna.replies("L-S2", "draw")
    bert.replies("C-N2")
    anna.replies("draw")
    anna.replies("draw")
    anna.replies("cancel")
    anna.replies("cancel")
    anna.replies("L-E1")
    bert.replies("draw")
    anna.replies("draw")
    anna.replies("draw")


def agreed_results(club: Club) -> None:
    """A result that both agree on

    With `agree` a player proposes how the game is to end: that a side has won, a draw, or to give it up without a
    result. The other answers with something else, does not agree to what he has not seen, takes his own proposal back
    by `cancel`, and at last agrees by the bare word.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("agree white", to=anna.last_about(game))
    seen = bert.last_about(game)
    bert.replies("agree none", to=seen)
    bert.replies("cancel", to=bert.last_about(game))
    anna.replies("agree", to=anna.letters[-2])
    anna.replies(f"agree draw {game}", to=anna.last_about(game))
    anna.replies("agree yellow", to=anna.last_about(game))
    asked = bert.letters[-2]
    bert.replies(f"agree {game}", to=asked)
    bert.replies("agree black", to=bert.last_about(game))
    bert.replies("agree none", to=bert.last_about(game))
    anna.replies("agree", to=anna.last_about(game))


def a_game_that_the_umpire_ends(club: Club) -> None:
    """A game that the umpire ends

    Bert does not write any more. Anna brings that before the umpire by `claim`, is told what can follow, and months
    later the umpire ends the game by a ruling, with a reason that both read.
    """
    anna, _, game = anna_and_bert(club)
    anna.replies("L-S2", to=anna.last_about(game))
    club.later(timedelta(days=90))
    anna.replies("status", to=anna.last_about(game))
    anna.replies("claim Bert has not written for three months.", to=anna.last_about(game))
    club.later(timedelta(days=14))
    club.referee.umpire.adjudicate(
        game, "white", "Yellow has not written for three months, and did not answer."
    )
    said = f"The umpire writes `referee adjudicate {game} --winner white`"
    club.exchanges.append(Exchange(None, None, club.collect(), said))


def a_game_that_is_taken_back(club: Club) -> None:
    """A game that is taken back

    Anna's second move was read otherwise than she meant it. The umpire first looks at what would be told, and takes the
    game back to her turn; Bert's plan lapses. A move that answers an older letter is not done. Later he corrects a move
    in Bert's name. The record keeps what was taken back.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("L-S2")
    bert.replies("C-N2", to=bert.last_about(game))
    anna.replies("L-S1", to=anna.last_about(game))
    bert.replies("try A-N1; if yes A-N1", to=bert.last_about(game))
    seen = anna.last_about(game)
    reason = "White's letter said A-S1 and was read as L-S1."
    trial = club.referee.umpire.take_back(game, 2, reason, seat=Seat("white"), dry=True)
    told = " and ".join(each.name for each in trial.told)
    club.referee.umpire.take_back(game, 2, reason, seat=Seat("white"))
    club.noted(f"The umpire tries `referee umpire take-back`, sees that {told} would be told, and adds --do.")
    anna.replies("L-S2", to=seen)
    anna.replies("A-S1", to=anna.last_about(game))
    bert.replies("A-N1", to=bert.last_about(game))
    club.referee.umpire.correct(game, "A-N2", "Yellow's letter said A-N2.")
    club.noted("The umpire corrects Yellow's move: `referee umpire correct` with A-N2.")
    anna.replies("record", to=anna.last_about(game))


def refused_moves(club: Club) -> None:
    """Moves that cannot be taken

    Out of turn, not well written, impossible whatever the piece may be, two in one letter; and letters without a move.
    """
    anna, bert, _ = anna_and_bert(club)
    bert.replies("L-N2")
    anna.replies("L-S9")
    anna.replies("L-SS2")
    anna.replies("B-S2")
    anna.replies("A-S2xC")
    anna.replies("Dear Bert,", "what a game. I am thinking about it.")
    anna.replies("L-S2", "K-SS1")
    anna.replies("K-S1")
    bert.replies("C-N2", "E-N1")
    anna.replies("L-E1", "L-E1")
    bert.replies("C-NE2", "Z-N1", "V", "helo", "draw?")


def asking(club: Club) -> None:
    """Asking the desk

    The list of `games`, the `status` of one of them, its `record` so far, and the pages of `help`.
    """
    anna, bert, _ = anna_and_bert(club)
    anna.writes("games")
    bert.writes("status")
    anna.replies("L-S2", to=anna.letters[1])
    bert.replies("status", to=bert.letters[1])
    bert.replies("record")
    anna.writes("record 1", "status 7")
    anna.writes("help")
    anna.writes("help resign")
    anna.writes("help confusion")
    anna.writes("help me")
    bert.replies("C-N2", "help draw", to=bert.letters[1])


def ways_of_reporting(club: Club) -> None:
    """How letters look

    Text alone, with the part for programs, with HTML and picture; and a wish that is not understood.
    """
    anna, bert, _ = anna_and_bert(club)
    anna.replies("set reports text")
    anna.replies("L-S2")
    bert.replies("set reports json", to=bert.letters[1])
    bert.replies("C-N2", to=bert.letters[-1])
    bert.replies("set reports jsn")
    anna.replies("set report html", "resign?")
    anna.replies("set reports html", "L-E1")


def what_the_answers_teach(club: Club) -> None:
    """What the answers teach

    Each letter says what an answer ruled out, what is certain now, and what follows for the other pieces; a promotion
    and an arrival without one are evidence too. From the first answer on the two sheets stand in every letter, and
    `why` brings the answers behind a line of them, of one's own sheet or of the other.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.exchanges.clear()
    yellow = "A4 C8 E12 H2 K10 L11 N1 O3 P7 S6 T5 V9"
    club.starts({"white": anna, "yellow": bert}, deal=f"White={WHITE_DEAL}; Yellow={yellow}")
    anna.replies("L-S4")
    bert.replies("H-N3")
    anna.replies("why L", "why yellow H")
    anna.replies("L-S4", to=anna.letters[-2])
    bert.replies("H-N3")
    anna.replies("L-S1")
    bert.replies("H-N2")
    anna.replies("A-S1")
    bert.replies("H-N1")
    bert.replies("why H")
    anna.replies("L-E1")


def sheets_as_a_list_and_as_a_picture(club: Club) -> None:
    """Sheets as a list and as a picture

    A player chooses how his sheets look. The text of a letter with the picture holds the list.
    """
    anna, bert, _ = anna_and_bert(club)
    anna.replies("set sheets list")
    bert.replies("set sheets picture")
    anna.replies("L-S2", to=anna.letters[1])
    bert.replies("C-N2", to=bert.letters[-1])
    anna.replies("L-E1", to=anna.letters[-1])
    bert.replies("C-NE2")


def a_game_without_sheets(club: Club) -> None:
    """A game without sheets

    It was agreed that both work it out for themselves: no letter says what follows from an answer, whatever is asked.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.exchanges.clear()
    anna.writes("challenge Bert confusion option sheets=off option colour=white option first=white")
    bert.replies("accept")
    anna.replies("L-S1", to=anna.last_about(1))
    bert.replies("C-N1", to=bert.last_about(1))
    anna.replies("why L")
    anna.replies("why yellow C")
    bert.replies("set sheets list", "status", to=bert.last_about(1))
    anna.replies("set reports json", "L-E1", to=anna.last_about(1))


def a_forged_sender(club: Club) -> None:
    """Letters in somebody's name

    Nobody vouches for the sender: the letter is held and the player asked, once a day; `confirm` makes it count.
    """
    anna, bert, _ = anna_and_bert(club)
    anna.replies("L-S2", vouched=False)
    anna.replies("L-E1", vouched=False, to=anna.letters[1])
    anna.replies("confirm")
    anna.replies("confirm", to=anna.letters[2])
    bert.replies("L-N1", to=anna.letters[-1], address=anna.letters[-1]["Reply-To"])
    bert.writes("confirm", "C-N2", vouched=False, to=bert.letters[1]["Reply-To"])
    club.later(timedelta(days=2))
    bert.writes("resign", vouched=False, to=bert.letters[1]["Reply-To"])
    bert.replies("no, that was not me")


def unknown_senders(club: Club) -> None:
    """Strangers

    A verified stranger is told once a week what this address is; for one that nobody vouches for there is no answer.
    """
    someone = club.person("Someone", "someone@example.com")
    someone.writes("What is this?", subject="Hello")
    someone.writes("Hello?", subject="Hello again")
    club.later(timedelta(days=8))
    someone.writes("V-NW2", subject="Hello after a week")
    someone.writes("register Someone", vouched=False)
    someone.writes("register 12345")
    someone.writes("register Someone", "games")


def which_game(club: Club) -> None:
    """Which game a letter is about

    Tag, thread and subject must agree; a line may name another game of the writer's; others' games stay closed. What
    names no game is about the only one in which it is the writer's turn; where that is none, or several, she is asked.
    """
    anna, bert, first = anna_and_bert(club)
    carl = club.member("Carl")
    second = club.starts({"white": carl, "yellow": anna}, deal=DEAL)
    third = club.starts({"white": bert, "yellow": carl}, deal=DEAL)
    club.exchanges.clear()
    about_first, about_second = anna.last_about(first), anna.last_about(second)
    anna.replies("L-S2", to=about_first, subject=f"Re: [game {second}] Confusion")
    anna.replies("L-S2", to=about_first, address=about_second["Reply-To"])
    anna.writes("L-S2", subject=f"[game {third}] let me play too")
    anna.replies(f"{third}: L-S2", to=about_first)
    anna.writes("17: L-S2", to=REFEREE)
    anna.writes("press Have a good game.", to=REFEREE)
    anna.replies("L-S2", to=about_first, address=bert.last_about(third)["Reply-To"])
    anna.writes("L-S2", to=REFEREE, subject="from my phone")
    anna.writes("resign", to=REFEREE)
    anna.writes("claim he has written to me", "beside the game", to=REFEREE)
    anna.writes("help leave", to=REFEREE)
    bert.writes("C-N2", to=REFEREE, subject=f"[game {first}]")


def unreadable_letters(club: Club) -> None:
    """Letters that cannot be read

    Encrypted, empty, nested too deep: each is answered once, with what to do.
    """
    anna, _, _ = anna_and_bert(club)
    anna.writes("L-S2", headers=['Content-Type: multipart/encrypted; boundary="b"', "MIME-Version: 1.0"])
    anna.writes("", headers=["Content-Type: text/plain"])
    parts = [f'--{depth}\r\nContent-Type: multipart/mixed; boundary="{depth + 1}"\r\n' for depth in range(24)]
    anna.writes(*parts, headers=['Content-Type: multipart/mixed; boundary="0"', "MIME-Version: 1.0"])


def machines(club: Club) -> None:
    """Machines

    Automatic answers, bounces, lists and our own letters are recorded with the reason, and nothing goes out.
    """
    anna, bert, _ = anna_and_bert(club)
    anna.replies("I am on holiday until Monday.", headers=["Auto-Submitted: auto-replied"])
    bert.writes("Delivery has failed.", headers=["X-Failed-Recipients: referee@example.org"])
    bert.writes("L-N2", headers=["List-Id: <chat.example.com>"])
    bert.writes("L-N2", headers=["X-Referee-Kind: report"])
    bert.writes("L-N2", headers=["From: Somebody Else <else@example.com>"])


def letters_that_come_back(club: Club) -> None:
    """Letters that come back

    A first return is no proof: the letter is sent once more. When that comes back as well, the opponent is told and
    the game waits; the next letter of the player's own sets everything right, and brings what was missed.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("L-S2")
    lost = bert.last
    club.take(club.raw(bounce(lost)))
    club.later(timedelta(days=1))
    (copy,) = club.looks_round("A day passes.")
    club.take(club.raw(bounce(copy)))
    bert.writes(f"status {game}", subject="My mailbox was full, it works again")


def letters_not_seen(club: Club) -> None:
    """Letters that were not seen

    Anna answers an older letter with what the game no longer allows: the newer ones come once more. Who has a move
    taken has missed nothing, whichever letter it answers; and each letter is sent again unasked only once.
    """
    anna, bert, game = anna_and_bert(club)
    first = anna.last_about(game)
    anna.replies("L-S2")
    bert.replies("L-N2", to=bert.last_about(game))
    anna.replies("C-S1", to=first)
    anna.replies("E-S1", to=first)
    anna.replies("H-S1", to=first)
    bert.replies("resign")
    anna.replies("K-S1", to=anna.letters[-2])


def the_same_letter_twice(club: Club) -> None:
    """The same letter twice

    A letter that comes again counts once: from the same place in the mailbox, from another, or by another way.
    """
    anna, _, _ = anna_and_bert(club)
    content = anna.reply(anna.last, ["L-S2"])
    club.take(club.raw(content, uid="17"))
    club.take(club.raw(content, uid="17"))
    club.take(club.raw(content, uid="18", uidvalidity=2))
    club.take(club.raw(b"Received: from another by host\r\n" + content, uid="19"))


def several_games_in_one_letter(club: Club) -> None:
    """Several games in one letter

    Lines that name their game are ruled each in its own; the writer hears about each of them.
    """
    anna, _, first = anna_and_bert(club)
    carl = club.member("Carl")
    second = club.starts({"white": anna, "yellow": carl}, deal=DEAL)
    third = club.starts({"yellow": anna, "white": carl}, deal=DEAL)
    club.exchanges.clear()
    anna.writes(f"{first}: L-S2", f"game {second} K-S1", f"{third}: L-N2", "games", subject="All my moves")
    anna.replies("status", f"{second}: draw", to=anna.last_about(first))


def fewer_letters(club: Club) -> None:
    """Asking for fewer letters

    A letter to the address in List-Unsubscribe resigns nothing: from then on only what needs something from Anna comes
    to her, and what she was not told stands in the next letter about the game. Later she wants all again.
    """
    anna, bert, game = anna_and_bert(club)
    anna.writes(
        "", to=anna.last["List-Unsubscribe"].strip("<>").removeprefix("mailto:"), subject="unsubscribe"
    )
    anna.replies("L-S2", to=anna.letters[1])
    bert.replies("draw", to=bert.last_about(game))
    bert.replies("cancel")
    bert.replies("C-N2", to=bert.last_about(game))
    anna.replies("set letters each")
    bert.replies("resign")


def a_changed_address(club: Club) -> None:
    """Another address

    Anna's letters go to another address once it has confirmed; the old one is told. Somebody who got hold of her
    mailbox tries the same, and the old address takes it back.
    """
    anna, bert, game = anna_and_bert(club)
    there, thief = club.person("Anna", "anna@new.example"), club.person("Anna", "anna@thief.example")
    anna.writes("set address anna@new.example")
    anna.replies("confirm", to=there.last)
    there.replies("confirm")
    there.replies("L-S2", to=anna.last_about(game))
    bert.writes("set address anna@new.example")
    club.later(timedelta(days=8))
    club.referee.jobs.erase_what_is_due()
    there.writes("set address anna@thief.example")
    thief.replies("confirm")
    there.replies("That was not me!")
    there.replies("cancel")
    thief.writes("games")


def a_second_address(club: Club) -> None:
    """A second address

    Anna writes from her telephone: the letter is held, since its address is not hers, and her reply address changes.
    Then she makes it her second one.
    """
    anna, _, game = anna_and_bert(club)
    phone = club.person("Anna", "anna@phone.example")
    phone.replies("L-S2", to=anna.last_about(game))
    anna.writes("set second anna@phone.example")
    phone.replies("confirm")
    phone.writes("L-S2", to=anna.last_about(game)["Reply-To"])
    anna.writes("set second none")
    phone.writes("status")


def a_player_who_leaves(club: Club) -> None:
    """A player leaves

    Who writes `bye` is asked, and then resigns what is running and is erased. The game stays, and is told without the
    name.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("L-S2", "Good luck, Bert.", "Bye", "Anna")
    bert.writes("challenge Anna confusion")
    anna.writes("bye")
    anna.replies("confirm")
    while postings := club.store.outbox.claim(club.clock.at, 100):
        club.store.outbox.accepted([(each.id, "250 ok") for each in postings])
    club.referee.jobs.erase_what_is_due()
    bert.writes(f"status {game}", "games")
    bert.writes("challenge Anna confusion")
    anna.writes("games")
    anna.writes("register Anna")


def his_own_clock(club: Club) -> None:
    """A clock of one's own

    Anna names a city, and all times in her letters are told by the clock there as well. The word `set` alone lists what
    she has chosen.
    """
    anna, _, _ = anna_and_bert(club)
    anna.writes("set zone paris")
    anna.writes("set zone New Yrok")
    anna.writes("set zone new york")
    anna.writes("set zone EST")
    anna.writes("set")
    anna.writes("help set")


def letters_without_pictures(club: Club) -> None:
    """Letters without pictures

    Anna's letters are pages still, and the board in them is drawn in signs; her sheets come as a list where they would
    be a picture.
    """
    anna, _, game = anna_and_bert(club)
    anna.replies("set picture off")
    anna.replies("set sheets picture")
    anna.replies("L-S2", to=anna.last_about(game))


def by_his_own_compass(club: Club) -> None:
    """Directions as a player sees them

    Anna plays White and looks south. Beside each move she reads where it goes from where she sits, and she writes hers
    so; Bert, the record and the receipts know nothing of it.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("set compass own")
    anna.replies("L-F2", to=anna.last_about(game))
    bert.replies("C-N2", to=bert.last_about(game))
    anna.replies("L-FQ2", to=anna.last_about(game))
    anna.replies("B-F2", to=anna.last_about(game))
    anna.replies("L-F12", to=anna.last_about(game))
    anna.replies("L-E1 (L)", to=anna.last_about(game))
    bert.replies("C-FL1", to=bert.last_about(game))
    bert.replies("C-NW1", to=bert.last_about(game))
    anna.replies("why L", "record", to=anna.last_about(game))
    anna.replies("set compass record", "H-SE1", to=anna.last_about(game))


def the_news_of_a_day(club: Club) -> None:
    """The news of a day

    Anna plays two games, and wants one letter a day. Moves wait for the evening; an offer of a draw does not, nor does
    a result. What one letter has told no other tells again.
    """
    anna, bert, first = anna_and_bert(club)
    carl = club.member("Carl")
    second = club.starts({"white": carl, "yellow": anna}, deal=DEAL)
    club.exchanges.clear()
    anna.writes("set zone Paris", "set letters daily")
    anna.replies("L-S2", to=anna.last_about(first))
    bert.replies("C-N2", to=bert.last_about(first))
    carl.replies("L-S2", to=carl.last_about(second))
    club.strikes("It is not evening yet.")
    club.later(timedelta(days=1))
    (news,) = club.strikes("The evening comes.")
    club.strikes("Nothing is written twice.")
    anna.replies("L-E1", to=news)
    anna.replies(f"{first}: L-E1", f"{second}: C-N1", to=news)
    carl.replies("L-S1", "draw", to=carl.last_about(second))
    carl.replies("cancel")
    bert.replies("C-NW1", to=bert.last_about(first))
    anna.replies("status", to=anna.last_about(first))
    club.later(timedelta(days=1))
    (news,) = club.strikes("The next evening comes.")
    anna.replies("C-N1", f"{first}: resign", to=news)
    anna.replies("confirm", to=anna.last_about(first))
    club.later(timedelta(days=1))
    club.strikes("On the third evening there is nothing to tell.")
    anna.replies("draw", to=anna.last_about(second))
    carl.replies("draw", to=carl.last_about(second))


def checking_in(club: Club) -> None:
    """Checking in

    A player's first letter about a game says that he is there. An umpire's game waits for both; whoever accepts a
    challenge is there already, and so is whoever has just made it.
    """
    anna, bert, game = anna_and_bert(club)
    anna.writes("games")
    anna.writes(f"status {game}")
    bert.replies("Hello!", to=bert.last_about(game))
    anna.writes(f"status {game}", "games")
    anna.writes("challenge Bert confusion option colour=lot")
    bert.writes("accept")
    anna.writes("games")
    anna.writes("open confusion option first=white")
    club.later(timedelta(days=8))
    bert.writes("join 3")
    bert.writes("status 3")


def open_to_some(club: Club) -> None:
    """Open, but not to everybody

    Anna opens games to those who have finished some, to those who do not play too many, and not to Carl. Whoever
    cannot join is told why.
    """
    anna, bert, game = anna_and_bert(club)
    carl = club.member("Carl")
    club.exchanges.clear()
    anna.writes("open confusion option finished=1 option playing=1 option colour=lot")
    anna.writes("open confusion option not=carl")
    anna.writes("open confusion option finished=many option not=Karl")
    carl.writes("games")
    carl.writes("join 2")
    carl.writes("join 3")
    bert.writes("join 2")
    bert.replies("resign", to=bert.last_about(game))
    bert.writes("games")
    bert.writes("join 2")


def a_look_ahead(club: Club) -> None:
    """A look ahead

    Before a move is made, `preview` tells what is known of it: where it leads, what stands there, and by her sheet for
    which types the answer would be yes. It may be asked for out of turn, changes nothing, and refuses what a real move
    is refused for.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("preview L-S2")
    bert.replies("preview C-N9", "preview L-N3")
    anna.replies("L-S4", to=anna.last_about(game))
    anna.replies("preview L-S4", "preview L-S3xZ", "preview A-S1")
    bert.replies("preview C-NNW2")


def a_look_ahead_without_sheets(club: Club) -> None:
    """A look ahead without sheets

    Where the players work out for themselves what follows, `preview` says what the movement table says, and no more.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.starts({"white": anna, "yellow": bert}, deal=DEAL, sheets="off")
    club.exchanges.clear()
    anna.replies("L-S4")
    anna.replies("preview L-E2")


def a_plan(club: Club) -> None:
    """A plan

    With `try` Bert leaves a plan for his coming turns; it goes on by itself whenever Anna has moved, and he is told.
    She hears of his attempts, and never that they were planned. Where nothing in a plan fits, it is at its end.
    """
    anna, bert, game = anna_and_bert(club)
    bert.replies("try C-N2; if no E-N1; if no E-NE1")
    bert.replies("status")
    anna.replies("L-S2", to=anna.last_about(game))
    anna.replies("L-S1", to=anna.last_about(game))
    anna.replies("L-S1", to=anna.last_about(game))
    anna.replies("try L-S1; if no K-S1", to=anna.last_about(game))


def a_plan_with_brackets(club: Club) -> None:
    """A plan with brackets

    What is to follow which answer is kept together by brackets, and shown back step by step. It begins at once when it
    is Anna's turn.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("help try")
    anna.replies(
        "try L-S2; if no (L-S1; if yes L-S1; if no K-S1);", "if yes (L-E1; if lost A-S1;", "if no L-S1)"
    )
    bert.replies("C-N2", to=bert.last_about(game))
    bert.replies("C-N1", to=bert.last_about(game))


def a_queue(club: Club) -> None:
    """Moves in a queue

    With `try` and `then` the next move is tried whatever was answered.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("try L-S2; then L-S1; then L-E1")
    bert.replies("C-N2", to=bert.last_about(game))
    bert.replies("E-N1", to=bert.last_about(game))


def two_plans_meet(club: Club) -> None:
    """Two plans meet

    Both have left plans: one letter makes all of their moves, one after the other, and each is told how it stands then.
    """
    anna, bert, game = anna_and_bert(club)
    bert.replies("try C-N2; then C-N1; then E-N1")
    anna.replies("try L-S2; if yes L-S1; if yes L-E1", to=anna.last_about(game))


def plans_that_end_early(club: Club) -> None:
    """Plans that end early

    A planned move that the board no longer allows, a draw that is offered, the word `cancel`, a move by hand and the
    end of the game end a plan; its owner is told why.
    """
    anna, bert, game = anna_and_bert(club)
    bert.replies("try C-N2; then E-S1")
    anna.replies("L-S2", to=anna.last_about(game))
    anna.replies("L-S1", to=anna.last_about(game))
    bert.replies("C-N1", to=bert.last_about(game))
    bert.replies("try C-N1; then E-N1")
    anna.replies("draw", "K-S1", to=anna.last_about(game))
    bert.replies("E-N1", to=bert.last_about(game))
    bert.replies("try C-N1", to=bert.last_about(game))
    bert.replies("try E-N1; then C-N1")
    bert.replies("cancel")
    anna.replies("try K-S1; then K-S1", "A-S1", to=anna.last_about(game))
    bert.replies("E-NE1", "try E-N1; then C-N1", to=bert.last_about(game))
    anna.replies("resign", to=anna.last_about(game))


def plans_not_understood(club: Club) -> None:
    """Plans that are not understood

    What is wrong is told with line, column and step; nothing of the plan is kept.
    """
    _, bert, _ = anna_and_bert(club)
    bert.replies("try C-N2; if no E-N1;", "if no C-NNE1")
    bert.replies("try C-N2; if noo E-N1")
    bert.replies("try C-N2; E-N1")
    bert.replies("try C-N2; if no E-N1; then C-N1")
    bert.replies("try C-N2; if no (E-N1")
    bert.replies("if no E-N1")
    bert.replies("; then ".join(["try C-N2", *["C-N2"] * 30]))


def moves_for_a_turn_that_is_over(club: Club) -> None:
    """Moves for a turn that is over

    A move may say for which turn it is meant, or as which letter told the game. When the game has gone on, it is
    refused, with the board as it was then and what has happened since beside the board of now.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("L-S2 @1")
    bert.replies("C-N2 @2", to=bert.last_about(game))
    anna.replies("L-S1 @1", to=anna.letters[1])
    anna.replies("L-S1 @letter 2", to=anna.letters[2])
    anna.replies("L-S1 @9")
    anna.replies("L-S1 @letter 5")


def five_games_in_one_letter(club: Club) -> None:
    """Five games in one letter

    Each line names its game, and is ruled on there: one letter answers, and of each further game in which a move was
    ruled on comes its own report. What cannot be taken stands in the answer; the others lose nothing by it.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    others = [bert, club.member("Carl"), club.member("Dora"), club.member("Emil"), bert]
    games = [club.starts({"white": anna, "yellow": other}, deal=DEAL) for other in others]
    club.exchanges.clear()
    first, second, third, fourth, fifth = games
    anna.writes(
        f"{first}: L-S2",
        f"{second}: K-S1",
        f"game {third}: C-S1",
        f"{fourth}: L-S9",
        f"{fifth}: try L-S2; if no K-S1",
        subject="All my moves",
    )
    anna.replies(f"{fourth}: L-S1", f"{third}: L-S1", to=anna.last_about(first))


def press(club: Club) -> None:
    """Players write to each other

    A text goes on up to an empty line or a line that is a command. It never counts as a move, and stands set apart in
    the other's letter; beside a move it stands in his report, and it is shown back to its writer.
    """
    anna, bert, game = anna_and_bert(club)
    first = anna.last_about(game)
    anna.replies("press Good luck, Bert!", "May the better one win.", to=first)
    bert.replies("press all Thank you, Anna: may you find out what", "your pieces are before I do.")
    anna.replies("L-S2", "press V-NW2 would have been too bold.", to=first)
    bert.replies(
        "press I have looked at the board for a week, and I have still no idea",
        "draw",
        "would suit me, perhaps.",
        "",
        "C-N2",
    )
    anna.replies("press", "L-E1", to=anna.last_about(game))
    anna.replies(f"press {'so long ' * 300}", to=anna.last_about(game))
    bert.replies("resign", to=bert.last_about(game))
    anna.replies("press all: A good game, thank you.", to=anna.last_about(game))


def press_without_names_and_without_press(club: Club) -> None:
    """Press without names, and games without press

    How players may write to each other is agreed before the game: by their names, by their colours alone, or not
    at all.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.exchanges.clear()
    anna.writes("challenge Bert confusion option press=anonimous")
    anna.writes("challenge Bert confusion option press=anonymous option colour=white option first=white")
    bert.replies("accept")
    anna.replies("press Who might this be?", to=anna.last_about(1))
    anna.writes("open confusion option press=off option colour=white option first=white")
    bert.writes("join 2")
    bert.replies("press May I say something?")


def muted_press(club: Club) -> None:
    """Press that is not wanted

    Bert mutes Anna's press; she is told so when she writes some, and her moves arrive as ever.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("press You will lose.", to=anna.last_about(game))
    bert.replies("mute")
    anna.replies("press Did you read that?", to=anna.last_about(game))
    anna.replies("press And this?", "L-S2", to=anna.last_about(game))
    bert.replies("mute off")
    anna.replies("press I beg your pardon.", to=anna.last_about(game))


def a_diary(club: Club) -> None:
    """A diary

    What a player notes is shown to him alone, until both get all of it with the letter that ends the game.
    """
    anna, bert, game = anna_and_bert(club)
    anna.replies("diary L may be the Mimic, or", "something that goes straight.", to=anna.last_about(game))
    anna.replies("L-S2", "diary", to=anna.last_about(game))
    bert.replies("diary She always begins with L.", "C-N2", to=bert.last_about(game))
    bert.replies("diary", to=bert.last_about(game))
    bert.replies("resign", to=bert.last_about(game))
    anna.replies("diary Won!", to=anna.last_about(game))


def a_claim(club: Club) -> None:
    """A claim

    Whoever runs the service gets it with the numbers of the game's last letters, and with the press of the last 30 days
    where it is about press. The claimant has a receipt, and the opponent does not hear of it.
    """
    club.service = replace(club.service, operator="operator@example.org")
    club.open_house()
    anna, bert, game = anna_and_bert(club)
    anna.replies("L-S2", "press Only a fool would move there.", to=anna.last_about(game))
    bert.replies("claim The answer to L-S2 cannot be right.", to=bert.last_about(game))
    bert.replies("claim Must I read such press?", to=bert.last_about(game))
    bert.replies("claim", to=bert.last_about(game))


def people_who_watch(club: Club) -> None:
    """People who watch

    Anna and Bert have agreed that others may watch. Carl hears what both of them hear, in a letter for each attempt,
    and no type before the end; he can ask, and do nothing else. The players are told his name. What they write to all
    reaches him.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    carl = club.member("Carl")
    club.exchanges.clear()
    anna.writes("challenge Bert confusion option colour=white option first=white option watchers=on")
    bert.replies("accept")
    carl.writes("watch 7")
    carl.replies("watch 1")
    anna.replies("L-S2", to=anna.last_about(1))
    bert.replies("C-N2", "press all Good evening, whoever reads this.", to=bert.last_about(1))
    carl.replies("V-NW2", "press May I say something?", to=carl.last_about(1))
    carl.replies("status", "record", to=carl.last_about(1))
    bert.replies("status", to=bert.last_about(1))
    carl.writes("games")
    bert.writes("watch 1")
    anna.replies("resign", to=anna.last_about(1))
    carl.replies("watch off", to=carl.last_about(1))


def watching_late(club: Club) -> None:
    """Watching a turn late

    Here the players have agreed that others hear of a turn when the next one is over. So nobody who watches can help;
    and what they ask for is as late as their letters. The end is told at once, and with it all.
    """
    anna, bert, carl = club.member("Anna"), club.member("Bert", "bert@example.com"), club.member("Carl")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, watchers="1")
    club.exchanges.clear()
    carl.writes(f"watch {game}")
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("C-N2", "press all That was a good one.", to=bert.last_about(game))
    anna.replies("A-S1", to=anna.last_about(game))
    carl.replies("status", to=carl.last_about(game))
    bert.replies("A-N1", to=bert.last_about(game))
    anna.replies("C-S1", to=anna.last_about(game))
    carl.writes(f"watch off {game}")
    carl.writes(f"watch {game}")
    bert.replies("resign", to=bert.last_about(game))


def a_rematch(club: Club) -> None:
    """Once more

    The same two, by the same rules and options, with the colours exchanged. Who is asked may accept, or say the same
    word.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    anna.writes("challenge Bert confusion option colour=white option first=white option sheets=off")
    bert.replies("accept")
    club.exchanges.clear()
    anna.replies("rematch", to=anna.last_about(1))
    anna.replies("resign", to=anna.last_about(1))
    anna.replies("rematch")
    anna.replies("rematch", to=anna.last_about(1))
    bert.replies("rematch", to=bert.last_about(1))
    bert.replies("rematch", to=bert.last_about(1))


def other_terms(club: Club) -> None:
    """A challenge answered with other terms

    What Bert names is proposed to Anna instead, and she accepts, declines or answers with terms of her own. An open
    game is taken as it is, by whoever comes first, and nobody plays with himself.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    carl = club.member("Carl")
    club.exchanges.clear()
    anna.writes("challenge Bert confusion option colour=white option sheets=off")
    bert.replies("accept option colour=white option first=green")
    bert.replies("accept option colour=white option first=yellow", to=bert.letters[1])
    bert.writes("accept 1")
    anna.replies("accept option sheets=on", to=anna.last_about(1))
    bert.writes("games")
    bert.replies("accept 1", to=bert.last_about(1))
    anna.writes("open confusion option first=white")
    bert.writes("accept 2 option first=yellow")
    anna.writes("accept 2")
    bert.writes("accept 2")
    carl.writes("join 2")


def an_event(club: Club) -> None:
    """An event with its officers

    Whoever runs the service makes an event and gives its offices to two players. They hear what they are for. Who plays
    in it hears, once, which event it is and who umpires: the deputy where the umpire plays. `events` lists it.
    """
    olga, dora, anna = club.member("Olga"), club.member("Dora"), club.member("Anna")
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    club.exchanges.clear()
    secretary.make(Competition("Spring League", rules=("confusion",), press="off"))
    secretary.appoint("Spring League", "umpire", ("", olga.address))
    secretary.appoint("Spring League", "deputy", ("", dora.address))
    club.noted("The event Spring League is made; Olga is to be its umpire, Dora the deputy.")
    for white, yellow in ((anna, dora), (olga, anna)):
        seats = {Seat("white"): ("", white.address), Seat("yellow"): ("", yellow.address)}
        club.referee.umpire.new_game("confusion", seats, {"first": "white"}, DEAL, "Spring League")
        club.noted(
            f"A game of the event: white is {white.address}, yellow is {yellow.address}; white begins."
        )
    anna.writes("events")
    olga.writes("events")
    anna.writes("1: press Good luck, Dora!", subject="[game 1]")
    anna.replies("resign", to=anna.last_about(2))
    secretary.appoint("Spring League", "umpire", ("", anna.address))
    club.noted("Anna is to umpire the event from now on, in place of Olga.")


Story = Callable[[Club], None]
STORIES: tuple[Story, ...] = (
    the_sample_game,
    two_strangers,
    declined_and_withdrawn,
    open_and_join,
    draws,
    agreed_results,
    a_game_that_the_umpire_ends,
    a_game_that_is_taken_back,
    refused_moves,
    asking,
    ways_of_reporting,
    what_the_answers_teach,
    sheets_as_a_list_and_as_a_picture,
    a_game_without_sheets,
    a_forged_sender,
    unknown_senders,
    which_game,
    unreadable_letters,
    machines,
    letters_that_come_back,
    letters_not_seen,
    the_same_letter_twice,
    several_games_in_one_letter,
    fewer_letters,
    his_own_clock,
    letters_without_pictures,
    by_his_own_compass,
    the_news_of_a_day,
    checking_in,
    open_to_some,
    a_changed_address,
    a_second_address,
    a_player_who_leaves,
    a_look_ahead,
    a_look_ahead_without_sheets,
    a_plan,
    a_plan_with_brackets,
    a_queue,
    two_plans_meet,
    plans_that_end_early,
    plans_not_understood,
    moves_for_a_turn_that_is_over,
    five_games_in_one_letter,
    press,
    press_without_names_and_without_press,
    muted_press,
    a_diary,
    a_claim,
    people_who_watch,
    watching_late,
    a_rematch,
    other_terms,
    *STORIES_OF_CHOICES,
    *STORIES_OF_TIME,
    *CASES,
    an_event,
    *OVERVIEWS,
    *UMPIRES,
    *STORIES_OF_SPIES,
    *STORIES_OF_CARDS,
    *STORIES_OF_BATTLES,
    *FRENCH_STORIES,
    *CONFUSION_IN_FRENCH,
    *SPIES_IN_FRENCH,
    *CARDS_IN_FRENCH,
    *TIME_IN_FRENCH,
    *UMPIRES_IN_FRENCH,
    *CASES_IN_FRENCH,
)
