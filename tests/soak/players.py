"""Players who know nothing but their mailboxes: they read what comes, and try moves when it is their turn.

They know no types and guess, so many attempts are answered no; now and then they write what can be no move. In a
battle they march, fire and fight, and when a slip holds a turn of theirs, they have it carried out as it is.
"""

from __future__ import annotations

import email
import json
import random
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from typing import Any

COMPASS = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}
FILES = range(1, 12)
ILLEGAL = 0.08
"""The share of moves that can be none."""
NONSENSE = ("Q-N77", "Z9-X4", "A-N", "V--NW2", "L-S99", "take that, Bert")
SLIPS = ("MV RI9 A20", "FI BA1.1", "CO ALL > NOBODY", "MV RI1 A20 R", "CHECK")


@dataclass(frozen=True)
class Came:
    """A letter as its reader has it. number, game: of its headers, 0 where it has none."""

    message_id: str
    kind: str
    game: int
    number: int
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Reply:
    """What a player writes. to: an address."""

    to: str
    subject: str
    text: str
    thread: str = ""


class Player:
    """Somebody with a mailbox. letters: all that came, repeats included."""

    def __init__(self, address: str, maildir: Path, chance: random.Random) -> None:
        self.address = address
        self._new = maildir / "new"
        self._chance = chance
        self._seen: set[str] = set()
        self._tried: dict[int, object] = {}
        self._newest: dict[int, int] = {}
        self._asked_for_json = False
        self.letters: list[Came] = []
        self.last: Message | None = None
        """The letter about a game that came last, for those who answer it."""

    def look(self) -> list[Reply]:
        """Read what has come, and return what there is to answer."""
        try:
            paths = [path for path in self._new.iterdir() if path.name not in self._seen]
        except FileNotFoundError:
            return []
        replies: list[Reply] = []
        for path in sorted(paths, key=lambda each: each.name):
            self._seen.add(path.name)
            content = path.read_bytes()
            letter = email.message_from_bytes(content)
            came = Came(
                str(letter["Message-ID"]).strip("<>"),
                str(letter["X-Referee-Kind"] or ""),
                int(letter["X-Referee-Game"] or 0),
                int(letter["X-Referee-Number"] or 0),
                content,
            )
            self.letters.append(came)
            reply = self._answer(letter, came)
            if reply is not None:
                replies.append(reply)
        return replies

    def _answer(self, letter: Message, came: Came) -> Reply | None:
        if came.kind == "invitation":
            return self._reply(letter, "accept")
        if not came.game:
            return None
        self.last = letter
        if not self._asked_for_json:
            self._asked_for_json = True
            return self._reply(letter, "set reports json\nstatus")
        shown = _shown(letter)
        if shown is None or came.number < self._newest.get(came.game, 0):
            return None
        self._newest[came.game] = came.number
        sets_up = shown.get("stage") == "set-up" and not shown["confided"]["set_up"]
        if shown["status"] != "playing" or not (sets_up or shown["to_move"] == shown["seat"]):
            return None
        known: object = (
            (shown["receipt"], shown["stage"], shown["confided"]["draft"])
            if shown["rules"] == "cards"
            else len(shown["attempts"])
        )
        if self._tried.get(came.game) == known and came.kind != "refusal":
            return None
        self._tried[came.game] = known
        return self._reply(letter, (self.orders if shown["rules"] == "cards" else self.move)(shown))

    def move(self, shown: Any) -> str:
        """Return a move that may be one, or at times nonsense."""
        if self._chance.random() < ILLEGAL:
            return self._chance.choice(NONSENSE)
        board = {tuple(piece["square"]): piece for piece in shown["board"]}
        mine = [piece for piece in shown["board"] if piece["seat"] == shown["seat"]]
        for _ in range(100):
            piece = self._chance.choice(mine)
            where = self._chance.choice(list(COMPASS))
            steps = self._chance.choice((1, 1, 1, 2, 2, 3))
            east, north = COMPASS[where]
            square = (piece["square"][0] + east * steps, piece["square"][1] + north * steps)
            if (
                square[0] in FILES
                and square[1] in FILES
                and board.get(square, {}).get("seat") != shown["seat"]
            ):
                return f"{piece['letter']}-{where}{steps}"
        return "status"

    def orders(self, shown: Any) -> str:
        """Return the orders of a turn of a battle, at times with a slip."""
        if shown["confided"]["draft"] or shown["stage"] != "playing":
            return "carry out"
        lines = []
        for unit in (each for each in shown["units"] if each["seat"] == shown["seat"]):
            lines.append(f"MV {unit['id']} TO K{self._chance.choice((1, 2, 3, 4))} A MAX")
            lines += [f"FI {cannon['id']} > NEAR" for cannon in unit["cannons"][:1]]
        if self._chance.random() < ILLEGAL:
            lines.append(self._chance.choice(SLIPS))
        return "\n".join([*lines, "CO ALL > ANY"])

    def _reply(self, letter: Message, text: str) -> Reply:
        return Reply(
            str(letter["Reply-To"]),
            f"Re: {letter['Subject']}".replace("Re: Re: ", "Re: "),
            text,
            str(letter["Message-ID"]),
        )

    def says(self, text: str) -> Reply | None:
        """Answer the letter that came last, whatever it said; None before the first."""
        return None if self.last is None else self._reply(self.last, text)


def _shown(letter: Message) -> Any:
    """Return the part for programs; None without."""
    for part in letter.walk():
        if part.get_content_type() == "application/json":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return json.loads(payload)
    return None
