"""Old sign-ups go in every club; a club in which they cannot be deleted stops no other."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from schnauz_turnier.background.forgetting import forget
from tests.clubs.test_engine import NewClub
from tests.schnauz_turnier.background.test_forgetting import signed_up
from tournaments.current_club import in_club
from tournaments.models import SignUp

pytestmark = pytest.mark.usefixtures("hosting")


def test_old_sign_ups_are_deleted_in_all_working_clubs(
    new_club: NewClub, caplog: pytest.LogCaptureFixture
) -> None:
    clubs = [new_club(slug) for slug in ("alpha", "beta", "gamma")]
    today = timezone.now().date()
    for club in clubs:
        with in_club(club):
            signed_up(today - timedelta(days=8))
            signed_up(today - timedelta(days=6))
    with in_club(clubs[1]), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_signup RENAME TO elsewhere")
    forget()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "Old sign-ups of the club beta could not be deleted."
    ]
    with in_club(clubs[1]), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE elsewhere RENAME TO tournaments_signup")
    left = []
    for club in clubs:
        with in_club(club):
            left.append(SignUp.objects.count())
    assert left == [1, 2, 1]
