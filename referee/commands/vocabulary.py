"""The desk's words in other languages: how a letter may write them, and how letters of ours do.

English is always read. A language adds spellings of its own: the first of each word is what letters in that language
show, and all of them are read in any case, with accents or without. What stands behind a word (keys and
values of `set`, a seat's colour, the word for a game before its number) has spellings, too; moves and names of games
have none, since records hold them as they are. Options are read in either language, and shown and bound in English.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from referee.rulebooks.catalogue import CATALOGUE

Spellings = Mapping[str, tuple[str, ...]]
"""The English word, and how it is written in the other language: first as letters of ours do."""

_FRENCH_WORDS: Spellings = {
    "register": ("inscrire", "inscription", "inscris", "inscrivez"),
    "help": ("aide", "aider"),
    "games": ("parties", "mes parties"),
    "events": ("tournois", "mes tournois"),
    "overview": ("tableau", "tableau de bord"),
    "status": ("état", "statut"),
    "challenge": ("défier", "défie", "défi"),
    "open": ("ouvrir", "ouvre"),
    "join": ("rejoindre", "rejoins"),
    "accept": ("accepter", "accepte", "j'accepte", "acceptez"),
    "decline": ("refuser", "refuse", "je refuse"),
    "resign": ("abandonner", "abandonne", "j'abandonne", "abandon"),
    "draw": ("nulle", "partie nulle"),
    "agree": ("convenir", "conviens", "je conviens"),
    "confirm": ("confirmer", "confirme", "je confirme"),
    "cancel": ("annuler", "annule", "j'annule"),
    "record": ("feuille", "feuille de partie"),
    "resend": ("renvoyer", "renvoie"),
    "new tag": ("nouvelle étiquette", "nouvelle adresse"),
    "why": ("pourquoi",),
    "set": ("régler", "réglez", "réglage"),
    "bye": ("adieu", "au revoir"),
    "press": ("presse",),
    "mute": ("sourdine",),
    "watch": ("suivre", "regarder", "observer"),
    "diary": ("carnet",),
    "claim": ("réclamation", "réclamer"),
    "appeal": ("appel",),
    "umpire": ("arbitre", "arbitrer"),
    "rematch": ("revanche",),
    "preview": ("aperçu",),
    "try": ("essayer", "essaie", "essaye"),
    "carry out": ("exécuter",),
    "allow": ("autoriser", "autorise"),
    "deny": ("interdire", "interdis"),
    "leave": ("absence", "congé"),
    "pause": ("pause",),
    "resume": ("reprendre", "reprends"),
}
_FRENCH_KEYS: Spellings = {
    "reports": ("rapports", "rapport"),
    "sheets": ("fiches", "fiche"),
    "language": ("langue",),
    "address": ("adresse",),
    "second": ("seconde", "deuxième"),
    "zone": ("fuseau",),
    "picture": ("image",),
    "compass": ("boussole",),
    "letters": ("lettres",),
    "calendar": ("agenda", "calendrier"),
    "overview": ("tableau",),
    "hold": ("attente", "délai"),
}
_FRENCH_VALUES: Spellings = {
    "text": ("texte",),
    "grid": ("grille",),
    "list": ("liste",),
    "picture": ("image",),
    "none": ("aucune", "aucun"),
    "all": ("tous",),
    "on": ("oui",),
    "off": ("non", "sans"),
    "own": ("propre",),
    "record": ("feuille",),
    "each": ("chacune", "toutes"),
    "daily": ("quotidien", "quotidienne"),
    "urgent": ("urgent", "urgentes"),
    "quiet": ("discret", "discrètes"),
    "weekly": ("hebdomadaire",),
    "wait": ("attendre",),
    "late": ("retard", "retards"),
    "en": ("en", "anglais"),
    "fr": ("fr", "français"),
}
_FRENCH_SIDES: Spellings = {
    "white": ("blanc", "blancs"),
    "yellow": ("jaune", "jaunes"),
    "red": ("rouge", "rouges"),
    "blue": ("bleu", "bleus"),
}
_FRENCH_ENDS: Spellings = {
    "draw": ("nulle", "partie nulle"),
    "none": ("aucun", "aucune", "aucun résultat", "sans résultat"),
}
"""What `agree` knows beside the sides: how a game may end."""
_FRENCH_TOPICS: Spellings = {
    "rules": ("règles", "règle"),
    "move": ("coup", "coups"),
    "sheets": ("fiches", "fiche"),
    "types": ("types", "type"),
    "pieces": ("pièces", "pièce"),
    "board": ("plateau", "tablier"),
    "options": ("options", "option"),
    "time": ("temps", "pendule", "pendules", "agenda", "échéance", "échéances"),
    **{topic: said for entry in CATALOGUE for topic, said in entry.french.items()},
}
"""What `help` knows beside words and games."""
_FRENCH_OPTIONS: Spellings = {
    "colour": ("couleur",),
    "first": ("premier", "première"),
    "sheets": ("fiches", "fiche"),
    "press": ("presse",),
    "watchers": ("spectateurs", "spectateur"),
    "finished": ("finies", "terminées"),
    "playing": ("encours",),
    "time": ("temps", "cadence"),
    "lapse": ("dépassement", "échéance", "retard"),
    "not": ("sauf",),
    "code-of-honour": ("code-honneur", "honneur"),
    "small-world": ("petit-monde",),
    "late-contact": ("contact-tardif", "contact-retard"),
    "variable-setup": ("préparation-variable", "disposition-variable"),
    "comrade": ("camarade",),
    "tokens.white": ("jetons.blanc", "jetons.blancs"),
    "tokens.red": ("jetons.rouge", "jetons.rouges"),
}
"""Keys of options: read, and never shown."""
_FRENCH_TERMS: Spellings = {
    "lot": ("sort", "hasard"),
    "named": ("noms", "nommée"),
    "anonymous": ("anonyme",),
    "hard": ("ferme", "dur"),
    "soft": ("souple",),
    "on": ("oui",),
    "off": ("non", "sans", "aucune"),
    "none": ("aucun",),
    "reveal": ("révéler", "révéler1"),
    "move": ("déplacer", "déplacer2"),
    "swap": ("échanger", "échanger2"),
}
"""What options may say beside colours and numbers: likewise."""
_FRENCH_ORDERS: Mapping[str, str] = {
    "agent always": "agent toujours",
    "agent never": "agent jamais",
    "agent ask": "agent demander",
    "agent as": "agent comme",
    "eliminate their": "éliminer son",
    "eliminate": "éliminer",
    "reveal": "révéler",
    "swap": "échanger",
    "pass": "passer",
    "setup": "disposition",
    "without": "sans",
}
"""How orders in words begin, and what may stand behind an answer, as letters write them; the rules' own room reads them
(`referee/rulebooks/spies/words.py`)."""
_FRENCH_STEPS: Spellings = {
    "if": ("si",),
    "then": ("puis", "alors", "ensuite"),
    "else": ("sinon",),
    "yes": ("oui",),
    "no": ("non",),
    "captured": ("pris", "prise", "capturé", "capturée", "capture"),
    "lost": ("perdu", "perdue"),
    "promoted": ("promue", "promu", "promotion"),
}
"""What stands between the moves of a plan: each word, and two that are one in the other language."""
_FRENCH_CLAIMS: Spellings = {"time": ("temps",), "act": ("acte",)}
"""What `claim` and `appeal` know beside a text."""
_FRENCH_DEEDS: Spellings = {
    "pause": ("pause", "suspendre", "suspends", "suspension", "mettre en pause", "mise en pause", "arrêter"),
    "resume": ("reprendre", "reprise", "reprends", "relancer"),
    "add": ("ajouter", "ajoute", "ajout", "donner", "accorder"),
    "take back": ("revenir", "reviens", "revenir en arrière", "retour"),
    "correct": ("corriger", "corrige", "correction", "rectifier"),
    "act": ("jouer", "joue"),
    "rule": ("décider", "décision", "trancher", "statuer"),
    "replace": ("remplacer", "remplace", "remplacement"),
    "close": ("clore", "fermer", "clôturer", "clôture", "terminer"),
    "adjudicate": ("juger", "juge", "adjuger", "attribuer"),
    "restore": ("rétablir", "rétablis", "rétablissement", "restaurer"),
    "freeze": ("geler", "gèle"),
    "thaw": ("dégeler", "dégèle"),
    "until": ("jusqu'au", "jusqu'à"),
    "to": ("au", "à"),
    "turn": ("tour",),
    "time": ("temps",),
    "case": ("affaire", "l'affaire"),
    "upheld": ("fondée", "fondé", "accueillie", "admise"),
    "rejected": ("rejetée", "rejeté", "refusée"),
    "unchanged": ("inchangée", "inchangé"),
}
"""What `umpire` knows: what may be done, and what stands between its parts."""
_ENGLISH_JOINTS = frozenset(("the", "to", "in", "for", "by", "with", "of"))
_FRENCH_JOINTS = frozenset(
    ("à", "au", "aux", "dans", "de", "des", "du", "en", "faveur", "la", "le", "les", "par", "pour", "sur")
)
_FRENCH_PLACES: Spellings = {
    "NAME": ("NOM",),
    "TOPIC": ("SUJET",),
    "WHOM": ("QUI",),
    "RESULT": ("RÉSULTAT",),
    "RULES": ("JEU",),
    "GAME": ("PARTIE",),
    "OPTION": ("OPTION",),
    "NUMBER": ("NUMÉRO",),
    "COLOUR": ("COULEUR",),
    "LETTER": ("LETTRE",),
    "LANGUAGE": ("LANGUE",),
    "ADDRESS": ("ADRESSE",),
    "WORD": ("MOT",),
    "TEXT": ("TEXTE",),
    "CASE": ("AFFAIRE",),
    "MOVE": ("COUP",),
    "CITY": ("VILLE",),
    "DATE": ("DATE",),
    "EVENT": ("TOURNOI",),
    "ZONE": ("FUSEAU",),
    "KEY": ("CLÉ",),
    "VALUE": ("VALEUR",),
    "YOUR": ("VOTRE",),
    "REASON": ("RAISON",),
    "TIME": ("TEMPS",),
    "TURN": ("TOUR",),
    "PERSON": ("PERSONNE",),
    "ACTION": ("ACTION",),
}
"""What stands in capitals in a word's form, for the writer to fill in: shown, never read."""


