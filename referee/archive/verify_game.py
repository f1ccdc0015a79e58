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
Of a game by other rules it checks the first of these alone, and says so; `referee verify` checks all.
Nothing binds the names of players and events, dates, and comments, which stand behind a semicolon. If the game was
played with another movement table than `classic`, give its file: --table FILE.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

LETTERS = "ACEHKLNOPSTV"
COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
STEPS = dict(
    zip(COMPASS, ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)), strict=True)
)
WAYS = dict(zip(COMPASS, ("F", "FD", "S", "BD", "B", "BD", "S", "FD"), strict=True))
"""What the directions are for Yellow, who looks north: forward, diagonally forward, sideways, and so on."""
OTHER = {"white": "yellow", "yellow": "white"}
FAR_RANK = {"white": 1, "yellow": 11}

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

KEYS = (
    *("Game", "Rules", "Options", "Deal", "Commitment", "Secret", "Chain"),
    *("White", "Yellow", "First", "Table", "View", "Result", "Time", "Lapse"),
)
HEAD = re.compile(r"\s*([^\W\d]\w*)\s*=\s*(.*?)\s*$")
HEADING = re.compile(r"\s*(white|yellow)\s+(white|yellow)\s*$", re.IGNORECASE)
ROW = re.compile(r"\s*(\d+)\.\s*(.*?)\s*$")
BACK = re.compile(r"\s*taken back to (\d+) (White|Yellow)(?:: (.*?))?\s*$")
HELD = "by holding Z on the opponent's first rank"
STUCK = "because neither side can move"
LIKE_A_ROW = re.compile(r"\s*(\d|\[?\s*taken back)", re.IGNORECASE)
CELL = re.compile(r"(?:White|Yellow) (?:wins|resigns)|No result|\S+")
ENDS = re.compile(r"(?:White|Yellow) (?:wins|resigns)|No result|Draw")
MOVE = re.compile(r"([ACEHKLNOPSTV]?)(Z?)-([NS]?[EW]?)([1-9]|10)([xA-Z>+]*)")


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


def draw_deal(secret: str, side: str) -> str:
    """Return the twelve types, shuffled and given to the letters: `A6 C8 …`."""
    dice, types = Dice(secret, f"deal {side}"), list(range(1, 13))
    for last in range(11, 0, -1):
        other = dice.below(last + 1)
        types[last], types[other] = types[other], types[last]
    return " ".join(f"{letter}{number}" for letter, number in zip(LETTERS, types, strict=True))


def bare(said: str) -> str:
    """Return a text without what may be written in two ways: blanks, commas, small letters."""
    return re.sub(r"[\s,]", "", said).upper()


def check_head(head: Mapping[str, str], table: str) -> tuple[dict[str, str], list[Misfit]]:
    """Return what is true of the start by the proof, and what in the head does not fit.

    What is true: `First` and the two deals, and as `Commitment` the commitment that follows. Raises Misfit where the
    proof cannot be read.
    """
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

    secret, deal, misfits = head["Secret"], head.get("Deal", ""), []
    rules, _, version = head["Rules"].partition(" ")
    bound = {
        **({"deal": deal} if deal else {}),
        "domain": "referee commitment 1",
        "game": int(head["Game"]),
        "options": options,
        "rules": rules,
        "secret": secret,
        "version": version,
    }
    true = {"Commitment": digest(bound)}
    if (rules, version) != ("confusion", "1"):
        true_one = true["Commitment"]
        fits = "fits" if true_one == head["Commitment"] else f"does not fit: it would be {true_one}"
        why = "this program knows the rules `confusion 1` alone; `referee verify` knows others"
        why += f". The commitment {fits}. Nothing else was checked"
        raise Misfit("rules", f"Rules = {head['Rules']}", why)
    if true["Commitment"] != head["Commitment"]:
        why = f"game, rules, options, secret and deal as they stand here give {true['Commitment']}"
        misfits.append(Misfit("commitment", f"Commitment = {head['Commitment']}", why))
    first = options.get("first") or ("white", "yellow")[Dice(secret, "first").below(2)]
    true["First"] = first.capitalize()
    was_set = dict(part.strip().split("=", 1) for part in deal.split(";") if "=" in part)
    for side in ("White", "Yellow"):
        true[side] = was_set.get(side) or draw_deal(secret, side.lower())
    for key in ("First", "White", "Yellow"):
        if key in head and bare(head[key]) != bare(true[key]):
            misfits.append(Misfit("deal", f"{key} = {head[key]}", f"by the proof it is {true[key]}"))
        elif key not in head and key != "First":
            misfits.append(Misfit("deal", "the head", f"no line `{key}`; by the proof it is {true[key]}"))
    if bare(head.get("View", "White")) not in ("WHITE", "YELLOW"):
        misfits.append(Misfit("moves", f"View = {head['View']}", "whose compass it is cannot be read"))
    timed = options.get("time", "none") != "none"
    for key, said in (("Time", options.get("time")), ("Lapse", options.get("lapse", "hard"))):
        right = said if timed else None
        if head.get(key) != right:
            misfits.append(Misfit("deal", f"{key} = {head.get(key)}", f"by the options it is {right}"))
    if head.get("Table", table).casefold() != table.casefold():
        why = f"the record was played with another table than {table}: give its file with --table"
        misfits.append(Misfit("moves", f"Table = {head['Table']}", why))
    return true, misfits


