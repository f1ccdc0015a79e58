"""What may be written by whoever plays: single letters (`asides`), and exchanges that take several (`talks`).

All of it is written as it stands, whatever the truth is: what depends on the game at all depends on what the writer
has heard. The forms of the desk's words are read from its own table, so that a new setting is used without asking.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

from referee.commands.command_table import TOPICS, WORDS, Word
from tests.secrecy.table import Sitting
from tests.secrecy.truths import CONFUSION

PROSE = ("Good morning!", "I have not the slightest idea what my K is.")
HELP_AT_ONCE = 5
"""Pages of help in one letter."""
FILLED_IN = {"CITY": "Kathmandu", "NUMBER": "2", "TOPIC": "confusion", "LANGUAGE": "en"}
"""What stands for capitals of a form, where anything will do."""

Aside = tuple[str, ...]
Talk = Callable[[Sitting], Iterator[None]]
"""An exchange, between whose letters others may be written."""


def forms_of(word: Word) -> list[str]:
    """Return the ways to write a word, one for each of the values that a form leaves open."""
    found = []
    for form in word.forms:
        parts = [part.split("|") for part in form.split()]
        found += [" ".join(each) for each in itertools.product(*parts)]
    return found


def pattern_of(form: str) -> re.Pattern[str]:
    """Return what fits a line that is written by a form: what stands in brackets may be left out, capitals are filled
    in, and the game's number may stand before it all."""
    parts = [
        rf"(?: {re.sub('[A-Z]{2,}', '[^ ]+', re.escape(part[1:-1]))})?"
        if part.startswith("[")
        else " " + re.sub(r"[A-Z]{3,}", r"\\S.*", re.escape(part))
        for part in form.split()
    ]
    return re.compile(r"(?:\d+: )?" + "".join(parts).lstrip(" "))


def settings() -> list[str]:
    """Return a line for each value of everything that can be set, addresses aside."""
    (word,) = (each for each in WORDS if each.name == "set")
    forms = [
        re.sub("[A-Z]+", lambda found: FILLED_IN[found[0]], form)
        for form in forms_of(word)
        if "ADDRESS" not in form
    ]
    return [form for form in forms if form != "set second none"]


NO_MOVE = re.compile(r"K-N9|Z-NN1|L-SS2|.*@(?:40|letter 900)")
"""What looks like a move and will never be one."""


def holds_move(lines: Aside) -> bool:
    """Return whether a line of a letter may be a move, which would use up the writer's turn."""
    return any(CONFUSION.notation.looks_like_order(line) and not NO_MOVE.fullmatch(line) for line in lines)


def in_parts(things: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(things), size):
        yield tuple(things[start : start + size])


def private_asides(random: Random, opponent: str) -> list[Aside]:
    """Return what may be written about a game without anybody else's hearing of it."""
    topics = random.sample(TOPICS, len(TOPICS))
    return [
        ("status",),
        ("games", "events", "set", "overview"),
        ("leave",),
        *(tuple(f"help {topic}" for topic in each) for each in in_parts(topics, HELP_AT_ONCE)),
        ("help", "status"),
        ("record",),
        ("K-N9",),
        ("L-SS2", "Z-NN1"),
        ("A-N1", "A-S1", "what else?"),
        ("B-W2", "status 2", "2: status", "game 3 status", "99: status"),
        ("why K", f"why {opponent} A", "why B", "why C 2"),
        *((line, "status") for line in settings()),
        ("press",),
        ("claim Was that answer right, since my K stood there?", "status"),
        ("claim And I protest at the press.", "", "appeal That was no ruling.", "", "appeal 1/1 I object.", "status"),
        ("appeal 1 act 1 That was wrong.", "status"),
        ("diary My K may be anything.", "and my A too", "", "diary"),
        ("mute",),
        ("mute off",),
        ("preview K-N1", "preview K-S1", "preview A-NE2xZ", "preview VZ-N2", "preview Z-N1", "preview K-NN"),
        ("preview A-F1", "preview {theirs}", "preview {mine}", "preview {mine}", "3: preview K-N1", "preview 2: K-S1"),
        ("try K-N1; if no (K-S1; if yes K-N1); if captured A-N1", "cancel"),
        ("try K-N1; if noo K-S1", "if no A-N1"),
        ("3: try A-N1; if lost A-S1; if z (A-E1; then A-W1); if promoted L-S1", "cancel 3"),
        ("try A-S1; then A-N1; then A-S1; then A-N1", "try L-S1; if yes C-S1", "cancel", "status"),
        ("A-N1 @40", "A-S1 @letter 900", "A-N1 @1", "A-S1 @letter 1"),
        ("resend", "resend 2", "resend 900", "2: resend"),
        ("new tag", "new tag 3"),
        ("2: confirm", "draw 99", "join 99", "accept 99", "decline 99", "rematch", "record 99"),
        ("prevue K-N1", "sttaus", "games"),
        ("état", "essayer K-N1; si non K-S1", "annuler", "aperçu K-N1", "pourquoi K", "aide essayer", "carnet Rien."),
        ("set language fr", "essayer K-N1; si non K-S1", "annuler", "aperçu A-NE1", "parties", "état"),
        ("set colours many", "set letters never", "set zone Nowhere", "challenge {me} confusion", "open chess"),
        ("watch 1", "watch 2", "watch off", "watch off 99", "2: agree", "agree red", "3: cancel"),
        ("umpire pause 2: Why not?", "", "umpire rule 99: Nobody wins.", "", "arbitre clore 3 : Non."),
        ("umpire replace 2 White nobody@example.net: He is lost.", "", "umpire act 2 white A-S1: It is he."),
        ("bye",),
        PROSE,
    ]  # fmt: skip


