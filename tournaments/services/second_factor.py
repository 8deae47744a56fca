"""The second factor of an account: one-time codes of an authenticator app, and recovery codes (RFC 6238).

django-otp keeps the keys, refuses a code that was used before, and makes guessing wait: 1, 2, 4, 8 ... seconds.
"""

import math
import re
from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import get_random_string
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournaments.core.refusal import Refusal

RECOVERY_CODES = 10
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another in handwriting
_NAME = "default"


@dataclass(frozen=True, slots=True)
class AppKey:
    """Key for an authenticator app. url: for its camera. text: to type in, in groups of four."""

    url: str
    text: str


def has_second_factor(user: User) -> bool:
    """Whether logging in with this account needs a code."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def key_to_confirm(user: User) -> AppKey | None:
    """Return the key of a second factor that waits to be confirmed; None without one."""
    device = TOTPDevice.objects.filter(user=user, confirmed=False).first()
    if device is None:
        return None
    text = b32encode(device.bin_key).decode()
    groups = [text[start : start + 4] for start in range(0, len(text), 4)]
    return AppKey(url=device.config_url, text=" ".join(groups))


def begin_second_factor(user: User) -> None:
    """Make a new key, to be confirmed with a code of the app. Refuses second_factor_exists."""
    with transaction.atomic():
        _lock(user)
        if has_second_factor(user):
            raise Refusal("second_factor_exists")
        TOTPDevice.objects.filter(user=user).delete()
        TOTPDevice.objects.create(user=user, name=_NAME, confirmed=False)


def confirm(user: User, *, code: str, at: datetime) -> list[str]:
    """Switch the second factor on and return the recovery codes, which are shown once.

    Refuses second_factor_unknown (nothing was begun), one_time_code_wrong, one_time_code_wait (seconds).
    """
    refusal = None
    with transaction.atomic():
        _lock(user)
        device = TOTPDevice.objects.filter(user=user, confirmed=False).first()
        if device is None:
            raise Refusal("second_factor_unknown")
        refusal = _verify(device, code, at)
        if refusal is None:
            device.confirmed = True
            device.save(update_fields=["confirmed"])
            return _new_recovery_codes(user)
    raise refusal  # outside the transaction, so that the failed attempt is counted


def check_code(user: User, *, code: str, at: datetime) -> None:
    """Check a code of the app, or use up a recovery code. Refuses one_time_code_wrong, one_time_code_wait (seconds)."""
    with transaction.atomic():
        _lock(user)
        refusal = _verify(_device_for(user, code), code, at)
    if refusal is not None:
        raise refusal


def end(user: User, *, code: str, at: datetime) -> None:
    """Switch the second factor off. Refuses what `check_code` refuses."""
    check_code(user, code=code, at=at)
    remove_of(user.pk)


def remove_of(user_id: int) -> str | None:
    """Remove the second factor of an account without a code; return the account's name, None if there was none."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
        if user is None or not has_second_factor(user):
            return None
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()
    return user.get_username()


def renew_recovery_codes(user: User, *, code: str, at: datetime) -> list[str]:
    """Replace the recovery codes and return the new ones. Refuses what `check_code` refuses."""
    check_code(user, code=code, at=at)
    with transaction.atomic():
        _lock(user)
        return _new_recovery_codes(user)


def recovery_codes_left(user: User) -> int:
    """Return how many recovery codes are not used yet."""
    return int(StaticToken.objects.filter(device__user=user).count())


def _lock(user: User) -> None:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _device_for(user: User, code: str) -> TOTPDevice | StaticDevice | None:
    """Return the device that a code is for: six digits for the app, anything else for the recovery codes."""
    if re.fullmatch(r"[0-9]{6}", _bare(code)):
        return TOTPDevice.objects.filter(user=user, confirmed=True).first()
    return StaticDevice.objects.filter(user=user).first()


def _verify(device: TOTPDevice | StaticDevice | None, code: str, at: datetime) -> Refusal | None:
    """Return the reason why a code is not accepted; None if it is. A wrong one is counted."""
    if device is None:
        return Refusal("one_time_code_wrong")
    _count_from_now(device, at)
    allowed, waiting = device.verify_is_allowed()
    if not allowed:
        seconds = math.ceil((waiting["locked_until"] - at).total_seconds())
        return Refusal("one_time_code_wait", seconds=max(1, seconds))
    return None if device.verify_token(_bare(code)) else Refusal("one_time_code_wrong")


def _count_from_now(device: TOTPDevice | StaticDevice, at: datetime) -> None:
    """Set times of the latest wrong and right code that lie in the future, after the clock was set back, to now."""
    failed_at = device.throttling_failure_timestamp
    if failed_at is not None and failed_at > at:
        device.throttling_failure_timestamp = at
        device.save(update_fields=["throttling_failure_timestamp"])
    if isinstance(device, TOTPDevice):
        present = int(at.timestamp() - device.t0) // device.step + device.drift
        if device.last_t > present + device.tolerance:
            device.last_t = present
            device.save(update_fields=["last_t"])


def _bare(code: str) -> str:
    return re.sub(r"[\s-]", "", code).lower()


def _new_recovery_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name=_NAME)
    codes = [get_random_string(10, _LETTERS) for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return [f"{code[:5]}-{code[5:]}" for code in codes]
