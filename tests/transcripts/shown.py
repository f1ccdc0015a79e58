"""Which words of the desk a story's letters write, in which language: read off its page by the desk's own grammar.

The README and the index of the pages point to stories by this, so that a word never points to a story without it.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.commands.command import Command
from referee.commands.command_table import TOPICS, WORDS, Word
from referee.commands.grammar import Grammar
from referee.commands.vocabulary import vocabulary
from referee.mail.message.message import OwnLine
from referee.mail.message.normalisation import normalise
from referee.rulebooks.catalogue import RULEBOOKS, find_rulebook
from tests.transcripts.cards_in_french import CARDS_IN_FRENCH
from tests.transcripts.confusion_in_french import CONFUSION_IN_FRENCH
from tests.transcripts.spies_in_french import SPIES_IN_FRENCH
from tests.transcripts.stories import STORIES, Story
from tests.transcripts.stories_in_french import FRENCH_STORIES
from tests.transcripts.stories_of_battles import STORIES_OF_BATTLES
from tests.transcripts.stories_of_cards import STORIES_OF_CARDS
from tests.transcripts.stories_of_cases import CASES_IN_FRENCH
from tests.transcripts.stories_of_spies import STORIES_OF_SPIES
from tests.transcripts.stories_of_umpires import UMPIRES_IN_FRENCH
from tests.transcripts.time_in_french import TIME_IN_FRENCH

PAGES = Path(__file__).parent
FOLDERS = ("confusion", "spies", "cards")
"""Where the pages stand: one folder for each rulebook that their games are played by, of its name."""


def _desks(rules: str) -> dict[str, Grammar]:
    names = tuple(rulebook.name for rulebook in RULEBOOKS)
    desk = Grammar(find_rulebook(rules).notation.looks_like_order, names, TOPICS)
    return {"en": desk, "fr": desk.in_language("fr")}


DESKS = {folder: _desks(folder) for folder in FOLDERS}
LANGUAGES = ("en", "fr")
_PLACES = {
    "NAME": r".+?(?<! en)(?<! fr)",
    "LANGUAGE": r"(?:en|fr)",
    "TOPIC": r".+",
    "WHOM": r".+",
    "RULES": r"[a-z]+(?: option \S+)*",
    "KEY": r"\S+?",
    "VALUE": r"\S+(?: option \S+)*",
    "GAME": r"\d+",
    "CASE": r"\d+",
    "NUMBER": r"\d+",
    "RESULT": r"[a-z]+",
    "COLOUR": r"[a-z]{2,}",
    "LETTER": r"(?:[A-Z]|[RB][ICA]\d+)",
    "ADDRESS": r"\S+@\S+",
    "CITY": r".+",
    "EVENT": r"(?!late$).+",
    "TEXT": r"(?!all\b|time$).+",
    "REASON": r".+",
    "ACTION": r".+",
    "MOVE": r"[^;]+(?:;.*)?",
}
"""What may stand for each thing that a form leaves to the writer."""


@dataclass(frozen=True)
class Page:
    """A story's page. folder: where it stands. language: of the story as a whole. forms: how often each way to write a
    word stands in its letters, by the language that it was written in."""

    name: str
    title: str
    shows: str
    language: str
    folder: str
    forms: dict[str, Counter[str]]

    @property
    def words(self) -> Counter[str]:
        """How often each word is written in the story's own language."""
        found = Counter[str]()
        for form, count in self.forms[self.language].items():
            found[WORD_OF[form]] += count
        return found

    @property
    def named(self) -> set[str]:
        """The words that the heading names, as a player writes them: in backquotes."""
        said = re.findall(r"`([^`]+)`", self.shows)
        meant = {f"{vocabulary(self.language).read_word(each)} " for each in said}
        return {word.name for word in WORDS if any(each.startswith(f"{word.name} ") for each in meant)}

    @property
    def place(self) -> str:
        """Where the page stands, seen from the list of all pages."""
        return f"{self.folder}/{self.name}.txt"


def name_of(story: Story) -> str:
    """Return the name of a story's page."""
    return story.__name__.removeprefix("the_").replace("_", "-")


def folder_of(story: Story) -> str:
    """Return the folder in which a story's page stands: the rulebook's by which its games are played."""
    if story in (*STORIES_OF_CARDS, *STORIES_OF_BATTLES, *CARDS_IN_FRENCH):
        return "cards"
    return "spies" if story in (*STORIES_OF_SPIES, *SPIES_IN_FRENCH) else "confusion"


def place_of(story: Story) -> str:
    """Return where a story's page stands among all pages, without the end of its name."""
    return f"{folder_of(story)}/{name_of(story)}"


def language_of(story: Story) -> str:
    """Return the language of a story as a whole."""
    return (
        "fr"
        if story
        in (
            *FRENCH_STORIES,
            *CONFUSION_IN_FRENCH,
            *SPIES_IN_FRENCH,
            *CARDS_IN_FRENCH,
            *TIME_IN_FRENCH,
            *UMPIRES_IN_FRENCH,
            *CASES_IN_FRENCH,
        )
        else "en"
    )


