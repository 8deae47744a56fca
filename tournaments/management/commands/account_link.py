from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.urls import reverse
from django.utils import timezone

from tournaments.commands import DatabaseCommand
from tournaments.core.refusal import Refusal
from tournaments.current_club import origin
from tournaments.models import EventKind
from tournaments.queries.accounts import account_id
from tournaments.security_log import record
from tournaments.services.accounts import PASSWORD_LINK_HOURS, make_password_link, setup_code
from tournaments.services.second_factor import remove_of
from tournaments.text.refusals import message


class Command(DatabaseCommand):
    help = (
        f"Prints a link with which an account sets a new password, once and within {PASSWORD_LINK_HOURS} hours; without a name, and as "
        "long as there is no account, the link for the first one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="name of the account; upper and lower case are the same")
        parser.add_argument(
            "--without-second-factor", action="store_true", help="also remove the account's second factor"
        )

    def handle(self, *args: Any, name: str | None, without_second_factor: bool, **options: Any) -> None:
        if name is None:
            self.stdout.write(self._first_account())
            return
        try:
            account, code = make_password_link(account_id(name) or 0, at=timezone.now())
        except Refusal as refusal:
            raise CommandError(message(refusal)) from None
        record(EventKind.LINK_MADE, None, about=account)
        if without_second_factor and remove_of(account_id(name) or 0) is not None:
            record(EventKind.SECOND_FACTOR, None, about=account)
        self.stdout.write(f"{origin()}{reverse('account:new_password')}#{code}")

    def _first_account(self) -> str:
        code = setup_code()
        if code is None:
            raise CommandError("There are accounts: name the one that has lost its password.")
        return f"{origin()}{reverse('account:setup')}#{code}"
