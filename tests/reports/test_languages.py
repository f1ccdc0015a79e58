"""Letters in another language: no sentence is forgotten, and what stands between the sentences is in that language.

The catalogue of these tests puts every sentence between brackets, and leaves what is filled into it outside. So a
letter shows outside of brackets what was not looked up: names, moves, numbers, dates and the desk's own words may
stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from gettext import NullTranslations

import pytest

from referee.commands.command_table import WORDS
from referee.commands.vocabulary import vocabulary
from referee.common import i18n
from referee.reports import renderer
from referee.reports.renderer import Templates, typeset
from referee.reports.report import Report, Typeset
from referee.rulebooks.cards.grammar import FORMS
from referee.rulebooks.confusion.table import default_table
from tests.reports.test_renderer import REPORTS

SOMEBODYS = {
    "Spring League", "Club Cup", "Christmas", "New", "Year",
    "Anna", "Bert", "Confusion", "confusion", "Spies", "Referee", "newcomer", "carl", "Charles", "example", "org",
    "net", "com", "Paris", "UTC", "Sunday", "see", "you", "too", "many", "parts", "hours", "ruling", "checked",
    "doctor", "referee", "letters", "show", "retry", "drop", "timedatectl", "option", "sheets", "off", "html", "json",
    "README", "classic", "Europe", "Dora", "Good", "luck", "cards",
}  # fmt: skip
"""Names, what people wrote, what an operator types, and keys that are the same in every language."""
DATES = {"ven", "nov", "sam", "lun", "mer", "jeu", "juil", "déc", "janv"}


class Brackets(NullTranslations):
    """A catalogue that puts every sentence between brackets, save what is filled in and a full stop at the end: a
    letter may take that off, and go on."""

    def gettext(self, message: str) -> str:
        parts = re.split(r"(%\(\w+\)s|\{\w+\}|\.$)", message)
        return "".join(part if i % 2 or not part.strip() else f"⟦{part}⟧" for i, part in enumerate(parts))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@contextmanager
def in_brackets() -> Iterator[None]:
    """Let French be the language of brackets, and leave nothing of it to other tests, whatever happens meanwhile."""
    catalogue = Brackets()
    with pytest.MonkeyPatch.context() as patch:
        for room in (i18n, renderer):
            patch.setattr(room, "translations", lambda language: catalogue)
        patch.setattr(renderer, "templates", Templates(lambda medium, language: None))
        yield


@pytest.fixture(scope="module")
def bracketed() -> Mapping[str, Typeset]:
    """Every sort of letter, set while French is the language of brackets."""
    with in_brackets():
        return {name: typeset(in_french(report)) for name, report in REPORTS.items()}


@cache
def allowed() -> frozenset[str]:
    """Return the words that belong to nobody's sentence: the desk's, the types' names, and what `SOMEBODYS` has."""
    spelt = vocabulary("fr")
    table = default_table()
    known = {row.name("fr") for row in (*table.rows, table.double_agent) if row} | SOMEBODYS | DATES
    known |= {spelt.writer.write_form(form) for word in WORDS for form in (word.name, *word.forms)}
    known |= {spelt.writer.write_sample(example) for word in WORDS for example in word.examples}
    for spellings in (
        spelt.tables.words,
        spelt.tables.keys,
        spelt.tables.values,
        spelt.tables.sides,
        spelt.tables.ends,
        spelt.tables.steps,
        spelt.tables.places,
        spelt.tables.topics,
        spelt.tables.actions,
    ):
        known |= {said for said, *_ in spellings.values()}
    known |= set(spelt.tables.orders.values())
    return frozenset(word.casefold() for each in known for word in re.findall(r"[^\W\d_]+", each))


def in_french(report: Report) -> Report:
    return replace(report, reader=replace(report.reader, language="fr"))


def outside(text: str) -> list[str]:
    """Return the words of three letters and more that stand outside of brackets and belong to nobody."""
    bare = re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
    on_the_command_line = r"\breferee \w+( \d+)?( --\S+( [\d/]+| [A-Z|]+(draw\|none)?)?)*"
    bare = re.sub(on_the_command_line, " ", bare)
    bare = bare.replace("In English: write register Anna en.", " ")  # to whoever reads no French
    bare = re.sub(r"\bverify_\w+\.py\b", " ", bare)  # the program that checks a game
    bare = re.sub(r'^\{".*\}$', " ", bare, flags=re.MULTILINE)  # what a commitment binds
    bare = re.sub(r"\boption [\w.-]+=[\w/+,-]+", " ", bare)  # as they are bound, the same in every language
    bare = re.sub(r"\b[0-9a-f]{64}\b|\S+@\S+|@letter|\b[A-Z]Z?-[A-Z]{1,2}\d\S*", " ", bare)
    bare = re.sub(r"(?<!\w)[A-Z]?(?:[A-Z]*\.+[A-Z]*)+(?!\w)", " ", bare)  # a rank that is drawn
    orders = "|".join(FORMS)  # the order lines of a battle, in capitals up to the end of the line or a colon
    bare = re.sub(rf"(?:^|(?<=, ))(?:{orders})\b[A-Z0-9 .,>|&]*", " ", bare, flags=re.MULTILINE)
    return [word for word in re.findall(r"[^\W\d_]{3,}", bare) if word.casefold() not in allowed()]


@pytest.mark.slow
@pytest.mark.parametrize("name", REPORTS)
def test_no_sentence_of_a_letter_is_forgotten(name: str, bracketed: Mapping[str, Typeset]) -> None:
    letter = bracketed[name]
    text = letter.text.replace(letter.record or "\0", "")
    found = outside(text) + outside(letter.subject.replace("[game ", "["))
    for picture in letter.pictures:
        found += outside(picture.alt)
    found = [word for word in found if word not in name.removeprefix("help on ").split()]
    assert not found, f"not looked up in {name}: {found}"


@pytest.mark.slow
def test_the_language_of_brackets_is_left_behind_by_nothing_that_fails() -> None:
    with pytest.raises(KeyError), in_brackets():
        assert "⟦" in typeset(in_french(REPORTS["help"])).text
        raise KeyError("a letter that cannot be set")
    assert "⟦" not in typeset(in_french(REPORTS["help"])).text


def test_what_is_not_looked_up_is_found() -> None:
    assert outside("⟦You have ⟧3⟦ games⟧, Anna moves V-NW2") == ["moves"]


@pytest.mark.parametrize("name", ["first, to move", "to move", "refusal", "won", "help", "list"])
def test_a_letter_in_french_says_so_to_mail_programs_and_is_as_long_as_it_looks(name: str) -> None:
    letter = typeset(in_french(REPORTS[name]))
    assert letter.html is not None
    assert '<html lang="fr"' in letter.html and 'lang="en"' not in letter.html
    assert not re.search(r"\w [:;!?»]", letter.text.replace(letter.record or "\0", "").replace(" : \n", ""))


def test_what_is_to_be_written_stands_in_french_in_a_french_letter() -> None:
    assert "\naccepter\n" in typeset(in_french(REPORTS["invitation"])).text
    assert "\naccept\n" in typeset(REPORTS["invitation"]).text


def test_a_player_without_a_name_is_called_by_his_colour_in_the_reader_s_language() -> None:
    report = REPORTS["first, to wait"]
    assert report.game is not None
    nameless = replace(report.game, names={seat: seat.capitalize() for seat in report.game.names})
    said = typeset(in_french(replace(report, game=nameless))).text
    assert "Blanc" in said
    assert "White" not in said
