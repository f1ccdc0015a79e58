"""What players write who mean mischief, or have misunderstood: each with its answer, and what must not be."""

from __future__ import annotations

import contextlib
import itertools
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import ndiff
from pathlib import Path

import pytest

from referee.commands.command import Command
from referee.commands.command_table import TOPICS, WORDS
from referee.commands.grammar import MOST_COMMANDS, Grammar
from referee.commands.vocabulary import vocabulary
from referee.common.clock import FixedClock
from referee.common.errors import Contested
from referee.games.conditional_orders import MOST_MOVES
from referee.handlers.proposals import MOST_PROPOSALS
from referee.mail.message.limits import OWN_LINES
from referee.mail.message.message import OwnLine
from referee.rulebooks.catalogue import find_rulebook
from referee.service.referee import Referee
from referee.store.database import Store
from tests.support.begun import DEAL, said, tried
from tests.support.playing import (
    REFEREE,
    SERVICE,
    Club,
    Correspondent,
    CountedDraws,
    Delivered,
    Exchange,
    furnish,
    new_database,
)
from tests.support.telling import telling
from tests.support.waiting import within

pytestmark = pytest.mark.telling

PLAYED, OVER, OFFERED, OPEN, OTHER = 1, 2, 3, 4, 5
"""The games of the club: Anna against Bert; the same, resigned; Anna's challenge to Carl; Bert's open game; Carl
against Anna."""
NO_GAME = 99
DESK = Grammar(find_rulebook("confusion").notation.looks_like_order, ("confusion",), TOPICS)
NOT_HIS = "Nothing in your letter was done: it went to a reply address that is not yours."
CLOSED = (PLAYED, OVER, OFFERED, NO_GAME)
"""Games that are no business of Mallory's, and one that there is not."""


@dataclass(frozen=True)
class Villains:
    """A club in which all is begun, and whoever writes to it."""

    club: Club
    anna: Correspondent
    bert: Correspondent
    carl: Correspondent
    mallory: Correspondent

    def __getitem__(self, name: str) -> Correspondent:
        who: Correspondent = getattr(self, name)
        return who

    def happened(self) -> list[object]:
        """Return all that has happened in all games."""
        with self.club.store.reading() as lookup:
            return [lookup.events.of_game(game) for game in range(1, 12)]


def gather(folder: Path) -> Villains:
    return gather_at(new_database(folder))


def gather_at(url: str) -> Villains:
    club = Club(url)
    anna, bert, carl, mallory = (club.member(name) for name in ("Anna", "Bert", "Carl", "Mallory"))
    club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    bert.replies("resign", to=bert.last_about(OVER))
    anna.writes("challenge Carl confusion")
    bert.writes("open confusion")
    club.starts({"white": carl, "yellow": anna}, deal=DEAL)
    for who in (anna, bert, carl):
        who.writes("set reports text", *(f"status {game}" for game in (PLAYED, OTHER)))
    mallory.writes("set reports text")
    return Villains(club, anna, bert, carl, mallory)


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Villains]:
    """The club for letters by which nothing happens: each finds it as the one before did."""
    villains = gather(tmp_path_factory.mktemp("quiet"))
    yield villains
    villains.club.close()


@pytest.fixture
def villains(quiet: Villains, tmp_path: Path) -> Iterator[Villains]:
    """The club for whatever may happen."""
    club = quiet.club.copy(tmp_path)
    anna, bert, carl, mallory = (
        club.reader(f"{name}@example.net") for name in ("anna", "bert", "carl", "mallory")
    )
    yield Villains(club, anna, bert, carl, mallory)
    club.close()


def answer(who: Correspondent, exchange: Exchange) -> Delivered:
    """Return the one letter that a writer gets."""
    (letter,) = (each for each in exchange.sent if each.recipient == who.address)
    return letter


