"""Sentences about the database: another version, or no answer."""

from tournaments.text.sentences import sentences_beside, translated

_SENTENCES = sentences_beside(__file__)["database_versions"]


def about_database(key: str, **params: object) -> str:
    """Return the sentence with this key. Raises KeyError for an unknown one."""
    return str(translated(_SENTENCES[key])) % params
