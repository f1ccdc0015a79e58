#!/usr/bin/env python3
"""Check the record of a finished game of Confusion: that nobody cheated with the deal, the answers or the record.

    python3 verify_game.py game-17.txt
    python3 verify_game.py game-17.txt NUMBER NUMBER …      with numbers of 64 digits out of your own letters

It needs Python 3.11 and nothing else, asks no network, and is short, so that you can read it before you believe it.

What it checks, in this order:
1. The commitment is the SHA-256 of one line that holds the game's number, its options, its secret and, where an umpire
   set it, the deal. It stood in your first letter, before anything was played.
2. Who begins, and both deals, follow from the secret; or they are as options say and as an umpire set them.
3. Each move was possible, and each answer is what the deal and the movement table say; what was taken back, too.
4. The receipts: each is the SHA-256 of a move and its answer, of the receipt before it, and of the secret. The first
   follows the commitment, the last is the line `Chain`. So nothing was changed, left out or put in between.

Whoever forges a whole record can forge a commitment with it. So give the commitment of *your* first letter, and
receipts of your other letters: they must be among those that follow from this record.
Of a game by other rules it checks the first of these alone, and says so; for games of spies there is verify_spies.py.
Nothing binds names, dates, `Imported` (what was played elsewhere), comments behind a semicolon, and lines unknown here.
With another movement table than `classic`, give its file: --table FILE.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import re
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

RULES = "confusion 1"
WHITE, SOUTH = "white", "yellow"
"""White sits in the north. The other side sits in the south and has the left column of a record."""
LETTERS = "ACEHKLNOPSTV"
KEYS_BY_OPTIONS: tuple[str, ...] = ()
FURTHER_KEYS: tuple[str, ...] = ()
"""Lines in the head of a record that only these rules know: those that follow from the options, and others."""
HELD = "by holding Z on the opponent's first rank"
STUCK = "because neither side can move"
ON_THE_BOARD = (HELD, STUCK)
"""Ends that the moves themselves bring."""
CELL = re.compile(r"(?:White|Yellow) (?:wins|resigns)|No result|\S+")
"""What stands in a row: moves, `pass`, an end."""

# From here on to the line with `The rules`, verify_game.py and verify_spies.py are the same, sign for sign.


class Misfit(Exception):
    """Something that does not fit. part: which of the checks found it."""

    def __init__(self, part: str, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.part = part


# 1 and 2: what the secret brings


def digest(said: Mapping[str, object]) -> str:
    """Return the SHA-256 of one line of JSON: keys in order, no blanks."""
    line = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(line.encode()).hexdigest()


class Dice:
    """Numbers that follow from a secret; each purpose has its own."""

    def __init__(self, secret: str, purpose: str) -> None:
        self.stream = self.flow(bytes.fromhex(secret), purpose)

    @staticmethod
    def flow(secret: bytes, purpose: str) -> Iterator[int]:
        for counter in range(1_000_000):
            yield from hmac.new(secret, f"{purpose}\n{counter}".encode(), "sha256").digest()

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1; what would make some likelier than others is left out."""
        while (number := next(self.stream) << 8 | next(self.stream)) >= 65536 - 65536 % bound:
            pass
        return number % bound


def draw_deal(secret: str, side: str, letters: str, types: Sequence[str]) -> str:
    """Return the types, shuffled and given to the letters: `A6 C8 …`."""
    dice, drawn = Dice(secret, f"deal {side}"), list(types)
    for last in range(len(drawn) - 1, 0, -1):
        other = dice.below(last + 1)
        drawn[last], drawn[other] = drawn[other], drawn[last]
    return " ".join(f"{letter}{number}" for letter, number in zip(letters, drawn, strict=True))


def bare(said: str) -> str:
    """Return a text in one of the ways in which it may be written: single blanks, no commas, capitals."""
    return " ".join(said.replace(",", " ").split()).upper()


