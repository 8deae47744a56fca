"""Slugs of clubs: those that no club gets, and the one that a name suggests."""

import unicodedata

from django.utils.text import slugify

MOST_IN_A_SLUG = 40

_RESERVED = """
account accounts admin administrator api app apps assets auth autoconfig autodiscover backup billing blog c calendar cdn check
closed club clubs contact data database db demo dev dns docs download example feed files ftp git healthz help home host hosting
hostmaster http https i18n imap imprint info intern internal invalid legal live local localhost log login logout mail mailer media
metrics mobile monitor monitoring mx news ns ns1 ns2 o official operator pop postmaster privacy processing proxy register
registration root s secure security series server shop smtp spam ssh ssl start static stats status support sync system t terms
test tls update updates usenet vpn web webmail webmaster wiki wpad www www1 www2
"""
RESERVED = frozenset(_RESERVED.split())
"""Words that mean something in host names or addresses, or could pass for the installation itself."""

_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def proposed_slug(name: str) -> str:
    """Return the slug that a name suggests: „Schafkopffreunde Süd“ gives "schafkopffreunde-sued". "" if the name has no letters."""
    words = slugify(unicodedata.normalize("NFC", name).lower().translate(_SPELT)).replace("_", "-").split("-")
    slug = ""
    for word in filter(None, words):
        longer = f"{slug}-{word}" if slug else word[:MOST_IN_A_SLUG]
        if len(longer) > MOST_IN_A_SLUG:
            break
        slug = longer
    return f"{slug}-verein" if slug in RESERVED else slug
