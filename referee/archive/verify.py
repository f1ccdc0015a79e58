"""Checks a finished game's record against its own proof, offline: for `referee verify`. Pure.

It knows nothing about rules: the rulebook deals again, replays the record and says what the receipts bind. A
record that fits was not changed since its secret was bound, provided that its commitment is the one in the
game's first letters. Anybody who forges a record can forge a commitment with it. So numbers from players' own
letters can be given as well, and are searched for among those that follow from the record.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from referee.common.chance import Chance, commitment
from referee.common.errors import UsageError
from referee.games.game_options import of_the_rules, record_head
from referee.games.proof import IMPORTED
from referee.games.receipts import receipt
from referee.rulebooks.catalogue import CATALOGUE, USUAL, find_rulebook, read_beside
from referee.rulebooks.record_text import head_line, record_lines, too_long
from referee.rulebooks.rulebook import Happening, Json, Replay, Result, Rulebook, Seat

Part = Literal["proof", "commitment", "deal", "moves", "rows", "result", "chain", "letter"]
"""The part that does not fit.

proof: a line of the proof itself.
commitment: the commitment.
deal: what was drawn or set at the start.
moves: an answer or a move.
rows: the form of a row.
result: the end.
chain: the receipts.
letter: a number from a letter.
"""

_NEEDED = ("Game", "Rules", "Options", "Commitment", "Secret", "Chain")
_ROW_LINE = re.compile(r"\s*([0-9]{1,6})\s*[.):]")
_BACK_LINE = re.compile(r"\s*(?:\[\s*)?taken back to\b", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9a-f]{64}")
_ITS_OWN = ("Table", "View")
"""Lines that may differ from a record written now.

The replay has asked for the table, and each record names its compass.
"""


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One mismatch. row: 0 for the head. text: as in the record. reason: what would be right."""

    part: Part
    row: int
    seat: Seat | None
    text: str
    reason: str

    def sentence(self) -> str:
        """Return the mismatch in a line: `row 4 White L-S4xA: …`, `Secret = 54…: …`."""
        where = f"row {self.row}" if self.row else ""
        said = " ".join(filter(None, (where, self.seat.capitalize() if self.seat else "", self.text)))
        return f"{said}: {self.reason}" if said else self.reason


