#!/usr/bin/env python3
"""Check the record of a finished game of spies: that nobody cheated with the deal, the answers or the record.

    python3 verify_spies.py game-17.txt
    python3 verify_spies.py game-17.txt NUMBER NUMBER …      with numbers of 64 digits out of your own letters

It needs Python 3.11 and nothing else, asks no network, and is short, so that you can read it before you believe it.

What it checks, in this order:
1. The commitment is the SHA-256 of one line that holds the game's number, its options, its secret and, where an umpire
   set it, the deal. It stood in your first letter, before anything was played.
2. Who begins, and both deals, follow from the secret; or they are as options say and as an umpire set them. Variants
   and tokens are those of the options.
3. Each turn could be ordered: what went before the move, tokens, one attempt or two, a turn passed. Each answer is what
   the deal and the movement table say. A double agent is answered as his opponent likes: there, yes and no may both be
   true, and only the receipts tell which was given.
4. The receipts: each is the SHA-256 of a turn that was ordered, or of an answer, of the receipt before it, and of the
   secret. The first follows the commitment, the last is the line `Chain`. So nothing was changed, left out or put in.

Whoever forges a whole record can forge a commitment with it. So give the commitment of *your* first letter, and
receipts of your other letters: they must be among those that follow from this record.
Of a game by other rules it checks the first of these alone, and says so; for Confusion there is verify_game.py.
Nothing binds names, dates, `Imported` (what was played elsewhere), comments behind a semicolon, lines unknown here, and
a set-up where the game ended before both were in. With another table than `classic`, give its file: --table FILE.
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

RULES = "spies 1"
WHITE, SOUTH = "white", "red"
"""White sits in the north. The other side sits in the south and has the left column of a record."""
LETTERS = "ACEHKLNOPSTVX"
KEYS_BY_OPTIONS = ("Variants", "WhiteTokens", "RedTokens", "WhiteShown", "RedShown")
FURTHER_KEYS = ("WhiteSetUp", "RedSetUp")
"""Lines in the head of a record that only these rules know: those that follow from the options, and others."""
HOME = "by bringing the briefcase to the far rank"
HELD = "by holding the briefcase on the opponent's first rank"
STUCK = "because neither side can move"
ON_THE_BOARD = (HOME, HELD, STUCK)
"""Ends that the moves themselves bring."""
ACTION = r"#x[A-Z]|#[A-Z]|\?[A-Z]|[A-Z]<>[A-Z]"
TRIED = r"[(\[]?[A-Z]?Z?-[NSEW]{1,2}\d{1,2}[xA-Z>+]*(?:\?(?:>[A-Z])?)?[)\]]?"
TURN = rf"(?:(?:{ACTION}) )?(?:{TRIED}(?: & {TRIED})?|pass|\[pass\])"
CELL = re.compile(rf"(?:White|Red) (?:wins|resigns)|No result|{TURN}|\S+")
"""What stands in a row: turns such as `#H V-N1` or `(V-N1) & [H-E1]`, an end."""

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

VARIANTS = ("code-of-honour", "small-world", "late-contact", "variable-setup", "comrade")
TOKENS = ("reveal", "move", "swap")
AGENT = "?"
"""How a deal has the double agent."""


def variants_by(options: Mapping[str, str]) -> list[str]:
    """Return the variants that are played."""
    return [each for each in VARIANTS if options.get(each, "off").lower() == "on"]


def tokens_by(options: Mapping[str, str], side: str) -> list[str]:
    """Return the tokens that a side begins with."""
    named = options.get(f"tokens.{side}", "none").lower().replace(",", " ").split()
    return [each for each in TOKENS if each in named]


def letters_by(options: Mapping[str, str]) -> str:
    """Return the letters that are played with: by the code of honour there is no X."""
    return LETTERS[:-1] if "code-of-honour" in variants_by(options) else LETTERS


def types_by(options: Mapping[str, str]) -> list[str]:
    """Return the types that are dealt: by the code of honour there is no double agent."""
    numbers = [str(number) for number in range(1, 13)]
    return numbers if "code-of-honour" in variants_by(options) else [*numbers, AGENT]


def lines_by_options(options: Mapping[str, str]) -> dict[str, str]:
    """Return further lines of the head that follow from the options."""
    lines = {"Variants": " ".join(variants_by(options))}
    lines |= {f"{side.capitalize()}Tokens": " ".join(tokens_by(options, side)) for side in (WHITE, SOUTH)}
    return {key: said for key, said in lines.items() if said}


class Tried(NamedTuple):
    """An attempt as a cell has it. answer: yes, no, or nothing. wish: it ends with a `+`. taken_by: the spy that has
    the briefcase of a double agent who was unmasked."""

    move: Move
    wish: bool
    answer: str
    taken_by: str


class Turn(NamedTuple):
    """A turn that was ordered. tries: each attempt with what was written behind it then; none for a turn passed."""

    row: int
    side: str
    action: str
    tries: tuple[tuple[Move, str], ...]

    def __str__(self) -> str:
        attempts = " & ".join(f"{move}{tail}" for move, tail in self.tries) or "pass"
        return f"{self.action} {attempts}" if self.action else attempts


def read_turn(cell: str, *, from_white: bool) -> tuple[str, list[Tried], bool]:
    """Return what went before the move, the attempts, and whether it is answered. Raises ValueError for no turn."""
    if not re.fullmatch(TURN, cell):
        raise ValueError("this is no turn, and no end")
    found = re.match(rf"(?:{ACTION}) ", cell)
    action, rest = (found[0].strip(), cell[found.end() :]) if found else ("", cell)
    if rest in ("pass", "[pass]"):
        return action, [], rest == "pass"
    tries = []
    for said in rest.split(" & "):
        answer = {"(": "no", "[": ""}.get(said[0], "yes")
        text, _, unmasked = said.strip("([])").partition("?")
        move, tail = read_move(text, from_white=from_white)
        tries.append(Tried(move, tail.endswith("+"), answer, unmasked.removeprefix(">")))
    return action, tries, bool(tries[0].answer)


class Game:
    """The game after some of the turns, and what the receipts bind of them. start: the lines of the head.

    A turn is ordered first, and waits. It is answered when the opponent has ordered the next one, or the game ends.
    """

    def __init__(
        self, start: Mapping[str, str], options: Mapping[str, str], types: Mapping[str, Type]
    ) -> None:
        self.letters, self.variants = letters_by(options), variants_by(options)
        self.deals = deals_in(start, self.letters, types_by(options))
        self.tokens = {side: tuple(tokens_by(options, side)) for side in OTHER}
        files = (2, 10) if "small-world" in self.variants else (1, 11)
        self.said: list[dict[str, str]] = []
        self.board = Board(self.set_up(start, files), types, files)
        self.is_set_up = bool(self.board.pieces)
        self.turn, self.row = start["First"].strip().lower(), 1
        if self.turn not in OTHER:
            raise Misfit("deal", f"First = {start['First']}", "who begins cannot be read")
        self.sealed: Turn | None = None  # the turn that waits for its answer
        self.again = False  # it waits anew, since what followed was taken back: its cell is to come once more
        self.threat: Piece | None = None  # with late contact it wins, unless the opponent's turn removes it
        self.last_was_passed = False
        self.result = ""
        self.before = [(1, self.turn, copy.copy(self))]  # the game as each turn came that stands

    def set_up(self, start: Mapping[str, str], files: Square) -> dict[Square, Piece]:
        """Return where everything stands at the beginning; nothing, if the players were still to say that."""
        own = {letter: ((3, 4, 5, 7, 8, 9)[at % 6], 2 - at // 6) for at, letter in enumerate(LETTERS[:-1])}
        stands = {side: {**own, "X": (6, 1)} for side in OTHER}
        if "variable-setup" in self.variants:
            written = {side: start.get(f"{side.capitalize()}SetUp") for side in OTHER}
            stands = {side: self.arranged(side, said, files) for side, said in written.items() if said}
            if len(stands) == 2:
                told = "; ".join(f"{side.capitalize()}={written[side]}" for side in OTHER)
                self.said = [{"set_up": told}]
            else:
                stands = {}
        elif wrong := [key for key in FURTHER_KEYS if key in start]:
            raise Misfit("moves", f"{wrong[0]} = {start[wrong[0]]}", "by the options it cannot be chosen")
        pieces: dict[Square, Piece] = {}
        for side, squares in stands.items():
            for letter in self.letters:
                file, rank = squares[letter]
                pieces[(file, rank) if side == SOUTH else (12 - file, 12 - rank)] = (side, letter)
        return pieces

    def arranged(self, side: str, said: str, files: Square) -> dict[str, Square]:
        """Return where a player has set up his spies, as he sees the board. Raises Misfit where he may not."""
        found = re.findall(r"([A-Z])(\d{1,2})-([12])", said)
        squares = {letter: (int(file), int(rank)) for letter, file, rank in found}
        taken = set(squares.values())
        why = ""
        if said != " ".join(f"{letter}{file}-{rank}" for letter, (file, rank) in sorted(squares.items())):
            why = "expected is A3-2 C4-2, say, and so on"
        elif "".join(squares) != self.letters or len(taken) < len(squares):
            why = "each spy has a square of its own"
        elif not all(files[0] <= file <= files[1] for file, _ in taken):
            why = "a spy stands off the board"
        elif any(sum(each[1] == rank for each in taken) > 7 for rank in (1, 2)):
            why = "more than seven stand on a rank"
        elif sum((file, 1) in taken and (file, 2) in taken for file in range(1, 12)) < 4:
            why = "on fewer than four files spies stand on both ranks"
        if why:
            raise Misfit("moves", f"{side.capitalize()}SetUp = {said}", why)
        return squares

    @property
    def due(self) -> tuple[int, str]:
        """The row and the side of the next cell."""
        return (self.sealed.row, self.sealed.side) if self.sealed and self.again else (self.row, self.turn)

    def tell(self, cell: str, *, from_white: bool) -> None:
        """Let happen what a cell tells. Raises ValueError where it cannot be."""
        if self.result:
            raise ValueError(f"the game was over: {self.result}")
        action, tries, answered = read_turn(cell, from_white=from_white)
        if self.again:
            turn = self.sealed
            wishes = [each.wish for each in tries] if "comrade" in self.variants else []
            known = [tail.endswith("+") for _, tail in turn.tries] if turn and wishes else []
            same = [each.move for each in tries], action, wishes
            if turn is None or same != ([move for move, _ in turn.tries], turn.action, known):
                raise ValueError(f"behind what was taken back the turn before it stands again: {turn}")
            self.again = False
        elif self.sealed:
            raise ValueError("the turn before is not answered, so there is none behind it")
        else:
            turn = self.order(action, tries)
        if answered:
            written = self.answers(turn, tries)
        elif any(each.answer for each in tries):
            raise ValueError("an attempt is answered behind one that is not")
        else:
            written = [f"[{move}{tail}]" for move, tail in turn.tries] or ["[pass]"]
        right = f"{turn.action} {' & '.join(written)}" if turn.action else " & ".join(written)
        if from_white:
            right = re.sub(r"(?<=-)[NSEW]+", lambda found: turned(found[0]), right)
        if cell != right:
            raise ValueError(f"by the rules it is written {right}")

    # What a player can order

    def order(self, action: str, tries: Sequence[Tried]) -> Turn:
        """A turn is ordered: what goes before the move is done, the move waits. Raises ValueError if it may not be."""
        if not self.is_set_up:
            raise ValueError("nobody moves before both sides are set up")
        side, row = self.turn, self.row
        self.board, self.tokens = self.board.copy(), dict(self.tokens)
        barred = self.act(side, action) if action else ()
        if not tries and not self.board.is_stuck(side, barred):
            raise ValueError("nobody passes who has something to try")
        if len(tries) == 2:
            self.check_two(side, action, tries[0].move, tries[1].move)
        written = []
        for number, tried in enumerate(tries):
            start, end = self.line(side, tried.move, tries[0].move if number else None)
            piece = self.board.pieces[start]
            if piece[1] in barred:
                raise ValueError(
                    f"{piece[1]} was shown or has changed places in this turn, so another spy moves"
                )
            if (tried.answer == "yes" or len(tries) == 2) and not self.anybody_can(side, tried.move):
                raise ValueError("no type goes so far in this direction")
            wish = tried.wish and "comrade" in self.variants
            if wish and (end[1] != FAR_RANK[side] or piece in self.board.promoted):
                raise ValueError(f"{tried.move} cannot bring promotion, so there is nothing to be wished")
            left = self.board.copy()
            if number:  # where the first of two spies stands now, the second finds nothing
                left.pieces.pop(self.line(side, tries[0].move)[0])
            written.append((tried.move, left.tail(tried.move, end) + ("+" if wish else "")))
        turn = self.sealed = Turn(row, side, action, tuple(written))
        self.said = [*self.said, {"seat": side, "sealed": str(turn)}]
        self.turn, self.row = OTHER[side], row + (side == WHITE)
        self.before = [*self.before, (self.row, self.turn, copy.copy(self))]
        return turn

    def line(self, side: str, move: Move, first: Move | None = None) -> tuple[Square, Square]:
        """Return from where to where a move goes. The second of two must be possible after one answer to the first."""
        try:
            return self.board.line(side, move)
        except ValueError:
            if first is None:
                raise
        after = self.board.copy()
        after.happens(first, *self.board.line(side, first))
        return after.line(side, move)

    def anybody_can(self, side: str, move: Move) -> bool:
        return any(self.board.can(number, side, move) for number in self.board.types)

    def act(self, side: str, action: str) -> Collection[str]:
        """Let happen what goes before a move; return the spies that may not move in this turn."""
        one, other = action[0], action[-1]
        if one == "#":
            owner = OTHER[side] if action.startswith("#x") else side
            if AGENT not in self.deals[owner].values():
                raise ValueError("by the code of honour there is no double agent, and nobody is removed")
            if self.board.where(owner, other) is None:
                raise ValueError(f"{other} is not on the board any more")
            if owner != side and self.deals[owner][other] != AGENT:
                raise ValueError(f"{other} is of type {self.deals[owner][other]}, no double agent")
            self.remove((owner, other))
            return ()
        if one == "?":
            self.use(side, "reveal")
            if other not in self.letters:
                raise ValueError(f"there is no spy {other}")
            return other
        self.use(side, "swap")
        if one >= other:
            raise ValueError("two spies change places, in the order of the alphabet")
        squares = self.at_home(side, one), self.at_home(side, other)
        self.board.pieces[squares[0]], self.board.pieces[squares[1]] = (side, other), (side, one)
        left = {letter for owner, letter in self.board.pieces.values() if owner == side}
        return one + other if left > {one, other} else ()

    def check_two(self, side: str, action: str, first: Move, second: Move) -> None:
        """Two attempts are made by two spies of the own half that do not hold Z, and with a token."""
        if action:
            raise ValueError("nothing goes before two attempts")
        self.use(side, "move")
        if not first.letter or not second.letter or first.letter == second.letter:
            raise ValueError("two attempts are made by two different spies")
        self.at_home(side, first.letter)
        self.at_home(side, second.letter)

    def use(self, side: str, token: str) -> None:
        if token not in self.tokens[side]:
            raise ValueError(f"{side.capitalize()} has no token {token}, or has none left")
        self.tokens[side] = tuple(each for each in self.tokens[side] if each != token)

    def at_home(self, side: str, letter: str) -> Square:
        """Return where a spy stands on its own half. Raises ValueError if it does not, or holds Z."""
        at = self.board.where(side, letter)
        if at is None or at == self.board.z or (at[1] > 5 if side == SOUTH else at[1] < 7):
            raise ValueError(f"{letter} is not on its own half, or holds Z")
        return at

    def remove(self, piece: Piece) -> None:
        """A spy is removed; if it holds Z, that stays on its square."""
        del self.board.pieces[self.board.where(*piece) or (0, 0)]
        self.board.promoted.discard(piece)
        self.threat = None if self.threat == piece else self.threat

    # What it is answered

    def answers(self, turn: Turn, tries: Sequence[Tried]) -> list[str]:
        """The turn that waits is answered; return how its attempts are written then."""
        self.sealed, side, threat = None, turn.side, self.threat
        self.board = self.board.copy()
        written = []
        for number, (tried, (move, tail)) in enumerate(zip(tries, turn.tries, strict=True)):
            lapses = bool(number) and not self.result and self.lapses(side, move, tail)
            if not tried.answer and not lapses and not self.result:
                raise ValueError(f"{move} can be attempted behind the first, so it has an answer")
            if tried.answer and (lapses or self.result):
                raise ValueError(f"{move} was not to be answered any more")
            if lapses:
                self.said = [*self.said, {"seat": side, "lapsed": f"{move}{tail}"}]
            written.append(f"[{move}{tail}]" if not tried.answer else self.attempt(side, tried))
        if not tries:
            self.said = [*self.said, {"seat": side, "order": "pass", "answer": "pass"}]
            self.threatens(side)
            written = ["pass"]
        stuck = not tries and self.last_was_passed and all(map(self.board.is_stuck, OTHER))
        self.last_was_passed = not tries
        if threat and threat[0] != side and threat in self.board.pieces.values() and not self.result:
            self.ends(f"{threat[0].capitalize()} wins: {HELD}")
        if stuck and not self.result:
            self.ends(f"Draw: {STUCK}")
        return written

    def lapses(self, side: str, move: Move, tail: str) -> bool:
        """Return whether the second of two attempts has become impossible, or another one than was ordered."""
        try:
            now = self.board.tail(move, self.board.line(side, move)[1])
        except ValueError:
            return True
        return any(part not in now for part in re.findall("x[A-Z]", tail))

    def attempt(self, side: str, tried: Tried) -> str:
        """An attempt is answered; return how it is written. Raises ValueError where the answer cannot be so."""
        move, yes = tried.move, tried.answer == "yes"
        start, end = self.board.line(side, move)
        piece = self.board.pieces[start]
        number = "+" if piece in self.board.promoted else self.deals[side][piece[1]]
        able = self.anybody_can(side, move) if number == AGENT else self.board.can(number, side, move)
        if yes and not able:
            raise ValueError(f"{piece[1]} is of type {number}, so the answer is no, not yes")
        if able and not yes and number != AGENT:
            raise ValueError(f"{piece[1]} is of type {number}, so the answer is yes, not no")
        arrives = yes and bool(move.letter) and end[1] == FAR_RANK[side] and number != "+"
        wish = tried.wish and "comrade" in self.variants
        if "comrade" in self.variants:
            promoted = arrives and wish and number != AGENT
        else:
            promoted = arrives and number != AGENT and self.board.types[number][1]
        text = f"{move}{self.board.tail(move, end)}{'+' if promoted or wish else ''}"
        self.said = [*self.said, {"seat": side, "order": text, "answer": tried.answer}]
        if yes:
            self.board.happens(move, start, end)
            self.board.promoted |= {piece} if promoted else set()
        self.threatens(side)
        self.is_home()
        if not self.result and arrives and wish and number == AGENT:
            text += self.unmasked(piece, tried.taken_by)
        return text if yes else f"({text})"

    def unmasked(self, agent: Piece, taken_by: str) -> str:
        """A double agent would be promoted, and is removed; the briefcase goes to the opponent, if he wants it."""
        others = OTHER[agent[0]]
        first = min((letter for side, letter in self.board.pieces.values() if side == others), default="")
        if taken_by not in ("", first):
            raise ValueError(f"{first or 'nobody'} takes Z here, not {taken_by}")
        self.remove(agent)
        taken = f">{taken_by}" if taken_by else ""
        self.said = [*self.said, {"seat": agent[0], "unmasked": f"{agent[1]}{taken}"}]
        if taken_by:
            self.board.z, self.threat = self.board.where(others, taken_by) or self.board.z, None
            self.is_home()
        return f"?{taken}"

    def threatens(self, side: str) -> None:
        """With late contact, whoever holds Z on the far rank after his own turn wins with the opponent's next."""
        holder = self.board.held_on_far_rank() if "late-contact" in self.variants else None
        self.threat = holder if holder and holder[0] == side else None

    def is_home(self) -> None:
        """Whoever holds Z on the far rank has won at once, unless contact is late."""
        holder = self.board.held_on_far_rank()
        if holder and "late-contact" not in self.variants:
            self.ends(f"{holder[0].capitalize()} wins: {HOME}")

    def ends(self, result: str) -> None:
        if self.sealed:
            raise ValueError("the turn before is not answered, and no game ends before that is done")
        self.result = result
        self.said = [*self.said, {"result": result}]

    def take_back(self, row: int, side: str, reason: str) -> Game:
        """Return the game as it goes on from an earlier turn; what was said stays said, and the turn before that one
        waits for its answer again."""
        if self.result:
            raise ValueError(f"the game was over: {self.result}")
        if self.again:
            raise ValueError(f"behind what was taken back the turn before it stands again: {self.sealed}")
        at = next((at for at, each in enumerate(self.before) if each[:2] == (row, side)), -1)
        if at < 0 or (at == len(self.before) - 1 and (self.sealed or at == 0)):
            raise ValueError(f"{side.capitalize()} had ordered nothing in row {row} that could be taken back")
        earlier = copy.copy(self.before[at][2])
        earlier.before, earlier.again = self.before[: at + 1], earlier.sealed is not None
        back = f"{row} {side.capitalize()}" + (f": {reason}" if reason else "")
        earlier.said = [*self.said, {"taken_back": back}]
        return earlier


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
