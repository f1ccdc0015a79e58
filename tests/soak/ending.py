"""How it ended: what the service has kept, held against what was written to it and what the players received."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from statistics import median

from sqlalchemy import func, select

from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.rulebook import UMPIRE
from referee.service.bootstrap import open_application
from referee.service.queries import write_record
from referee.store.tables import EVENTS, GAMES, LETTER_CONTENTS, LETTERS, OUTGOING, PERSONS, THREADS
from tests.soak.players import Came
from tests.soak.town import Sample, Town

MOST_GROWTH = 1.1
MARK = "X-Soak"
"""The header by which a letter to the service is known again; its value is the letter's number in the soak."""
_MARKED = re.compile(rb"^X-Soak: (\d+)", re.MULTILINE)


@dataclass
class Ending:
    """What is not as it should be, by name; all lists are empty when it is. repeats: answers that arrived again, with
    the same Message-ID and the same bytes, which is no fault."""

    lost_letters: list[str] = field(default_factory=list)
    letters_counted_twice: list[str] = field(default_factory=list)
    letters_without_outcome: list[str] = field(default_factory=list)
    lost_answers: list[str] = field(default_factory=list)
    answers_to_one_letter: list[str] = field(default_factory=list)
    unknown_answers: list[str] = field(default_factory=list)
    changed_answers: list[str] = field(default_factory=list)
    gaps_in_numbers: list[str] = field(default_factory=list)
    games_that_do_not_replay: list[str] = field(default_factory=list)
    games_given_up_by_a_forger: list[str] = field(default_factory=list)
    repeats: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    answers: int = 0
    moves: int = 0
    turns_of_battles: int = 0
    games: int = 0

    @property
    def faults(self) -> dict[str, list[str]]:
        return {name: found for name, found in vars(self).items() if isinstance(found, list) and found}


def look_back(town: Town, written: Mapping[int, str], received: Mapping[str, Sequence[Came]]) -> Ending:
    """Return how it ended. written: the kinds of the letters, by their marks; received: letters by reader's address."""
    ending = Ending()
    _look_at_letters(town, written, ending)
    _look_at_answers(town, received, ending)
    _look_at_games(town, ending)
    return ending


def _look_at_letters(town: Town, written: Mapping[int, str], ending: Ending) -> None:
    """Each letter that was written lies in the journal, and counted once, however often it was delivered."""
    outcomes: defaultdict[int, list[str | None]] = defaultdict(list)
    rows = town.ask(
        select(
            LETTERS.c.number, LETTERS.c.outcome, LETTERS.c.reason, LETTER_CONTENTS.c.content
        ).outerjoin_from(LETTERS, LETTER_CONTENTS, LETTERS.c.number == LETTER_CONTENTS.c.letter)
    )
    # Of a bounce that names no letter to a player no bytes are kept, so its mark is gone; its row is there.
    erased = sum(outcome == "bounce" and content is None for _, outcome, _, content in rows)
    for number, outcome, _, content in rows:
        marked = _MARKED.search(bytes(content or b""))
        if outcome is None:
            ending.letters_without_outcome.append(f"letter {number}")
        if marked:
            outcomes[int(marked[1])].append(outcome)
    for mark, kind in written.items():
        if mark not in outcomes and "bounce" in kind and erased:
            erased -= 1
        elif mark not in outcomes:
            ending.lost_letters.append(f"{mark} ({kind})")
        # To be held twice, or noted twice as a bounce, does nothing twice.
        if sum(outcome in ("ruled", "answered") for outcome in outcomes[mark]) > 1:
            ending.letters_counted_twice.append(f"{mark} ({kind}): {outcomes[mark]}")
    ending.outcomes = Counter(outcome for _, outcome, _, _ in rows)