@dataclass(frozen=True, slots=True)
class Found:
    """A number from a letter, and its meaning in this game: `the commitment`, `the receipt of row 4 White L-S4xA`."""

    number: str
    what: str


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of a verification.

    receipts: how many follow from the record, as far as it can be followed.
    attempts: all that were answered.
    taken_back: how many of them no longer count.
    counted: the rules' plural for attempts.
    """

    misfits: tuple[Discrepancy, ...]
    game: int | None = None
    rules: str = ""
    deal_set: bool = False
    commitment: str = ""
    attempts: int = 0
    taken_back: int = 0
    receipts: int = 0
    chain: str = ""
    result: Result | None = None
    found: tuple[Found, ...] = ()
    imported: str = ""
    """How much of the game was played elsewhere, before anything was bound; "" for nothing."""
    counted: str = ""

    @property
    def fits(self) -> bool:
        return not self.misfits

    def lines(self) -> Iterator[str]:
        """Yield the result in lines: the mismatches, or what was checked, if everything fits."""
        for misfit in self.misfits:
            yield misfit.sentence()
        if self.misfits:
            return
        result = self.result
        assert result is not None  # a record without one does not fit
        outcome = (
            f"{result.winner.capitalize()} wins"
            if result.winner
            else "no result"
            if result.void
            else "a draw"
        )
        back = f", {self.taken_back} of them taken back" if self.taken_back else ""
        yield f"game {self.game} fits: {outcome}, {result.how}"
        yield f"  commitment  {self.commitment}"
        yield f"  deal        {'set by an umpire, and bound' if self.deal_set else 'drawn from the secret'}"
        yield f"  {self.counted:<10}  {self.attempts}{back}, each as the rules say"
        yield f"  receipts    {self.receipts}, the last {self.chain}"
        if self.imported:
            yield f"  imported    {self.imported} were made elsewhere, before anything was bound: nothing proves those"
        for each in self.found:
            yield f"  {each.number}: {each.what}"
        if not self.found:
            yield "Now compare the commitment with that of a first letter."

    def plain(self) -> dict[str, Json]:
        """Return the result as plain data, for `--json`."""
        return {
            "verified": self.fits,
            "errors": [
                {
                    "part": each.part,
                    "row": each.row,
                    "seat": each.seat,
                    "text": each.text,
                    "reason": each.reason,
                }
                for each in self.misfits
            ],
            "game": self.game,
            "rules": self.rules,
            "deal_set": self.deal_set,
            "commitment": self.commitment,
            "attempts": self.attempts,
            "taken_back": self.taken_back,
            "receipts": self.receipts,
            "chain": self.chain,
            "result": self.result.plain() if self.result else None,
            "letters": {each.number: each.what for each in self.found},
        } | ({"imported": self.imported} if self.imported else {})


@dataclass(frozen=True, slots=True)
class _Proof:
    """The proof as a record states it. secret: 32 bytes."""

    game: int
    rulebook: Rulebook
    version: str
    options: Mapping[str, str]
    deal: str
    commitment: str
    secret: bytes = field(repr=False)
    chain: str

    def binds(self) -> str:
        """Return the commitment that follows from all the other lines."""
        return commitment(
            self.secret,
            game=self.game,
            rules=self.rulebook.name,
            version=self.version,
            options=self.options,
            deal=self.deal,
        )


def verify(text: str, table: str | None = None, letters: Sequence[str] = ()) -> Verified:
    """Verify a record (the text of a file).

    table: text of the movement table that the game was played with, where it is not the default one.
    letters: commitments and receipts from letters of the game, 64 hex digits each.
    """
    if why := too_long(text):
        return Verified((Discrepancy("rows", 0, None, "", why),))
    head, twice = _read_head(text)
    misfits: list[Discrepancy] = [
        Discrepancy("proof", 0, None, f"{key} = {said}", f"{key} stands there twice") for key, said in twice
    ]
    proof = _read_proof(head, misfits)
    if proof is None:
        return Verified(tuple(misfits))
    rulebook, true = proof.rulebook, proof.binds()
    replayed = rulebook.records.replay(text, table)
    misfits += _commitment_misfits(proof, true)
    if wrong := list(_start_misfits(proof, head, replayed)):
        misfits += wrong
        if true == proof.commitment:
            # The start is then certain, and the answers are checked against it.
            replayed = rulebook.records.replay(
                _with_true_start(text, proof, _strange(proof, replayed)), table
            )
    misfits += [Discrepancy("moves", each.row, each.seat, each.text, each.reason) for each in replayed.errors]
    links = _links(proof, replayed.happenings, true)
    if replayed.consistent:
        misfits += _result_misfits(proof, head, replayed)
        misfits += _row_misfits(proof, text, replayed, head)
        misfits += _chain_misfits(proof, links, true)
    else:
        reason = "the chain cannot be followed beyond the row at which the record and the rules part"
        misfits.append(Discrepancy("chain", 0, None, f"Chain = {proof.chain}", reason))
    found, unknown = _look_up(letters, links, true)
    misfits += unknown
    attempts = sum(said.get("answer", "pass") != "pass" for said, _ in links)
    return Verified(
        tuple(misfits),
        proof.game,
        proof.rulebook.name,
        bool(proof.deal),
        proof.commitment,
        attempts,
        attempts - replayed.attempts,
        len(links),
        proof.chain,
        replayed.result,
        found,
        head.get(IMPORTED, ""),
        proof.rulebook.records.counted[1],
    )


PROGRAMS: Mapping[str, str] = {entry.name: entry.program for entry in CATALOGUE if entry.program}
"""The rules for which players can get a small program that checks the same without any of this code."""


def small_program(rules: str = USUAL) -> str:
    """Return the small program for games by these rules. Raises UsageError where there is none."""
    if rules not in PROGRAMS:
        known = " and ".join(PROGRAMS)
        raise UsageError(f"there are small programs for games by the rules {known}, and none for {rules!r}.")
    return read_beside(rules, PROGRAMS[rules])


def rules_in(record: str) -> str:
    """Return the name of the rules in a record's head, "" where it names none."""
    head, _ = _read_head(record)
    return head.get("Rules", "").partition(" ")[0]


