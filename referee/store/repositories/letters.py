"""Incoming letters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    union_all,
    update,
)

from referee.common.errors import Contested
from referee.mail.message.message import OwnLine
from referee.store.incoming import NEXT_LETTER
from referee.store.repositories.addresses import PartingQueries, Partings
from referee.store.repositories.players import Players
from referee.store.repositories.repository import Repository
from referee.store.tables import HEARD, LETTER_CONTENTS, LETTERS, OUTGOING
from referee.store.transaction import Transaction
from referee.store.values import (
    Earlier,
    EarlyLetter,
    Heard,
    LetterHeard,
    LetterLine,
    Outcome,
    StoredLetter,
    address_key,
)

_this, _other = LETTERS.alias("this"), LETTERS.alias("other")
_repeated = exists().where(
    LETTERS.c.digest != "", _other.c.digest == LETTERS.c.digest, _other.c.number != LETTERS.c.number
) | exists().where(
    LETTERS.c.words != "", _other.c.words == LETTERS.c.words, _other.c.number != LETTERS.c.number
)
_DECIDED = (
    select(
        LETTERS.c.number,
        LETTERS.c.received,
        LETTERS.c.size,
        LETTER_CONTENTS.c.content,
        LETTERS.c.outcome,
        LETTERS.c.attempts,
        LETTERS.c.digest,
        LETTERS.c.recorded,
        LETTERS.c.reason,
        or_(LETTERS.c.outcome.is_not(None), LETTERS.c.again.is_not(None)),
        _repeated,
    )
    .outerjoin_from(LETTERS, LETTER_CONTENTS, LETTERS.c.number == LETTER_CONTENTS.c.letter)
    .where(LETTERS.c.number == bindparam("which"))
)
_DECIDED_LOCKED = _DECIDED.with_for_update(of=LETTERS, skip_locked=True, key_share=True)
_WAITING = _DECIDED.where(LETTERS.c.outcome.is_(None))
# FOR UPDATE, as nothing else locks a letter: letter_ordering thereby distinguishes it from a changed one.
_WAITING_LOCKED = _WAITING.with_for_update(of=LETTERS, skip_locked=True)
_SAME = (
    select(func.min(_other.c.number))
    .join_from(_this, _other, _this.c.digest == _other.c.digest)
    .where(
        _this.c.number == bindparam("which"),
        _this.c.digest != "",
        _other.c.number != bindparam("which"),
        _other.c.outcome.in_(bindparam("outcomes", expanding=True)),
        func.coalesce(_other.c.reason, "").not_in(bindparam("besides", expanding=True)),
    )
)
_OF_THE_SAME_WORDS = (
    select(_other.c.number, _other.c.received, _other.c.recorded, LETTER_CONTENTS.c.content)
    .join_from(_this, _other, _this.c.words == _other.c.words)
    .outerjoin(LETTER_CONTENTS, _other.c.number == LETTER_CONTENTS.c.letter)
    .where(
        _this.c.number == bindparam("which"),
        _this.c.words != "",
        _other.c.number != bindparam("which"),
        _other.c.outcome.in_(bindparam("outcomes", expanding=True)),
        func.coalesce(_other.c.reason, "").not_in(bindparam("besides", expanding=True)),
    )
    .order_by(_other.c.number)
    .limit(bindparam("most"))
)
_LETTER_LINES: Select[Any] = select(
    LETTERS.c.number,
    LETTERS.c.received,
    LETTERS.c.size,
    LETTERS.c.sender,
    LETTERS.c.outcome,
    LETTERS.c.reason,
    LETTERS.c.game,
    LETTERS.c.commands,
    LETTERS.c.attempts,
)
_HEARD = select(func.count()).select_from(
    select(LETTERS.c.number)
    .where(
        LETTERS.c.sender == bindparam("who"),
        LETTERS.c.received > bindparam("since"),
        LETTERS.c.received <= bindparam("until"),
        LETTERS.c.outcome.in_(("ruled", "answered")),
    )
    .limit(bindparam("most"))
    .subquery()
)
_CONCLUDE = (
    update(LETTERS)
    .where(
        LETTERS.c.number == bindparam("which"),
        or_(
            LETTERS.c.outcome.is_(None),
            LETTERS.c.outcome.in_((literal_column("'held'"), literal_column("'set-aside'"))),
        ),
    )
    .values(again=case((LETTERS.c.outcome.is_not(None), NEXT_LETTER), else_=LETTERS.c.again))
)


_SENT_LATELY = (
    select(OUTGOING.c.answers)
    .where(OUTGOING.c.player == bindparam("who"), OUTGOING.c.created >= bindparam("since"))
    .order_by(OUTGOING.c.id.desc())
    .limit(500)
    .subquery()
)
_HEARD_LATELY = select(LETTERS.c.commands).join_from(
    _SENT_LATELY, LETTERS, _SENT_LATELY.c.answers == LETTERS.c.number
)
_HEARD_FROM = (
    select(
        LETTERS.c.number,
        LETTERS.c.received,
        LETTERS.c.recorded,
        LETTERS.c.reason,
        LETTER_CONTENTS.c.content,
    )
    .outerjoin_from(LETTERS, LETTER_CONTENTS, LETTERS.c.number == LETTER_CONTENTS.c.letter)
    .where(
        LETTERS.c.sender == bindparam("who"),
        LETTERS.c.received <= bindparam("until"),
        LETTERS.c.number < bindparam("before"),
        or_(
            LETTERS.c.outcome.in_(("ruled", "answered")),
            (LETTERS.c.outcome == literal_column("'ignored'")) & (LETTERS.c.reason == bindparam("reason")),
        ),
    )
    .order_by(LETTERS.c.received.desc(), LETTERS.c.number.desc())
    .limit(bindparam("most"))
)
_theirs = (HEARD.c.player == bindparam("who"), HEARD.c.game == bindparam("which"))
_alike = (*_theirs, HEARD.c.lines == bindparam("lines"))
_LIKE_HEARD = select(
    select(func.max(HEARD.c.dated)).where(*_theirs, HEARD.c.dated <= bindparam("until")).scalar_subquery(),
    select(func.min(HEARD.c.letter)).where(*_alike, HEARD.c.dated == bindparam("dated")).scalar_subquery(),
    exists().where(*_alike, HEARD.c.dated.is_not(None)),
    exists().where(*_alike, HEARD.c.dated.is_(None)),
)


class LetterQueries(Repository):
    """Queries about incoming letters."""

    def __init__(self, transaction: Transaction, partings: PartingQueries) -> None:
        super().__init__(transaction)
        self._partings = partings

    def get(self, number: int, *, decided: bool = False) -> StoredLetter | None:
        """Return a letter that waits for its outcome; with `decided`, one that has it as well.

        None stands for a missing letter, or one that another process has in hand: in a unit of work the
        letter is locked.
        """
        if decided:
            asked = _DECIDED_LOCKED if self._transaction.locks else _DECIDED
        else:
            asked = _WAITING_LOCKED if self._transaction.locks else _WAITING
        row = self._connection.execute(asked, {"which": number}).first()
        return None if row is None else StoredLetter(*row)

    def duplicate(
        self, number: int, outcomes: Sequence[Outcome] = ("ruled", "answered"), besides: Sequence[str] = ()
    ) -> int | None:
        """Return the number of another letter with the same content and one of these outcomes; None for none.

        By default only a letter that was ruled or answered counts. One that was held, ignored or set aside
        has had no effect, and may be sent or put into the mailbox again.

        besides: reasons for which a letter does not count, either.
        """
        asked = {"which": number, "outcomes": list(outcomes), "besides": list(besides)}
        return self._connection.execute(_SAME, asked).scalar()

    def with_same_text(
        self, number: int, outcomes: Sequence[Outcome], besides: Sequence[str], limit: int
    ) -> list[Earlier]:
        """Return the letters of a writer with the same Date and text, oldest first, among those for `duplicate`."""
        asked = {"which": number, "outcomes": list(outcomes), "besides": list(besides), "most": limit}
        return [Earlier(*row) for row in self._connection.execute(_OF_THE_SAME_WORDS, asked)]

    def heard(
        self, player: int, game: int, dated: datetime | None, lines: Sequence[OwnLine], until: datetime
    ) -> Heard:
        """Return what is known of a player's letters that had an effect in a game.

        dated, lines: of the letter that is compared with them.
        until: later Dates do not count as the newest, since a wrong clock wrote them.
        """
        asked = {"who": player, "which": game, "dated": dated, "lines": _hashed(lines), "until": until}
        return Heard(*self._connection.execute(_LIKE_HEARD, asked).one())

    def newest(self, limit: int, outcome: Outcome | None = None) -> list[LetterLine]:
        """Return the newest letters, oldest first, without their bytes."""
        asked = _LETTER_LINES if outcome is None else _LETTER_LINES.where(LETTERS.c.outcome == outcome)
        rows = self._connection.execute(asked.order_by(LETTERS.c.number.desc()).limit(limit)).all()
        return [_read_letter_line(row) for row in reversed(rows)]

    def summary(self, number: int) -> LetterLine | None:
        """Return one letter without its bytes, None when there is none."""
        row = self._connection.execute(_LETTER_LINES.where(LETTERS.c.number == number)).first()
        return None if row is None else _read_letter_line(row)

    def count_heard(self, sender: str, since: datetime, until: datetime, most: int) -> int:
        """Return how many letters of an address that arrived after `since` and up to `until` were processed.

        No more than `most` are counted. Those of a departed player count too.
        """
        asked = {"who": address_key(sender), "since": since, "until": until, "most": most}
        heard: int = self._connection.execute(_HEARD, asked).scalar_one()
        left = self._partings.of_address(sender)
        before = left.letters if left is not None and since < left.at <= self._transaction.present() else 0
        return min(most, heard + before)

    def heard_from(
        self, sender: str, before: int, until: datetime, reason: str, most: int
    ) -> Sequence[LetterHeard]:
        """Return the newest letters of an address from before another, newest first.

        These are letters that were ruled or answered, and those ignored for one reason.
        """
        key = address_key(sender)
        asked = {"who": key, "before": before, "until": until, "reason": reason, "most": most}
        return [LetterHeard(*row) for row in self._connection.execute(_HEARD_FROM, asked)]

    def has_asked_for(self, player: int, beginning: str, since: datetime) -> bool:
        """Return whether a player's letter, answered since then, held a command with this beginning."""
        found = self._connection.execute(_HEARD_LATELY, {"who": player, "since": since}).scalars()
        return any(said.startswith(beginning) for commands in found for said in json.loads(commands))

    def unheard_by(self, until: datetime, player: int, since: datetime) -> list[EarlyLetter]:
        """Return the letters that arrived by an instant and were not processed, oldest first.

        They wait for their outcome, are held for a player, or were set aside, whoever wrote them, provided
        all of their bytes are here.

        since: held and set-aside letters recorded earlier are too old.
        """
        row = LETTERS.c
        asked = select(
            row.number,
            row.outcome,
            row.received,
            row.recorded,
            row.game,
            row.commands,
            row.sender,
            row.reason,
        )
        asked = asked.where(or_(row.received <= until, row.recorded <= until))
        whole = LETTERS.join(LETTER_CONTENTS, row.number == LETTER_CONTENTS.c.letter)
        late_enough = row.recorded >= since
        found = union_all(
            asked.where(row.outcome.is_(None)),
            asked.where(
                row.held_for == player, row.held_for.is_not(None), row.outcome == "held", late_enough
            ),
            asked.select_from(whole).where(
                row.outcome == "set-aside",
                # From an address that a player has given up: its writer is known.
                or_(row.sender != "", row.held_for.is_(None), row.held_for == player),
                late_enough,
                func.length(LETTER_CONTENTS.c.content) >= row.size,
            ),
        )
        return sorted(
            (
                EarlyLetter(
                    each.number,
                    each.outcome,
                    min(each.received, each.recorded),
                    each.recorded,
                    each.game,
                    tuple(json.loads(each.commands or "[]")),
                    each.sender,
                    each.reason or "",
                )
                for each in self._connection.execute(found)
            ),
            key=lambda letter: letter.number,
        )