def check_proof(head: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the commitment that follows from the other lines, and the options. Raises Misfit if they are no proof."""
    for key in ("Game", "Rules", "Options", "Commitment", "Secret", "Chain"):
        if key not in head:
            why = f"the record has no line `{key} = …`, as it has at the end of a game"
            raise Misfit("proof", "the head", why)
    for key in ("Commitment", "Secret", "Chain"):
        if not re.fullmatch("[0-9a-f]{64}", head[key]):
            raise Misfit("proof", f"{key} = {head[key]}", "64 digits of 0-9 and a-f are expected")
    if not re.fullmatch("[1-9][0-9]{0,17}", head["Game"]):
        raise Misfit("proof", f"Game = {head['Game']}", "the number of a game is expected")
    try:
        options = json.loads(head["Options"])
    except (ValueError, RecursionError):
        options = None
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        raise Misfit("proof", f"Options = {head['Options']}", 'expected is {"first": "white"}, say')
    rules, _, version = head["Rules"].partition(" ")
    bound = {
        **({"deal": head["Deal"]} if head.get("Deal") else {}),
        "domain": "referee commitment 1",
        "game": int(head["Game"]),
        "options": options,
        "rules": rules,
        "secret": head["Secret"],
        "version": version,
    }
    true = digest(bound)
    if head["Rules"] != RULES:
        fits = "fits" if true == head["Commitment"] else f"does not fit: it would be {true}"
        why = f"this program knows the rules `{RULES}` alone; `referee verify` knows others"
        why += f". The commitment {fits}. Nothing else was checked"
        raise Misfit("rules", f"Rules = {head['Rules']}", why)
    return true, options


def check_start(head: Mapping[str, str], options: Mapping[str, str]) -> tuple[dict[str, str], list[Misfit]]:
    """Return the lines of the head that follow from the proof, and those of the record's that are not so."""
    secret, misfits = head["Secret"], []
    first = options.get("first", "").lower() or (WHITE, SOUTH)[Dice(secret, "first").below(2)]
    true = {"First": first.capitalize(), **lines_by_options(options)}
    was_set = dict(part.strip().split("=", 1) for part in head.get("Deal", "").split(";") if "=" in part)
    for side in (WHITE, SOUTH):
        drawn = draw_deal(secret, side, letters_by(options), types_by(options))
        true[side.capitalize()] = was_set.get(side.capitalize()) or drawn
    if options.get("time", "none") != "none":
        true |= {"Time": options["time"], "Lapse": options.get("lapse", "hard")}
    for key in ("White", SOUTH.capitalize(), "First", "Time", "Lapse", *KEYS_BY_OPTIONS):
        if key in head and bare(head[key]) != bare(true.get(key, "")):
            why = f"by the proof it is {true[key]}" if key in true else "by the proof there is no such line"
            misfits.append(Misfit("deal", f"{key} = {head[key]}", why))
        elif key in true and key not in head:
            misfits.append(Misfit("deal", "the head", f"no line `{key}`; by the proof it is {true[key]}"))
    if bare(head.get("View", WHITE)) not in (WHITE.upper(), SOUTH.upper()):
        misfits.append(Misfit("moves", f"View = {head['View']}", "whose compass it is cannot be read"))
    return true, misfits


# 3: the board, and the rows of a record

COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
STEPS = dict(
    zip(COMPASS, ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)), strict=True)
)
WAYS = dict(zip(COMPASS, ("F", "FD", "S", "BD", "B", "BD", "S", "FD"), strict=True))
"""What the directions are for who looks north: forward, diagonally forward, sideways, and so on."""
OTHER = {WHITE: SOUTH, SOUTH: WHITE}
FAR_RANK = {WHITE: 1, SOUTH: 11}

Square = tuple[int, int]
"""File and rank, 1 to 11, from the south-west corner."""
Piece = tuple[str, str]
"""Its side and its letter."""
Type = tuple[int, bool, frozenset[str]]
"""Its reach, whether it is promoted on the far rank, the ways that it goes."""