def _read_head(text: str) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the `KEY = VALUE` lines above the rows, and the repeated lines of the proof."""
    head: dict[str, str] = {}
    twice: list[tuple[str, str]] = []
    keys = {key.lower(): key for key in (*_NEEDED, "Deal", "Result", "Time", "Lapse", IMPORTED)}
    for line in record_lines(text):
        if line.lstrip().startswith(";"):
            continue
        if found := head_line(line):
            key, said = keys.get(found[0].lower(), found[0]), found[1]
            if key in head and key in keys.values():
                twice.append((key, said))
            head[key] = said
    return head, twice


def _read_proof(head: Mapping[str, str], misfits: list[Discrepancy]) -> _Proof | None:
    """Return the proof in a head; None where a part is missing or unreadable, which `misfits` then names."""

    def wrong(key: str, reason: str) -> None:
        misfits.append(Discrepancy("proof", 0, None, f"{key} = {head[key]}", reason))

    before = len(misfits)
    for key in _NEEDED:
        if key not in head:
            reason = f"the record has no line `{key} = …`, as it has at the end of a game"
            misfits.append(Discrepancy("proof", 0, None, "", reason))
    for key in ("Commitment", "Secret", "Chain"):
        if key in head and not _DIGITS.fullmatch(head[key]):
            wrong(key, "64 digits of 0-9 and a-f are expected")
    if "Game" in head and not re.fullmatch(r"[1-9][0-9]{0,17}", head["Game"]):
        wrong("Game", "the number of a game is expected")
    options = _read_options(head["Options"]) if "Options" in head else None
    if options is None and "Options" in head:
        wrong("Options", 'options are expected as in {"first": "white"}')
    name, _, version = head.get("Rules", "").partition(" ")
    rulebook: Rulebook | None = None
    if "Rules" in head:
        try:
            rulebook = find_rulebook(name)
        except UsageError as error:
            wrong("Rules", str(error).rstrip("."))
        else:
            if version.strip() != rulebook.version:
                wrong("Rules", f"here these rules are known as version {rulebook.version}, and as no other")
    if len(misfits) > before or rulebook is None or options is None:
        return None
    deal = head.get("Deal", "")
    said = of_the_rules(options) | ({"deal": deal} if deal else {})
    for fault in rulebook.rules.check_options(said):
        key = "Deal" if fault.code == "deal" else "Options"
        wrong(key, fault.reason())
    if len(misfits) > before:
        return None
    return _Proof(
        int(head["Game"]),
        rulebook,
        version.strip(),
        options,
        deal,
        head["Commitment"],
        bytes.fromhex(head["Secret"]),
        head["Chain"],
    )


def _read_options(said: str) -> dict[str, str] | None:
    try:
        options: Any = json.loads(said)
    except (ValueError, RecursionError):
        return None
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        return None
    return options


def _commitment_misfits(proof: _Proof, true: str) -> Iterator[Discrepancy]:
    if true != proof.commitment:
        reason = f"game, rules, options, secret and deal as they stand here would be bound by {true}"
        yield Discrepancy("commitment", 0, None, f"Commitment = {proof.commitment}", reason)


def _true_start(proof: _Proof) -> dict[str, str]:
    """Deal again; return what the head of a record says about the start."""
    options = of_the_rules(proof.options) | ({"deal": proof.deal} if proof.deal else {})
    opening = proof.rulebook.rules.opening(options, Chance(proof.secret))
    head, _ = _read_head(proof.rulebook.records.write(opening, {}, None))
    return {key: said for key, said in head.items() if key not in _ITS_OWN}


def _with_true_start(text: str, proof: _Proof, strange: Iterable[str]) -> str:
    """Return a record with the true lines of the start in place of its own.

    strange: lines that it should not have.
    """
    true = _true_start(proof)
    known = {key.lower() for key in (*true, *strange)}
    kept = [
        line for line in record_lines(text) if not ((found := head_line(line)) and found[0].lower() in known)
    ]
    return "\n".join([*(f"{key} = {said}" for key, said in true.items()), *kept, ""])


def _start_misfits(proof: _Proof, head: Mapping[str, str], replayed: Replay) -> Iterator[Discrepancy]:
    """Compare what was drawn or set at the start with this record's statement, however it is spelt."""
    here = head
    if replayed.happenings:
        here, _ = _read_head(proof.rulebook.records.write(replayed.happenings, {}, None))
    origin = "by the secret and the options"
    if proof.deal:
        origin = "by the secret, the options and the deal that was set"
    # A replay infers some of these lines, and counts a word that occurs twice as one.
    written = {key.casefold(): said.split(";", 1)[0].strip() for key, said in head.items()}
    true = _true_start(proof)
    for key, said in here.items() if replayed.happenings else ():
        if key.casefold() not in written and key not in (*true, *_ITS_OWN, "Result"):
            yield Discrepancy(
                "deal", 0, None, "", f"the record has no line `{key}`; by the rows it is {said}"
            )
    for key, said in true.items():
        if key in here and here[key] != said:
            yield Discrepancy("deal", 0, None, f"{key} = {here[key]}", f"{origin} it is {said}")
        elif key.casefold() not in written:
            yield Discrepancy("deal", 0, None, "", f"the record has no line `{key}`; {origin} it is {said}")
        elif _alike(written[key.casefold()].replace(",", "")) != _alike(said):
            yield Discrepancy("deal", 0, None, f"{key} = {written[key.casefold()]}", f"{origin} it is {said}")
    for key, said in _strange(proof, replayed).items():
        yield Discrepancy("deal", 0, None, f"{key} = {said}", f"{origin} there is no such line")
    for key in ("Time", "Lapse"):
        agreed = record_head(proof.options).get(key)
        if agreed != head.get(key):
            right = f"by the options it is {agreed}" if agreed else "by the options no time is counted"
            text = f"{key} = {head[key]}" if key in head else ""
            yield Discrepancy(
                "deal", 0, None, text, right if text else f"the record has no line `{key}`; {right}"
            )


