"""Order of first name and surname in a list.

A name in which the surname comes first is stored with a comma („Huber, Sepp“), as in a telephone book: so it can be
shortened to „Sepp H.“ and is still found under H.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from tournaments.core.names import is_initial, is_title, same_name_key, split_remark

NameOrder = Literal["first_last", "last_first", "comma"]
NAME_ORDERS: tuple[NameOrder, ...] = get_args(NameOrder)

_FREQUENT = """
alexander alfons alfred alois alwin andreas anna anneliese anni anton armin august barbara bastian beate benedikt
bernd bernhard bettina bianca birgit brigitte carina christa christian christina christine christoph claudia daniel
daniela david dieter dominik doris eberhard elfriede elisabeth elke emil emma erich erika ernst erwin eva evi fabian
felix ferdinand florian franz franziska frieda friedrich fritz gabi gabriele georg gerda gerhard gerlinde gertraud
gisela gottfried günter günther hannes hans harald heidi heike heinrich heinz helga helmut herbert hermann hilde horst
hubert hugo ida ilse inge ingrid irene irmgard jakob jan jana jens joachim johann johanna johannes jonas jörg josef
josefine juergen julia julian jürgen karin karl karolina katharina kathrin katrin klaus konrad korbinian kurt lara laura
lea lena leo leonhard leonie liesl lisa lorenz ludwig luis luisa lukas magdalena manfred manuel manuela margarete
margit maria marianne marie marina mario marion markus marlene martha martin martina mathias matthias max maximilian
melanie michael michaela michi monika moritz nadine nicole nina norbert oliver olga otto patrick paul paula peter petra
philipp pia rainer ralf regina reinhard renate resi richard rita robert roland rosa rosi rosemarie rudi rudolf ruth
sabine sabrina sandra sara sarah schorsch sebastian sepp siegfried sigrid silke silvia simon simone sofie sonja sophia
stefan stefanie stephan susanne susi sven sylvia tanja theresa theresia therese thomas tina tobias toni traudl ulrich
ulrike ursula uschi uwe vera verena veronika viktor viktoria vroni walburga walter waltraud werner wilhelm willi
wolfgang xaver yvonne zenzi
"""
_FIRST_NAMES = frozenset(map(same_name_key, _FREQUENT.split()))


def guess_order(names: Sequence[str]) -> NameOrder:
    """Return the order that most names of a list have: by their commas, else by the frequent first names."""
    if 2 * sum("," in name for name in names) > len(names):
        return "comma"
    verdicts = [_starts_with_first_name(name.split(), _FIRST_NAMES) for name in names]
    return "last_first" if verdicts.count(False) > verdicts.count(True) else "first_last"


def looks_like_first_names(words: Iterable[str]) -> bool:
    """Whether most of the words are frequent first names."""
    verdicts = [same_name_key(word) in _FIRST_NAMES for word in words if word]
    return 2 * verdicts.count(True) > len(verdicts)


def with_comma(name: str) -> str:
    """Return „Huber Sepp“ as „Huber, Sepp“. Particles belong to the surname: „von der Au, Anna“."""
    words = name.split()
    last = next(
        (index for index, word in enumerate(words) if not (word[0].islower() or word[-1] == ".")), len(words)
    )
    if "," in name or last + 1 >= len(words):
        return name
    return f"{' '.join(words[: last + 1])}, {' '.join(words[last + 1 :])}"


def surname_first(name: str) -> str:
    """Return „Sepp Huber (Wirt)“ as „Huber, Sepp (Wirt)“, for lists in which one looks for a surname.

    A name with a comma, of one word, or that ends with an initial or a number stays.
    """
    plain, note = split_remark(name)
    words = plain.split()
    if "," in plain or len(words) < 2 or not words[-1][0].isalpha() or is_initial(words[-1]):
        return name
    if _starts_with_first_name(words, _FIRST_NAMES) is False:
        return with_comma(plain) + note
    last = max((index for index, word in enumerate(words) if not is_title(word)), default=0)
    start = next((index for index in range(1, last) if words[index][0].islower()), last)
    return f"{' '.join(words[start:])}, {' '.join(words[:start])}{note}" if start else name


def with_initial(name: str) -> str:
    """Return „Huber, Dr. Sepp (Wirt)“ as „Huber, S.“, for long lists. A name without a comma stays."""
    surname, _comma, first = split_remark(name)[0].partition(", ")
    word = next((word for word in first.split() if not is_title(word)), "")
    return f"{surname}, {word[0]}." if word else name


def arranged_like(name: str, others: Sequence[str]) -> str:
    """Return a name as it is written in a list: with a comma where the others have one and the surname was typed first.

    A name that begins with a first name, one of the list's or a frequent one, stays as it was typed.
    """
    with_commas = [other for other in others if "," in other]
    if 2 * len(with_commas) <= len(others):
        return name
    listed = {same_name_key(word) for other in with_commas for word in other.partition(",")[2].split()}
    return name if _starts_with_first_name(name.split(), _FIRST_NAMES | listed) else with_comma(name)


def _starts_with_first_name(words: Sequence[str], first_names: frozenset[str]) -> bool | None:
    """Whether the first word is a first name and the last is not; None if neither or both are."""
    if len(words) < 2:
        return None
    first, last = (same_name_key(words[index]) in first_names for index in (0, -1))
    return first if first != last else None
