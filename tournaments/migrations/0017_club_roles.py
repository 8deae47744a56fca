"""Organisers and cashiers of the club, and invitations to it. Whoever organises a tournament becomes an organiser of the club."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import CheckConstraint, Q

# Until now they could see and change people, series and honours. The owner of the installation needs no row.
ORGANISERS = """
INSERT INTO tournaments_clubrole (user_id, role)
SELECT DISTINCT auth_user.id, 'organiser'
FROM auth_user JOIN tournaments_membership ON tournaments_membership.user_id = auth_user.id
WHERE tournaments_membership.role = 'organiser' AND auth_user.is_active AND NOT auth_user.is_superuser;
"""


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0016_picture_on_wall"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClubRole",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("organiser", "Organiser"), ("cashier", "Cashier")],
                        help_text="as of a membership",
                        max_length=9,
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=models.CASCADE, related_name="club_role", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(role__in=["organiser", "cashier"]), name="club_role_known")
                ],
            },
        ),
        migrations.AlterField(
            "invitation",
            "tournament",
            models.ForeignKey(
                null=True, on_delete=models.CASCADE, related_name="invitations", to="tournaments.tournament"
            ),
        ),
        migrations.RunSQL(ORGANISERS, migrations.RunSQL.noop),
    ]
