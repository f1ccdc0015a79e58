"""The page that lists all stories, `transcripts/README.md`, and the stories that the players' page names for a word."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from referee.commands.command_table import WORDS
from referee.commands.vocabulary import vocabulary
from tests.transcripts.shown import Page, pages_for

GROUPS = {
    "A game from its beginning to its end": (
        "sample-game",
        "two-strangers",
        "checking-in",
        "draws",
        "agreed-results",
        "a-game-that-the-umpire-ends",
        "a-game-that-is-taken-back",
        "a-rematch",
    ),
    "Getting a game": (
        "declined-and-withdrawn",
        "other-terms",
        "open-and-join",
        "open-to-some",
    ),
    "Playing, and what is learned": (
        "refused-moves",
        "what-the-answers-teach",
        "sheets-as-a-list-and-as-a-picture",
        "a-game-without-sheets",
        "by-his-own-compass",
        "moves-for-a-turn-that-is-over",
    ),
    "Playing ahead": (
        "a-look-ahead",
        "a-look-ahead-without-sheets",
        "a-plan",
        "a-plan-with-brackets",
        "a-queue",
        "two-plans-meet",
        "plans-that-end-early",
        "plans-not-understood",
    ),
    "Time": (
        "a-time-for-each-move",
        "ways-to-count-time",
        "time-that-is-claimed",
        "days-off",
        "a-pause",
        "an-outage",
        "deadlines-in-a-calendar",
    ),
    "Thirteen spies, and sealed answers": (
        "two-strangers-play-spies",
        "sealed-answers",
        "standing-instructions",
        "what-is-known-of-spies",
        "briefcase-comes-home",
        "a-double-agent-comes-home",
        "a-spy-is-removed",
        "opponent-s-double-agent-is-removed",
        "token-reveal",
        "token-move",
        "token-swap",
        "a-handicap",
        "what-spies-are-played-with",
        "by-the-code-of-honour",
        "a-small-world",
        "late-contact",
        "a-set-up-by-list-and-by-drawing",
        "promotion-for-comrades",
        "double-agents-are-unmasked",
        "a-plan-and-an-instruction",
        "clock-opens-the-seal",
        "time-ends-a-sealed-game",
        "a-sealed-game-that-is-taken-back",
        "resigning-while-a-turn-is-sealed",
        "watching-spies",
        "a-whole-game-of-spies",
    ),
    "A battle of miniatures": (
        "two-strangers-fight-a-battle",
        "a-turn-with-a-slip-waits",
        "a-draft-is-looked-at-first",
        "plans-play-turns",
        "a-turn-of-two-letters",
        "a-player-who-wants-to-be-asked",
        "a-held-draft-and-the-clock",
        "what-a-battle-is-played-with",
        "a-table-of-one-s-own",
        "what-is-known-of-a-battle",
        "watching-a-battle",
        "an-umpire-takes-a-turn-back",
        "a-battle-by-the-english-rules",
        "a-battle-by-the-french-rules",
    ),
    "Several games": (
        "which-game",
        "number-behind-the-word",
        "several-games-in-one-letter",
        "five-games-in-one-letter",
    ),
    "Talking": ("press", "press-without-names-and-without-press", "muted-press", "a-diary", "a-claim"),
    "Watching": ("people-who-watch", "watching-late"),
    "Events": ("an-event", "an-overview"),
    "Umpires": (
        "an-umpire-stops-the-clocks",
        "an-umpire-sets-a-game-right",
        "another-player-takes-a-seat",
        "who-may-umpire",
        "what-an-umpire-sees",
        "an-umpire-at-the-command-line",
        "a-claim-that-is-ruled-on",
        "rulings-that-are-not-theirs",
    ),
    "Asking and choosing": (
        "asking",
        "letters-once-more",
        "all-that-can-be-set",
        "ways-of-reporting",
        "letters-without-pictures",
        "fewer-letters",
        "news-of-a-day",
        "his-own-clock",
    ),
    "Addresses, and who speaks for whom": (
        "a-changed-address",
        "a-second-address",
        "a-forged-sender",
        "unknown-senders",
        "a-player-who-leaves",
    ),
    "Letters that go astray": (
        "same-letter-twice",
        "letters-not-seen",
        "letters-that-come-back",
        "unreadable-letters",
        "machines",
    ),
}
"""The English pages by what they are about."""
OTHERS = "More"
"""Under this stands what no group names."""
FRENCH = "En français"

HEAD = """\
# What it looks like, letter by letter

Each page is a story: letters that players write, and every letter that the referee answers. Dates and draws are fixed,
so that the pages can be held against what is written today (`test_transcripts.py`); what a letter repeats of the
one before is counted, not printed again.
"""


def write_index(pages: Sequence[Page]) -> str:
    """Write the list of all pages, each with its title and the words of the desk that its letters write."""
    named = {page.name: page for page in pages if page.language == "en"}
    groups = {group: [named.pop(name) for name in names if name in named] for group, names in GROUPS.items()}
    groups[OTHERS] = list(named.values())
    groups[FRENCH] = [page for page in pages if page.language == "fr"]
    parts = [HEAD]
    for group, listed in groups.items():
        if listed:
            parts.append(f"\n## {group}\n\n{''.join(map(_line, listed))}")
    return "".join(parts)


def _line(page: Page) -> str:
    spelt = vocabulary(page.language)
    words = ", ".join(f"`{spelt.writer.write(word.name)}`" for word in WORDS if page.words[word.name])
    return f"- [{page.title}]({page.place}){': ' if words else ''}{words}\n"


def where_shown(word: str, pages: Sequence[Page], folder: Path) -> str:
    """Return links to the pages in each language that show a word best, and every form of it.

    folder: where the page lies that holds the links.
    """
    stories = Path(os.path.relpath(Path(__file__).parent, folder)).as_posix()
    found = [
        page
        for language in ("en", "fr")
        for page in pages_for(word, [each for each in pages if each.language == language])
    ]
    return ", ".join(f"[{page.title}]({stories}/{page.place})" for page in found)