def bracket(letter: Delivered) -> str:
    """Return what the second bracket of a subject says, or the subject of a letter about no game behind the colon."""
    found = re.search(r"\[game \d+\] \[([^]]+)\]", letter["Subject"]) or re.search(
        r": (.*)", letter["Subject"]
    )
    return found[1] if found else ""


# By which nothing happens: who, what he writes; the answer's kind, its bracket and its sentence


NOT = "not accepted"
Case = tuple[str, tuple[str, ...], str, str, str]
NOTHING_COMES_OF_IT: tuple[Case, ...] = (
    # games that there are not
    ("anna", ("status 0",), "refusal", NOT, "status 0: you do not sit in game 0."),
    ("anna", ("accept 0",), "refusal", NOT, "there is no game 0 on offer to you."),
    ("anna", ("rematch 0",), "refusal", NOT, "you do not sit in game 0."),
    ("anna", ("0: L-S2",), "refusal", NOT, "you do not sit in game 0."),
    ("anna", ("1: resign 0",), "refusal", NOT, "this line names game 1 and game 0; nothing in it was done."),
    ("anna", ("record 999999999",), "refusal", NOT, "you do not sit in game 999999999."),
    ("anna", ("status -1",), "help", "help", "What the word status does."),
    ("anna", ("resign 123456789012345678",), "refusal", NOT, "the word resign counts alone on its line"),
    ("anna", ("18446744073709551616: L-S2",), "refusal", NOT, "there is no piece 1"),
    ("anna", ("status seventeen",), "help", "help", "What the word status does."),
    ("anna", ("join 1e3",), "refusal", NOT, "a move and the word join need a line each"),
    ("anna", ("1: resend 0",), "refusal", NOT, "there is no letter 0 about game 1"),
    ("anna", ("resend 999999999999999999",), "help", "help", "What the word resend does."),
    # oneself, the service, and nobody
    ("anna", ("challenge Anna confusion",), "refusal", NOT, "you cannot challenge yourself."),
    ("anna", ("challenge aNNA confusion",), "refusal", NOT, "you cannot challenge yourself."),
    ("anna", ("challenge anna@example.net confusion",), "refusal", NOT, "you cannot challenge yourself."),
    ("anna", ("challenge <ANNA@Example.NET> confusion",), "refusal", NOT, "you cannot challenge yourself."),
    (
        "anna",
        ("challenge anna+games@example.net confusion",),
        "refusal",
        NOT,
        "you cannot challenge yourself.",
    ),
    ("anna", ("challenge Referee confusion",), "refusal", NOT, "nobody called Referee is registered here"),
    ("anna", (f"challenge {REFEREE} confusion",), "refusal", NOT, "I umpire, I do not play."),
    ("anna", ("challenge referee+tag00000000000000001@example.org confusion",), "refusal", NOT, "I umpire"),
    ("anna", ("challenge postmaster@example.com confusion",), "refusal", NOT, "is no person's address"),
    ("anna", ("challenge No-Reply@example.com confusion",), "refusal", NOT, "is no person's address"),
    ("anna", ("challenge noreply+17@example.com confusion",), "refusal", NOT, "is no person's address"),
    ("anna", ("challenge chess-request@example.com confusion",), "refusal", NOT, "is no person's address"),
    ("anna", ("challenge owner-chess@example.com confusion",), "refusal", NOT, "is no person's address"),
    ("anna", ("accept 3",), "refusal", NOT, "the proposal is your own; it waits for the other player."),
    ("anna", ("join 3",), "refusal", NOT, "the proposal is your own; it waits for the other player."),
    ("bert", ("join 4",), "refusal", NOT, "the proposal is your own; it waits for the other player."),
    ("bert", ("accept 4 option first=white",), "refusal", NOT, "the proposal is your own"),
    # what is another's
    (
        "carl",
        ("cancel 3",),
        "refusal",
        "waits for you",
        "game 3 has not begun: the challenge waits for its answer.",
    ),
    ("carl", ("5: L-N2", "1: L-S2"), "refusal", NOT, "1: L-S2: you do not sit in game 1."),
    ("mallory", ("cancel 4",), "refusal", NOT, "you do not sit in game 4."),
    ("mallory", ("decline 4",), "refusal", NOT, "game 4 was not offered to you."),
    ("mallory", ("confirm",), "refusal", NOT, "there is nothing to confirm."),
    ("mallory", ("register Anna",), "refusal", NOT, "somebody else is called Anna here"),
    ("mallory", ("register ANNA",), "refusal", NOT, "somebody else is called ANNA here"),
    ("mallory", ("register \u0410nna",), "refusal", NOT, "a name's letters are of one script"),
    ("mallory", ("register Referee",), "refusal", NOT, "nobody can be called Referee here"),
    ("mallory", ("set address anna@example.net",), "receipt", "accepted", "Nothing has changed yet"),
    # without a question, without a meaning
    ("anna", ("confirm",), "refusal", NOT, "there is nothing to confirm."),
    ("anna", ("1: confirm",), "refusal", NOT, "there is nothing to confirm."),
    ("anna", ("1: agree",), "refusal", NOT, ""),
    ("anna", ("cancel 1",), "refusal", NOT, "there is nothing of yours that could be cancelled."),
    ("bert", ("cancel 2",), "refusal", NOT, "game 2 is over."),
    ("anna", ("set x y",), "refusal", NOT, "there is nothing called x to set"),
    (
        "anna",
        ("set language klingon",),
        "refusal",
        NOT,
        "letters cannot be written in the language klingon yet",
    ),
    ("anna", ("set zone Mars",), "refusal", NOT, "there is no time zone Mars"),
    ("anna", ("set letters never",), "refusal", NOT, "letters can be each, daily, urgent."),
    ("anna", ("set address nowhere",), "refusal", NOT, "nowhere is no mail address."),
    ("anna", ("set second referee@example.org",), "refusal", NOT, ""),
    (
        "anna",
        ("spielen", "aufgeben", "remis", "abandonner", "aceptar"),
        "help",
        "help",
        "No line of your letter",
    ),
    # plans that would never end
    (
        "anna",
        ("1: try L-S2" + "; if no (K-S1" * 40,),
        "refusal",
        NOT,
        f"a plan has at most {MOST_MOVES} moves.",
    ),
    ("anna", ("1: try L-S2" + "; if no (K-S1" * 40 + ")" * 40,), "refusal", NOT, "a plan has at most"),
    ("anna", ("1: try L-S2" + "; then L-S2" * 3000,), "refusal", NOT, "a plan has at most"),
    ("anna", ("1: try L-S2" + "; if no K-S1; if yes C-S1" * 999,), "refusal", NOT, "was said already"),
    ("anna", ("1: try L-S2; if no (K-S1",), "refusal", NOT, "the bracket that opens here is not closed."),
    ("anna", ("1: try L-S2" + ")" * 500,), "refusal", NOT, "this bracket closes none"),
    ("anna", ("1: try L-S2; if no " + "(" * 5000 + "K-S1",), "refusal", NOT, "a move is missing here."),
    ("anna", ("1: try " + "(" * 5000,), "help", "help", "No line of your letter"),
    ("anna", ("1: try L-S2; if no try L-S2",), "refusal", NOT, "a move stands alone on its line"),
)


