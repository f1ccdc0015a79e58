"""The French words of commands; letters in French show the first spelling of each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from referee.commands.language_words import ENGLISH_JOINTS, LanguageWords, Spellings
from referee.rulebooks.catalogue import CATALOGUE

_OF_GAMES = [entry.french for entry in CATALOGUE]
"""What the games say of themselves."""
_WORDS: Spellings = {
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
_KEYS: Spellings = {
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
_VALUES: Spellings = {
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
_SIDES: Spellings = {
    "white": ("blanc", "blancs"),
    "yellow": ("jaune", "jaunes"),
    "red": ("rouge", "rouges"),
    "blue": ("bleu", "bleus"),
}
_ENDS: Spellings = {
    "draw": ("nulle", "partie nulle"),
    "none": ("aucun", "aucune", "aucun résultat", "sans résultat"),
}
"""The ends of a game in `agree`, besides the sides."""
_TOPICS: Spellings = {
    "rules": ("règles", "règle"),
    "move": ("coup", "coups"),
    "sheets": ("fiches", "fiche"),
    "types": ("types", "type"),
    "pieces": ("pièces", "pièce"),
    "board": ("plateau", "tablier"),
    "options": ("options", "option"),
    "time": ("temps", "pendule", "pendules", "agenda", "échéance", "échéances"),
    **{topic: said for spoken in _OF_GAMES for topic, said in spoken.topics.items()},
}
"""The topics of `help`, besides words and games."""
_OPTIONS: Spellings = {
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
    **{key: said for spoken in _OF_GAMES for key, said in spoken.options.items()},
}
"""Keys of options: read, but never shown."""
_TERMS: Spellings = {
    "lot": ("sort", "hasard"),
    "named": ("noms", "nommée"),
    "anonymous": ("anonyme",),
    "hard": ("ferme", "dur"),
    "soft": ("souple",),
    "on": ("oui",),
    "off": ("non", "sans", "aucune"),
    "none": ("aucun",),
    **{value: said for spoken in _OF_GAMES for value, said in spoken.values.items()},
}
"""Values of options, besides colours and numbers: read, but never shown."""
_ORDERS: Mapping[str, str] = {said: french for spoken in _OF_GAMES for said, french in spoken.orders.items()}
"""The beginnings of orders in words, and what may follow an answer, as letters write them; the rulebooks read them."""
_STEPS: Spellings = {
    "if": ("si",),
    "then": ("puis", "alors", "ensuite"),
    "else": ("sinon",),
    "yes": ("oui",),
    "no": ("non",),
    "captured": ("pris", "prise", "capturé", "capturée", "capture"),
    "lost": ("perdu", "perdue"),
    "promoted": ("promue", "promu", "promotion"),
}
"""The words between the moves of a plan, including words that are two in one language and one in the other."""
_CLAIMS: Spellings = {"time": ("temps",), "act": ("acte",)}
"""The words in `claim` and `appeal` besides the text."""
_ACTIONS: Spellings = {
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
"""The words in `umpire`: acts, and what joins their parts."""
_JOINTS = ENGLISH_JOINTS | frozenset(
    ("à", "au", "aux", "dans", "de", "des", "du", "en", "faveur", "la", "le", "les", "par", "pour", "sur")
)
_PLACES: Spellings = {
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
"""The placeholders in a word's form: shown, never read."""


_SAMPLES: Mapping[str, str] = {
    "register Anna": "inscrire Anne",
    "register Anna fr": "inscrire Anne fr",
    "challenge bert@example.com confusion": "défier bernard@example.com confusion",
    "challenge Bert confusion option sheets=off option colour=white": (
        "défier Bernard confusion option sheets=off option colour=white"
    ),
    **{said: french for spoken in _OF_GAMES for said, french in spoken.samples.items()},
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
"""Examples that contain more than command words."""

FRENCH = LanguageWords(
    words=_WORDS,
    keys=_KEYS,
    values=_VALUES,
    sides=_SIDES,
    ends=_ENDS,
    topics=_TOPICS,
    options=_OPTIONS,
    terms=_TERMS,
    steps=_STEPS,
    places=_PLACES,
    samples=_SAMPLES,
    claims=_CLAIMS,
    actions=_ACTIONS,
    orders=_ORDERS,
    joints=_JOINTS,
    game="partie",
    grave=re.compile(r"\b(?:resign|draw|abandon(?:ne[rz]?)?|nulle)\b(?! part\b)", re.IGNORECASE),
    small=frozenset(("and", "or", "my", "your", "&", "et", "ou", "mon", "ma", "mes", "votre", "vos")),
)