class Letters(LetterQueries):
    """Incoming letters."""

    def __init__(self, transaction: Transaction, partings: Partings, players: Players) -> None:
        super().__init__(transaction, partings)
        self._players = players

    def conclude(
        self,
        number: int,
        *,
        outcome: Outcome,
        reason: str = "",
        game: int | None = None,
        commands: Sequence[str] = (),
        sender: str = "",
        held_for: int | None = None,
    ) -> None:
        """Give a letter its outcome, once; only a held or set-aside one may be given another.

        held_for: the player in whose name a held letter is, who is to be asked about it.
        Raises Contested when another process has decided it meanwhile, or it has to wait its turn.
        """
        self._transaction.take_turn()
        concluded = self._connection.execute(
            _CONCLUDE,
            {
                "which": number,
                "outcome": outcome,
                "reason": reason,
                "game": game,
                "commands": json.dumps(list(commands)),
                "sender": address_key(sender),
            },
        )
        if concluded.rowcount != 1:
            raise Contested(f"letter {number} was decided already; nothing was kept")
        if held_for is not None:
            self._connection.execute(
                update(LETTERS).where(LETTERS.c.number == number).values(held_for=held_for)
            )

    def mark_about(self, letter: int, player: int) -> None:
        """Record the player that a letter from another address concerns: it goes when they leave."""
        self._connection.execute(update(LETTERS).where(LETTERS.c.number == letter).values(held_for=player))

    def mark_heard(
        self, letter: int, player: int, game: int, dated: datetime | None, lines: Sequence[OwnLine]
    ) -> None:
        """Record that a player's letter had an effect in a game; see `heard`."""
        row = {"letter": letter, "player": player, "game": game, "dated": dated, "lines": _hashed(lines)}
        self._connection.execute(insert(HEARD), row)

    def count_failure(self, number: int, reason: str) -> int:
        """Record that deciding a letter failed, and why; return the number of failures."""
        attempts: int = self._connection.execute(
            update(LETTERS)
            .where(LETTERS.c.number == number)
            .values(attempts=LETTERS.c.attempts + 1, reason=reason)
            .returning(LETTERS.c.attempts)
        ).scalar_one()
        return attempts

    def erase(self, number: int) -> None:
        """Erase the bytes of an incoming letter."""
        self._connection.execute(delete(LETTER_CONTENTS).where(LETTER_CONTENTS.c.letter == number))

    def forget_from(self, address: str) -> None:
        """Erase letters from an address, and the record that they came from it.

        No player leads to them any more.

        Nothing is erased while the address is a player's.
        """
        if self._players.by_address(address) is not None:
            return
        self._forget(LETTERS.c.sender == address_key(address))

    def unlink_from(self, address: str, player: int) -> None:
        """Replace the sender of a player's letters from an address they have given up by the player.

        The letters go when the player leaves, like their later ones. Nothing is done while the address is a
        player's. Letters from there in another's name are erased.
        """
        if self._players.by_address(address) is not None:
            return
        there = LETTERS.c.sender == address_key(address)
        self._forget(and_(there, LETTERS.c.held_for != player))
        self._connection.execute(update(LETTERS).where(there).values(sender="", held_for=player))

    def _forget(self, which: ColumnElement[bool]) -> None:
        """Erase incoming letters: their bytes, their sender, and the commands read in them."""
        numbers = select(LETTERS.c.number).where(which)
        self._connection.execute(delete(LETTER_CONTENTS).where(LETTER_CONTENTS.c.letter.in_(numbers)))
        self._connection.execute(update(LETTERS).where(which).values(sender="", commands="[]"))

    def forget_held_for(self, player: int) -> None:
        """Erase the letters in a player's name that were held for them."""
        self._forget(LETTERS.c.held_for == player)

    def forget_heard(self, player: int) -> None:
        """Delete the record of a player's letters that had an effect in games."""
        self._connection.execute(delete(HEARD).where(HEARD.c.player == player))


def _read_letter_line(row: Row[Any]) -> LetterLine:
    """Return a row of a letter's columns as a value."""
    return LetterLine(**{**row._mapping, "commands": tuple(json.loads(row.commands))})


def _hashed(lines: Sequence[OwnLine]) -> str:
    return sha256("\n".join(line.text for line in lines).encode("utf-8", "backslashreplace")).hexdigest()