@pytest.mark.telling(
    lines=[
        ("status 0",),
        ("1: resign 0",),
        ("challenge Anna confusion",),
        ("challenge No-Reply@example.com confusion",),
        ("accept 3",),
        ("cancel 4",),
        ("5: L-N2", "1: L-S2"),
        ("register Anna",),
        ("set address anna@example.net",),
        ("1: confirm",),
    ]
)
@pytest.mark.parametrize(("who", "lines", "kind", "news", "sentence"), NOTHING_COMES_OF_IT)
def test_what_cannot_be_done_is_answered_and_nothing_comes_of_it(
    quiet: Villains, who: str, lines: tuple[str, ...], kind: str, news: str, sentence: str
) -> None:
    """One letter goes out, to the writer; nothing happens in any game; and the answer does not take long."""
    before = quiet.happened()
    with within(5.0):
        letter = quiet[who].writes(*lines).only
    assert letter.recipient == quiet[who].address
    assert (letter.kind, bracket(letter)) == (kind, news)
    assert sentence in said(letter)
    assert len(letter.content) < 60_000
    assert quiet.happened() == before


# Others' games, by every word


def about_game() -> list[str]:
    """Return a line for every way to write a word of a game, with # for the game's number behind it."""
    forms = [form for word in WORDS for form in word.forms]
    lines = [form.replace("[GAME]", "#").replace("GAME", "#") for form in forms if "GAME" in form]
    lines += [
        "#: resend 7",
        "#: preview L-S2",
        "#: try L-S2; if no K-S1",
        "#: press Hello",
        "#: press all Hello",
    ]
    lines += [
        "#: diary Hello",
        "#: diary",
        "#: claim Hello",
        "#: L-S2",
        "#: L-S2 @7",
        "#: L-S2 @letter 7",
        "#: L-SS2",
    ]
    places = {"[COLOUR] LETTER": "white H", "RESULT": "draw", "KEY=VALUE": "sheets=off"}
    places |= {"CASE": "9", "NUMBER": "9", "DATE": "2026-11-27", "TEXT": "Hello"}
    for place, filled in places.items():
        lines = [line.replace(place, filled) for line in lines]
    front = [f"#: {line.removesuffix(' #')}" for line in lines if line.endswith(" #")]
    return [*lines, *front]