def _look_at_answers(town: Town, received: Mapping[str, Sequence[Came]], ending: Ending) -> None:
    """Each letter of the outbox lies in its reader's mailbox, and the numbers there have no gaps."""
    rows = town.ask(select(OUTGOING).order_by(OUTGOING.c.id))
    ending.answers = len(rows)
    arrived: defaultdict[tuple[str, str], list[bytes]] = defaultdict(list)
    for reader, letters in received.items():
        for came in letters:
            arrived[reader, came.message_id].append(_as_posted(came.content))
    known = set()
    answered: Counter[tuple[int, str]] = Counter()
    numbered = set()
    for row in rows:
        known.add((row.reader, row.message_id))
        if row.state != "sent" or (row.reader, row.message_id) not in arrived:
            ending.lost_answers.append(f"outgoing {row.id} to {row.reader}: {row.state}, {row.answer}")
        counted = (row.player, row.game, row.number)
        # A letter that is sent once more keeps its number and is no second answer.
        if row.answers is not None and (row.number is None or counted not in numbered):
            answered[row.answers, row.reader] += 1
        numbered.add(counted)
    ending.answers_to_one_letter = [
        f"letter {letter}: {n} to {who}" for (letter, who), n in answered.items() if n > 1
    ]
    ending.unknown_answers = [f"{reader}: {name}" for reader, name in arrived if (reader, name) not in known]
    ending.changed_answers = [f"{name}" for name, copies in arrived.items() if len(set(copies)) > 1]
    ending.repeats = sum(len(copies) - 1 for copies in arrived.values())
    _look_at_numbers(town, received, ending)


def _look_at_numbers(town: Town, received: Mapping[str, Sequence[Came]], ending: Ending) -> None:
    threads = town.ask(
        select(PERSONS.c.address_key, THREADS.c.game, THREADS.c.letters).join_from(
            THREADS, PERSONS, THREADS.c.player == PERSONS.c.player
        )
    )
    for reader, game, letters in threads:
        numbers: Collection[int] = {
            came.number for came in received.get(reader, ()) if came.game == game and came.number
        }
        if game and numbers != set(range(1, letters + 1)):
            ending.gaps_in_numbers.append(f"{reader}, game {game}: {sorted(numbers)}, not 1 to {letters}")


def _look_at_games(town: Town, ending: Ending) -> None:
    """Each game's record replays with the answers that the players were given."""
    played = (
        select(GAMES.c.rules, func.count())
        .join_from(EVENTS, GAMES, EVENTS.c.game == GAMES.c.number)
        .where(EVENTS.c.kind == "Ruled")
        .group_by(GAMES.c.rules)
    )
    by_rules = dict(tuple(row) for row in town.ask(played))
    ending.moves, ending.turns_of_battles = sum(by_rules.values()), by_rules.get("cards", 0)
    with open_application(town.settings) as application:
        asked = select(GAMES.c.number, GAMES.c.status, GAMES.c.rules).order_by(GAMES.c.number)
        for number, status, rules in town.ask(asked):
            if status not in ("playing", "ended"):
                continue
            ending.games += 1
            replayed = find_rulebook(rules).records.replay(
                write_record(application, number, UMPIRE), None, None
            )
            if not replayed.consistent:
                ending.games_that_do_not_replay.append(f"game {number}: {replayed.errors}")
    ending.games_given_up_by_a_forger = [
        f"game {game}"
        for game, body in town.ask(select(EVENTS.c.game, EVENTS.c.body).where(EVENTS.c.kind == "Ended"))
        if "resign" in body
    ]


def _as_posted(content: bytes) -> bytes:
    """Return the digest of a letter without what mail hosts have put in front of it."""
    content = b"\n" + content.replace(b"\r\n", b"\n")
    return sha256(content[content.index(b"\nFrom: ") :]).digest()


def growth(samples: Sequence[Sample]) -> float:
    """Return the last quarter's median of memory divided by the second quarter's. samples: of one process."""
    if len(samples) < 8:
        return 1.0
    quarter = len(samples) // 4
    octets = [sample.octets for sample in samples]
    return median(octets[-quarter:]) / median(octets[quarter : 2 * quarter])
