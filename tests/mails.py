"""Mails that the program has sent in the background."""

from threading import Event

from django.core import mail
from django.core.mail import EmailMessage

from tournaments.mail import in_mail_thread


def sent_mails() -> list[EmailMessage]:
    """Return what has been sent, after all that was waiting."""
    done = Event()
    in_mail_thread(done.set)
    assert done.wait(30)
    return list(mail.outbox)
