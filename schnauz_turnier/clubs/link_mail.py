"""The mail with the link that makes a club."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from smtplib import SMTPException, SMTPRecipientsRefused

from django.core.mail import send_mail
from django.utils.translation import gettext as _

from schnauz_turnier.clubs.registration import LINK_LASTS, link_with
from tournaments.hashing import give_way, return_connection

logger = logging.getLogger(__name__)

_sending = threading.BoundedSemaphore(1)
"""One mail at a time: a mail server that does not answer keeps one thread, no more."""


class MailRefusal(Exception):
    """The link could not be sent. field: what it is about."""

    def __init__(self, sentence: str, *, field: str | None = None) -> None:
        super().__init__(sentence)
        self.field = field


@contextmanager
def turn_to_send() -> Iterator[None]:
    """Keep others from sending inside the block. Raises MailRefusal if another mail is being sent."""
    if not _sending.acquire(blocking=False):
        raise MailRefusal(_("Gerade wird eine andere E-Mail verschickt. Bitte gleich noch einmal absenden."))
    try:
        yield
    finally:
        _sending.release()


def send_link(email: str, *, address: str, code: str) -> None:
    """Send the link, in `turn_to_send`. The mail holds nothing else that was typed: it may go to somebody who has not asked for it.

    Other guests need not wait for the mail server. Raises MailRefusal.
    """
    text = _(
        "Unter %(address)s soll ein Verein entstehen, der seine Turniere mit Schnauz-Turnier führt.\n\n"
        "Mit diesem Link legen Sie ihn an. Er gilt %(hours)s Stunden:\n\n%(link)s\n\n"
        "Wer das nicht war, braucht nichts zu tun: Ohne den Link entsteht nichts.\n"
    )
    values = {"address": address, "link": link_with(code), "hours": LINK_LASTS // timedelta(hours=1)}
    return_connection()
    give_way.get()()
    try:
        send_mail(_("Ihren Verein anlegen"), text % values, None, [email])
    except SMTPRecipientsRefused:
        raise MailRefusal(_("Diese E-Mail-Adresse nimmt der Mailserver nicht an."), field="email") from None
    except (SMTPException, OSError) as failure:
        logger.warning("The link of a registration could not be sent: %s", type(failure).__name__)
        raise MailRefusal(
            _(
                "Die E-Mail ließ sich nicht verschicken. Es ist noch nichts angemeldet. Bitte später noch einmal absenden."
            )
        ) from None
