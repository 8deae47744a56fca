"""Passwords from published breaches are refused, however far down the lists they are."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils import translation


@pytest.mark.parametrize(
    "password", ["password", "fussball1234", "Passwort123", "bayern1900", "ichliebedich", "1q2w3e4r5t6y"]
)
@pytest.mark.parametrize(("language", "reason"), [("de", "zu üblich"), ("en", "too common")])
def test_common_passwords_are_refused(password: str, language: str, reason: str) -> None:
    with translation.override(language), pytest.raises(ValidationError, match=reason):
        validate_password(password)


@pytest.mark.parametrize("password", ["Eichel-Ober-7", "an-der-tür-1925", "drei Könige am Nebentisch"])
def test_uncommon_passwords_are_accepted(password: str) -> None:
    validate_password(password)