def watching_asides() -> list[Aside]:
    """Return what somebody may write who watches the game, whether it is granted to him or not."""
    return [
        ("games", "events", "overview late", "status 1"),
        ("set reports json", "set compass own"),
        ("set sheets picture", "1: status", "set"),
        ("set reports html", "status 1"),
        ("set letters daily", "games"),
        ("set letters each", "record 1"),
        ("set language fr", "status 1", "parties"),
        ("1: why K", "why white A 1", "why yellow A 1", "1: preview K-N1", "1: A-N1", "1: A-N1 @1"),
        ("1: try A-N1; if no A-S1", "1: draw", "1: agree white", "1: resign", "1: cancel", "1: rematch"),
        ("1: press Bravo!", "", "1: diary A is no Crab.", "", "1: claim I see nothing.", "", "1: mute"),
        ("1: resend", "1: resend 1", "new tag 1"),
        ("watch off 1", "watch 1", "games"),
        ("watch off",),
        ("watch 1", "status 1"),
        ("help watch", "1: help"),
    ]


def open_asides(me: str) -> list[Aside]:
    """Return what somebody else hears of."""
    return [
        ("press What could my K be?", "L-S2 perhaps."),
        ("press all V-N1", "", "diary"),
        ("mute off", "press I listen again."),
        (f"register {me} {me[0]}",),
    ]


# exchanges


def resigns_not(one: Sitting) -> Iterator[None]:
    """Gives up among other things, and thinks better of it."""
    one.writes("resign", "or perhaps not")
    yield
    one.writes("and so", "confirm")
    yield
    one.writes("cancel", "confirm")


def draws(one: Sitting) -> Iterator[None]:
    """Offers a draw, and takes it back unless it has lapsed meanwhile."""
    while one.other.offers_draw():
        yield
    one.writes("draw", "status")
    yield
    one.other.writes("status")
    yield
    one.writes("draw" if one.offers_draw() else "cancel")
    yield
    one.writes("cancel")
    yield
    while one.other.offers_draw():
        yield
    one.writes(f"agree {one.seat}", "agree none", "status")
    yield
    one.writes("cancel", "status")


def offers_terms(one: Sitting) -> Iterator[None]:
    """Challenges the other, who has terms of his own, which are not to the first one's liking."""
    one.writes(f"challenge {one.other.name} confusion option first=white", desk=True)
    game = one.newest_game
    yield
    one.other.writes(f"accept {game} option sheets=off option colour=yellow", "games", desk=True)
    yield
    one.writes("games", f"decline {game}", desk=True)
    yield
    one.writes(f"challenge nobody@example.net confusion option colour={one.seat}", desk=True)
    yield
    one.writes(f"cancel {one.newest_game}", desk=True)


def opens_a_game(one: Sitting) -> Iterator[None]:
    """Offers a game to all, which the other joins and gives up at once; then he would have another."""
    one.writes("open confusion option playing=9", desk=True)
    game = one.newest_game
    yield
    one.other.writes("games", f"join {game}", desk=True)
    yield
    one.writes(f"{game}: status", "games", desk=True)
    yield
    one.other.writes(f"resign {game}", desk=True)
    yield
    one.writes(f"rematch {game}", "games", desk=True)
    rematch = one.newest_game
    yield
    one.other.writes(f"decline {rematch}", desk=True)


def is_not_vouched_for(one: Sitting, plan: str = "try A-N1") -> Iterator[None]:
    """Writes when the mail host does not vouch for it, is asked, and says that it was he.

    plan: a move at once, where it is his turn when he says so.
    """
    asked = one.writes("status", "preview K-N1", plan, "cancel", vouched=False)
    again = one.writes("games", "A-N1 @40", vouched=False)
    yield
    one.answers("confirm", to=[*asked, *again])
    yield
    one.writes("games", vouched=False)


def has_a_second_address(one: Sitting) -> Iterator[None]:
    """Writes from a telephone for a while."""
    asked = one.writes(f"set second {one.second.address}", desk=True)
    yield
    one.answers("confirm", to=asked)
    yield
    one.writes("preview K-N1", "status", "set", second=True)
    yield
    one.writes("set second none", "set")
    yield
    one.writes("status", second=True)


def moves_house(one: Sitting) -> Iterator[None]:
    """Has letters sent to another address, and takes that back."""
    asked = one.writes(f"set address {one.third.address}", desk=True)
    yield
    told = one.answers("confirm", to=asked)
    one.answers("cancel", to=[letter for letter in told if letter.recipient == one.me.address])
    one.writes("set")


def takes_a_pause(one: Sitting) -> Iterator[None]:
    """Offers a pause in the game in which time is counted; the other agrees, and one of them ends it."""
    one.writes("3: pause", "3: claim time", desk=True)
    yield
    one.other.writes("3: pause", desk=True)
    yield
    one.writes("3: resume", "3: status", desk=True)


def takes_leave(one: Sitting) -> Iterator[None]:
    """Takes days off, some of which are none to be had, and thinks better of it."""
    one.writes("leave 2027-05-01 2027-05-09", "leave 2027-06-01 2027-09-01", desk=True)
    yield
    one.writes("leave off", "leave", desk=True)


def loses_a_letter(one: Sitting) -> Iterator[None]:
    """A letter to him comes back once, and is sent again the next day."""
    one.returns()
    yield
    one.writes("status")


PRIVATE_TALKS: tuple[Talk, ...] = (
    *(resigns_not, partial(is_not_vouched_for, plan="try K-N9"), has_a_second_address),
    *(moves_house, loses_a_letter),
)
"""Of which nobody else hears."""
OPEN_TALKS: tuple[Talk, ...] = (draws, offers_terms, opens_a_game, takes_a_pause, takes_leave)
