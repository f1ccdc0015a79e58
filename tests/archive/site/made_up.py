"""Games for a site's tests, played by their events alone, without letters; and databases of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random

from referee.archive.site import Published, publish
from referee.cli.demo import sample_game
from referee.games.decisions import decide_offer, decide_order, decide_resign, open_game
from referee.games.events import EndOffered, Event, read_event, write_event
from referee.games.game import Game, fold_game
from referee.games.results import end_of
from referee.games.summary import outline_of, write_outline
from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.confusion.adjudicate import answer_to
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.possible import mover, possible_moves
from referee.rulebooks.rulebook import OrderLine, Seat
from referee.service.bootstrap import Application
from referee.service.settings import Settings
from tests.support.playing import Club

SAMPLE = sample_game()
WHITE, YELLOW = Seat("white"), Seat("yellow")
NAMES = ("Wendy", "Yannick")


def application(club: Club) -> Application:
    return Application(Settings(), club.service, club.store, club.clock)


def published(club: Club, folder: Path, **how: object) -> Published:
    """Publish what a club has played."""
    return publish(application(club), folder, **how)  # type: ignore[arg-type]


def sample_moves() -> list[str]:
    """Return the attempts of the sample game, in the order in which they are made."""
    first = SAMPLE.moves[SAMPLE.first]
    (other,) = (moves for moves in SAMPLE.moves.values() if moves is not first)
    turns: list[str] = []
    for place, line in enumerate(first):
        turns += [line, *other[place : place + 1]]
    return turns


def play(club: Club, number: int, lines: Iterable[str]) -> Game:
    """Let orders be given in a game, each by whoever is to move, and keep what comes of them."""
    game = club.game(number)
    events: list[Event] = []
    for line in lines:
        (seat,) = game.due
        decision = decide_order(game, seat, OrderLine(1, line))
        assert decision.fault is None, decision.fault
        for event in decision.events:
            game = game.after(event)
            events.append(event)
    keep(club, number, events)
    return game


def keep(club: Club, number: int, events: Sequence[Event]) -> None:
    """Keep events that follow those of a game, as the service does."""
    with club.store.unit() as unit:
        before = fold_game(
            number,
            [read_event(each.kind, each.body) for each in unit.events.of_game(number)],
            club.service.rulebooks.__getitem__,
        )
        game = fold_game(number, events, club.service.rulebooks.__getitem__, before)
        assert game is not None
        first = before.last_event + 1 if before else 1
        now = club.clock.now()
        unit.events.append(
            number, [(at, *write_event(each)) for at, each in enumerate(events, first)], at=now
        )
        outline = outline_of(game)
        unit.games.update(
            number,
            status=game.status,
            last_event=game.last_event,
            at=now,
            outline=write_outline(outline) if outline else "",
            result=end_of(game.result) if game.result else "",
        )


def sample_game_played(
    club: Club, names: tuple[str, str] = NAMES, *, attempts: int | None = None, event: str = ""
) -> int:
    """Play the sample game, or its first attempts; return the game's number."""
    addresses = ("wendy@example.net", "yannick@example.com") if names == NAMES else map(_address, names)
    seats = dict(zip((WHITE, YELLOW), zip(names, addresses, strict=True), strict=True))
    number = club.referee.umpire.new_game("confusion", seats, {"first": SAMPLE.first}, SAMPLE.deal, event)
    play(club, number, sample_moves()[:attempts])
    return number


def random_events(seed: int) -> list[Event]:
    """Return the events of a game of Confusion that was drawn at random, up to its end."""
    random, rulebook = Random(seed), find_rulebook("confusion")
    opened = open_game(1, rulebook, {}, {WHITE: 1, YELLOW: 2}, random.randbytes(32))
    game = Game(1, rulebook, "proposed").after(opened)
    events: list[Event] = [opened]
    most = random.randrange(40, 140)
    while game.status == "playing" and len(events) < most:
        (seat,) = game.due
        choices = random.choices(list(possible_moves(game.position.board, seat)), k=3)
        move = next((each for each in choices if answer_to(game.position, seat, each)[0]), choices[0])
        assert mover(game.position.board, seat, move) is not None
        (event,) = decide_order(game, seat, OrderLine(1, write_move(move))).events
        game = game.after(event)
        events.append(event)
    if game.status == "playing":
        offered = EndOffered(YELLOW, "draw")
        ends = (
            decide_resign(game, WHITE, whole_letter=True)
            if seed % 2
            else decide_offer(game.after(offered), WHITE, "draw")
        )
        events += [*([] if seed % 2 else [offered]), *ends.events]
    return events


def many_games(club: Club, games: int, different: int, players: int = 60) -> None:
    """Keep so many games that are over, a day apart. different: so many were drawn, the others are the same again."""
    drawn = [random_events(seed) for seed in range(different)]
    with club.store.unit() as unit:
        people = [
            unit.players.add(f"Player {_letters(number)}", f"p{number}@example.net", "en").number
            for number in range(players)
        ]
    random = Random(games)
    for number in range(games):
        white, yellow = random.sample(people, 2)
        with club.store.unit() as unit:
            game = unit.games.add("confusion", club.clock.now())
            unit.games.add_seat(game, WHITE, white)
            unit.games.add_seat(game, YELLOW, yellow)
        keep(club, game, drawn[number % different])
        club.clock.at += timedelta(days=1)


def _address(name: str) -> str:
    return f"{name.encode('ascii', 'ignore').decode().split()[0].lower()}@example.net"


def _letters(number: int) -> str:
    return f"{chr(65 + number // 26 % 26)}{chr(97 + number % 26)}"
