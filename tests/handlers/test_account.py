"""Words about oneself: what one may be called, and when a name changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.commands.command_table import TOPICS
from tests.support.playing import SERVICE, Club, new_database

pytestmark = pytest.mark.telling


@pytest.mark.parametrize(
    "lines",
    [
        ("L-S2", "register Berta"),
        ("register Berta", "", "Thanks!"),
        ("Hello,", "register with me", "Anna"),
        ("games", "register Berta", "register Carla"),
    ],
)
def test_a_line_among_others_gives_nobody_another_name(club: Club, lines: tuple[str, ...]) -> None:
    anna = club.member("Anna")
    anna.writes(*lines)
    text = " ".join(anna.last.text.split())
    assert "you are called Anna already" in text
    with club.store.reading() as lookup:
        assert lookup.players.names() == ["Anna"]


def test_a_letter_that_says_nothing_else_gives_its_writer_another_name(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("register Berta")
    assert "You are called Berta from now on" in anna.last.text


def test_a_first_name_may_stand_among_other_lines(club: Club) -> None:
    anna = club.person("Anna")
    anna.writes("Dear referee,", "register Anna", "games")
    assert "You are registered as Anna" in anna.last.text


@pytest.mark.parametrize("name", ["Anna", "ANNA", "Ánna", "Ａｎｎａ", "ΑΝΝΑ", "A'nn-a.", "A nna"])
def test_a_name_that_looks_like_another_player_s_is_taken(club: Club, name: str) -> None:
    """As it is, in another case, with an accent, in full-width letters, in Greek ones, with signs."""
    club.member("Anna")
    other = club.person("Other")
    other.writes(f"register {name}")
    assert "somebody else is called" in " ".join(other.last.text.split())
    other.writes("register Анна")  # Cyrillic, and it looks it
    assert "registered as Анна" in other.last.text


def test_whoever_finds_a_name_taken_is_proposed_one_that_is_free(club: Club) -> None:
    """With an initial behind a single name, else with a number; and the line that is proposed is taken."""
    for taken in ("Anna", "Anna B", "Anna Bauer", "Анна"):
        club.member(taken, f"{len(taken)}.{taken.isascii()}@taken.example")
    for number, (name, free) in enumerate(
        [("Anna", "Anna C"), ("anna", "anna D"), ("Anna Bauer", "Anna Bauer 2"), ("Анна", "Анна 2")]
    ):
        other = club.person("Other", f"other{number}@example.net")
        other.writes(f"register {name}")
        text = " ".join(other.last.text.split())
        assert "somebody else is called" in text and f"Did you mean register {free}?" in text
        other.writes(f"register {free}")
        assert f"You are registered as {free}" in other.last.text


def test_nobody_is_called_like_the_service(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path), service=replace(SERVICE, name="Club Desk"))
    mallory = club.person("Mallory")
    mallory.writes("register club desk")
    mallory.writes("register Clüb  Desk!")
    mallory.writes("register The Clubdesk of Bern")
    club.close()
    for letter in mallory.letters:
        assert "nobody can be called" in " ".join(letter.text.split())


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("set reports html", "Your letters come with a picture of the board from now on."),
        ("set reports json", "Your letters bring a part for programs from now on."),
        ("set reports text", "Your letters are plain text from now on."),
        ("set sheets grid", "Your deduction sheets come as a grid from now on."),
        ("set sheets list", "Your deduction sheets come as a list from now on."),
        ("Set SHEETS Picture.", "Your deduction sheets come as a picture from now on."),
    ],
)
def test_the_answer_to_a_wish_says_what_was_chosen(club: Club, wish: str, said: str) -> None:
    anna = club.member("Anna")
    anna.writes(wish)
    assert anna.last.kind == "receipt"
    assert anna.last.text.startswith(said)


def test_a_wish_leaves_the_others_as_they_were(club: Club) -> None:
    anna = club.member("Anna")
    for wish, form, sheets in (
        ("register Berta", "html", "grid"),
        ("set sheets picture", "html", "picture"),
        ("set reports json", "json", "picture"),
        ("set sheets list", "json", "list"),
    ):
        anna.writes(wish)
        with club.store.reading() as lookup:
            (player,) = lookup.players.named("Berta")
        assert (player.form, player.sheets) == (form, sheets)


def test_the_word_set_alone_lists_every_choice_as_it_stands(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes(
        "set zone Paris", "set letters daily", "set compass own", "set picture off", "set sheets list"
    )
    anna.writes("set")
    lines = [line.partition(":")[0] for line in anna.last.text.splitlines() if line.startswith("set ")]
    assert lines == [
        "set reports html",
        "set sheets list",
        "set language en",
        "set picture off",
        "set compass own",
        "set letters daily",
        "set calendar off",
        "set hold 1h",
        "set zone Europe/Paris",
        "set address anna@example.net",
        "set second none",
    ]
    assert "the news of a day in one letter, at 18:00 in Paris" in anna.last.text


def test_a_zone_is_answered_with_the_time_there_and_holds_for_every_letter(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("set zone new york")
    assert "it is Fri 27 Nov 2026, 12:07 in New York (17:07 UTC)." in anna.last.text
    anna.writes("games")
    assert "12:14 in New York (17:14 UTC)." in anna.last.text


def test_who_wants_no_pictures_gets_pages_with_the_board_in_signs(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("set picture off")
    game = club.starts({"white": anna, "yellow": bert})
    page = anna.last_about(game)
    assert page.media_types == ["text/plain", "text/html"]
    html = page.parts[1].get_content()
    assert "<img" not in html
    drawing = page.text.partition("BOARD")[2].splitlines()[1:14]
    assert len(drawing[0]) <= 38
    assert all(line in html for line in drawing)


def test_who_reads_plain_text_is_told_that_a_picture_comes_as_a_list(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("set sheets picture", "set reports text")
    assert "Your deduction sheets come as a list, as long as your letters hold no pictures." in anna.last.text
    assert "There are no pictures in them, so your deduction sheets come as a list." in anna.last.text
    anna.writes("set sheets picture")
    assert anna.last.text.startswith(
        "Your deduction sheets come as a list, as long as your letters hold no pictures."
    )
    assert "write set reports html and set picture on as well" in anna.last.text
    for wish in ("set sheets grid", "set reports text"):
        anna.writes(wish)
        assert "as a list" not in anna.last.text


def test_a_wish_that_cannot_be_met_is_named_with_what_can(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("set sheets off", "set sheet picture")
    text = " ".join(anna.last.text.split())
    assert "what you can set is how they look: grid, list, picture" in text
    assert "what can be set is reports, sheets" in text
    assert "set sheets picture" in text


def test_each_help_page_stands_once_in_an_answer(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("help", *(f"help {topic}" for topic in TOPICS))
    once = len(anna.last.content)
    anna.writes(*["help", *(f"help {topic}" for topic in TOPICS)] * 2, *["help"] * 10)
    assert len(anna.last.content) < once * 1.1


def test_wishes_in_one_letter_are_told_once_each_as_they_stand_at_its_end(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("set reports text", "set sheets picture", "set reports html")
    text = anna.last.text
    assert "come as a picture from now on" in text
    assert "come with a picture of the board" in text
    assert "as well" not in text
    anna.writes("set sheets picture", "set reports text")
    assert "come as a list, as long as your letters hold no pictures" in anna.last.text
    assert "come as a picture" not in anna.last.text
    anna.writes(*["set sheets list", "set sheets grid"] * 20)
    assert anna.last.text.count("from now on") == 1


def test_a_stranger_who_asks_for_a_page_gets_that_page_and_how_to_register(club: Club) -> None:
    otto = club.person("Otto", "otto@example.org.test")
    answer = otto.writes("help confusion").only
    assert "CONFUSION IN BRIEF" in answer.text
    assert "register Anna" in answer.text


def test_who_must_say_which_game_is_told_his_games_and_one_in_which_the_move_will_do(club: Club) -> None:
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    blocked = club.starts({"yellow": anna, "white": bert}, first="yellow")
    free = club.starts({"white": anna, "yellow": carl}, first="white")
    answer = anna.writes("A-S1").only
    assert f"you play several games, {blocked}, {free}: say which" in answer.text
    assert f"Did you mean {free}: A-S1?" in answer.text


def test_what_was_taken_stands_in_the_order_in_which_it_was_written(club: Club) -> None:
    """Whichever game each line is about; what ends as a sentence stands in quotation marks, without another stop."""
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    game = club.starts({"white": anna, "yellow": bert})
    anna.replies(
        "set sheets list",
        f"{game}: diary A quiet day.",
        "set zone Paris",
        "draw",
        "games now",
        to=anna.last_about(game),
    )
    taken = next(line for line in anna.last.text.splitlines() if line.startswith("Taken:"))
    assert taken == f'Taken: set sheets list, "{game}: diary A quiet day.", set zone Europe/Paris, draw.'


def test_who_takes_a_name_in_mid_game_is_not_told_how_to_get_a_game(club: Club) -> None:
    anna, bert = club.person("Anna"), club.person("Bert", "bert@example.com")
    club.starts({"white": anna, "yellow": bert}, names=False)
    anna.writes("register Anna")
    assert anna.last.text.startswith("You are registered as Anna.")
    assert "challenge WHOM" not in anna.last.text
    carl = club.person("Carl")
    carl.writes("register Carl")
    assert "challenge WHOM" in carl.last.text