def _strange(proof: _Proof, replayed: Replay) -> dict[str, str]:
    """Return a record's lines about the start that a game with this proof does not have: for example a variant."""
    if not replayed.happenings:
        return {}
    began, _ = _read_head(proof.rulebook.records.write(replayed.happenings[:1], {}, None))
    true = _true_start(proof)
    return {key: said for key, said in began.items() if key not in true and key not in _ITS_OWN}


def _result_misfits(proof: _Proof, head: Mapping[str, str], replayed: Replay) -> Iterator[Discrepancy]:
    """Yield differences in the result.

    A replay reads a claim for its meaning. Here each word of it counts, since the last receipt binds them.
    """
    text = f"Result = {head['Result']}" if "Result" in head else ""
    if replayed.result is None:
        yield Discrepancy("result", 0, None, text, "by this record the game is not over")
        return
    true, _ = _read_head(proof.rulebook.records.write(replayed.happenings, {}, None))
    if _alike(true["Result"]) != _alike(head.get("Result", "").split(";", 1)[0]):
        yield Discrepancy("result", 0, None, text or "Result", f"by the rows it is {true['Result']}")


def _row_misfits(
    proof: _Proof, text: str, replayed: Replay, head: Mapping[str, str]
) -> Iterator[Discrepancy]:
    """Write the rows again and compare them.

    A missing tail or end changes no move, but is a change all the same. Blanks, dashes and capitals do not
    matter.
    """
    view = {"View": head["View"]} if "View" in head else {}
    true = _rows(proof.rulebook.records.write(replayed.happenings, view, None))
    here = _rows(text)
    for place in range(max(len(true), len(here))):
        said = here[place] if place < len(here) else ""
        right = true[place] if place < len(true) else ""
        if _alike(said) != _alike(right):
            found = _ROW_LINE.match(said or right)
            expected = f"by the moves and answers it is written `{right}`" if right else "nothing stands here"
            yield Discrepancy(
                "rows", int(found[1]) if found else 0, None, f"`{said}`" if said else "", expected
            )
            return