def ways(word: Word) -> tuple[str, ...]:
    """Return every way to write a word: with what may be left out and without it, each value of a setting by itself."""
    written = (each for form in word.forms for way in _with_options(form) for each in _values(way))
    return tuple(dict.fromkeys(written))


def _with_options(form: str) -> Iterator[str]:
    """Yield a form with and without each thing that may be left out."""
    parts = re.split(r" ?(\[[^]]+\])", form)
    choices = [("", f" {part[1:-1]}") if part.startswith("[") else (part,) for part in parts]
    yield from map("".join, itertools.product(*choices))


def _values(form: str) -> Iterator[str]:
    """Yield a form with each of the values that it names."""
    yield from map(" ".join, itertools.product(*(part.split("|") for part in form.split())))


WORD_OF = {way: word.name for word in WORDS for way in ways(word)}
"""Each way to write a word, and the word."""


def _pattern(way: str) -> re.Pattern[str]:
    escaped = re.escape(way).replace(r"\ ", " ").replace("if no MOVE", r"if [a-z]+ \(?MOVE")
    return re.compile(
        re.sub(r"[A-Z]{4,}|KEY", lambda place: _PLACES.get(place[0], r"\S+"), escaped), re.DOTALL
    )


_PATTERNS = {way: _pattern(way) for way in WORD_OF}


def ways_written(command: Command) -> list[str]:
    """Return the ways to write a word that a command is written by; none for a move."""
    said = re.sub(r"^\d+: ", "", command.write())
    return [way for way, pattern in _PATTERNS.items() if pattern.fullmatch(said)]


def read_page(path: Path, language: str) -> Page:
    """Read what a page's letters in say."""
    text = path.read_text("utf-8")
    head = text.partition("\n########")[0].split("\n\n", 1)
    folder = path.parent.name
    forms = {each: Counter[str]() for each in LANGUAGES}
    for lines in _letters_in(text):
        for each, found in written_in(lines, language, folder).items():
            forms[each] += found
    return Page(path.stem, head[0].strip(), " ".join(head[1].split()), language, folder, forms)


def written_in(letter: Sequence[str], language: str, rules: str = "confusion") -> dict[str, Counter[str]]:
    """Return how often a letter's lines write a word in each way, by the language in which they do so. rules: by which
    its orders are known."""
    desks = DESKS[rules]
    lines = [
        OwnLine(number, normalise(line).strip(), line)
        for number, line in enumerate(letter, 1)
        if line.strip() and not line.startswith(">")
    ]
    found = {each: Counter[str]() for each in LANGUAGES}
    for command in desks[language].read(lines).commands:
        english = desks["en"].read_line(command.line)
        alike = vocabulary(language).writer.write(command.word) == command.word
        found["en" if type(english) is type(command) and not alike else language].update(
            ways_written(command)
        )
    return found


def _letters_in(page: str) -> Iterator[list[str]]:
    """Yield what each letter says: no headers, and nothing below its quotation."""
    for found in re.finditer(
        r"^#{8} (?:Letter \d+ comes in|La lettre \d+ arrive)\n(.*?)^(?:-{8}|#{8}|<{8}) ", page, re.M | re.S
    ):
        body = found[1].partition("\n\n")[2].splitlines()
        yield list(itertools.takewhile(lambda line: not re.match(r"On .* wrote:$", line), body))


def pages() -> tuple[Page, ...]:
    """Return every story's page, in the order of the stories."""
    return tuple(read_page(PAGES / f"{place_of(story)}.txt", language_of(story)) for story in STORIES)


def best_pages(word: str, among: Sequence[Page]) -> list[Page]:
    """Return the pages that show a word: those first that are not about what is particular to a game, those before
    others that say the word in their heading, and then those that show it most."""
    showing = [page for page in among if page.words[word]]
    return sorted(
        showing, key=lambda page: (page.folder != FOLDERS[0], word not in page.named, -_weight(page, word))
    )


def pages_for(word: str, among: Sequence[Page]) -> list[Page]:
    """Return the best page for a word, and as few further ones as show the forms of it that this one does not: each
    with all that is optional in it save numbers of games and letters, and topics; of values, any will do."""
    (meant,) = (each for each in WORDS if each.name == word)
    wanted = [
        set(_values(way)) for form in meant.forms for way in _with_options(form) if not _NUMBERED.search(way)
    ]
    chosen: list[Page] = []
    for page in best_pages(word, among):
        before, here = _shown_in(chosen), _shown_in([page])
        if not chosen or any(here & ways and not before & ways for ways in wanted):
            chosen.append(page)
    return chosen


_NUMBERED = re.compile(r" (?:GAME|NUMBER|TOPIC)\b")


def _shown_in(pages: Sequence[Page]) -> set[str]:
    """Return the ways in which pages write words, in their own language."""
    return {way for page in pages for way in page.forms[page.language]}


def _weight(page: Page, word: str) -> float:
    """Return how much of a page is about a word: how often it stands there, and how little else does."""
    return page.words[word] ** 2 / page.words.total()