# 3: the moves and their answers


class Game:
    """The board after some of the moves, and what the receipts bind of them."""

    def __init__(self, first: str, deals: Mapping[str, Mapping[str, str]], types: Mapping[str, Type]) -> None:
        self.deals, self.types = deals, types
        self.board: dict[Square, Piece] = {}
        for place, letter in enumerate(LETTERS):
            file, rank = (3, 4, 5, 7, 8, 9)[place % 6], 2 - place // 6
            self.board[file, rank] = ("yellow", letter)
            self.board[12 - file, 12 - rank] = ("white", letter)
        self.promoted: set[Piece] = set()
        self.z: Square = (6, 6)
        self.turn, self.row = first, 1
        self.threat: Piece | None = None  # it wins unless it is captured in the turn that is due
        self.result = ""
        self.passed: list[tuple[int, str]] = []  # turns passed for want of a move, which no cell has told yet
        self.said: list[dict[str, str]] = []
        self.before: list[tuple[int, str, Game]] = []  # the game before each attempt that stands
        self.pass_if_stuck()

    def attempt(self, letter: str, with_z: str, direction: str, length: int, *, yes: bool) -> str:
        """Let an attempt happen; return how it is written (Yellow's compass). Raises ValueError if it is none."""
        side, far = self.turn, FAR_RANK[self.turn]
        stands = {who: at for at, who in self.board.items()}
        start = stands.get((side, letter)) if letter else self.z
        if start is None:
            raise ValueError(f"{letter} was captured before")
        piece = self.board.get(start)
        if piece is None or piece[0] != side or (with_z and start != self.z):
            raise ValueError(f"{letter or 'this side'} does not hold Z")
        east, north = STEPS[direction]
        line = [(start[0] + east * step, start[1] + north * step) for step in range(1, length + 1)]
        end = line[-1]
        if not all(1 <= number <= 11 for number in end):
            raise ValueError("this leaves the board")
        if any(square in self.board or square == self.z for square in line[:-1]):
            raise ValueError("something stands in the way")
        there = self.board.get(end)
        if letter and there and there[0] == side:
            raise ValueError(f"{there[1]} of the same side stands there")

        number = "+" if piece in self.promoted else self.deals[side][piece[1]]
        reach, promotes, ways = self.types[number]
        if yes != (length <= reach and self.way(side, direction) in ways):
            true, false = ("no", "yes") if yes else ("yes", "no")
            raise ValueError(f"{piece[1]} is of type {number}, so the answer is {true}, not {false}")

        text = f"{letter}{with_z}-{direction}{length}"
        text += f"{'x' if letter else '>'}{there[1]}" if there else ""
        text += "xZ" if letter and end == self.z else ""
        arrives = yes and bool(letter) and end[1] == far and piece not in self.promoted
        text += "+" if arrives and promotes else ""
        self.before.append((self.row, side, copy.copy(self)))
        self.board, self.promoted = dict(self.board), set(self.promoted)
        self.said = [*self.said, {"seat": side, "order": text, "answer": "yes" if yes else "no"}]
        if yes and letter:
            self.promoted -= {there} if there else set()
            self.promoted |= {piece} if arrives and promotes else set()
            self.board[end] = self.board.pop(start)
        if yes and (with_z or not letter):
            self.z = end
        self.turn_ends(side)
        self.pass_if_stuck()
        return text

    @staticmethod
    def way(side: str, direction: str) -> str:
        return WAYS[direction if side == "yellow" else turned(direction)]

    def turn_ends(self, side: str) -> None:
        """Whoever held Z on the far rank has won if that piece outlived the other's one turn."""
        if self.threat and self.threat[0] != side and self.threat in self.board.values():
            self.ends(f"{self.threat[0].capitalize()} wins: {HELD}")
        holder = self.board.get(self.z)
        self.threat = holder if holder and holder[0] == side and self.z[1] == FAR_RANK[side] else None
        self.turn, self.row = OTHER[side], self.row + (side == "white")

    def pass_if_stuck(self) -> None:
        """Whoever has nothing to try passes; when both have nothing, it is a draw."""
        passes = 0
        while not self.result and self.is_stuck():
            if passes:
                self.ends(f"Draw: {STUCK}")
                return
            passes += 1
            self.passed = [*self.passed, (self.row, self.turn)]
            self.said = [*self.said, {"seat": self.turn, "order": "pass", "answer": "pass"}]
            self.turn_ends(self.turn)

    def is_stuck(self) -> bool:
        goes = {way for _, _, ways in self.types.values() for way in ways}
        for (file, rank), (side, _) in self.board.items():
            for direction, (east, north) in STEPS.items():
                beside = (file + east, rank + north)
                if side != self.turn or not all(1 <= number <= 11 for number in beside):
                    continue
                free = self.board.get(beside, ("", ""))[0] != side or (file, rank) == self.z
                if free and self.way(side, direction) in goes:
                    return False
        return True

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


