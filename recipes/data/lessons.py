"""Sentence pairs about what models get wrong: numbers, titles, names, labels, strings to copy.

Fills the frames of ``lessons.tsv`` with numbers, names, times, money and the like as each language
writes them, adds set phrases (``phrases/``), compounds and places, the sentences of
``sentences.tsv``, ``words.tsv``, the scenes and what is said in one language (``native-XX.tsv``), and writes one
file a language that a recipe lists under ``data.train``:

    python recipes/data/lessons.py data/train --each 60

writes ``data/train/lessons.en-de.tsv`` and so on, ``corpus <TAB> English <TAB> target`` with the
corpora ``lesson_KIND``, ``phrase``, ``sense``, ``talk``, ``native`` and ``scenes_KIND``, the same for
the same seed.
"""

from __future__ import annotations

import argparse
import random
import re
import string
from collections.abc import Callable
from pathlib import Path

LANGUAGES = ("de", "es", "fr", "it")
FRAMES = Path(__file__).with_name("lessons.tsv")
SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")

Said = dict[str, str]
"""What a slot says, by language; ``en`` among them. A form of it is ``language:form``."""

# Given names and surnames of many origins; those that end in s, x and z take an apostrophe in German.
FIRST = (
    "Ada Amir Anika Anselm Ayumi Bjorn Boris Carlos Chidi Chris Clarice Dax Delphine Devika Dolores"
    " Edith Elif Enzo Esther Farid Felix Fiona Frances Gita Gus Halima Hans Hector Ines Ivo Jada"
    " Jonas Joyce Kenji Klaus Kofi Leila Lars Liz Lorenz Lucas Magnus Marcus Mei Max Miles Nadia"
    " Niamh Noor Olga Oskar Otis Paloma Parvati Petra Piers Quentin Rashid Rex Roisin Ross Ruiz"
    " Salma Sanjay Saoirse Silas Sofia Sven Tariq Thandi Thomas Tomas Ulla Uri Vera Viktor Wanda Wei"
    " Wes Xavier Yara Yusuf Zoe Zora"
).split()
LAST = (
    "Abebe Adeyemi Baxter Beckett Bianchi Brandt Castillo Chaudhry Cole Crane Dalton Delgado Dubois"
    " Ekberg Esposito Farrow Finch Fitzgerald Fournier Gallo Grover Haddad Hale Harlow Hayes Hidalgo"
    " Holt Ibrahim Ito Jansen Kaplan Keller Kowalski Lambert Larsen Lindqvist Lowell Marchetti Mbeki"
    " Mercer Moreau Nakamura Novak Okafor Oliveira Ortega Pace Park Petrov Quinn Rahman Reed Rinaldi"
    " Romero Sato Schuster Singh Stone Sutton Takeda Thorne Tran Ueda Vance Varga Voss Walsh Weaver"
    " Wexler Whitlock Yilmaz Zeller"
).split()
CITIES = (
    "Antwerp=Antwerpen,Amberes,Anvers,Anversa Boston Cairo=Kairo,El Cairo,Le Caire,Il_Cairo Dublin"
    " Geneva=Genf,Ginebra,Genève,Ginevra Lima London=London,Londres,Londres,Londra Madrid"
    " Moscow=Moskau,Moscú,Moscou,Mosca Munich=München,Múnich,Munich,Monaco_di_Baviera Nairobi Oslo"
    " Paris=Paris,París,Paris,Parigi Prague=Prag,Praga,Prague,Praga Rome=Rom,Roma,Rome,Roma Seattle"
    " Turin=Turin,Turín,Turin,Torino Vienna=Wien,Viena,Vienne,Vienna Warsaw=Warschau,Varsovia,"
    "Varsovie,Varsavia Zurich=Zürich,Zúrich,Zurich,Zurigo"
)
DAYS = """Monday Montag lunes lundi lunedì
Tuesday Dienstag martes mardi martedì
Wednesday Mittwoch miércoles mercredi mercoledì
Thursday Donnerstag jueves jeudi giovedì
Friday Freitag viernes vendredi venerdì
Saturday Samstag sábado samedi sabato
Sunday Sonntag domingo dimanche domenica"""
MONTHS = """January Januar enero janvier gennaio
March März marzo mars marzo
May Mai mayo mai maggio
June Juni junio juin giugno
August August agosto août agosto
October Oktober octubre octobre ottobre
December Dezember diciembre décembre dicembre"""
THINGS = """Wood|Holz|Madera|Bois|Legno
Glass|Glas|Vidrio|Verre|Vetro
Iron|Eisen|Hierro|Fer|Ferro
Two eggs|Zwei Eier|Dos huevos|Deux œufs|Due uova
Bread and butter|Brot und Butter|Pan y mantequilla|Du pain et du beurre|Pane e burro
A rope|Ein Seil|Una cuerda|Une corde|Una corda
Warm clothes|Warme Kleidung|Ropa de abrigo|Des vêtements chauds|Vestiti caldi
Call the doctor|Den Arzt anrufen|Llamar al médico|Appeler le médecin|Chiamare il medico
Water the plants|Die Pflanzen gießen|Regar las plantas|Arroser les plantes|Annaffiare le piante
Check the oil|Das Öl prüfen|Comprobar el aceite|Vérifier l'huile|Controllare l'olio
Pick up the keys|Die Schlüssel abholen|Recoger las llaves|Récupérer les clés|Ritirare le chiavi
Matches|Streichhölzer|Cerillas|Des allumettes|Fiammiferi"""
SOUNDS = """laughs|lacht|ríe|rit|ride
sighs|seufzt|suspira|soupire|sospira
coughs|hustet|tose|tousse|tossisce
sobbing|schluchzt|solloza|sanglote|singhiozza
whispers|flüstert|susurra|chuchote|sussurra
clears throat|räuspert sich|carraspea|se racle la gorge|si schiarisce la voce
door slams|Tür knallt|portazo|une porte claque|sbatte una porta
gunshot|Schuss|disparo|coup de feu|sparo
phone rings|Telefon klingelt|suena el teléfono|le téléphone sonne|squilla il telefono
dog barking|Hund bellt|ladra un perro|un chien aboie|un cane abbaia
thunder|Donner|trueno|tonnerre|tuono
applause|Applaus|aplausos|applaudissements|applausi
music playing|Musik spielt|suena música|musique|musica
footsteps|Schritte|pasos|bruits de pas|passi
glass breaking|Glas zerbricht|se rompe un cristal|verre brisé|vetri rotti
screams|schreit|grita|crie|urla
indistinct chatter|Stimmengewirr|murmullo|brouhaha|brusio
tires screeching|Reifen quietschen|chirrido de neumáticos|crissement de pneus|stridio di gomme"""
GREETINGS = """I don't know|Ich weiß es nicht|No lo sé|Je ne sais pas|Non lo so
I'll be back soon|Ich bin bald zurück|Vuelvo pronto|Je reviens bientôt|Torno presto
Wake him up|Weck ihn auf|Despiértalo|Réveille-le|Sveglialo
We should go|Wir sollten gehen|Deberíamos irnos|On devrait partir|Dovremmo andare
Nobody saw us|Niemand hat uns gesehen|Nadie nos vio|Personne ne nous a vus|Nessuno ci ha visti
It's over|Es ist vorbei|Se acabó|C'est fini|È finita
You can trust me|Du kannst mir vertrauen|Puedes confiar en mí|Tu peux me faire confiance|Puoi fidarti di me
Leave the door open|Lass die Tür offen|Deja la puerta abierta|Laisse la porte ouverte|Lascia la porta aperta"""
WORDS = """freedom|Freiheit|libertad|liberté|libertà
Danger|Gefahr|Peligro|Danger|Pericolo
Private|Privat|Privado|Privé|Privato
the old road|die alte Straße|el viejo camino|la vieille route|la vecchia strada
tomorrow|morgen|mañana|demain|domani
Do not enter|Eintritt verboten|Prohibido el paso|Entrée interdite|Vietato entrare
the lighthouse|der Leuchtturm|el faro|le phare|il faro
patience|Geduld|paciencia|patience|pazienza"""
UNITS = """miles|Meilen|millas|miles|miglia
kilometres|Kilometer|kilómetros|kilomètres|chilometri
km|km|km|km|km
metres|Meter|metros|mètres|metri
yards|Yards|yardas|yards|iarde"""
VOLUMES = """litres|Liter|litros|litres|litri
gallons|Gallonen|galones|gallons|galloni
tons|Tonnen|toneladas|tonnes|tonnellate"""
SPEEDS = """miles an hour|Meilen pro Stunde|millas por hora|miles à l'heure|miglia all'ora
kilometres an hour|Kilometer pro Stunde|kilómetros por hora|kilomètres à l'heure|chilometri orari
mph|mph|mph|mph|mph
km/h|km/h|km/h|km/h|km/h"""
MONEY = """dollars|Dollar|dólares|dollars|dollari
euros|Euro|euros|euros|euro
pounds|Pfund|libras|livres|sterline"""
KINGS = "Charles=Karl,Carlos,Charles,Carlo Henry=Heinrich,Enrique,Henri,Enrico"
ROMAN = "I II III IV V VI VII VIII IX XI XII XIV XVI".split()
EMOJI = "👍 😀 😂 ❤️ 🎉 🌊 🚢 🐶 🔥 ⭐ 👋🏽 🙏 ✨ 🎵 ☕ 🌍".split()


