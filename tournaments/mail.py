"""Mail, sent by a thread of its own: no answer waits for the mail server, and none takes longer because a mail is sent.

What a mail says and to whom is in no log: errors name their kind alone.
"""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from threading import BoundedSemaphore

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connections

MOST_WAITING = 100

logger = logging.getLogger(__name__)
_thread = ThreadPoolExecutor(1, thread_name_prefix="mail")
_places = BoundedSemaphore(MOST_WAITING)


def send_later(*mails: EmailMessage) -> None:
    """Send mails after the answer. Without a mail server nothing happens."""
    if settings.HAS_MAIL:
        in_mail_thread(lambda: [mail.send() for mail in mails])


def in_mail_thread(work: Callable[[], object]) -> None:
    """Call `work` in the thread of the mails, for the club and in the language of the caller. If too much waits, it is left out."""
    if not _places.acquire(blocking=False):
        logger.error("Too many mails wait; one is not sent.")
        return
    _thread.submit(copy_context().run, _work, work)


def _work(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:  # noqa: BLE001 - what it says may name the address
        logger.error("A mail could not be sent: %s.", type(error).__name__)
    finally:
        connections.close_all()
        _places.release()
