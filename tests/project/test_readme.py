"""What the README and its pages say is so."""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from PIL import Image

from referee.cli.main import main
from referee.commands.command_table import WORDS
from referee.games.decisions import open_game
from referee.rulebooks.cards.scenarios.scenario import given_text
from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.rulebook import Seat
from tests.games.played import ENDS, random_game_played, sample_game_played
from tests.reports.material import CONFUSION, WHITE, after, heard_by
from tests.transcripts import shown
from tests.transcripts.index import where_shown

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PLAYERS = ROOT / "templates" / "PLAYERS.md"
PROOFS = ROOT / "referee" / "archive" / "PROOFS.md"
PAGES = (
    ROOT / "README.md",
    PLAYERS,
    ROOT / "deploy" / "README.md",
    ROOT / "deploy" / "UMPIRES.md",
    ROOT / "deploy" / "CHANGES.md",
    ROOT / "referee" / "archive" / "FORMATS.md",
    PROOFS,
    ROOT / "referee" / "rulebooks" / "cards" / "SCENARIOS.md",
)
"""The README, and each page that it sends its reader to."""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text_of_all_pages() -> str:
    return "\n".join(page.read_text() for page in PAGES)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) < 200


def test_its_first_screen_has_the_picture_the_two_commands_and_where_to_get_uv() -> None:
    first, _, _ = README.partition("\n## ")
    assert "uv run --no-dev referee demo\nuv run pytest\n" in first
    assert 'src="deploy/pictures/board.png"' in first
    assert "](https://docs.astral.sh/uv/" in first


def test_it_leads_to_every_page_and_every_page_leads_back() -> None:
    for page in PAGES[1:]:
        assert f"]({name_of(page)})" in README
        back = Path(os.path.relpath(ROOT / "README.md", page.parent)).as_posix()
        assert f"]({back})" in page.read_text(), page


def words_table() -> str:
    """Return the players' table of words, made from the table that the desk reads by, and from the stories in which
    the words are written."""
    pages = shown.pages()
    forms = (", ".join(f"`{form}`" for form in word.forms).replace("|", "\\|") for word in WORDS)
    rows = (
        f"| {form} | {word.meaning} | {where_shown(word.name, pages, PLAYERS.parent)} |"
        for form, word in zip(forms, WORDS, strict=True)
    )
    return "\n".join(("| write | and the desk | stories |", "|---|---|---|", *rows))


def test_the_words_of_the_desk_are_those_that_the_desk_knows(request: pytest.FixtureRequest) -> None:
    """Each with links to stories that show it."""
    if request.config.getoption("--rewrite-transcripts"):
        before, _, rest = PLAYERS.read_text().partition("<!-- words -->\n")
        after = rest.partition("\n<!-- /words -->")[2]
        table = f"<!-- words -->\n{words_table()}\n<!-- /words -->"
        PLAYERS.write_text(f"{before}{table}{after}")
    between = PLAYERS.read_text().partition("<!-- words -->\n")[2].partition("\n<!-- /words -->")[0]
    assert between == words_table()


def test_the_readme_has_the_test_command_that_the_gate_runs() -> None:
    assert re.search(r"^uv run pytest\b", README, re.MULTILINE)
    gate = (ROOT / ".ci" / "run").read_text()
    assert re.search(r"^\s*(REQUIRE_SERVERS=1 )?uv run pytest\b", gate, re.MULTILINE)


UV_RUN = "(?:uv run (?:--no-dev )?)?"
"""What may stand before a command of the referee's own."""


def test_every_command_it_shows_exists() -> None:
    shown = re.findall(rf"^{UV_RUN}referee ([a-z]+)", text_of_all_pages(), re.MULTILINE)
    assert {"demo", "init", "run", "new", "games", "show", "record", "letters"} <= set(shown)
    assert set(shown) <= set(main.commands)