def alike(text: str) -> Said:
    """The same in every language."""
    return dict.fromkeys(("en", *LANGUAGES), text)


def table(rows: str, separator: str = "|") -> list[Said]:
    """What lines of five fields say."""
    fields = [row.split(separator) for row in rows.splitlines()]
    return [dict(zip(("en", *LANGUAGES), own, strict=True)) for own in fields]


def named(names: str) -> list[Said]:
    """Names that some languages have names of their own for."""
    said = []
    for word in names.split():
        english, _, others = word.partition("=")
        own = [one.replace("_", " ") for one in others.split(",")] if others else [english] * 4
        own += [english] * (4 - len(own))
        said.append({"en": english} | dict(zip(LANGUAGES, own, strict=True)))
    return said


def number(value: int) -> Said:
    """Digits in groups of three; Spanish groups from five digits on, as its academy has it."""
    english, dots = f"{value:,}", f"{value:,}".replace(",", ".")
    spanish = dots if value >= 10_000 else str(value)
    return {"en": english, "de": dots, "es": spanish, "fr": english.replace(",", " "), "it": dots}


def decimal(text: str) -> Said:
    """A number with a decimal point."""
    return {"en": text} | dict.fromkeys(LANGUAGES, text.replace(".", ","))


def any_number(rnd: random.Random) -> Said:
    """Of any size, round ones often."""
    digits = rnd.choice((2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10))
    value = rnd.randrange(10 ** (digits - 1), 10**digits)
    if rnd.random() < 0.5:
        value = round(value, 1 - digits) if rnd.random() < 0.5 else round(value, 2 - digits)
    return number(max(2, value))


