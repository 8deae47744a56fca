from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.urls import register_converter

from tournaments.address_numbers import NumberConverter
from tournaments.sessions import begin_session


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        register_converter(NumberConverter, "number")
        user_logged_in.connect(begin_session)