LINES = about_game()


def told(letter: Delivered, game: int) -> str:
    """Return an answer without what differs in any two: the game's number, its own number and its time."""
    text = re.sub(r" (?:Letter \d+, )?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d.*", "", said(letter))
    text = re.sub(rf"(?<!Line )(?<!column )\b{game}\b", "#", text)
    return f"{bracket(letter)}: {text}"


def test_every_word_of_a_game_is_tried() -> None:
    """A word that is missing here would be missing in the tests below."""
    read = {type(DESK.read_line(OwnLine(1, line.replace("#", "1")))).__name__.lower() for line in LINES}
    with_game = {word.name.replace(" ", "") for word in WORDS if any("GAME" in form for form in word.forms)}
    assert with_game | {"press", "diary", "claim", "preview", "try", "order", "resend"} <= read
    assert not any(re.search(r"[A-Z]{4}", line) for line in LINES)


@pytest.mark.parametrize("who", ["mallory", "nemo"])
def test_every_word_about_others_games_is_answered_as_if_there_were_none(quiet: Villains, who: str) -> None:
    """A running game, one that is over, a challenge to somebody else, and one that there is not: one answer."""
    assert len(LINES) <= 2 * MOST_COMMANDS
    before = quiet.happened()
    for part in (LINES[: len(LINES) // 2], LINES[len(LINES) // 2 :]):
        answers = set()
        for game in CLOSED:
            lines = [line.replace("#", str(game)) for line in part]
            writer = (
                quiet.mallory if who == "mallory" else quiet.club.person(f"Nemo{len(quiet.club.exchanges)}")
            )
            letter = writer.writes(*lines).only
            assert letter.recipient == writer.address
            answers.add(told(letter, game))
        first, *others = answers
        assert not others, [
            line for each in others for line in ndiff(first.split(". "), each.split(". ")) if line[0] in "+-"
        ]
    assert quiet.happened() == before


@pytest.mark.parametrize("line", telling(["#: L-S2", "#: press Hello", "#: diary"], others=LINES))
def test_a_word_about_others_games_that_is_the_whole_letter_is_answered_as_if_there_were_none(
    quiet: Villains, line: str
) -> None:
    before = quiet.happened()
    letters = {game: quiet.mallory.writes(line.replace("#", str(game))).only for game in CLOSED}
    assert len({told(letter, game) for game, letter in letters.items()}) == 1
    assert letters[NO_GAME].kind == "refusal"
    assert quiet.happened() == before


@pytest.mark.parametrize("line", telling(["L-S2", "status"], others=["resign", "record", "press Hello"]))
def test_a_subject_that_names_others_game_is_answered_as_if_there_were_none(
    quiet: Villains, line: str
) -> None:
    before = quiet.happened()
    answers = {
        told(quiet.mallory.writes(line, subject=f"Re: [game {game}] [your move 1] Confusion").only, game)
        for game in CLOSED
    }
    assert answers == {f"{NOT}: Not accepted. You do not sit in game #."}
    assert quiet.happened() == before


@pytest.mark.parametrize(
    "line", telling(["L-S2", "resign"], others=["status", "draw", "set address mallory@example.net"])
)
def test_an_answer_to_somebody_elses_letter_counts_for_nothing_and_its_reader_is_asked(
    villains: Villains, line: str
) -> None:
    """Even in his own thread, with his own address for replies. The writer is told that, and no more."""
    before = villains.club.game(PLAYED).happenings
    exchange = villains.mallory.replies(line, to=villains.anna.last_about(PLAYED))
    assert exchange.settled is not None and exchange.settled.outcome == "held"
    letters = {each.recipient: said(each) for each in exchange.sent}
    assert len(exchange.sent) == 2 and letters.keys() == {villains.anna.address, villains.mallory.address}
    assert letters[villains.anna.address].startswith("Did you write this?")
    told = answer(villains.mallory, exchange)
    assert said(told).startswith(NOT_HIS) and told.game is None
    assert not re.search(r"game \d|anna|bert", f"{told['Subject']} {said(told)}", re.IGNORECASE)
    assert villains.club.game(PLAYED).happenings == before


# Too much in one letter


FLOODS = {
    "moves": ["1: L-S2", "1: K-S1"] * 250,
    "plans": ["1: try L-S2; if no K-S1"] * 500,
    "mixed": ["1: preview L-S2", "games", "why L 1", "record 1", "diary", "why not", "resgin", "new tag 1"]
    * 63,
    "one that asks": ["status 1"] * 500,
    "others' games": ["status 99", "2: L-S2", "join 1"] * 170,
    "looks ahead": [f"1: preview L-S{number % 4 + 1}" for number in range(500)],
    "help": [f"help {topic}" for topic in ("try", "set", "press", "confusion", "")] * 100,
    "press": ["1: press Hello", ""] * 250,
    "offers": ["1: draw", "1: cancel"] * 250,
    "slips": ["statsu 1"] * 500,
    "prose": ["Wurst"] * 500,
}


@pytest.mark.parametrize("flood", telling(["moves", "plans", "mixed", "one that asks"], others=FLOODS))
def test_500_lines_in_one_letter_have_one_answer_that_tells_the_limit(villains: Villains, flood: str) -> None:
    """It does not take long and is not long; whoever else hears of it gets one letter; a turn is one attempt."""
    with within(10.0):
        exchange = villains.anna.writes(*FLOODS[flood])
    letter = answer(villains.anna, exchange)
    assert len(letter.content) < 100_000
    recipients = [each.recipient for each in exchange.sent]
    assert len(recipients) == len(set(recipients))
    limit = f"one letter may hold {MOST_COMMANDS} commands; this one and what follows was left out"
    if flood == "slips":
        limit = f"{MOST_COMMANDS} lines before this one could not be read"
    assert (limit in said(letter)) == (flood != "prose")
    assert len(tried(villains.club, PLAYED)) == (1 if flood in ("moves", "plans") else 0)
    assert villains.club.game(PLAYED).status == "playing"


@pytest.mark.parametrize(
    "first",
    [(), ("status",), ("help",), ("99: V-NW2",), ("V-NW",), ("Turn 7, game 12",), ("GAME 12 TURN 2",)],
)
def test_a_letter_longer_than_is_read_is_told_where_it_was_cut(
    villains: Villains, first: tuple[str, ...]
) -> None:
    """Given a move below more lines than anybody writes, then it does not count, and its writer learns why, whatever
    else stands there; of what was passed over he reads a few lines."""
    prose = [f"Wurst {number}" for number in range(OWN_LINES)]
    exchange = villains.anna.writes(*first, *prose, "V-NW2")
    told = said(answer(villains.anna, exchange))
    assert "Your letter is too long to be read to its end." in told
    assert f"I read it down to line {OWN_LINES}, and nothing below that has counted." in told
    assert told.count("Wurst") <= 5
    assert tried(villains.club, PLAYED) == []
    if not first:
        assert told.index("too long to be read") < told.index("No line of your letter")
        assert f"and {OWN_LINES - 5} more lines." in told


def test_a_flood_of_challenges_reaches_a_few(villains: Villains) -> None:
    exchange = villains.mallory.writes(
        *(f"challenge x{number}@example.com confusion" for number in range(500))
    )
    assert len(exchange.sent) == MOST_PROPOSALS + 1
    letter = answer(villains.mallory, exchange)
    assert bracket(letter) == "partly accepted" or letter.kind == "receipt"
    assert f"{MOST_PROPOSALS} of your proposals wait for an answer; take one back first" in said(letter)
    again = villains.mallory.writes("challenge y@example.com confusion")
    assert again.only.kind == "refusal"


def test_plans_in_many_games_wait_each_for_its_own_turn(villains: Villains) -> None:
    club, anna, bert = villains.club, villains.anna, villains.bert
    games = [club.starts({"white": bert, "yellow": anna}, deal=DEAL) for _ in range(6)]
    exchange = anna.writes(*(f"{game}: try C-N2; then C-N2; then C-N2" for game in games))
    assert [letter.recipient for letter in exchange.sent] == [anna.address]
    assert [tried(club, game) for game in games] == [[]] * 6
    bert.writes(f"{games[0]}: L-S2")
    assert [len(tried(club, game)) for game in games] == [2, 0, 0, 0, 0, 0]


# Two who answer one invitation


def test_an_invitation_that_was_handed_on_is_accepted_by_whom_it_went_to(villains: Villains) -> None:
    """By a stranger or by a player: the letter is held, and whoever was invited is asked. A number opens nothing."""
    club, anna, mallory = villains.club, villains.anna, villains.mallory
    gina, hans = club.person("Gina", "gina@example.com"), club.person("Hans", "hans@example.com")
    anna.writes("challenge gina@example.com confusion")
    invitation = gina.last
    assert invitation.game is not None
    for other in (hans, mallory):
        exchange = other.replies("accept", to=invitation)
        assert exchange.settled is not None and exchange.settled.outcome == "held"
        told = [letter for letter in exchange.sent if letter.recipient != gina.address]
        assert [letter.recipient for letter in told] == ([mallory.address] if other is mallory else [])
        assert all(said(letter).startswith(NOT_HIS) and letter.game is None for letter in told)
    assert said(mallory.writes(f"accept {invitation.game}").only).startswith("Not accepted.")
    assert club.game(invitation.game).status == "proposed"
    gina.replies("accept", to=invitation)
    game = club.game(invitation.game)
    assert game.status == "playing"
    assert mallory.last.game is None
    for word in ("accept", "decline"):
        letter = gina.replies(word, to=invitation).only
        assert f"{word}: game {invitation.game} has begun already." in said(letter)
    assert club.game(invitation.game) == game


@pytest.mark.parametrize(
    ("lines", "status", "sentence"),
    [
        (("accept 3", "decline 3"), "playing", "decline 3: game 3 has begun already."),
        (("decline 3", "accept 3"), "declined", "accept 3: the proposal of game 3 was declined."),
        (("accept 3", "accept 3"), "playing", "accept 3: game 3 has begun already."),
        (("decline 3", "decline 3"), "declined", "decline 3: the proposal of game 3 was declined."),
        (("accept 3", "3: resign"), "playing", "Do you want to resign game 3, against Anna?"),
    ],
)
def test_of_two_lines_that_contradict_each_other_the_first_is_done_and_the_second_refused(
    villains: Villains, lines: tuple[str, str], status: str, sentence: str
) -> None:
    exchange = villains.carl.writes(*lines)
    assert villains.club.game(OFFERED).status == status
    assert sentence in said(answer(villains.carl, exchange))
    assert len(exchange.sent) == 2


def both_join_at_once(villains: Villains) -> None:
    """Let two processes settle two letters that would join one game, and see that one of them did."""
    club = villains.club
    writers = (villains.carl, villains.mallory)
    letters = []
    for who in writers:
        club.referee.letters.take_in([club.raw(who.letter([f"join {OPEN}"]))])
        letters.append(club.last_letter())
    stores = [Store(club.url, FixedClock(club.clock.at)) for _ in writers]
    ready = threading.Barrier(len(writers))

    def settle(number: int, store: Store, drawn: int) -> None:
        referee = Referee(store, SERVICE, FixedClock(club.clock.at), CountedDraws(secrets=drawn, tags=drawn))
        ready.wait(20)
        with contextlib.suppress(Contested):
            referee.letters.settle(number)

    threads = []
    for place, (letter, store) in enumerate(zip(letters, stores, strict=True), 1):
        store.open(create=False)
        threads.append(threading.Thread(target=settle, args=(letter, store, 1000 * place)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for store in stores:
        store.close()
    for number in itertools.chain.from_iterable(
        club.referee.letters.waiting(100)
    ):  # what had to wait for the other
        club.referee.letters.settle(number)
    sent = club.collect()
    game = club.game(OPEN)
    assert game.status == "playing"
    assert [sum(letter.recipient == who.address for letter in sent) for who in writers] == [1, 1]
    (late,) = (letter for letter in sent if letter.kind == "refusal")
    assert "game 4 was open to all, and somebody else was first" in said(late)
    assert {letter.kind for letter in sent if letter is not late} == {"report"}
    assert len(sent) == 3


def test_of_two_who_join_an_open_game_at_once_one_plays_and_the_other_is_told(villains: Villains) -> None:
    both_join_at_once(villains)


def test_of_two_who_join_at_once_on_postgresql_one_plays_and_the_other_is_told(postgres_url: str) -> None:
    villains = gather_at(furnish(postgres_url))
    both_join_at_once(villains)
    villains.club.close()


# Oneself


def test_nobody_challenges_himself_by_an_address_of_his(villains: Villains) -> None:
    """His second one, or another spelling of either: dots do not count where a great host does not mind them."""
    club = villains.club
    dora = club.person("Dora", "dora.smith@gmail.com")
    spare = club.person("Dora", "dora@spare.example")
    dora.writes("register Dora")
    dora.writes("set second dora@spare.example")
    spare.replies("confirm")
    for address in (
        "dora@spare.example",
        "DORA+x@spare.example",
        "dorasmith@gmail.com",
        "d.o.r.a.smith+games@googlemail.com",
    ):
        for who in (dora, spare):
            letter = who.writes(f"challenge {address} confusion").only
            assert "you cannot challenge yourself." in said(letter), address
    assert (
        len(dora.writes("challenge dora-smith@gmail.com confusion", "challenge d@x.example confusion").sent)
        == 3
    )


def test_nobody_plays_a_rematch_that_he_has_offered_himself(villains: Villains) -> None:
    villains.anna.writes("rematch 2")
    for line, sentence in (
        ("rematch 2", "you have proposed a game already, and it still waits for its answer: game 6."),
        ("accept 6", "the proposal is your own; it waits for the other player."),
        ("join 6", "the proposal is your own; it waits for the other player."),
    ):
        assert sentence in said(villains.anna.writes(line).only)
    assert villains.club.game(6).status == "proposed"


# What would be grave


def test_resignations_in_two_games_are_asked_about_each_and_which_is_meant_is_not_guessed(
    villains: Villains,
) -> None:
    club, anna = villains.club, villains.anna
    text = said(anna.writes("1: resign", "5: resign", "1: resign").only)
    for game, who in ((PLAYED, "Bert"), (OTHER, "Carl")):
        assert text.count(f"Do you want to resign game {game}, against {who}?") == 1
        assert f"reply with the one line confirm {game} If not" in text
    for letter in (anna.writes("confirm").only, anna.replies("confirm", to=anna.last_about(OTHER)).only):
        assert "you were asked about several games, 1, 5: say which. Did you mean confirm" in said(letter)
    anna.writes("confirm 5", "confirm 1")
    assert [club.game(game).status for game in (PLAYED, OTHER)] == ["playing", "ended"]
    anna.writes("confirm")
    assert club.game(PLAYED).status == "ended"


@pytest.mark.parametrize("lines", [("draw 1", "resign 1"), ("resign 1", "draw 1"), ("1: L-S2", "resign 1")])
def test_who_writes_more_than_that_he_resigns_is_asked(villains: Villains, lines: tuple[str, str]) -> None:
    exchange = villains.anna.writes(*lines)
    assert villains.club.game(PLAYED).status == "playing"
    assert "Do you want to resign game 1, against Bert?" in said(answer(villains.anna, exchange))
    (other,) = (letter for letter in exchange.sent if letter.recipient == villains.bert.address)
    assert "Do you want" not in said(other)


@pytest.mark.parametrize("lines", [("1: L-S2", "bye", "Anna"), ("bye", "1: L-S2"), ("Thank you.", "bye")])
def test_nobody_leaves_by_a_farewell_among_other_lines(villains: Villains, lines: tuple[str, ...]) -> None:
    villains.anna.writes(*lines)
    assert "leave for good" not in said(villains.anna.last)
    assert villains.anna.writes("confirm").only.kind == "refusal"
    assert villains.anna.writes("games").only.kind == "receipt"


def test_what_stands_in_press_is_done_by_nobody(villains: Villains) -> None:
    """A line of a command's alone ends the text; whatever stands behind other words, or goes on over a line's end, is
    text, to its reader and to the desk."""
    exchange = villains.anna.writes(
        "1: press Will you resign? Or draw 1? V-NW2 is good, and above all:",
        "resign",
    )
    assert {letter.recipient for letter in exchange.sent} == {villains.anna.address, villains.bert.address}
    game = villains.club.game(PLAYED)
    assert (game.status, game.resigning, tried(villains.club, PLAYED)) == ("playing", frozenset(), [])
    assert "above all: resign" in said(villains.bert.last).replace("> ", "")
    before = villains.happened()
    villains.bert.writes("Thanks!", *(f"> {line}" for line in villains.bert.last.text.splitlines()))
    assert villains.happened() == before


def test_a_word_of_another_language_is_none_and_two_are_never_mixed_up(quiet: Villains) -> None:
    """A French word means in French what it means, or nothing, to whoever reads English; `pause` is both."""
    before = quiet.happened()
    for english, ways in vocabulary("fr").tables.words.items():
        for way in ways:
            assert way == english or not isinstance(DESK.read_line(OwnLine(1, way)), Command), way
    assert quiet.anna.writes("abandonner", "nulle", "annuler").only.kind == "help"
    assert quiet.happened() == before