def share(rnd: random.Random) -> Said:
    """A percentage."""
    said = decimal(str(rnd.choice((rnd.randrange(2, 100), round(rnd.uniform(0.5, 99), 1)))))
    return {code: text + ("%" if code in ("en", "it") else " %") for code, text in said.items()}


def money(rnd: random.Random) -> Said:
    """A sum, with its sign or in words."""
    amount = any_number(rnd)
    kind = rnd.random()
    if kind < 0.5:
        sign = rnd.choice("$€£")
        return {"en": f"{sign}{amount['en']}"} | {
            code: f"{amount[code]} {sign}" for code in LANGUAGES
        }
    name = rnd.choice(table(MONEY))
    if kind < 0.75:
        return {code: f"{amount[code]} {name[code]}" for code in amount}
    count = rnd.randrange(2, 90)
    million = {
        "en": f"{count} million {name['en']}",
        "de": f"{count} Millionen {name['de']}",
        "es": f"{count} millones de {name['es']}",
        "fr": f"{count} millions {'d’' if name['fr'][0] in 'e' else 'de '}{name['fr']}",
        "it": f"{count} milioni di {name['it']}",
    }
    return {code: text.replace("’", "'") for code, text in million.items()}


def clock(rnd: random.Random) -> Said:
    """A time of day: on the twelve-hour clock with a.m. and p.m., or on the other."""
    hour, minute = rnd.randrange(2, 12), rnd.choice((0, 0, 5, 10, 15, 20, 30, 30, 40, 45, 50))
    night = rnd.random() < 0.5
    full = hour + 12 * night
    if rnd.random() < 0.3:
        english = f"{full}:{minute:02}"
    else:
        half = rnd.choice(("p.m.", "p.m.", "pm", "PM")) if night else rnd.choice(("a.m.", "am"))
        english = f"{hour}:{minute:02} {half}" if minute or rnd.random() < 0.5 else f"{hour} {half}"
    return {
        "en": english,
        "de": f"{full}:{minute:02} Uhr" if minute else f"{full} Uhr",
        "es": f"{full}:{minute:02}",
        "fr": f"{full} h {minute:02}" if minute else f"{full} h",
        "it": f"{full}:{minute:02}",
    }