def _rows(record: str) -> list[str]:
    """Return the numbered rows and the lines that take turns back, with single blanks, without comments."""
    lines = (line.split(";", 1)[0] for line in record_lines(record))
    return [
        " ".join(line.split())
        for line in lines
        if head_line(line) is None and (_ROW_LINE.match(line) or _BACK_LINE.match(line))
    ]


def _alike(text: str) -> str:
    """Return a text so that different spellings are equal: without blanks and capitals, with plain dashes.

    A digit is one of 0 to 9: a character that only looks like one, such as a superscript, differs.
    """
    plain = unicodedata.normalize("NFC", text).replace("×", "x").casefold()
    dashes = ("-" if unicodedata.category(sign) == "Pd" or sign == "−" else sign for sign in plain)
    return "".join(sign for sign in dashes if not sign.isspace())


_Link = tuple[Mapping[str, str], str]


def _links(proof: _Proof, happenings: Sequence[Happening], before: str) -> list[_Link]:
    """Return each part of a game that has a receipt, with it, oldest first. before: the commitment."""
    links: list[_Link] = []
    for said in filter(None, map(proof.rulebook.records.recorded, happenings)):
        before = receipt(before, proof.secret, said)
        links.append((said, before))
    return links


def _chain_misfits(proof: _Proof, links: Sequence[_Link], true: str) -> Iterator[Discrepancy]:
    """Yield differences in the chain, which begins with the true commitment, or with the record's.

    So a changed line of the head does not count as a changed game.
    """
    last = links[-1][1] if links else true
    if last == proof.chain:
        return
    last_here = proof.commitment
    for said, _ in links:
        last_here = receipt(last_here, proof.secret, said)
    if last_here != proof.chain:
        reason = (
            f"by this record the last receipt is {last}: a move, an answer, the end or the secret was changed, or "
            "something was left out or put in"
        )
        yield Discrepancy("chain", 0, None, f"Chain = {proof.chain}", reason)


def _look_up(
    letters: Sequence[str], links: Sequence[_Link], true: str
) -> tuple[tuple[Found, ...], list[Discrepancy]]:
    """Find numbers from letters among those of this game."""
    known = {true: "the commitment"}
    for count, (said, link) in enumerate(links, 1):
        known[link] = f"receipt {count} of {len(links)}: {' '.join(said.values())}"
    found: list[Found] = []
    unknown: list[Discrepancy] = []
    for number in letters:
        said_so = number.strip().lower()
        if said_so in known:
            found.append(Found(said_so, known[said_so]))
        else:
            unknown.append(Discrepancy("letter", 0, None, number, _why_not(said_so)))
    return tuple(found), unknown


def _why_not(number: str) -> str:
    """Return why a number from a letter is none of this game's.

    One that is cut short, as in `4beb15fe…`, proves nothing.
    """
    digits = re.sub(r"…|\.\.+", "", number)
    if _DIGITS.fullmatch(number):
        return "this is neither the commitment nor a receipt of the game that this record tells"
    if re.fullmatch(r"[0-9a-f]{1,63}", digits):
        return f"this has {len(digits)} of 64 digits: give the whole number, as it stands in the letter"
    return "this is no commitment and no receipt: give a number of 64 digits, 0-9 and a-f, as it stands in the letter"
