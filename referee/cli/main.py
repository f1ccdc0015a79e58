"""The operator's commands: each reads its arguments, calls one function and prints.

Results go to standard output, with --json as one document and nothing else. Progress, logs and errors go to
standard error. Exit status:
0: done
1: the thing asked about is wrong
2: usage or settings
3: not possible now
"""

from __future__ import annotations

from pathlib import Path

import click

from referee import __version__
from referee.cli.context import Call, Commands, LazyCommand
from referee.cli.rulebook_commands import RulebookCommands
from referee.rulebooks.operator_commands import OPERATOR_COMMANDS

COMMANDS = (
    LazyCommand(
        "demo",
        "referee.cli.demo",
        "Show it all: two players, real letters, the book's sample game.",
        "referee demo --folder /tmp/demo",
    ),
    LazyCommand(
        "init",
        "referee.cli.setup",
        "Make the database ready, and prove that mail comes and goes.",
        "referee init --write-config",
    ),
    LazyCommand(
        "check",
        "referee.cli.setup",
        "Show the settings in force and where each comes from; secrets stay hidden.",
        "referee check",
    ),
    LazyCommand(
        "run",
        "referee.cli.service",
        "Run the service, until SIGTERM; or once through all that waits.",
        "referee run --once --json",
    ),
    LazyCommand(
        "new",
        "referee.cli.games",
        "Start a game as its umpire; print its number.",
        'referee new confusion --seat "White=Wendy <w@example.net>" --seat yellow=y@example.com',
    ),
    LazyCommand(
        "games",
        "referee.cli.games",
        "List the games, the newest first, or look for some.",
        "referee games --player anna --since 2026-03 --rules confusion --result won",
    ),
    LazyCommand(
        "show", "referee.cli.show", "Show one game as that viewer may see it.", "referee show 17 --as yellow"
    ),
    LazyCommand(
        "record",
        "referee.cli.archive",
        "Write a game in the book's notation; without --as with both deals.",
        "referee record 17 > game-17.txt",
    ),
    LazyCommand(
        "replay",
        "referee.cli.records",
        "Replay a record against the rules; stop at the first inconsistency.",
        "referee replay game-17.txt --sheets 21",
    ),
    LazyCommand(
        "verify",
        "referee.cli.records",
        "Check a finished game's record by its own proof, offline: commitment, deal, answers, receipts.",
        "referee verify game-17.txt",
    ),
    LazyCommand(
        "read",
        "referee.cli.letters",
        "Show what the desk reads in a letter (a file in RFC 5322 form), without acting on it.",
        "referee read letter.eml",
    ),
    LazyCommand(
        "letters",
        "referee.cli.letters",
        "List the letters taken in and what became of each.",
        "referee letters --outcome held",
    ),
    LazyCommand(
        "doctor",
        "referee.cli.setup",
        "Look at everything that can be stuck, and say what is, why, and what cures it.",
        "referee doctor",
    ),
    LazyCommand(
        "freeze",
        "referee.cli.rulings",
        "Stop a game for the time being: its players' moves are refused, with the reason.",
        'referee freeze 17 --reason "A ruling is being checked."',
    ),
    LazyCommand("thaw", "referee.cli.rulings", "Let a frozen game go on.", "referee thaw 17"),
    LazyCommand(
        "event",
        "referee.cli.tournaments",
        "Keep events: tournaments and seasons, with terms, calendar and officers of their own.",
        "referee event new league.toml",
    ),
    LazyCommand(
        "umpire",
        "referee.cli.umpire",
        "Act in a game as its umpire, first as a trial: only --do does it.",
        'referee umpire take-back 17 --to 12 --reason "White\'s order was misread."',
    ),
    LazyCommand(
        "overview",
        "referee.cli.overview",
        "Show what needs somebody, and how all games stand.",
        'referee overview --event "Spring League"',
    ),
    LazyCommand(
        "log",
        "referee.cli.archive",
        "Write all events of a game, a line of JSON each, with their dates.",
        "referee log 17 > game-17.jsonl",
    ),
    LazyCommand(
        "mbox",
        "referee.cli.archive",
        "Write every letter about a game that a seat was sent, in a file for mail programs.",
        "referee mbox 17 --as white > white-17.mbox",
    ),
    LazyCommand(
        "bundle",
        "referee.cli.archive",
        "Put all games of an event that are over into one file, with a manifest that proves it unchanged.",
        'referee bundle "Spring League 2027" -o league.tar',
    ),
    LazyCommand(
        "picture",
        "referee.cli.archive",
        "Draw a game as somebody saw it at the end of a turn.",
        "referee picture 17 --turn 22 --as yellow --sheets -o turn-22.svg",
    ),
    LazyCommand(
        "publish",
        "referee.cli.archive",
        "Write the archive as web pages that need no server.",
        "referee publish /var/www/games",
    ),
    LazyCommand(
        "rulebooks",
        "referee.cli.rulebooks",
        "List the rules that games can be played by, and where they come from.",
        "referee rulebooks",
    ),
    *(RulebookCommands(each) for each in OPERATOR_COMMANDS),
    LazyCommand(
        "watch",
        "referee.cli.rulings",
        "Let somebody watch a game, where its players have agreed that others may (option watchers).",
        'referee watch 17 --who "Carl <carl@example.net>" --delay 2',
    ),
    LazyCommand(
        "adjudicate",
        "referee.cli.rulings",
        "End a game by an umpire's ruling.",
        'referee adjudicate 17 --winner white --reason "Yellow has not written since May."',
    ),
    LazyCommand(
        "claims",
        "referee.cli.rulings",
        "List the cases that wait for an umpire, or rule on one.",
        'referee claims --settle 17/1 --rejected --answer "The answer to L-S2 was right; see rule CF-5.6."',
    ),
    LazyCommand(
        "backup",
        "referee.cli.service",
        "Copy the database safely, while the service runs.",
        "referee backup /var/backups/referee-$(date +%F).db",
    ),
)
"""The commands, in the order of use."""


@click.group(cls=Commands, commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings file. Else REFEREE_CONFIG, else referee.toml in this folder.",
)
@click.option("-v", "--verbose", is_flag=True, help="Log more.")
@click.version_option(__version__, prog_name="referee")
@click.pass_context
def main(ctx: click.Context, config: Path | None, verbose: bool) -> None:
    """A referee that lives in a mailbox: it umpires games played by letter.

    \b
    See it:       referee demo
    Set it up:    referee init --write-config; referee init
    Run it:       referee run
    """
    ctx.obj = Call(config, verbose)