def first_name(rnd: random.Random) -> Said:
    """A given name, its German genitive and the French form behind "de"."""
    name = rnd.choice(FIRST)
    german = f"{name}'" if name[-1] in "sxz" or name.endswith("ce") else f"{name}s"
    elided = f"d'{name}" if name[0] in "AEIOUÉ" else name
    return alike(name) | {"de:gen": german, "fr:de": elided}


def letters(rnd: random.Random, count: int) -> str:
    """Letters at random."""
    return "".join(rnd.choice(string.ascii_lowercase) for _ in range(count))


def path(rnd: random.Random) -> Said:
    """A path of a file."""
    parts = [letters(rnd, rnd.randrange(2, 8)) for _ in range(rnd.randrange(1, 4))]
    name = f"{letters(rnd, rnd.randrange(3, 9))}.{rnd.choice(('txt', 'py', 'json', 'srt', 'cfg'))}"
    form = rnd.randrange(3)
    if form == 0:
        return alike("/" + "/".join([*parts, name]))
    return alike(
        "C:\\" + "\\".join([*parts, name]) if form == 1 else "~/" + "/".join([*parts, name])
    )


def code(rnd: random.Random) -> Said:
    """An identifier, a call or a command."""
    one, two = letters(rnd, rnd.randrange(2, 7)), letters(rnd, rnd.randrange(2, 7))
    forms = (f"{one}_{two}()", f"{one}.{two}", f"{one}({two})", f"--{one}-{two}", f"<{one}>")
    return alike(
        rnd.choice((*forms, f"{one.title()}<{two.title()}>", f"{one}[{rnd.randrange(9)}]"))
    )


def placeholder(rnd: random.Random) -> Said:
    """What a program puts a value in place of."""
    name = rnd.choice(("name", "user", "count", "city", "player", letters(rnd, 4)))
    forms = (f"{{{name}}}", f"{{{{{name}}}}}", f"%{name}%", "%s", f"${{{name}}}", f"<{name}>")
    return alike(rnd.choice(forms))


def key(rnd: random.Random) -> Said:
    """A code of letters and digits."""
    marks = string.ascii_uppercase + string.digits * 2
    return alike("".join(rnd.choice(marks) for _ in range(rnd.randrange(3, 9))))