def turned(direction: str) -> str:
    """Return a direction as the player opposite names it."""
    return COMPASS[(COMPASS.index(direction) + 4) % 8]


class Reader:
    """Plays the rows of a record, one cell after the other."""

    def __init__(self, game: Game, head: Mapping[str, str]) -> None:
        self.game, self.head = game, head
        self.from_white = bare(head.get("View", "Yellow")) == "WHITE"
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
                    self.row(int(found[1]), CELL.findall(found[2]))
            except ValueError as error:
                raise Misfit("moves", f"row `{line}`", str(error)) from error
        result = self.game.result
        if not self.end:
            right = f"`{last_words(result)}` should stand there" if result else "the game is not over"
            raise Misfit("rows" if result else "result", "after the last row", right)
        if " ".join(self.head.get("Result", "").split()) != result:
            raise Misfit("result", f"Result = {self.head.get('Result')}", f"by the rows it is {result}")

    def row(self, number: int, cells: Sequence[str]) -> None:
        expected = self.game.passed[0][0] if self.game.passed else self.game.row
        if number != expected or not 1 <= len(cells) <= 2:
            raise ValueError(f"row {expected}, with one cell or two, should stand here")
        for side, cell in zip(("yellow", "white"), cells, strict=False):
            try:
                self.cell(side, cell)
            except ValueError as error:
                raise ValueError(f"{side.capitalize()} {cell}: {error}") from error
            self.fresh = False

    def cell(self, side: str, cell: str) -> None:
        game = self.game
        due = game.passed[0][1] if game.passed else game.turn
        if self.end:
            raise ValueError(f"the game was over: {game.result}")
        if cell == "-" and self.fresh and (side, due) == ("yellow", "white"):
            return
        if ENDS.fullmatch(cell):
            if not game.result:
                game.ends(self.off_the_board())
            if cell != last_words(game.result):
                raise ValueError(f"the game ended otherwise: {game.result}")
            self.end = cell
            return
        if side != due:
            raise ValueError(f"{due.capitalize()} is to move here")
        if game.passed:
            game.passed = game.passed[1:]
            if cell != "pass":
                raise ValueError("there was nothing that could be tried, so `pass` stands here")
            return
        if game.result:
            raise ValueError(f"the game was over: {game.result}")
        found = MOVE.fullmatch(cell.strip("()"))
        if (
            not found
            or found[3] not in COMPASS
            or not (found[1] or found[2])
            or cell not in (found[0], f"({found[0]})")
        ):
            raise ValueError("this is no move, no refused attempt in brackets, and no end")
        letter, with_z, direction, length = found.groups()[:4]
        seen = turned(direction) if self.from_white else direction
        text = game.attempt(letter, with_z, seen, int(length), yes=cell == found[0])
        right = f"{letter}{with_z}-{direction}{length}{text.removeprefix(f'{letter}{with_z}-{seen}{length}')}"
        if right != found[0]:
            raise ValueError(f"by the board it is written {right}")

    def off_the_board(self) -> str:
        """Return the result that the head says, of an end that the moves themselves have not brought."""
        said = " ".join(self.head.get("Result", "").split())
        if not re.fullmatch(r"((White|Yellow) wins|Draw|No result): \S.*", said):
            raise ValueError(
                "the moves have brought no end, and the head has no result that says how it ended"
            )
        if said.partition(": ")[2] in (HELD, STUCK):
            raise ValueError(f"by the moves the game has not ended so: {said}")
        return said


def last_words(result: str) -> str:
    """Return how the last cell says a result."""
    outcome, _, how = result.partition(": ")
    if how == "by resignation" and outcome.endswith("wins"):
        return f"{OTHER[outcome.split()[0].lower()].capitalize()} resigns"
    return outcome


