"""Organisers and cashiers of the club, and invitations to it. Nobody becomes one by an upgrade: the owner of the installation chooses them."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import CheckConstraint, Q


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
    ]