_FRENCH_SAMPLES: Mapping[str, str] = {
    "register Anna": "inscrire Anne",
    "register Anna fr": "inscrire Anne fr",
    "challenge bert@example.com confusion": "défier bernard@example.com confusion",
    "challenge Bert confusion option sheets=off option colour=white": (
        "défier Bernard confusion option sheets=off option colour=white"
    ),
    "challenge Bert spies option small-world=on option tokens.white=reveal,swap": (
        "défier Bernard spies option small-world=on option tokens.white=reveal,swap"
    ),
    "press Bravo!": "presse Bravo !",
    "press all Good game!": "presse tous Belle partie !",
    "diary H = Cardinal?": "carnet H = Cardinal ?",
    "appeal 17/1 The letter says NW.": "appel 17/1 La lettre dit NW.",
    "appeal 17 The letter says NW.": "appel 17 La lettre dit NW.",
    "appeal 17 act 2 The letter says NW.": "appel 17 acte 2 La lettre dit NW.",
    "umpire pause 17 until 2027-01-03: Holidays.": "arbitre pause 17 jusqu'au 2027-01-03 : Vacances.",
    "umpire take back 17 to 12 White: Misread.": "arbitre revenir 17 au 12 Blanc : Mal lu.",
    "umpire resume 17: Holidays.": "arbitre reprendre 17 : Vacances.",
    "umpire add 17 white 3d: Holidays.": "arbitre ajouter 17 blanc 3d : Vacances.",
    "umpire correct 17 12 White V-NW2: Misread.": "arbitre corriger 17 12 Blanc V-NW2 : Mal lu.",
    "umpire act 17 white V-NW2: Misread.": "arbitre jouer 17 blanc V-NW2 : Mal lu.",
    "umpire rule 17: Misread.": "arbitre décider 17 : Mal lu.",
    "umpire rule 17/2 upheld: Misread.": "arbitre décider 17/2 fondée : Mal lu.",
    "umpire rule 17/2 upheld unchanged: Misread.": "arbitre décider 17/2 fondée inchangée : Mal lu.",
    "umpire rule 17/2 rejected: Holidays.": "arbitre décider 17/2 rejetée : Vacances.",
    "umpire replace 17 white Carl <carl@example.net>: Holidays.": (
        "arbitre remplacer 17 blanc Charles <charles@example.net> : Vacances."
    ),
    "umpire close 17: Holidays.": "arbitre clore 17 : Vacances.",
    "umpire adjudicate 17 draw: Holidays.": "arbitre juger 17 nulle : Vacances.",
    "umpire restore 17: Misread.": "arbitre rétablir 17 : Mal lu.",
    "claim L-S2: no?": "réclamation L-S2 : non ?",
    "claim Bert has not written for two months.": "réclamation Bernard n'écrit plus depuis deux mois.",
}
"""Examples in letters of ours that hold more than the desk's own words."""


