"""What the README says is so."""

import io
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

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def words_table() -> str:
    """Return the rows of the README's table of words, made from the table that the desk reads by, and from the stories
    in which the words are written."""
    pages = shown.pages()
    forms = (", ".join(f"`{form}`" for form in word.forms).replace("|", "\\|") for word in WORDS)
    return "\n".join(
        f"| {form} | {word.meaning} | {where_shown(word.name, pages)} |"
        for form, word in zip(forms, WORDS, strict=True)
    )


def test_the_words_of_the_desk_are_those_that_the_desk_knows(request: pytest.FixtureRequest) -> None:
    """Each with links to stories that show it."""
    if request.config.getoption("--rewrite-transcripts"):
        before, _, rest = README.partition("<!-- words -->\n")
        after = rest.partition("\n<!-- /words -->")[2]
        table = f"<!-- words -->\n{words_table()}\n<!-- /words -->"
        (ROOT / "README.md").write_text(f"{before}{table}{after}")
    between = (
        (ROOT / "README.md").read_text().partition("<!-- words -->\n")[2].partition("\n<!-- /words -->")[0]
    )
    assert between == words_table()


def test_the_readme_has_the_test_command_that_the_gate_runs() -> None:
    assert re.search(r"^uv run pytest\b", README, re.MULTILINE)
    gate = (ROOT / ".ci" / "run").read_text()
    assert re.search(r"^\s*(REQUIRE_SERVERS=1 )?uv run pytest\b", gate, re.MULTILINE)


def test_every_command_it_shows_exists() -> None:
    shown = re.findall(r"^(?:uv run )?referee ([a-z]+)", README, re.MULTILINE)
    assert {"demo", "init", "run", "new", "games", "show", "record", "letters"} <= set(shown)
    assert set(shown) <= set(main.commands)


def commands_shown() -> list[str]:
    """Return the commands of the project's own that the README and the pages for operators tell to type."""
    texts = (README, (ROOT / "deploy" / "README.md").read_text())
    blocks = (
        block for text in texts for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    )
    lines = (
        line for block in blocks for line in re.findall(r"^(?:uv run )?(referee .*)", block, re.MULTILINE)
    )
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
    command: click.Command = main
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        command = command.commands[words.pop(0)]
    command.make_context(command.name, words)


def test_every_file_it_points_to_is_there() -> None:
    for place in re.findall(r"\]\((?!http)([^)#]+)", README) + re.findall(r'src="([^"]+)"', README):
        assert (ROOT / place).exists(), place
    rooms = re.findall(r"`(referee/[a-z_/.]+|templates/)`", README)
    assert len(rooms) > 10
    for place in rooms:
        assert (ROOT / place).exists(), place


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
        f"{place} shows how it was drawn once; `uv run pytest tests/test_readme.py --rewrite-transcripts` "
        "writes it anew"
    )


def drawn_now(name: str) -> bytes:
    """Return a picture as it is in a letter to White: the board with the letter shown, the sheets near the end."""
    shown, sheets = (CONFUSION.view(heard_by(WHITE, after(attempts)), WHITE) for attempts in (14, 71))
    assert shown.board.attempts[-1].text == "V-NW2xZ"
    drawn = CONFUSION.picture(shown) if name == "board" else CONFUSION.sheets_picture(sheets)
    assert drawn is not None
    return drawn


def pixels(png: bytes) -> tuple[tuple[int, int], bytes]:
    """Return what a picture shows, however it was packed."""
    image = Image.open(io.BytesIO(png))
    return image.size, image.convert("RGB").tobytes()


def recipes() -> list[str]:
    """Return the lines of Python that are shown: for checking a deal, and for checking what was said."""
    return re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def check_the_deal(secret: bytes, deal: str = "") -> list[str]:
    """Return what the recipe for checking a deal prints."""
    recipe, _ = recipes()
    recipe = recipe.replace("…the 64 digits of the last letter…", secret.hex())
    recipe = recipe.replace(f'{secret.hex()}", ""', f'{secret.hex()}", "{deal}"')
    return subprocess.run(
        [sys.executable, "-c", recipe], capture_output=True, text=True, check=True
    ).stdout.splitlines()


SEATED = {Seat("white"): 1, Seat("yellow"): 2}


def test_the_recipe_for_checking_a_deal_gives_the_commitment_and_the_deals() -> None:
    """The README's few lines, run as they stand, find what the house committed to and dealt."""
    secret = bytes(range(32))
    opened = open_game(17, find_rulebook("confusion"), {}, SEATED, secret)
    commitment, *deals = check_the_deal(secret)
    assert commitment == opened.commitment
    dealt = {each.facts["seat"]: each.facts["types"] for each in opened.happenings if each.code == "dealt"}
    assert deals == [
        f"{seat} {' '.join(f'{letter}{number}' for letter, number in dealt[seat].items())}"
        for seat in ("white", "yellow")
    ]


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


@pytest.mark.parametrize("ends", ENDS)
def test_the_recipe_for_checking_what_was_said_gives_every_receipt(ends: str, tmp_path: Path) -> None:
    """The README's few lines, run as they stand beside a record, find the receipts that the letters said."""
    game, receipts = sample_game_played(ends)
    assert game.status == "ended"
    head = {**game.proof, "WhiteName": "Wendy = 1. A-N1"}
    record = game.rulebook.write_record(game.heard(Seat("white")), head, Seat("white"))
    (tmp_path / "game-17.txt").write_text(record)
    lines = check_what_was_said(tmp_path)
    assert [line.split()[-1] for line in lines[:-1]] == receipts
    assert lines[-1] == "as the record says"
    assert len(lines) > 20


def test_the_recipe_goes_on_over_turns_that_were_taken_back(tmp_path: Path) -> None:
    game, receipts = random_game_played(3, taken_back=0.2)
    assert len(game.branches) > 1
    record = game.rulebook.write_record(game.happenings, game.proof, None)
    (tmp_path / "game-17.txt").write_text(record)
    lines = check_what_was_said(tmp_path)
    assert [line.split()[-1] for line in lines] == [*receipts, "says"]
    (tmp_path / "game-17.txt").write_text(record.replace(game.branches[0].back.reason, "another reason"))
    assert check_what_was_said(tmp_path)[-1] == "not what the record says"


@pytest.mark.parametrize(
    "changed", [("L-S2", "L-S3"), ("(", ""), ("\n2. ", "\n; 2. "), ("White wins:", "Yellow wins:")]
)
def test_the_recipe_for_checking_what_was_said_finds_a_record_that_was_changed(
    changed: tuple[str, str], tmp_path: Path
) -> None:
    game, _ = sample_game_played("on the board")
    record = game.rulebook.write_record(game.happenings, game.proof, None)
    assert changed[0] in record
    (tmp_path / "game-17.txt").write_text(record.replace(*changed))
    assert check_what_was_said(tmp_path)[-1] == "not what the record says"


def check_what_was_said(folder: Path) -> list[str]:
    _, recipe = recipes()
    ran = subprocess.run(
        [sys.executable, "-c", recipe], cwd=folder, capture_output=True, text=True, check=True
    )
    return ran.stdout.splitlines()