def laughter(rnd: random.Random) -> Said:
    """Laughter, as long as it takes."""
    syllable, times = rnd.choice(("Ha", "He", "Ho", "Hee")), rnd.randrange(2, 9)
    text = " ".join([syllable, *[syllable.lower()] * (times - 1)]) + rnd.choice("!!.")
    spanish = text.translate(str.maketrans("Hh", "Jj")) if syllable == "Ha" else text
    spanish = f"¡{spanish}" if spanish.endswith("!") else spanish
    italian = " ".join(["Ah", *["ah"] * (times - 1)]) + text[-1] if syllable == "Ha" else text
    return alike(text) | {"es:es": spanish, "it:it": italian}


def mixed(rnd: random.Random) -> Said:
    """A whole number and a fraction."""
    return alike(f"{rnd.randrange(1, 9)}{rnd.choice('½¼¾')}")


def day(rnd: random.Random) -> Said:
    """A day of the week in capitals."""
    return {code: text.upper() for code, text in rnd.choice(table(DAYS, " ")).items()}


def city_in_capitals(rnd: random.Random) -> Said:
    """A city's name in capitals."""
    return {code: text.upper() for code, text in rnd.choice(named(CITIES)).items()}


def of(choices: list[Said]) -> Callable[[random.Random], Said]:
    """Draw one of them."""
    return lambda rnd: rnd.choice(choices)


SLOTS: dict[str, Callable[[random.Random], Said]] = {
    "n": any_number,
    "s": lambda rnd: alike(str(rnd.randrange(2, 31))),
    "d": lambda rnd: decimal(f"{rnd.uniform(0, 99):.{rnd.choice((1, 1, 2))}f}"),
    "pct": share,
    "f": lambda rnd: alike(rnd.choice("½¼¾⅓⅔")),
    "fm": mixed,
    "m": money,
    "t": clock,
    "year": lambda rnd: alike(str(rnd.randrange(1780, 2031))),
    "yy": lambda rnd: alike(f"{rnd.randrange(50, 99)}"),
    "first": first_name,
    "last": lambda rnd: alike(rnd.choice(LAST)),
    "king": of(named(KINGS)),
    "roman": lambda rnd: alike(rnd.choice(ROMAN)),
    "city": of(named(CITIES)),
    "CITY": city_in_capitals,
    "DAY": day,
    "month": of(table(MONTHS, " ")),
    "thing": of(table(THINGS)),
    "sound": of(table(SOUNDS)),
    "greet": of(table(GREETINGS)),
    "word": of(table(WORDS)),
    "unit": of(table(UNITS)),
    "unitv": of(table(VOLUMES)),
    "speed": of(table(SPEEDS)),
    "ha": laughter,
    "path": path,
    "code": code,
    "holder": placeholder,
    "key": key,
    "emoji": lambda rnd: alike(rnd.choice(EMOJI)),
    "mail": lambda rnd: alike(f"{letters(rnd, 5)}@{letters(rnd, 6)}.{rnd.choice(('org', 'net'))}"),
    "web": lambda rnd: alike(f"{rnd.choice(('https://', 'www.'))}{letters(rnd, 7)}.org"),
}


def filled(frame: dict[str, str], rnd: random.Random) -> Said:
    """A frame with everything put in its slots, in all languages."""
    names = dict.fromkeys(match[1] for text in frame.values() for match in SLOT.finditer(text))
    said: dict[str, Said] = {}
    for name in names:
        slot = SLOTS[name] if name in SLOTS else SLOTS[name.rstrip("2")]
        said[name] = slot(rnd)
        while name.endswith("2") and said[name] == said.get(name[:-1]):
            said[name] = slot(rnd)

    def text_of(language: str) -> str:
        def put(match: re.Match[str]) -> str:
            own, form = said[match[1]], match[2]
            return own.get(f"{language}:{form}", own[language]) if form else own[language]

        text = SLOT.sub(put, frame[language])
        # "de" and "d'" before a name in French
        return text.replace("de d'", "d'") if language == "fr" else text

    return {language: text_of(language) for language in frame}


def frames() -> list[tuple[str, dict[str, str]]]:
    """The kind of each frame, and its texts by language."""
    rows = [line.split("\t") for line in FRAMES.read_text(encoding="utf-8").splitlines() if line]
    return [(row[0], dict(zip(("en", *LANGUAGES), row[1:], strict=True))) for row in rows]


