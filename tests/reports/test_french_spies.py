"""Letters about a game of spies in French: whole sentences, and orders that are read as they stand there."""

from __future__ import annotations

import re

import pytest

from referee.commands.vocabulary import vocabulary
from referee.common.faults import Fault
from referee.common.i18n import translate
from referee.reports.renderer import LONGEST_ALT, typeset
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.rulebook import OBSERVER, OrderLine, Seat
from referee.rulebooks.spies.edition import RED, SEATS, Variants
from referee.rulebooks.spies.notation import read_order
from referee.rulebooks.spies.reading import read_orders
from tests.reports.material import desk_report, reader
from tests.rulebooks.spies.letters import SET_UP, SPIES, State, game, heard, report, states
from tests.rulebooks.spies.tables import ALL_TOKENS

FRENCH = vocabulary("fr")
WITH_TOKENS = Variants(tokens=ALL_TOKENS)
SHEETS = ("grid", "list", "picture")
ENGLISH = re.compile(
    r"\b(the|your|you|and|is|was|yes|turn|spy|spies|briefcase|sealed|agent as|allow|deny|Reveal|Move|Swap"
    r"|King|Tower|White|Red|north|south|deals)\b"
)


def plain(text: str) -> str:
    """Return a text with common blanks for those that do not break."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def letter(state: str | State, seat: Seat, sheets: str = "grid") -> str:
    shown = states()[state] if isinstance(state, str) else state
    return plain(typeset(report(shown, seat, reader=reader(language="fr", sheets=sheets))).text)


def refusal(state: State, seat: Seat, line: str) -> tuple[str, str]:
    """Return why a line cannot be taken, and what was perhaps meant, as a letter in French says them."""
    view = SPIES.rules.view(heard(state.happenings, seat), seat)
    (fault,) = read_orders(view, [OrderLine(1, FRENCH.read_word(line))]).faults
    assert isinstance(fault, Fault)
    return plain(fault.reason(translate("fr"))), FRENCH.writer.write(fault.suggestion)


@pytest.mark.telling(seat=[OBSERVER, RED])
@pytest.mark.parametrize("name", states())
@pytest.mark.parametrize("seat", (*SEATS, OBSERVER))
def test_no_english_is_left_in_any_state(name: str, seat: Seat) -> None:
    for sheets in SHEETS:
        said = letter(name, seat, sheets).replace("agent demander", "")
        body = said.split("LA FEUILLE DE PARTIE")[0].split("LA PREUVE")[0].replace("Confusion: Spies", "")
        assert not ENGLISH.search(body), body


@pytest.mark.parametrize(
    "order",
    (
        *("allow", "deny", "allow without Z", "agent never", "agent always", "agent ask", "agent as 9"),
        *("reveal H", "swap A H", "eliminate H", "eliminate agent", "eliminate their H", "pass", SET_UP),
        "setup ..ACE.HKL.. / ..NOPXSTV..",
    ),
)
def test_an_order_as_a_letter_writes_it_is_read_as_the_same_order(order: str) -> None:
    written = FRENCH.writer.write(order)
    assert written != order
    assert read_order(OrderLine(1, FRENCH.read_word(written))) == read_order(OrderLine(1, order))


def test_help_writes_every_order_in_french() -> None:
    page = plain(
        typeset(
            desk_report(kind="help", pages=("spies",), rulebooks=(SPIES,), reader=reader(language="fr"))
        ).text
    )
    for said in (
        "\nautoriser, interdire : l'agent double peut faire ce qu'il essaie",
        "\nautoriser sans Z : il le peut",
        "\nagent toujours, agent jamais : ",
        "\nagent comme 9 : ",
        "\n#H, éliminer H : ",
        "\n#xH, éliminer agent : ",
        "\n?H, révéler H : par le jeton Révéler 1",
        "\nA<>H, échanger A H : par le jeton Échanger 2",
        "En liste : disposition A3-2",
    ):
        assert said in page, page


@pytest.mark.parametrize(
    ("name", "seat", "said"),
    (
        (
            "sealed",
            RED,
            "Votre ordre L-N1 est scellé ; vous apprendrez la réponse avec le prochain ordre de Blanc.",
        ),
        (
            "asked",
            WHITE,
            "X est l'agent double, la réponse vous revient donc : écrivez autoriser ou interdire",
        ),
        ("answer confided", WHITE, "X est l'agent double ; vous avez dit autoriser, et cela reste acquis."),
        ("answered by instruction", WHITE, "votre consigne agent jamais répond pour vous"),
        ("tokens", WHITE, "Par le jeton Déplacer 2, Rouge a ordonné deux essais, E-N1 et H-NE1, scellés"),
        ("comrade unmasked", RED, "s'est ainsi trahie : c'était l'agent double, et elle est hors jeu."),
        ("one arranged", WHITE, "Disposez vos espions.\n\nÀ vous de dire où commence chaque espion"),
    ),
)
def test_what_is_new_in_this_edition_is_a_french_sentence(name: str, seat: Seat, said: str) -> None:
    assert said in letter(name, seat)


def test_a_refusal_is_a_french_sentence_with_its_token() -> None:
    played = game(WITH_TOKENS, (RED, "A<>C; L-N1"), (WHITE, "L-S1"))
    assert refusal(played, RED, "échanger A E") == ("le jeton Échanger 2 de Rouge est déjà joué", "")


def test_what_was_perhaps_meant_is_written_as_it_would_be_read() -> None:
    said, meant = refusal(game(Variants(), (RED, "L-N1")), WHITE, "éliminer son C")
    assert said == "C n'est pas l'agent double de l'adversaire, c'est X"
    assert meant == "éliminer son X"


def test_all_that_is_wrong_with_a_set_up_is_one_french_sentence() -> None:
    said, _ = refusal(game(Variants(variable_setup=True)), RED, "disposition A1-1 A2-1 C1-3")
    assert said.startswith("cette disposition n'est pas possible : il manque E, H, K, ")
    assert " ; A est placé deux fois ; on ne dispose que des rangées 1 et 2, non de celles de C1-3" in said


@pytest.mark.parametrize("name", states())
def test_the_words_for_pictures_fit(name: str) -> None:
    for seat in (*SEATS, OBSERVER):
        for picture in typeset(
            report(states()[name], seat, reader=reader(language="fr", sheets="picture"))
        ).pictures:
            assert len(picture.alt) <= LONGEST_ALT - len("xTxZ+") and picture.alt.endswith("."), picture.alt