CLASSIC: dict[str, Type] = {
    "1": (4, True, frozenset({"F"})),
    "2": (3, False, frozenset({"F", "BD"})),
    "3": (2, False, frozenset({"F", "BD", "B"})),
    "4": (2, False, frozenset({"F", "S", "B"})),
    "5": (2, True, frozenset({"F", "FD", "S"})),
    "6": (1, False, frozenset({"F", "FD", "S", "BD", "B"})),
    "7": (1, False, frozenset({"F", "FD", "S", "B"})),
    "8": (1, False, frozenset({"FD", "S", "BD"})),
    "9": (2, True, frozenset({"FD", "S"})),
    "10": (2, False, frozenset({"FD", "BD"})),
    "11": (2, False, frozenset({"FD", "B"})),
    "12": (3, True, frozenset({"FD"})),
    "+": (2, False, frozenset({"F", "FD", "S", "BD", "B"})),  # what was promoted
}


def turned(direction: str) -> str:
    """Return a direction as the player opposite names it."""
    return COMPASS[(COMPASS.index(direction) + 4) % 8]


class Move(NamedTuple):
    """A move as it is tried: `V-N1`, `VZ-N1` with Z, `Z-N1` of Z alone, which has no letter."""

    letter: str
    with_z: str
    direction: str
    length: int

    def __str__(self) -> str:
        return f"{self.letter}{self.with_z}-{self.direction}{self.length}"


MOVE = re.compile(r"([ACEHKLNOPSTVX]?)(Z?)-([NS]?[EW]?)([1-9]|10)([xA-Z>+]*)")


def read_move(said: str, *, from_white: bool) -> tuple[Move, str]:
    """Return a move with the compass of the board, and what is written behind it. Raises ValueError if it is none."""
    found = MOVE.fullmatch(said)
    if found is None or found[3] not in COMPASS or not (found[1] or found[2]):
        raise ValueError(f"{said} is no move")
    direction = turned(found[3]) if from_white else found[3]
    return Move(found[1], found[2], direction, int(found[4])), found[5]


class Board:
    """Where everything stands. files: the first and the last that are played on."""

    def __init__(
        self, pieces: dict[Square, Piece], types: Mapping[str, Type], files: Square = (1, 11)
    ) -> None:
        self.pieces, self.types, self.files = pieces, types, files
        self.z: Square = (6, 6)
        self.promoted: set[Piece] = set()

    def copy(self) -> Board:
        other = copy.copy(self)
        other.pieces, other.promoted = dict(self.pieces), set(self.promoted)
        return other

    def where(self, side: str, letter: str) -> Square | None:
        return next((at for at, piece in self.pieces.items() if piece == (side, letter)), None)

    def holds(self, square: Square) -> bool:
        return self.files[0] <= square[0] <= self.files[1] and 1 <= square[1] <= 11

    def held_on_far_rank(self) -> Piece | None:
        """Return the piece that holds Z on the opponent's first rank, if one does."""
        holder = self.pieces.get(self.z)
        return holder if holder and self.z[1] == FAR_RANK[holder[0]] else None

    def line(self, side: str, move: Move) -> tuple[Square, Square]:
        """Return from where to where a move goes. Raises ValueError if it cannot even be tried."""
        start = self.where(side, move.letter) if move.letter else self.z
        if start is None:
            raise ValueError(f"{move.letter} is not on the board any more")
        piece = self.pieces.get(start)
        if piece is None or piece[0] != side or (move.with_z and start != self.z):
            raise ValueError(f"{move.letter or 'this side'} does not hold Z")
        east, north = STEPS[move.direction]
        line = [(start[0] + east * step, start[1] + north * step) for step in range(1, move.length + 1)]
        end = line[-1]
        if not self.holds(end):
            raise ValueError("this leaves the board")
        if any(square in self.pieces or square == self.z for square in line[:-1]):
            raise ValueError("something stands in the way")
        there = self.pieces.get(end)
        if move.letter and there and there[0] == side:
            raise ValueError(f"{there[1]} of the same side stands there")
        return start, end

    def tail(self, move: Move, end: Square) -> str:
        """Return what is written behind a move: what it would capture or pass Z to, and whether it would take Z."""
        there = self.pieces.get(end)
        tail = f"{'x' if move.letter else '>'}{there[1]}" if there else ""
        return tail + ("xZ" if move.letter and end == self.z else "")

    def can(self, number: str, side: str, move: Move) -> bool:
        """Return whether a type goes so far in this direction."""
        reach, _, ways = self.types[number]
        return move.length <= reach and way(side, move.direction) in ways

    def happens(self, move: Move, start: Square, end: Square) -> None:
        if move.letter:
            self.promoted.discard(self.pieces.get(end, ("", "")))
            self.pieces[end] = self.pieces.pop(start)
        if move.with_z:  # which `Z-N1` has, too
            self.z = end

    def is_stuck(self, side: str, barred: Collection[str] = ()) -> bool:
        """Return whether a side has nothing to try. barred: letters of pieces that may try nothing now."""
        goes = {way for _, _, ways in self.types.values() for way in ways}
        for (file, rank), (owner, letter) in self.pieces.items():
            if owner != side or letter in barred:
                continue
            for direction, (east, north) in STEPS.items():
                beside = (file + east, rank + north)
                free = self.pieces.get(beside, ("", ""))[0] != side or (file, rank) == self.z
                if free and self.holds(beside) and way(side, direction) in goes:
                    return False
        return True


