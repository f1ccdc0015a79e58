"""The stories that the golden transcripts tell. Each is a function; its docstring is the page's title and purpose."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from referee.demo import sample_game
from tests.bounces import bounce
from tests.playing import REFEREE, Club, Correspondent

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

    Anna registers and challenges somebody who has never heard of the referee; he accepts, they play, and she gives up.
    No umpire has a hand in it.
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
    bert.replies("register Bert", "accept")
    bert.replies("resign")


def declined_and_withdrawn(club: Club) -> None:
    """Challenges that come to nothing

    One is declined, one is taken back before the answer, and answers that come too late are told so.
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

    Anna offers a game to whoever comes; others find it in their list, and the first who joins plays.
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

    An offer is made, lapses with the other's move, is made again and taken back, and at last is agreed to.
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

    The list of games, how a game stands, its record so far, and the help pages.
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
    `why` brings the answers behind a line of them.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.exchanges.clear()
    yellow = "A4 C8 E12 H2 K10 L11 N1 O3 P7 S6 T5 V9"
    club.starts({"white": anna, "yellow": bert}, deal=f"White={WHITE_DEAL}; Yellow={yellow}")
    anna.replies("L-S4")
    bert.replies("H-N3")
    anna.replies("why L")
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

    Tag, thread and subject must agree; a line may name another game of the writer's; others' games stay closed.
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
    anna.writes("resign", to=REFEREE)
    anna.replies("L-S2", to=about_first, address=bert.last_about(third)["Reply-To"])
    anna.writes("L-S2", to=REFEREE, subject="from my phone")
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

    The address in List-Unsubscribe stops reminders and resigns nothing.
    """
    anna, _, _ = anna_and_bert(club)
    anna.writes(
        "", to=anna.last["List-Unsubscribe"].strip("<>").removeprefix("mailto:"), subject="unsubscribe"
    )
    anna.replies("L-S2", to=anna.letters[1])


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
    club.house.erase_what_is_due()
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
    while postings := club.store.claim(club.clock.at, 100):
        club.store.accepted([(each.id, "250 ok") for each in postings])
    club.house.erase_what_is_due()
    bert.writes(f"status {game}", "games")
    bert.writes("challenge Anna confusion")
    anna.writes("games")
    anna.writes("register Anna")


Story = Callable[[Club], None]
STORIES: tuple[Story, ...] = (
    the_sample_game,
    two_strangers,
    declined_and_withdrawn,
    open_and_join,
    draws,
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
    a_changed_address,
    a_second_address,
    a_player_who_leaves,
)