def lessons(each: int, seed: int = 1) -> dict[str, list[tuple[str, str, str]]]:
    """Pairs by language: corpus, English, target; no pair twice.

    Args:
        each: How often every frame is filled; frames without slots stand once.
        seed: Determines everything.
    """
    rnd = random.Random(seed)
    pairs: dict[str, dict[tuple[str, str, str], None]] = {code: {} for code in LANGUAGES}
    for kind, frame in frames():
        for _ in range(each if SLOT.search(frame["en"]) else 1):
            said = filled(frame, rnd)
            for code in LANGUAGES:
                pairs[code][f"lesson_{kind}", said["en"], said[code]] = None
    return {code: list(own) for code, own in pairs.items()}


def said_with(mark: str, text: str, language: str) -> str:
    """A phrase as a sentence of its own."""
    text = text[0].upper() + text[1:]
    if language == "es" and mark in "!?":
        return f"{'¡' if mark == '!' else '¿'}{text}{mark}"
    return f"{text} {mark}" if language == "fr" and mark in "!?" else f"{text}{mark}"


def phrases() -> dict[str, list[tuple[str, str, str]]]:
    """What everybody says, in every form of address; compounds, places and their translations."""
    pairs: dict[str, list[tuple[str, str, str]]] = {code: [] for code in LANGUAGES}
    folder = FRAMES.parent
    for file in sorted((folder / "phrases").glob("*.tsv")):
        for row in file.read_text(encoding="utf-8").splitlines()[1:]:
            english, *others = row.split("\t")
            for variant in english.split(" | "):
                text, mark = variant.rstrip("!,?=+ "), variant.strip()[-1:]
                if mark in "=+" or not text or re.search(r"[<>{}()*]", row):
                    continue
                mark = mark if mark in "!?" else "."
                for code, own in zip(LANGUAGES, others, strict=False):
                    for form in dict.fromkeys(own.split(" | ")[0].split(" ~ ")):
                        if form.strip():
                            made = said_with(mark, form.strip(), code)
                            pairs[code].append(("phrase", said_with(mark, text, "en"), made))
    for name in ("compounds", "places"):
        for row in (folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            english, *others = row.split("\t")
            for code, own in zip(LANGUAGES, others, strict=False):
                for one, made in zip(english.split(" ~ "), own.split(" ~ "), strict=False):
                    first = made.split(" | ")[0].strip()
                    if first and one.strip():
                        pairs[code].append((f"lesson_{name}", one.strip(), first))
    return pairs


def written() -> dict[str, list[tuple[str, str, str]]]:
    """Sentences and scenes that were written for this training, and what is said in one language."""
    pairs: dict[str, list[tuple[str, str, str]]] = {code: [] for code in LANGUAGES}
    folder = FRAMES.parent
    for file in [
        folder / "sentences.tsv",
        folder / "words.tsv",
        *sorted(folder.glob("scenes-*.tsv")),
    ]:
        for row in file.read_text(encoding="utf-8").splitlines():
            corpus, english, *others = row.split("\t")
            for code, own in zip(LANGUAGES, others, strict=True):
                pairs[code].append((corpus, english, own))
    for code in LANGUAGES:
        for row in (folder / f"native-{code}.tsv").read_text(encoding="utf-8").splitlines():
            english, own = row.split("\t")
            pairs[code].append(("native", english, own))
    return pairs


def main() -> None:
    """Write a file for each language."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=60, help="fillings of a frame")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    filled_in, said, own = lessons(options.each, options.seed), phrases(), written()
    for code in LANGUAGES:
        pairs = dict.fromkeys([*filled_in[code], *said[code], *own[code]])
        rows = "".join("\t".join(pair) + "\n" for pair in pairs)
        (options.folder / f"lessons.en-{code}.tsv").write_text(rows, encoding="utf-8")


if __name__ == "__main__":
    main()
