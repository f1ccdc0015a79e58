"""Operator commands that rule: freeze a game, let somebody watch it, end it, decide a case."""

from __future__ import annotations

import re

import click

from referee.cli.arguments import one_sentence, read_person, the_game
from referee.cli.context import Call, as_json, pass_call, say_json, say_plainly
from referee.cli.umpire import find_officer, the_officer
from referee.common.errors import UsageError
from referee.games.events import Verdict
from referee.service.queries import foresee_ruling, list_claims, write_claim


@click.command()
@the_game
@click.option("--reason", required=True, callback=one_sentence, help="Why; both players read it.")
@pass_call
def freeze(call: Call, game: int, reason: str) -> None:
    """Stop a game for the time being: its players' moves are refused, with the reason.

    Both players are told by letter. Nothing is lost: the game stays as it stands until `referee thaw`.

    Example: referee freeze 17 --reason "A ruling is being checked."
    """
    with call.application() as application:
        application.referee.umpire.freeze(game, reason)
    click.echo(f"Game {game} is frozen; its players are told.", err=True)


@click.command()
@the_game
@pass_call
def thaw(call: Call, game: int) -> None:
    """Let a frozen game go on.

    Example: referee thaw 17
    """
    with call.application() as application:
        application.referee.umpire.thaw(game)
    click.echo(f"Game {game} goes on; its players are told.", err=True)


@click.command()
@the_game
@click.option(
    "--who", required=True, metavar="WHO", help='Who watches: "Carl <carl@example.net>", or an address.'
)
@click.option(
    "--delay", type=click.IntRange(0, 99), metavar="TURNS", help="So many turns late; as agreed if left out."
)
@click.option("--off", is_flag=True, help="Let them watch it no more.")
@pass_call
def watch(call: Call, game: int, who: str, delay: int | None, off: bool) -> None:
    """Let somebody watch a game, where its players have agreed that others may (option watchers).

    They get what both players hear, by letter, and never a type before the end; the players are told their name.

    Example: referee watch 17 --who "Carl <carl@example.net>" --delay 2
    """
    name, address = read_person(who)
    with call.application() as application:
        if off:
            application.referee.umpire.watch_no_more(game, address)
        else:
            application.referee.umpire.watch(game, name, address, delay)
    click.echo(f"{address} {'does not watch' if off else 'watches'} game {game}; a letter says so.", err=True)


@click.command()
@the_game
@click.option(
    "--winner",
    "end",
    required=True,
    metavar="COLOUR|draw|none",
    help="Whose side has won; none closes the game without a result.",
)
@click.option("--reason", required=True, callback=one_sentence, help="Why; both players read it.")
@click.option(
    "--settles", metavar="GAME/CASE", help="Rule on this case of it, too: its player reads the reason."
)
@click.option("--dry-run", is_flag=True, help="Say what would follow, and do nothing.")
@as_json
@pass_call
def adjudicate(
    call: Call, game: int, end: str, reason: str, settles: str | None, dry_run: bool, as_json: bool
) -> None:
    """End a game by an umpire's ruling.

    Both players are told, with the reason, and the types are shown to both, as at any end. The record says
    "adjudicated" and the reason. What was ruled so is not taken back: try it with --dry-run first. Cases that players
    have brought wait on until somebody rules on them.

    Example: referee adjudicate 17 --winner white --reason "Yellow has not written since May."
    """
    with call.application() as application:
        case = _case_of(game, settles) if settles is not None else None
        foreseen = foresee_ruling(application, game, end.lower(), reason, case)
        if not dry_run:
            application.referee.umpire.adjudicate(game, end.lower(), reason, case)
    if as_json:
        say_json({**foreseen, "done": not dry_run})
        return
    told = " and ".join(foreseen["told"])
    if dry_run:
        say_plainly(f"Game {game} would end. {foreseen['said']}. {told} would be told. Nothing was done.")
    else:
        say_plainly(f"Game {game} has ended. {foreseen['said']}. {told} are told.")
    if foreseen["cases"]:
        say_plainly(f"Still waiting for a ruling: case {', '.join(foreseen['cases'])}; see `referee claims`.")


def _case_of(game: int, said: str) -> int:
    number, case = _which_case(said)
    if number != game:
        raise UsageError(f"--settles {said}: that is no case of game {game}.")
    return case


def _which_case(said: str) -> tuple[int, int]:
    """Read "17/1": a game and one of its cases."""
    found = re.fullmatch(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*", said)
    if found is None:
        raise UsageError(
            f"{said}: expected a game and a case of it, as in 17/1; `referee claims` lists them."
        )
    return int(found[1]), int(found[2])


@click.command()
@click.option("--all", "all_of_them", is_flag=True, help="Those too that were ruled on.")
@click.option("--settle", metavar="GAME/CASE", help="Rule on this one.")
@click.option("--answer", metavar="TEXT", help="What the player reads who has brought it, and nobody else.")
@click.option("--upheld", is_flag=True, help="With --settle: the player is right.")
@click.option("--rejected", is_flag=True, help="With --settle: the player is wrong.")
@click.option(
    "--unchanged", is_flag=True, help="With --upheld: and nothing is to be changed in the game for it."
)
@the_officer
@as_json
@pass_call
def claims(
    call: Call,
    all_of_them: bool,
    settle: str | None,
    answer: str | None,
    upheld: bool,
    rejected: bool,
    unchanged: bool,
    officer: str | None,
    as_json: bool,
) -> None:
    """List the cases that wait for an umpire, or rule on one.

    A claim opens a case, an appeal opens it once more; it waits until somebody rules, also when its game is over. An
    officer with whom the case is, and in whose name you do not rule by --as, is told of your ruling.

    Example: referee claims --settle 17/1 --rejected --answer "The answer to L-S2 was right; see rule CF-5.6."
    """
    if upheld and rejected:
        raise UsageError("--upheld and --rejected exclude each other: the player is right or wrong.")
    verdict: Verdict = "upheld" if upheld else "rejected" if rejected else ""
    if (settle is None) != (answer is None) or (verdict and settle is None):
        raise UsageError("--settle and --answer belong together: which case, and what its player reads.")
    if unchanged and not upheld:
        raise UsageError("--unchanged belongs to --upheld: the player is right, and the game stays as it is.")
    if officer is not None and settle is None:
        raise UsageError("--as belongs to --settle: in whose name the case is ruled on.")
    with call.application() as application:
        if settle is not None and answer is not None:
            game, case = _which_case(settle)
            by = find_officer(application, officer)
            application.referee.umpire.rule_on_case(game, case, answer, verdict, by=by, unchanged=unchanged)
            click.echo(f"Case {game}/{case} is ruled on; a letter says so.", err=True)
        listed = list_claims(application, all_of_them=all_of_them)
    if settle is not None and not as_json:
        return
    if as_json:
        say_json(listed)
        return
    if not listed:
        click.echo("No claims wait.")
    for each in listed:
        for line in write_claim(each):
            say_plainly(line)
