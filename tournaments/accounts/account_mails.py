"""Mails about an account: a link for a new password, the code that confirms an address, and that something has changed."""

from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.current_club import origin
from tournaments.mail import send_later
from tournaments.own_address import staff_url


def tell_of_new_password(user: User) -> None:
    """Tell the owner of an account that its password was changed, if it has an address."""
    _tell(
        user.email,
        _("Ihr Passwort ist geändert"),
        _("Das Passwort des Kontos „%(name)s“ ist neu gesetzt."),
        user,
    )


def tell_of_new_email(user: User, before: str) -> None:
    """Tell the former address of an account that it is no longer its address."""
    _tell(
        before,
        _("Ihre E-Mail-Adresse ist geändert"),
        _("Das Konto „%(name)s“ hat diese Adresse nicht mehr."),
        user,
    )


def _tell(email: str, subject: str, words: str, user: User) -> None:
    if email:
        who = _("Wer das nicht war, wendet sich bitte gleich an den Inhaber.")
        text = f"{words % {'name': user.get_username()}} {who}\n\n{_address('login')}\n"
        send_later(EmailMessage(subject, text, to=[email]))


def mail_with_password_link(user: User, code: str) -> EmailMessage:
    text = _(
        "Mit diesem Link setzen Sie ein neues Passwort für das Konto „%(name)s“. Er gilt eine Stunde und einmal:\n\n%(link)s\n\n"
        "Wer ihn nicht angefordert hat, braucht nichts zu tun: Das bisherige Passwort gilt weiter.\n"
    )
    values = {"name": user.get_username(), "link": f"{_address('new_password')}#{code}"}
    return EmailMessage(_("Ein neues Passwort setzen"), text % values, to=[user.email])


def mail_with_confirmation(email: str, code: str) -> EmailMessage:
    """Return the mail that confirms an address. It names no account: the address may be that of somebody else."""
    text = _(
        "Mit diesem Link bestätigen Sie, dass diese Adresse zu Ihrem Konto gehört. Er gilt eine Stunde, dort, wo Sie angemeldet sind:\n\n"
        "%(link)s\n\nWer das nicht war, braucht nichts zu tun.\n"
    )
    return EmailMessage(
        _("Ihre E-Mail-Adresse bestätigen"),
        text % {"link": f"{_address('confirm_email')}#{code}"},
        to=[email],
    )


def _address(page: str) -> str:
    return f"{staff_url() or origin()}{reverse(f'account:{page}')}"
