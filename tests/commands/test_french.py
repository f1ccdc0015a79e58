"""A letter in the player's language is read like one in English; French prose is passed over."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.commands.command import Command, Help, Try
from referee.commands.command_table import OPTIONS, SIDES, THE_GAME, THE_SHEETS, TOPICS, WORDS
from referee.commands.grammar import Grammar, Understanding
from referee.commands.language_words import without_accents
from referee.commands.preferences import PREFERENCES
from referee.commands.vocabulary import VOCABULARIES, vocabulary
from referee.common.faults import Fault, Place
from referee.mail.message.message import OwnLine

FRENCH = vocabulary("fr")


def looks_like_order(text: str) -> bool:
    return re.fullmatch(r"[A-Z]{1,2} ?- ?\S+", text, re.IGNORECASE) is not None


ENGLISH_DESK = Grammar(looks_like_order, ("confusion",), TOPICS)
DESK = ENGLISH_DESK.in_language("fr")


def read_all(*texts: str, desk: Grammar = DESK) -> Understanding:
    return desk.read([OwnLine(number, text) for number, text in enumerate(texts, 1)])


def read(text: str, desk: Grammar = DESK) -> Command | Fault | None:
    return desk.read_line(OwnLine(3, text))


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("inscrire Anne", "register Anne"),
        ("Inscrire Anne de Bretagne fr", "register Anne de Bretagne fr"),
        ("AIDE", "help"),
        ("aide pourquoi", "help why"),
        ("aide nouvelle étiquette", "help new tag"),
        ("aide confusion", "help confusion"),
        ("parties", "games"),
        ("Mes parties.", "games"),
        ("état", "status"),
        ("Etat 17", "status 17"),
        ("ÉTAT partie 17", "status 17"),
        ("défier Bert confusion", "challenge Bert confusion"),
        (
            "Defier bert@example.com Confusion option sheets=off",
            "challenge bert@example.com confusion option sheets=off",
        ),
        ("ouvrir confusion", "open confusion"),
        ("ouvrir confusion option couleur=Blanc", "open confusion option colour=white"),
        (
            "ouvrir confusion option premier=jaune fiches=non",
            "open confusion option first=yellow option sheets=off",
        ),
        ("ouvrir confusion option presse=anonyme", "open confusion option press=anonymous"),
        ("ouvrir confusion option spectateurs=2", "open confusion option watchers=2"),
        ("ouvrir confusion option spectateurs=oui", "open confusion option watchers=on"),
        ("ouvrir confusion option couleur=sort", "open confusion option colour=lot"),
        (
            "ouvrir confusion option terminées=3 encours=2",
            "open confusion option finished=3 option playing=2",
        ),
        ("ouvrir confusion option sauf=blanc", "open confusion option not=blanc"),
        ("accepter 17 option première=blanc", "accept 17 option first=white"),
        ("rejoindre 4", "join 4"),
        ("accepter", "accept"),
        ("Accepte !", "accept"),
        ("J'accepte.", "accept"),
        ("J’accepte la partie 17", ""),
        ("accepter partie 17", "accept 17"),
        ("accepter [partie 17]", "accept 17"),
        ("refuser 17", "decline 17"),
        ("abandonner", "resign"),
        ("J'abandonne", "resign"),
        ("partie 17 : abandonner", "resign 17"),
        ("17\u00a0: nulle", "draw 17"),
        ("Partie nulle", "draw"),
        ("confirmer 4", "confirm 4"),
        ("annuler", "cancel"),
        ("feuille 17", "record 17"),
        ("Feuille de partie", "record"),
        ("renvoyer 14", "resend 14"),
        ("nouvelle étiquette 17", "new tag 17"),
        ("Nouvelle etiquette", "new tag"),
        ("pourquoi H", "why H"),
        ("Pourquoi H ?", "why H"),
        ("pourquoi Jaune h", "why yellow H"),
        ("pourquoi ri1", "why RI1"),
        ("pourquoi blanc H 17", "why white H 17"),
        ("régler rapports texte", "set reports text"),
        ("regler fiches grille", "set sheets grid"),
        ("régler fiches image", "set sheets picture"),
        ("Régler langue anglais", "set language en"),
        ("régler langue Francais", "set language fr"),
        ("régler adresse a@example.com", "set address a@example.com"),
        ("régler seconde aucune", "set second none"),
        ("set sheets liste", "set sheets list"),
        (
            "essayer V-NW2; si non V-N1; si oui (V-N1 ; si pris V-N2)",
            "try V-NW2; if no V-N1; if yes (V-N1 ; if captured V-N2)",
        ),
        ("Essaie V-NW2 ; puis V-N1", "try V-NW2 ; then V-N1"),
        ("essayer V-NW2; sinon V-N1; ensuite C-S1", "try V-NW2; else V-N1; then C-S1"),
        (
            "essayer V-NW2; si capturé V-N1; si promotion C-S1",
            "try V-NW2; if captured V-N1; if promoted C-S1",
        ),
        ("V-NW2 @tour 14", "V-NW2 @14"),
        ("V-NW2 @coup 14", "V-NW2 @14"),
        ("V-NW2 @ lettre 14", "V-NW2 @letter 14"),
        ("aperçu V-NW2", "preview V-NW2"),
        ("presse tous Bonjour à tous", "press all Bonjour à tous"),
        ("sourdine non", "mute off"),
        ("suivre 17", "watch 17"),
        ("Regarder partie 17", "watch 17"),
        ("suivre non", "watch off"),
        ("partie 17 : suivre sans", "watch off 17"),
        ("revanche", "rematch"),
        ("adieu", "bye"),
        ("Au revoir", "bye"),
        ("resign", "resign"),
        ("why white H", "why white H"),
        ("game 17: draw", "draw 17"),
        ("partie 17 : V-NW2", "17: V-NW2"),
    ],
)
def test_a_word_in_french_is_read(text: str, understood: str) -> None:
    found = read(text)
    assert (found.write() if isinstance(found, Command) else "") == understood


@pytest.mark.parametrize("text", ["accepter", "état", "partie 17: abandonner", "pourquoi jaune H", "adieu"])
def test_french_words_are_prose_to_who_reads_letters_in_english(text: str) -> None:
    assert not isinstance(read(text, ENGLISH_DESK), Command)


@pytest.mark.parametrize(
    "text",
    [
        "Accepter ce coup serait une faute.",
        "Accepte mes excuses pour ce retard",
        "Ouvrir ainsi est risqué, non ?",
        "Refuser serait plus prudent",
        "Abandonner à ce point ? Jamais.",
        "Je n'abandonne pas",
        "Nulle part ailleurs on ne joue ainsi",
        "Pourquoi pas ?",
        "Pourquoi y aller maintenant",
        "Pourquoi es-tu si pressé ?",
        "Aide-toi, le ciel t'aidera",
        "Partie magnifique, merci",
        "Parties comme celle-ci, on en redemande",
        "État d'esprit : excellent",
        "Confirmer ma venue dimanche me serait difficile",
        "Annuler le dîner, quelle tristesse",
        "Feuille morte au vent d'automne",
        "Renvoyer l'ascenseur, voilà tout",
        "Nouvelle adresse : 3, rue des Lilas",
        "Adieu veau, vache, cochon",
        "Inscrit au tournoi de Lyon",
        "Défi relevé par toute la famille",
        "Rejoins-nous samedi",
        "Merci", "Bonjour", "Bonsoir Anne,", "Salut", "Cordialement", "Amicalement", "Bien à vous", "À bientôt",
        "Bravo !", "Dommage.", "Enfin", "Voilà", "Bises", "Réglé",
    ],
)  # fmt: skip
def test_french_prose_that_begins_with_a_word_of_the_desk_is_passed_over(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "code", "suggestion"),
    [
        ("acepter", "no-word", "accept"),
        ("abandoner", "no-word", "resign"),
        ("Abandonné", "no-word", "resign"),
        ("rejoidre 4", "no-word", "join 4"),
        ("défier Bert", "no-rules", "challenge Bert confusion"),
        ("ouvrir confussion", "no-rules", "open confusion"),
        ("aide fuille", "no-topic", "help record"),
        ("régler rapport jsn", "no-preference-value", "set reports json"),
        ("régler langue de", "no-language", "set language en"),
        ("inscrire", "name-missing", ""),
        ("inscrire Arbitre", "name-reserved", ""),
        ("inscrire le Blanc", "name-reserved", ""),
        ("nulle V-NW2", "two-in-one", ""),
        ("pourquoi H et K ?", "one-piece", "why H"),
        ("17: accepter 18", "two-games", ""),
    ],
)
def test_a_line_that_is_nearly_a_french_word_is_a_fault(text: str, code: str, suggestion: str) -> None:
    found = read(text)
    assert isinstance(found, Fault)
    assert (found.code, found.suggestion) == (code, suggestion)


def test_what_a_french_fault_names_stands_as_one_writes_it_in_french() -> None:
    known = read("régler couleurs rouge")
    assert isinstance(known, Fault)
    assert known.facts["known"].startswith("rapports, fiches, langue")
    topics = read("aide couleurs")
    assert isinstance(topics, Fault)
    assert (topics.facts["help"], topics.facts["rules"]) == ("aide", "aide règles")


@pytest.mark.parametrize("topic", ["règles", "regles", "Coup", "pièces", "tablier", "CF-4.2"])
def test_what_is_told_on_the_page_of_the_game_is_found_there_in_french(topic: str) -> None:
    asked = read(f"aide {topic}")
    assert isinstance(asked, Help) and asked.topic == THE_GAME


@pytest.mark.parametrize(
    ("said", "topic"), [("fiches", THE_SHEETS), ("option", OPTIONS), ("options", OPTIONS)]
)
def test_sheets_and_options_have_a_page_in_french(said: str, topic: str) -> None:
    asked = read(f"aide {said}")
    assert isinstance(asked, Help) and asked.topic == topic
    assert vocabulary("fr").writer.write(asked.write()).startswith("aide ")


def test_the_place_of_a_fault_is_counted_in_the_line_as_it_was_written() -> None:
    found = read("régler fiches rouges")
    assert isinstance(found, Fault)
    assert found.place == Place(3, len("régler fiches ") + 1)


def test_a_word_that_nobody_wants_overlooked_is_named_beside_other_commands() -> None:
    for text in ("Je propose la nulle", "Finalement j'abandonne la partie", "Faut-il abandonner ici ?"):
        read_letter = read_all("état", text)
        assert [fault.excerpt for fault in read_letter.faults] == [text]
    assert not read_all("état", "Je ne vais nulle part").faults
    assert not read_all("état", "Au revoir", "Adieu").faults


def test_a_letter_of_half_a_french_command_is_answered_by_the_page_about_its_word() -> None:
    (found,) = read_all("pourquoi").commands
    assert found.write() == "help why"
    (found,) = read_all("Défier").commands
    assert found.write() == "help challenge"


def test_a_farewell_counts_only_as_a_whole_letter() -> None:
    assert not [each for each in read_all("V-NW2", "Au revoir", "Anne").commands if each.word == "bye"]


@pytest.mark.parametrize("language", [code for code in VOCABULARIES if code != "en"])
def test_every_word_of_the_desk_has_a_spelling_in_every_language(language: str) -> None:
    spelt = vocabulary(language)
    assert {word.name for word in WORDS} <= set(spelt.tables.words)
    assert set(spelt.tables.sides) >= SIDES
    assert {*PREFERENCES} <= set(spelt.tables.keys)
    places = {place for word in WORDS for form in word.forms for place in re.findall(r"[A-Z]{3,}", form)}
    assert places <= set(spelt.tables.places)


@pytest.mark.parametrize("part", ["words", "keys", "values", "sides"])
def test_no_spelling_means_two_things(part: str) -> None:
    spellings = getattr(FRENCH.tables, part)
    ways = [way for said in spellings.values() for way in {*said, *map(without_accents, said)}]
    assert len(ways) == len(set(ways))


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)
def test_the_french_form_of_an_example_is_read_as_the_english_one(word) -> None:  # type: ignore[no-untyped-def]
    english, french = read(word.example, ENGLISH_DESK), read(FRENCH.writer.write(word.example))
    assert isinstance(english, Command) and isinstance(french, Command)
    assert french.write() == english.write()


@given(
    st.sampled_from([way for said in FRENCH.tables.words.values() for way in said]),
    st.booleans(),
    st.booleans(),
)
def test_a_spelling_is_read_in_any_case_with_accents_or_without(way: str, bare: bool, loud: bool) -> None:
    written = without_accents(way) if bare else way
    written = written.upper() if loud else written.capitalize()
    english = next(word for word, said in FRENCH.tables.words.items() if way in said)
    assert FRENCH.read_word(f"{written} 17") == f"{english} 17"
    assert FRENCH.read_word(written) == english


@given(st.text(max_size=60))
def test_any_line_is_read_in_french_without_harm(text: str) -> None:
    assert read(text) is None or isinstance(read(text), Command | Fault)


def test_a_plan_in_french_may_be_broken_into_lines_and_its_places_are_those_of_the_letter() -> None:
    (plan,) = read_all("essayer V-NW2; si non V-N1; si", "perdu V-N2; puis V-N3").commands
    assert isinstance(plan, Try)
    assert plan.text == "V-NW2; if no V-N1; if lost V-N2; then V-N3"
    for move, place in (("V-NW2", (1, 9)), ("V-N1", (1, 23)), ("V-N2", (2, 7)), ("V-N3", (2, 18))):
        at, line, first = max(start for start in plan.starts if start[0] < plan.text.index(move) + 1)
        assert (line, first + plan.text.index(move) - at) == place


@given(st.text("ifthenoyscaplrmdzuavSVNW123-;() ", max_size=60))
def test_what_stands_in_a_plan_is_written_as_it_is_read(plan: str) -> None:
    english, moved = FRENCH.read_steps(FRENCH.writer.write_steps(plan))
    assert FRENCH.read_steps(english)[0] == english
    assert moved[0] == (0, 0) and moved == sorted(moved)


# Two languages in one letter


def test_a_letter_that_chooses_another_language_is_read_in_both() -> None:
    found = read_all("parties", "set language fr", "games", "ouvrir confusion", desk=ENGLISH_DESK)
    assert [each.write() for each in found.commands] == [
        "games",
        "set language fr",
        "games",
        "open confusion",
    ]
    assert read_all("parties", "games", desk=ENGLISH_DESK).passed_over == (OwnLine(1, "parties"),)


def test_what_seems_meant_in_the_language_that_is_chosen_is_named_as_not_read() -> None:
    found = read_all("set language fr", "suivre n'importe quoi", "Merci bien", desk=ENGLISH_DESK)
    assert [fault.excerpt for fault in found.faults] == ["suivre n'importe quoi"]
    assert [line.text for line in found.passed_over] == ["Merci bien"]


def test_who_has_chosen_no_language_is_read_in_all_and_english_is_read_first() -> None:
    desk = ENGLISH_DESK.beside(("fr", "en"))
    assert desk.others == ("fr",)
    for text, written in (
        ("accepter", "accept"),
        ("accept", "accept"),
        ("V-NW2", "V-NW2"),
        ("aide défier", "help challenge"),
    ):
        found = read(text, desk)
        assert isinstance(found, Command) and found.write() == written
    slip = read("inscrire", desk)
    assert isinstance(slip, Fault) and slip.code == "name-missing"
    assert read("Parties de campagne", desk) is None
    assert desk.in_language("en").others == ()