_LONGEST = 100
"""Signs of a text that may be one of these; to set the accents of a very long one in order takes a while."""


def tidy(text: str) -> str:
    """Return a text for comparing: lower case, with straight apostrophes. An accent too many is another word."""
    if text.isascii() or len(text) > _LONGEST:
        return text.lower()
    return unicodedata.normalize("NFC", text.replace("’", "'").lower())


def without_accents(text: str) -> str:
    """Return a text as somebody types it who has no accents at hand."""
    plain = unicodedata.normalize("NFKD", tidy(text))
    return "".join(c for c in plain if not unicodedata.combining(c))


_FIRST_WORDS = re.compile(r"(\S+)(?:\s+(\S+))?(?:\s+(\S+))?")
_BEHIND_A_WORD = ".:,!"
"""Signs that may stand behind a word of the desk."""


@dataclass(frozen=True, slots=True)
class _Ways:
    """Of each kind of spellings all that are read, with their accents and without, and the English words."""

    keys: Mapping[str, str]
    values: Mapping[str, str]
    sides: Mapping[str, str]
    options: Mapping[str, str]
    terms: Mapping[str, str]
    ends: Mapping[str, str]
    deeds: Mapping[str, str]
    steps: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """How one language writes what the desk knows; see the module. game: its word before a game's number."""

    words: Spellings = field(default_factory=dict)
    keys: Spellings = field(default_factory=dict)
    values: Spellings = field(default_factory=dict)
    sides: Spellings = field(default_factory=dict)
    ends: Spellings = field(default_factory=dict)
    topics: Spellings = field(default_factory=dict)
    options: Spellings = field(default_factory=dict)
    terms: Spellings = field(default_factory=dict)
    steps: Spellings = field(default_factory=dict)
    places: Spellings = field(default_factory=dict)
    samples: Mapping[str, str] = field(default_factory=dict)
    claims: Spellings = field(default_factory=dict)
    deeds: Spellings = field(default_factory=dict)
    orders: Mapping[str, str] = field(default_factory=dict)
    joints: frozenset[str] = _ENGLISH_JOINTS
    """Small words that may stand before a game, a side, a time or a person in what an umpire writes."""
    game: str = "game"
    grave: re.Pattern[str] = re.compile(r"\b(?:resign|draw)\b", re.IGNORECASE)
    """What nobody wants overlooked, wherever it stands in a line."""
    small: frozenset[str] = frozenset(("and", "or", "my", "your", "&"))
    """Words that may stand beside the letters of pieces that are asked about."""

    @cached_property
    def read(self) -> Mapping[str, str]:
        """Each spelling of a word, with its accents and without, and the English word."""
        return _ways_back(self.words)

    @cached_property
    def read_topics(self) -> Mapping[str, str]:
        """The same of the topics of `help`."""
        return _ways_back(self.topics)

    @cached_property
    def _first_words(self) -> frozenset[str]:
        """The words that spellings begin with."""
        return frozenset(said.split()[0] for said in self.read)

    @cached_property
    def _ways(self) -> _Ways:
        return _Ways(
            keys=_ways_back(self.keys),
            values=_ways_back(self.values),
            sides=_ways_back(self.sides),
            options=_ways_back(self.options),
            terms=_ways_back({**self.sides, **self.terms}),
            ends=_ways_back({**self.ends, **self.sides}),
            deeds=_ways_back(self.deeds),
            steps=_ways_back(self.steps),
        )

    def read_word(self, text: str) -> str:
        """Return a line that begins with a spelling of this language as one that begins with the English word; any
        other line as it is."""
        first = text.split(maxsplit=1)[:1] if self.read else []
        if not first or tidy(first[0]).rstrip(_BEHIND_A_WORD) not in self._first_words:
            return text
        begins = _FIRST_WORDS.match(text)
        if begins is None:
            return text
        for count in (3, 2, 1):
            words = [word for word in begins.groups()[:count] if word]
            said = tidy(" ".join(words).rstrip(_BEHIND_A_WORD))
            if len(words) == count and said in self.read:
                return self.read[said] + text[begins.end(count) :]
        return text

    def read_topic(self, said: str) -> str:
        """Return what help is wanted about, in English where it is said in this language, else in lower case."""
        return self.read_topics.get(tidy(said)) or self.read_word(said).lower()

    def is_of_steps(self, word: str) -> bool:
        """Return whether a word is one of this language's for the steps of a plan."""
        return bool(self.steps) and tidy(word) in self._ways.steps

    def read_steps(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """Return a plan with its steps in English, and what moved: pairs of places, in that and in the text as it is,
        from which on both run alike again."""
        english, moved, last = "", [(0, 0)], 0
        ways = self._ways.steps
        for word in re.finditer(r"(?<![\w-])[^\W\d_]+(?![\w-])", text) if ways else ():
            if meant := ways.get(tidy(word[0])):
                english += text[last : word.start()] + meant
                last = word.end()
                moved.append((len(english), last))
        return english + text[last:], moved

    def write_steps(self, plan: str) -> str:
        """Return a plan as this language writes it."""
        return re.sub(
            r"\b(?:if [a-z]+|then|else|if)\b", lambda found: self._all_first(self.steps, found[0]), plan
        )

    def write_step(self, word: str) -> str:
        """Return one word of a plan's steps likewise."""
        return self._first(self.steps, word)

    def read_key(self, said: str) -> str:
        """Return a key of `set`, in English where it is one of this language's, else in lower case."""
        return self._ways.keys.get(tidy(said), said.lower())

    def read_value(self, said: str) -> str:
        """Return a value of `set`, likewise."""
        return self._ways.values.get(tidy(said), said.lower())

    def read_side(self, said: str) -> str:
        """Return a seat, likewise."""
        return self._ways.sides.get(tidy(said), said.lower())

    def read_option(self, key: str, value: str) -> tuple[str, str]:
        """Return an option of a game in English where it is said in this language, else as it is."""
        english = self._ways.options.get(tidy(key), key)
        if english == "not":
            return english, value  # people's names
        ways = self._ways.terms
        return english, ",".join(ways.get(tidy(each), each) for each in value.split(","))

    def read_end(self, said: str) -> str:
        """Return how a game is to end (a seat, draw or none), likewise."""
        return self._ways.ends.get(tidy(said), said.lower())

    def read_deed(self, said: str) -> str:
        """Return what an umpire may do, or what stands between its parts, likewise."""
        return self._ways.deeds.get(tidy(said), said.lower())

    def write_deed(self, line: str) -> str:
        """Return what stands behind `umpire` as this language writes it; what people wrote stays as it is."""
        head, colon, reason = line.partition(":")
        first, _, rest = head.partition(" ")
        if rest == "back" or rest.startswith("back "):
            first, rest = f"{first} back", rest.removeprefix("back").lstrip()
        said = re.sub(r"(?<![\w-])[A-Za-z]+(?![\w-])", lambda word: self._beside_a_deed(word[0]), rest)
        said = f"{self._first(self.deeds, first)} {said}".rstrip()
        return f"{said}\u00a0:{reason}" if colon and self.deeds else f"{said}{colon}{reason}"

    def _beside_a_deed(self, word: str) -> str:
        """Return a word that may stand behind a deed likewise: a side, a result, or what joins its parts."""
        if word.istitle() and word.lower() in self.sides:
            return self._first(self.sides, word.lower()).capitalize()
        return self._first({**self.ends, **self.sides, **self.deeds}, word)

    def write_end(self, end: str) -> str:
        """Return how a game is to end as this language writes it."""
        return self._first({**self.ends, **self.sides}, end)

    def write_key(self, key: str) -> str:
        """Return a key of `set` as this language writes it."""
        return self._first(self.keys, key)

    def write_value(self, value: str) -> str:
        """Return a value of `set` likewise."""
        return self._first(self.values, value)

    def write(self, line: str) -> str:
        """Return a line of the desk as this language writes it: its word, and what `set` knows behind that."""
        number, colon, rest = line.partition(": ")
        if colon and number.isascii() and number.isdigit():
            return f"{number}: {self.write(rest)}"
        word, rest = _split(line, self.words)
        if not word:
            return self._order(line)
        if word == "allow" and rest:
            rest = self._order(rest)
        if word == "set":
            key, _, value = rest.partition(" ")
            return " ".join(
                filter(None, (self._first(self.words, word), self._set(key, value) if key else ""))
            )
        if word == "claim" and rest == "time":
            rest = self._first(self.claims, rest)
        if word == "appeal" and (act := re.match(r"(?:\[?[A-Z\d]+\]? )?(act) [\dA-Z]", rest)):
            rest = f"{rest[: act.start(1)]}{self._first(self.claims, act[1])}{rest[act.end(1) :]}"
        if word in ("mute", "watch", "leave") and rest:
            rest = " ".join(self._first(self.values, part) for part in rest.split(" "))
        if word == "overview" and (said := re.match(r"\[?late\b\]?", rest)):
            rest = said[0].replace("late", self._first(self.values, "late")) + rest[said.end() :]
        if word == "press" and rest.startswith("all "):
            rest = f"{self._first(self.values, 'all')} {rest.removeprefix('all ')}"
        if word == "try":
            rest = self.write_steps(rest)
        if word == "help":
            rest = self._first(self.topics, self.write(rest))
        if word == "umpire" and rest:
            rest = self.write_deed(rest)
        if word == "agree" and rest:
            rest = " ".join(map(self.write_end, rest.split(" ")))
        if word == "why":
            rest = " ".join(self._first(self.sides, part) for part in rest.split())
        return f"{self._first(self.words, word)} {rest}".rstrip()

    def write_sample(self, line: str) -> str:
        """Return an example as this language writes it, with names and texts of its own."""
        return self.samples.get(line) or self.write(line)

    def write_form(self, form: str) -> str:
        """Return a word's form as this language writes it: "register NAME", "inscrire NOM"."""
        return re.sub(r"[A-Z]{3,}", lambda found: self._first(self.places, found[0]), self.write(form))

    def _order(self, line: str) -> str:
        """Return an order that is said in words likewise; any other line as it is."""
        for said, written in self.orders.items():
            if line == said or line.startswith(f"{said} "):
                return written + line.removeprefix(said)
        return line

    def _all_first(self, spellings: Spellings, words: str) -> str:
        return " ".join(self._first(spellings, each) for each in words.split())

    def _set(self, key: str, value: str) -> str:
        values = "|".join(self._first(self.values, each) for each in value.split("|"))
        return f"{self._first(self.keys, key)} {values}".rstrip()

    @staticmethod
    def _first(spellings: Spellings, english: str) -> str:
        return spellings[english][0] if english in spellings else english


def _split(line: str, words: Spellings) -> tuple[str, str]:
    """Return the desk's word that a line begins with, and the rest; "" for the word where it is none."""
    first, _, rest = line.partition(" ")
    second, _, behind = rest.partition(" ")
    if f"{first} {second}" in words:
        return f"{first} {second}", behind
    return (first, rest) if first in words else ("", line)


def _ways_back(spellings: Spellings) -> Mapping[str, str]:
    """Return each spelling, with its accents and without, and its English word."""
    return {
        way: english
        for english, ways in spellings.items()
        for said in ways
        for way in (tidy(said), without_accents(said))
    }


VOCABULARIES: Mapping[str, Vocabulary] = {
    "en": Vocabulary(),
    "fr": Vocabulary(
        words=_FRENCH_WORDS,
        keys=_FRENCH_KEYS,
        values=_FRENCH_VALUES,
        sides=_FRENCH_SIDES,
        ends=_FRENCH_ENDS,
        topics=_FRENCH_TOPICS,
        options=_FRENCH_OPTIONS,
        terms=_FRENCH_TERMS,
        steps=_FRENCH_STEPS,
        places=_FRENCH_PLACES,
        samples=_FRENCH_SAMPLES,
        claims=_FRENCH_CLAIMS,
        deeds=_FRENCH_DEEDS,
        orders=_FRENCH_ORDERS,
        joints=_ENGLISH_JOINTS | _FRENCH_JOINTS,
        game="partie",
        grave=re.compile(r"\b(?:resign|draw|abandon(?:ne[rz]?)?|nulle)\b(?! part\b)", re.IGNORECASE),
        small=frozenset(("and", "or", "my", "your", "&", "et", "ou", "mon", "ma", "mes", "votre", "vos")),
    ),
}


def vocabulary(language: str) -> Vocabulary:
    """Return a language's spellings; none for a language that has none of its own."""
    return VOCABULARIES.get(language, VOCABULARIES["en"])
