"""The one place where anything of the logs is deleted, under a transaction-local setting that the triggers ask for."""

from django.db import connection, transaction

from scoring.models import ParkedEntry, Sheet, SheetEntry
from tournaments.core.refusal import Refusal
from tournaments.models import Payment, Round, Tournament
from tournaments.notify import notify
from tournaments.services.tournaments import lock_tournament


def delete_practice_tournament(tournament: Tournament) -> None:
    """Deletes a practice tournament with all that belongs to it. Refuses not_practice for any other."""
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if not locked.is_practice:
            raise Refusal("not_practice")
        _allow_purge()
        list(Sheet.objects.select_for_update().filter(table__round__tournament=locked))
        SheetEntry.objects.filter(tournament=locked).delete()
        ParkedEntry.objects.filter(tournament=locked).delete()
        Payment.objects.filter(participant__tournament=locked).delete()
        Round.objects.filter(tournament=locked).delete()
        locked.delete()
        notify(tournament.slug, "tournament")


def _allow_purge() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('schnauz.purge', 'on', true)")
