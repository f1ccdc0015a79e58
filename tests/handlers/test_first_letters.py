"""How a game comes about, in letters: its terms, and the first letter of it that each player gets."""

from __future__ import annotations

import pytest

from tests.support.playing import Club, Correspondent, Delivered, Exchange, once
from tests.support.telling import telling


def flat(letter: Delivered) -> str:
    return " ".join(letter.text.split())


def to(who: Correspondent, exchange: Exchange) -> Delivered:
    (letter,) = (each for each in exchange.sent if each.recipient == who.address)
    return letter


# The first letter of a game


@pytest.mark.parametrize(
    ("letters", "first"),
    telling(
        [("daily", "white"), ("urgent", "yellow")],
        others=[("daily", "yellow"), ("urgent", "white"), ("each", "white"), ("each", "yellow")],
    ),
)
def test_the_first_letter_of_a_game_comes_at_once_to_whoever_proposed_it(
    club: Club, letters: str, first: str
) -> None:
    """However seldom his letters come, and though the thread of the game began with his challenge."""
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes(f"set letters {letters}")
    anna.writes(f"challenge Bert confusion option colour=white option first={first}")
    begun = to(anna, bert.replies("accept"))
    assert begun.kind == "report"
    for part in (
        "ABOUT THIS GAME",
        "YOUR PIECES",
        club.game(1).commitment,
        "Just" if first == "white" else "When",
    ):
        assert part in begun.text
    assert "Discs are your pieces" in str(begun.parts[1].get_content())
    bert.replies("C-N2" if first == "yellow" else "preview C-N2", to=bert.last_about(1))
    assert (anna.last is begun) == (letters == "daily" or first == "white")