def commands_shown() -> list[str]:
    """Return the commands of the project's own that the README and its pages tell the reader to type."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text_of_all_pages(), re.MULTILINE | re.DOTALL)
    lines = (line for block in blocks for line in re.findall(rf"^{UV_RUN}(referee .*)", block, re.MULTILINE))
    return sorted({line.partition("  #")[0].strip() for line in lines})


@pytest.mark.parametrize("line", commands_shown())
def test_every_command_it_shows_can_be_typed(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With options and arguments that the command has, and all that it asks for; it is not carried out."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "deploy" / "event.toml", tmp_path)
    (tmp_path / "my-battle.toml").write_text(given_text("cc-standard"))
    _, *words = shlex.split(re.split(r" [>|&] | 2>", line)[0])
    command: click.Command | None = main
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        command = command.get_command(click.Context(command), words.pop(0))
    assert command is not None
    command.make_context(command.name, words)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_file_it_points_to_is_there(page: Path) -> None:
    text = page.read_text()
    for place in re.findall(r"\]\((?!http)([^)#]+)", text) + re.findall(r'src="([^"]+)"', text):
        assert (page.parent / place).exists(), place


def test_every_room_it_names_is_there() -> None:
    rooms = re.findall(r"`(referee/[a-z_/.]+|templates/)`", README)
    assert len(rooms) > 10
    for place in re.findall(r"`(referee/[a-z_/.]+|templates/)`", text_of_all_pages()):
        assert (ROOT / place).exists(), place


def test_its_table_of_rooms_has_every_room() -> None:
    table = README.partition("### The rooms\n")[2].partition("\n### ")[0]
    rooms = {path.parent.name for path in (ROOT / "referee").glob("*/__init__.py")}
    assert rooms <= set(re.findall(r"`referee/([a-z]+)/`", table))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_heading_it_points_to_is_there(page: Path) -> None:
    for place, heading in re.findall(r"\]\((?!http)([^)#]*)#([^)]+)\)", page.read_text()):
        assert heading in anchors(page.parent / place if place else page), f"{place}#{heading}"


def anchors(page: Path) -> set[str]:
    """Return the names by which links find the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_its_tables_are_drawn_as_tables(page: Path) -> None:
    """Rows that stand below anything else, such as a comment, are drawn as prose: each block of rows has a head."""
    for rows in re.findall(r"(?:^\|.*\n)+", page.read_text(), re.MULTILINE):
        assert re.fullmatch(r"\|(?:---\|)+", rows.splitlines()[1]), rows


def test_it_has_the_section_that_last_letters_name() -> None:
    last = (ROOT / "templates" / "proof.j2").read_text()
    (section,) = re.findall(r'the referee\'s README says in its section "([^"]+)"', last)
    assert f"\n## {section}\n" in README


def test_the_letter_it_shows_is_one_that_is_sent() -> None:
    """All that White's letter says before the board, when Yellow has tried V-NW2xZ in the sample game."""
    (shown,) = re.findall(r"```\n(Your move, turn 8.*?)\n```", README, re.DOTALL)
    assert f"\n\n{shown}\n\nBOARD\n" in sent()


def test_the_lesson_it_shows_is_one_that_is_sent() -> None:
    (shown,) = re.findall(r"```\n(WHAT YOU LEARNED.*?)\n```", README, re.DOTALL)
    assert f"\n\n{shown}\n\n" in sent()


def sent() -> str:
    """Return all letters of the sample game as they are sent."""
    return (ROOT / "tests" / "transcripts" / "confusion" / "sample-game.txt").read_text()


@pytest.mark.parametrize("name", ["board", "sheets"])
def test_the_pictures_it_shows_are_what_is_drawn_now(name: str, request: pytest.FixtureRequest) -> None:
    place = f"deploy/pictures/{name}.png"
    assert f'src="{place}"' in README
    drawn = drawn_now(name)
    if request.config.getoption("--rewrite-transcripts"):
        (ROOT / place).write_bytes(drawn)
    same = pixels(drawn) == pixels((ROOT / place).read_bytes())
    assert same, (
        f"{place} shows how it was drawn once; `uv run pytest tests/project/test_readme.py --rewrite-transcripts` "
        "writes it anew"
    )


def drawn_now(name: str) -> bytes:
    """Return a picture as it is in a letter to White: the board with the letter shown, the sheets near the end."""
    shown, sheets = (CONFUSION.rules.view(heard_by(WHITE, after(attempts)), WHITE) for attempts in (14, 71))
    assert shown.board.attempts[-1].text == "V-NW2xZ"
    drawn = CONFUSION.presentation.picture(shown) if name == "board" else CONFUSION.sheets.picture(sheets)
    assert drawn is not None
    return drawn


def pixels(png: bytes) -> tuple[tuple[int, int], bytes]:
    """Return what a picture shows, however it was packed."""
    image = Image.open(io.BytesIO(png))
    return image.size, image.convert("RGB").tobytes()


def recipes() -> list[str]:
    """Return the lines of Python that are shown: for checking a deal, and for checking what was said."""
    return re.findall(r"```python\n(.*?)```", PROOFS.read_text(), re.DOTALL)


def check_the_deal(secret: bytes, deal: str = "") -> list[str]:
    """Return what the recipe for checking a deal prints."""
    recipe, _ = recipes()
    recipe = recipe.replace("…the 64 digits of the last letter…", secret.hex())
    recipe = recipe.replace(f'{secret.hex()}", ""', f'{secret.hex()}", "{deal}"')
    return subprocess.run(
        [sys.executable, "-c", recipe], capture_output=True, text=True, check=True
    ).stdout.splitlines()


