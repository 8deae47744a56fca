"""A sign-up names the payment of its confirmation, and the sign-up with which it was discarded, by foreign keys.

Earlier versions found both by equal times; so do the last two statements, once.
"""

import django.db.models.deletion
from django.db import migrations, models

LINK_PAYMENTS = """
UPDATE tournaments_signup SET payment_id = found.id FROM (
    SELECT signup.id AS signup_id, max(payment.id) AS id FROM tournaments_signup signup
    JOIN tournaments_payment payment ON payment.participant_id = signup.participant_id
        AND payment.kind = 'fee' AND payment.at = signup.confirmed_at
    GROUP BY signup.id
) found WHERE found.signup_id = tournaments_signup.id
"""
LINK_DISCARDED = """
UPDATE tournaments_signup SET discarded_with_id = found.id FROM (
    SELECT tournament_id, withdrawn_at, min(id) AS id FROM tournaments_signup
    WHERE withdrawn_by <> '' GROUP BY tournament_id, withdrawn_at
) found
WHERE tournaments_signup.withdrawn_by <> '' AND found.tournament_id = tournaments_signup.tournament_id
    AND found.withdrawn_at = tournaments_signup.withdrawn_at
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_committed_draws")]

    operations = [
        migrations.AddField(
            model_name="signup",
            name="discarded_with",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="tournaments.signup",
            ),
        ),
        migrations.AddField(
            model_name="signup",
            name="payment",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="tournaments.payment",
            ),
        ),
        migrations.AddConstraint(
            model_name="signup",
            constraint=models.CheckConstraint(
                condition=models.Q(("payment", None), ("confirmed_at__isnull", False), _connector="OR"),
                name="sign_up_paid_is_confirmed",
            ),
        ),
        migrations.AddConstraint(
            model_name="signup",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("discarded_with", None), models.Q(("withdrawn_by", ""), _negated=True), _connector="OR"
                ),
                name="sign_up_discarded_by_desk",
            ),
        ),
        migrations.RunSQL(LINK_PAYMENTS, migrations.RunSQL.noop),
        migrations.RunSQL(LINK_DISCARDED, migrations.RunSQL.noop),
    ]