def way(side: str, direction: str) -> str:
    return WAYS[direction if side == SOUTH else turned(direction)]


def deals_in(start: Mapping[str, str], letters: str, types: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return for each side the types of its letters. Raises Misfit where a deal is none."""
    deals = {}
    for side in OTHER:
        deals[side] = dict(re.findall(r"([A-Z])(\d+|\?)", start[side.capitalize()]))
        if sorted(deals[side]) != sorted(letters) or sorted(deals[side].values()) != sorted(types):
            raise Misfit("deal", f"{side.capitalize()} = {start[side.capitalize()]}", "this is no deal")
    return deals


# Without blanks at both ends. No pattern tries blanks anew from each place, so no record takes long.
HEAD = re.compile(r"([^\W\d]\w*)\s*=\s*(.*)")
HEADING = re.compile(r"(\w+)\s+(\w+)")
ROW = re.compile(r"([1-9][0-9]{0,5})\.\s*(.*)")
BACK = re.compile(rf"taken back to ([1-9][0-9]{{0,5}}) (White|{SOUTH.capitalize()})(?:: (.*))?")
LIKE_A_ROW = re.compile(r"\d|[\W_]*taken back to \d|(?:\[ ?)?taken back|(?:result|résultat)\b", re.IGNORECASE)
LIKE_AN_END = re.compile(
    rf"[\W_]*(?:(?:the )?(?:white|{SOUTH})[\W_]+(?:(?:has|had|have) )?"
    r"(?:wins?|won|resigns?|resigned|loses?|lost|gives? up|gave up|given up)"
    r"|(?:the game (?:is|was) )?(?:a )?(?:draw|drawn)|no[\W_]+result)\b(?: the game)?[\W_]*"
    r"(?:\b(?:by|on time|because|agreed|adjudicated|abandoned)\b.*)?",
    re.IGNORECASE,
)
BESIDE_A_MOVE = f"YES NO WAS IS REFUSED AND THEN ROW TURN MOVE WHITE {SOUTH.upper()}".split()
"""Words that make no note of a line of moves."""
WAYS_OF_WRITING = str.maketrans("‐‑‒–—−×", "------x")
"""Other dashes than the hyphen, and another cross, in the cells of a row."""
LARGEST = 2_000_000
ENDS = re.compile(rf"(?:White|{SOUTH.capitalize()}) (?:wins|resigns)|No result|Draw")
KEYS = (
    *("Game", "Rules", "Options", "Deal", "Commitment", "Secret", "Chain", "Imported", "Time", "Lapse"),
    *("White", SOUTH.capitalize(), "First", "Table", "View", "Result", *KEYS_BY_OPTIONS, *FURTHER_KEYS),
)


def seen(line: str) -> str:
    """Return a line without what nobody sees: characters of no width, marks of direction, controls."""
    return "".join(each for each in line.replace("\t", " ") if each.isprintable() or each.isspace()).strip()


def is_astray(said: str) -> bool:
    """Return whether a line below the rows holds moves or an end, and so is no note."""
    said = " ".join(re.sub(r"\{[^{}]*\}", " ", said).split())
    if LIKE_A_ROW.match(said) or LIKE_AN_END.fullmatch(said):
        return True
    words = re.findall(r"[^\s()\[\].,:!?*]+", said.translate(WAYS_OF_WRITING).upper())
    moves = [word for word in words if word == "PASS" or MOVE.fullmatch(word)]
    others = (word.strip("-") for word in words if word not in moves)
    return bool(moves) and all(not word or word.isdigit() or word in BESIDE_A_MOVE for word in others)


def read_record(text: str, misfits: list[Misfit]) -> tuple[dict[str, str], list[re.Match[str]]]:
    """Return the lines of the head, and the rows."""
    head: dict[str, str] = {}
    rows: list[re.Match[str]] = []
    if len(text) > LARGEST:
        misfits.append(
            Misfit("proof", "the record", f"it has {len(text):,} signs, and none has more than {LARGEST:,}")
        )
        return head, rows
    for line in map(seen, text.splitlines()):
        said = line.split(";", 1)[0].rstrip()
        if found := HEAD.fullmatch(line):
            key = next((key for key in KEYS if key.lower() == found[1].lower()), found[1])
            if key in KEYS and key in head:
                misfits.append(Misfit("proof", f"{key} = {found[2]}", f"{key} stands there twice"))
            head[key] = found[2] if key in ("Deal", "Options") else found[2].split(";", 1)[0].strip()
        elif (found := HEADING.fullmatch(said)) and {found[1].lower(), found[2].lower()} <= set(OTHER):
            if found[1].lower() != SOUTH:
                misfits.append(Misfit("rows", said, f"the left column is {SOUTH.capitalize()}'s"))
        elif found := BACK.fullmatch(said) or ROW.fullmatch(said):
            rows.append(found)
        elif said and (not rows or is_astray(said)):
            misfits.append(Misfit("rows", said, "this line cannot be read"))
    return head, rows


class Reader:
    """Plays the rows of a record, one cell after the other."""

    def __init__(self, game: Game, head: Mapping[str, str]) -> None:
        self.game, self.head = game, head
        self.from_white = bare(head.get("View", SOUTH)) == WHITE.upper()
        self.fresh, self.end = True, ""

    def all(self, rows: Sequence[re.Match[str]]) -> None:
        """Play all rows. Raises Misfit at the first that does not fit."""
        for found in rows:
            line = " ".join(found[0].split())
            try:
                if found.re is BACK:
                    reason = " ".join((found[3] or "").split())
                    self.game = self.game.take_back(int(found[1]), found[2].lower(), reason)
                    self.fresh = True
                else:
                    self.row(int(found[1]), CELL.findall(found[2].translate(WAYS_OF_WRITING)))
            except ValueError as error:
                raise Misfit("moves", f"row `{line}`", str(error)) from error
        result = self.game.result
        if not self.end:
            right = f"`{last_words(result)}` should stand there" if result else "the game is not over"
            raise Misfit("rows" if result else "result", "after the last row", right)
        if " ".join(self.head.get("Result", "").split()) != result:
            raise Misfit("result", f"Result = {self.head.get('Result')}", f"by the rows it is {result}")

    def row(self, number: int, cells: Sequence[str]) -> None:
        expected = self.game.due[0]
        if number != expected or not 1 <= len(cells) <= 2:
            raise ValueError(f"row {expected}, with one cell or two, should stand here")
        for side, cell in zip((SOUTH, WHITE), cells, strict=False):
            try:
                self.cell(side, cell)
            except ValueError as error:
                raise ValueError(f"{side.capitalize()} {cell}: {error}") from error
            self.fresh = False

    def cell(self, side: str, cell: str) -> None:
        game, due = self.game, self.game.due[1]
        if self.end:
            raise ValueError(f"the game was over: {game.result}")
        if cell == "-" and self.fresh and (side, due) == (SOUTH, WHITE):
            return
        if side != due:
            raise ValueError(f"{due.capitalize()} is to move here")
        if not ENDS.fullmatch(cell):
            game.tell(cell, from_white=self.from_white)
            return
        if not game.result:
            game.ends(self.off_the_board())
        if cell != last_words(game.result):
            raise ValueError(f"the game ended otherwise: {game.result}")
        self.end = cell

    def off_the_board(self) -> str:
        """Return the result that the head says, of an end that the moves themselves have not brought."""
        said = " ".join(self.head.get("Result", "").split())
        if not re.fullmatch(rf"((White|{SOUTH.capitalize()}) wins|Draw|No result): \S.*", said):
            why = "the moves have brought no end, and the head has no result that says how it ended"
            raise ValueError(why)
        if said.partition(": ")[2] in ON_THE_BOARD:
            raise ValueError(f"by the moves the game has not ended so: {said}")
        return said


def last_words(result: str) -> str:
    """Return how the last cell says a result."""
    outcome, _, how = result.partition(": ")
    if how == "by resignation" and outcome.endswith("wins"):
        return f"{OTHER[outcome.split()[0].lower()].capitalize()} resigns"
    return outcome


# 4 and all together


def verify(text: str, numbers: Sequence[str] = (), table: str = "") -> tuple[list[Misfit], list[str]]:
    """Return what does not fit, and what is to be said of what does."""
    misfits: list[Misfit] = []
    head, rows = read_record(text, misfits)
    name, types = read_table(table) if table else ("classic", CLASSIC)
    try:
        commitment, options = check_proof(head)
    except Misfit as misfit:
        # How the rows of a game by other rules are written is unknown here.
        return [*(misfits if misfit.part != "rules" else ()), misfit], []
    if commitment != head["Commitment"]:
        why = f"game, rules, options, secret and deal as they stand here give {commitment}"
        misfits.append(Misfit("commitment", f"Commitment = {head['Commitment']}", why))
    true, wrong = check_start(head, options)
    misfits += wrong
    if head.get("Table", name).casefold() != name.casefold():
        why = f"the record was played with another table than {name}: give its file with --table"
        misfits.append(Misfit("moves", f"Table = {head['Table']}", why))
    # Where the commitment fits, the moves are held against what is true, else against what stands here.
    start = {**head, **true} if commitment == head["Commitment"] else {**true, **head}
    try:
        reader = Reader(Game(start, options, types), head)
    except Misfit as misfit:
        return [*misfits, misfit], []
    try:
        reader.all(rows)
    except Misfit as misfit:
        misfits.append(misfit)
    said = reader.game.said
    receipts = chain(commitment, head["Secret"], said)
    if any(misfit.part == "moves" for misfit in misfits):
        misfits.append(Misfit("chain", f"Chain = {head['Chain']}", "it cannot be followed beyond that"))
    elif head["Chain"] not in (receipts[-1], chain(head["Commitment"], head["Secret"], said)[-1]):
        why = f"by this record the last receipt is {receipts[-1]}: something was changed, left out or put in"
        misfits.append(Misfit("chain", f"Chain = {head['Chain']}", why))
    known = {commitment: "the commitment"}
    for count, each in enumerate(said):
        known[receipts[count]] = f"receipt {count + 1} of {len(said)}: {' '.join(each.values())}"
    for number in numbers:
        if number.strip().lower() not in known:
            why = "this is neither the commitment nor a receipt of the game that this record tells; each has 64 digits"
            misfits.append(Misfit("letter", number, why))
    attempts = sum(each.get("answer") in ("yes", "no") for each in said)
    return misfits, [
        f"Game {head['Game']}, {attempts} attempts, {reader.game.result}: all of it fits.",
        f"  commitment  {head['Commitment']}",
        f"  deal        {'set by an umpire, and bound' if head.get('Deal') else 'drawn from the secret'}",
        f"  receipts    {len(receipts)}, the last {head['Chain']}",
        *(f"  imported    {said}: nothing proves those" for said in [head.get("Imported")] if said),
        *(f"  {number}: {known.get(number.strip().lower())}" for number in numbers),
        "" if numbers else "Now compare the commitment with that of your first letter.",
    ]


def chain(link: str, secret: str, all_said: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the receipts that follow a commitment, one for each thing said."""
    links = []
    for said in all_said:
        link = digest({**said, "before": link, "domain": "referee receipt 1", "secret": secret})
        links.append(link)
    return links or [link]


def read_table(text: str) -> tuple[str, dict[str, Type]]:
    """Read another movement table (TOML), as an umpire has given it to the referee."""
    table = tomllib.loads(text)
    return table["name"].strip(), {
        number: (row["reach"], row["promotes"], frozenset(row) & frozenset(WAYS.values()))
        for number, row in table["type"].items()
        if number != "?"
    }


def read_file(name: str) -> str:
    """Read a text, whatever program wrote it."""
    with Path(name).open("rb") as file:
        content = file.read(4 * LARGEST + 1)
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def main(words: list[str]) -> int:
    """Do what the command line says; return 0 if all fits, 1 if something does not, 2 if it could not be done."""
    table = ""
    if words in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    try:
        if "--table" in words:
            at = words.index("--table")
            table, words = read_file(words[at + 1]), words[:at] + words[at + 2 :]
        misfits, good = verify(read_file(words[0]), words[1:], table)
    except (IndexError, KeyError, OSError, tomllib.TOMLDecodeError) as error:
        why = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else f"--table: {error}"
        why = "no file is named" if isinstance(error, IndexError) else why
        sys.stderr.write(f"{why}. Usage: python3 {Path(__file__).name} RECORD [NUMBER ...] [--table FILE]\n")
        return 2
    for line in map(str, misfits) if misfits else good:
        print("".join(sign if sign.isprintable() else "?" for sign in line))
    return 1 if misfits else 0


# The rules


def letters_by(options: Mapping[str, str]) -> str:
    """Return the letters that are played with."""
    return LETTERS


def types_by(options: Mapping[str, str]) -> list[str]:
    """Return the types that are dealt."""
    return [str(number) for number in range(1, 13)]


def lines_by_options(options: Mapping[str, str]) -> dict[str, str]:
    """Return further lines of the head that follow from the options."""
    return {}


class Game:
    """The game after some of the moves, and what the receipts bind of them. start: the lines of the head."""

    def __init__(
        self, start: Mapping[str, str], options: Mapping[str, str], types: Mapping[str, Type]
    ) -> None:
        self.deals = deals_in(start, LETTERS, types_by(options))
        pieces: dict[Square, Piece] = {}
        for place, letter in enumerate(LETTERS):
            file, rank = (3, 4, 5, 7, 8, 9)[place % 6], 2 - place // 6
            pieces[file, rank] = (SOUTH, letter)
            pieces[12 - file, 12 - rank] = (WHITE, letter)
        self.board = Board(pieces, types)
        self.turn, self.row = start["First"].strip().lower(), 1
        if self.turn not in OTHER:
            raise Misfit("deal", f"First = {start['First']}", "who begins cannot be read")
        self.threat: Piece | None = None  # it wins unless it is captured in the turn that is due
        self.result = ""
        self.passed: list[tuple[int, str]] = []  # turns passed for want of a move, which no cell has told yet
        self.said: list[dict[str, str]] = []
        self.before: list[tuple[int, str, Game]] = []  # the game before each attempt that stands
        self.pass_if_stuck()

    @property
    def due(self) -> tuple[int, str]:
        """The row and the side of the next cell."""
        return self.passed[0] if self.passed else (self.row, self.turn)

    def tell(self, cell: str, *, from_white: bool) -> None:
        """Let happen what a cell tells. Raises ValueError where it cannot be."""
        if self.passed:
            if cell != "pass":
                raise ValueError("there was nothing that could be tried, so `pass` stands here")
            self.passed = self.passed[1:]
            return
        if self.result:
            raise ValueError(f"the game was over: {self.result}")
        refused = cell.startswith("(") and cell.endswith(")")
        move, tail = read_move(cell[1:-1] if refused else cell, from_white=from_white)
        right = self.attempt(move, yes=not refused)
        if tail != right:
            raise ValueError(f"by the board `{right}` stands behind the move, not `{tail}`")

    def attempt(self, move: Move, *, yes: bool) -> str:
        """Let an attempt happen; return what is written behind it. Raises ValueError if it is none."""
        side = self.turn
        start, end = self.board.line(side, move)
        piece = self.board.pieces[start]
        number = "+" if piece in self.board.promoted else self.deals[side][piece[1]]
        if yes != self.board.can(number, side, move):
            true, false = ("no", "yes") if yes else ("yes", "no")
            raise ValueError(f"{piece[1]} is of type {number}, so the answer is {true}, not {false}")
        arrives = yes and bool(move.letter) and end[1] == FAR_RANK[side] and number != "+"
        promoted = arrives and self.board.types[number][1]
        tail = self.board.tail(move, end) + ("+" if promoted else "")
        self.before.append((self.row, side, copy.copy(self)))
        self.said = [*self.said, {"seat": side, "order": f"{move}{tail}", "answer": "yes" if yes else "no"}]
        if yes:
            self.board = self.board.copy()
            self.board.happens(move, start, end)
            self.board.promoted |= {piece} if promoted else set()
        self.turn_ends(side)
        self.pass_if_stuck()
        return tail

    def turn_ends(self, side: str) -> None:
        """Whoever held Z on the far rank has won if that piece outlived the other's one turn."""
        if self.threat and self.threat[0] != side and self.threat in self.board.pieces.values():
            self.ends(f"{self.threat[0].capitalize()} wins: {HELD}")
        holder = self.board.held_on_far_rank()
        self.threat = holder if holder and holder[0] == side else None
        self.turn, self.row = OTHER[side], self.row + (side == WHITE)

    def pass_if_stuck(self) -> None:
        """Whoever has nothing to try passes; when both have nothing, it is a draw."""
        passes = 0
        while not self.result and self.board.is_stuck(self.turn):
            if passes:
                self.ends(f"Draw: {STUCK}")
                return
            passes += 1
            self.passed = [*self.passed, (self.row, self.turn)]
            self.said = [*self.said, {"seat": self.turn, "order": "pass", "answer": "pass"}]
            self.turn_ends(self.turn)

    def ends(self, result: str) -> None:
        self.result = result
        self.said = [*self.said, {"result": result}]

    def take_back(self, row: int, side: str, reason: str) -> Game:
        """Return the game as it goes on from an earlier turn; what was said stays said."""
        if self.result:
            raise ValueError(f"the game was over: {self.result}")
        for at in range(len(self.before) - 1, -1, -1):
            if self.before[at][:2] == (row, side):
                earlier = copy.copy(self.before[at][2])
                earlier.before = self.before[:at]
                back = f"{row} {side.capitalize()}" + (f": {reason}" if reason else "")
                earlier.said = [*self.said, {"taken_back": back}]
                return earlier
        raise ValueError(f"{side.capitalize()} had tried nothing in row {row} that could be taken back")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
