"""Forgers at work on a record: every kind of change of each of its parts, at a place drawn at random."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random

from referee.games.receipts import receipt

Forger = Callable[[str, Random], str]
"""Returns the record with one thing changed; as it was where there is no such thing in it."""

HEX = "0123456789abcdef"
CELL = re.compile(r"[(\[]?[ACEHKLNOPSTVXZ]Z?-[NSEW]{1,2}\d[xA-Z>+]*[)\]]?")
ROW = re.compile(r"^\d+\..*$", re.MULTILINE)
BACK = re.compile(r"^taken back to .*$", re.MULTILINE)


def digit(key: str) -> Forger:
    def forge(record: str, random: Random) -> str:
        return line(record, key, lambda said: another_sign(said, random, HEX))

    return forge


def line(record: str, key: str, change: Callable[[str], str]) -> str:
    return re.sub(rf"(?m)^({key} *= )(.*)$", lambda found: found[1] + change(found[2]), record, count=1)


def another_sign(said: str, random: Random, signs: str) -> str:
    place = random.choice([at for at, sign in enumerate(said) if sign in signs])
    return said[:place] + random.choice([sign for sign in signs if sign != said[place]]) + said[place + 1 :]


def said(key: str, *instead: str) -> Forger:
    def forge(record: str, random: Random) -> str:
        return line(record, key, lambda said: random.choice([each for each in instead if each != said]))

    return forge


def dropped(key: str) -> Forger:
    return lambda record, _: re.sub(rf"(?m)^{key} *= .*\n", "", record, count=1)


def twice(key: str) -> Forger:
    def forge(record: str, random: Random) -> str:
        found = re.search(rf"(?m)^{key} *= (.*)\n", record)
        return record.replace(found[0], found[0] + found[0], 1) if found else record

    return forge


def head_line(line: str) -> Forger:
    key = line.partition(" =")[0]
    return lambda record, _: (
        record if f"\n{key} " in record else record.replace("\nCommitment", f"\n{line}\nCommitment")
    )


def dealt(side: str) -> Forger:
    """Exchange the types of two letters."""

    def forge(record: str, random: Random) -> str:
        return line(record, side, lambda said: exchanged(said, random))

    def exchanged(said: str, random: Random) -> str:
        pairs = said.split()
        one, other = random.sample(range(len(pairs)), 2)
        pairs[one], pairs[other] = pairs[one][0] + pairs[other][1:], pairs[other][0] + pairs[one][1:]
        return " ".join(pairs)

    return forge


def set_deal(record: str, random: Random) -> str:
    def change(said: str) -> str:
        first, second = random.sample(re.findall(r"[A-Z](\d+)", said)[:12], 2)
        return re.sub(
            rf"(?<=[A-Z])({first}|{second})\b", lambda it: second if it[0] == first else first, said
        )

    return line(record, "Deal", change)


def cell(change: Callable[[str, Random], str], only: str = "") -> Forger:
    """Change one attempt, of those that hold a sign if one is named."""

    def forge(record: str, random: Random) -> str:
        cells = [
            found
            for found in CELL.finditer(record)
            if found.start() > record.index("\n1. ") and only in found[0]
        ]
        if not cells:
            return record
        found = random.choice(cells)
        changed, before = change(found[0], random), record[: found.start()]
        width = max(len(found[0]), len(changed) + 1) if record[found.end() : found.end() + 1] == " " else 0
        rest = record[found.end() :]
        pad = " " * max(0, len(found[0]) - len(changed)) if width else ""
        return before + changed + pad + rest

    return forge


def other_answer(cell: str, random: Random) -> str:
    return cell[1:-1] if cell.startswith("(") else f"({cell})"


def other_direction(cell: str, random: Random) -> str:
    found = re.search(r"-([NSEW]+)", cell)
    assert found
    others = [each for each in ("N", "NE", "E", "SE", "S", "SW", "W", "NW") if each != found[1]]
    return cell.replace(found[0], f"-{random.choice(others)}", 1)


def other_length(cell: str, random: Random) -> str:
    return re.sub(r"\d", lambda found: random.choice([n for n in "1234" if n != found[0]]), cell, count=1)


def other_piece(cell: str, random: Random) -> str:
    place = cell.startswith("(")
    return another_letter(cell, place, random)


def another_letter(cell: str, place: int, random: Random) -> str:
    letter = random.choice([each for each in "ACEHKLNOPSTV" if each != cell[place]])
    return cell[:place] + letter + cell[place + 1 :]


def without_tail(cell: str, random: Random) -> str:
    return re.sub(r"(\d)[xA-Z>+]+", r"\1", cell)


def with_tail(cell: str, random: Random) -> str:
    return re.sub(r"(\d)", rf"\1x{random.choice('ACEHKLNOPSTV')}", cell, count=1)


def with_plus(cell: str, random: Random) -> str:
    return cell.replace("+", "") if "+" in cell else re.sub(r"(\d[xA-Z>]*)", r"\1+", cell, count=1)


def rows(change: Callable[[list[str], Random], None], *, numbered: bool = False) -> Forger:
    """Change the list of rows; numbered: and count them anew, as who hides something would."""

    def forge(record: str, random: Random) -> str:
        lines = record.split("\n")
        places = [place for place, line in enumerate(lines) if ROW.fullmatch(line)]
        rows = [lines[place] for place in places]
        if len(rows) < 3 or BACK.search(record):
            return record
        change(rows, random)
        if numbered:
            rows = [re.sub(r"^\d+\. *", f"{number}. ".ljust(4), row) for number, row in enumerate(rows, 1)]
        return "\n".join([*lines[: places[0]], *rows, *lines[places[-1] + 1 :]])

    return forge


def drop_one(rows: list[str], random: Random) -> None:
    del rows[random.randrange(len(rows))]


def put_one_in(rows: list[str], random: Random) -> None:
    rows.insert(random.randrange(len(rows)), random.choice(rows))


def exchange_two(rows: list[str], random: Random) -> None:
    one, other = random.sample(range(len(rows)), 2)
    rows[one], rows[other] = rows[other], rows[one]


def cut_off(rows: list[str], random: Random) -> None:
    del rows[random.randrange(1, len(rows) - 1) : -1]


def one_more(rows: list[str], random: Random) -> None:
    rows.append(f"{len(rows) + 1}. A-N1            A-S1")


def exchange_cells(record: str, random: Random) -> str:
    rows = re.findall(r"(?m)^\d+\. +(\S+-\S+) +(\S+-\S+)$", record)
    if not rows:
        return record
    left, right = random.choice(rows)
    return re.sub(
        rf"{re.escape(left)}( +){re.escape(right)}$", rf"{right}\1{left}", record, count=1, flags=re.MULTILINE
    )


def back(change: Callable[[str, Random], str]) -> Forger:
    def forge(record: str, random: Random) -> str:
        if not (lines := BACK.findall(record)):
            return record
        line = random.choice(lines)
        return record.replace(line, change(line, random), 1)

    return forge


def other_side(line: str, random: Random) -> str:
    return line.replace("White", "?").replace("Yellow", "White").replace("?", "Yellow")


def without_branch(record: str, random: Random) -> str:
    """Hide what was taken back: the line and the rows before it from that turn on, where they are whole."""
    found = next((each for each in BACK.finditer(record) if " White" not in each[0]), None)
    if found is None:
        return record
    row = found[0].split()[3]
    start = record.rfind(f"\n{row}.", 0, found.start())
    return record[:start] + record[found.end() :]


def where_something_was_tried(forge: Forger) -> Forger:
    """Else there is nothing that a compass or a column could say."""
    return lambda record, random: (
        forge(record, random) if re.search(r"(?m)^\d+\..*-[NSEW]", record) else record
    )


def last_cell(record: str, random: Random) -> str:
    """Leave out what the last cell says of the end."""
    return re.sub(r" *(White|Yellow|Red) (wins|resigns)\n| *(Draw|No result)\n", "\n", record)


def other_last_cell(record: str, random: Random) -> str:
    words = ["White wins", "Yellow wins", "White resigns", "Yellow resigns", "Draw", "No result"]

    def change(found: re.Match[str]) -> str:
        return random.choice([each for each in words if each != found[1]]) + "\n"

    return re.sub(r"((?:White|Yellow) (?:wins|resigns)|Draw|No result)\n", change, record)


RESULTS = (
    "White wins: by resignation",
    "Yellow wins: on time",
    "Draw: by agreement",
    "No result: abandoned by agreement",
)
FORGERS: dict[str, Forger] = {
    "a digit of the secret": digit("Secret"),
    "a digit of the commitment": digit("Commitment"),
    "a digit of the chain": digit("Chain"),
    "the secret too short": lambda record, _: line(record, "Secret", lambda said: said[:-2]),
    "the secret in capitals": lambda record, _: line(record, "Secret", str.upper),
    **{
        f"no line {key}": dropped(key)
        for key in ("Game", "Rules", "Options", "Commitment", "Secret", "Chain")
    },
    **{
        f"no line {key}": dropped(key)
        for key in ("Deal", "White", "Yellow", "First", "Result", "Time", "Lapse")
    },
    **{
        f"{key} twice": twice(key)
        for key in ("Game", "Options", "Commitment", "Secret", "Chain", "White", "First", "Result")
    },
    "another game": said("Game", "1", "18", "170", "0", "x"),
    "other rules": said("Rules", "confusion 2", "confusion", "spies 1", "chess 1"),
    "other options": said(
        "Options", '{"first": "yellow"}', '{"sheets": "off"}', '{"press": "none"}', "{}", "[]", "{"
    ),
    "a deal that was not set": head_line("Deal = White=A1 C2 E3 H4 K5 L6 N7 O8 P9 S10 T11 V12"),
    "the deal that was set": set_deal,
    "two types of White": dealt("White"),
    "two types of Yellow": dealt("Yellow"),
    "a type that is none": lambda record, _: line(
        record, "White", lambda said: re.sub(r"^A\d+", "A13", said)
    ),
    "who begins": said("First", "White", "Yellow"),
    "who begins, as nobody can": said("First", "Green"),
    "the table": said("Table", "modern"),
    "the compass": where_something_was_tried(said("View", "White", "Yellow")),
    "the result": said("Result", *RESULTS),
    "how it ended": lambda record, _: line(
        record, "Result", lambda said: said.partition(":")[0] + ": by forgery"
    ),
    "how a draw came": lambda record, _: line(record, "Result", lambda said: "Draw: by resignation"),
    "nothing of how it ended": lambda record, _: line(record, "Result", lambda said: said.partition(":")[0]),
    "time that nobody agreed on": head_line("Time = 3d/move"),
    "other time": said("Time", "1d/move"),
    "an answer": cell(other_answer),
    "an answer once more": cell(other_answer),
    "an answer to a yes": cell(lambda cell, _: f"({cell})" if "(" not in cell else cell),
    "a direction": cell(other_direction),
    "a length": cell(other_length),
    "a piece": cell(other_piece),
    "no tail": cell(without_tail, "x"),
    "no pass": cell(without_tail, ">"),
    "another tail": cell(lambda cell, random: another_letter(cell, cell.index("x") + 1, random), "x"),
    "a tail": cell(with_tail),
    "a promotion": cell(with_plus),
    "no promotion": cell(with_plus, "+"),
    "Z not taken along": cell(lambda cell, _: cell.replace("Z-", "-"), "Z-"),
    "a cell that is none": cell(lambda cell, _: "?"),
    "a cell left empty": cell(lambda cell, _: "-"),
    "a pass instead": cell(lambda cell, _: "pass"),
    "a row left out": rows(drop_one),
    "a row left out, counted anew": rows(drop_one, numbered=True),
    "a row put in": rows(put_one_in),
    "a row put in, counted anew": rows(put_one_in, numbered=True),
    "two rows exchanged": rows(exchange_two),
    "two rows exchanged, counted anew": rows(exchange_two, numbered=True),
    "the cells of a row exchanged": exchange_cells,
    "rows cut off before the end": rows(cut_off, numbered=True),
    "the last rows cut off": rows(
        lambda rows, random: rows.__delitem__(slice(random.randrange(1, len(rows)), None))
    ),
    "a row behind the end": rows(one_more),
    "a row's number": lambda record, _: record.replace("\n2. ", "\n3. ", 1),
    "the last cell": other_last_cell,
    "no last cell": last_cell,
    "to where it was taken back": back(
        lambda line, _: re.sub(r"\d+", lambda n: str(int(n[0]) + 1), line, count=1)
    ),
    "whose turn was taken back": back(other_side),
    "why it was taken back": back(lambda line, _: line + " indeed"),
    "no reason why it was taken back": back(lambda line, _: line.partition(":")[0]),
    "no line that takes back": lambda record, _: BACK.sub("", record, count=1),
    "no trace of what was taken back": without_branch,
    "taken back at the end": lambda record, _: record + "taken back to 1 White: because\n",
    "columns exchanged": where_something_was_tried(
        lambda record, _: record.replace("    Yellow          White", "    White           Yellow")
    ),
    "nothing": lambda record, _: "",
    "the head alone": lambda record, _: record[: record.index("    Yellow  ")],
}
"""What may be forged, by what it changes."""


def forgeries(
    record: str, random: Random, forgers: Mapping[str, Forger] = FORGERS
) -> Iterator[tuple[str, str]]:
    """Yield one forged record of each kind that the record has a place for."""
    for kind, forge in forgers.items():
        forged = forge(record, random)
        if forged != record:
            yield kind, forged


def with_its_chain(record: str, said: list[dict[str, str]]) -> str:
    """Return a record with the chain that follows from what is said, as one can reckon it who knows the secret."""
    head = dict(re.findall(r"(?m)^(\w+) *= *(.*)$", record))
    link = head["Commitment"]
    for each in said:
        link = receipt(link, bytes.fromhex(head["Secret"]), each)
    return line(record, "Chain", lambda _: link)