SEATED = {Seat("white"): 1, Seat("yellow"): 2}


@pytest.mark.subprocess
def test_the_recipe_for_checking_a_deal_gives_the_commitment_and_the_deals() -> None:
    """The page's few lines, run as they stand, find what the service committed to and dealt."""
    secret = bytes(range(32))
    opened = open_game(17, find_rulebook("confusion"), {}, SEATED, secret)
    commitment, *deals = check_the_deal(secret)
    assert commitment == opened.commitment
    dealt = {each.facts["seat"]: each.facts["types"] for each in opened.happenings if each.code == "dealt"}
    assert deals == [
        f"{seat} {' '.join(f'{letter}{number}' for letter, number in dealt[seat].items())}"
        for seat in ("white", "yellow")
    ]


@pytest.mark.subprocess
@pytest.mark.parametrize("sides", [("white", "yellow"), ("yellow",)])
def test_a_deal_that_an_umpire_set_is_checked_with_the_deal_of_the_last_letter(sides: Sequence[str]) -> None:
    """However the umpire wrote it: the letter says it as the commitment binds it. A side he left out is drawn."""
    secret = bytes(range(32))
    deals = {
        "white": "A1 C2 E3 H4 K5 L6 N7 O8 P9 S10 T11 V12",
        "yellow": "A12 C11 E10 H9 K8 L7 N6 O5 P4 S3 T2 V1",
    }
    untidy = " ; ".join(f"{side.upper()} = {deals[side].lower()} " for side in reversed(sides))
    opened = open_game(17, find_rulebook("confusion"), {}, SEATED, secret, untidy)
    assert opened.deal == "; ".join(f"{side.capitalize()}={deals[side]}" for side in sides)
    commitment, *drawn = check_the_deal(secret, opened.deal)
    assert commitment == opened.commitment != check_the_deal(secret)[0]
    dealt = {each.facts["seat"]: each.facts["types"] for each in opened.happenings if each.code == "dealt"}
    for side in {"white", "yellow"} - set(sides):
        assert f"{side} {' '.join(f'{letter}{number}' for letter, number in dealt[side].items())}" in drawn


@pytest.mark.subprocess
@pytest.mark.parametrize("ends", ENDS)
def test_the_recipe_for_checking_what_was_said_gives_every_receipt(ends: str, tmp_path: Path) -> None:
    """The page's few lines, run as they stand beside a record, find the receipts that the letters said."""
    game, receipts = sample_game_played(ends)
    assert game.status == "ended"
    head = {**game.proof, "WhiteName": "Wendy = 1. A-N1"}
    record = game.rulebook.records.write(game.heard(Seat("white")), head, Seat("white"))
    (tmp_path / "game-17.txt").write_text(record)
    lines = check_what_was_said(tmp_path)
    assert [line.split()[-1] for line in lines[:-1]] == receipts
    assert lines[-1] == "as the record says"
    assert len(lines) > 20


@pytest.mark.subprocess
def test_the_recipe_goes_on_over_turns_that_were_taken_back(tmp_path: Path) -> None:
    game, receipts = random_game_played(3, taken_back=0.2)
    assert len(game.branches) > 1
    record = game.rulebook.records.write(game.happenings, game.proof, None)
    (tmp_path / "game-17.txt").write_text(record)
    lines = check_what_was_said(tmp_path)
    assert [line.split()[-1] for line in lines] == [*receipts, "says"]
    (tmp_path / "game-17.txt").write_text(record.replace(game.branches[0].back.reason, "another reason"))
    assert check_what_was_said(tmp_path)[-1] == "not what the record says"


@pytest.mark.subprocess
@pytest.mark.parametrize(
    "changed", [("L-S2", "L-S3"), ("(", ""), ("\n2. ", "\n; 2. "), ("White wins:", "Yellow wins:")]
)
def test_the_recipe_for_checking_what_was_said_finds_a_record_that_was_changed(
    changed: tuple[str, str], tmp_path: Path
) -> None:
    game, _ = sample_game_played("on the board")
    record = game.rulebook.records.write(game.happenings, game.proof, None)
    assert changed[0] in record
    (tmp_path / "game-17.txt").write_text(record.replace(*changed))
    assert check_what_was_said(tmp_path)[-1] == "not what the record says"


def check_what_was_said(folder: Path) -> list[str]:
    _, recipe = recipes()
    ran = subprocess.run(
        [sys.executable, "-c", recipe], cwd=folder, capture_output=True, text=True, check=True
    )
    return ran.stdout.splitlines()