def test_the_first_letter_to_whoever_opened_a_game_comes_at_once(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("set letters daily")
    anna.writes("open confusion option colour=white option first=yellow")
    assert "ABOUT THIS GAME" in to(anna, bert.writes("join 1")).text


def test_the_check_in_speaks_of_no_clock(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    assert "Your first letter about this game is your check-in, whatever it says." in flat(anna.last)


def test_a_first_letter_that_tells_of_a_move_says_who_had_the_first_turn(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion option colour=white option first=yellow")
    begun = bert.replies("accept", "A-N1")
    mine, theirs = to(bert, begun).text, to(anna, begun).text
    assert mine.startswith(
        "White (Anna) is to move, turn 1. The game has begun: you play Yellow against Anna, "
    )
    assert "and had the first turn." in mine.partition("\n")[0]
    assert theirs.startswith("Your move, turn 1. The game has begun: you play White against Bert, ")
    assert "who had the first turn." in theirs.partition("\n")[0]


# Who was invited by address


@once
def invited(club: Club, *options: str) -> tuple[Correspondent, Correspondent]:
    """Let Anna invite somebody by his address who has no name here."""
    anna, bert = club.member("Anna"), club.person("Bert", "bert@example.com")
    anna.writes(" ".join(("challenge bert@example.com confusion", *options)))
    return anna, bert


def test_whoever_accepts_without_a_name_is_called_by_the_address_that_invited_him(club: Club) -> None:
    anna, bert = invited(club, "option colour=white")
    begun = to(anna, bert.replies("accept"))
    assert (
        "bert@example.com, whom you invited, plays Yellow, and is called so until a name is given."
        in flat(begun)
    )
    assert "bert@" not in to(bert, bert.replies("status", to=bert.last_about(1))).text
    assert "bert@" not in to(anna, anna.replies("status", to=begun)).text


def test_whoever_accepts_with_a_name_is_called_by_it(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes(f"challenge {bert.address} confusion")
    assert bert.address.encode() not in to(anna, bert.replies("accept")).content


def test_terms_of_somebody_without_a_name_are_told_by_the_address_that_invited_him(club: Club) -> None:
    anna, bert = invited(club)
    asked = bert.replies("accept option first=white")
    assert to(anna, asked).text.startswith("bert@example.com would play game 1 on other terms.")
    assert "bert@" not in to(bert, asked).text
    anna.writes("games")
    assert "offered to you by bert@example.com; reply accept 1" in flat(anna.last)
    answered = anna.replies("accept 1 option first=yellow", to=to(anna, asked))
    assert to(anna, answered).text.startswith(
        "You would play game 1 on other terms; bert@example.com is asked."
    )
    anna.writes("games")
    assert "offered by you to bert@example.com; it waits" in flat(anna.last)
    assert to(bert, answered).text.startswith("Anna would play game 1 on other terms.")
    begun = bert.replies("accept")
    assert "bert@example.com, whom you invited, plays" in flat(to(anna, begun))
    assert "whom you invited" not in flat(to(bert, begun))


def test_who_accepts_terms_of_somebody_without_a_name_reads_who_it_is(club: Club) -> None:
    anna, bert = invited(club)
    asked = bert.replies("accept option first=white")
    begun = anna.replies("accept", to=to(anna, asked))
    assert "bert@example.com, whom you invited, plays" in flat(to(anna, begun))
    assert "bert@" not in to(bert, begun).text


# Terms


@pytest.mark.telling
def test_an_invitation_states_all_terms_and_that_others_can_be_proposed(club: Club) -> None:
    _, bert = invited(club, "option colour=yellow option press=off")
    assert (
        "The terms: Anna plays Yellow, the first turn by lot, deduction sheets in each letter, nobody may watch. No "
        "press would be passed on: the players would speak by their moves alone. You may answer with other terms, for "
        "example accept option first=white." in flat(bert.last)
    )
    assert "Or reply decline, and Anna will be told." in flat(bert.last)


def test_who_is_asked_about_terms_is_not_called_the_challenger_and_reads_no_rules_again(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion")
    asked = to(anna, bert.replies("accept option first=white"))
    assert "Or reply decline, and Bert will be told." in flat(asked)
    assert "challenger" not in asked.text
    assert "IN BRIEF" in bert.letters[1].text
    assert "IN BRIEF" not in asked.text


@pytest.mark.parametrize(
    ("press", "proposed", "agreed"),
    telling(
        [
            (
                "anonymous",
                "Press would bear the writer's colour",
                "It is agreed that press bears the writer's colour",
            )
        ],
        others=[("off", "No press would be passed on", "It is agreed that no press is passed on")],
    ),
)
def test_what_is_only_proposed_is_not_said_to_be_agreed(
    club: Club, press: str, proposed: str, agreed: str
) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    asked = anna.writes(f"challenge Bert confusion option press={press}")
    opened = anna.writes(f"open confusion option press={press}").only
    for letter in (*asked.sent, opened):
        assert proposed in flat(letter) and "is agreed" not in letter.text
        assert f"press={press}" not in letter.text
    for letter in bert.writes("accept 1").sent:
        assert agreed in flat(letter)


def test_whoever_does_not_quite_accept_reads_whose_terms_wait_and_which(club: Club) -> None:
    anna, bert = invited(club, "option sheets=off")
    told = flat(bert.replies("yes please, accept").only)
    assert told.startswith("Anna's challenge waits for your answer, game 1. The terms: colours by lot, ")
    assert "no deduction sheets" in told and "To take up Anna's challenge, reply accept; or decline." in told
    asked = to(anna, bert.replies("accept option colour=white"))
    told = flat(anna.replies("yes please, accept", to=asked).only)
    assert told.startswith("bert@example.com would play game 1 on other terms, and waits for your answer.")
    assert "The terms of bert@example.com: bert@example.com plays White, " in told


# Lists


def test_a_list_of_games_names_the_colour_that_is_asked_for(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion option colour=white")
    anna.writes("open confusion option colour=yellow")
    anna.writes("games")
    assert "1: Confusion, you play White, offered by you to Bert" in flat(anna.last)
    assert "2: Confusion, you play Yellow, opened by you" in flat(anna.last)
    bert.writes("games")
    assert "1: Confusion, Anna plays White, offered to you by Anna" in flat(bert.last)
    assert "2: Confusion, Anna plays Yellow, open, by Anna" in flat(bert.last)


@pytest.mark.telling
@pytest.mark.parametrize(
    ("word", "said", "line"),
    telling(
        [("draw", "A draw is offered to you", "draw 1")],
        others=[
            ("agree white", "It is proposed to you that White has won", "agree white 1"),
            ("agree none", "It is proposed to you to give it up without a result", "agree none 1"),
        ],
    ),
)
def test_a_list_of_games_names_what_is_proposed_to_its_reader(
    club: Club, word: str, said: str, line: str
) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    bert.replies(word, to=bert.last_about(game))
    anna.writes("games")
    assert f"{said}; to agree, write {line}." in flat(anna.last)
    bert.writes("games")
    assert "to you" not in flat(bert.last).partition("Letter")[0]
    anna.writes(line)
    assert club.game(game).status == "ended"


# Slips


@pytest.mark.parametrize(
    ("line", "meant"),
    telling(
        [("C-N2", "try C-N2"), ("1: C-N2", "1: try C-N2")],
        others=[("C-N2 @1", "try C-N2"), ("set compass own", "")],
    ),
)
def test_a_move_out_of_turn_can_be_kept_by_the_line_that_is_proposed(
    club: Club, line: str, meant: str
) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    if not meant:
        bert.writes(line)
        line, meant = "C-F2", "try C-F2"
    refused = bert.replies(line, to=bert.last_about(game)).only
    assert 'it is White\'s turn now; with the word "try" before it' in flat(refused)
    assert f"Did you mean {meant}?" in flat(refused)
    assert bert.replies(meant, to=refused).only.kind == "receipt"
    assert "yellow" in club.game(game).plans


def test_a_slip_that_has_nothing_to_do_with_the_game_brings_no_board_with_it(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    for refused in (anna.writes("accept 4").only, anna.replies("accept 4", to=anna.last_about(1)).only):
        assert refused.text.startswith("Not accepted. It is still your move, turn 1.")
        assert "there is no game 4 on offer to you" in refused.text
        assert "\r\nA-S1\r\n" in refused.text
        assert "BOARD" not in refused.text and refused.media_types == ["text/plain", "text/html"]
    bert.replies("draw", to=bert.last_about(1))
    assert "BOARD" in anna.replies("A-S9", to=anna.last_about(1)).only.text


@pytest.mark.telling
@pytest.mark.parametrize(
    ("line", "known", "meant"),
    telling(
        [("open", "colour, first, sheets, press, watchers, time, lapse, finished, playing, not", "colour")],
        others=[("challenge Bert", "colour, first, sheets, press, watchers, time, lapse", "colour")],
    ),
)
def test_all_options_are_named_where_there_is_none_of_that_name(
    club: Club, line: str, known: str, meant: str
) -> None:
    anna = club.member("Anna")
    club.member("Bert")
    refused = flat(anna.writes(f"{line} confusion option clour=white").only)
    assert f"there is no option clour; known are {known}." in refused
    assert f"Did you mean option {meant}=white?" in refused
    word, *_ = line.split()
    page = flat(anna.writes(f"help {word}").only).replace("=", " ")
    assert set(known.split(", ")) <= set(page.split())


def test_an_option_is_read_in_french_and_a_misspelt_one_is_told_as_it_was_written(club: Club) -> None:
    anna = club.member("Anna")
    club.member("Bert")
    anna.writes("set language fr")
    refused = flat(anna.writes("défier Bert confusion option dépasement=souple").only)
    assert "dépasement=souple" in refused and "option lapse=soft" in refused
    anna.writes("défier Bert confusion option temps=3j/coup option retard=souple")
    assert anna.last.kind == "receipt"


@pytest.mark.telling
def test_what_is_said_of_letters_once_a_day_is_so(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    said = flat(anna.writes("set letters daily").only)
    assert (
        "still comes at once: a challenge, a proposal to end a game; and so do the first letter of a game"
        in said
    )
    assert "That it is your move waits for that letter." in said
    game = club.starts({"white": anna, "yellow": bert}, first="yellow")
    assert anna.last.kind == "report"
    for word, comes in (("C-N2", 0), ("draw", 1), ("challenge Anna confusion", 1), ("resign", 1)):
        before = len(anna.letters)
        bert.replies(word, to=bert.last_about(game))
        assert len(anna.letters) == before + comes, word
