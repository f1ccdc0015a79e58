"""The question about a letter that nobody vouches for holds nothing of its writer's own: no text, address or number to
call gets through it to the player in whose name the letter came."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.commands.command import Command, Written
from referee.commands.command_table import SIDES, TOPICS, WORDS
from referee.commands.grammar import Grammar, Understanding
from referee.commands.line_reader import ENDS
from referee.commands.vocabulary import vocabulary
from referee.mail.message.message import OwnLine
from referee.pipeline.held_preview import A_MOVE, show_commands
from referee.rulebooks.catalogue import RULEBOOKS
from tests.support.playing import Club

EVIL = "evilqx"
CALLED = "301555010"
"""Nine digits: a number that one may call."""

MOVES = ("V-NW2", f"V-NW2 {EVIL}", f"V-N1 @{CALLED}", f"v – nw 2xz{EVIL}")


def looks_like_order(text: str) -> bool:
    return any(rulebook.notation.looks_like_order(text) for rulebook in RULEBOOKS)


DESKS = {
    language: Grammar(looks_like_order, tuple(rulebook.name for rulebook in RULEBOOKS), TOPICS, language)
    for language in ("en", "fr")
}
OWN = "|".join(
    sorted(
        (*(word.name for word in WORDS), "press all", "set address", "set second", "mute off", "watch off"),
        key=len,
    )[::-1]
)
MOVE = r"[A-Z]Z?-[NSEW]{1,2}\d{1,2}(?:x?[A-Z]|xZ)?"
STEP = rf"(?:; )?(?:\(|then |if [a-z]+ )*(?:{MOVE})\)*"
SHOWN = re.compile(
    rf"(?:\d{{1,6}}: )?(?:(?:{OWN})(?: (?:{'|'.join(ENDS)}))?(?: \d{{1,6}}| \.\.\.)?"
    rf"|(?:preview )?{MOVE}(?: @(?:letter )?\d{{1,6}})?|try (?:{STEP})+)|{A_MOVE}"
)
"""What may be shown: the desk's words, numbers, moves as the rules write them, and what stands for the rest."""


def shown(*texts: str, language: str = "en") -> tuple[tuple[str, ...], Understanding]:
    read = DESKS[language].read([OwnLine(number, text) for number, text in enumerate(texts, 1)])
    return show_commands(read.commands, RULEBOOKS), read


def every_way(language: str) -> Iterator[str]:
    """Each form of each word, with what the writer fills in as a forger would."""
    filled = {
        "NAME": (EVIL.capitalize(), f"{EVIL.capitalize()} fr"),
        "GAME": (CALLED, "17"),
        "NUMBER": (CALLED, "4"),
        "RESULT": (*ENDS, EVIL),
        "COLOUR": (*sorted(SIDES), EVIL),
        "LETTER": ("H", EVIL),
        "MOVE": MOVES,
        "RULES": ("confusion", f"confusion option not={EVIL} option {EVIL}=http://{EVIL}.example/"),
        "KEY=VALUE": ("sheets=off", f"{EVIL}=http://{EVIL}.example/", f"sheets={EVIL}"),
        "ADDRESS": (f"{EVIL}@{EVIL}.example",),
        "CITY": ("Paris", EVIL),
        "ACTION": ("close 17", f"close {EVIL}", EVIL),
    }
    yield from (*MOVES, *(f"17: {move}" for move in MOVES), "set")
    for word in WORDS:
        for form in word.forms:
            bare = re.sub(r" ?\[[^]]*\]", "", form)
            for said in {bare, form.replace("[", "").replace("]", "")}:
                slot = next(
                    (each for each in (*filled, *re.findall(r"\b[A-Z]{2,}\b", said)) if each in said), ""
                )
                for value in filled.get(slot, (f"{EVIL} http://{EVIL}.example/", "confusion")):
                    line = re.sub(r"\b[A-Z]{2,}\b", EVIL, said.replace(slot, value)) if slot else said
                    line = line.split("|")[0]
                    yield vocabulary(language).writer.write(line)
                    yield f"{CALLED}: {line}"
                    yield f"17: {line}"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_whatever_word_a_forger_writes_nothing_of_his_own_is_shown(language: str) -> None:
    said, lines = set(), list(every_way(language))
    for line in lines:
        commands, read = shown(line, language=language)
        said |= {type(command) for command in read.commands}
        for each in commands:
            assert SHOWN.fullmatch(each), (line, each)
            assert EVIL not in each and CALLED not in each
    abstract = {Command.__name__, Written.__name__}
    assert _names(Command) - abstract == {each.__name__ for each in said}, "a command was never written"


def _names(kind: type[Command]) -> set[str]:
    return {kind.__name__}.union(*map(_names, kind.__subclasses__()))


PIECES = st.sampled_from(
    [
        *(word.name for word in WORDS),
        *(
            "option",
            "off",
            "all",
            "try",
            "if yes",
            "then",
            "@",
            "@letter",
            ";",
            "(",
            ":",
            "V-NW2",
            "VZ-N1",
            "white",
            "fr",
        ),
        *(EVIL, f"{EVIL}=http://{EVIL}.example/", f"{EVIL}@x.example", CALLED, "17", "confusion", "V-", "x"),
    ]
)


@given(
    st.lists(st.lists(PIECES, min_size=1, max_size=7).map(" ".join), min_size=1, max_size=4), st.booleans()
)
def test_no_mixture_of_words_and_text_shows_any_of_the_text(lines: list[str], french: bool) -> None:
    commands, _ = shown(*lines, language="fr" if french else "en")
    assert all(SHOWN.fullmatch(each) for each in commands), commands


def test_the_question_itself_holds_nothing_of_the_text(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("set language fr")
    game = club.starts({"white": anna, "yellow": bert})
    said = [
        f"press Call {EVIL}",
        "",
        f"press all {EVIL} again",
        "",
        f"diary Go to http://{EVIL}.example",
        "",
        f"claim {EVIL}",
        "",
        f"accepter {game} option visitez=http://{EVIL}.example/",
        f"watch {CALLED}",
        "V-N1 @1",
    ]
    question = anna.writes(*said, vouched=False).only
    parts = [part.get_content() for part in question.parts if part.get_content_maintype() == "text"]
    assert len(parts) == 2 and not any(word in part for part in parts for word in (EVIL, CALLED))
    flat = " ".join(question.text.split())
    assert (
        "presse ..., presse tous ..., carnet ..., réclamation ..., accepter ..., suivre ..., V-N1 @1" in flat
    )


def test_what_another_player_writes_about_his_own_game_is_not_shown_to_whose_reply_address_he_used(
    club: Club,
) -> None:
    """She is asked, without his texts; her word does nothing in a game of his, nor in hers."""
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    game = club.starts({"white": anna, "yellow": bert})
    own = club.starts({"white": carl, "yellow": bert})
    lines = (f"{own}: diary My V is the {EVIL}", f"{own}: claim {EVIL}", f"{own}: A-S1")
    written = carl.replies(*lines, to=anna.last_about(game))
    told, question = sorted(written.sent, key=lambda letter: letter.recipient != carl.address)
    assert (told.recipient, question.recipient) == (carl.address, anna.address)
    flat = " ".join(question.text.split())
    assert EVIL not in flat and "A-S1" not in flat and "Carl" not in flat
    before = [club.game(each).happenings for each in (game, own)]
    confirmed = anna.replies("confirm", to=question)
    assert [each.recipient for each in confirmed.sent] == [anna.address] and EVIL not in confirmed.only.text
    assert [club.game(each).happenings for each in (game, own)] == before
