from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in

from tournaments.sessions import begin_session


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        user_logged_in.connect(begin_session)