# All together


def verify(text: str, numbers: Sequence[str] = (), table: str = "") -> tuple[list[Misfit], list[str]]:
    """Return what does not fit, and what is to be said of what does."""
    misfits: list[Misfit] = []
    head, rows = read_record(text, misfits)
    name, types = read_table(table) if table else ("classic", CLASSIC)
    try:
        true, wrong = check_head(head, name)
    except Misfit as misfit:
        # How the rows of a game by other rules are written is unknown here.
        return [*(misfits if misfit.part != "rules" else ()), misfit], []
    misfits += wrong
    # Where the commitment fits, the moves are held against what is true, else against what stands here.
    start = true if true["Commitment"] == head["Commitment"] else {**true, **head}
    deals = {side: dict(re.findall(r"([A-Z])(\d+)", start[side.capitalize()])) for side in OTHER}
    whole = all(sorted(deal) == list(LETTERS) and set(deal.values()) <= set(types) for deal in deals.values())
    if start["First"].strip().lower() not in OTHER or not whole:
        return [*misfits, Misfit("deal", "the head", "who begins, or a deal, cannot be read")], []

    reader = Reader(Game(start["First"].strip().lower(), deals, types), head)
    try:
        reader.all(rows)
    except Misfit as misfit:
        misfits.append(misfit)
    said = reader.game.said
    receipts = chain(true["Commitment"], head["Secret"], said)
    if any(misfit.part == "moves" for misfit in misfits):
        misfits.append(Misfit("chain", f"Chain = {head['Chain']}", "it cannot be followed beyond that"))
    elif head["Chain"] not in (receipts[-1], chain(head["Commitment"], head["Secret"], said)[-1]):
        why = f"by this record the last receipt is {receipts[-1]}: something was changed, left out or put in"
        misfits.append(Misfit("chain", f"Chain = {head['Chain']}", why))
    known = {true["Commitment"]: "the commitment"}
    for count, each in enumerate(said):
        known[receipts[count]] = f"receipt {count + 1} of {len(said)}: {' '.join(each.values())}"
    for number in numbers:
        if number.strip().lower() not in known:
            why = "this is neither the commitment nor a receipt of the game that this record tells"
            misfits.append(Misfit("letter", number, why))
    attempts = sum(each.get("answer") in ("yes", "no") for each in said)
    return misfits, [
        f"Game {head['Game']}, {attempts} attempts, {reader.game.result}: all of it fits.",
        f"  commitment  {head['Commitment']}",
        f"  deal        {'set by an umpire, and bound' if 'Deal' in head else 'drawn from the secret'}",
        f"  receipts    {len(receipts)}, the last {head['Chain']}",
        *(f"  {number}: {known.get(number.strip().lower())}" for number in numbers),
        "" if numbers else "Now compare the commitment with that of your first letter.",
    ]


def read_record(text: str, misfits: list[Misfit]) -> tuple[dict[str, str], list[re.Match[str]]]:
    """Return the lines of the head, and the rows."""
    head: dict[str, str] = {}
    rows: list[re.Match[str]] = []
    for line in text.removeprefix("\ufeff").splitlines():
        said = line.split(";", 1)[0]
        if found := HEAD.match(line):
            key = next((key for key in KEYS if key.lower() == found[1].lower()), found[1])
            if key in KEYS and key in head:
                misfits.append(Misfit("proof", f"{key} = {found[2]}", f"{key} stands there twice"))
            head[key] = found[2] if key in ("Deal", "Options") else found[2].split(";", 1)[0].strip()
        elif found := HEADING.match(said):
            if found[1].lower() == "white":
                misfits.append(Misfit("rows", said.strip(), "the left column is Yellow's"))
        elif found := BACK.match(said) or ROW.match(said):
            rows.append(found)
        elif said.strip() and (not rows or LIKE_A_ROW.match(said)):
            misfits.append(Misfit("rows", said.strip(), "this line cannot be read"))
    return head, rows


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
    content = Path(name).read_bytes()
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def main(words: list[str]) -> int:
    """Do what the command line says; return 0 if all fits, 1 if something does not, 2 if it could not be done."""
    table = ""
    try:
        if "--table" in words:
            at = words.index("--table")
            table = read_file(words[at + 1])
            words = words[:at] + words[at + 2 :]
        misfits, good = verify(read_file(words[0]), words[1:], table)
    except (IndexError, KeyError, OSError, tomllib.TOMLDecodeError) as error:
        sys.stderr.write(f"{__doc__}\n{error}\n")
        return 2
    for line in map(str, misfits) if misfits else good:
        print("".join(sign if sign.isprintable() else "?" for sign in line))
    return 1 if misfits else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
