"""An upgrade from a version in which whoever organised a tournament could see people, series and honours."""

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection

from tournaments.models import ClubRole, Membership


def test_organisers_become_organisers_of_the_club_and_nobody_else_does(database_of_1_0: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM tournaments_tournament ORDER BY id")
        tournaments = [number for (number,) in cursor.fetchall()]
    assert len(tournaments) > 1
    Membership.objects.all().delete()
    for name, role, more in (
        ("leitung", "organiser", {}),
        ("kasse", "cashier", {}),
        ("wirt", "organiser", {"is_superuser": True}),
        ("fort", "organiser", {"is_active": False}),
    ):
        user = User.objects.create(username=f"von-{name}", **more)
        for tournament in tournaments[:2]:
            Membership.objects.create(tournament_id=tournament, user=user, role=role)

    call_command("migrate", verbosity=0, interactive=False)

    roles = ClubRole.objects.filter(user__username__startswith="von-")
    assert list(roles.values_list("user__username", "role")) == [("von-leitung", "organiser")]
    assert Membership.objects.count() == 8
